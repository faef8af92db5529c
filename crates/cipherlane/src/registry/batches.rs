//! The operations over block ciphers that have lanes for many messages; of stream ciphers their
//! rows say so.

use crate::batch::{cmac, keystream_chains, parallel_modes};
use crate::entry::batch::BatchEntry;

/// Every operation that has lanes of its own.
pub(super) static BATCHES: &[BatchEntry] = &[
    parallel_modes::ecb_encrypt::<16>(),
    parallel_modes::ecb_decrypt::<16>(),
    crate::batch::cbc::ENCRYPT,
    parallel_modes::cbc_decrypt::<16>(),
    keystream_chains::cfb_encrypt::<16>(),
    parallel_modes::cfb_decrypt::<16>(),
    keystream_chains::ofb::<16>(),
    parallel_modes::counter::<16>(),
    #[cfg(feature = "aes")]
    BatchEntry { operation: crate::modes::nea2::APPLY.name, ..parallel_modes::counter::<16>() },
    #[cfg(feature = "aes")]
    crate::batch::nia2::NIA2,
    #[cfg(feature = "aes")]
    crate::batch::nea2_nia2::SEAL,
    #[cfg(feature = "aes")]
    crate::batch::nea2_nia2::OPEN,
    #[cfg(feature = "aes")]
    crate::batch::air256::NIA5,
    #[cfg(feature = "aes")]
    crate::batch::air256::NCA5_SEAL,
    #[cfg(feature = "aes")]
    crate::batch::air256::NCA5_OPEN,
    crate::batch::gcm::SEAL,
    crate::batch::gcm::OPEN,
    crate::batch::gcm::GMAC,
    crate::batch::ccm::SEAL,
    crate::batch::ccm::OPEN,
    cmac::cmac::<16>(),
    crate::batch::xts::ENCRYPT,
    crate::batch::xts::DECRYPT,
    crate::batch::xts::GB_ENCRYPT,
    crate::batch::xts::GB_DECRYPT,
    #[cfg(feature = "_small_blocks")]
    parallel_modes::ecb_encrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    parallel_modes::ecb_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    parallel_modes::cbc_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    keystream_chains::cfb_encrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    parallel_modes::cfb_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    keystream_chains::ofb::<8>(),
    #[cfg(feature = "_small_blocks")]
    parallel_modes::counter::<8>(),
    #[cfg(feature = "_small_blocks")]
    cmac::cmac::<8>(),
];
