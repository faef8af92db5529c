//! 128-NIA2, the integrity algorithm of LTE and 5G made of AES-128: the CMAC of COUNT, BEARER,
//! DIRECTION, 26 zero bits and the message, of any number of bits (3GPP TS 33.501 annex D.3.1.3;
//! 128-EIA2 of TS 33.401 annex B.2.3).
//!
//! Constant time, as AES is at every level.
//!
//! ```
//! use cipherlane::air::{Bearer, Count, Direction};
//! use cipherlane::mac::nia2::Nia2;
//!
//! // TS 33.401 annex C.2, 128-EIA2 test set 1: 58 bits.
//! let key = 0x2bd6_459f_82c5_b300_952c_4910_4881_ff48_u128.to_be_bytes();
//! let nia2 = || Nia2::new(&key, Count(0x38a6_f056), Bearer::new(0x18)?, Direction::Uplink);
//! let message = [0x33, 0x32, 0x34, 0x62, 0x63, 0x39, 0x38, 0x40];
//! assert_eq!(nia2()?.mac(&message, 58)?, [0x11, 0x8c, 0x6e, 0xb8]);
//! nia2()?.verify(&message, 58, &[0x11, 0x8c, 0x6e, 0xb8])?;
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::Level;

use super::cmac::Cmac;
use crate::air::{Bearer, Count, Direction, Frame, check_length_in_bits};
use crate::ciphers::aes::Aes128;
use crate::ct;
use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::aead::check_tag_len;
use crate::traits::block::MAX_BLOCK;
use crate::traits::mac::{Mac, SPENT, check_bits};

/// The length of a tag in bytes.
pub(crate) const TAG: usize = 4;

/// The length of a key in bytes.
const KEY: usize = 16;

/// The lengths of what stands in front of the message, in bytes: COUNT, BEARER, DIRECTION, zeros.
pub(crate) const IV: Sizes = Sizes::exactly(8);

/// 128-NIA2 under a key of 16 bytes, for one message. Tags of 4 bytes.
pub struct Nia2(Nia2Mac);

/// 128-NIA2 over a message in pieces of any number of bits; the IV is what stands in front of it, as
/// [`Frame::nia2_iv`] makes it.
///
/// No key and IV may serve two messages: after [`finish`](Mac::finish) or [`verify`](Mac::verify) the
/// object is at its end until [`reset`](Mac::reset) gives it another IV.
pub struct Nia2Mac {
    level: Level,
    cmac: Cmac<Aes128>,
    /// The bits of a byte that is not whole, the highest ones, and how many they are.
    begun: Secret<[u8; 1]>,
    bits: usize,
    /// Whether the IV has served a message.
    spent: bool,
}

/// Key and IV, of the right lengths.
fn lengths<'k>(key: &'k [u8], iv: &'k [u8]) -> Result<(&'k [u8; KEY], &'k [u8]), Error> {
    check_length("key", key.len(), Sizes::exactly(KEY))?;
    check_length("iv", iv.len(), IV)?;
    let Some(key) = key.first_chunk() else { unreachable!("its length is right") };
    Ok((key, iv))
}

impl Nia2Mac {
    /// Under a key of 16 bytes and an IV of 8, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if key or IV have another length, [`Error::Level`] if `CIPHERLANE_LEVEL`
    /// names no level.
    pub fn new(key: &[u8], iv: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, iv, Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// As [`new`](Self::new), but for the level.
    pub fn with_level(key: &[u8], iv: &[u8], level: Level) -> Result<Self, Error> {
        let (key, iv) = lengths(key, iv)?;
        // Set in the place that is returned: moved, it would leave a copy behind.
        let mut made = Self::unset(level);
        if let Ok(mac) = &mut made {
            mac.set(key, iv)?;
        }
        made
    }

    /// The same where it stays.
    #[cfg(feature = "alloc")]
    fn boxed(key: &[u8], iv: &[u8], level: Level) -> Result<alloc::boxed::Box<Self>, Error> {
        let (key, iv) = lengths(key, iv)?;
        // The place first: made before it, what is moved in would be made twice.
        let place = alloc::boxed::Box::new_uninit();
        let mut mac = alloc::boxed::Box::write(place, Self::unset(level)?);
        mac.set(key, iv)?;
        Ok(mac)
    }

    /// Without key and IV.
    fn unset(level: Level) -> Result<Self, Error> {
        let cmac = Cmac::unset(Aes128::unset(level)?, MAX_BLOCK);
        Ok(Self { level, cmac, begun: Secret([0]), bits: 0, spent: true })
    }

    fn set(&mut self, key: &[u8; KEY], iv: &[u8]) -> Result<(), Error> {
        self.cmac.set_key(|aes| aes.set(key));
        self.reset(iv)
    }

    /// The level this object runs at.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Refuses what comes after the tag.
    const fn going_on(&self) -> Result<(), Error> {
        if self.spent { Err(SPENT) } else { Ok(()) }
    }

    /// Bytes, behind the bits of a byte that was begun.
    fn bytes(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.bits == 0 {
            return self.cmac.update(data);
        }
        let mut piece = Secret([0; 256]);
        for data in data.chunks(piece.0.len()) {
            for (out, byte) in piece.0.iter_mut().zip(data) {
                *out = self.begun.0[0] | byte >> self.bits;
                self.begun.0[0] = byte << (8 - self.bits);
            }
            self.cmac.update(&piece.0[..data.len()])?;
        }
        Ok(())
    }
}

impl Mac for Nia2Mac {
    fn tag_sizes(&self) -> Sizes {
        Sizes::exactly(TAG)
    }

