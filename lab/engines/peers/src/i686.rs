//! The engine `cipherlane-i686`: this library compiled for a 32-bit platform, a program that
//! `cipherlane engines build cipherlane-i686` makes of the sources here.

use crate::program::Built;

/// The program, from the cache.
pub(crate) const PEER: Built = Built {
    engine: "cipherlane-i686",
    runner: &[],
    how_to_get: "`cipherlane engines build cipherlane-i686` compiles it, for which cargo must be \
                 there and `rustup target add i686-unknown-linux-musl` brings the target",
};
