//! 128-NEA1 and 128-NIA1 on one packet, as PDCP uses them together.

use lanes::InOut;

use super::{ANSWER, STACK, Snow3g, Uia2Mac};
use crate::error::Error;
use crate::pdu::{self, pdu_pair};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::mac::Mac;

/// The lengths of both IVs in bytes, one behind the other.
pub(super) const IVS: Sizes = Sizes::exactly(32);

pdu_pair!(
    /// 128-NEA1 under CK and 128-NIA1 under IK, of 16 bytes each.
    ///
    /// A header is authenticated in front of the data and not encrypted. Tags of 4 bytes. A COUNT must
    /// never repeat under one pair of keys, with the same BEARER and DIRECTION. This is no AEAD:
    /// [`PduCipher`](crate::air::PduCipher) tells what the tag does not cover and where that may be
    /// borne. Constant time at every level.
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
    Nea1Nia1, depth: STACK, answer: ANSWER, ivs: IVS, of: nea1_nia1_ivs
);

impl Nea1Nia1 {
    /// Encrypts or decrypts, and returns the tag, in the second order as it is sent.
    fn process(
        &self,
        ivs: &[u8],
        header: &[u8],
        io: InOut<'_>,
        of_output: bool,
    ) -> Result<Secret<[u8; 4]>, Error> {
        let ((ck, ik), (cipher_iv, mac_iv)) = (self.keys.0.split_at(16), ivs.split_at(16));
        let mut cipher = Snow3g::within(ck, cipher_iv, self.level)?;
        let mut mac = Uia2Mac::within(ik, mac_iv, self.level)?;
        mac.update(header)?;
        pdu::finish(self.order, &mut cipher, &mut mac, io, of_output)
    }
}
