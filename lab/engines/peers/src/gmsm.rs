//! The engine `gmsm`: SM4 and ZUC of the Go module of that name, by a program in
//! `lab/engines/go` that `cipherlane engines build gmsm` compiles.

use crate::program::Built;

/// The program, from the cache.
pub(crate) const PEER: Built = Built {
    engine: "gmsm",
    runner: &[],
    how_to_get: "`cipherlane engines build gmsm` builds it, or name the program that it makes \
                 with --lib PATH",
};
