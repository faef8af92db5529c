//! Reading and writing values under one key.

mod batch;
mod derived;
mod keyed;
mod print;
mod read;
mod write;

use core::fmt;
use std::sync::Arc;

use cipherlane::Level;
use cipherlane::registry::Algorithm;
use zeroize::Zeroizing;

pub use self::batch::{Batch, Each};
use self::derived::Derived;
use self::keyed::Keyed;
pub(crate) use self::print::Print;
pub(crate) use self::read::Trial;
use crate::coding::Coding;
use crate::dialect::{Dialect, Mode, operation};
use crate::error::Error;
use crate::flaw::Flaw;
use crate::iv::{self, Iv};
use crate::key;
use crate::layout::Part;
use crate::row::{KeyRule, MacKey};
use crate::settings::Settings;

/// A dialect under a key: reads and writes any number of values, from any number of threads.
pub struct Codec {
    dialect: &'static Dialect,
    mode: &'static Mode,
    algorithm: &'static Algorithm,
    level: Level,
    key: Key,
    /// The IV of all values, of no bytes where the mode has none; no IV where each value has
    /// its own.
    iv: Option<Iv>,
    aad: Vec<u8>,
    coding: Coding,
    /// Whether the mode takes whole blocks only.
    whole: bool,
    flaws: Vec<Flaw>,
}

impl Dialect {
    /// Makes what reads and writes values under a key.
    ///
    /// # Errors
    /// [`Error`] for a mode that is not there, a key or an IV of a wrong length or coding, and
    /// settings that the dialect has no place for.
    pub fn prepare(&'static self, settings: &Settings<'_>) -> Result<Codec, Error> {
        Codec::new(self, settings)
    }
}

/// What a new value draws at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The salt of a key derivation.
    Salt,
    /// The IV.
    Iv,
}

/// Where what is drawn comes from: it fills the bytes.
pub type Draw<'d> = dyn FnMut(Drawn, &mut [u8]) -> Result<(), Error> + 'd;

enum Key {
    /// One for all values, and the bytes of which a batch is made.
    Ready { keyed: Box<Keyed>, bytes: Zeroizing<Vec<u8>> },
    /// Each value's is derived with its salt.
    PerValue(Derived),
}

/// The keys for one value: the codec's or its own.
enum Lent<'c> {
    Shared(&'c Keyed),
    Kept(Arc<Keyed>),
    Own(Box<Keyed>),
}

impl core::ops::Deref for Lent<'_> {
    type Target = Keyed;

    fn deref(&self) -> &Keyed {
        match self {
            Self::Shared(keyed) => keyed,
            Self::Kept(keyed) => keyed,
            Self::Own(keyed) => keyed,
        }
    }
}

impl Codec {
    pub(crate) fn new(dialect: &'static Dialect, settings: &Settings<'_>) -> Result<Self, Error> {
        Self::with_print(dialect, settings).map(|(codec, _)| codec)
    }

    /// The codec, and what else is the same for all codecs that read the same bytes of the same values.
    pub(crate) fn with_print(
        dialect: &'static Dialect,
        settings: &Settings<'_>,
    ) -> Result<(Self, Print), Error> {
        let mode = dialect.mode(settings.mode)?;
        let setting = |field, got: &str, allowed: String| Error::Setting {
            dialect: dialect.name(),
            field,
            got: got.to_owned(),
            allowed,
        };
        if !settings.aad.is_empty() && !mode.aad {
            let allowed = format!("none in mode {}", mode.name);
            return Err(setting("associated data", "given", allowed));
        }
        let coding = settings.coding.unwrap_or(dialect.codings()[0]);
        if !dialect.codings().contains(&coding) {
            let names: Vec<&str> = dialect.codings().iter().map(|it| it.name()).collect();
            return Err(setting("coding", coding.name(), names.join(", ")));
        }
        let level = match settings.level {
            Some(level) => level,
            None => Level::detect()?,
        };
        let key::Made { algorithm, key, form } = key::make(dialect, mode, settings)?;
        let iv = iv::fixed(dialect, mode, settings, &key)?;
        let print = Print::of(dialect, mode, algorithm, &key, iv.as_ref(), settings.aad);
        let keyed = |key: &[u8]| Keyed::new(dialect, mode, algorithm, key, level);
        let row = &dialect.row.key;
        let key = match (row.rule, row.hash) {
            (KeyRule::Pbkdf2, Some(hash)) => Key::PerValue(Derived::new(key, hash, row.iterations)),
            _ => Key::Ready { keyed: Box::new(keyed(&key)?), bytes: key },
        };
        let codec = Self {
            dialect,
            mode,
            algorithm,
            level,
            key,
            iv,
            aad: settings.aad.to_vec(),
            coding: coding.under(form),
            whole: operation(algorithm, &mode.operation).is_some_and(|it| it.whole_blocks()),
            flaws: Flaw::of(dialect, mode, settings.iv.is_some_and(|iv| !iv.is_empty())),
        };
        Ok((codec, print))
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> &'static Dialect {
        self.dialect
    }

