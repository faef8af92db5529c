//! XTS, for data at rest: IEEE 1619-2018 and SP 800-38E ([`Xts`]), and the mode of
//! the same name of GB/T 17964-2021 ([`XtsGb`]).
//!
//! The two read the bytes of a tweak in different orders, so they differ from the
//! second block on; they are different types and can't be mixed up. Each data
//! unit, e.g. a sector, is encrypted under its own tweak: `Cⱼ = E₁(Pⱼ ⊕ Tⱼ) ⊕ Tⱼ`
//! with `T₀ = E₂(tweak)` and `Tⱼ₊₁ = Tⱼ·α`. Of a last block that is cut short,
//! ciphertext stealing makes the output as long as the input.
//!
//! A data unit has 16 bytes to 2²⁰ blocks, and the two keys must differ. XTS gives
//! no authenticity: a changed block decrypts to noise, unnoticed. Constant-time
//! where the cipher is.
//!
//! ```
//! use cipherlane::Sm4;
//! use cipherlane::modes::xts::Xts;
//!
//! let key: Vec<u8> = (0..32).collect();
//! let xts = Xts::from_key(&key, Sm4::new)?;
//! let mut disk = vec![0; 8 * 512];
//! // Eight sectors from number 1000 on; any of them can be read alone.
//! xts.encrypt_sectors(1000, 512, disk.as_mut_slice().into())?;
//! let sector = &mut disk[3 * 512..4 * 512];
//! xts.decrypt(&1003_u128.to_le_bytes(), sector.into())?;
//! assert_eq!(sector, [0; 512]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::marker::PhantomData;

use lanes::{InOut, Level};

use crate::ct;
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::BlockCipher;
use crate::traits::mode::{Direction, MessageMode};

mod sectors;
mod standard;
mod unit;

#[cfg(feature = "parallel")]
pub(crate) use sectors::check_sectors;
pub use standard::{Gb17964, Ieee1619, Standard};
pub use unit::{Decryptor, Encryptor};

/// XTS of IEEE 1619-2018 and SP 800-38E.
pub type Xts<C> = XtsMode<C, Ieee1619>;
/// XTS of GB/T 17964-2021.
pub type XtsGb<C> = XtsMode<C, Gb17964>;

/// The length of a block and of a tweak in bytes.
pub(crate) const BLOCK: usize = 16;
/// The most blocks of one data unit (SP 800-38E §4, IEEE 1619-2018 §5.1).
const MAX_BLOCKS: usize = 1 << 20;
/// The lengths of a data unit in bytes.
const UNIT: Sizes = Sizes::between(BLOCK, MAX_BLOCKS * BLOCK);

/// XTS under a data key and a tweak key; use it by the names [`Xts`] and [`XtsGb`].
#[derive(Debug)]
pub struct XtsMode<C, S> {
    data: C,
    tweak: C,
    standard: PhantomData<fn() -> S>,
}

impl<C: Clone, S> Clone for XtsMode<C, S> {
    fn clone(&self) -> Self {
        Self { data: self.data.clone(), tweak: self.tweak.clone(), standard: PhantomData }
    }
}

impl<C: BlockCipher, S: Standard> XtsMode<C, S> {
    /// Under two ready ciphers, for the data and for the tweaks.
    ///
    /// # Errors
    /// [`Error::Length`] if a block is not 16 bytes; [`Error::EqualKeys`] if the
    /// ciphers have the same key, which shows in what they make of a block.
    pub fn new(data: C, tweak: C) -> Result<Self, Error> {
        check_length("block", data.block_size(), Sizes::exactly(BLOCK))?;
        check_length("block", tweak.block_size(), Sizes::exactly(BLOCK))?;
        let mut blocks = Secret([0; 2 * BLOCK]);
        let (first, second) = blocks.0.split_at_mut(BLOCK);
        data.encrypt_block(first);
        tweak.encrypt_block(second);
        if ct::equal(first, second) {
            return Err(Error::EqualKeys);
        }
        Ok(Self { data, tweak, standard: PhantomData })
    }

