//! A dialect: a row with its modes over what the registry has.

use core::fmt;

use cipherlane::registry::{self, Algorithm, Kind, Operation};

use crate::coding::Coding;
use crate::error::Error;
use crate::form::Form;
use crate::hash::Hash;
use crate::layout::{Layout, Part};
use crate::padding::Padding;
use crate::row::{IvRule, KeyRule, ModeRow, Null, Row, Source, Status, Unknown};
use crate::settings::Outcome;

/// How one engine stores encrypted values.
pub struct Dialect {
    pub(crate) row: Row,
    modes: Vec<Mode>,
}

/// A mode of a dialect.
#[derive(Debug)]
pub struct Mode {
    pub(crate) name: String,
    names: Vec<String>,
    pub(crate) ciphers: Vec<&'static Algorithm>,
    pub(crate) operation: String,
    pub(crate) padding: Padding,
    pub(crate) iv: IvRule,
    pub(crate) iv_len: usize,
    pub(crate) layout: Layout,
    pub(crate) aad: bool,
}

impl Mode {
    /// Its modes, one for each of `each`.
    fn of(row: &Row, mode: &ModeRow) -> Result<Vec<Self>, String> {
        let each: Vec<&str> = mode.each.iter().map(String::as_str).collect();
        let each = if each.is_empty() { vec!["*"] } else { each };
        each.into_iter().map(|one| Self::one(row, mode, one)).collect()
    }

    fn one(row: &Row, mode: &ModeRow, one: &str) -> Result<Self, String> {
        let cipher = |name: &String| {
            let name = name.replace('*', one);
            registry::algorithm(&name).ok_or(format!("{}: no cipher `{name}`", row.name))
        };
        let ciphers = mode.ciphers.iter().map(cipher).collect::<Result<Vec<_>, _>>()?;
        let layout = mode.layout.as_ref().unwrap_or(&row.layout).clone();
        let mode = Self {
            name: mode.name.replace('*', one),
            names: mode.names.clone(),
            ciphers,
            operation: mode.operation.clone(),
            padding: mode.padding.unwrap_or(row.padding),
            iv: mode.iv.as_ref().unwrap_or(&row.iv.rule).clone(),
            iv_len: layout.len(Part::Iv).unwrap_or(16),
            layout,
            aad: mode.aad,
        };
        let has = |it: &&'static Algorithm| {
            operation(it, &mode.operation).is_some_and(|it| it.kind == Kind::Cipher)
                != mode.layout.len(Part::Tag).is_some()
        };
        let known = !mode.ciphers.is_empty() && mode.ciphers.iter().all(has);
        let what = || format!("{}: `{}` of `{}`", row.name, mode.operation, mode.name);
        if known { Ok(mode) } else { Err(what()) }
    }

    /// The engine's name of it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The registry's names of its ciphers; of several the key's length chooses.
    pub fn ciphers(&self) -> impl Iterator<Item = &'static str> {
        self.ciphers.iter().map(|it| it.name)
    }

    /// The registry's name of the mode of operation, e.g. `"cbc"`.
    #[must_use]
    pub fn operation(&self) -> &str {
        &self.operation
    }

    /// How the last block is filled up, in words.
    #[must_use]
    pub const fn padding(&self) -> &'static str {
        self.padding.name()
    }

    /// The pieces of a stored value, in words.
    #[must_use]
    pub fn layout(&self) -> String {
        self.layout.to_string()
    }

    /// Whether each value's IV is drawn when it is written.
    #[must_use]
    pub const fn draws(&self) -> bool {
        matches!(self.iv, IvRule::Drawn { .. })
    }

    /// Whether nothing is given out unless a tag is right.
    pub(crate) fn has_tag(&self) -> bool {
        self.layout.len(Part::Tag).is_some()
    }
}

/// The operation that encrypts or seals in a mode of that name.
pub(crate) fn operation(algorithm: &'static Algorithm, mode: &str) -> Option<Operation> {
    let names = [format!("{mode}-encrypt"), format!("{mode}-seal"), mode.to_owned()];
    names.iter().find_map(|name| registry::operation(algorithm, name))
}

