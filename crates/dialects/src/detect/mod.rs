//! Which dialect made a column: keys and a sample of values are tried under every row, mode and coding,
//! and what comes out is weighed against chance.
//!
//! A reading is *authenticated* where a tag or MAC is right, *sure* where paddings speak for it with 20
//! bits or more above what the best of all wrong readings has by chance, and *plausible* where a text
//! alone does. The bound on errors of the last two is [`Reading::error`]: a wrong key has so much
//! evidence at most so often. Where two readings open the same values and neither has 20 bits more,
//! or where the first block of all values hangs on an IV that nothing proves, nothing is sure: that is
//! *open*. Readings that are the same bytes for every value are one reading with several names.
//!
//! ```
//! use dialects::detect::{Clue, Clues, Verdict, detect};
//!
//! let keys = [Clue::text(b"Asdf1234")];
//! let value = b"kbJdlK5LSlAzqNjVvuHUPCphlkuSeD5n2Hel0HiGaSbDQdCmsz1Ky5ZneOurUr56/jtE/U+BmCw9BgTR2wjQD9440m8=";
//! let report = detect(&Clues { keys: &keys, ..Clues::default() }, &[value]);
//! assert_eq!(report.verdict, Verdict::Authenticated);
//! assert_eq!(report.readings[0].variants[0].dialect, "opengauss-aes128");
//! ```

mod candidates;
mod evidence;
mod text;

use core::fmt;

use self::candidates::Candidate;
use self::evidence::Evidence;
use crate::coding::Coding;
use crate::form::Form;
use crate::hash::Hash;

/// Evidence above chance from which on a reading is sure, in bits; and so much more than another one of
/// the same values it must have.
pub const SURE: f64 = 20.0;
/// Evidence from which on a reading is shown at all, in bits.
pub const SHOWN: f64 = 7.0;
/// A key or an IV argument that may have been given to the engine.
#[derive(Clone, Copy)]
pub struct Clue<'a> {
    /// The bytes as they are at hand.
    pub bytes: &'a [u8],
    /// How they are given; else every form that a dialect takes is tried.
    pub form: Option<Form>,
}

impl<'a> Clue<'a> {
    /// A text, in whatever form a dialect takes it.
    #[must_use]
    pub const fn text(bytes: &'a [u8]) -> Self {
        Self { bytes, form: None }
    }

    /// The bytes themselves.
    #[must_use]
    pub const fn bytes(bytes: &'a [u8]) -> Self {
        Self { bytes, form: Some(Form::Bytes) }
    }
}

impl fmt::Debug for Clue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clue").field("form", &self.form).finish_non_exhaustive()
    }
}

/// What is known of how values were made.
#[derive(Clone, Copy, Debug, Default)]
pub struct Clues<'a> {
    /// Keys that may be theirs.
    pub keys: &'a [Clue<'a>],
    /// IV arguments that may have been given; what a dialect does without one is tried anyway.
    pub ivs: &'a [Clue<'a>],
    /// Associated data, of modes that have such.
    pub aad: &'a [u8],
}

/// One way in which values may have been made: what [`Settings`](crate::Settings) need to read them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The dialect.
    pub dialect: &'static str,
    /// Its mode.
    pub mode: &'static str,
    /// How values are coded.
    pub coding: Coding,
    /// Which of the keys.
    pub key: usize,
    /// The form in which it was read.
    pub key_form: Form,
    /// Which of the IVs, if one was taken.
    pub iv: Option<usize>,
    /// The digest that makes the key, where there is a choice.
    pub hash: Option<Hash>,
}

/// How sure a reading is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A tag or MAC is right.
    Authenticated,
    /// Paddings speak for it.
    Sure,
    /// A text came out; there is no padding, or not enough of it.
    Plausible,
    /// Another reading of the same values is about as good.
    Rivalled,
    /// Key, cipher and mode are right, but nothing proves the first block of each value: it hangs on an
    /// IV which is not in the value, and no text there tells; or it is taken for the IV of CBC, which
    /// a block of a value with an IV elsewhere would look like.
    FirstBlock,
    /// There is too little evidence.
    Weak,
}

/// One reading of a sample.
#[derive(Clone, Debug)]
pub struct Reading {
    /// Its names: they read the same bytes of every value.
    pub variants: Vec<Variant>,
    /// How sure it is.
    pub class: Class,
    /// Values that opened: with a right tag, MAC or padding; where there is none of them, as UTF-8.
    pub opened: usize,
    /// Values with a right padding that no other value had in the same bytes.
    pub paddings: usize,
    /// Values that are UTF-8.
    pub texts: usize,
    /// Evidence above that which the best of all readings has by chance, in bits.
    pub bits: f64,
    /// Whether every other reading that is about as good reads the same of this sample: longer values
    /// would tell them apart.
    pub alike: bool,
    /// Which of the values opened, to tell readings of the same values from parts of a mixed column.
    which: Vec<bool>,
    /// What came out, in short.
    digest: u64,
}

impl Reading {
    /// How often a wrong key has as much evidence, at most.
    #[must_use]
    pub fn error(&self) -> f64 {
        (-self.bits).exp2().min(1.0)
    }

    /// Whether another one opens the same values, not others of a mixed column.
    fn shares(&self, other: &Self) -> bool {
        let both = self.which.iter().zip(&other.which).filter(|(a, b)| **a && **b).count();
        both > (self.opened.min(other.opened) / 5)
            .max(usize::from(self.opened.min(other.opened) > 1))
    }
}

