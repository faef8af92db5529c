//! An engine of a run, and how old its library is.

use serde::{Deserialize, Serialize};

/// An engine of the run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EngineRecord {
    /// Its name.
    pub name: String,
    /// The version of the library behind it.
    pub version: String,
    /// Compiler and flags, as far as known.
    pub build: String,
    /// Where it was loaded from.
    pub path: String,
    /// The year in which the library's series was released, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub released: Option<u16>,
    /// The library's newest series, where this is an older one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
}

impl EngineRecord {
    /// `1.10.1, of 2022; current is 1.12` of a library that is not of its newest series.
    #[must_use]
    pub fn outdated(&self) -> Option<String> {
        let (current, released) = (self.current.as_ref()?, self.released?);
        let number = number(&self.version).unwrap_or(&self.version);
        Some(format!("{number}, of {released}; current is {current}"))
    }
}

/// The number in a version that is told in prose: `3.0.19` of `OpenSSL 3.0.19 27 Jan 2026`.
#[must_use]
pub fn number(version: &str) -> Option<&str> {
    let parts = version.split(|it: char| !it.is_ascii_digit() && it != '.');
    let mut parts = parts.map(|part| part.trim_matches('.'));
    parts.find(|part| part.contains('.') && !part.contains(".."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_in_prose() {
        for (text, number_of) in [
            ("OpenSSL 3.0.19 27 Jan 2026", Some("3.0.19")),
            ("v1.3.0 (AVX-512 with GFNI)", Some("1.3.0")),
            ("8.7.0", Some("8.7.0")),
            ("AVX-512, build 7.", None),
            ("1..2", None),
            ("", None),
        ] {
            assert_eq!(number(text), number_of, "{text}");
        }
    }

    #[test]
    fn only_what_is_not_current_is_outdated() {
        let mut engine = EngineRecord {
            name: "libgcrypt".to_owned(),
            version: "libgcrypt 1.10.1".to_owned(),
            build: String::new(),
            path: String::new(),
            released: Some(2022),
            current: None,
        };
        assert_eq!(engine.outdated(), None);
        engine.current = Some("1.12".to_owned());
        assert_eq!(engine.outdated().as_deref(), Some("1.10.1, of 2022; current is 1.12"));
    }
}
