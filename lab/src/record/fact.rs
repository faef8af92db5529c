//! What a results file holds besides timings.

use serde::{Deserialize, Serialize};

/// Something found out otherwise than by timing: a size, a check, a line of a profile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Its name, e.g. `code-bytes/zuc-128`.
    pub name: String,
    /// The figure, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// The words, where it is not a figure; with neither, `remark` is the reason.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What a reader must know, or why it could not be found out.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remark: String,
}

impl Fact {
    /// A figure.
    #[must_use]
    pub fn figure(name: impl Into<String>, value: f64) -> Self {
        let (text, remark) = (String::new(), String::new());
        Self { name: name.into(), value: Some(value), text, remark }
    }

    /// Words.
    #[must_use]
    pub fn words(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), value: None, text: text.into(), remark: String::new() }
    }

    /// Something that could not be found out, and why.
    #[must_use]
    pub fn unknown(name: impl Into<String>, why: impl Into<String>) -> Self {
        Self { name: name.into(), value: None, text: String::new(), remark: why.into() }
    }
}
