//! Keys, IVs and associated data that the timing loop and engines share.

use crate::input::{Kind, RING, bytes};

/// The keys, IVs and associated data of the ring.
#[derive(Clone, Debug)]
pub struct Keys {
    slots: usize,
    keys: Vec<u8>,
    key_bytes: usize,
    ivs: Vec<u8>,
    nonce_bytes: usize,
    aads: Vec<u8>,
    aad_bytes: usize,
}

impl Keys {
    /// The ring's keys and IVs for a seed, without associated data.
    #[must_use]
    pub fn generate(seed: u64, key_bytes: usize, nonce_bytes: usize) -> Self {
        Self::with_slots(seed, RING, key_bytes, nonce_bytes)
    }

    /// The same for a ring of so many slots.
    #[must_use]
    pub fn with_slots(seed: u64, slots: usize, key_bytes: usize, nonce_bytes: usize) -> Self {
        let keys = all(seed, Kind::Key, slots, key_bytes);
        let ivs = all(seed, Kind::Iv, slots, nonce_bytes);
        Self { slots, keys, key_bytes, ivs, nonce_bytes, aads: Vec::new(), aad_bytes: 0 }
    }

    /// The same with so many bytes of associated data for each slot.
    #[must_use]
    pub fn with_aad(self, seed: u64, aad_bytes: usize) -> Self {
        Self { aads: all(seed, Kind::Aad, self.slots, aad_bytes), aad_bytes, ..self }
    }

    /// How many slots there are: [`RING`], or more where a call takes more messages.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.slots
    }

    /// All keys, by slot.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.slots).map(|slot| self.key(slot))
    }

    /// The key of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn key(&self, slot: usize) -> &[u8] {
        &self.keys[slot * self.key_bytes..][..self.key_bytes]
    }

    /// The IV of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn iv(&self, slot: usize) -> &[u8] {
        &self.ivs[slot * self.nonce_bytes..][..self.nonce_bytes]
    }

    /// The associated data of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn aad(&self, slot: usize) -> &[u8] {
        &self.aads[slot * self.aad_bytes..][..self.aad_bytes]
    }
}

/// That many bytes for every slot.
fn all(seed: u64, kind: Kind, slots: usize, length: usize) -> Vec<u8> {
    (0..slots as u64).flat_map(|index| bytes(seed, kind, index, length)).collect()
}
