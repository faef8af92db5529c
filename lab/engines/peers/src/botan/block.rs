//! One `botan_block_cipher_t`: ECB.

use std::ffi::CStr;
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::{Botan, Object};
use crate::session::Session;

/// The length of a block in bytes.
const BLOCK: usize = 16;

/// A block cipher.
pub(super) struct BlockCipher<'b> {
    calls: &'b Botan,
    raw: Object,
    encrypt: bool,
}

impl Drop for BlockCipher<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by botan_block_cipher_init and is destroyed once.
        unsafe { (self.calls.block_destroy)(self.raw) };
    }
}

impl<'b> BlockCipher<'b> {
    /// A block cipher without a key.
    pub(super) fn new(calls: &'b Botan, name: &CStr, encrypt: bool) -> Result<Self, Fault> {
        let mut raw = ptr::null_mut();
        // SAFETY: the object is written to a place of its type; the name is a C string.
        match unsafe { (calls.block_init)(&raw mut raw, name.as_ptr()) } {
            0 => Ok(Self { calls, raw, encrypt }),
            _ => Err("botan_block_cipher_init"),
        }
    }
}

impl Session for BlockCipher<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        // SAFETY: the object lives; the key is valid for its length.
        match unsafe { (self.calls.block_set_key)(self.raw, key.as_ptr(), key.len()) } {
            0 => Ok(()),
            _ => Err("botan_block_cipher_set_key"),
        }
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        self.piece(message.data)
    }

    #[inline]
    fn piece(&mut self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, length) = data.pointers();
        let (work, fault) = if self.encrypt {
            (self.calls.block_encrypt, "botan_block_cipher_encrypt_blocks")
        } else {
            (self.calls.block_decrypt, "botan_block_cipher_decrypt_blocks")
        };
        // SAFETY: the object lives and has its key; both pointers are valid for so many whole
        // blocks, the same or disjoint.
        match unsafe { work(self.raw, input, output, length / BLOCK) } {
            0 => Ok(()),
            _ => Err(fault),
        }
    }
}
