//! What a dialect lacks. It follows from the rules, so that a row can't keep it quiet; a row adds
//! what no rule shows.

use core::fmt;

use crate::dialect::{Dialect, Mode, operation};
use crate::row::{Given, IvRule, KeyRule, MacKey};

/// The fewest iterations of PBKDF2 that pass: OWASP asked for more in 2021 already.
const ITERATIONS: u32 = 100_000;

/// Something a dialect lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Flaw {
    /// Neither tag nor MAC.
    NoIntegrity,
    /// ECB.
    Ecb,
    /// The IV is the same for all values.
    ConstantIv {
        /// What two values with one IV give away.
        shows: Shows,
        /// Whether one can be given that is not.
        unless_given: bool,
    },
    /// The IV is given for all values of a key that is set, by a caller who must never give it twice.
    GivenIv(Shows),
    /// The IV is the key.
    KeyAsIv,
    /// The key is the text, folded or filled up.
    NoDerivation,
    /// The key is a digest of the text: one can be tried as fast as the digest.
    FastDerivation,
    /// PBKDF2 with that many iterations.
    FewIterations(u32),
    /// MAC and cipher have one key.
    MacKey,
    /// Zeros at the end of a value are lost.
    ZeroPadding,
    /// Something else, in the row's words.
    Told(&'static str),
}

/// What two values with one IV give away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shows {
    /// Whether they begin alike.
    Beginnings,
    /// That, and the sum of the first blocks that differ.
    FirstBlocks,
    /// The sum of both.
    Sums,
    /// That, and the key of the tags.
    SumsAndTags,
}

impl Shows {
    /// In a mode.
    fn of(mode: &Mode) -> Self {
        let whole = |it: &&'static cipherlane::registry::Algorithm| {
            operation(it, &mode.operation).is_some_and(|it| it.whole_blocks())
        };
        match () {
            () if mode.has_tag() => Self::SumsAndTags,
            () if mode.ciphers.iter().all(whole) => Self::Beginnings,
            () if mode.operation.starts_with("cfb") => Self::FirstBlocks,
            () => Self::Sums,
        }
    }
}

impl fmt::Display for Shows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Beginnings => "equal beginnings show",
            Self::FirstBlocks => "equal beginnings and the sum of the blocks behind them show",
            Self::Sums => "one keystream, so two values give both away",
            Self::SumsAndTags => {
                "one keystream, so two values give both away, and the authentication key"
            }
        })
    }
}

impl Flaw {
    /// Those of a mode of a dialect; `given` says whether an IV is given.
    pub(crate) fn of(dialect: &'static Dialect, mode: &'static Mode, given: bool) -> Vec<Self> {
        use crate::padding::Padding;
        let row = &dialect.row;
        let mut flaws = Vec::new();
        let mut add = |applies: bool, flaw: Self| {
            if applies {
                flaws.push(flaw);
            }
        };
        add(!mode.has_tag() && row.mac.is_none(), Self::NoIntegrity);
        add(mode.operation == "ecb", Self::Ecb);
        let shows = Shows::of(mode);
        let constant = |unless_given| Self::ConstantIv { shows, unless_given };
        match &mode.iv {
            IvRule::Overlay { required: false, .. } => {
                add(!given, constant(true));
                add(given && shows != Shows::Beginnings, Self::GivenIv(shows));
            }
            IvRule::Argument { configured: true, .. } | IvRule::Digest { .. } => {
                add(true, constant(false));
            }
            IvRule::Key => add(true, Self::KeyAsIv),
            IvRule::Argument { .. } | IvRule::Overlay { .. } => {
                add(shows != Shows::Beginnings, Self::GivenIv(shows));
            }
            IvRule::Drawn { given: Given::Taken } => {
                add(given && shows != Shows::Beginnings, Self::GivenIv(shows));
            }
            IvRule::None { .. } | IvRule::Drawn { .. } => {}
        }
        match row.key.rule {
            KeyRule::Fold | KeyRule::ZeroFill => add(true, Self::NoDerivation),
            KeyRule::Exact => {}
            KeyRule::Digest => add(true, Self::FastDerivation),
            KeyRule::Pbkdf2 => {
                let iterations = row.key.iterations;
                add(iterations < ITERATIONS, Self::FewIterations(iterations));
            }
        }
        let one_key = row.mac.as_ref().is_some_and(|mac| mac.key == MacKey::CipherKey);
        add(one_key, Self::MacKey);
        add(mode.padding == Padding::Zero, Self::ZeroPadding);
        flaws.extend(row.flaws.iter().map(|text| Self::Told(text)));
        flaws
    }

    /// A name for programs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoIntegrity => "no-integrity",
            Self::Ecb => "ecb",
            Self::ConstantIv { unless_given: true, .. } => "constant-iv-unless-given",
            Self::ConstantIv { .. } => "constant-iv",
            Self::GivenIv(_) => "given-iv",
            Self::KeyAsIv => "key-as-iv",
            Self::NoDerivation => "no-key-derivation",
            Self::FastDerivation => "fast-key-derivation",
            Self::FewIterations(_) => "few-iterations",
            Self::MacKey => "mac-key-is-cipher-key",
            Self::ZeroPadding => "zero-padding",
            Self::Told(_) => "other",
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoIntegrity => f.write_str("no integrity: changes go unnoticed"),
            Self::Ecb => f.write_str("ECB: equal blocks show"),
            Self::ConstantIv { shows, unless_given } => {
                f.write_str("one IV for all values")?;
                f.write_str(if *unless_given { " unless one is given" } else { "" })?;
                write!(f, ": {shows}")
            }
            Self::GivenIv(shows) => write!(f, "an IV that is given twice under one key: {shows}"),
            Self::KeyAsIv => f.write_str(
                "the IV is the key: one keystream for all values, and two of them give the \
                 authentication key away",
            ),
            Self::NoDerivation => f.write_str("no key derivation: a guessed text is a guessed key"),
            Self::FastDerivation => {
                f.write_str("fast key derivation: texts are guessed at the speed of a digest")
            }
            Self::FewIterations(n) => write!(f, "{n} iterations of PBKDF2 are few"),
            Self::MacKey => f.write_str("the MAC's key is the cipher's"),
            Self::ZeroPadding => f.write_str("zero padding: zeros at the end are lost"),
            Self::Told(text) => f.write_str(text),
        }
    }
}

impl Dialect {
    /// What a mode of it lacks, where an IV that can be given is not.
    #[must_use]
    pub fn flaws_of(&'static self, mode: &'static Mode) -> Vec<Flaw> {
        Flaw::of(self, mode, false)
    }

    /// What any of its modes lacks.
    #[must_use]
    pub fn flaws(&'static self) -> Vec<Flaw> {
        let mut flaws = Vec::new();
        for flaw in self.modes().iter().flat_map(|mode| self.flaws_of(mode)) {
            if !flaws.contains(&flaw) {
                flaws.push(flaw);
            }
        }
        flaws
    }
}
