//! One `botan_cipher_t`: a mode of operation.

use std::ffi::CStr;
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::{Botan, Object, Query, Whole};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

/// `BOTAN_CIPHER_INIT_FLAG_DECRYPT` and `BOTAN_CIPHER_UPDATE_FLAG_FINAL`, from ffi.h.
const DECRYPT: u32 = 1;
const FINAL: u32 = 1;

/// The most that a mode wants to see last, in bytes: XTS, to steal ciphertext.
const LAST: usize = 32;

/// The length of the tags in bytes.
const TAG: usize = 16;

/// A mode of operation.
pub(super) struct CipherMode<'b> {
    calls: &'b Botan,
    raw: Object,
    mode: Mode,
    encrypt: bool,
    /// How many bytes are best passed before the last; 0 if all must come at once.
    piece: usize,
    /// What comes last with the tag, which the interface wants in one place.
    last: Vec<u8>,
}

impl Drop for CipherMode<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by botan_cipher_init and is destroyed once.
        unsafe { (self.calls.cipher_destroy)(self.raw) };
    }
}

impl<'b> CipherMode<'b> {
    /// A mode without a key.
    pub(super) fn new(calls: &'b Botan, name: &CStr, operation: &Operation) -> Result<Self, Fault> {
        let mut raw = ptr::null_mut();
        let direction = if operation.encrypt { 0 } else { DECRYPT };
        // SAFETY: the object is written to a place of its type; the name is a C string.
        if unsafe { (calls.cipher_init)(&raw mut raw, name.as_ptr(), direction) } != 0 {
            return Err("botan_cipher_init");
        }
        let (mode, encrypt) = (operation.mode, operation.encrypt);
        let mut it = Self { calls, raw, mode, encrypt, piece: 0, last: Vec::new() };
        // These want the whole message at once.
        if !matches!(mode, Mode::Ccm | Mode::GcmSiv) {
            it.piece = it.ask(calls.cipher_ideal_granularity)?;
        }
        Ok(it)
    }

    /// Of how many bytes the pieces of a stream must be multiples.
    pub(super) fn granularity(&self) -> Result<usize, Fault> {
        self.ask(self.calls.cipher_granularity)
    }

    fn ask(&self, query: Query) -> Result<usize, Fault> {
        let mut answer = 0;
        // SAFETY: the object lives; the number is written to a place of its type.
        match unsafe { query(self.raw, &raw mut answer) } {
            0 => Ok(answer),
            _ => Err("botan_cipher_get_update_granularity"),
        }
    }

    /// How much of a message is passed in pieces.
    fn early(&self, length: usize) -> usize {
        // The pieces of GCM are so short that a buffer for the whole is twice as fast, until
        // that buffer is fetched from the system for every message.
        if self.mode == Mode::Gcm && length <= 1 << 16 {
            return 0;
        }
        let early = length.saturating_sub(LAST).checked_div(self.piece);
        early.unwrap_or(0) * self.piece
    }

    /// Passes data; as many bytes as go in come out, unless a tag goes in or comes out.
    ///
    /// # Safety
    /// The pointers are valid for their lengths, and the same or disjoint.
    unsafe fn update(
        &mut self,
        flags: u32,
        (input, length): (*const u8, usize),
        (output, room): (*mut u8, usize),
    ) -> Result<(), Fault> {
        let (mut written, mut consumed) = (0, 0);
        // SAFETY: the object lives and has its key and nonce; the pointers are the caller's,
        // with their lengths.
        let error = unsafe {
            (self.calls.cipher_update)(
                self.raw,
                flags,
                output,
                room,
                &raw mut written,
                input,
                length,
                &raw mut consumed,
            )
        };
        match (error, written == room, consumed == length) {
            (0, true, true) => Ok(()),
            _ => Err("botan_cipher_update"),
        }
    }

    /// A message with its tag, if it has one, by the interface that copies nothing.
    #[inline]
    fn whole(&mut self, whole: Whole, mut data: Data<'_>, tag: &mut [u8]) -> Result<(), Fault> {
        let (input, output, length) = data.pointers();
        // SAFETY: the object lives and is started; input and output are valid for `length`
        // bytes, the same or disjoint, and the tag for its length.
        match unsafe { whole(self.raw, input, output, length, tag.as_mut_ptr(), tag.len()) } {
            0 => Ok(()),
            _ => Err("Cipher_Mode::finish"),
        }
    }

