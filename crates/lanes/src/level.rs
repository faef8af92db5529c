//! Levels: clusters of CPU features, and the only place that matches on them.
//!
//! All that has to be said once a level is made from the rows of `levels!`: the enum [`Level`] and
//! what is asked of it, [`dispatch!`](crate::dispatch), and the modules of the levels' files.

use core::fmt;

use crate::isa::Registers;

mod dispatch;
mod error;
mod fitting;
#[cfg(test)]
mod tests;

pub use error::{LevelError, LevelName};

/// The table of levels, lowest first within an architecture: a level is its file in the folder of
/// its architecture, and its row here.
///
/// A row names the file, the token in it and the level. The conditions tell where a level is built:
/// that of its architecture, and that of its row, which leaves some out where few are wanted. One
/// that `halves to` another has registers twice as long, and all its features. One that is `plainly`
/// another has its registers and its arithmetic: [`dispatch_plain!`](crate::dispatch_plain). Whose instructions
/// are one cipher's alone stands behind the level that all other ciphers run there, `with` which
/// it shares doors.
///
/// In brackets stands the macro that is given the table, behind what follows.
#[doc(hidden)]
#[macro_export]
macro_rules! levels {
    ([$($then:tt)*] $($first:tt)*) => { $($then)*! { $($first)*
        Any if all() {
            /// No CPU feature at all.
            portable::Portable = "portable" if all();
        }
        X86 if any(target_arch = "x86", target_arch = "x86_64") {
            /// SSE4.1, SSSE3, AES, PCLMULQDQ: 128-bit registers.
            aesni::Aesni = "aesni" if not(cipherlane_few_levels);
            /// AVX2, AES, PCLMULQDQ, BMI2: 256-bit registers.
            avx2::Avx2 = "avx2" if all(),
                /// The same with VAES and VPCLMULQDQ, which few ciphers have kernels for: what all
                /// others run, and what these do. A Zen 3 has no more.
                with avx2_vaes::Avx2Vaes = "avx2-vaes";
            /// The same with GFNI, VAES, VPCLMULQDQ.
            avx2_gfni::Avx2Gfni = "avx2-gfni" if not(cipherlane_few_levels), plainly Avx2,
                // Below `avx512` until somebody has measured them on one CPU.
                /// The same with the SM4 instructions, which SM4 alone has kernels for: what all
                /// others run, and what SM4 does.
                with avx2_sm4::Avx2Sm4 = "avx2-sm4";
            /// AVX-512 F, BW, VL, DQ, VBMI, VBMI2, IFMA with all of the above: 512-bit registers.
            avx512::Avx512 = "avx512" if not(cipherlane_few_levels), halves to Avx2Gfni;
        }
        Aarch64 if all(target_arch = "aarch64", target_endian = "little", target_feature = "neon") {
            /// Advanced SIMD, AES, PMULL: 128-bit registers.
            neon::Neon = "neon" if all(),
                /// The same with the SM4 instructions, which SM4 alone has kernels for: what all
                /// others run, and what SM4 does.
                with neon_sm4::NeonSm4 = "neon-sm4";
        }
        Wasm32 if all(target_arch = "wasm32", target_feature = "simd128") {
            /// The 128-bit registers of WebAssembly.
            simd128::Simd128 = "simd128" if all();
        }
    } };
}

