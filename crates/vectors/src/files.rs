//! The vector files of this crate: to add one, put it into `data/`, add its
//! line here and its digest to `data/SHA256SUMS`.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        /// Name and content of each file in `data/`.
        pub(crate) const FILES: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../data/", $name)))),*];
    };
}

files![
    "aes128.json",
    "aes_ccm.json",
    "aes_cmac.json",
    "aes_gcm.json",
    "aes_gcm_siv.json",
    "aes_gmac.json",
    "aes_modes.json",
    "aes_xts.json",
    "eea3.json",
    "eia3.json",
    "enocoro128v2.json",
    "ghash.json",
    "grain128.json",
    "grainv1.json",
    "hc128.json",
    "idea.json",
    "mickey128.json",
    "mickey2.json",
    "misuse-tags.json",
    "nea6.json",
    "rabbit.json",
    "rc2.json",
    "rc4.json",
    "rc5.json",
    "salsa20.json",
    "sm4.json",
    "sm4_gbt17964.json",
    "sm4_gcm_siv.json",
    "sm4_mac.json",
    "sosemanuk.json",
    "trivium.json",
    "zuc128.json",
    "zuc256.json",
    "zuc_aead.json",
];

/// The expected digests, in the format of `sha256sum`.
pub(crate) const SUMS: &str = include_str!("../data/SHA256SUMS");
