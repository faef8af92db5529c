//! Telling Memcheck, valgrind's tool, which bytes are secret: it then reports every branch and
//! every address that depends on them, on the path that is run, for all their values at once.
//!
//! # Why it is sound
//! A request is a sequence of rotations that together change nothing, which valgrind knows by
//! sight; on a CPU it does nothing at all. It reads six words of ours and writes one register.
//! Under valgrind it changes what valgrind knows of memory, not the memory.
#![expect(unsafe_code, reason = "valgrind's requests are instructions; argued above")]

use core::arch::asm;

/// Numbers of requests, from valgrind's headers.
const RUNNING: u64 = 0x1001;
const ERRORS: u64 = 0x1201;
const UNDEFINED: u64 = (b'M' as u64) << 24 | (b'C' as u64) << 16 | 1;
const DEFINED: u64 = UNDEFINED + 1;

fn request(number: u64, bytes: &[u8]) -> u64 {
    let words = [number, bytes.as_ptr().expose_provenance() as u64, bytes.len() as u64, 0, 0, 0];
    let result: u64;
    // SAFETY: RDI is as before after rotations by 128 bits in all; the rest is as said above.
    unsafe {
        asm!(
            "rol rdi, 3",
            "rol rdi, 13",
            "rol rdi, 61",
            "rol rdi, 51",
            "xchg rbx, rbx",
            in("rax") words.as_ptr(),
            inout("rdx") 0_u64 => result,
        );
    }
    result
}

/// Whether valgrind runs this program.
#[must_use]
pub fn is_watched() -> bool {
    request(RUNNING, &[]) != 0
}

/// How many errors valgrind has reported.
#[must_use]
pub fn errors() -> u64 {
    request(ERRORS, &[])
}

/// Makes bytes secret.
pub fn hide(bytes: &mut [u8]) {
    request(UNDEFINED, bytes);
}

/// Makes bytes public, and those computed from them so far not.
pub fn reveal(bytes: &mut [u8]) {
    request(DEFINED, bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_takes_no_notice() {
        let mut bytes = [1, 2, 3];
        hide(&mut bytes);
        assert_eq!((bytes, errors(), is_watched()), ([1, 2, 3], 0, false));
        reveal(&mut bytes);
    }
}