    /// The mode.
    #[must_use]
    pub const fn mode(&self) -> &'static Mode {
        self.mode
    }

    /// The cipher that the key has chosen, by the registry's name.
    #[must_use]
    pub const fn cipher(&self) -> &'static str {
        self.algorithm.name
    }

    /// How stored values are coded.
    #[must_use]
    pub const fn coding(&self) -> Coding {
        self.coding
    }

    /// Whether a value that was changed, or is of another key, is refused by its tag or MAC.
    #[must_use]
    pub fn authenticates(&self) -> bool {
        self.mode.has_tag() || self.dialect.row.mac.is_some()
    }

    /// Whether each value has a key of its own, derived with a salt that stands in it. Writing a
    /// value then takes as long as a derivation; so does reading one, unless its salt is one of
    /// the latest 64 of this codec, whose keys are kept until it is dropped.
    #[must_use]
    pub const fn derives_each(&self) -> bool {
        matches!(self.key, Key::PerValue(_))
    }

    /// What these values lack.
    #[must_use]
    pub fn flaws(&self) -> &[Flaw] {
        &self.flaws
    }

    /// Whether the mode takes whole blocks only.
    pub(crate) const fn whole(&self) -> bool {
        self.whole
    }

    /// Whether each value's key is derived anew.
    pub(crate) const fn derives(&self) -> bool {
        matches!(self.key, Key::PerValue(_))
    }

    /// Whether the IV stands in the value, or there is none.
    pub(crate) fn iv_is_told(&self) -> bool {
        self.mode.layout.len(Part::Iv).is_some()
    }

    /// The length of a block, of modes that take whole ones.
    fn block(&self) -> usize {
        self.algorithm.block().unwrap_or(1)
    }

    /// The keys for a value with that salt; `again` says whether others may have the same, so
    /// that theirs are kept.
    fn keyed(&self, salt: &[u8], again: bool) -> Result<Lent<'_>, Error> {
        let derived = match &self.key {
            Key::Ready { keyed, .. } => return Ok(Lent::Shared(keyed)),
            Key::PerValue(derived) => derived,
        };
        let make = || {
            let key = derived.derive(salt, self.algorithm.key.max);
            Keyed::new(self.dialect, self.mode, self.algorithm, &key, self.level)
        };
        Ok(if again { Lent::Kept(derived.of(salt, make)?) } else { Lent::Own(Box::new(make()?)) })
    }
}

impl fmt::Debug for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (dialect, mode) = (self.dialect.name(), &self.mode.name);
        f.debug_struct("Codec")
            .field("dialect", &dialect)
            .field("mode", mode)
            .field("coding", &self.coding)
            .finish_non_exhaustive()
    }
}

/// The key of the MAC, where there is one.
fn mac_key(dialect: &Dialect, key: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let mac = dialect.row.mac.as_ref()?;
    Some(match mac.key {
        MacKey::CipherKey => Zeroizing::new(key.to_vec()),
    })
}
