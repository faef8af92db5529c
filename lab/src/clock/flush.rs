//! Lines of memory out of every cache, on x86.
//!
//! Safety: `CLFLUSH` writes a line back where it was changed and drops it; no value changes, and it
//! is given lines of a borrowed slice alone.
#![expect(unsafe_code, reason = "lines are flushed by an intrinsic")]

#[cfg(target_arch = "x86")]
use core::arch::x86::{_mm_clflush, _mm_mfence};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_mm_clflush, _mm_mfence};

/// The least length of a line in bytes.
const LINE: usize = 64;

/// Drops all lines that hold some of this memory, and waits until they are gone.
pub fn flush(memory: &[u8]) {
    let last = memory.last().into_iter();
    for byte in memory.iter().step_by(LINE).chain(last) {
        // SAFETY: compiled only for targets with SSE2, which has the instruction; the address is
        // that of a byte that is borrowed.
        unsafe { _mm_clflush(&raw const *byte) }
    }
    // SAFETY: the same; a fence orders accesses and makes none.
    unsafe { _mm_mfence() }
}
