//! HCTR, hash-counter-hash (GB/T 17964-2021): a tweakable cipher of whole
//! messages of 16 bytes or more, whose length it keeps.
//!
//! Every bit of the output depends on every bit of the input, so a message can't
//! be processed in pieces. There is no tag; equal messages under one key and
//! tweak encrypt to equal ones. Two keys: the cipher's, and 16 bytes for the
//! hash. As constant-time as the cipher.
//!
//! With h(M) the GHASH of M ‖ tweak, filled up with zeros, and its length in bits
//! as a block, and P = P₁ ‖ R, P₁ one block: Z₁ = P₁ ⊕ h(R), Z₂ = E(Z₁),
//! S = Z₁ ⊕ Z₂, C_R = R ⊕ E(S ⊕ 1) ‖ E(S ⊕ 2) ‖ …, C₁ = Z₂ ⊕ h(C_R).
//!
//! ```
//! use cipherlane::Sm4;
//! use cipherlane::modes::hctr::Hctr;
//!
//! let hctr = Hctr::new(Sm4::new(&[7; 16])?, &[8; 16])?;
//! let mut sector = [9; 100];
//! hctr.encrypt(&[1; 16], (&mut sector[..]).into())?;
//! hctr.decrypt(&[1; 16], (&mut sector[..]).into())?;
//! assert_eq!(sector, [9; 100]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

use core::fmt;

use lanes::{InOut, wipe};

use super::counter_blocks;
use crate::error::{Error, check_length};
use crate::ghash::{BLOCK, Key};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, WholeMode};
use crate::traits::mode::{Direction, MessageMode};

/// The length of a tweak in bytes.
pub const TWEAK: usize = 16;

/// The lengths of a message in bytes.
const MESSAGES: Sizes = Sizes::between(BLOCK, usize::MAX / 16);

/// HCTR under two keys.
#[derive(Clone)]
pub struct Hctr<C> {
    cipher: C,
    hash: Key<true>,
}

impl<C> fmt::Debug for Hctr<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hctr").finish_non_exhaustive()
    }
}

impl<C: BlockCipher> Hctr<C> {
    /// Under this cipher and a hash key of 16 bytes. Where an interface has one
    /// key, it is the cipher's, then this one.
    ///
    /// # Errors
    /// [`Error::Length`] if the hash key or the cipher's blocks are not 16 bytes.
    pub fn new(cipher: C, hash_key: &[u8]) -> Result<Self, Error> {
        check_length("block", cipher.block_size(), Sizes::exactly(BLOCK))?;
        check_length("hash key", hash_key.len(), Sizes::exactly(BLOCK))?;
        // In the place that is returned: moved, it would leave a copy behind.
        let mut made = Ok(Self::unset(cipher));
        if let Ok(hctr) = &mut made {
            hctr.set_hash_key(hash_key);
        }
        made
    }

    /// Without a hash key.
    fn unset(cipher: C) -> Self {
        let hash = Key::unset(cipher.level());
        Self { cipher, hash }
    }

    /// The hash key, of 16 bytes.
    fn set_hash_key(&mut self, hash_key: &[u8]) {
        let mut h = Secret([0; BLOCK]);
        h.0.copy_from_slice(hash_key);
        self.hash.set(&h.0);
    }

    /// Encrypts a whole message.
    ///
    /// # Errors
    /// [`Error::Length`] if the tweak is not 16 bytes or the message is shorter;
    /// nothing has been written then.
    pub fn encrypt(&self, tweak: &[u8], io: InOut<'_>) -> Result<(), Error> {
        process(&self.cipher, &self.hash, Direction::Encrypt, tweak, io)
    }

    /// Decrypts a whole message.
    ///
    /// # Errors
    /// As [`encrypt`](Self::encrypt).
    pub fn decrypt(&self, tweak: &[u8], io: InOut<'_>) -> Result<(), Error> {
        process(&self.cipher, &self.hash, Direction::Decrypt, tweak, io)
    }
}

