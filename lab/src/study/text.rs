//! Words in the languages of the reports.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A language of the reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    Zh,
}

impl Lang {
    /// Both.
    pub const ALL: [Self; 2] = [Self::En, Self::Zh];

    /// `"en"` or `"zh"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Zh => "zh",
        }
    }

    /// One of two texts.
    #[must_use]
    pub const fn pick<'t>(self, en: &'t str, zh: &'t str) -> &'t str {
        match self {
            Self::En => en,
            Self::Zh => zh,
        }
    }
}

/// Words in both languages; in a study file `{ en = "…", zh = "…" }`, or one string for what
/// is the same in both.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "Written")]
pub struct Text {
    en: String,
    zh: String,
}

/// As written.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected words, or { en = words, zh = words }")]
enum Written {
    One(String),
    Both(Both),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Both {
    en: String,
    zh: String,
}

impl From<Written> for Text {
    fn from(written: Written) -> Self {
        match written {
            Written::One(text) => text.as_str().into(),
            Written::Both(Both { en, zh }) => Self { en, zh },
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        Self { en: text.to_owned(), zh: text.to_owned() }
    }
}

impl Text {
    /// The words of each language.
    #[must_use]
    pub fn new(en: impl Into<String>, zh: impl Into<String>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// The words in one language.
    #[must_use]
    pub fn of(&self, lang: Lang) -> &str {
        lang.pick(&self.en, &self.zh)
    }
}

impl fmt::Display for Text {
    /// In English.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}
