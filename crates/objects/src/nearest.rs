//! What a name that nothing has may have meant.

use core::fmt;

use cipherlane::registry::{self, ALGORITHMS, Kind, Operation};

use crate::Query;

/// The most names that are worth reading.
const MOST: usize = 6;

/// What an error says behind the name that nothing has; nothing, if it resembles none.
pub(crate) fn hint(f: &mut fmt::Formatter<'_>, what: &Query, name: &str) -> fmt::Result {
    let known = match what {
        Query::Algorithm => ALGORITHMS.iter().map(|it| it.name.to_owned()).collect(),
        Query::Operation(algorithm) => operations(algorithm).map(|it| it.name.into()).collect(),
        Query::Pieces(algorithm) => {
            let known = operations(algorithm).filter(|it| it.kind == Kind::Seal && it.in_pieces());
            let known = known.map(|it| it.mode()).collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { "none" } else { &known };
            return write!(f, "; known: {known}");
        }
        Query::Padding(_) => Vec::new(),
    };
    let near = nearest(name, &known);
    let Some((last, others)) = near.split_last() else { return Ok(()) };
    if others.is_empty() {
        return write!(f, "; did you mean {last}?");
    }
    write!(f, "; did you mean {} or {last}?", others.join(", "))
}

/// What the operation of that name belongs to, where the algorithm has it.
pub(crate) fn owner(algorithm: &str, name: &str) -> Option<&'static str> {
    Some(match operations(algorithm).find(|it| it.name == name)?.kind {
        Kind::Cipher => "a cipher",
        Kind::Seal | Kind::Open => "an AEAD",
        Kind::Mac => "a MAC",
    })
}

fn operations(algorithm: &str) -> impl Iterator<Item = Operation> {
    registry::algorithm(algorithm).into_iter().flat_map(registry::operations)
}

/// Letters and digits without regard to case: `AES_128` is `aes-128`.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|it| it.to_ascii_lowercase()).collect()
}

/// What the names of a mode's two directions end with.
const DIRECTIONS: [&str; 4] = ["encrypt", "decrypt", "seal", "open"];

/// The known names that are this one but for case and signs, or else but for a direction, or
/// else begin with it, or else are its beginning.
fn nearest(name: &str, known: &[String]) -> Vec<String> {
    let wanted = plain(name);
    if wanted.len() < 2 {
        return Vec::new();
    }
    let that = |fits: &dyn Fn(&str) -> bool| {
        let fitting = known.iter().filter(|it| fits(&plain(it))).take(MOST);
        fitting.cloned().collect::<Vec<_>>()
    };
    let same = that(&|it| it == wanted);
    let directed =
        that(&|it| it.strip_prefix(&*wanted).is_some_and(|rest| DIRECTIONS.contains(&rest)));
    let longer = that(&|it| it.starts_with(&wanted));
    let shorter = that(&|it| it.len() > 2 && wanted.starts_with(it));
    [same, directed, longer, shorter].into_iter().find(|it| !it.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;
    use crate::{AeadOneShot, AeadStream, Context, Mac, Spec};

    fn cipher(algorithm: &str, operation: &str) -> String {
        let made = Context::new(&Spec::new(algorithm, operation, &[0; 16]));
        made.expect_err("unknown").to_string()
    }

    #[test]
    fn names_that_are_meant_are_told() {
        for (name, said) in [
            ("SM4", "no algorithm is called `SM4`; did you mean sm4?"),
            ("aes", "no algorithm is called `aes`; did you mean aes-128, aes-192 or aes-256?"),
            ("AES_256", "no algorithm is called `AES_256`; did you mean aes-256?"),
            ("sm4-128", "no algorithm is called `sm4-128`; did you mean sm4?"),
            ("sm", "no algorithm is called `sm`; did you mean sm4?"),
            ("s", "no algorithm is called `s`"),
            ("nonesuch", "no algorithm is called `nonesuch`"),
            ("", "no algorithm is called ``"),
        ] {
            assert_eq!(cipher(name, "ctr"), said);
        }
        for (name, said) in [
            ("CTR", "no operation of sm4 is called `CTR`; did you mean ctr?"),
            ("ctr-encrypt", "no operation of sm4 is called `ctr-encrypt`; did you mean ctr?"),
            (
                "cbc",
                "no operation of sm4 is called `cbc`; did you mean cbc-encrypt or cbc-decrypt?",
            ),
            ("gcm", "no operation of sm4 is called `gcm`; did you mean gcm-seal or gcm-open?"),
            ("pmac", "no operation of sm4 is called `pmac`"),
        ] {
            assert_eq!(cipher("sm4", name), said);
        }
    }

    #[test]
    fn names_of_two_letters_are_no_beginning() {
        let known = ["f8", "f8-encrypt", "f90"].map(String::from);
        assert_eq!(nearest("f8x", &known), [""; 0]);
        assert_eq!(nearest("f90x", &known), ["f90"]);
        assert_eq!(nearest("f8", &known), ["f8"]);
    }

    #[test]
    fn an_operation_of_another_kind_is_told_as_that() {
        let of = |what: &str| format!("of sm4 is an operation of {what}, not of this object");
        for (name, what) in [("gcm-seal", "an AEAD"), ("cmac", "a MAC")] {
            assert_eq!(cipher("sm4", name), format!("`{name}` {}", of(what)));
        }
        let sealer = AeadOneShot::new("sm4", "ctr", &[0; 16], true, None).expect_err("no AEAD");
        assert_eq!(sealer.to_string(), format!("`ctr` {}", of("a cipher")));
        let tagger = Mac::new("sm4", "gcm-open", &[0; 16], &[], None, None).expect_err("no MAC");
        assert_eq!(tagger.to_string(), format!("`gcm-open` {}", of("an AEAD")));
    }

    #[test]
    fn aeads_that_take_no_pieces_are_told_from_those_that_do() {
        let direction = cipherlane::modes::Direction::Encrypt;
        let made = |algorithm, mode| {
            AeadStream::new(algorithm, mode, &[0; 16], direction, &[0; 12], None).map(drop)
        };
        let text = made("sm4", "gcm-siv").expect_err("whole messages").to_string();
        assert!(text.contains("in pieces of sm4 is called `gcm-siv`; known: "), "{text}");
        assert!(text.contains("gcm") && text.contains("ccm"), "{text}");
        let text = made("sm4", "cmac").expect_err("a MAC").to_string();
        assert!(text.contains("a MAC"), "{text}");
        let text = made("zuc-128", "eea3+eia3").expect_err("no AEAD").to_string();
        assert!(text.contains("no AEAD"), "{text}");
        let text = made("zuc-128", "gxm").expect_err("whole messages").to_string();
        assert!(text.ends_with("is called `gxm`; known: none"), "{text}");
    }
}
