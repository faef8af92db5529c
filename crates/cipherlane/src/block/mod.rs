//! What block ciphers share: chains, keys side by side, the objects of ciphers with small blocks.
//!
//! What a block cipher offers to the modes is [`BlockCipher`].

#[cfg_attr(not(feature = "_block"), expect(dead_code, reason = "only block ciphers run chains"))]
pub(crate) mod chains;
#[cfg(feature = "_small_blocks")]
pub(crate) mod formulation;
#[cfg(feature = "alloc")]
pub mod keys;
#[cfg(feature = "_tiles")]
pub(crate) mod number;
#[cfg(feature = "_small_blocks")]
pub(crate) mod own_keys;
#[cfg(feature = "_small_blocks")]
pub(crate) mod passes;
#[cfg(feature = "_quarters")]
pub(crate) mod quarters;
#[cfg(all(feature = "alloc", any(feature = "_small_blocks", feature = "aes")))]
pub(crate) mod runs;
#[cfg(feature = "_tiles")]
pub(crate) mod serial;
#[cfg(feature = "_small_blocks")]
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "sets of keys need the allocator"))]
pub(crate) mod side_by_side;
#[cfg(feature = "_tiles")]
pub(crate) mod tile_cipher;
#[cfg(feature = "_small_blocks")]
pub(crate) mod tile_object;
#[cfg(feature = "_tiles")]
pub(crate) mod tiles;
#[cfg(all(feature = "alloc", feature = "_small_blocks"))]
pub(crate) mod together;

pub use crate::traits::block::{BlockCipher, Chain, ChainData, Feedback, KeyedChain};
#[cfg(feature = "alloc")]
pub use crate::traits::in_step;
