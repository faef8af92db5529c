//! The table of operations, in the order in which all tell them.

use crate::entry::row::Row;

/// Every operation but the keystream, which each stream cipher tells with its constructor.
pub(super) static ROWS: &[Row] = &[
    crate::modes::ecb::ENCRYPT,
    crate::modes::ecb::DECRYPT,
    crate::modes::cbc::ENCRYPT,
    crate::modes::cbc::DECRYPT,
    crate::modes::ctr::APPLY,
    crate::modes::ctr::APPLY_32,
    crate::modes::cfb::ENCRYPT,
    crate::modes::cfb::DECRYPT,
    crate::modes::cfb8::ENCRYPT,
    crate::modes::cfb8::DECRYPT,
    crate::modes::ofb::APPLY,
    crate::modes::bc::ENCRYPT,
    crate::modes::bc::DECRYPT,
    crate::modes::xts::ENCRYPT,
    crate::modes::xts::DECRYPT,
    crate::modes::xts::GB_ENCRYPT,
    crate::modes::xts::GB_DECRYPT,
    crate::modes::hctr::ENCRYPT,
    crate::modes::hctr::DECRYPT,
    crate::modes::ofbnlf::ENCRYPT,
    crate::modes::ofbnlf::DECRYPT,
    crate::aead::gcm::SEAL,
    crate::aead::gcm::OPEN,
    crate::aead::gcm_siv::SEAL,
    crate::aead::gcm_siv::OPEN,
    crate::aead::ccm::row::SEAL,
    crate::aead::ccm::row::OPEN,
    crate::mac::cmac::MAC,
    crate::mac::gmac::MAC,
    crate::mac::cbc_mac::entries::CBC_MAC_1,
    crate::mac::cbc_mac::entries::CBC_MAC_1_PAD1,
    crate::mac::cbc_mac::entries::CBC_MAC_1_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_2,
    crate::mac::cbc_mac::entries::CBC_MAC_2_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_3,
    crate::mac::cbc_mac::entries::CBC_MAC_3_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_4,
    crate::mac::cbc_mac::entries::CBC_MAC_4_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_6,
    crate::mac::cbc_mac::entries::CBC_MAC_6_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_7,
    crate::mac::cbc_mac::entries::CBC_MAC_8,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::EEA3,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::NEA6,
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
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::EEA3_EIA3,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::EEA3_EIA3_OPEN,
    #[cfg(feature = "zuc")]
    crate::aead::gxm::SEAL,
    #[cfg(feature = "zuc")]
    crate::aead::gxm::OPEN,
    #[cfg(feature = "zuc")]
    crate::aead::mur::SEAL,
    #[cfg(feature = "zuc")]
    crate::aead::mur::OPEN,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::NCA6_SEAL,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::operations::NCA6_OPEN,
];
