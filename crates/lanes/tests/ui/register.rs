//~ E0451
//! A register comes from a token's operations alone: its field is private.

use lanes::{Avx512, Registers};

type V = <Avx512 as Registers>::V;

fn forge(bits: core::arch::x86_64::__m512i) -> V {
    V { 0: bits }
}

fn main() {}
