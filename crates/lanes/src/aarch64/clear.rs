//! Zeros in the registers that a call may change.
//!
//! # Why it is sound
//! Each template writes registers alone, and every register that it writes is named as an
//! output, so the compiler keeps nothing there, and puts back the lower halves of V8 to V15,
//! which a call must keep.

use core::arch::asm;

/// What `portable` uses: general registers, and what the compiler has for vectors.
#[inline(always)]
pub(crate) fn of_portable() {
    // SAFETY: Advanced SIMD is part of what this program is compiled for.
    unsafe { of128() }
}

/// General registers and those of 128 bits. X16 and X17 are free for what links calls, X18 is
/// the system's.
#[inline]
#[target_feature(enable = "neon")]
pub(crate) fn of128() {
    // SAFETY: see the head of the file.
    unsafe {
        asm!(
            "movi v0.2d, #0", "movi v1.2d, #0", "movi v2.2d, #0", "movi v3.2d, #0",
            "movi v4.2d, #0", "movi v5.2d, #0", "movi v6.2d, #0", "movi v7.2d, #0",
            "movi v8.2d, #0", "movi v9.2d, #0", "movi v10.2d, #0", "movi v11.2d, #0",
            "movi v12.2d, #0", "movi v13.2d, #0", "movi v14.2d, #0", "movi v15.2d, #0",
            "movi v16.2d, #0", "movi v17.2d, #0", "movi v18.2d, #0", "movi v19.2d, #0",
            "movi v20.2d, #0", "movi v21.2d, #0", "movi v22.2d, #0", "movi v23.2d, #0",
            "movi v24.2d, #0", "movi v25.2d, #0", "movi v26.2d, #0", "movi v27.2d, #0",
            "movi v28.2d, #0", "movi v29.2d, #0", "movi v30.2d, #0", "movi v31.2d, #0",
            out("v0") _, out("v1") _, out("v2") _, out("v3") _, out("v4") _, out("v5") _,
            out("v6") _, out("v7") _, out("v8") _, out("v9") _, out("v10") _, out("v11") _,
            out("v12") _, out("v13") _, out("v14") _, out("v15") _, out("v16") _, out("v17") _,
            out("v18") _, out("v19") _, out("v20") _, out("v21") _, out("v22") _, out("v23") _,
            out("v24") _, out("v25") _, out("v26") _, out("v27") _, out("v28") _, out("v29") _,
            out("v30") _, out("v31") _,
            options(nomem, nostack, preserves_flags),
        );
        asm!(
            "mov x0, xzr", "mov x1, xzr", "mov x2, xzr", "mov x3, xzr", "mov x4, xzr",
            "mov x5, xzr", "mov x6, xzr", "mov x7, xzr", "mov x8, xzr", "mov x9, xzr",
            "mov x10, xzr", "mov x11, xzr", "mov x12, xzr", "mov x13, xzr", "mov x14, xzr",
            "mov x15, xzr", "mov x16, xzr", "mov x17, xzr",
            out("x0") _, out("x1") _, out("x2") _, out("x3") _, out("x4") _, out("x5") _,
            out("x6") _, out("x7") _, out("x8") _, out("x9") _, out("x10") _, out("x11") _,
            out("x12") _, out("x13") _, out("x14") _, out("x15") _, out("x16") _, out("x17") _,
            options(nomem, nostack, preserves_flags),
        );
    }
}

#[cfg(all(test, feature = "clear-registers"))]
mod tests {
    use super::*;
    use crate::{Neon, NeonSm4, Portable};

    /// What a kernel might have left.
    const SECRET: u64 = 0x5ec2_e75e_c2e7_5ec3;

    /// The secret in some registers that a call may change.
    #[inline(always)]
    fn fill() {
        // SAFETY: see the head of the file.
        unsafe {
            asm!(
                "dup v0.2d, {0}", "dup v7.2d, {0}", "dup v16.2d, {0}", "dup v31.2d, {0}",
                "mov x1, {0}", "mov x9, {0}", "mov x17, {0}",
                in(reg) SECRET, out("v0") _, out("v7") _, out("v16") _, out("v31") _,
                out("x1") _, out("x9") _, out("x17") _,
                options(nomem, nostack, preserves_flags),
            );
        }
    }

    /// How many words of those are the secret.
    #[inline(always)]
    fn found() -> usize {
        let mut words = [0_u64; 12];
        // SAFETY: 8 words are written from vectors and 3 from general registers; `words` has 12.
        unsafe {
            asm!(
                "stp q0, q7, [x0]", "stp q16, q31, [x0, #32]", "stp x1, x9, [x0, #64]",
                "str x17, [x0, #80]",
                in("x0") words.as_mut_ptr(), options(nostack, preserves_flags),
            );
        }
        words.iter().filter(|&&word| word == SECRET).count()
    }

    #[test]
    fn what_is_left_is_found() {
        fill();
        assert!(found() > 6);
    }

    #[test]
    fn no_door_leaves_anything() {
        Portable.enter(fill);
        assert_eq!(found(), 0, "portable");
        if let Some(it) = Neon::detect() {
            it.enter(fill);
            assert_eq!(found(), 0, "{it:?}");
        }
        if let Some(it) = NeonSm4::detect() {
            it.enter(fill);
            assert_eq!(found(), 0, "{it:?}");
        }
    }
}
