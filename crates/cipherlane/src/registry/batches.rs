//! The operations over block ciphers that have lanes for many messages; of stream ciphers their
//! rows say so.

use crate::batch::{cmac, feedback, short};
use crate::entry::batch::BatchEntry;

/// Every operation that has lanes of its own.
pub(super) static BATCHES: &[BatchEntry] = &[
    short::ecb_encrypt::<16>(),
    short::ecb_decrypt::<16>(),
    crate::batch::cbc::ENCRYPT,
    short::cbc_decrypt::<16>(),
    feedback::cfb_encrypt::<16>(),
    short::cfb_decrypt::<16>(),
    feedback::ofb::<16>(),
    short::counter::<16>(),
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
    short::ecb_encrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::ecb_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::cbc_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    feedback::cfb_encrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::cfb_decrypt::<8>(),
    #[cfg(feature = "_small_blocks")]
    feedback::ofb::<8>(),
    #[cfg(feature = "_small_blocks")]
    short::counter::<8>(),
    #[cfg(feature = "_small_blocks")]
    cmac::cmac::<8>(),
];
