//! Where code lies.

/// Lets the function that this is part of begin at a multiple of 64 bytes, one line of the
/// instruction cache.
///
/// The longest kernels are some 20 KiB of code in one loop, and how their instructions fall
/// into lines changes their speed by up to a fifth: without this, with every change of some
/// other function before them.
#[inline(always)]
pub fn begin_at_line() {
    #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), not(miri)))]
    // SAFETY: at most 63 bytes of instructions that do nothing. A section is aligned as
    // strictly as any place in it, and every function has a section of its own.
    unsafe {
        core::arch::asm!(".p2align 6", options(nomem, nostack, preserves_flags));
    }
}
