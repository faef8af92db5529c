//! One `gcry_cipher_hd_t`.

use std::ffi::c_int;
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::{Handle, LibGcrypt, numbers};
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;

/// A handle for a cipher in a mode.
pub(super) struct CipherHandle<'g> {
    calls: &'g LibGcrypt,
    raw: Handle,
    mode: Mode,
    encrypt: bool,
}

impl Drop for CipherHandle<'_> {
    fn drop(&mut self) {
        // SAFETY: it was opened by gcry_cipher_open and is closed once.
        unsafe { (self.calls.cipher_close)(self.raw) }
    }
}

impl<'g> CipherHandle<'g> {
    /// A handle without a key.
    pub(super) fn open(
        calls: &'g LibGcrypt,
        operation: &Operation,
        mode: c_int,
    ) -> Result<Self, Fault> {
        let mut raw = ptr::null_mut();
        let algorithm = numbers::cipher(operation.cipher);
        // SAFETY: the handle is written to a place of its type; unknown numbers are refused.
        let error = unsafe { (calls.cipher_open)(&raw mut raw, algorithm, mode, 0) };
        match error {
            0 => Ok(Self { calls, raw, mode: operation.mode, encrypt: operation.encrypt }),
            _ => Err("gcry_cipher_open"),
        }
    }

    fn ctl(&mut self, command: c_int, bytes: &mut [u8]) -> Result<(), Fault> {
        let (data, length) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: the handle lives; the bytes are valid for their length, which is what the
        // command takes.
        match unsafe { (self.calls.cipher_ctl)(self.raw, command, data, length) } {
            0 => Ok(()),
            _ => Err("gcry_cipher_ctl"),
        }
    }

    #[inline]
    fn transform(&mut self, data: Data<'_>) -> Result<(), Fault> {
        let (work, fault) = if self.encrypt {
            (self.calls.encrypt, "gcry_cipher_encrypt")
        } else {
            (self.calls.decrypt, "gcry_cipher_decrypt")
        };
        let (input, output) = match data {
            // No input stands for the output's place.
            Data::InPlace(data) => (&[][..], data),
            Data::Disjoint(input, output) => (input, output),
        };
        let from = if input.is_empty() { ptr::null() } else { input.as_ptr().cast() };
        // SAFETY: the handle lives; the output is valid for its length, the input for its
        // own, which is the same, or null for working in place.
        let error =
            unsafe { work(self.raw, output.as_mut_ptr().cast(), output.len(), from, input.len()) };
        if error == 0 { Ok(()) } else { Err(fault) }
    }

    fn authenticated(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let Message { aad, data, tag, .. } = message;
        if self.mode == Mode::Ccm {
            let lengths = [data.len() as u64, aad.len() as u64, tag.len() as u64];
            let mut bytes = [0; 24];
            for (bytes, length) in bytes.chunks_exact_mut(8).zip(lengths) {
                bytes.copy_from_slice(&length.to_ne_bytes());
            }
            self.ctl(numbers::SET_CCM_LENGTHS, &mut bytes)?;
        }
        if !aad.is_empty() {
            // SAFETY: the handle lives and has its IV; the bytes are valid for their length.
            let error = unsafe {
                (self.calls.cipher_authenticate)(self.raw, aad.as_ptr().cast(), aad.len())
            };
            if error != 0 {
                return Err("gcry_cipher_authenticate");
            }
        }
        let siv = self.mode == Mode::GcmSiv;
        if siv && !self.encrypt {
            // Its tag is the IV of its counters, and checked with the data.
            self.ctl(numbers::SET_DECRYPTION_TAG, tag)?;
            return self.transform(data);
        }
        // GCM-SIV makes its tag with the data, even if there are none.
        if siv || !data.is_empty() {
            self.transform(data)?;
        }
        let (bytes, length) = (tag.as_mut_ptr(), tag.len());
        if self.encrypt {
            // SAFETY: the handle lives; the tag is valid for its length.
            let error = unsafe { (self.calls.cipher_gettag)(self.raw, bytes.cast(), length) };
            if error == 0 { Ok(()) } else { Err("gcry_cipher_gettag") }
        } else {
            // SAFETY: as above.
            let error = unsafe { (self.calls.cipher_checktag)(self.raw, bytes.cast(), length) };
            if error == 0 { Ok(()) } else { Err("gcry_cipher_checktag") }
        }
    }
}

impl Session for CipherHandle<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        if !key.is_empty() {
            let (bytes, length) = (key.as_ptr().cast(), key.len());
            // SAFETY: the handle lives; the key is valid for its length.
            if unsafe { (self.calls.cipher_setkey)(self.raw, bytes, length) } != 0 {
                return Err("gcry_cipher_setkey");
            }
        }
        if iv.is_empty() {
            return Ok(());
        }
        if key.is_empty() && self.mode == Mode::GcmSiv {
            // The keys derived from the IV before stand where the key was.
            self.ctl(numbers::RESET, &mut [])?;
        }
        let (set, fault) = match self.mode {
            Mode::Ctr => (self.calls.cipher_setctr, "gcry_cipher_setctr"),
            _ => (self.calls.cipher_setiv, "gcry_cipher_setiv"),
        };
        // SAFETY: the handle lives; the IV is valid for its length.
        match unsafe { set(self.raw, iv.as_ptr().cast(), iv.len()) } {
            0 => Ok(()),
            _ => Err(fault),
        }
    }

    fn restarts(&self) -> bool {
        self.mode == Mode::Keystream
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        if self.mode.is_aead() {
            self.authenticated(message)
        } else if message.data.is_empty() {
            Ok(())
        } else {
            self.transform(message.data)
        }
    }

    #[inline]
    fn piece(&mut self, data: Data<'_>) -> Result<(), Fault> {
        self.transform(data)
    }
}
