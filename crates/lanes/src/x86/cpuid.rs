//! What CPUID and XCR0 say: the features of the levels of x86, without the standard library.
//!
//! # Why it is sound
//! XGETBV is executed only where CPUID's OSXSAVE says that the system has switched it on.

use core::sync::atomic::{AtomicU64, Ordering};

#[cfg(target_arch = "x86")]
use core::arch::x86::{__cpuid_count, _xgetbv};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{__cpuid_count, _xgetbv};

/// Every feature that a level may list: its name, CPUID leaf, register and bit,
/// and the bits of XCR0 the system must have set for it.
const FEATURES: &[(&str, u32, Register, u32, u64)] = &[
    ("ssse3", 1, Register::C, 9, 0),
    ("sse4.1", 1, Register::C, 19, 0),
    ("pclmulqdq", 1, Register::C, 1, 0),
    ("aes", 1, Register::C, 25, 0),
    ("avx2", 7, Register::B, 5, YMM),
    ("bmi2", 7, Register::B, 8, 0),
    ("gfni", 7, Register::C, 8, 0),
    ("vaes", 7, Register::C, 9, YMM),
    ("vpclmulqdq", 7, Register::C, 10, YMM),
    ("avx512f", 7, Register::B, 16, ZMM),
    ("avx512dq", 7, Register::B, 17, ZMM),
    ("avx512ifma", 7, Register::B, 21, ZMM),
    ("avx512bw", 7, Register::B, 30, ZMM),
    ("avx512vl", 7, Register::B, 31, ZMM),
    ("avx512vbmi", 7, Register::C, 1, ZMM),
    ("avx512vbmi2", 7, Register::C, 6, ZMM),
];

#[derive(Clone, Copy)]
enum Register {
    B,
    C,
}

/// XMM and YMM state (Intel SDM vol. 1 §13.3).
const YMM: u64 = 0b110;
/// The same, opmasks and both halves of the ZMM state.
const ZMM: u64 = 0b1110_0110;

/// Set in [`DETECTED`] once the other bits are valid.
const KNOWN: u64 = 1 << 63;
/// Bit `i`: feature `i` of [`FEATURES`]. CPUID traps in virtual machines, so it is asked once.
static DETECTED: AtomicU64 = AtomicU64::new(0);

fn ask_cpu() -> u64 {
    if cfg!(miri) {
        // It interprets no CPUID: there is the portable level.
        return KNOWN;
    }
    let highest = __cpuid_count(0, 0).eax;
    let one = __cpuid_count(1, 0);
    let seven = if highest >= 7 { __cpuid_count(7, 0) } else { __cpuid_count(highest, 0) };
    let osxsave = one.ecx >> 27 & 1 == 1;
    let xcr0 = if osxsave {
        // SAFETY: OSXSAVE says that the system has switched XGETBV on.
        unsafe { xcr0() }
    } else {
        0
    };
    let mut found = KNOWN;
    for (i, &(_, leaf, register, bit, state)) in FEATURES.iter().enumerate() {
        if leaf > highest {
            continue;
        }
        let answer = if leaf == 1 { one } else { seven };
        let word = match register {
            Register::B => answer.ebx,
            Register::C => answer.ecx,
        };
        if word >> bit & 1 == 1 && xcr0 & state == state {
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

/// Whether the CPU and the system have all of these features.
pub(crate) fn detected(features: &[&str]) -> bool {
    let mut found = DETECTED.load(Ordering::Relaxed);
    if found & KNOWN == 0 {
        found = ask_cpu();
        DETECTED.store(found, Ordering::Relaxed);
    }
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
        check!("ssse3" "sse4.1" "pclmulqdq" "aes" "avx2" "bmi2" "gfni" "vaes" "vpclmulqdq");
        check!("avx512f" "avx512dq" "avx512ifma" "avx512bw" "avx512vl" "avx512vbmi" "avx512vbmi2");
    }

    #[test]
    fn an_unlisted_feature_is_never_detected() {
        assert!(!detected(&["no-such-feature"]));
    }
}
