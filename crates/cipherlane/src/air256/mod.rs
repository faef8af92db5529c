//! What the 256-bit families of 3GPP share: 256-NEA4 to NEA6, NIA4 to NIA6, NCA4 to NCA6.
//!
//! They differ in where a keystream comes from; a [`Family`] tells it. Tag and objects are the same:
//! [`Nea`], [`Nia`] and [`Nca`], to which the ciphers' modules give the names that users know.

pub(crate) mod hash;
mod nca;
mod nea;
mod nia;

use lanes::Level;

use crate::air::{Bearer, Count, Direction};
use crate::error::Error;
use crate::secret::Depth;
use crate::sizes::Sizes;
use crate::traits::stream::StreamCipher;
use hash::Head;
pub use nca::Nca;
pub use nea::Nea;
pub use nia::Nia;

/// The key's length in bytes.
pub(crate) const KEY: Sizes = Sizes::exactly(32);
/// The IV's length in bytes.
pub(crate) const IV: Sizes = Sizes::exactly(16);
/// How deep the operations go on the stack.
pub(crate) const DEEP: Depth = Depth::of(16 << 10);

mod sealed {
    use super::{Error, Head, Level, StreamCipher};

    /// What a cipher's folder gives, out of users' reach.
    pub trait Source: Sized + Send + Sync + 'static {
        /// Names of the encryption, of the tag, and of both at once.
        const NAMES: [&'static str; 3];

        /// The keystream of a message's data.
        type Stream: StreamCipher + Send + Sync;

        /// Whether objects may be made at a level.
        ///
        /// # Errors
        /// [`Error::SelfTest`] where they may not.
        fn admit(level: Level) -> Result<(), Error>;

        /// The keystream of NEA.
        ///
        /// # Errors
        /// [`Error::Length`] if key or IV have a wrong length.
        fn stream(key: &[u8], iv: &[u8], level: Level) -> Result<Self::Stream, Error>;

        /// The keystream of the data behind the head, which serves the tag. Another object clears
        /// the stack.
        ///
        /// # Errors
        /// As [`stream`](Self::stream).
        fn start(
            key: &[u8],
            iv: &[u8],
            level: Level,
            head: &mut Head,
        ) -> Result<Self::Stream, Error>;

        /// The same again under the key of a keystream.
        ///
        /// # Errors
        /// [`Error::Length`] if the IV has a wrong length.
        fn restart(stream: &mut Self::Stream, iv: &[u8], head: &mut Head) -> Result<(), Error>;

        /// A copy at the same place of the same keystream.
        fn fork(stream: &Self::Stream) -> Self::Stream;
    }
}
pub(crate) use sealed::Source;

/// One of the families; sealed.
pub trait Family: Source {}

/// An IV, **assumed**: the texts of TS 35.240, 35.244 and 35.246 were not at hand.
///
/// Known from published test data is that byte 0 tells the algorithm and the tag's length, that
/// byte 1 is below 64, and that bytes 12 to 15 are 0. Assumed is that byte 1 has BEARER in front of
/// DIRECTION, as 128-NEA3 has them, and that COUNT stands in bytes 2 to 5.
const fn assumed_iv(first: u8, count: Count, bearer: Bearer, direction: Direction) -> [u8; 16] {
    let [a, b, c, d] = count.0.to_be_bytes();
    let second = bearer.get() << 1 | direction.bit();
    [first, second, a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
}

/// The IV of NEA.
pub(crate) const fn nea_iv(count: Count, bearer: Bearer, direction: Direction) -> [u8; 16] {
    assumed_iv(0, count, bearer, direction)
}

/// The IV of NIA for tags of that many bytes: byte 0 is the tag's length in bits.
///
/// # Errors
/// [`Error::Length`] if a tag can't have that length.
pub(crate) fn nia_iv(
    count: Count,
    bearer: Bearer,
    direction: Direction,
    tag: usize,
) -> Result<[u8; 16], Error> {
    hash::check_tag(tag)?;
    Ok(assumed_iv(8 * tag as u8, count, bearer, direction))
}

#[cfg(feature = "alloc")]
mod ivs {
    use super::{nca_nonce, nea_iv, nia_iv};
    use crate::air::{Frame, FrameIv, Iv};

    const fn of(frame: Frame) -> (crate::air::Count, crate::air::Bearer, crate::air::Direction) {
        (frame.count, frame.bearer, frame.direction)
    }

    /// The registry's, of NEA.
    pub(crate) const NEA: FrameIv = FrameIv::assumed(|frame, _| {
        let (count, bearer, direction) = of(frame);
        Ok(Iv::of(&nea_iv(count, bearer, direction)))
    });

    /// Of NIA.
    pub(crate) const NIA: FrameIv = FrameIv::assumed(|frame, tag| {
        let (count, bearer, direction) = of(frame);
        Ok(Iv::of(&nia_iv(count, bearer, direction, tag)?))
    });

    /// Of NCA.
    pub(crate) const NCA: FrameIv = FrameIv::assumed(|frame, tag| {
        let (count, bearer, direction) = of(frame);
        Ok(Iv::of(&nca_nonce(count, bearer, direction, tag)))
    });
}
#[cfg(feature = "alloc")]
pub(crate) use ivs::{NCA, NEA, NIA};

/// The nonce of NCA for tags of that many bytes, 4 to 16: byte 0 is the tag's length in bits and 4.
pub(crate) const fn nca_nonce(
    count: Count,
    bearer: Bearer,
    direction: Direction,
    tag: usize,
) -> [u8; 16] {
    assumed_iv(8 * tag as u8 + 4, count, bearer, direction)
}
