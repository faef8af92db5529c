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
    crate::modes::cfb1::ENCRYPT,
    crate::modes::cfb1::DECRYPT,
    crate::modes::cfb8::ENCRYPT,
    crate::modes::cfb8::DECRYPT,
    crate::modes::ofb::APPLY,
    crate::modes::bc::ENCRYPT,
    crate::modes::bc::DECRYPT,
    #[cfg(feature = "aes")]
    crate::modes::nea2::APPLY,
    #[cfg(feature = "aes")]
    crate::modes::nea5::NEA5,
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
    #[cfg(feature = "aes")]
    crate::mac::nia2::MAC,
    #[cfg(feature = "aes")]
    crate::modes::nea5::NIA5,
    #[cfg(feature = "aes")]
    crate::modes::nea5::NCA5_SEAL,
    #[cfg(feature = "aes")]
    crate::modes::nea5::NCA5_OPEN,
    #[cfg(feature = "aes")]
    crate::aead::nea2_nia2::SEAL,
    #[cfg(feature = "aes")]
    crate::aead::nea2_nia2::OPEN,
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
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::NEA4,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::NIA4,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::NCA4_SEAL,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::NCA4_OPEN,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::GCM_SEAL,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::GCM_OPEN,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::VI_GCM_SEAL,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::operations::VI_GCM_OPEN,
    #[cfg(feature = "grain")]
    crate::ciphers::grain::SEAL,
    #[cfg(feature = "grain")]
    crate::ciphers::grain::OPEN,
    #[cfg(feature = "snow3g")]
    crate::ciphers::snow3g::NEA1,
    #[cfg(feature = "snow3g")]
    crate::ciphers::snow3g::NIA1,
    #[cfg(feature = "snow3g")]
    crate::ciphers::snow3g::NEA1_NIA1,
    #[cfg(feature = "snow3g")]
    crate::ciphers::snow3g::NEA1_NIA1_OPEN,
];
