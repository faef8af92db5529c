//~ E0451
//! A register comes from a token's operations alone: its field is private.

use lanes::{Avx512, Isa};

type V = <Avx512 as Isa>::V;

fn forge(bits: core::arch::x86_64::__m512i) -> V {
    V { 0: bits }
}

fn main() {}