    fn tag_len(&self) -> usize {
        TAG
    }

    fn set_tag_len(&mut self, bytes: usize) -> Result<(), Error> {
        check_tag_len(bytes, TAG)
    }

    fn take_key(&mut self, key: &[u8]) -> bool {
        let takes = self.cmac.take_key(key);
        if takes {
            (self.begun.0[0], self.bits, self.spent) = (0, 0, true);
        }
        takes
    }

    fn update(&mut self, data: &[u8]) -> Result<(), Error> {
        self.going_on()?;
        self.bytes(data)
    }

    fn update_bits(&mut self, data: &[u8], bits: u64) -> Result<(), Error> {
        check_bits(data, bits)?;
        self.going_on()?;
        // Not more than there are bytes for.
        let (whole, left) = ((bits / 8) as usize, (bits % 8) as usize);
        self.bytes(&data[..whole])?;
        if left > 0 {
            let last = data[whole] & !(0xff >> left);
            let full = self.begun.0[0] | last >> self.bits;
            if self.bits + left < 8 {
                self.begun.0[0] = full;
                self.bits += left;
            } else {
                self.cmac.update(&[full])?;
                self.begun.0[0] = if self.bits == 0 { 0 } else { last << (8 - self.bits) };
                self.bits = self.bits + left - 8;
            }
        }
        Ok(())
    }

    fn finish(&mut self, tag: &mut [u8]) -> Result<(), Error> {
        self.going_on()?;
        check_tag_len(tag.len(), TAG)?;
        let mut whole = Secret([0; MAX_BLOCK]);
        if self.bits == 0 {
            self.cmac.finish(&mut whole.0)?;
        } else {
            self.cmac.finish_within(self.begun.0[0] | 0x80 >> self.bits, &mut whole.0);
        }
        tag.copy_from_slice(&whole.0[..TAG]);
        self.spent = true;
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        check_length("iv", iv.len(), IV)?;
        self.cmac.reset(&[])?;
        (self.begun.0[0], self.bits, self.spent) = (0, 0, false);
        self.cmac.update(iv)
    }
}

impl Nia2 {
    /// For the message of that COUNT, BEARER and DIRECTION, at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes, [`Error::Level`] if `CIPHERLANE_LEVEL` names no
    /// level.
    pub fn new(
        key: &[u8],
        count: Count,
        bearer: Bearer,
        direction: Direction,
    ) -> Result<Self, Error> {
        Self::with_level(key, Frame::new(count, bearer, direction), Level::detect()?)
    }

    /// The same at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], frame: Frame, level: Level) -> Result<Self, Error> {
        let iv = frame.nia2_iv();
        let (key, iv) = lengths(key, &iv)?;
        let mut made = Nia2Mac::unset(level).map(Self);
        if let Ok(nia2) = &mut made {
            nia2.0.set(key, iv)?;
        }
        made
    }

    /// The tag of the message, of LENGTH `bits`, bit 0 the most significant of byte 0. The bits
    /// behind the last one count for nothing.
    ///
    /// # Errors
    /// [`Error::Value`] unless LENGTH is 1 to 2³² − 1 and just fills the bytes.
    pub fn mac(mut self, message: &[u8], bits: u64) -> Result<[u8; TAG], Error> {
        check_length_in_bits(bits, message.len())?;
        self.0.update_bits(message, bits)?;
        let mut tag = [0; TAG];
        self.0.finish(&mut tag)?;
        Ok(tag)
    }

    /// Compares the message's tag in constant time.
    ///
    /// # Errors
    /// [`Error::Authentication`] if it is not that of the message; otherwise as [`mac`](Self::mac).
    pub fn verify(self, message: &[u8], bits: u64, tag: &[u8; TAG]) -> Result<(), Error> {
        let computed = Secret(self.mac(message, bits)?);
        if ct::equal(&computed.0, tag) { Ok(()) } else { Err(Error::Authentication) }
    }

    /// The MAC of a message that comes in pieces.
    #[must_use]
    pub fn into_mac(self) -> Nia2Mac {
        self.0
    }
}

impl fmt::Debug for Nia2Mac {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nia2Mac").field("level", &self.level).finish_non_exhaustive()
    }
}

