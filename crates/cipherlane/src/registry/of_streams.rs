//! The operations of stream ciphers besides their keystream: other keystreams, MACs and
//! AEADs. Each belongs to one algorithm.

use crate::entry::Algorithm;
use crate::entry::stream::{StreamAeadEntry, StreamEntry, StreamMacEntry};

/// Every further keystream operation of a stream cipher.
pub static STREAMS: &[StreamEntry] = &[
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::EEA3,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::NEA6,
];

/// Every MAC made of a stream cipher.
pub static STREAM_MACS: &[StreamMacEntry] = &[
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::EIA3,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::MAC32,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::MAC64,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::MAC128,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::MAC32_OF_2023,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::MAC64_OF_2023,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::MAC128_OF_2023,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::NIA6,
];

/// Every AEAD made of a stream cipher.
pub static STREAM_AEADS: &[StreamAeadEntry] = &[
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::EEA3_EIA3,
    #[cfg(feature = "zuc")]
    crate::aead::gxm::AEAD,
    #[cfg(feature = "zuc")]
    crate::aead::mur::AEAD,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::NCA6,
];

/// The keystream operations of an algorithm besides [`KEYSTREAM`](super::KEYSTREAM).
pub fn streams(algorithm: &Algorithm) -> impl Iterator<Item = &'static StreamEntry> + use<> {
    let name = algorithm.name;
    STREAMS.iter().filter(move |entry| entry.algorithm == name)
}

/// The MACs made of a stream cipher.
pub fn stream_macs(algorithm: &Algorithm) -> impl Iterator<Item = &'static StreamMacEntry> + use<> {
    let name = algorithm.name;
    STREAM_MACS.iter().filter(move |entry| entry.algorithm == name)
}

/// The AEADs made of a stream cipher.
pub fn stream_aeads(
    algorithm: &Algorithm,
) -> impl Iterator<Item = &'static StreamAeadEntry> + use<> {
    let name = algorithm.name;
    STREAM_AEADS.iter().filter(move |entry| entry.algorithm == name)
}
