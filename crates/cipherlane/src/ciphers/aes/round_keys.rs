//! The forms that the kernels take keys in.

use crate::secret::Wipe;

/// Most round keys of a variant: AES-256's 14 rounds and one.
pub(super) const MOST: usize = 15;

/// Round keys of both directions, in the form that the kernels of one level take.
///
/// With AES instructions `encrypt` is the standard's schedule and `decrypt` that
/// of the equivalent inverse cipher (§5.3.5). Without, `encrypt` holds the planes
/// of [`planes::key`](super::planes::key), which serve both directions, and `decrypt` is unused.
#[derive(Clone)]
#[repr(C, align(16))]
pub(super) struct RoundKeys {
    pub(super) encrypt: [[u8; 16]; MOST],
    pub(super) decrypt: [[u8; 16]; MOST],
    pub(super) rounds: usize,
    _zeros: [u8; GAP],
}

/// What is missing behind a word to the alignment of [`RoundKeys`]: padding bytes would
/// be copied with whatever the stack held there, which no wipe reaches.
pub(super) const GAP: usize = 16 - size_of::<usize>();

impl Wipe for RoundKeys {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.encrypt);
        lanes::wipe::wipe(&mut self.decrypt);
    }
}

/// The round keys of one direction, in the order of use.
#[derive(Clone, Copy)]
pub(super) struct Keys<'k> {
    pub(super) first: &'k [u8; 16],
    /// As many as the variant with most rounds needs.
    pub(super) middle: &'k [[u8; 16]; MOST - 2],
    pub(super) last: &'k [u8; 16],
    pub(super) rounds: usize,
}

impl RoundKeys {
    /// A place for round keys.
    pub(super) const UNSET: Self =
        Self { encrypt: [[0; 16]; MOST], decrypt: [[0; 16]; MOST], rounds: 0, _zeros: [0; GAP] };

    #[inline(always)]
    pub(super) fn encryption(&self) -> Keys<'_> {
        self.in_order(&self.encrypt)
    }

    #[inline(always)]
    pub(super) fn decryption(&self) -> Keys<'_> {
        self.in_order(&self.decrypt)
    }

    /// The round keys of a direction, as many as there are places.
    #[inline(always)]
    pub(super) fn table<const DECRYPT: bool>(&self) -> &[[u8; 16]; MOST] {
        if DECRYPT { &self.decrypt } else { &self.encrypt }
    }

    /// The number of rounds.
    #[inline(always)]
    pub(super) fn rounds(&self) -> usize {
        self.rounds
    }

    #[inline(always)]
    fn in_order<'k>(&self, keys: &'k [[u8; 16]; MOST]) -> Keys<'k> {
        let [first, middle @ .., _] = keys;
        Keys { first, middle, last: &keys[self.rounds], rounds: self.rounds }
    }
}
