//~
//! What is allowed compiles, so the other files fail for their own reasons.

use lanes::{Avx512, Level, Portable, Registers};

fn main() {
    let level = Avx512::detect().map_or(Level::Portable(Portable), Level::Avx512);
    let v: <Portable as Registers>::V = Portable.splat64(1);
    let _ = (level.name(), Portable.xor(v, v));
}
