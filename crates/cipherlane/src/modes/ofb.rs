//! OFB, output feedback of whole blocks (GB/T 17964-2021 §9, SP 800-38A §6.4).
//!
//! The keystream `Oᵢ = E(Oᵢ₋₁)`, `O₀` the IV, is a serial chain that does not
//! depend on the data. An IV must never repeat under one key. OFB gives no
//! authenticity. Constant-time where the cipher is.
//!
//! ```
//! use cipherlane::modes::ofb::Ofb;
//! use cipherlane::{Sm4, StreamCipher};
//!
//! let sm4 = Sm4::new(&[7; 16])?;
//! let mut data = *b"any number of bytes";
//! Ofb::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! Ofb::new(&sm4, &[1; 16])?.apply(&mut data)?;
//! assert_eq!(&data, b"any number of bytes");
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, Level};

use crate::error::{Error, check_length};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, ChainData, MAX_BLOCK, WholeMode};
use crate::traits::stream::StreamCipher;

/// A keystream of blocks encrypted over and over.
pub struct Ofb<C> {
    cipher: C,
    /// The last keystream block, or the IV.
    value: Secret<[u8; MAX_BLOCK]>,
    /// How many of its bytes, at the end, are still unused.
    left: usize,
}

/// Bytes of keystream that share one call of the cipher.
const PIECE: usize = 512;

/// With these as data a chain `v ← E(v ⊕ block)` is OFB.
static ZEROS: [u8; PIECE] = [0; PIECE];

impl<C> fmt::Debug for Ofb<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ofb").field("left", &self.left).finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Ofb<C> {
    /// Under this cipher, with an IV of one block.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV is not one block.
    pub fn new(cipher: C, iv: &[u8]) -> Result<Self, Error> {
        let mut mode = Self { cipher, value: Secret([0; MAX_BLOCK]), left: 0 };
        mode.reset(iv)?;
        Ok(mode)
    }

    /// Takes up to `io`'s length of the keystream block that is left over.
    fn use_rest(&mut self, mut io: InOut<'_>) {
        let from = self.cipher.block_size() - self.left;
        io.xor(&self.value.0[from..from + io.len()]);
        self.left -= io.len();
    }
}

impl<C: BlockCipher> StreamCipher for Ofb<C> {
    fn level(&self) -> Level {
        self.cipher.level()
    }

    fn apply_inout(&mut self, io: InOut<'_>) -> Result<(), Error> {
        let block = self.cipher.block_size();
        let head = self.left.min(io.len());
        let (head, io) = io.split_at(head);
        if !head.is_empty() {
            self.use_rest(head);
        }
        let whole = io.len() / block * block;
        let (mut whole, tail) = io.split_at(whole);
        let value = &mut self.value.0[..block];
        if !whole.is_empty() && !self.cipher.whole(WholeMode::Ofb, &mut whole, value) {
            let mut keystream = Secret([0; PIECE]);
            let mut offset = 0;
            while offset < whole.len() {
                let mut part = whole.part(offset, PIECE.min(whole.len() - offset));
                let n = part.len();
                let keystream = &mut keystream.0[..n];
                let io = InOut::disjoint(&ZEROS[..n], keystream).expect("equal lengths");
                let value = &mut self.value.0[..block];
                self.cipher.encrypt_chains(&mut [Chain { value, data: ChainData::Encrypt(io) }]);
                part.xor(keystream);
                offset += n;
            }
        }
        if !tail.is_empty() {
            self.cipher.encrypt_block(&mut self.value.0[..block]);
            self.left = block;
            self.use_rest(tail);
        }
        Ok(())
    }

    fn reset(&mut self, iv: &[u8]) -> Result<(), Error> {
        let block = self.cipher.block_size();
        check_length("iv", iv.len(), Sizes::exactly(block))?;
        self.value.0[..block].copy_from_slice(iv);
        self.left = 0;
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use super::Ofb;
    use crate::entry::constructor::mode;
    use crate::entry::row::Row;
    use crate::modes::{in_kernel, whole_message};
    use crate::traits::stream::StreamCipher;

    whole_message!(apply_message, Ofb, Ofb::new, apply_inout);

    /// `ofb`.
    pub(crate) const APPLY: Row = Row::mode(
        "ofb",
        "ofb",
        "GB/T 17964-2021 §9, SP 800-38A §6.4",
        mode!(apply_message, Stream, Ofb::new),
    );
}
#[cfg(feature = "alloc")]
pub(crate) use entries::APPLY;
