//! What block ciphers share: chains, keys side by side, the objects of ciphers with small blocks.
//!
//! What a block cipher offers to the modes is [`BlockCipher`].

#[cfg_attr(not(feature = "_block"), expect(dead_code, reason = "only block ciphers run chains"))]
pub(crate) mod chains;
#[cfg(feature = "_small_blocks")]
pub(crate) mod formulation;
#[cfg(feature = "alloc")]
pub mod keys;
#[cfg(all(feature = "alloc", feature = "_small_blocks"))]
pub(crate) mod lane_key_set;
#[cfg(feature = "_small_blocks")]
pub(crate) mod lane_keys;
#[cfg(feature = "_small_blocks")]
#[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "sets of keys need the allocator"))]
pub(crate) mod multi_buffer;
#[cfg(feature = "_tiles")]
pub(crate) mod number;
#[cfg(feature = "_small_blocks")]
pub(crate) mod passes;
#[cfg(all(feature = "alloc", any(feature = "_small_blocks", feature = "aes")))]
pub(crate) mod runs;
#[cfg(feature = "_tiles")]
pub(crate) mod serial;
#[cfg(feature = "_tiles")]
pub(crate) mod tile_cipher;
#[cfg(feature = "_small_blocks")]
pub(crate) mod tile_object;
#[cfg(feature = "_tiles")]
pub(crate) mod tiles;
#[cfg(feature = "_quarters")]
pub(crate) mod words16;

pub use crate::traits::block::{BlockCipher, Chain, ChainData, KeyedChain, WholeMode};
#[cfg(feature = "alloc")]
pub use crate::traits::lockstep;

/// What is now [`WholeMode`].
#[doc(hidden)]
#[deprecated(note = "now `block::WholeMode`")]
pub type Feedback = WholeMode;

/// What is now [`lockstep`].
#[cfg(feature = "alloc")]
#[deprecated(note = "now `block::lockstep::{LOCKSTEP, Lockstep}`")]
pub mod in_step {
    pub use super::lockstep::{LOCKSTEP as IN_STEP, Lockstep as InStep};
}
