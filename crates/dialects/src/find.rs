//! The rows, read once, and how they are found by name.

use std::sync::LazyLock;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::row::Row;

/// One file a dialect.
const FILES: &[&str] = &[
    include_str!("rows/doris-sm4.toml"),
    include_str!("rows/doris-sm4-0.15.toml"),
    include_str!("rows/doris-aes.toml"),
    include_str!("rows/mysql-aes.toml"),
    include_str!("rows/mariadb-aes.toml"),
    include_str!("rows/opengauss-sm4.toml"),
    include_str!("rows/opengauss-aes128.toml"),
    include_str!("rows/yashandb-sm4.toml"),
    include_str!("rows/kingbase-sm4.toml"),
    include_str!("rows/shardingsphere-sm4.toml"),
    include_str!("rows/shardingsphere-digest.toml"),
    include_str!("rows/hutool-sm4.toml"),
    include_str!("rows/vastbase-hive-sm4-gcm.toml"),
    include_str!("rows/spark-aes.toml"),
    include_str!("rows/pgcrypto-aes.toml"),
    include_str!("rows/cipherlane-sm4.toml"),
];

static ALL: LazyLock<Vec<Dialect>> = LazyLock::new(|| {
    // The files are part of the program: the tests read each of them.
    FILES.iter().map(|text| read(text).expect("a row that fits together")).collect()
});

fn read(text: &str) -> Result<Dialect, String> {
    let row: Row = toml::from_str(text).map_err(|error| error.to_string())?;
    Dialect::of(row)
}

/// Every dialect.
#[must_use]
pub fn all() -> &'static [Dialect] {
    &ALL
}

/// The dialect of that name.
///
/// ```
/// assert_eq!(dialects::find("yashandb-sm4")?.modes()[0].name(), "CBC");
/// let error = dialects::find("yashan-sm4").unwrap_err();
/// assert_eq!(error.remedy(), "did you mean yashandb-sm4?");
/// # Ok::<(), dialects::Error>(())
/// ```
///
/// # Errors
/// [`Error::Unknown`] names the nearest one.
pub fn find(name: &str) -> Result<&'static Dialect, Error> {
    let lower = name.to_ascii_lowercase();
    all().iter().find(|it| it.name() == lower).ok_or_else(|| {
        // A part of a name, such as the engine, is nearer than letters exchanged.
        let near = all().iter().min_by_key(|it| {
            let inside = lower.len() > 2 && it.name().contains(&*lower);
            (!inside, strsim::damerau_levenshtein(it.name(), &lower))
        });
        Error::Unknown { name: name.to_owned(), near: near.map_or("", Dialect::name) }
    })
}

#[cfg(test)]
mod tests {
    use super::{FILES, all, read};

    #[test]
    fn every_row_is_read_under_a_name_of_its_own() {
        for text in FILES {
            read(text).unwrap();
        }
        let mut names: Vec<&str> = all().iter().map(|it| it.name()).collect();
        assert_eq!(names.len(), FILES.len());
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FILES.len());
    }

    #[test]
    fn what_a_row_says_wrong_is_an_error() {
        let right = FILES[0];
        for (from, to) in [
            ("rule = \"fold\"", "rule = \"folded\""),
            ("text = ", "txt = "),
            ("operation = \"ecb\"", "operation = \"ebc\""),
            ("ciphers = [\"sm4\"]", "ciphers = [\"sm5\"]"),
            ("ciphers = [\"sm4\"]", "ciphers = []"),
            ("[\"ciphertext\"]", "[\"tag 16\"]"),
            ("[\"ciphertext\"]", "[\"ciphertext\", \"tag 16\"]"),
            ("[\"ciphertext\"]", "[\"ciphertext\", \"mac 20\"]"),
            ("[\"ciphertext\"]", "[\"salt 16\", \"ciphertext\"]"),
            ("[\"ciphertext\"]", "[\"iv\", \"ciphertext\"]"),
            ("[\"ciphertext\"]", "[\"iv 16\", \"iv 16\", \"ciphertext\"]"),
            ("rule = \"fold\"", "rule = \"digest\""),
            ("rule = \"fold\"", "rule = \"pbkdf2\""),
        ] {
            assert!(right.contains(from), "{from}");
            assert!(read(&right.replace(from, to)).is_err(), "{to}");
        }
    }
}
