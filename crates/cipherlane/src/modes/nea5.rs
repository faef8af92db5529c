//! 256-NEA5, 256-NIA5 and 256-NCA5, the algorithms of 5G made of AES-256 (3GPP TS 35.244).
//!
//! | name | what | tag |
//! |---|---|---|
//! | [`Nea5`] | encryption of one packet | none |
//! | [`Nia5`] | the tag of one message | 4 to 16 bytes |
//! | [`Nca5`] | both at once, an AEAD | 4 to 16 bytes |
//!
//! The keystream is AES-256 of the IV's first 12 bytes and a counter of 32 bits from 0 on; the IV's last
//! four bytes are not used. The lowest bit of byte 0 tells the blocks of the tag, where it is 1, from the
//! keystream of the data. How COUNT, BEARER and DIRECTION stand in the IV, TS 35.244 says, whose text was
//! not at hand: `assuming` makes what its documentation tells. Keys of 32 bytes, IVs of 16. Constant time,
//! as AES is at every level.
//!
//! ```
//! use cipherlane::Aead;
//! use cipherlane::modes::nea5::{Nca5, Nea5};
//!
//! let (mut data, mut tag) = (*b"any number of bytes", [0; 16]);
//! let nca5 = Nca5::new(&[7; 32])?;
//! nca5.seal(&[4; 16], b"header", (&mut data[..]).into(), &mut tag)?;
//! nca5.open(&[4; 16], b"header", (&mut data[..]).into(), &tag)?;
//! assert_eq!(&data, b"any number of bytes");
//! Nea5::new(&[7; 32], &[0; 16])?.apply((&mut data[..]).into())?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use super::ctr::Ctr32;
use crate::air256::hash::Head;
use crate::air256::{Family, IV, Nca, Nea, Nia, Source};
use crate::ciphers::aes::{ANSWER, Aes256};
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::traits::block::BlockCipher;
use crate::traits::stream::StreamCipher;

/// 256-NEA5 of one packet.
pub type Nea5 = Nea<OfAes256>;
/// 256-NIA5 under one key and IV.
pub type Nia5 = Nia<OfAes256>;
/// 256-NCA5 under one key.
pub type Nca5 = Nca<OfAes256>;

/// AES-256 as a family of the air interface.
#[derive(Clone, Copy, Debug)]
pub enum OfAes256 {}

impl Family for OfAes256 {}

/// The keystream of 256-NEA5.
pub struct Nea5Stream<C>(Ctr32<C>);

/// The first counter of an IV, with this lowest bit of byte 0 where it is to be another one.
pub(crate) fn first_counter(iv: &[u8], bit: Option<u8>) -> Result<[u8; 16], Error> {
    check_length("iv", iv.len(), IV)?;
    let mut counter = [0; 16];
    counter[..12].copy_from_slice(&iv[..12]);
    if let Some(bit) = bit {
        counter[0] = counter[0] & !1 | bit;
    }
    Ok(counter)
}

impl<C: BlockCipher> Nea5Stream<C> {
    /// Under AES-256, with an IV of 16 bytes.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV has another length, or the cipher other blocks.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        Ctr32::new(cipher, &first_counter(iv, None)?).map(Self)
    }

    /// H, Q and P of an IV; the keystream of its data follows.
    fn set(&mut self, iv: &[u8], head: &mut Head) -> Result<(), Error> {
        let [of_tag, of_data] = [first_counter(iv, Some(1))?, first_counter(iv, Some(0))?];
        self.0.reset(&of_tag)?;
        self.0.keystream(head.as_flattened_mut())?;
        self.0.reset(&of_data)
    }
}

impl<C: BlockCipher> StreamCipher for Nea5Stream<C> {
    fn level(&self) -> Level {
        self.0.level()
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        self.0.apply_inout(io)
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        self.0.reset(&first_counter(iv, None)?)
    }
}

impl<C> fmt::Debug for Nea5Stream<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nea5Stream").finish_non_exhaustive()
    }
}

impl Source for OfAes256 {
    const NAMES: [&'static str; 3] = ["Nea5", "Nia5", "Nca5"];

    type Stream = Nea5Stream<Aes256>;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &ANSWER)
    }

    fn stream(key: &[u8], iv: &[u8], level: Level) -> Result<Self::Stream, Error> {
        Nea5Stream::new(Aes256::with_level(key, level)?, iv)
    }

    fn start(key: &[u8], iv: &[u8], level: Level, head: &mut Head) -> Result<Self::Stream, Error> {
        let mut stream = Nea5Stream::new(Aes256::with_level(key, level)?, iv)?;
        stream.set(iv, head)?;
        Ok(stream)
    }

    fn restart(stream: &mut Self::Stream, iv: &[u8], head: &mut Head) -> Result<(), Error> {
        stream.set(iv, head)
    }

    fn fork(stream: &Self::Stream) -> Self::Stream {
        Nea5Stream(stream.0.clone_under_the_same_iv())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{Nca5, Nea5Stream, Nia5};
    use crate::air256::IV;
    use crate::air256::{self, hash::TAGS};
    use crate::entry::constructor::{AeadStreaming, Constructor, mode};
    use crate::entry::kind::Kind;
    use crate::entry::row::{Over, Row};
    use crate::traits::stream::StreamCipher;

    const OVER: Over = Over::Block("aes-256");

    /// `nea5`.
    pub(crate) const NEA5: Row = Row {
        over: OVER,
        air: Some(air256::NEA),
        ..Row::mode(
            "nea5",
            "nea5",
            "3GPP TS 35.244 (256-NEA5)",
            mode!(
                |cipher, iv, io| Nea5Stream::new(cipher, iv)?.apply_inout(io),
                Stream,
                Nea5Stream::new
            ),
        )
    };

    /// `nia5`.
    pub(crate) const NIA5: Row = Row {
        over: OVER,
        air: Some(air256::NIA),
        iv: |_| IV,
        tag: |_| TAGS,
        ..Row::mac("nia5", "3GPP TS 35.244 (256-NIA5)", |_, key, iv, level| {
            Ok(Box::new(Nia5::with_level(key, iv, level)?))
        })
    };

    /// `nca5-seal`.
    pub(crate) const NCA5_SEAL: Row = Row {
        inverse: Some("nca5-open"),
        over: OVER,
        air: Some(air256::NCA),
        iv: |_| IV,
        tag: |_| TAGS,
        ..Row::new(
            "nca5-seal",
            Kind::Seal,
            "3GPP TS 35.244 (256-NCA5)",
            Constructor::Aead {
                new: |_, key, level| Ok(Box::new(Nca5::with_level(key, level)?)),
                streaming: AeadStreaming::No("the library has it for whole messages"),
            },
        )
    };

    /// `nca5-open`.
    pub(crate) const NCA5_OPEN: Row = NCA5_SEAL.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{NCA5_OPEN, NCA5_SEAL, NEA5, NIA5};
