//! A whole message, as a cipher may take it in one pass.

use core::fmt;

use lanes::InOut;

use crate::ghash::{BLOCK, Key};
#[cfg(feature = "alloc")]
use crate::traits::batch::Job;

/// A message, or a piece of one, that a cipher may seal or open in one pass.
#[doc(hidden)]
#[cfg_attr(
    not(feature = "aes"),
    expect(dead_code, reason = "only AES has a kernel for whole messages")
)]
pub struct GcmMessage<'m, 'd> {
    /// Ready at the cipher's level.
    pub(crate) hash: &'m Key<true>,
    /// J0, a big-endian number.
    pub(crate) counter: u128,
    pub(crate) aad: &'m [u8],
    /// By reference: copied, its fields would be loaded in another width than stored.
    pub(crate) io: &'m mut InOut<'d>,
    /// The whole tag, afterwards; of a piece the hash of all in front of it, and afterwards with it.
    pub(crate) tag: [u8; BLOCK],
    /// Whether this is a piece of a message that goes on: no associated data, and `counter` is that
    /// of the block in front of it. Afterwards as many of its bytes as were taken, whole blocks.
    pub(crate) piece: Option<usize>,
}

impl fmt::Debug for GcmMessage<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcmMessage").field("len", &self.io.len()).finish_non_exhaustive()
    }
}

/// Messages of GCM, each under the key of its number in a set of the cipher's and the hash key of that
/// number, of which a cipher may seal or open some in one call.
#[cfg(feature = "alloc")]
#[doc(hidden)]
#[cfg_attr(
    not(feature = "aes"),
    expect(dead_code, reason = "only AES has a kernel for whole messages")
)]
pub struct GcmMessages<'m, 'd> {
    /// Ready at the cipher's level.
    pub(crate) hashes: &'m [Key<true>],
    /// Of lengths that were checked. One whose tag is wrong is marked as failed afterwards, and its
    /// output is the caller's to wipe.
    pub(crate) jobs: &'m mut [Job<'d>],
}

#[cfg(feature = "alloc")]
impl fmt::Debug for GcmMessages<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GcmMessages").field("jobs", &self.jobs.len()).finish_non_exhaustive()
    }
}

/// A CCM message that a cipher may seal or open in one pass.
#[doc(hidden)]
#[cfg_attr(
    not(feature = "aes"),
    expect(dead_code, reason = "only AES has a kernel for whole messages")
)]
pub struct CcmMessage<'m, 'd> {
    /// What the MAC's chain encrypts first, a big-endian number: B0 (SP 800-38C A.2.1), or what stands
    /// before the last block of long associated data.
    pub(crate) first: u128,
    /// The counter of the tag's mask, Ctr0 (A.3), a big-endian number.
    pub(crate) counter: u128,
    /// What the chain takes next: associated data behind their length (A.2.2), whole blocks.
    pub(crate) aad: &'m [u8],
    /// By reference, as that of [`GcmMessage`].
    pub(crate) io: &'m mut InOut<'d>,
    /// The whole tag, afterwards.
    pub(crate) tag: [u8; BLOCK],
}

impl fmt::Debug for CcmMessage<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CcmMessage").field("len", &self.io.len()).finish_non_exhaustive()
    }
}