/// The files of an architecture's levels, with their tokens.
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! modules {
    (X86: X86 if $built:meta $rows:tt $($more:tt)*) => { modules! { $rows } };
    (Aarch64: Aarch64 if $built:meta $rows:tt $($more:tt)*) => { modules! { $rows } };
    (Wasm32: Wasm32 if $built:meta $rows:tt $($more:tt)*) => { modules! { $rows } };
    ($wanted:ident: $other:ident if $built:meta $rows:tt $($more:tt)*) => {
        modules! { $wanted: $($more)* }
    };
    ({ $(
        $(#[$doc:meta])* $file:ident::$Token:ident = $name:literal if $all:meta
        $(, halves to $Half:ident)?
        $(, plainly $Plain:ident)?
        $(, $(#[$one_doc:meta])* with $one_file:ident::$One:ident = $one_name:literal)?;
    )* }) => { $(
        mod $file;
        pub use $file::$Token;
        $(
            mod $one_file;
            pub use $one_file::$One;
        )?
    )* };
}
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
pub(crate) use modules;

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
    ($name:literal, $Architecture:ident, $built:meta, $Token:ident, $level:expr) => {
        Entry {
            name: $name,
            architecture: Architecture::$Architecture,
            #[cfg($built)]
            bytes: <crate::$Token as Registers>::BYTES,
            #[cfg(not($built))]
            bytes: 0,
            #[cfg($built)]
            detect: || crate::$Token::detect().map($level),
            #[cfg(not($built))]
            detect: || None,
        }
    };
}
/// What there is once a level.
macro_rules! made_of {
    ($(
        $Architecture:ident if $built:meta { $(
            $(#[$doc:meta])* $file:ident::$Token:ident = $name:literal if $all:meta
            $(, halves to $Half:ident)?
            $(, plainly $Plain:ident)?
            $(, $(#[$one_doc:meta])* with $one_file:ident::$One:ident = $one_name:literal)?;
        )* }
    )*) => {
        /// An instruction-set level that this CPU has; its content is the proof.
        ///
        /// Built with `--cfg cipherlane_few_levels` there are three on x86, `portable`, `avx2` and
        /// `avx2-vaes`: for chores that build kernels hundreds of times.
        // As wide as its neighbours in objects: padding bytes beside it would be copied with
        // whatever the stack held there, which no wipe reaches.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(usize)]
        pub enum Level { $($(
            $(#[$doc])*
            #[cfg(all($built, $all))]
            $Token(Of<crate::$Token>),
            $(
                $(#[$one_doc])*
                #[cfg(all($built, $all))]
                $One(Of<crate::$Token>, Of<crate::$One>),
            )?
        )*)* }

        /// The place of every level in the table, whatever the architecture.
        enum Rank { $($( $Token, $($One,)? )*)* }

        /// An architecture, as far as levels are concerned.
        #[derive(Clone, Copy, PartialEq, Eq)]
        enum Architecture { $($Architecture),* }

        /// The levels in the table's order. On another architecture the names stay known, so that
        /// an error can tell "unknown" from "not here".
        static LEVELS: [Entry; Level::COUNT] = [$($(
            entry!($name, $Architecture, all($built, $all), $Token, |token| {
                Level::$Token(of(token))
            }),
            $(entry!($one_name, $Architecture, all($built, $all), $One, |token| {
                Level::$One(of(crate::$Token::implied_by(token)), of(token))
            }),)?
        )*)*];

        impl Level {
            /// How many levels the library knows, on whatever CPU.
            pub const COUNT: usize = [$($( Rank::$Token, $(Rank::$One,)? )*)*].len();

            /// Its place among [`names`](Self::names), lowest first.
            #[must_use]
            pub fn rank(self) -> usize {
                match self { $($(
                    #[cfg(all($built, $all))]
                    Self::$Token(_) => Rank::$Token as usize,
                    $(
                        #[cfg(all($built, $all))]
                        Self::$One(..) => Rank::$One as usize,
                    )?
                )*)* }
            }

            /// The level whose registers are half as long, if whatever CPU has this one has that,
            /// too.
            #[must_use]
            #[inline]
            pub fn halved(self) -> Option<Self> {
                match self {
                    $($($(
                        #[cfg(all($built, $all))]
                        Self::$Token(token) => {
                            Some(Self::$Half(of(crate::$Half::implied_by(token))))
                        }
                    )?)*)*
                    _ => None,
                }
            }

            /// The level whose kernels do as well where a cipher has no use for what this one adds.
            #[doc(hidden)]
            #[must_use]
            #[inline(always)]
            pub fn plain(self) -> Self {
                let shared = match self {
                    $($($(
                        #[cfg(all($built, $all))]
                        Self::$One(token, _) => Self::$Token(token),
                    )?)*)*
                    level => level,
                };
                match shared {
                    $($($(
                        #[cfg(all($built, $all))]
                        Self::$Token(token) => {
                            Self::$Plain(of(crate::$Plain::implied_by(token)))
                        }
                    )?)*)*
                    level => level,
                }
            }
        }
    };
}
levels!([made_of]);

impl Level {
    /// Its name, e.g. `"avx2-gfni"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        LEVELS[self.rank()].name
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
        Self::Portable(of(crate::Portable))
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
