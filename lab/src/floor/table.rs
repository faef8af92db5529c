//! The table of counts, `docs/notes/counts.tsv`, which `cargo xtask counts` makes.

use std::collections::BTreeMap;

/// How often each operation is asked for. Names that begin with [`NARROW`] are of the registers of
/// one 128-bit group.
pub type Counts = BTreeMap<String, u64>;

/// What the name of an operation on narrow registers begins with.
pub const NARROW: &str = "narrow.";

/// The path of one long message: the operations that wait for each other.
pub const PATH: &str = "path";

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// ALGORITHM/OPERATION.
    pub operation: String,
    /// The level.
    pub level: String,
    /// `long`, `batch` or [`PATH`].
    pub what: String,
    /// The bytes that the counts are for.
    pub bytes: u64,
    /// The counts.
    pub counts: Counts,
}

/// Reads the table.
///
/// # Errors
/// The line that can't be read.
pub fn read(text: &str) -> Result<Vec<Row>, String> {
    text.lines()
        .skip(1)
        .map(|line| row(line).ok_or_else(|| format!("not counts: `{line}`")))
        .collect()
}

fn row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split('\t').collect();
    let &[operation, level, what, bytes, counts] = &fields[..] else { return None };
    let count = |field: &str| {
        let (name, count) = field.split_once('=')?;
        Some((name.to_owned(), count.parse().ok()?))
    };
    let counts = counts.split(' ').filter(|it| !it.is_empty()).map(count);
    Some(Row {
        operation: operation.to_owned(),
        level: level.to_owned(),
        what: what.to_owned(),
        bytes: bytes.parse().ok().filter(|bytes| *bytes > 0)?,
        counts: counts.collect::<Option<_>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_an_operation_and_its_counts() {
        let rows = read("head\nsm4/ctr\tavx2\tlong\t64\txor=3 narrow.xor3=2\n").unwrap();
        let counts = Counts::from([("xor".to_owned(), 3), ("narrow.xor3".to_owned(), 2)]);
        assert_eq!((rows.len(), rows[0].bytes, &rows[0].counts), (1, 64, &counts));
    }

    #[test]
    fn a_broken_line_is_named() {
        for line in ["a\tb\tc\t1", "a\tb\tc\t0\txor=1", "a\tb\tc\t1\txor", "a\tb\tc\tx\txor=1"] {
            let error = read(&format!("head\n{line}")).unwrap_err();
            assert!(error.contains(line), "{error}");
        }
    }
}