impl Dialect {
    /// A row that was read.
    ///
    /// # Errors
    /// What in it does not fit together.
    pub(crate) fn of(row: Row) -> Result<Self, String> {
        let modes = row.modes.iter().map(|mode| Mode::of(&row, mode));
        let modes: Vec<Mode> =
            modes.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect();
        let derives = row.key.rule == KeyRule::Pbkdf2;
        let salted = |mode: &Mode| mode.layout.len(Part::Salt).is_some() == derives;
        let sealed = |mode: &Mode| mode.layout.len(Part::Mac).is_some() == row.mac.is_some();
        let fits = !modes.is_empty()
            && modes.iter().all(|mode| salted(mode) && sealed(mode))
            && !row.coding.is_empty()
            && !row.key.forms.is_empty()
            && derives == (row.key.hash.is_some() && row.key.iterations > 0)
            && (row.key.rule == KeyRule::Digest) != row.key.hashes.is_empty();
        if fits { Ok(Self { row, modes }) } else { Err(format!("{}: rules", row.name)) }
    }

    /// Its name here.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.row.name
    }

    /// Product and function.
    #[must_use]
    pub fn engine(&self) -> &str {
        &self.row.engine
    }

    /// Its modes, the engine's own choice first.
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// The mode of that name, whatever its case; without a name the engine's own choice.
    ///
    /// # Errors
    /// [`Error::Mode`] names those there are.
    pub fn mode(&'static self, name: Option<&str>) -> Result<&'static Mode, Error> {
        let Some(name) = name else { return Ok(&self.modes[0]) };
        let named = |mode: &&Mode| {
            mode.name.eq_ignore_ascii_case(name)
                || mode.names.iter().any(|it| it.eq_ignore_ascii_case(name))
        };
        self.modes.iter().find(named).ok_or_else(|| Error::Mode {
            dialect: self.name(),
            name: name.to_owned(),
            allowed: self.modes.iter().map(Mode::name).collect::<Vec<_>>().join(", "),
            gives_null: self.row.unknown_mode == Unknown::Null,
        })
    }

    /// The ciphers of its modes by the registry's names, each once.
    #[must_use]
    pub fn ciphers(&self) -> Vec<&'static str> {
        let mut names: Vec<&str> = Vec::new();
        for name in self.modes.iter().flat_map(Mode::ciphers) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// How the user's key becomes the cipher's.
    #[must_use]
    pub fn key_words(&self) -> &str {
        &self.row.key.words
    }

    /// The forms that a key is given in.
    #[must_use]
    pub fn key_forms(&self) -> &[Form] {
        &self.row.key.forms
    }

    /// The digests to choose from, where one makes the key; the usual one first.
    #[must_use]
    pub fn hashes(&self) -> &[Hash] {
        &self.row.key.hashes
    }

    /// Where the IV comes from.
    #[must_use]
    pub fn iv_words(&self) -> &str {
        &self.row.iv.words
    }

    /// The MAC in words, if there is one.
    #[must_use]
    pub fn mac_words(&self) -> Option<String> {
        let mac = self.row.mac.as_ref()?;
        let over = mac.over.iter().map(|part| format!("{part:?}").to_lowercase());
        let over = over.map(|part| if part == "iv" { "IV".to_owned() } else { part });
        let over = over.collect::<Vec<_>>().join(" and ");
        Some(format!("HMAC-{} over {over}, under the cipher's key", mac.hash))
    }

    /// The codings that values are met in; the first is the engine's.
    #[must_use]
    pub fn codings(&self) -> &[Coding] {
        &self.row.coding
    }

    /// The character set of plaintexts.
    #[must_use]
    pub fn text_words(&self) -> &str {
        &self.row.text
    }

    /// What NULL and the empty text give, in words.
    #[must_use]
    pub fn null_words(&self) -> &'static str {
        use crate::row::Empty;
        match (self.row.null, self.row.empty) {
            (Null::Null, Empty::Null) => {
                "NULL in any argument gives NULL, and so does an empty text"
            }
            (Null::Null, Empty::Value) => "NULL in any argument gives NULL, an empty text a value",
            (Null::Unknown, _) => "what NULL gives is not known; an empty text gives a value",
        }
    }

    /// What NULL in any argument gives.
    ///
    /// # Errors
    /// [`Error::NullUnknown`] where nobody has looked.
    pub fn null(&'static self) -> Result<Outcome, Error> {
        match self.row.null {
            Null::Null => Ok(Outcome::Null),
            Null::Unknown => Err(Error::NullUnknown { dialect: self.name() }),
        }
    }

    /// Whether a published value comes out.
    #[must_use]
    pub const fn status(&self) -> Status {
        self.row.status
    }

    /// More on that.
    #[must_use]
    pub fn status_note(&self) -> Option<&str> {
        self.row.status_note.as_deref()
    }

    /// What else one must know.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.row.notes.iter().map(String::as_str)
    }

    /// Where its rules were read.
    #[must_use]
    pub fn sources(&self) -> &[Source] {
        &self.row.sources
    }
}

impl fmt::Debug for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dialect({})", self.row.name)
    }
}
