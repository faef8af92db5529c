//! 128-NEA2 and 128-NIA2 on one packet, as PDCP uses them together.

use lanes::InOut;

use crate::ciphers::aes::{ANSWER, Aes128};
use crate::error::Error;
use crate::mac::nia2::Nia2Mac;
use crate::modes::ctr::Ctr;
use crate::pdu::{self, pdu_pair};
use crate::secret::{Depth, Secret};
use crate::sizes::Sizes;
use crate::traits::mac::Mac;

/// The lengths of both IVs in bytes, one behind the other: a counter's block, and what stands in front of
/// the message.
pub(crate) const IVS: Sizes = Sizes::exactly(24);

/// What is cleared of the stack when an object ends.
const STACK: Depth = Depth::of(8 << 10);

pdu_pair!(
    /// 128-NEA2 under CK and 128-NIA2 under IK, of 16 bytes each (3GPP TS 33.501 annex D.2.1.3 and
    /// D.3.1.3).
    ///
    /// A header is authenticated in front of the data and not encrypted. Tags of 4 bytes. A COUNT must
    /// never repeat under one pair of keys, with the same BEARER and DIRECTION. This is no AEAD:
    /// [`PduCipher`](crate::air::PduCipher) tells what the tag does not cover and where that may be
    /// borne. Constant time at every level.
    ///
    /// ```
    /// use cipherlane::aead::nea2_nia2::Nea2Nia2;
    /// use cipherlane::air::{Bearer, Count, Direction, Frame, Order};
    ///
    /// let pdcp = Nea2Nia2::new(&[7; 32], Order::MacThenEncrypt)?;
    /// let frame = Frame::new(Count(1), Bearer::new(3)?, Direction::Uplink);
    /// let mut packet = *b"any number of bytes";
    /// let mut tag = [0; 4];
    /// pdcp.seal(frame, b"header", (&mut packet[..]).into(), &mut tag)?;
    /// pdcp.open(frame, b"header", (&mut packet[..]).into(), &tag)?;
    /// assert_eq!(&packet, b"any number of bytes");
    /// # Ok::<(), cipherlane::Error>(())
    /// ```
    Nea2Nia2, depth: STACK, answer: ANSWER, ivs: IVS, of: nea2_nia2_ivs
);

impl Nea2Nia2 {
    /// Encrypts or decrypts, and returns the tag, in the second order as it is sent.
    fn process(
        &self,
        ivs: &[u8],
        header: &[u8],
        io: InOut<'_>,
        of_output: bool,
    ) -> Result<Secret<[u8; 4]>, Error> {
        let ((ck, ik), (counter, front)) = (self.keys.0.split_at(16), ivs.split_at(16));
        let mut cipher = Ctr::new(Aes128::with_level(ck, self.level)?, counter)?;
        let mut mac = Nia2Mac::with_level(ik, front, self.level)?;
        mac.update(header)?;
        pdu::finish(self.order, &mut cipher, &mut mac, io, of_output)
    }
}

#[cfg(feature = "alloc")]
mod row {
    use alloc::boxed::Box;

    use super::{IVS, Nea2Nia2};
    use crate::air::{FrameIv, Iv, Order};
    use crate::entry::constructor::Constructor;
    use crate::entry::kind::Kind;
    use crate::entry::row::{Over, Row};
    use crate::pdu::{KEYS, TAG};

    /// `nea2+nia2`: the ciphertext is authenticated. The key is CK and IK, the nonce the IVs of both.
    pub(crate) const SEAL: Row = Row {
        inverse: Some("nea2+nia2-open"),
        over: Over::Block("aes-128"),
        key: |_| KEYS,
        iv: |_| IVS,
        tag: |_| TAG,
        air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.nea2_nia2_ivs())))),
        ..Row::new(
            "nea2+nia2",
            Kind::Seal,
            "3GPP TS 33.501 annex D",
            Constructor::Pdu(|key, level| {
                Ok(Box::new(Nea2Nia2::with_level(key, Order::EncryptThenMac, level)?))
            }),
        )
    };

    /// `nea2+nia2-open`.
    pub(crate) const OPEN: Row = SEAL.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use row::{OPEN, SEAL};
