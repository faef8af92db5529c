//! 128-NEA1 and 128-NIA1 on one packet, as PDCP uses them together.

use core::fmt;

use lanes::{InOut, Level};

use super::{STACK, Snow3g, Uia2Mac};
use crate::air::{Frame, Order, PduCipher};
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::mac::Mac;
use crate::traits::stream::StreamCipher;

/// The lengths of keys, IVs and tag in bytes: CK and IK, the IVs of both.
pub(super) const KEYS: Sizes = Sizes::exactly(32);
pub(super) const IVS: Sizes = Sizes::exactly(32);
pub(super) const TAG: Sizes = Sizes::exactly(super::mac::TAG);

/// 128-NEA1 under CK and 128-NIA1 under IK, of 16 bytes each.
///
/// A header is authenticated in front of the data and not encrypted. Tags of 4 bytes. A COUNT must
/// never repeat under one pair of keys, with the same BEARER and DIRECTION. This is no AEAD:
/// [`PduCipher`] tells what the tag does not cover and where that may be borne. Constant time at every
/// level.
///
/// ```
/// use cipherlane::air::{Bearer, Count, Direction, Frame, Order};
/// use cipherlane::snow3g::Nea1Nia1;
///
/// let pdcp = Nea1Nia1::new(&[7; 32], Order::MacThenEncrypt)?;
/// let frame = Frame::new(Count(1), Bearer::new(3)?, Direction::Uplink);
/// let mut packet = *b"any number of bytes";
/// let mut tag = [0; 4];
/// pdcp.seal(frame, b"header", (&mut packet[..]).into(), &mut tag)?;
/// pdcp.open(frame, b"header", (&mut packet[..]).into(), &tag)?;
/// assert_eq!(&packet, b"any number of bytes");
/// # Ok::<(), cipherlane::Error>(())
/// ```
#[derive(Clone)]
pub struct Nea1Nia1 {
    _trace: Trace,
    level: Level,
    /// CK, then IK.
    keys: Secret<[u8; 32]>,
    order: Order,
}

impl Nea1Nia1 {
    /// Under CK and IK, one behind the other, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if that is not 32 bytes, [`Error::Level`] if `CIPHERLANE_LEVEL` names no
    /// level.
    pub fn new(keys: &[u8], order: Order) -> Result<Self, Error> {
        Self::with_level(keys, order, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the keys are not 32 bytes.
    pub fn with_level(keys: &[u8], order: Order, level: Level) -> Result<Self, Error> {
        admit(level, &super::ANSWER)?;
        check_length("keys", keys.len(), KEYS)?;
        let mut both =
            Self { _trace: Trace::of(level, STACK), level, keys: Secret([0; 32]), order };
        both.keys.0.copy_from_slice(keys);
        Ok(both)
    }

    /// Encrypts a packet's data and writes the tag of header and data.
    ///
    /// # Errors
    /// None today: all values were checked before. A later version may refuse some.
    pub fn seal(
        &self,
        frame: Frame,
        header: &[u8],
        io: InOut<'_>,
        tag: &mut [u8; 4],
    ) -> Result<(), Error> {
        self.seal_pdu(&frame.nea1_nia1_ivs(), header, io, tag)
    }

    /// Decrypts a packet's data if the tag is right.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it is wrong; the output is then all zeros.
    pub fn open(
        &self,
        frame: Frame,
        header: &[u8],
        io: InOut<'_>,
        tag: &[u8; 4],
    ) -> Result<(), Error> {
        self.open_pdu(&frame.nea1_nia1_ivs(), header, io, tag)
    }

    /// Encrypts or decrypts, and returns the tag, in the second order as it is sent.
    fn process(
        &self,
        ivs: &[u8],
        header: &[u8],
        mut io: InOut<'_>,
        of_output: bool,
    ) -> Result<Secret<[u8; 4]>, Error> {
        check_length("ivs", ivs.len(), IVS)?;
        let ((ck, ik), (cipher_iv, mac_iv)) = (self.keys.0.split_at(16), ivs.split_at(16));
        let mut cipher = Snow3g::within(ck, cipher_iv, self.level)?;
        let mut mac = Uia2Mac::within(ik, mac_iv, self.level)?;
        mac.update(header)?;
        if of_output {
            cipher.apply_inout(io.reborrow())?;
            mac.update(io.output())?;
        } else {
            mac.update(io.input())?;
            cipher.apply_inout(io)?;
        }
        let mut tag = Secret([0; 4]);
        mac.finish(&mut tag.0)?;
        if self.order == Order::MacThenEncrypt {
            cipher.apply(&mut tag.0)?;
        }
        Ok(tag)
    }
}

impl PduCipher for Nea1Nia1 {
    fn seal_pdu(
        &self,
        ivs: &[u8],
        header: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        check_length("tag", tag.len(), TAG)?;
        let of_output = self.order == Order::EncryptThenMac;
        tag.copy_from_slice(&self.process(ivs, header, io, of_output)?.0);
        Ok(())
    }

    fn open_pdu(
        &self,
        ivs: &[u8],
        header: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        check_length("tag", tag.len(), TAG)?;
        let of_output = self.order == Order::MacThenEncrypt;
        let computed = self.process(ivs, header, io.reborrow(), of_output)?;
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }
}

impl fmt::Debug for Nea1Nia1 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Nea1Nia1");
        f.field("level", &self.level).field("order", &self.order).finish_non_exhaustive()
    }
}
