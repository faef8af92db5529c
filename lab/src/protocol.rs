//! The lines that the laboratory and an engine exchange.
//!
//! A line is a word followed by `key=value` fields, parted by single spaces and
//! ended by a line feed. In a value, the bytes 0 to 32, 37 (`%`) and 127 are written as
//! `%` and two hexadecimal digits; everything else stands for itself. Fields may
//! come in any order. Nothing else is needed to speak the protocol in any language.

use std::fmt::{self, Write as _};
use std::str::FromStr;

/// The longest line in bytes, of either side.
pub const MAX_LINE: usize = 1 << 20;

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtocolError {
    /// The line is empty.
    #[error("the line is empty; a request begins with describe, check or measure")]
    Empty,
    /// The first word is unknown.
    #[error("unknown word `{word}`; known: {known}")]
    UnknownWord {
        /// The word.
        word: String,
        /// The words there are.
        known: &'static str,
    },
    /// A field has no `=`.
    #[error("field `{field}` has no `=`; fields are key=value")]
    NoValue {
        /// The field.
        field: String,
    },
    /// A value is badly escaped or no UTF-8.
    #[error("the value of `{key}` is badly escaped; use % and two hexadecimal digits of UTF-8")]
    Escape {
        /// The key.
        key: String,
    },
    /// A key is missing.
    #[error("`{key}` is missing")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A key stands twice.
    #[error("`{key}` stands twice")]
    Twice {
        /// The key.
        key: String,
    },
    /// A key is unknown.
    #[error("unknown key `{key}`; known: {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The keys there are.
        known: String,
    },
    /// A value is not allowed.
    #[error("`{key}` is `{value}`; allowed: {allowed}")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        allowed: String,
    },
}

/// A line: its word and its fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The first word.
    pub word: String,
    fields: Vec<(String, String)>,
}

impl Line {
    /// A line without fields.
    #[must_use]
    pub fn new(word: &str) -> Self {
        Self { word: word.to_owned(), fields: Vec::new() }
    }

    /// Reads a line that begins with one of these words, given as a list in prose.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn read(text: &str, known: &'static str) -> Result<Self, ProtocolError> {
        let word = text.split_whitespace().next().ok_or(ProtocolError::Empty)?;
        if known.split(", ").any(|it| it == word) {
            return text.parse();
        }
        Err(ProtocolError::UnknownWord { word: word.chars().take(40).collect(), known })
    }

    /// The line with one more field.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> Self {
        self.fields.push((key.to_owned(), value.to_string()));
        self
    }

    /// Every value of a key, in order.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        let fields = self.fields.iter().filter(move |field| field.0 == key);
        fields.map(|field| field.1.as_str())
    }

    /// The one value of a key, if it is there.
    ///
    /// # Errors
    /// [`ProtocolError::Twice`].
    pub fn get<'a>(&'a self, key: &'a str) -> Result<Option<&'a str>, ProtocolError> {
        let mut values = self.all(key);
        let value = values.next();
        match values.next() {
            Some(_) => Err(ProtocolError::Twice { key: key.to_owned() }),
            None => Ok(value),
        }
    }

    /// The one value of a key.
    ///
    /// # Errors
    /// [`ProtocolError::Missing`] or [`ProtocolError::Twice`].
    pub fn need(&self, key: &'static str) -> Result<&str, ProtocolError> {
        self.get(key)?.ok_or(ProtocolError::Missing { key })
    }

    /// The one value of a key as a number or another parsed type; `default` if it is not there.
    ///
    /// # Errors
    /// [`ProtocolError::Value`] saying what is allowed, or [`ProtocolError::Twice`].
    pub fn parse_or<T: FromStr>(
        &self,
        key: &'static str,
        default: T,
        allowed: &str,
    ) -> Result<T, ProtocolError> {
        match self.get(key)? {
            None => Ok(default),
            Some(value) => value.parse().map_err(|_| ProtocolError::Value {
                key,
                value: value.to_owned(),
                allowed: allowed.to_owned(),
            }),
        }
    }

    /// The one value of a key as a list parted by commas; empty if it is not there.
    ///
    /// # Errors
    /// As [`parse_or`](Self::parse_or).
    pub fn list<T: FromStr>(
        &self,
        key: &'static str,
        allowed: &str,
    ) -> Result<Vec<T>, ProtocolError> {
        let value = self.get(key)?.unwrap_or_default();
        let items = value.split(',').filter(|_| !value.is_empty());
        items
            .map(|item| {
                item.parse().map_err(|_| ProtocolError::Value {
                    key,
                    value: item.to_owned(),
                    allowed: allowed.to_owned(),
                })
            })
            .collect()
    }

    /// Refuses keys that are not in the list.
    ///
    /// # Errors
    /// [`ProtocolError::UnknownKey`].
    pub fn only(&self, known: &[&str]) -> Result<(), ProtocolError> {
        match self.fields.iter().find(|(key, _)| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) => {
                Err(ProtocolError::UnknownKey { key: key.clone(), known: known.join(", ") })
            }
        }
    }
}

