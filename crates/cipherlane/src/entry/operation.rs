//! An operation of an algorithm: all that there is to know of it, and how its objects are made.

use alloc::boxed::Box;
use core::fmt;

use lanes::Level;

use super::batch::BatchEntry;
use super::constructor::{AeadStreaming, Constructor, Mode};
use super::kind::{Kind, Split};
use super::row::{ANY, NONE, Row};
use super::timing::Timing;
use super::{Algorithm, New, NewBatch};
use crate::air::{Frame, FrameIv, Iv};
use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::aead::Aead;
use crate::traits::mac::DynMac;
use crate::traits::mode::Direction;

/// The operation that every stream cipher has.
pub const KEYSTREAM: &str = "keystream";

/// One operation of one algorithm.
#[derive(Clone)]
#[non_exhaustive]
pub struct Operation {
    /// Its name, e.g. `"cbc-encrypt"`.
    pub name: &'static str,
    /// The algorithm.
    pub algorithm: &'static Algorithm,
    /// What is done with a message.
    pub kind: Kind,
    /// The name of the operation that undoes it, itself where it is an involution; none of a MAC.
    pub inverse: Option<&'static str>,
    /// The standard and clause.
    pub standard: &'static str,
    /// The key lengths in bytes, which may differ from the cipher's.
    pub key: Sizes,
    /// The IV or nonce lengths in bytes.
    pub iv: Sizes,
    /// The IV length to take where nothing else is said.
    pub usual_iv: usize,
    /// The lengths of the data in bytes; of the message, for a MAC.
    pub data: Sizes,
    /// The tag lengths in bytes; see [`tag_len`](Self::tag_len).
    pub tag: Sizes,
    /// Whether a MAC's message may end inside a byte.
    pub bits: bool,
    /// How the data can be cut for several threads.
    pub split: Split,
    /// The most bytes that the standard allows under one key and IV, where it says so.
    pub limit: Option<u64>,
    /// What the time may tell.
    pub timing: Timing,
    /// The constructor of its objects.
    pub new: Constructor,
    tag_len: usize,
    /// The constructor of a batch of a stream cipher, if it has lanes.
    pub(crate) batch: Option<NewBatch>,
    /// How the IV is made of COUNT, BEARER and DIRECTION.
    air: Option<FrameIv>,
    /// The operations over block ciphers that have lanes.
    pub(crate) lanes: &'static [BatchEntry],
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, algorithm, .. } = self;
        write!(f, "Operation({}/{name})", algorithm.name)
    }
}

impl Operation {
    /// A row of the table, of an algorithm that it is defined for.
    pub(crate) fn new(
        row: &Row,
        algorithm: &'static Algorithm,
        lanes: &'static [BatchEntry],
    ) -> Self {
        let block = algorithm.block().unwrap_or(1);
        let (iv, tag) = ((row.iv)(block), (row.tag)(block));
        let Row { name, kind, inverse, standard, bits, split, limit, new, batch, air, .. } = *row;
        Self {
            name,
            algorithm,
            kind,
            inverse,
            standard,
            key: (row.key)(algorithm.key),
            iv,
            usual_iv: row.usual_iv.unwrap_or(iv.min),
            data: (row.data)(block),
            tag,
            bits,
            split,
            limit,
            timing: algorithm.timing,
            new,
            tag_len: tag.max,
            batch,
            air,
            lanes,
        }
    }

    /// The keystream of a stream cipher.
    pub(crate) fn keystream(algorithm: &'static Algorithm) -> Option<Self> {
        let New::Stream { iv, new, unlimited, limit, batch } = algorithm.new else { return None };
        Some(Self {
            name: KEYSTREAM,
            algorithm,
            kind: Kind::Cipher,
            inverse: Some(KEYSTREAM),
            standard: algorithm.standard,
            key: algorithm.key,
            iv,
            usual_iv: iv.min,
            data: ANY,
            tag: NONE,
            bits: false,
            split: Split::Never,
            limit,
            timing: algorithm.timing,
            new: Constructor::Stream { new, unlimited },
            tag_len: 0,
            batch: Some(batch),
            air: None,
            lanes: &[],
        })
    }

    /// Whether the data must be whole blocks.
    #[must_use]
    pub const fn whole_blocks(&self) -> bool {
        self.data.min == 0 && self.data.step > 1
    }

