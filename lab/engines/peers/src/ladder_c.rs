//! The engines `ladder-c-…`: the rungs of the ladder in C, programs that
//! `cipherlane engines build ladder-c` compiles, one for each level of optimisation.

use crate::program::Built;

macro_rules! built {
    ($engine:literal, $compiler:literal) => {
        Built {
            engine: $engine,
            runner: &[],
            how_to_get: concat!(
                "`cipherlane engines build ",
                $engine,
                "` compiles it, for which ",
                $compiler,
                " must be on the PATH"
            ),
        }
    };
}

/// The programs, from the cache.
pub(crate) const PEERS: [Built; 6] = [
    built!("ladder-c-O0", "gcc"),
    built!("ladder-c-O1", "gcc"),
    built!("ladder-c-O2", "gcc"),
    built!("ladder-c-O3", "gcc"),
    built!("ladder-c-clang-O2", "clang"),
    Built {
        runner: &["qemu-s390x-static"],
        ..built!("ladder-c-s390x", "s390x-linux-gnu-gcc, and to run it qemu-s390x-static,")
    },
];
