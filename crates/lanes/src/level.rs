//! Levels: clusters of CPU features, and the only place that matches on them.

use core::fmt;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use crate::aarch64::{Neon, NeonSm4};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::wasm32::Simd128;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::x86::Avx2;
#[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)))]
use crate::x86::{Aesni, Avx2Gfni, Avx2Sm4, Avx512};
use crate::{Isa, Portable};

/// What a level holds of a token: the token, or with the feature `counting` one that counts.
#[cfg(not(feature = "counting"))]
type Of<I> = I;
#[cfg(feature = "counting")]
type Of<I> = crate::counting::Counting<I>;

/// See [`Of`].
#[cfg(not(feature = "counting"))]
const fn of<I>(token: I) -> Of<I> {
    token
}
#[cfg(feature = "counting")]
const fn of<I>(token: I) -> Of<I> {
    crate::counting::Counting::of(token)
}

/// An instruction-set level that this CPU has; its content is the proof.
///
/// Built with `--cfg cipherlane_few_levels` there are two of x86, `portable` and `avx2`: for chores
/// that build kernels hundreds of times.
// As wide as its neighbours in objects: a gap beside it would be copied with whatever the stack
// held there, and nobody wipes gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
pub enum Level {
    /// No CPU feature at all.
    Portable(Of<Portable>),
    /// SSE4.1, SSSE3, AES, PCLMULQDQ: 128-bit registers.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)))]
    Aesni(Of<Aesni>),
    /// AVX2, AES, PCLMULQDQ, BMI2: 256-bit registers.
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    Avx2(Of<Avx2>),
    /// The same with GFNI, VAES, VPCLMULQDQ.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)))]
    Avx2Gfni(Of<Avx2Gfni>),
    /// The same with the SM4 instructions, which SM4 alone has kernels for: what all others
    /// run, and what SM4 does.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)))]
    Avx2Sm4(Of<Avx2Gfni>, Of<Avx2Sm4>),
    /// AVX-512 F, BW, VL, DQ, VBMI, VBMI2, IFMA with all of the above: 512-bit registers.
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)))]
    Avx512(Of<Avx512>),
    /// Advanced SIMD, AES, PMULL: 128-bit registers.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    Neon(Of<Neon>),
    /// The same with the SM4 instructions.
    #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
    NeonSm4(Of<NeonSm4>),
    /// The 128-bit registers of WebAssembly.
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128(Of<Simd128>),
}

/// An architecture, as far as levels are concerned.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Architecture {
    Any,
    X86,
    Aarch64,
    Wasm32,
}

/// A level's name, where it belongs, its registers' length and its detection.
struct Entry {
    name: &'static str,
    /// 0 where the program is not built for it.
    bytes: usize,
    architecture: Architecture,
    detect: fn() -> Option<Level>,
}

/// An entry whose level exists only where the program is built so.
macro_rules! entry {
    ($name:literal, $architecture:ident, $built:meta, $Token:ident) => {
        entry!($name, $architecture, $built, $Token, |token| Level::$Token(of(token)))
    };
    ($name:literal, $architecture:ident, $built:meta, $Token:ident, $level:expr) => {
        Entry {
            name: $name,
            architecture: Architecture::$architecture,
            #[cfg($built)]
            bytes: <$Token as Isa>::BYTES,
            #[cfg(not($built))]
            bytes: 0,
            #[cfg($built)]
            detect: || $Token::detect().map($level),
            #[cfg(not($built))]
            detect: || None,
        }
    };
}

/// The levels, lowest first within an architecture. On another one the names
/// stay known, so that an error can tell "unknown" from "not here".
static LEVELS: [Entry; Level::COUNT] = [
    Entry {
        name: "portable",
        architecture: Architecture::Any,
        bytes: <Portable as Isa>::BYTES,
        detect: || Some(Level::portable()),
    },
    entry!(
        "aesni",
        X86,
        all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)),
        Aesni
    ),
    entry!("avx2", X86, any(target_arch = "x86", target_arch = "x86_64"), Avx2),
    entry!(
        "avx2-gfni",
        X86,
        all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)),
        Avx2Gfni
    ),
    entry!(
        "avx2-sm4",
        X86,
        all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)),
        Avx2Sm4,
        |token| Level::Avx2Sm4(of(Avx2Gfni::implied_by(token)), of(token))
    ),
    entry!(
        "avx512",
        X86,
        all(any(target_arch = "x86", target_arch = "x86_64"), not(cipherlane_few_levels)),
        Avx512
    ),
    entry!(
        "neon",
        Aarch64,
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        Neon
    ),
    entry!(
        "neon-sm4",
        Aarch64,
        all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
        NeonSm4
    ),
    entry!("simd128", Wasm32, all(target_arch = "wasm32", target_feature = "simd128"), Simd128),
];

