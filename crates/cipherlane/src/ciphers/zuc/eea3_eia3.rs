//! 128-EEA3 and 128-EIA3 on one packet, as PDCP uses them together.
//!
//! Two keys, CK and IK, and two IVs, made of COUNT, BEARER and DIRECTION. The two generators
//! run side by side, so both algorithms cost little more than one of them. A header is
//! authenticated in front of the data and not encrypted. Tags of 4 bytes. A COUNT must never
//! repeat under one pair of keys, with the same BEARER and DIRECTION.
//!
//! This is no AEAD: the tag does not cover the encryption's IV, nor the boundary between header
//! and data. [`PduCipher`] tells where that may be borne; a receiver must make the [`Frame`]
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

use core::fmt;

use lanes::{InOut, Level};

use super::key::{self, Key128, Load};
use super::mac::{Zuc128Mac, fused};
use super::{DEEP, Frame, Zuc128};
pub use crate::air::Order;
use crate::air::PduCipher;
use crate::ct;
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::{Secret, Trace};
use crate::sizes::Sizes;
use crate::traits::mac::Mac;
use crate::traits::stream::StreamCipher;

/// The lengths of keys, nonce and tag in bytes: CK and IK, the IVs of both.
pub(super) const KEYS: Sizes = Sizes::exactly(32);
pub(super) const NONCE: Sizes = Sizes::exactly(32);
pub(super) const TAG: Sizes = Sizes::exactly(4);

/// 128-EEA3 under CK and 128-EIA3 under IK.
#[derive(Clone)]
pub struct Eea3Eia3 {
    _trace: Trace,
    level: Level,
    /// CK, then IK.
    keys: Secret<[u8; 32]>,
    order: Order,
}

impl Eea3Eia3 {
    /// Under CK and IK, 16 bytes each one behind the other, at the level
    /// [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if that is not 32 bytes, [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
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
        let mut both = Self { _trace: Trace::of(level, DEEP), level, keys: Secret([0; 32]), order };
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
        self.seal_pdu(&frame.nonce(), header, io, tag)
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
        self.open_pdu(&frame.nonce(), header, io, tag)
    }

    /// Encrypts or decrypts, and returns the tag, in the second order as it is sent.
    fn process(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        of_output: bool,
    ) -> Result<Secret<[u8; 4]>, Error> {
        check_length("ivs", nonce.len(), NONCE)?;
        let (ck, ik) = self.keys.0.split_at(16);
        let (cipher_iv, mac_iv) = nonce.split_at(16);
        let share = if aad.is_empty() { fused::share(io.len()) } else { 0 };
        let (mut cipher, mut mac, mut rest);
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
        if of_output {
            cipher.apply_inout(rest.reborrow())?;
            mac.update(rest.output())?;
        } else {
            mac.update(rest.input())?;
            cipher.apply_inout(rest)?;
        }
        let mut tag = Secret([0; 4]);
        mac.finish(&mut tag.0)?;
        if self.order == Order::MacThenEncrypt {
            cipher.apply(&mut tag.0)?;
        }
        Ok(tag)
    }
}

impl PduCipher for Eea3Eia3 {
    fn seal_pdu(
        &self,
        nonce: &[u8],
        aad: &[u8],
        io: InOut<'_>,
        tag: &mut [u8],
    ) -> Result<(), Error> {
        check_length("tag", tag.len(), TAG)?;
        let of_output = self.order == Order::EncryptThenMac;
        tag.copy_from_slice(&self.process(nonce, aad, io, of_output)?.0);
        Ok(())
    }

    fn open_pdu(
        &self,
        nonce: &[u8],
        aad: &[u8],
        mut io: InOut<'_>,
        tag: &[u8],
    ) -> Result<(), Error> {
        check_length("tag", tag.len(), TAG)?;
        let of_output = self.order == Order::MacThenEncrypt;
        let computed = self.process(nonce, aad, io.reborrow(), of_output)?;
        if ct::equal(&computed.0, tag) {
            return Ok(());
        }
        io.output().fill(0);
        Err(Error::Authentication)
    }
}

impl fmt::Debug for Eea3Eia3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("Eea3Eia3");
        f.field("level", &self.level).field("order", &self.order).finish_non_exhaustive()
    }
}