    /// Under one key of twice a cipher's length, the data key first; `cipher` makes
    /// a cipher from a key.
    ///
    /// # Errors
    /// [`Error::EqualKeys`] if the halves are equal; what `cipher` says to a half of
    /// a wrong length; [`Error::Length`] for the key if its length is odd, and if a
    /// block is not 16 bytes.
    pub fn from_key<F>(key: &[u8], cipher: F) -> Result<Self, Error>
    where
        F: Fn(&[u8]) -> Result<C, Error>,
    {
        let half = key.len() / 2;
        let even = Sizes::steps(2 * BLOCK, 4 * BLOCK, 2);
        if !key.len().is_multiple_of(2) {
            return Err(Error::Length { field: "key", got: key.len(), allowed: even });
        }
        let (data_key, tweak_key) = key.split_at(half);
        let (data, tweak) = (cipher(data_key)?, cipher(tweak_key)?);
        if ct::equal(data_key, tweak_key) {
            return Err(Error::EqualKeys);
        }
        check_length("block", data.block_size(), Sizes::exactly(BLOCK))?;
        Ok(Self { data, tweak, standard: PhantomData })
    }

    /// Under two ciphers whose keys may be equal: only to read what was encrypted so, as the two
    /// keys of XTS must differ (SP 800-38E by FIPS 140-3 IG C.I). Under equal keys chosen texts
    /// tell what other blocks hold.
    ///
    /// # Errors
    /// [`Error::Length`] if a block is not 16 bytes.
    pub fn even_with_equal_keys(data: C, tweak: C) -> Result<Self, Error> {
        check_length("block", data.block_size(), Sizes::exactly(BLOCK))?;
        check_length("block", tweak.block_size(), Sizes::exactly(BLOCK))?;
        Ok(Self { data, tweak, standard: PhantomData })
    }

    /// Under two ciphers whose keys are known to differ.
    #[cfg(feature = "alloc")]
    pub(crate) const fn of(data: C, tweak: C) -> Self {
        Self { data, tweak, standard: PhantomData }
    }

    /// The level the data's cipher runs at.
    pub fn level(&self) -> Level {
        self.data.level()
    }

    /// Encrypts one data unit under a tweak of 16 bytes; the tweak of a sector is
    /// its number, little-endian.
    ///
    /// # Errors
    /// [`Error::Length`] if the tweak is not 16 bytes or the data shorter than that,
    /// [`Error::Limit`] if the data is longer than 2²⁰ blocks.
    pub fn encrypt(&self, tweak: &[u8], io: InOut<'_>) -> Result<(), Error> {
        check_unit(io.len())?;
        let mut io = io;
        if self.at_once(Direction::Encrypt, tweak, &mut io) {
            return Ok(());
        }
        let mut start = self.start(tweak)?;
        self.unit::<false>(&mut start.0, io);
        Ok(())
    }

    /// Decrypts one data unit under a tweak of 16 bytes.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, tweak: &[u8], io: InOut<'_>) -> Result<(), Error> {
        check_unit(io.len())?;
        let mut io = io;
        if self.at_once(Direction::Decrypt, tweak, &mut io) {
            return Ok(());
        }
        let mut start = self.start(tweak)?;
        self.unit::<true>(&mut start.0, io);
        Ok(())
    }

    /// A unit of whole blocks by the cipher's own kernel for unit and tweak together, if it has one.
    #[inline(always)]
    fn at_once(&self, direction: Direction, tweak: &[u8], io: &mut InOut<'_>) -> bool {
        let whole = !S::REFLECTED && io.len().is_multiple_of(BLOCK);
        match (tweak.try_into(), self.tweak.itself()) {
            (Ok(tweak), Some(tweaks)) if whole => self.data.xts(direction, tweaks, tweak, io),
            _ => false,
        }
    }

    /// `T₀ = E₂(tweak)`.
    pub(crate) fn start(&self, tweak: &[u8]) -> Result<Secret<[u8; BLOCK]>, Error> {
        check_length("tweak", tweak.len(), Sizes::exactly(BLOCK))?;
        let mut start = Secret([0; BLOCK]);
        start.0.copy_from_slice(tweak);
        self.tweak.encrypt_block(&mut start.0);
        Ok(start)
    }

    /// `outⱼ = cipher₁(inⱼ ⊕ tweakⱼ) ⊕ tweakⱼ`.
    fn blocks<const DECRYPT: bool>(&self, io: InOut<'_>, tweaks: &[u8]) {
        if DECRYPT {
            self.data.decrypt_blocks(io, Some(tweaks), Some(tweaks));
        } else {
            self.data.encrypt_blocks(io, Some(tweaks), Some(tweaks));
        }
    }
}