/// Runs one expression under the instruction set a [`Level`] names.
///
/// The only `match` on levels, but for [`dispatch_sm4!`](crate::dispatch_sm4). It stands in
/// non-generic functions of a cipher's folder, so that machine code is made there and nowhere
/// else. A level that differs by the SM4 instructions alone goes through the door of the level
/// below it.
#[macro_export]
macro_rules! dispatch {
    ($level:expr, $isa:ident => $body:expr) => {
        match $level {
            $crate::Level::Portable($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            $crate::Level::Aesni($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            $crate::Level::Avx2($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            $crate::Level::Avx2Gfni($isa) | $crate::Level::Avx2Sm4($isa, _) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            $crate::Level::Avx512($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            $crate::Level::Neon($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            $crate::Level::NeonSm4($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            $crate::Level::Simd128($isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
        }
    };
}

/// The same in the folder of SM4, with a door for every level that has its instructions.
#[macro_export]
macro_rules! dispatch_sm4 {
    ($level:expr, $isa:ident => $body:expr) => {
        match $level {
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            $crate::Level::Avx2Sm4(_, $isa) => $isa.enter(
                #[inline(always)]
                || $body,
            ),
            level => $crate::dispatch!(level, $isa => $body),
        }
    };
}

impl Level {
    /// Its name, e.g. `"avx2-gfni"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        LEVELS[self.rank()].name
    }

    /// How many levels the library knows, on whatever CPU.
    pub const COUNT: usize = 9;

    /// Its place among [`names`](Self::names), lowest first.
    #[must_use]
    pub fn rank(self) -> usize {
        match self {
            Self::Portable(_) => 0,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            Self::Aesni(_) => 1,
            #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
            Self::Avx2(_) => 2,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            Self::Avx2Gfni(_) => 3,
            // Below `avx512` until somebody has measured them on one CPU.
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            Self::Avx2Sm4(..) => 4,
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            Self::Avx512(_) => 5,
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Self::Neon(_) => 6,
            #[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
            Self::NeonSm4(_) => 7,
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Self::Simd128(_) => 8,
        }
    }

    /// The names of all levels the library knows, on whatever CPU, lowest first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LEVELS.iter().map(|entry| entry.name)
    }

    /// The levels this CPU has, lowest first.
    pub fn available() -> impl DoubleEndedIterator<Item = Self> {
        LEVELS.iter().filter_map(|entry| (entry.detect)())
    }

    /// The portable level, which every CPU has.
    #[must_use]
    pub const fn portable() -> Self {
        Self::Portable(of(Portable))
    }

    /// The highest level this CPU has, whatever the environment says.
    #[must_use]
    pub fn best() -> Self {
        Self::available().next_back().unwrap_or(Self::portable())
    }

    /// The highest level this CPU has, capped by the environment variable
    /// `CIPHERLANE_LEVEL` where the feature `std` is on. A level of another
    /// architecture caps at `portable`. The variable is read once.
    ///
    /// # Errors
    /// [`LevelError::Unknown`] if the variable names no level.
    pub fn detect() -> Result<Self, LevelError> {
        match cap()? {
            Some(cap) => Ok(Self::capped(cap)),
            None => Ok(Self::best()),
        }
    }

    /// The highest level this CPU has among those of the cap's architecture, up to it.
    fn capped(cap: usize) -> Self {
        let below = LEVELS[..=cap].iter().rev();
        below
            .filter(|entry| entry.architecture == LEVELS[cap].architecture)
            .find_map(|entry| (entry.detect)())
            .unwrap_or(Self::portable())
    }

    /// The level of that name.
    ///
    /// # Errors
    /// [`LevelError::Unknown`] if there is none, [`LevelError::Absent`] if this CPU lacks it.
    pub fn by_name(name: &str) -> Result<Self, LevelError> {
        let entry = LEVELS
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| LevelError::Unknown(LevelName::new(name)))?;
        (entry.detect)().ok_or(LevelError::Absent(entry.name))
    }

    /// The length of a register at this level, in bytes.
    #[must_use]
    pub fn register_bytes(self) -> usize {
        LEVELS[self.rank()].bytes
    }

    /// The level whose registers are half as long, if whatever CPU has this one has that, too.
    #[must_use]
    pub fn halved(self) -> Option<Self> {
        match self {
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            Self::Avx512(token) => Some(Self::Avx2Gfni(of(Avx2Gfni::implied_by(token)))),
            _ => None,
        }
    }

    /// The [halved](Self::halved) level if `count` lanes are enough of which it has `lanes`, else
    /// this one. Idle lanes take as long as others where a CPU works on long registers in halves,
    /// and where it doesn't, short ones are no slower.
    #[must_use]
    #[inline]
    pub fn fitting(self, count: usize, lanes: impl Fn(Self) -> usize) -> Self {
        match self.halved() {
            Some(half) if count <= lanes(half) => half,
            _ => self,
        }
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

    #[cfg(cipherlane_emulated_sm4)]
    #[test]
    fn the_level_with_emulated_instructions_is_there_where_the_one_below_is() {
        assert_eq!(Level::by_name("avx2-sm4").is_ok(), Level::by_name("avx2-gfni").is_ok());
    }

    #[test]
    fn an_unknown_name_is_answered_with_the_known_ones() {
        let error = Level::by_name("avx9000").unwrap_err().to_string();
        assert_eq!(
            error,
            "unknown level `avx9000`; known: portable, aesni, avx2, avx2-gfni, avx2-sm4, avx512, \
             neon, neon-sm4, simd128"
        );
    }

    #[test]
    fn a_level_that_this_cpu_lacks_is_refused_by_name() {
        // There always is one: no CPU has two architectures.
        let absent = LEVELS.iter().filter(|entry| (entry.detect)().is_none());
        let absent: std::vec::Vec<_> = absent.map(|entry| entry.name).collect();
        assert!(!absent.is_empty());
        for name in absent {
            let error = Level::by_name(name).unwrap_err();
            assert_eq!(error, LevelError::Absent(name));
            let begin = std::format!("this CPU lacks level `{name}`; it has: portable");
            assert!(error.to_string().starts_with(&begin), "{error}");
            assert!(Level::available().all(|level| level.name() != name));
        }
    }

    #[test]
    fn a_cap_is_the_highest_level_at_or_below_it_of_its_architecture() {
        for (cap, entry) in LEVELS.iter().enumerate() {
            let capped = Level::capped(cap);
            assert!(capped.rank() <= cap, "{}", entry.name);
            match (entry.detect)() {
                Some(level) => assert_eq!(capped, level),
                None => assert!(
                    [Architecture::Any, entry.architecture]
                        .contains(&LEVELS[capped.rank()].architecture),
                    "{} caps at {capped}",
                    entry.name
                ),
            }
        }
    }

    #[test]
    fn the_halved_level_has_half_the_bytes_and_is_lower() {
        for level in Level::available() {
            let Some(half) = level.halved() else { continue };
            assert_eq!(2 * half.register_bytes(), level.register_bytes());
            assert!(half.rank() < level.rank() && half.halved().is_none());
            assert_eq!(Level::by_name(half.name()), Ok(half));
        }
    }

    #[test]
    fn a_few_lanes_take_the_halved_level_and_more_do_not() {
        for level in Level::available() {
            for count in 0..=64 {
                let taken = level.fitting(count, Level::register_bytes);
                let half = level.halved().filter(|half| count <= half.register_bytes());
                assert_eq!(taken, half.unwrap_or(level), "{count} lanes at {level}");
            }
        }
    }

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        let name = "ä".repeat(40);
        assert_eq!(LevelName::new(&name).to_string(), "ä".repeat(16));
    }
}
