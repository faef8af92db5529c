//! What a block cipher offers to the modes: a few bulk operations, object-safe.
//!
//! Modes are ordinary code over `C: BlockCipher + ?Sized`; the loops over
//! blocks, and with them all machine code that depends on the instruction set,
//! stand behind these methods in the cipher's own folder.

use core::any::Any;
use core::fmt;

use lanes::{InOut, Level};

use super::mode::Direction;
use super::whole::{CcmMessage, GcmMessage};

/// The longest block of any cipher here, in bytes.
pub(crate) const MAX_BLOCK: usize = 16;

/// The data of one chain of [`BlockCipher::encrypt_chains`].
pub enum ChainData<'a> {
    /// Each block is xored with the chaining value, encrypted and written back (CBC encryption).
    Encrypt(InOut<'a>),
    /// Each block is xored with the chaining value and encrypted; nothing is written (CBC-MAC).
    Absorb(&'a [u8]),
}

impl ChainData<'_> {
    /// The length of the data in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Encrypt(io) => io.len(),
            Self::Absorb(data) => data.len(),
        }
    }

    /// The bytes `offset..offset + len`.
    #[inline(always)]
    pub(crate) fn part(&mut self, offset: usize, len: usize) -> ChainData<'_> {
        match self {
            Self::Encrypt(io) => ChainData::Encrypt(io.part(offset, len)),
            Self::Absorb(data) => ChainData::Absorb(&data[offset..offset + len]),
        }
    }

    /// The input block at `offset`.
    #[inline(always)]
    pub(crate) fn block<const BLOCK: usize>(&self, offset: usize) -> &[u8; BLOCK] {
        let input = match self {
            Self::Encrypt(io) => io.input(),
            Self::Absorb(data) => data,
        };
        input[offset..].first_chunk().expect("a whole block")
    }

    /// Writes the output block at `offset`, if there is an output.
    #[inline(always)]
    pub(crate) fn put<const BLOCK: usize>(&mut self, offset: usize, block: &[u8; BLOCK]) {
        if let Self::Encrypt(io) = self {
            *io.output()[offset..].first_chunk_mut().expect("a whole block") = *block;
        }
    }

    /// Whether there is no data.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One of many independent chains `v ← E(v ⊕ block)`.
pub struct Chain<'a> {
    /// The chaining value `v`, one block: the IV before, the last ciphertext block after.
    pub value: &'a mut [u8],
    /// The blocks.
    pub data: ChainData<'a>,
}

/// A chain under one of several keys.
pub struct KeyedChain<'a> {
    /// The number of the key in its set.
    pub key: usize,
    /// The chain.
    pub chain: Chain<'a>,
}

/// How much there is of what, and nothing of the data.
impl fmt::Debug for ChainData<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if let Self::Encrypt(_) = self { "Encrypt" } else { "Absorb" };
        write!(f, "ChainData::{name}({} bytes)", self.len())
    }
}

impl fmt::Debug for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chain").field("data", &self.data).finish_non_exhaustive()
    }
}

impl fmt::Debug for KeyedChain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyedChain").field("key", &self.key).field("chain", &self.chain).finish()
    }
}

/// What a cipher may do with a message, or whole blocks of it, in one kernel. Each mode has a value,
/// one block unless it says otherwise: the one that is fed back first, and then the one that
/// comes next.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WholeMode {
    /// ECB encryption; the value stays what it was.
    EcbEncrypt,
    /// ECB decryption; the value stays what it was.
    EcbDecrypt,
    /// CBC encryption.
    CbcEncrypt,
    /// CBC decryption.
    CbcDecrypt,
    /// CFB encryption with feedback of whole blocks.
    CfbEncrypt,
    /// CFB decryption with feedback of whole blocks.
    CfbDecrypt,
    /// OFB.
    Ofb,
    /// CFB encryption with feedback of single bits, of data of any length in bytes.
    Cfb1Encrypt,
    /// CFB encryption with feedback of single bytes, of data of any length.
    Cfb8Encrypt,
    /// CFB decryption with feedback of single bytes, of data of any length.
    Cfb8Decrypt,
    /// CTR of data of any length from the value on, whose first 32 bits count, little-endian, modulo
    /// 2^32 (GCM-SIV, RFC 8452 §4); the value stays what it was.
    CtrLittle32,
    /// CTR of data of any length with the value xored with `i + 1`, big-endian (HCTR); fewer than
    /// 2^64 blocks; the value stays what it was.
    CtrMasked,
    /// XTS encryption of IEEE 1619; the value is the first block's tweak, already encrypted, and
    /// then that of the block behind the data.
    XtsEncrypt,
    /// XTS decryption, as its encryption.
    XtsDecrypt,
}

