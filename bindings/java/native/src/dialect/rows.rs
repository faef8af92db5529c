//! What there is and what a codec has become, as lines of fields between tabs.

use core::fmt::Write as _;

use dialects::{Codec, Dialect, Flaw};

/// A line a dialect.
pub(super) fn all() -> String {
    dialects::all().iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Names with commas between; names have none.
fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(",")
}

/// Name, engine, whether a value was published, whether NULL is known to stay NULL, modes, forms
/// of keys, codings, digests, ciphers, words on key and IV, and flaws.
fn row(dialect: &'static Dialect) -> String {
    let fields = [
        dialect.name().to_owned(),
        dialect.engine().to_owned(),
        dialect.status().name().to_owned(),
        if dialect.null().is_ok() { "null" } else { "unknown" }.to_owned(),
        names(dialect.modes().iter().map(|mode| mode.name())),
        names(dialect.key_forms().iter().map(|form| form.name())),
        names(dialect.codings().iter().map(|coding| coding.name())),
        names(dialect.hashes().iter().map(|hash| hash.name())),
        names(dialect.ciphers().into_iter()),
        dialect.key_words().to_owned(),
        dialect.iv_words().to_owned(),
        flaws(&dialect.flaws()),
    ];
    fields
        .map(|field| field.replace(['\t', '\n'], " ").replace(FLAW, "; "))
        .join("\t")
        .replace(PLACE, FLAW)
}

/// Stands between the flaws of a line.
const FLAW: &str = "\u{1}";
/// The same while other fields are cleared of it.
const PLACE: &str = "\u{2}";

fn flaws(flaws: &[Flaw]) -> String {
    let mut text = String::new();
    for flaw in flaws {
        let between = if text.is_empty() { "" } else { PLACE };
        // Writing to a string can't fail.
        let _ = write!(text, "{between}{}={flaw}", flaw.name());
    }
    text
}

/// Mode, cipher, coding, whether it authenticates, and flaws.
pub(super) fn facts(codec: &Codec) -> String {
    let fields = [
        codec.mode().name().to_owned(),
        codec.cipher().to_owned(),
        codec.coding().name().to_owned(),
        if codec.authenticates() { "1" } else { "0" }.to_owned(),
        flaws(codec.flaws()),
    ];
    fields.join("\t").replace(PLACE, FLAW)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_a_dialect_with_all_its_fields() {
        let lines = all();
        assert_eq!(lines.lines().count(), dialects::all().len());
        assert!(lines.lines().all(|line| line.split('\t').count() == 12));
        assert!(lines.contains("\u{1}ecb=ECB: equal blocks show"));
    }
}
