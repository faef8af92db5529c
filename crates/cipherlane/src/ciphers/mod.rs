//! The ciphers, a folder each; none knows another one, and none a mode.
//!
//! Users find each at the root, as `cipherlane::sm4`.

#[cfg(feature = "aes")]
pub mod aes;
#[cfg(feature = "enocoro")]
pub mod enocoro;
#[cfg(feature = "grain")]
pub mod grain;
#[cfg(feature = "hc128")]
pub mod hc128;
#[cfg(feature = "idea")]
pub mod idea;
#[cfg(feature = "mickey")]
pub mod mickey;
#[cfg(feature = "rabbit")]
pub mod rabbit;
#[cfg(feature = "rc2")]
pub mod rc2;
#[cfg(feature = "rc4")]
pub mod rc4;
#[cfg(feature = "rc5")]
pub mod rc5;
#[cfg(feature = "salsa20")]
pub mod salsa20;
#[cfg(feature = "sm4")]
pub mod sm4;
#[cfg(feature = "sosemanuk")]
pub mod sosemanuk;
#[cfg(feature = "trivium")]
pub mod trivium;
#[cfg(feature = "zuc")]
pub mod zuc;
