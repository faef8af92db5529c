//! Known reasons why a cell is behind: a table in the repository, beside the figures.

use crate::workspace;

/// The table.
pub(super) const TABLE: &str = "docs/machines/reasons.tsv";
/// Its first line.
const HEAD: &str = "list\toperation\tmodel\tsize\tagainst\treason";

/// What a reason is for: patterns, in which `*` stands for anything.
#[derive(Debug)]
struct Line {
    patterns: [String; 5],
    reason: String,
}

#[derive(Debug)]
pub(super) struct Reasons(Vec<Line>);

/// What is behind: the fields of the table before the reason.
pub(super) struct Case<'c> {
    /// The list's name.
    pub(super) list: &'c str,
    pub(super) operation: &'c str,
    /// The model; of a floor, `long` or `batch`.
    pub(super) model: &'c str,
    /// Bytes of a message; 0 for set-ups and floors.
    pub(super) size: u64,
    /// The peer or level that is ahead; of a floor, the level.
    pub(super) against: &'c str,
}

impl Reasons {
    pub(super) fn read() -> Result<Self, String> {
        Self::parse(&workspace::read(TABLE)?).map_err(|error| format!("{TABLE}: {error}"))
    }

    pub(super) fn parse(table: &str) -> Result<Self, String> {
        let mut lines = table.lines();
        if lines.next() != Some(HEAD) {
            return Err(format!("its first line is not `{HEAD}`"));
        }
        let line = |line: &str| {
            let mut fields = line.split('\t').map(str::to_owned);
            let mut next = || fields.next().ok_or_else(|| format!("not six fields: `{line}`"));
            let patterns = [next()?, next()?, next()?, next()?, next()?];
            Ok(Line { patterns, reason: next()? })
        };
        lines.map(line).collect::<Result<_, String>>().map(Self)
    }

    /// The first reason that fits.
    pub(super) fn of(&self, case: &Case<'_>) -> Option<&str> {
        let size = case.size.to_string();
        let fields = [case.list, case.operation, case.model, &size, case.against];
        let fits = |line: &&Line| {
            line.patterns.iter().zip(fields).all(|(pattern, field)| matches(pattern, field))
        };
        self.0.iter().find(fits).map(|line| line.reason.as_str())
    }
}

/// Whether the text is the pattern, each `*` of which stands for any characters or none.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((begin, rest)) => text.strip_prefix(begin).is_some_and(|text| {
            let mut ends = text.char_indices().map(|(place, _)| place).chain([text.len()]);
            ends.any(|place| matches(rest, &text[place..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_repository_is_sound() {
        let Reasons(lines) = Reasons::read().unwrap();
        for line in &lines {
            assert!(line.reason.len() > 20, "{line:?}");
            let list = &line.patterns[0];
            let known = ["default-not-best", "behind-lower-level", "behind-peer", "below-floor"];
            assert!(known.contains(&list.as_str()), "`{list}` is no list");
        }
    }

    #[test]
    fn a_star_stands_for_anything() {
        for (pattern, text, fits) in [
            ("*", "", true),
            ("aes-*/gcm-*", "aes-128/gcm-seal", true),
            ("aes-*/gcm-*", "aes-128/ccm-seal", false),
            ("16", "16", true),
            ("16", "160", false),
            ("*6", "16", true),
            ("a*b*c", "abbc", true),
            ("a*b*c", "acb", false),
        ] {
            assert_eq!(matches(pattern, text), fits, "{pattern} {text}");
        }
    }

    #[test]
    fn the_first_line_that_fits_is_the_reason() {
        let table = format!(
            "{HEAD}\nbehind-peer\taes-*/*\tkey\t0\tipp\tit does less\n\
             behind-peer\t*\t*\t*\t*\tanother reason\n"
        );
        let reasons = Reasons::parse(&table).unwrap();
        let reason = |list, operation, model, against| {
            let size = 0;
            reasons.of(&Case { list, operation, model, size, against })
        };
        assert_eq!(reason("behind-peer", "aes-128/ctr", "key", "ipp"), Some("it does less"));
        assert_eq!(reason("behind-peer", "aes-128/ctr", "key", "botan"), Some("another reason"));
        assert_eq!(reason("below-floor", "aes-128/ctr", "key", "ipp"), None);
        assert!(Reasons::parse("a\tb\n").is_err());
        assert!(Reasons::parse(&format!("{HEAD}\na\tb\n")).is_err());
    }
}