/// A block cipher under one key, encryption and decryption in one object.
///
/// All lengths are in bytes. Data is whole blocks except in [`ctr`](Self::ctr).
/// The methods panic where a length breaks the contract stated; the modes check
/// what users give and return typed errors.
pub trait BlockCipher: Send + Sync {
    /// The length of a block in bytes.
    fn block_size(&self) -> usize;

    /// The level this object runs at.
    fn level(&self) -> Level;

    /// `outᵢ = E(inᵢ ⊕ preᵢ) ⊕ postᵢ` for every block.
    ///
    /// # Panics
    /// If the data is not whole blocks, or `pre` or `post` has another length.
    fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>);

    /// `outᵢ = D(inᵢ ⊕ preᵢ) ⊕ postᵢ` for every block.
    ///
    /// # Panics
    /// If the data is not whole blocks, or `pre` or `post` has another length.
    fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>);

    /// Xors the data with `E(counter)`, `E(counter + 1)`, …; the counter is one
    /// block, big-endian, and wraps at the block's width. The last block may be
    /// cut short; it counts as used.
    ///
    /// # Panics
    /// If `counter` is not one block.
    fn ctr(&self, io: InOut<'_>, counter: &mut [u8]);

    /// Runs independent chains side by side; they may differ in length.
    ///
    /// # Panics
    /// If a chain's value is not one block or its data not whole blocks.
    fn encrypt_chains(&self, chains: &mut [Chain<'_>]);

    /// Runs a mode in one kernel, where the cipher has one that takes the data; otherwise does nothing
    /// and returns `false`. What `value` is, the mode tells.
    ///
    /// The data comes by reference: handed on by value, the pair of buffers would be copied at
    /// every step in pieces in which the CPU can't forward it.
    #[doc(hidden)]
    fn whole(&self, mode: WholeMode, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
        let _ = (mode, io, value);
        false
    }

    /// Seals or opens a GCM message in one pass, where the cipher has a kernel for that; otherwise
    /// does nothing and returns `false`. The tag is that of the message found. Of a piece of a message
    /// it takes as much as fills its tiles, which may be nothing.
    #[doc(hidden)]
    fn gcm(&self, direction: Direction, message: &mut GcmMessage<'_, '_>) -> bool {
        let _ = (direction, message);
        false
    }

    /// Seals or opens a CCM message in one pass, where the cipher has a kernel for that; otherwise does
    /// nothing and returns `false`. The tag is that of the message found.
    #[doc(hidden)]
    fn ccm(&self, direction: Direction, message: &mut CcmMessage<'_, '_>) -> bool {
        let _ = (direction, message);
        false
    }

    /// The object itself, for [`xts`](Self::xts) of another one of its type, if it has that.
    #[doc(hidden)]
    fn itself(&self) -> Option<&dyn Any> {
        None
    }

    /// Encrypts or decrypts a unit of XTS (IEEE 1619) of whole blocks, the encryption of its tweak under
    /// the key of `tweaks` included, where the cipher has a kernel for that and the object is one of its
    /// type; otherwise does nothing and returns `false`.
    ///
    /// One call for both keys: between two the tweak would go through memory.
    #[doc(hidden)]
    fn xts(
        &self,
        direction: Direction,
        tweaks: &dyn Any,
        tweak: &[u8; 16],
        io: &mut InOut<'_>,
    ) -> bool {
        let _ = (direction, tweaks, tweak, io);
        false
    }

    /// Whether a block alone costs no more than one among many, so that nothing is won by
    /// putting it to others.
    #[doc(hidden)]
    fn single_is_cheap(&self) -> bool {
        false
    }

    /// Goes on under another key of the same length, or of another one that it can take there, in
    /// the same place, where the cipher has a way to: for a key for every packet, which then needs no
    /// allocation. Otherwise does nothing and returns `false`. What was left on the stack under the old key
    /// is cleared with the object's end, as what will be left under the new one.
    #[must_use = "whether the object has the key"]
    fn rekey(&mut self, key: &[u8]) -> bool {
        let _ = key;
        false
    }

    /// Leaves it to another object to clear the stack that this one's operations used: modes ask
    /// so of ciphers that they make for a message or a block.
    #[doc(hidden)]
    fn leave_trace(&mut self) {}

    /// A mode has put more than a few blocks on the stack, whatever the length of its message:
    /// for ciphers that clear less of it where all messages were short.
    #[doc(hidden)]
    fn went_deep(&self) {}

    /// Encrypts one block in place.
    ///
    /// # Panics
    /// If `block` is not one block.
    fn encrypt_block(&self, block: &mut [u8]) {
        assert_eq!(block.len(), self.block_size(), "one block");
        self.encrypt_blocks(block.into(), None, None);
    }

    /// Decrypts one block in place.
    ///
    /// # Panics
    /// If `block` is not one block.
    fn decrypt_block(&self, block: &mut [u8]) {
        assert_eq!(block.len(), self.block_size(), "one block");
        self.decrypt_blocks(block.into(), None, None);
    }
}

macro_rules! forward {
    ($($pointer:ty $(, $for_the_owner:item)*);*) => { $(
        impl<C: BlockCipher + ?Sized> BlockCipher for $pointer {
            fn block_size(&self) -> usize { (**self).block_size() }
            fn level(&self) -> Level { (**self).level() }
            fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                (**self).encrypt_blocks(io, pre, post);
            }
            fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                (**self).decrypt_blocks(io, pre, post);
            }
            fn ctr(&self, io: InOut<'_>, counter: &mut [u8]) { (**self).ctr(io, counter); }
            fn encrypt_chains(&self, chains: &mut [Chain<'_>]) { (**self).encrypt_chains(chains); }
            fn whole(&self, mode: WholeMode, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
                (**self).whole(mode, io, value)
            }
            fn gcm(&self, direction: Direction, message: &mut GcmMessage<'_, '_>) -> bool {
                (**self).gcm(direction, message)
            }
            fn ccm(&self, direction: Direction, message: &mut CcmMessage<'_, '_>) -> bool {
                (**self).ccm(direction, message)
            }
            fn itself(&self) -> Option<&dyn Any> { (**self).itself() }
            fn xts(
                &self,
                direction: Direction,
                tweaks: &dyn Any,
                tweak: &[u8; 16],
                io: &mut InOut<'_>,
            ) -> bool {
                (**self).xts(direction, tweaks, tweak, io)
            }
            fn single_is_cheap(&self) -> bool { (**self).single_is_cheap() }
            fn went_deep(&self) { (**self).went_deep(); }
            fn encrypt_block(&self, block: &mut [u8]) { (**self).encrypt_block(block); }
            fn decrypt_block(&self, block: &mut [u8]) { (**self).decrypt_block(block); }
            $($for_the_owner)*
        }
    )* };
}
forward!(&C);
#[cfg(feature = "alloc")]
forward!(
    alloc::boxed::Box<C>,
    fn leave_trace(&mut self) { (**self).leave_trace(); },
    fn rekey(&mut self, key: &[u8]) -> bool { (**self).rekey(key) };
    alloc::sync::Arc<C>,
    fn rekey(&mut self, key: &[u8]) -> bool {
        // Another owner goes on under the old key.
        alloc::sync::Arc::get_mut(self).is_some_and(|cipher| cipher.rekey(key))
    }
);