/// Both directions: they differ in which of Z₁ and Z₂ comes first.
fn process(
    cipher: &dyn BlockCipher,
    hash: &Key<true>,
    direction: Direction,
    tweak: &[u8],
    io: InOut<'_>,
) -> Result<(), Error> {
    check_length("tweak", tweak.len(), Sizes::exactly(TWEAK))?;
    check_length("message", io.len(), MESSAGES)?;
    cipher.went_deep();
    let (mut first, mut rest) = io.split_at(BLOCK);
    let from = block(first.input()) ^ hash_of(hash, rest.input(), tweak);
    let mut bytes = from.to_be_bytes();
    match direction {
        Direction::Encrypt => cipher.encrypt_block(&mut bytes),
        Direction::Decrypt => cipher.decrypt_block(&mut bytes),
    }
    let to = block(&bytes);
    let s = from ^ to;
    if !cipher.whole(WholeMode::CtrMasked, &mut rest, &mut s.to_be_bytes()) {
        counter_blocks::apply(cipher, rest.reborrow(), |i| (s ^ u128::from(i + 1)).to_be_bytes());
    }
    let last = to ^ hash_of(hash, rest.output(), tweak);
    first.output().copy_from_slice(&last.to_be_bytes());
    wipe::wipe(&mut bytes);
    Ok(())
}

/// h(M): the tweak follows the message's bytes directly.
fn hash_of(hash: &Key<true>, message: &[u8], tweak: &[u8]) -> u128 {
    let (whole, tail) = message.split_at(message.len() / BLOCK * BLOCK);
    let bits = (8 * (message.len() + TWEAK) as u128).to_be_bytes();
    let mut state = Key::<true>::start();
    if message.is_empty() {
        hash.absorb(&mut state, &[tweak, &bits]);
        return u128::from_be_bytes(Key::<true>::hash(&state));
    }
    let mut end = Secret([0; 3 * BLOCK]);
    let n = tail.len() + TWEAK;
    end.0[..tail.len()].copy_from_slice(tail);
    end.0[tail.len()..n].copy_from_slice(tweak);
    let padded = n.next_multiple_of(BLOCK);
    end.0[padded..padded + BLOCK].copy_from_slice(&bits);
    hash.absorb(&mut state, &[whole, &end.0[..padded + BLOCK]]);
    u128::from_be_bytes(Key::<true>::hash(&state))
}

fn block(bytes: &[u8]) -> u128 {
    let mut block = [0; BLOCK];
    block.copy_from_slice(bytes);
    u128::from_be_bytes(block)
}

impl<C: BlockCipher> MessageMode for Hctr<C> {
    fn encrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.encrypt(iv, io)
    }
    fn decrypt(&self, iv: &[u8], io: InOut<'_>) -> Result<(), Error> {
        self.decrypt(iv, io)
    }
}

#[cfg(feature = "alloc")]
mod entries {
    use alloc::boxed::Box;

    use super::{BLOCK, Hctr, MESSAGES, TWEAK};
    use crate::entry::constructor::Constructor;
    use crate::entry::row::{Over, Row};
    use crate::error::check_length;
    use crate::sizes::Sizes;

    /// `hctr-encrypt`; the key is the cipher's, then the hash key.
    pub(crate) const ENCRYPT: Row = Row {
        over: Over::Blocks(&[BLOCK]),
        key: |cipher| cipher.through(|cipher| cipher + BLOCK),
        iv: |_| Sizes::exactly(TWEAK),
        data: |_| MESSAGES,
        ..Row::mode(
            "hctr-encrypt",
            "hctr-decrypt",
            "GB/T 17964-2021 (HCTR)",
            Constructor::Message(|of, key, level| {
                check_length("key", key.len(), Sizes::between(2 * BLOCK, 3 * BLOCK))?;
                let (cipher, hash) = key.split_at(key.len() - BLOCK);
                let mut hctr = Box::new(Hctr::unset(of.cipher(cipher, level)?));
                hctr.set_hash_key(hash);
                Ok(hctr)
            }),
        )
    };

    /// `hctr-decrypt`.
    pub(crate) const DECRYPT: Row = ENCRYPT.undo();
}
#[cfg(feature = "alloc")]
pub(crate) use entries::{DECRYPT, ENCRYPT};
