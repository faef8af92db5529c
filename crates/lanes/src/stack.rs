//! Overwriting what calls left on the stack and in registers.
//!
//! # Why it is sound
//! [`zeros`] writes into a local array of its own and nowhere else. The empty template that is
//! handed its address may read it, for all that the compiler knows, so the zeros are written
//! though nobody reads them; where there are no templates the writes are volatile. Where a frame
//! lies is the compiler's affair: nothing depends on what is overwritten.
#![expect(unsafe_code, reason = "writes into an array that is never read; argued above")]

use core::mem::MaybeUninit;

/// Overwrites what calls left on the stack below the caller, at least `bytes` of it (96 KiB at
/// most), and the registers that a call may change. Nothing that is in use lies there.
///
/// Objects of the library do so when they are dropped. Those that are moved about by value leave
/// copies in the frames of the functions that held them, which nobody else can reach: whoever has
/// such a function calls this after it has returned.
///
/// ```
/// #[inline(never)]
/// fn with_a_key() { /* … */ }
///
/// with_a_key();
/// lanes::clear_stack(8 << 10);
/// ```
pub fn clear_stack(bytes: usize) {
    const K: usize = 1 << 10;
    match bytes {
        0 => return,
        1..=2048 => zeros::<{ 2 * K }>(),
        2049..=4096 => zeros::<{ 4 * K }>(),
        4097..=8192 => zeros::<{ 8 * K }>(),
        8193..=16384 => zeros::<{ 16 * K }>(),
        16385..=32768 => zeros::<{ 32 * K }>(),
        _ => zeros::<{ 96 * K }>(),
    }
    crate::clear::all();
}

/// Zeros in the frame of a function that is never in line. It lies where those of earlier calls
/// lay.
#[inline(never)]
fn zeros<const N: usize>() {
    let mut room = MaybeUninit::<[u8; N]>::uninit();
    #[cfg(all(
        not(miri),
        any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64")
    ))]
    // SAFETY: the array is this function's, and the template does nothing.
    unsafe {
        room.as_mut_ptr().write_bytes(0, 1);
        let place = room.as_mut_ptr();
        core::arch::asm!("/* {0} */", in(reg) place, options(nostack, preserves_flags));
    }
    #[cfg(any(
        miri,
        not(any(target_arch = "x86", target_arch = "x86_64", target_arch = "aarch64"))
    ))]
    for i in 0..N / 64 {
        // SAFETY: inside the array, which is this function's; bytes have no alignment to keep.
        unsafe { room.as_mut_ptr().cast::<[u8; 64]>().add(i).write_volatile([0; 64]) };
    }
}

// Under AddressSanitizer arrays lie elsewhere: its run leaves out what is named `below_the_caller`.
#[cfg(test)]
#[cfg(all(target_arch = "x86_64", not(miri)))]
mod tests {
    use super::*;
    use core::arch::asm;
    use std::{vec, vec::Vec};

    /// Farther down than any call clears.
    const DEEP: usize = 128 << 10;
    /// What calls left there.
    const LEFT: u8 = 0xa7;
    /// More than the frames of the functions themselves, whose gaps nobody overwrites.
    const FRAMES: usize = 512;

    /// The bytes below this function's frame after a call that clears so many, nearest first.
    #[inline(never)]
    fn below(bytes: usize) -> Vec<u8> {
        let mut copy = vec![0; DEEP];
        // SAFETY: the stack of a test has 2 MiB, and nothing that is in use lies below its pointer:
        // the template is not said to leave the stack alone.
        unsafe {
            asm!(
                "lea rdi, [rsp - {deep}]", "mov ecx, {deep}", "rep stosb",
                deep = const DEEP, in("al") LEFT, out("rdi") _, out("rcx") _,
            );
        }
        clear_stack(bytes);
        // SAFETY: as above; `copy` has as many bytes.
        unsafe {
            asm!(
                "lea rsi, [rsp - {deep}]", "mov ecx, {deep}", "rep movsb",
                deep = const DEEP, inout("rdi") copy.as_mut_ptr() => _, out("rsi") _, out("rcx") _,
            );
        }
        copy.reverse();
        copy
    }

    #[test]
    fn what_lies_below_the_caller_is_overwritten_as_far_as_wanted_and_not_much_farther() {
        // What is asked for once only is asked for here.
        below(1);
        for (least, most) in [
            (0, 0),
            (1, 2 << 10),
            ((2 << 10) + 1, 4 << 10),
            ((4 << 10) + 1, 8 << 10),
            ((8 << 10) + 1, 16 << 10),
            ((16 << 10) + 1, 32 << 10),
            ((32 << 10) + 1, 96 << 10),
        ] {
            for bytes in [least, most] {
                let below = below(bytes);
                let kept = below[..most].iter().filter(|&&byte| byte == LEFT).count();
                assert!(kept < FRAMES, "{bytes}: {kept} bytes are left");
                let beyond = &below[most + FRAMES..];
                assert!(beyond.iter().all(|&byte| byte == LEFT), "{bytes}: more is overwritten");
            }
        }
    }
}
