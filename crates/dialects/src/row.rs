//! A row as its file says it. Fields and rules that a file has and this has not are errors, so a
//! word that is misspelt is not passed over.

use serde::Deserialize;

use crate::coding::Coding;
use crate::form::Form;
use crate::hash::Hash;
use crate::layout::{Layout, Part};
use crate::padding::Padding;

/// Where a rule was read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The document.
    pub at: String,
    /// What it says.
    pub read: String,
}

/// Whether somebody else has printed a value of the dialect that comes out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Yes.
    Published,
    /// No: all values of the tests are computed from the rule.
    Computed,
}

impl Status {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Computed => "computed",
        }
    }
}

/// One dialect.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Product and function.
    pub(crate) engine: String,
    pub(crate) status: Status,
    pub(crate) status_note: Option<String>,
    /// The character set of plaintexts.
    pub(crate) text: String,
    /// Whether a plaintext may hold zero bytes.
    #[serde(default = "yes")]
    pub(crate) zero_bytes: bool,
    pub(crate) null: Null,
    pub(crate) empty: Empty,
    #[serde(default)]
    pub(crate) unknown_mode: Unknown,
    /// The codings that values are met in; the first is the engine's.
    pub(crate) coding: Vec<Coding>,
    /// Whether hexadecimal digits may have `\x` before them, as PostgreSQL writes bytes.
    #[serde(default)]
    pub(crate) hex_prefix: bool,
    pub(crate) padding: Padding,
    pub(crate) layout: Layout,
    #[serde(default)]
    pub(crate) flaws: Vec<String>,
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    pub(crate) key: Key,
    pub(crate) iv: Iv,
    pub(crate) mac: Option<Mac>,
    pub(crate) modes: Vec<ModeRow>,
    pub(crate) sources: Vec<Source>,
}

/// What NULL in any argument gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Null {
    Null,
    Unknown,
}

/// What the empty plaintext gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Empty {
    Value,
    Null,
}

/// What the name of no mode gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Unknown {
    #[default]
    Error,
    Null,
}

/// From the key that a user gives to the cipher's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Key {
    pub(crate) rule: KeyRule,
    #[serde(default = "text")]
    pub(crate) forms: Vec<Form>,
    /// The bytes of the user's key, where the rule leaves that open.
    #[serde(default)]
    pub(crate) min: usize,
    pub(crate) max: Option<usize>,
    /// The digests of rule `digest`, the usual one first.
    #[serde(default)]
    pub(crate) hashes: Vec<Hash>,
    /// Those of rule `pbkdf2`.
    pub(crate) hash: Option<Hash>,
    #[serde(default)]
    pub(crate) iterations: u32,
    pub(crate) words: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum KeyRule {
    /// As it is; of several ciphers the one with such keys.
    Exact,
    /// XORed into zeros, round and round.
    Fold,
    /// Zeros behind it; of several ciphers the first that it fits in.
    ZeroFill,
    /// The beginning of its digest.
    Digest,
    /// Derived with a salt that stands in the value.
    Pbkdf2,
}

/// Where the IV comes from, with the words on it.
#[derive(Debug, Deserialize)]
pub(crate) struct Iv {
    #[serde(flatten)]
    pub(crate) rule: IvRule,
    pub(crate) words: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub(crate) enum IvRule {
    /// There is none.
    None { given: Given },
    /// The beginning of the argument.
    Argument {
        min: usize,
        max: Option<usize>,
        #[serde(default = "text")]
        forms: Vec<Form>,
        /// Whether it is set once for all values.
        #[serde(default)]
        configured: bool,
    },
    /// A constant, filled with zeros, of which the argument replaces the first bytes.
    Overlay {
        constant: String,
        /// Whether there must be an argument.
        #[serde(default)]
        required: bool,
    },
    /// The beginning of the argument's digest; without an argument a constant.
    Digest { hash: Hash, otherwise: String },
    /// The key.
    Key,
    /// Random, in the value.
    Drawn { given: Given },
}

/// What becomes of an argument that isn't needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Given {
    Ignored,
    Refused,
    Taken,
}

/// A MAC of the value's pieces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Mac {
    pub(crate) hash: Hash,
    pub(crate) over: Vec<Part>,
    pub(crate) key: MacKey,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum MacKey {
    CipherKey,
}

/// A mode, or several that differ in a number alone: `*` in `name` and `ciphers` is each of `each`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ModeRow {
    pub(crate) name: String,
    /// Other names that the engine has for it.
    #[serde(default)]
    pub(crate) names: Vec<String>,
    #[serde(default)]
    pub(crate) each: Vec<String>,
    /// Names of the registry; of several the key's length chooses.
    pub(crate) ciphers: Vec<String>,
    /// The registry's name of the mode.
    pub(crate) operation: String,
    pub(crate) padding: Option<Padding>,
    pub(crate) iv: Option<IvRule>,
    pub(crate) layout: Option<Layout>,
    /// Whether it takes associated data.
    #[serde(default)]
    pub(crate) aad: bool,
}

const fn yes() -> bool {
    true
}

fn text() -> Vec<Form> {
    vec![Form::Text]
}