/// What can be said of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A reading is authenticated.
    Authenticated,
    /// A reading is sure, by paddings.
    Sure,
    /// A reading is plausible, by its text alone.
    Plausible,
    /// Something opens, but nothing of that is sure.
    CannotTell,
    /// Nothing opens.
    Nothing,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Different values that are not empty.
    pub cells: usize,
    /// Different readings that were tried.
    pub tried: usize,
    /// The verdict on the best of them.
    pub verdict: Verdict,
    /// Those that speak for themselves, the best first.
    pub readings: Vec<Reading>,
}

/// Tries keys and IVs on a sample of values under every dialect, mode and coding. A hundred values
/// are plenty; of each a reading takes microseconds, where the key is derived anew milliseconds.
#[must_use]
pub fn detect(clues: &Clues<'_>, cells: &[&[u8]]) -> Report {
    let mut cells: Vec<&[u8]> = cells.iter().copied().filter(|cell| !cell.is_empty()).collect();
    // The longest first: where all values hang on one IV, only what is longer tells something new.
    cells.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
    cells.dedup();
    let candidates = candidates::of(clues);
    let tried = candidates.len();
    let trials = (tried.max(1) as f64).log2();
    let mut readings: Vec<Reading> =
        candidates.into_iter().filter_map(|it| reading(it, &cells, trials)).collect();
    readings.sort_by(|a, b| b.bits.total_cmp(&a.bits));
    settle(&mut readings);
    let has = |class: Class| readings.iter().any(|it| it.class == class);
    let verdict = match () {
        () if has(Class::Authenticated) => Verdict::Authenticated,
        () if has(Class::Sure) => Verdict::Sure,
        () if has(Class::Plausible) => Verdict::Plausible,
        () if !readings.is_empty() => Verdict::CannotTell,
        () => Verdict::Nothing,
    };
    Report { cells: cells.len(), tried, verdict, readings }
}

/// The reading of a sample by a candidate, if there is anything in it.
fn reading(candidate: Candidate, cells: &[&[u8]], trials: f64) -> Option<Reading> {
    let Candidate { codec, variants, .. } = candidate;
    let evidence: Evidence = evidence::of(&codec, cells);
    let opened = evidence.opened.iter().filter(|it| **it).count();
    let (class, bits) = if codec.authenticates() {
        // A tag of 16 bytes or more is right by chance once in 2¹²⁸.
        (Class::Authenticated, if opened > 0 { 128.0 * opened as f64 - trials } else { 0.0 })
    } else {
        let bits = evidence.bits - trials;
        let class = match codec.mode().operation() {
            _ if bits < SURE => Class::Weak,
            "ecb" if evidence.behind - trials < SURE && evidence.first_block < SURE => {
                Class::FirstBlock
            }
            // What is taken for the IV may be a block of a value whose IV was not given.
            "cbc" if codec.iv_is_told() => Class::FirstBlock,
            "cbc" | "cfb" | "cfb8" | "cfb1"
                if !codec.iv_is_told() && evidence.first_block < SURE =>
            {
                Class::FirstBlock
            }
            _ if evidence.by_padding - trials >= SURE => Class::Sure,
            _ => Class::Plausible,
        };
        (class, bits)
    };
    (bits >= SHOWN).then_some(Reading {
        variants,
        class,
        opened,
        paddings: evidence.paddings,
        texts: evidence.texts,
        bits,
        alike: false,
        which: evidence.opened,
        digest: evidence.digest,
    })
}

/// Holds readings of the same values against each other, the best first: one that has much less
/// evidence is gone, and of two that are about as good neither is sure.
fn settle(readings: &mut Vec<Reading>) {
    let mut kept: Vec<Reading> = Vec::new();
    for mut reading in readings.drain(..) {
        let mut gone = false;
        for better in &mut kept {
            if !better.shares(&reading) {
                continue;
            }
            let far = better.bits - reading.bits >= SURE;
            let proven = better.class == Class::Authenticated;
            gone |= proven && reading.class != Class::Authenticated || far;
            if !far && !proven {
                let alike = better.digest == reading.digest;
                for one in [&mut *better, &mut reading] {
                    one.alike = alike && (one.alike || one.class != Class::Rivalled);
                }
                better.class = better.class.rivalled();
                reading.class = reading.class.rivalled();
            }
        }
        if !gone {
            kept.push(reading);
        }
    }
    *readings = kept;
}

impl Class {
    /// What is left of it beside another one as good.
    const fn rivalled(self) -> Self {
        match self {
            Self::Authenticated => Self::Authenticated,
            Self::Sure | Self::Plausible | Self::Rivalled => Self::Rivalled,
            Self::FirstBlock => Self::FirstBlock,
            Self::Weak => Self::Weak,
        }
    }

    /// Its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authenticated => "authenticated",
            Self::Sure => "sure",
            Self::Plausible => "plausible",
            Self::Rivalled => "rivalled",
            Self::FirstBlock => "first-block",
            Self::Weak => "weak",
        }
    }
}

impl Verdict {
    /// Its name for programs.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Authenticated => "authenticated",
            Self::Sure => "sure",
            Self::Plausible => "plausible",
            Self::CannotTell => "cannot-tell",
            Self::Nothing => "nothing",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Authenticated => "sure: a tag or MAC is right",
            Self::Sure => "sure: the paddings are right",
            Self::Plausible => "plausible: a text comes out, and nothing else proves it",
            Self::CannotTell => "can't tell: what opens is not proven, or several are as good",
            Self::Nothing => "nothing opens",
        })
    }
}