    fn authenticated(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let Message { mut data, tag, .. } = message;
        if let Some((whole, _)) = self.calls.in_place {
            return self.whole(whole, data, tag);
        }
        if tag.len() != TAG {
            return Err("botan_cipher_update of another tag length");
        }
        let (input, output, length) = data.pointers();
        let early = self.early(length);
        let late = length - early;
        let mut last = std::mem::take(&mut self.last);
        last.resize(2 * (late + TAG), 0);
        let (from, to) = last.split_at_mut(late + TAG);
        // SAFETY: input and output are valid for `length` bytes, which has two parts, and the
        // same or disjoint; the two halves of `last` have room for the late part and the tag.
        let done = unsafe {
            let mut done = Ok(());
            if early > 0 {
                done = self.update(0, (input, early), (output, early));
            }
            if self.encrypt {
                let input = (input.add(early), late);
                done = done.and_then(|()| self.update(FINAL, input, (to.as_mut_ptr(), late + TAG)));
            } else {
                ptr::copy_nonoverlapping(input.add(early), from.as_mut_ptr(), late);
                from[late..].copy_from_slice(tag);
                let input = (from.as_ptr(), late + TAG);
                done = done.and_then(|()| self.update(FINAL, input, (to.as_mut_ptr(), late)));
            }
            ptr::copy_nonoverlapping(to.as_ptr(), output.add(early), late);
            done
        };
        if self.encrypt {
            tag.copy_from_slice(&to[late..]);
        }
        self.last = last;
        done
    }
}

impl Session for CipherMode<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        // SAFETY: the object lives; the key is valid for its length.
        let set_key = || unsafe { (self.calls.cipher_set_key)(self.raw, key.as_ptr(), key.len()) };
        if !key.is_empty() && set_key() != 0 {
            return Err("botan_cipher_set_key");
        }
        // An AEAD wants associated data before the nonce, so the message starts itself.
        if iv.is_empty() || self.mode.is_aead() {
            return Ok(());
        }
        // SAFETY: the object lives; the nonce is valid for its length.
        match unsafe { (self.calls.cipher_start)(self.raw, iv.as_ptr(), iv.len()) } {
            0 => Ok(()),
            _ => Err("botan_cipher_start"),
        }
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let (iv, aad) = (message.iv, message.aad);
        if self.mode.is_aead() {
            // SAFETY: the object lives and has its key; both are valid for their lengths.
            let done = unsafe {
                (self.calls.cipher_set_associated_data)(self.raw, aad.as_ptr(), aad.len()) == 0
                    && (self.calls.cipher_start)(self.raw, iv.as_ptr(), iv.len()) == 0
            };
            return if done { self.authenticated(message) } else { Err("botan_cipher_start") };
        }
        let mut data = message.data;
        let (input, output, length) = data.pointers();
        if length == 0 {
            return Ok(());
        }
        if let Some((whole, _)) = self.calls.in_place {
            return self.whole(whole, data, &mut []);
        }
        let early = self.early(length);
        let late = length - early;
        // SAFETY: both pointers are valid for `length` bytes, which has two parts, and the
        // same or disjoint.
        unsafe {
            if early > 0 {
                self.update(0, (input, early), (output, early))?;
            }
            self.update(FINAL, (input.add(early), late), (output.add(early), late))
        }
    }

    #[inline]
    fn piece(&mut self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, length) = data.pointers();
        if let Some((_, piece)) = self.calls.in_place {
            // SAFETY: the object lives and is started; both pointers are valid for `length`
            // bytes, the same or disjoint.
            return match unsafe { piece(self.raw, input, output, length) } {
                0 => Ok(()),
                _ => Err("Cipher_Mode::process"),
            };
        }
        // SAFETY: both pointers are valid for `length` bytes, the same or disjoint.
        unsafe { self.update(0, (input, length), (output, length)) }
    }
}
