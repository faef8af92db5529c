//! The members of the family: what of a key and an IV each takes.

use super::load::{self, Constants, Purpose};
use crate::error::{Error, check_length};
use crate::sizes::Sizes;

mod sealed {
    use crate::ciphers::zuc::load::Purpose;

    /// What the kernel must know of a [`Member`](super::Member), out of users' reach.
    pub trait Load {
        /// Initialisation clocks before the one whose word is discarded; a multiple of 4.
        const ROUNDS: usize;

        /// Refuses values of an IV of right length that the cipher doesn't take.
        fn check_iv(_iv: &[u8]) -> Result<(), crate::error::Error> {
            Ok(())
        }

        /// The cells, from a key and an IV that have been checked.
        fn load(key: &[u8], iv: &[u8], purpose: Purpose) -> [u32; 16];
    }
}
pub(super) use sealed::Load;

/// A member of the ZUC family; sealed.
pub trait Member: Load + Clone + Send + Sync + 'static {
    /// The key's length in bytes.
    const KEY: Sizes;
    /// The IV's lengths in bytes.
    const IV: Sizes;
    /// The most keystream bytes under one key and IV.
    const LIMIT: Option<u64>;
}

/// ZUC-128: GM/T 0001.1-2012, GB/T 33133.1-2016, 3GPP TS 35.222.
#[derive(Clone, Copy, Debug)]
pub enum Key128 {}

/// ZUC-256 as published in 2018: a 184-bit IV, 32 + 1 initialisation rounds.
#[derive(Clone, Copy, Debug)]
pub enum Key256Of2018 {}

/// ZUC-256 as in the addendum of 2021: a 128-bit IV, 32 + 1 initialisation rounds.
#[derive(Clone, Copy, Debug)]
pub enum Key256Of2021 {}

/// ZUC-256 as published in 2023: a 128-bit IV, 48 + 1 initialisation rounds.
#[derive(Clone, Copy, Debug)]
pub enum Key256Of2023 {}

impl Load for Key128 {
    const ROUNDS: usize = 32;

    #[inline(always)]
    fn load(key: &[u8], iv: &[u8], _: Purpose) -> [u32; 16] {
        load::of_128(key, iv)
    }
}

impl Member for Key128 {
    const KEY: Sizes = Sizes::exactly(16);
    const IV: Sizes = Sizes::exactly(16);
    const LIMIT: Option<u64> = None;
}

impl Load for Key256Of2018 {
    const ROUNDS: usize = 32;

    fn check_iv(iv: &[u8]) -> Result<(), Error> {
        load::check_six_bits(iv)
    }

    fn load(key: &[u8], iv: &[u8], purpose: Purpose) -> [u32; 16] {
        load::of_184(&Constants::of_2018(purpose), key, &load::unpack(iv))
    }
}

impl Member for Key256Of2018 {
    const KEY: Sizes = Sizes::exactly(32);
    const IV: Sizes = Sizes::steps(23, 25, 2);
    /// 20 000 bits.
    const LIMIT: Option<u64> = Some(2500);
}

impl Load for Key256Of2021 {
    const ROUNDS: usize = 32;

    fn load(key: &[u8], iv: &[u8], purpose: Purpose) -> [u32; 16] {
        load::of_256(&Constants::of_2021(purpose), key, iv)
    }
}

impl Member for Key256Of2021 {
    const KEY: Sizes = Sizes::exactly(32);
    const IV: Sizes = Sizes::exactly(16);
    const LIMIT: Option<u64> = None;
}

impl Load for Key256Of2023 {
    const ROUNDS: usize = 48;

    fn load(key: &[u8], iv: &[u8], purpose: Purpose) -> [u32; 16] {
        Key256Of2021::load(key, iv, purpose)
    }
}

impl Member for Key256Of2023 {
    const KEY: Sizes = Sizes::exactly(32);
    const IV: Sizes = Sizes::exactly(16);
    const LIMIT: Option<u64> = None;
}

/// Whether `M` takes such a key and IV.
pub(super) fn check<M: Member>(key: &[u8], iv: &[u8]) -> Result<(), Error> {
    check_length("key", key.len(), M::KEY)?;
    check_length("iv", iv.len(), M::IV)?;
    M::check_iv(iv)
}

/// Checks the lengths of a key and an IV for `M`, then loads them for encryption.
pub(super) fn cells<M: Member>(key: &[u8], iv: &[u8]) -> Result<[u32; 16], Error> {
    cells_for::<M>(Purpose::Keystream, key, iv)
}

/// Checks the lengths of a key and an IV for `M`, then loads them for a use.
pub(super) fn cells_for<M: Member>(
    purpose: Purpose,
    key: &[u8],
    iv: &[u8],
) -> Result<[u32; 16], Error> {
    check::<M>(key, iv)?;
    Ok(M::load(key, iv, purpose))
}
