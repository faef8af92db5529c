//~ E0451
//! The same holds where a register is only two integers.

use lanes::{Portable, Registers};

type V = <Portable as Registers>::V;

fn main() {
    let _ = V { 0: [1, 2] };
}