impl fmt::Debug for Nia2 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nia2").field("level", &self.0.level).finish_non_exhaustive()
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{IV, Nia2Mac, TAG};
    use crate::air::{FrameIv, Iv};
    use crate::entry::row::{Over, Row};
    use crate::error::Error;
    use crate::sizes::Sizes;
    use crate::traits::mac::{DynMac, ONE_IV};

    impl DynMac for Nia2Mac {
        fn fork(&self) -> Result<Box<dyn DynMac>, Error> {
            Err(ONE_IV)
        }
    }

    /// `nia2`; its IV is what stands in front of the message.
    pub(crate) const MAC: Row = Row {
        over: Over::Block("aes-128"),
        air: Some(FrameIv::specified(|frame, _| Ok(Iv::of(&frame.nia2_iv())))),
        iv: |_| IV,
        tag: |_| Sizes::exactly(TAG),
        bits: true,
        ..Row::mac(
            "nia2",
            "3GPP TS 33.501 annex D.3.1.3 (128-NIA2), TS 33.401 (128-EIA2)",
            |_, key, iv, level| Ok(Nia2Mac::boxed(key, iv, level)?),
        )
    };
}
#[cfg(feature = "alloc")]
pub(crate) use entries::MAC;

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;
    use crate::traits::block::BlockCipher;

    #[test]
    fn the_published_tags_come_out_at_every_level() {
        // TS 33.401 annex C.2, 128-EIA2 test sets 1 and 2.
        let sets = [
            (
                0x2bd6_459f_82c5_b300_952c_4910_4881_ff48_u128,
                (0x38a6_f056, 0x18, 0),
                (0x3332_3462_6339_3840_u64, 58),
                0x118c_6eb8_u32,
            ),
            (
                0xd3c5_d592_327f_b11c_4035_c668_0af8_c6d1,
                (0x398a_59b4, 0x1a, 1),
                (0x4845_83d5_afe0_82ae, 64),
                0xb937_87e6,
            ),
        ];
        for level in Level::available() {
            for (key, (count, bearer, direction), (message, bits), tag) in sets {
                let frame = Frame::from_numbers(count, bearer, direction).unwrap();
                let nia2 = Nia2::with_level(&key.to_be_bytes(), frame, level).unwrap();
                let made = nia2.mac(&message.to_be_bytes(), bits).unwrap();
                assert_eq!(made, tag.to_be_bytes(), "{level}");
            }
        }
    }

    /// SP 800-38B §6.2 on bits.
    fn by_the_standard(key: &[u8], iv: &[u8], bits: &[bool]) -> [u8; 4] {
        let cipher = Aes128::with_level(key, Level::portable()).unwrap();
        let all = iv.iter().flat_map(|byte| (0..8).map(move |i| byte >> (7 - i) & 1 == 1));
        let mut all: Vec<bool> = all.chain(bits.iter().copied()).collect();
        let mut mask = [0; 16];
        cipher.encrypt_block(&mut mask);
        crate::mac::cmac::double(&mut mask);
        if !all.len().is_multiple_of(128) {
            crate::mac::cmac::double(&mut mask);
            all.push(true);
        }
        all.resize(all.len().next_multiple_of(128), false);
        let mut value = [0; 16];
        for (i, block) in all.chunks(128).enumerate() {
            for (j, bit) in block.iter().enumerate() {
                value[j / 8] ^= u8::from(*bit) << (7 - j % 8);
            }
            if i + 1 == all.len() / 128 {
                value.iter_mut().zip(&mask).for_each(|(value, mask)| *value ^= mask);
            }
            cipher.encrypt_block(&mut value);
        }
        *value.first_chunk().unwrap()
    }

    #[test]
    fn every_length_in_bits_and_every_cut_gives_the_tag_of_the_standard() {
        let message: Vec<u8> = (0..50u32).map(|i| (i * 29 + 3) as u8).collect();
        let bits: Vec<bool> =
            message.iter().flat_map(|byte| (0..8).map(move |i| byte >> (7 - i) & 1 == 1)).collect();
        let (key, iv) = ([0x53; 16], [0xa7; 8]);
        let level = Level::best();
        for len in 0..=bits.len() {
            let wanted = by_the_standard(&key, &iv, &bits[..len]);
            for step in [len.max(1), 1, 3, 13] {
                let (mut mac, mut tag) = (Nia2Mac::with_level(&key, &iv, level).unwrap(), [0; 4]);
                for piece in bits[..len].chunks(step) {
                    let bytes = piece.chunks(8).map(|byte| {
                        (0..byte.len()).fold(0, |sum, i| sum | u8::from(byte[i]) << (7 - i))
                    });
                    mac.update_bits(&bytes.collect::<Vec<u8>>(), piece.len() as u64).unwrap();
                }
                mac.finish(&mut tag).unwrap();
                assert_eq!(tag, wanted, "{len} bits by {step}");
                assert_eq!(mac.update(&[]), Err(SPENT));
            }
        }
    }
}
