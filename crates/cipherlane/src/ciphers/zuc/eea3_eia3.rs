//! 128-EEA3 and 128-EIA3 on one packet, as PDCP uses them together.
//!
//! Two keys, CK and IK, and two IVs, made of COUNT, BEARER and DIRECTION. The two generators
//! run side by side, so both algorithms cost little more than one of them. A header is
//! authenticated in front of the data and not encrypted. Tags of 4 bytes. A COUNT must never
//! repeat under one pair of keys, with the same BEARER and DIRECTION.
//!
//! This is no AEAD: the tag does not cover the encryption's IV, nor the boundary between header
//! and data. [`PduCipher`](crate::air::PduCipher) tells where that may be borne; a receiver must make the [`Frame`](crate::air::Frame)
//! from a COUNT of its own and know the header's length.
//!
//! ```
//! use cipherlane::air::{Bearer, Count, Direction};
//! use cipherlane::zuc::{Eea3Eia3, Frame, Order};
//!
//! let pdcp = Eea3Eia3::new(&[7; 32], Order::MacThenEncrypt)?;
//! let frame = Frame::new(Count(1), Bearer::new(3)?, Direction::Uplink);
//! let mut packet = *b"any number of bytes";
//! let mut tag = [0; 4];
//! pdcp.seal(frame, b"header", (&mut packet[..]).into(), &mut tag)?;
//! pdcp.open(frame, b"header", (&mut packet[..]).into(), &tag)?;
//! assert_eq!(&packet, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use lanes::InOut;

use super::key::{self, Key128, Load};
use super::mac::{Zuc128Mac, fused};
use super::{ANSWER, DEEP, Zuc128};
pub use crate::air::Order;
use crate::error::Error;
use crate::pdu::{self, pdu_pair};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::mac::Mac;

/// The lengths of both IVs in bytes, one behind the other.
pub(super) const NONCE: Sizes = Sizes::exactly(32);

pdu_pair!(
    /// 128-EEA3 under CK and 128-EIA3 under IK.
    Eea3Eia3, depth: DEEP, answer: ANSWER, ivs: NONCE, of: nonce
);

impl Eea3Eia3 {
    /// Encrypts or decrypts, and returns the tag, in the second order as it is sent.
    fn process(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        of_output: bool,
    ) -> Result<Secret<[u8; 4]>, Error> {
        let (ck, ik) = self.keys.0.split_at(16);
        let (cipher_iv, mac_iv) = nonce.split_at(16);
        let share = if aad.is_empty() { fused::share(io.len()) } else { 0 };
        let (mut cipher, mut mac, rest);
        if share == 0 {
            cipher = Zuc128::within(ck, cipher_iv, self.level)?;
            mac = Zuc128Mac::within(ik, mac_iv, 4, self.level)?;
            mac.update(aad)?;
            rest = io;
        } else {
            let cells = [key::cells::<Key128>(ck, cipher_iv)?, key::cells::<Key128>(ik, mac_iv)?];
            let cells = Secret(cells);
            let whole = io.part(0, share);
            let fused = fused::process(self.level, &cells.0, Key128::ROUNDS, whole, of_output);
            cipher = Zuc128::resume(self.level, &fused.0.cipher);
            mac = fused.0.mac(self.level, share);
            rest = io.split_at(share).1;
        }
        pdu::finish(self.order, &mut cipher, &mut mac, rest, of_output)
    }
}
