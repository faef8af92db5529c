//! Numbers that the compiler can't see through.
//!
//! A bit that becomes a mask, and a carry that is added, are branches to some compilers: traces found such on
//! AArch64 and RISC-V, and selects on WebAssembly. Where the compiler knows nothing of the number it can only
//! compute with it.

/// `number`, of which the compiler knows nothing afterwards: a register's name and no instruction on AArch64,
/// RISC-V and LoongArch, a store and a load on what else there is.
///
/// On x86-64 it is what the compiler makes of it, which traces look at with every change of the code
/// (`docs/PROOF.md`): a number that is hidden can't be part of a longer instruction there.
#[inline(always)]
#[must_use]
pub fn hide(number: u64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        number
    }
    #[cfg(all(
        any(target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64"),
        not(miri)
    ))]
    {
        let mut number = number;
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(any(
        target_arch = "x86_64",
        all(
            any(target_arch = "aarch64", target_arch = "riscv64", target_arch = "loongarch64"),
            not(miri)
        )
    )))]
    {
        core::hint::black_box(number)
    }
}

/// `number`, which the compiler does not put together with what it was made of: two shifts whose bits
/// add up to a word stay two shifts on x86-64, where one that takes both words is six micro-operations
/// on a Zen. Elsewhere nothing: what AArch64 has for it is one.
#[inline(always)]
#[must_use]
pub fn apart(number: u64) -> u64 {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        let mut number = number;
        // SAFETY: no instruction at all.
        unsafe {
            core::arch::asm!("/* {0} */", inout(reg) number, options(pure, nomem, nostack, preserves_flags));
        }
        number
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    {
        number
    }
}

#[cfg(test)]
mod tests {
    use super::{apart, hide};

    #[test]
    fn a_number_stays_what_it_is() {
        for number in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(hide(number), number);
            assert_eq!(apart(number), number);
        }
    }
}