/// What a data unit that is too long is answered with.
const TOO_LONG: Error =
    Error::Limit { what: "blocks of 16 bytes in one data unit", limit: MAX_BLOCKS as u64 };

/// Returns an error unless a data unit may have that many bytes.
pub(crate) fn check_unit(len: usize) -> Result<(), Error> {
    if len > UNIT.max { Err(TOO_LONG) } else { check_length("data", len, UNIT) }
}

impl<C: BlockCipher, S: Standard> MessageMode for XtsMode<C, S> {
    fn encrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.encrypt(iv, io)
    }
    fn decrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.decrypt(iv, io)
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use lanes::{InOut, Level};

    use super::{BLOCK, Gb17964, Ieee1619, Standard, UNIT, XtsMode};
    use crate::ct;
    use crate::entry::Algorithm;
    use crate::entry::constructor::Constructor;
    use crate::entry::row::{Over, Row};
    use crate::error::Error;
    use crate::traits::block::BlockCipher;
    use crate::traits::mode::MessageMode;

    /// The mode over two ciphers that one constructor made for the halves of one key: what the
    /// first takes, the second takes.
    struct OfOneKey<S>(XtsMode<Box<dyn BlockCipher>, S>);

    impl<S: Standard> MessageMode for OfOneKey<S> {
        fn take_key(&mut self, key: &[u8]) -> bool {
            let (data, tweak) = key.split_at(key.len() / 2);
            // Equal halves are for the constructor to refuse.
            let halves = data.len() == tweak.len() && !ct::equal(data, tweak);
            halves && self.0.data.rekey(data) && self.0.tweak.rekey(tweak)
        }
        fn encrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
            self.0.encrypt(iv, io)
        }
        fn decrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
            self.0.decrypt(iv, io)
        }
    }

    /// The two ciphers, whatever the standard.
    #[inline(never)]
    fn ciphers(
        of: &'static Algorithm,
        key: &[u8],
        level: Level,
    ) -> Result<XtsMode<Box<dyn BlockCipher>, Ieee1619>, Error> {
        XtsMode::from_key(key, |key| of.cipher(key, level))
    }

    fn of_one_key<S: Standard + 'static>(
        of: &'static Algorithm,
        key: &[u8],
        level: Level,
    ) -> Result<Box<dyn MessageMode>, Error> {
        let XtsMode { data, tweak, .. } = ciphers(of, key, level)?;
        Ok(Box::new(OfOneKey::<S>(XtsMode::of(data, tweak))))
    }

    /// `xts-encrypt`.
    pub(crate) const ENCRYPT: Row = Row {
        over: Over::Blocks(&[BLOCK]),
        key: |cipher| cipher.through(|cipher| 2 * cipher),
        data: |_| UNIT,
        ..Row::mode(
            "xts-encrypt",
            "xts-decrypt",
            "IEEE 1619-2018, SP 800-38E",
            Constructor::Message(of_one_key::<Ieee1619>),
        )
    };

    /// `xts-decrypt`.
    pub(crate) const DECRYPT: Row = ENCRYPT.undo();

    /// `xts-gb-encrypt`.
    pub(crate) const GB_ENCRYPT: Row = Row {
        name: "xts-gb-encrypt",
        inverse: Some("xts-gb-decrypt"),
        standard: "GB/T 17964-2021 (XTS)",
        new: Constructor::Message(of_one_key::<Gb17964>),
        ..ENCRYPT
    };

    /// `xts-gb-decrypt`.
    pub(crate) const GB_DECRYPT: Row = GB_ENCRYPT.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT, GB_DECRYPT, GB_ENCRYPT};
