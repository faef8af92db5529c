//! The vector files of this crate, as the build script finds them in `data/`.

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The expected digests, in the format of `sha256sum`.
pub(crate) const SUMS: &str = include_str!("../data/SHA256SUMS");
