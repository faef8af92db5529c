//! What CPUID and XCR0 say: the features of the levels of x86, without the standard library.
//!
//! # Why it is sound
//! XGETBV is executed only where CPUID's OSXSAVE says that the system has switched it on.

use core::sync::atomic::{AtomicU64, Ordering};

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid_count, _xgetbv, CpuidResult};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid_count, _xgetbv, CpuidResult};

macro_rules! features {
    ($($name:literal, $leaf:ident, $register:ident, $bit:literal, $state:ident;)*) => {
        /// Every feature that a level may list: its name, CPUID leaf, register and bit, the bits
        /// of XCR0 the system must have set for it, and whether all code may use it.
        const FEATURES: &[(&str, Leaf, Register, u32, u64, bool)] = &[$(
            ($name, Leaf::$leaf, Register::$register, $bit, $state, cfg!(target_feature = $name)),
        )*];
    };
}

features! {
    "sse", One, D, 25, NONE;
    "sse2", One, D, 26, NONE;
    "sse3", One, C, 0, NONE;
    "ssse3", One, C, 9, NONE;
    "sse4.1", One, C, 19, NONE;
    "sse4.2", One, C, 20, NONE;
    "pclmulqdq", One, C, 1, NONE;
    "aes", One, C, 25, NONE;
    "avx", One, C, 28, YMM;
    "fma", One, C, 12, YMM;
    "f16c", One, C, 29, YMM;
    "avx2", Seven, B, 5, YMM;
    "bmi2", Seven, B, 8, NONE;
    "gfni", Seven, C, 8, NONE;
    "vaes", Seven, C, 9, YMM;
    "vpclmulqdq", Seven, C, 10, YMM;
    "sm4", SevenOne, A, 2, YMM;
    "avx512f", Seven, B, 16, ZMM;
    "avx512dq", Seven, B, 17, ZMM;
    "avx512ifma", Seven, B, 21, ZMM;
    "avx512bw", Seven, B, 30, ZMM;
    "avx512vl", Seven, B, 31, ZMM;
    "avx512vbmi", Seven, C, 1, ZMM;
    "avx512vbmi2", Seven, C, 6, ZMM;
}

/// Where CPUID has the answer.
#[derive(Clone, Copy)]
enum Leaf {
    One,
    Seven,
    /// Subleaf 1 of leaf 7.
    SevenOne,
}

#[derive(Clone, Copy)]
enum Register {
    A,
    B,
    C,
    D,
}

/// Nothing more than what every system saves.
const NONE: u64 = 0;
/// XMM and YMM state (Intel SDM vol. 1 §13.3).
const YMM: u64 = 0b110;
/// The same, opmasks and both halves of the ZMM state.
const ZMM: u64 = 0b1110_0110;

/// Set in [`DETECTED`] once the other bits are valid.
const KNOWN: u64 = 1 << 63;
/// Set in [`DETECTED`] where the CPU works on 64-byte registers in halves.
const IN_HALVES: u64 = 1 << 62;
/// Bit `i`: feature `i` of [`FEATURES`]. CPUID traps in virtual machines, so it is asked once.
static DETECTED: AtomicU64 = AtomicU64::new(0);

/// What a CPU says of itself.
#[derive(Clone, Copy)]
struct Cpu {
    /// The highest leaf.
    highest: u32,
    one: CpuidResult,
    seven: CpuidResult,
    /// Subleaf 1 of leaf 7.
    seven_one: CpuidResult,
    /// What the system saves; 0 where it has not switched XGETBV on.
    xcr0: u64,
}

/// CPUID, which is safe to call in newer compilers and was not in the oldest that builds this: as a
/// pointer it is `unsafe` in all of them.
fn cpuid(leaf: u32, subleaf: u32) -> CpuidResult {
    let instruction: unsafe fn(u32, u32) -> CpuidResult = __cpuid_count;
    // SAFETY: every CPU from the Pentium on has CPUID, and Rust has no target below one.
    unsafe { instruction(leaf, subleaf) }
}

