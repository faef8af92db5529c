//! Errors of dialects as `DialectException` takes them: pieces of text with a byte 1 between.

use dialects::{Dialect, Error};

use crate::jvm::Trouble;

const BETWEEN: &str = "\u{1}";

/// What a native method throws for an error.
pub(super) fn named(error: &Error) -> Trouble {
    let (kind, field) = match error {
        Error::Unknown { .. } => ("DIALECT", "dialect"),
        Error::Mode { .. } => ("MODE", "mode"),
        Error::Length { field, .. } => ("LENGTH", *field),
        Error::Setting { field, .. } => ("SETTING", *field),
        Error::Coding { field, .. } => ("CODING", *field),
        Error::Stored { .. } => ("STORED", "stored value"),
        Error::Plaintext { .. } => ("PLAINTEXT", "plaintext"),
        Error::ZeroByte { .. } => ("ZERO_BYTE", "plaintext"),
        Error::Authentication { .. } => ("AUTHENTICATION", "stored value"),
        Error::Padding { .. } => ("PADDING", "stored value"),
        Error::NullUnknown { .. } => ("NULL", "plaintext"),
        Error::Random(_) => ("RANDOM", "IV"),
        _ => ("LIBRARY", "value"),
    };
    let flag = |is: bool| if is { "1" } else { "0" };
    let text = error.to_string();
    thrown(&[kind, field, flag(error.of_value()), flag(error.gives_null()), &error.remedy(), &text])
}

/// The same of a setting whose name is none.
pub(super) fn setting(
    dialect: &Dialect,
    field: &'static str,
    got: &str,
    allowed: &[&str],
) -> Trouble {
    let allowed = if allowed.is_empty() { "none".to_owned() } else { allowed.join(", ") };
    let text = format!("{field} of {} is `{got}`; allowed: {allowed}", dialect.name());
    thrown(&["SETTING", field, "0", "0", "name one of these, or none", &text])
}

/// The use of a codec that was closed.
pub(super) fn closed() -> Trouble {
    Trouble::Named(c"java/lang/IllegalStateException", "the codec is closed".to_owned())
}

/// Characters that would end the text or a piece of it, or that JNI writes in another way, come
/// from names that a caller gave.
fn thrown(pieces: &[&str]) -> Trouble {
    let plain = |it: &str| {
        it.replace(|c: char| c.is_control() || !('\0'..='\u{ffff}').contains(&c), "\u{fffd}")
    };
    let pieces: Vec<String> = pieces.iter().map(|piece| plain(piece)).collect();
    Trouble::Named(c"org/cipherlane/dialects/DialectException", pieces.join(BETWEEN))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_forge_pieces() {
        let error = dialects::find("a\u{1}b\0c\u{1f600}").unwrap_err();
        let Trouble::Named(_, text) = named(&error) else { panic!("another kind") };
        assert_eq!(text.split(BETWEEN).count(), 6, "{text}");
        assert!(text.contains("a\u{fffd}b\u{fffd}c\u{fffd}"), "{text}");
    }
}