    /// The name of the mode: `gcm` of `gcm-seal` and `gcm-open`.
    #[must_use]
    pub fn mode(&self) -> &'static str {
        super::mode(self.name)
    }

    /// Whether it encrypts, seals or makes a tag, or undoes that.
    #[must_use]
    pub fn direction(&self) -> Direction {
        if self.kind == Kind::Open || self.name.ends_with("-decrypt") {
            Direction::Decrypt
        } else {
            Direction::Encrypt
        }
    }

    /// Its object identifier, if a standard that we know gives it one.
    #[must_use]
    pub fn oid(&self) -> Option<&'static str> {
        self.algorithm.oid(self.name)
    }

    /// Whether it takes a message in pieces.
    #[must_use]
    pub const fn in_pieces(&self) -> bool {
        match &self.new {
            Constructor::Stream { .. } | Constructor::Mode(_) | Constructor::Mac { .. } => true,
            Constructor::Message(_) | Constructor::Pdu(_) => false,
            Constructor::Aead { streaming, .. } => streaming.constructor().is_some(),
        }
    }

    /// The length of the tags of batches made from this, in bytes: the longest, or that of
    /// [`with_tag_len`](Self::with_tag_len); 0 where there are none.
    #[must_use]
    pub const fn tag_len(&self) -> usize {
        self.tag_len
    }

    /// The same operation with tags of that many bytes instead of the longest.
    ///
    /// # Errors
    /// [`Error::Length`] if it is not one of [`tag`](Self::tag).
    pub fn with_tag_len(mut self, bytes: usize) -> Result<Self, Error> {
        check_length("tag", bytes, self.tag)?;
        self.tag_len = bytes;
        Ok(self)
    }

    /// The IV of a packet, of the operations of 3GPP's air interface; none of other operations. Some
    /// IVs tell the tag's length, which is [`tag_len`](Self::tag_len).
    ///
    /// ```
    /// use cipherlane::air::Frame;
    /// use cipherlane::registry::{algorithm, operation};
    ///
    /// let zuc = algorithm("zuc-128").expect("built in");
    /// let frame = Frame::from_numbers(0x6603_5492, 15, 0)?;
    /// let eea3 = operation(zuc, "eea3").expect("registered");
    /// assert_eq!(eea3.air_iv(frame).expect("of 3GPP")?[..], frame.eea3_iv());
    /// assert!(operation(zuc, "keystream").expect("registered").air_iv(frame).is_none());
    /// # Ok::<(), cipherlane::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Length`] if a tag can't have the length.
    #[must_use]
    pub fn air_iv(&self, frame: Frame) -> Option<Result<Iv, Error>> {
        self.air.map(|it| (it.make)(frame, self.tag_len))
    }

    /// Whether where COUNT, BEARER and DIRECTION stand in [`air_iv`](Self::air_iv) is assumed: the text of
    /// the specification was not at hand, and published test data leave it open. Who must work together with
    /// other makers' equipment compares it with the specification first.
    #[must_use]
    pub fn assumes_air_iv(&self) -> bool {
        self.air.is_some_and(|it| it.assumed)
    }

    /// The AEAD under a key, with tags of [`tag_len`](Self::tag_len) bytes.
    ///
    /// # Errors
    /// What the constructor says; [`Error::State`] if it is no AEAD.
    pub fn aead(&self, key: &[u8], level: Level) -> Result<Box<dyn Aead>, Error> {
        let Constructor::Aead { new, .. } = self.new else {
            return Err(Error::State("this operation is no AEAD"));
        };
        let mut aead = new(self.algorithm, key, level)?;
        aead.set_tag_len(self.tag_len)?;
        Ok(aead)
    }

    /// The MAC under a key and an IV, with tags of [`tag_len`](Self::tag_len) bytes.
    ///
    /// # Errors
    /// What the constructor says; [`Error::State`] if it is no MAC.
    pub fn mac(&self, key: &[u8], iv: &[u8], level: Level) -> Result<Box<dyn DynMac>, Error> {
        let Constructor::Mac { new, .. } = self.new else {
            return Err(Error::State("this operation is no MAC"));
        };
        let mut mac = new(self.algorithm, key, iv, level)?;
        mac.set_tag_len(self.tag_len)?;
        Ok(mac)
    }

    /// The mode over a ready block cipher; none of other operations.
    #[must_use]
    pub const fn block_mode(&self) -> Option<Mode> {
        match self.new {
            Constructor::Mode(mode) => Some(mode),
            _ => None,
        }
    }

    /// How an AEAD takes a message in pieces; none of other operations.
    #[must_use]
    pub const fn streaming(&self) -> Option<AeadStreaming> {
        match self.new {
            Constructor::Aead { streaming, .. } => Some(streaming),
            _ => None,
        }
    }
}