#[cold]
fn ask_cpu() -> u64 {
    if cfg!(miri) {
        // It interprets no CPUID: there is what it was told to compile for.
        let compiled = FEATURES.iter().enumerate().map(|(i, it)| u64::from(it.5) << i);
        return KNOWN | compiled.sum::<u64>();
    }
    let highest = cpuid(0, 0).eax;
    let one = cpuid(1, 0);
    let seven = if highest >= 7 { cpuid(7, 0) } else { cpuid(highest, 0) };
    let seven_one = if highest >= 7 { cpuid(7, 1) } else { seven };
    let osxsave = one.ecx >> 27 & 1 == 1;
    let xcr0 = if osxsave {
        // SAFETY: OSXSAVE says that the system has switched XGETBV on.
        unsafe { xcr0() }
    } else {
        0
    };
    let in_halves =
        if highest >= 1 && works_in_halves(cpuid(0, 0), one.eax) { IN_HALVES } else { 0 };
    said_by(Cpu { highest, one, seven, seven_one, xcr0 }) | in_halves
}

/// Whether a CPU works on 64-byte registers in halves, by its vendor and its signature (AMD APM
/// vol. 3, appendix E.3.2): family 25, of which the models with AVX-512 are Zen 4. A Zen 5 for
/// servers (family 26) doesn't, nor does any Intel CPU that has them; `docs/machines` has what was
/// measured on both kinds.
fn works_in_halves(vendor: CpuidResult, signature: u32) -> bool {
    let amd = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let family = (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
    amd.as_flattened() == b"AuthenticAMD" && family == 25
}

/// The features of a CPU, as the bits of [`DETECTED`].
fn said_by(cpu: Cpu) -> u64 {
    let mut found = KNOWN;
    for (i, &(_, leaf, register, bit, state, _)) in FEATURES.iter().enumerate() {
        // Where leaf 7 is, its EAX is the highest subleaf.
        let (there, answer) = match leaf {
            Leaf::One => (cpu.highest >= 1, cpu.one),
            Leaf::Seven => (cpu.highest >= 7, cpu.seven),
            Leaf::SevenOne => (cpu.highest >= 7 && cpu.seven.eax >= 1, cpu.seven_one),
        };
        let word = match register {
            Register::A => answer.eax,
            Register::B => answer.ebx,
            Register::C => answer.ecx,
            Register::D => answer.edx,
        };
        if there && word >> bit & 1 == 1 && cpu.xcr0 & state == state {
            found |= 1 << i;
        }
    }
    found
}

/// # Safety
/// The system must have enabled XSAVE.
#[target_feature(enable = "xsave")]
unsafe fn xcr0() -> u64 {
    // SAFETY: XCR0 always exists where XGETBV does, which the caller vouches for.
    unsafe { _xgetbv(0) }
}

/// What the CPU and the system have, asked once.
#[inline]
fn found() -> u64 {
    let mut found = DETECTED.load(Ordering::Relaxed);
    if found & KNOWN == 0 {
        found = ask_cpu();
        DETECTED.store(found, Ordering::Relaxed);
    }
    found
}

/// Whether the CPU and the system have all of these features.
pub(crate) fn detected(features: &[&str]) -> bool {
    all_in(found(), features)
}

/// Whether the CPU works on 64-byte registers in halves.
#[inline]
pub(crate) fn in_halves() -> bool {
    found() & IN_HALVES != 0
}

/// Takes it for one that does, or doesn't.
pub(crate) fn take_for_in_halves(it_does: bool) {
    let others = found() & !IN_HALVES;
    DETECTED.store(if it_does { others | IN_HALVES } else { others }, Ordering::Relaxed);
}

/// Whether all of these features are among those found.
fn all_in(found: u64, features: &[&str]) -> bool {
    features.iter().all(|wanted| {
        FEATURES.iter().position(|(name, ..)| name == wanted).is_some_and(|i| found >> i & 1 == 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_standard_library() {
        macro_rules! check { ($($feature:tt)*) => { $(
            assert_eq!(detected(&[$feature]), std::is_x86_feature_detected!($feature), $feature);
        )* } }
        check!("sse" "sse2" "sse3" "sse4.2" "avx" "fma" "f16c");
        check!("ssse3" "sse4.1" "pclmulqdq" "aes" "avx2" "bmi2" "gfni" "vaes" "vpclmulqdq");
        check!("sm4");
        check!("avx512f" "avx512dq" "avx512ifma" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2");
    }

    /// Hypervisors mask features one by one.
    #[test]
    fn a_level_is_not_there_where_one_of_its_features_is_masked() {
        use crate::{Aesni, Avx2, Avx2Gfni, Avx2Sm4, Avx2Vaes, Avx512};
        let set = |eax| CpuidResult { eax, ebx: u32::MAX, ecx: u32::MAX, edx: u32::MAX };
        let whole = Cpu {
            highest: 7,
            one: set(1),
            seven: set(7),
            seven_one: set(u32::MAX),
            xcr0: u64::MAX,
        };
        for level in [
            Aesni::FEATURES,
            Avx2::FEATURES,
            Avx2Vaes::FEATURES,
            Avx2Gfni::FEATURES,
            Avx2Sm4::FEATURES,
            Avx512::FEATURES,
        ] {
            assert!(all_in(said_by(whole), level));
            for feature in level {
                let &(_, leaf, ref register, bit, ..) =
                    FEATURES.iter().find(|it| it.0 == *feature).expect("a known feature");
                let mut masked = whole;
                let answer = match leaf {
                    Leaf::One => &mut masked.one,
                    Leaf::Seven => &mut masked.seven,
                    Leaf::SevenOne => &mut masked.seven_one,
                };
                let word = match register {
                    Register::A => &mut answer.eax,
                    Register::B => &mut answer.ebx,
                    Register::C => &mut answer.ecx,
                    Register::D => &mut answer.edx,
                };
                *word &= !(1 << bit);
                assert!(!all_in(said_by(masked), level), "{feature}");
            }
        }
        let unsaved = Cpu { xcr0: YMM, ..whole };
        assert!(all_in(said_by(unsaved), Avx2Gfni::FEATURES));
        assert!(!all_in(said_by(unsaved), Avx512::FEATURES));
        assert!(!all_in(said_by(Cpu { xcr0: 0, ..whole }), Avx2::FEATURES));
        // An older CPU, whose answer to a subleaf that it lacks means nothing.
        let older = said_by(Cpu { seven: set(0), ..whole });
        assert!(all_in(older, Avx2Gfni::FEATURES) && !all_in(older, &["sm4"]));
    }

    #[test]
    fn a_zen_4_works_in_halves_and_others_do_not() {
        let vendor = |name: &[u8; 12]| {
            let [ebx, edx, ecx] = [0, 4, 8]
                .map(|at| u32::from_le_bytes([name[at], name[at + 1], name[at + 2], name[at + 3]]));
            CpuidResult { eax: 0, ebx, ecx, edx }
        };
        let (amd, intel) = (vendor(b"AuthenticAMD"), vendor(b"GenuineIntel"));
        // Genoa (family 25 model 17), Phoenix (25, 116), Turin (26, 2), Rome (23, 49).
        assert!(works_in_halves(amd, 0x00a1_0f11) && works_in_halves(amd, 0x00a7_0f41));
        assert!(!works_in_halves(amd, 0x00b0_0f21) && !works_in_halves(amd, 0x0083_0f10));
        // Ice Lake, Rocket Lake and Sapphire Rapids, all family 6; a family 25 of another vendor.
        for signature in [0x0006_06a6, 0x000a_0671, 0x0008_06f8, 0x00a1_0f11] {
            assert!(!works_in_halves(intel, signature), "{signature:#x}");
        }
    }

    #[test]
    fn an_unlisted_feature_is_never_detected() {
        assert!(!detected(&["no-such-feature"]));
    }
}
