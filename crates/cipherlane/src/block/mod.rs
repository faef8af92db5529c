//! What block ciphers share: chains, keys side by side, the objects of ciphers with small blocks.
//!
//! What a block cipher offers to the modes is [`BlockCipher`].

#[cfg_attr(
    not(any(
        feature = "sm4",
        feature = "aes",
        feature = "idea",
        feature = "rc2",
        feature = "rc5"
    )),
    expect(dead_code, reason = "only block ciphers run chains")
)]
pub(crate) mod chains;
#[cfg(feature = "alloc")]
pub mod keys;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
pub(crate) mod number;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
pub(crate) mod own_keys;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
pub(crate) mod passes;
#[cfg(any(feature = "idea", feature = "rc2"))]
pub(crate) mod quarters;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
pub(crate) mod serial;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "sets of keys need the allocator"))]
pub(crate) mod side_by_side;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
pub(crate) mod tile_cipher;
#[cfg(any(feature = "idea", feature = "rc2", feature = "rc5"))]
pub(crate) mod tiles;
#[cfg(all(feature = "alloc", any(feature = "idea", feature = "rc2", feature = "rc5")))]
pub(crate) mod together;

pub use crate::traits::block::{BlockCipher, Chain, ChainData, Feedback, KeyedChain};
#[cfg(feature = "alloc")]
pub use crate::traits::in_step;
