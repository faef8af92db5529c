//~ E0451
//! The same holds where a register is only two integers.

use lanes::{Isa, Portable};

type V = <Portable as Isa>::V;

fn main() {
    let _ = V { 0: [1, 2] };
}
