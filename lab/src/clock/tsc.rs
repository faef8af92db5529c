//! The time-stamp counter of x86 CPUs.
#![expect(unsafe_code, reason = "the counter is read by an intrinsic")]

#[cfg(target_arch = "x86")]
use core::arch::x86::{_mm_lfence, _rdtsc};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_mm_lfence, _rdtsc};

/// Ticks since the machine was started. The fences keep the reading between the
/// instructions before, all finished, and those after, none begun.
#[inline(always)]
pub(super) fn ticks() -> u64 {
    // SAFETY: this is compiled only for targets with SSE2, which has the fence; RDTSC changes nothing but registers.
    unsafe {
        _mm_lfence();
        let ticks = _rdtsc();
        _mm_lfence();
        ticks
    }
}