impl FromStr for Line {
    type Err = ProtocolError;

    fn from_str(text: &str) -> Result<Self, ProtocolError> {
        let mut words =
            text.trim_end_matches(['\r', '\n', ' ']).split(' ').filter(|w| !w.is_empty());
        let word = words.next().ok_or(ProtocolError::Empty)?.to_owned();
        let fields = words.map(|field| {
            let (key, value) = field
                .split_once('=')
                .ok_or_else(|| ProtocolError::NoValue { field: field.to_owned() })?;
            let value =
                unescape(value).ok_or_else(|| ProtocolError::Escape { key: key.to_owned() })?;
            Ok((key.to_owned(), value))
        });
        Ok(Self { word, fields: fields.collect::<Result<_, _>>()? })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.word)?;
        for (key, value) in &self.fields {
            write!(f, " {key}=")?;
            for c in value.chars() {
                match c {
                    '\0'..=' ' | '%' | '\x7f' => write!(f, "%{:02X}", u32::from(c))?,
                    _ => f.write_char(c)?,
                }
            }
        }
        Ok(())
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let high = char::from(rest.next()?).to_digit(16)?;
                let low = char::from(rest.next()?).to_digit(16)?;
                u8::try_from(high << 4 | low).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// Items parted by commas.
pub(crate) fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_survives_the_round_trip_whatever_its_values_hold() {
        let line = Line::new("ok")
            .with("reason", "100 % of\tit = a \"blank\"\nline")
            .with("empty", "")
            .with("title", "祖冲之 ZUC")
            .with("offer", "a:b")
            .with("offer", "c:d");
        let text = line.to_string();
        assert!(!text.contains(['\n', '\t']), "{text}");
        assert_eq!(text.parse::<Line>(), Ok(line));
    }

    #[test]
    fn a_line_is_written_as_documented() {
        let line = Line::new("measure").with("size", 16).with("remark", "two words, 5%");
        assert_eq!(line.to_string(), "measure size=16 remark=two%20words,%205%25");
    }

    #[test]
    fn garbage_is_named() {
        let error = |text: &str| text.parse::<Line>().expect_err(text);
        assert_eq!(error(""), ProtocolError::Empty);
        assert_eq!(error("  \r\n"), ProtocolError::Empty);
        assert_eq!(error("ok x"), ProtocolError::NoValue { field: "x".into() });
        for bad in ["ok x=%", "ok x=%2", "ok x=%zz", "ok x=%FF", "ok x=%+1"] {
            assert_eq!(error(bad), ProtocolError::Escape { key: "x".into() }, "{bad}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_or_is_unknown_is_named() {
        let line: Line = "check size=1 size=2".parse().expect("a line");
        assert_eq!(line.get("size"), Err(ProtocolError::Twice { key: "size".into() }));
        assert_eq!(line.all("size").collect::<Vec<_>>(), ["1", "2"]);
        assert!(line.only(&["size"]).is_ok());
        let error = line.only(&["level"]).expect_err("unknown");
        assert_eq!(error.to_string(), "unknown key `size`; known: level");
        assert_eq!(line.need("level"), Err(ProtocolError::Missing { key: "level" }));
    }

    #[test]
    fn lists_and_numbers_say_what_is_allowed() {
        let line: Line = "ok samples=1,2,x size=-1 none=".parse().expect("a line");
        let error = line.list::<u64>("samples", "whole numbers").expect_err("x");
        assert_eq!(error.to_string(), "`samples` is `x`; allowed: whole numbers");
        assert!(line.list::<u64>("none", "").expect("empty").is_empty());
        assert!(line.parse_or::<u64>("size", 0, "0 or more").is_err());
        assert_eq!(line.parse_or("absent", 7_u64, ""), Ok(7));
    }
}
