//! The constants of the key schedule (GB/T 32907-2016 §7.3) and the forms the kernels take keys in.

use crate::secret::Wipe;

/// Number of rounds.
pub(super) const ROUNDS: usize = 32;

/// The system parameter FK.
pub(super) const FK: [u32; 4] = [0xa3b1_bac6, 0x56aa_3350, 0x677d_9197, 0xb270_22dc];

/// The fixed parameter CK: byte `j` of `CK_i` is `(4i + j)·7 mod 256`.
pub(super) const CK: [u32; ROUNDS] = {
    let mut ck = [0; ROUNDS];
    let mut i = 0;
    while i < 4 * ROUNDS {
        ck[i / 4] = ck[i / 4] << 8 | (i * 7 % 256) as u32;
        i += 1;
    }
    ck
};

/// Round keys in the forms that the kernels of one level take.
///
/// `words` holds one word a round, in the byte order of memory: as the standard has
/// them where there are instructions for rounds or no byte maps, else in the basis of
/// [`basis`](super::basis). `slices[r][i]` is byte `i` of round `r` for the byte-sliced
/// form, four times; unused where words are the standard's.
#[derive(Clone, Copy)]
pub(super) struct RoundKeys {
    pub(super) words: Words,
    pub(super) slices: [[[u8; 4]; 4]; ROUNDS],
}

/// One word a round.
pub(super) type Words = [[u8; 4]; ROUNDS];

impl Wipe for RoundKeys {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.words);
        lanes::wipe::wipe(&mut self.slices);
    }
}

/// The order in which a direction uses the round keys: round `r` takes key `r ⊕ flip`.
pub(super) const ENCRYPT: usize = 0;
/// Decryption takes them in reverse (§7.2).
pub(super) const DECRYPT: usize = ROUNDS - 1;

impl RoundKeys {
    /// A place for round keys.
    pub(super) const ZERO: Self = Self { words: [[0; 4]; ROUNDS], slices: [[[0; 4]; 4]; ROUNDS] };
}
