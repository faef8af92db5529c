//! What the library does for each operation, with any number of packets.
//!
//! The N-buffer functions take sixteen packets at a time and are the fastest where all have
//! one length. Fewer, and what longer packets have beyond shorter ones, they do by the
//! one-buffer functions, which are slow and at times wrong; there jobs are used.

use lab::work::{Fault, Message};

use super::functions::{Functions, Lengths};
use super::packets::Packets;

/// The packets that an N-buffer function takes together on a CPU with AVX-512.
const LANES: usize = 16;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A keystream.
    Encrypt,
    /// A tag.
    Mac,
    /// Encryption, then the tag of the ciphertext. The key is CK and IK, the nonce both IVs.
    Seal,
    /// The reverse, after the tag has been found right.
    Open,
}

/// Whose packets they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    /// ZUC-128, ZUC-256.
    Zuc,
    /// SNOW 3G.
    Snow3g,
}

/// A cipher of the library with the lengths that it takes, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Work {
    pub(super) family: Family,
    pub(super) kind: Kind,
    /// Of one cipher or MAC: 16, or 32 for ZUC-256.
    pub(super) key: usize,
    pub(super) iv: usize,
    pub(super) tag: usize,
}

/// Packets, ready for the library.
pub(super) struct Prepared {
    work: Work,
    cipher: Packets,
    mac: Packets,
    /// Where associated data and data of a MAC lie together.
    joined: Vec<Joined>,
    /// The tags that are made where they are compared, and those that they must be.
    made: Vec<[u8; TAG]>,
    expected: Vec<[u8; TAG]>,
}

/// Associated data, followed by what is copied from elsewhere before the MAC.
struct Joined {
    bytes: Vec<u8>,
    aad: usize,
    data: *const u8,
}

impl Joined {
    fn gather(&mut self) {
        let data = &mut self.bytes[self.aad..];
        // SAFETY: the data are as many bytes of the message, whose pointer is valid as long as
        // the packets are used; the buffer is our own.
        unsafe { data.as_mut_ptr().copy_from_nonoverlapping(self.data, data.len()) }
    }
}

/// The longest tag.
const TAG: usize = 16;

impl Prepared {
    /// No packets yet of an operation, with room for so many.
    pub(super) fn new(work: Work, packets: usize) -> Self {
        let (made, expected) = (vec![[0; TAG]; packets], Vec::with_capacity(packets));
        let (cipher, mac, joined) = (Packets::default(), Packets::default(), Vec::new());
        Self { work, cipher, mac, joined, made, expected }
    }

    /// Forgets the packets.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.cipher.clear();
        self.mac.clear();
        self.joined.clear();
        self.expected.clear();
    }

    /// Adds a message, at most as many as there is room for. It must stay where it is as long
    /// as the packets are used.
    #[inline]
    pub(super) fn add(&mut self, message: &mut Message<'_>) {
        let Work { kind, key, iv, tag, .. } = self.work;
        let (input, output, bytes) = message.data.pointers();
        let to = message.tag.as_mut_ptr();
        // Where there are two, the cipher's key and IV come first.
        let (second_key, second_iv) = (key..2 * key, iv..2 * iv);
        match kind {
            Kind::Encrypt => self.cipher.encrypt(message, 0..key, 0..iv),
            Kind::Mac => self.mac.authenticate(message, (0..key, 0..iv), (input, bytes), to),
            Kind::Seal => {
                self.cipher.encrypt(message, 0..key, 0..iv);
                let input = self.joined(message.aad, output, bytes);
                self.mac.authenticate(message, (second_key, second_iv), input, to);
            }
            Kind::Open => {
                let place = self.expected.len();
                let made = self.made[place].as_mut_ptr();
                let input = self.joined(message.aad, input, bytes);
                self.mac.authenticate(message, (second_key, second_iv), input, made);
                let mut expected = [0; TAG];
                expected[..tag].copy_from_slice(message.tag);
                self.expected.push(expected);
                self.cipher.encrypt(message, 0..key, 0..iv);
            }
        }
    }

    /// What a MAC reads: the data where they lie, or where they will come to lie behind the
    /// associated data.
    #[inline]
    fn joined(&mut self, aad: &[u8], data: *const u8, length: usize) -> (*const u8, usize) {
        if aad.is_empty() {
            return (data, length);
        }
        let mut bytes = aad.to_vec();
        bytes.resize(aad.len() + length, 0);
        let input = (bytes.as_ptr(), bytes.len());
        self.joined.push(Joined { bytes, aad: aad.len(), data });
        input
    }

    /// Processes all packets.
    #[inline]
    pub(super) fn apply(&mut self, functions: &Functions) -> Result<(), Fault> {
        match self.work.kind {
            Kind::Encrypt => self.encrypt(functions),
            Kind::Mac => self.authenticate(functions),
            Kind::Seal => {
                self.encrypt(functions)?;
                self.authenticate(functions)
            }
            Kind::Open => {
                self.authenticate(functions)?;
                let tag = self.work.tag;
                let mut pairs = self.made.iter().zip(&self.expected);
                if pairs.any(|(made, expected)| made[..tag] != expected[..tag]) {
                    return Err("the comparison of a tag");
                }
                self.encrypt(functions)
            }
        }
    }

    #[inline]
    fn encrypt(&self, functions: &Functions) -> Result<(), Fault> {
        if self.work.family == Family::Snow3g {
            return functions.snow3g(0, self.cipher.part(0..self.cipher.count()));
        }
        let together = self.together(&self.cipher);
        if together > 0 {
            functions.eea3(self.cipher.part(0..together))?;
        }
        let rest = together..self.cipher.count();
        if rest.is_empty() {
            return Ok(());
        }
        functions.jobs(self.lengths(0), self.cipher.part(rest))
    }

    #[inline]
    fn authenticate(&mut self, functions: &Functions) -> Result<(), Fault> {
        self.joined.iter_mut().for_each(Joined::gather);
        if self.work.family == Family::Snow3g {
            return functions.snow3g(self.work.tag as u32, self.mac.part(0..self.mac.count()));
        }
        let together = self.together(&self.mac);
        if together > 0 {
            functions.eia3(self.mac.part(0..together))?;
        }
        let rest = together..self.mac.count();
        if rest.is_empty() {
            return Ok(());
        }
        functions.jobs(self.lengths(self.work.tag), self.mac.part(rest))
    }

    /// How many packets, from the first, go to an N-buffer function.
    fn together(&self, packets: &Packets) -> usize {
        let whole = packets.count() / LANES * LANES;
        if self.work.key == 16 && whole > 0 && packets.are_equal() { whole } else { 0 }
    }

    fn lengths(&self, tag: usize) -> Lengths {
        Lengths { key: self.work.key as u32, iv: self.work.iv as u32, tag: tag as u32 }
    }
}
