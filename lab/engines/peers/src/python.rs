//! The engines `python` and `python-cryptography`: this project's package for Python and pyca's,
//! by a program in `lab/engines/python`.

use crate::program::Built;

/// Our package, from the cache.
pub(crate) const OURS: Built = Built {
    engine: "python",
    runner: &["python3"],
    how_to_get: "`cipherlane engines build python` builds it in a clone of the repository, for \
                 which Python 3.11 or later with pip must be on the PATH, or name the file \
                 library.py of such a folder with --lib PATH",
};

/// pyca's package, from the cache.
pub(crate) const THEIRS: Built = Built {
    engine: "python-cryptography",
    runner: &["python3"],
    how_to_get: "`cipherlane engines build python-cryptography` fetches it, for which Python 3.11 \
                 or later with pip must be on the PATH, or name the file peers.py of such a \
                 folder with --lib PATH",
};
