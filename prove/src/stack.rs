//! What lies below a frame when a call from it has returned: the stack that the call used, and
//! the registers that it may change.
//!
//! # Why it is sound
//! [`paint`] writes into a local array of its own. What is copied afterwards is as much below the
//! stack pointer as that array was long: it was mapped a moment ago, nobody's borrow lies there,
//! and the copy is made by one template, so no byte of it is read as a value of Rust before it
//! stands in a slice that was made for it. Registers are stored into an array that has room for
//! all of them; those of AVX and AVX-512 only where the CPU and the system have them.
#![expect(unsafe_code, reason = "memory below the stack pointer, and registers; argued above")]

use core::arch::asm;
use std::hint::black_box;
use std::mem::MaybeUninit;

/// More of the stack than any operation here uses.
const DEPTH: usize = 192 << 10;
/// Bytes of the vector registers of AVX-512.
const REGISTERS: usize = 32 * 64;
/// What stands on the stack before.
const PAINT: u8 = 0x5a;

/// What a call left.
#[derive(Clone)]
pub(crate) struct Left {
    /// The stack below the caller, the farthest byte first.
    stack: Vec<u8>,
    /// The vector registers in their order, as wide as the CPU has them.
    registers: Vec<u8>,
}

/// Where two calls left something else.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// How many bytes differ.
    pub(crate) bytes: usize,
    /// Where, in words.
    pub(crate) place: String,
}

impl Left {
    /// Room for what a call leaves.
    pub(crate) fn room() -> Self {
        Self { stack: vec![0; DEPTH], registers: vec![0; REGISTERS] }
    }

    /// Looks at what `work` leaves, into the same room each time: its address is among what is
    /// left. Never in line, so that all calls are made from one place.
    #[inline(never)]
    pub(crate) fn by(&mut self, work: &mut dyn FnMut()) {
        let (wide, widest) = (is_x86_feature_detected!("avx"), is_x86_feature_detected!("avx512f"));
        let (stack, registers) = (self.stack.as_mut_ptr(), self.registers.as_mut_ptr());
        paint();
        work();
        // SAFETY: see the head of the file.
        unsafe {
            if widest {
                registers_512(registers);
            } else if wide {
                registers_256(registers);
            } else {
                registers_128(registers);
            }
            asm!(
                "mov rsi, rsp", "sub rsi, rcx", "rep movsb",
                inout("rcx") DEPTH => _, inout("rdi") stack => _, out("rsi") _,
                options(preserves_flags),
            );
        }
    }

    /// How many bytes below the caller the calls went.
    pub(crate) fn depth(&self) -> usize {
        DEPTH - self.stack.iter().position(|&byte| byte != PAINT).unwrap_or(DEPTH)
    }

    /// What another call left otherwise, but for what `public` holds.
    pub(crate) fn difference(&self, other: &Self, public: &[&[u8]]) -> Option<Difference> {
        let on_stack = differing(&self.stack, &other.stack, public);
        let in_registers = differing(&self.registers, &other.registers, public);
        let bytes = on_stack.len() + in_registers.len();
        let place = match (&on_stack[..], &in_registers[..]) {
            ([low, .., high], _) => {
                format!("{} to {} bytes below the caller", DEPTH - high, DEPTH - low)
            }
            ([one], _) => format!("{} bytes below the caller", DEPTH - one),
            ([], [first, ..]) => format!("in vector register {}", first / 64),
            ([], []) => return None,
        };
        Some(Difference { bytes, place })
    }
}

/// The places of bytes that differ and are no part of something public.
fn differing(one: &[u8], other: &[u8], public: &[&[u8]]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..one.len()).filter(|&i| one[i] != other[i]).collect();
    places.retain(|&at| !public.iter().any(|text| within(one, at, text)));
    places
}

/// How much of something public must stand together, so that it is known again.
const KNOWN: usize = 8;

/// Whether the byte `at` is part of a piece of `text`.
fn within(bytes: &[u8], at: usize, text: &[u8]) -> bool {
    let len = KNOWN.min(text.len());
    len >= 4
        && text.windows(len).any(|piece| {
            let from = at.saturating_sub(len - 1);
            (from..=at).any(|i| bytes.get(i..i + len) == Some(piece))
        })
}

/// The same byte everywhere on the stack below the caller.
#[inline(never)]
pub(crate) fn paint() {
    let mut room = MaybeUninit::<[u8; DEPTH]>::uninit();
    // SAFETY: the array is as long.
    unsafe { room.as_mut_ptr().cast::<u8>().write_bytes(PAINT, DEPTH) };
    black_box(&room);
}

macro_rules! store {
    ($name:ident, $move:literal, $letter:literal: $($number:literal)+) => {
        /// Stores the vector registers, 64 bytes apart.
        ///
        /// # Safety
        /// There is room for all of them, and the CPU has the features.
        #[inline(always)]
        unsafe fn $name(to: *mut u8) {
            // SAFETY: the caller's contract is ours.
            unsafe {
                asm!(
                    $(concat!($move, " [rdi + 64 * ", $number, "], ", $letter, "mm", $number)),+,
                    in("rdi") to, options(nostack, preserves_flags),
                );
            }
        }
    };
}
store!(registers_128, "movups", "x": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
store!(registers_256, "vmovups", "y": 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
store!(registers_512, "vmovups", "z":
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
