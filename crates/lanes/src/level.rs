//! Levels: clusters of CPU features, and the only place that matches on them.

use core::fmt;

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::x86::{Aesni, Avx2, Avx2Gfni, Avx512};
use crate::{Isa, Portable};

/// An instruction-set level that this CPU has; its content is the proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// No CPU feature at all.
    Portable(Portable),
    /// SSE4.1, SSSE3, AES, PCLMULQDQ: 128-bit registers.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Aesni(Aesni),
    /// AVX2, AES, PCLMULQDQ, BMI2: 256-bit registers.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(Avx2),
    /// The same with GFNI, VAES, VPCLMULQDQ.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2Gfni(Avx2Gfni),
    /// AVX-512 F, BW, VL, DQ, VBMI, VBMI2, IFMA with all of the above: 512-bit registers.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx512(Avx512),
}

/// The levels, lowest first: name and detection. On another architecture the
/// names stay known, so that an error can tell "unknown" from "not here".
type Entry = (&'static str, fn() -> Option<Level>);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
static LEVELS: &[Entry] = &[
    ("portable", || Some(Level::Portable(Portable))),
    ("aesni", || Aesni::detect().map(Level::Aesni)),
    ("avx2", || Avx2::detect().map(Level::Avx2)),
    ("avx2-gfni", || Avx2Gfni::detect().map(Level::Avx2Gfni)),
    ("avx512", || Avx512::detect().map(Level::Avx512)),
];
#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
static LEVELS: &[Entry] = &[
    ("portable", || Some(Level::Portable(Portable))),
    ("aesni", || None),
    ("avx2", || None),
    ("avx2-gfni", || None),
    ("avx512", || None),
];

/// Runs one expression under the instruction set a [`Level`] names.
///
/// The only `match` on levels. It stands in non-generic functions of a cipher's
/// folder, so that machine code is made there and nowhere else.
#[macro_export]
macro_rules! dispatch {
    ($level:expr, $isa:ident => $body:expr) => {
        match $level {
            $crate::Level::Portable($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::Level::Aesni($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::Level::Avx2($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::Level::Avx2Gfni($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::Level::Avx512($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
        }
    };
}

impl Level {
    /// Its name, e.g. `"avx2-gfni"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        LEVELS[self.rank()].0
    }

    /// Its place among [`names`](Self::names), lowest first.
    fn rank(self) -> usize {
        match self {
            Self::Portable(_) => 0,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Aesni(_) => 1,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(_) => 2,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2Gfni(_) => 3,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx512(_) => 4,
        }
    }

    /// The names of all levels the library knows, on whatever CPU, lowest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LEVELS.iter().map(|(name, _)| *name)
    }

    /// The levels this CPU has, lowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        LEVELS.iter().filter_map(|(_, detect)| detect())
    }

    /// The portable level, which every CPU has.
    #[must_use]
    pub const fn portable() -> Self {
        Self::Portable(Portable)
    }

    /// The highest level this CPU has, whatever the environment says.
    #[must_use]
    pub fn best() -> Self {
        Self::available().next_back().unwrap_or(Self::portable())
    }

    /// The highest level this CPU has, capped by the environment variable
    /// `CIPHERLANE_LEVEL` where the feature `std` is on. The variable is read once.
    ///
    /// # Errors
    /// [`LevelError::Unknown`] if the variable names no level.
    pub fn detect() -> Result<Self, LevelError> {
        match cap()? {
            Some(cap) => {
                let below = LEVELS[..=cap].iter().rev();
                Ok(below.filter_map(|(_, detect)| detect()).next().unwrap_or(Self::portable()))
            }
            None => Ok(Self::best()),
        }
    }

    /// The level of that name.
    ///
    /// # Errors
    /// [`LevelError::Unknown`] if there is none, [`LevelError::Absent`] if this CPU lacks it.
    pub fn by_name(name: &str) -> Result<Self, LevelError> {
        let (name, detect) = LEVELS
            .iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| LevelError::Unknown(LevelName::new(name)))?;
        detect().ok_or(LevelError::Absent(name))
    }

    /// The length of a register at this level, in bytes.
    #[must_use]
    pub fn register_bytes(self) -> usize {
        #[inline(always)]
        fn bytes<I: Isa>(_: I) -> usize {
            I::BYTES
        }
        dispatch!(self, isa => bytes(isa))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rank of the level that the environment caps at.
#[cfg(feature = "std")]
fn cap() -> Result<Option<usize>, LevelError> {
    static CAP: std::sync::OnceLock<Result<Option<usize>, LevelError>> = std::sync::OnceLock::new();
    *CAP.get_or_init(|| {
        let Some(value) = std::env::var_os("CIPHERLANE_LEVEL") else { return Ok(None) };
        let value = value.to_string_lossy();
        let rank = Level::names().position(|name| name == value);
        rank.map(Some).ok_or_else(|| LevelError::Unknown(LevelName::new(&value)))
    })
}

#[cfg(not(feature = "std"))]
#[expect(clippy::unnecessary_wraps, reason = "the signature of the variant that can fail")]
fn cap() -> Result<Option<usize>, LevelError> {
    Ok(None)
}

/// A level can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelError {
    /// No level has this name.
    Unknown(LevelName),
    /// The level exists, but not on this CPU.
    Absent(&'static str),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, names: &mut dyn Iterator<Item = &'static str>| {
            for (i, name) in names.enumerate() {
                write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Self::Unknown(name) => {
                write!(f, "unknown level `{name}`; known: ")?;
                list(f, &mut Level::names())
            }
            Self::Absent(name) => {
                write!(f, "this CPU lacks level `{name}`; it has: ")?;
                list(f, &mut Level::available().map(Level::name))
            }
        }
    }
}

impl core::error::Error for LevelError {}

/// The text somebody gave for a level, cut to 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LevelName {
    bytes: [u8; 32],
    len: usize,
}

impl LevelName {
    fn new(name: &str) -> Self {
        let mut len = name.len().min(32);
        while !name.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; 32];
        bytes[..len].copy_from_slice(&name.as_bytes()[..len]);
        Self { bytes, len }
    }
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("?"))
    }
}

impl fmt::Debug for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn names_lead_back_to_their_levels() {
        for level in Level::available() {
            assert_eq!(Level::by_name(level.name()), Ok(level));
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = Level::by_name("avx9000").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown level `avx9000`; known: portable, aesni, avx2, avx2-gfni, avx512"
        );
    }

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        let name = "ä".repeat(40);
        assert_eq!(LevelName::new(&name).to_string(), "ä".repeat(16));
    }
}
