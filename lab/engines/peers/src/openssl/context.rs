//! One `EVP_CIPHER_CTX`: set up, given IVs, put to work.

use std::ffi::{c_int, c_uchar};
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::parameters::Parameters;
use super::{Opaque, OpenSsl};
use crate::peer_operations;
use crate::session::Session;

/// The numbers of `EVP_CIPHER_CTX_ctrl` for AEADs, from the header evp.h.
const SET_IVLEN: c_int = 0x9;
const GET_TAG: c_int = 0x10;
const SET_TAG: c_int = 0x11;

/// The lengths of the nonce and the tag in bytes.
const NONCE: c_int = 12;
const TAG: c_int = 16;

/// A mode as OpenSSL takes it.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub(super) cipher: *const Opaque,
    pub(super) encrypt: bool,
    pub(super) mode: peer_operations::Mode,
    /// Whether SM4-XTS is to be told by which standard.
    pub(super) choose_xts: bool,
}

/// An `EVP_CIPHER_CTX` with its cipher, direction and padding set.
pub(super) struct Context<'s> {
    ssl: &'s OpenSsl,
    raw: *mut Opaque,
    mode: Mode,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by EVP_CIPHER_CTX_new and is freed once.
        unsafe { (self.ssl.free)(self.raw) }
    }
}

impl<'s> Context<'s> {
    /// A context under a key.
    pub(super) fn new(ssl: &'s OpenSsl, mode: Mode, key: &[u8], iv: &[u8]) -> Result<Self, Fault> {
        // SAFETY: no arguments; null is checked below.
        let raw = unsafe { (ssl.new)() };
        if raw.is_null() {
            return Err("EVP_CIPHER_CTX_new");
        }
        let mut context = Self { ssl, raw, mode };
        // SAFETY: the context lives; the cipher was fetched; without a key only the cipher
        // and the direction are set.
        let done = unsafe {
            let none = ptr::null();
            let encrypt = c_int::from(mode.encrypt);
            (ssl.init)(raw, mode.cipher, ptr::null_mut(), none, none, encrypt) == 1
                && (ssl.set_padding)(raw, 0) == 1
        };
        if !done {
            return Err("EVP_CipherInit_ex");
        }
        if mode.choose_xts {
            context.choose_xts()?;
        }
        // CCM sets its key up for these lengths.
        if mode.mode == peer_operations::Mode::Ccm {
            context.ctrl(SET_IVLEN, NONCE, ptr::null_mut())?;
            context.ctrl(SET_TAG, TAG, ptr::null_mut())?;
        }
        context.start(key, iv)?;
        Ok(context)
    }

    /// Says by which standard SM4-XTS works: without a word it is that of GB/T 17964.
    fn choose_xts(&self) -> Result<(), Fault> {
        const FAULT: Fault = "EVP_CIPHER_CTX_set_params of xts_standard";
        let standard = if self.mode.mode == peer_operations::Mode::XtsGb { c"GB" } else { c"IEEE" };
        let parameters = Parameters::string(c"xts_standard", standard);
        let set = self.ssl.set_params.ok_or(FAULT)?;
        // SAFETY: the context lives and has its cipher; the list ends with a null key.
        let done = unsafe { set(self.raw, parameters.as_ptr()) };
        if done == 1 { Ok(()) } else { Err(FAULT) }
    }

    fn authenticated(&self, message: Message<'_>) -> Result<(), Fault> {
        let Message { aad, data, tag, .. } = message;
        if tag.len() != TAG as usize {
            return Err("EVP_CIPHER_CTX_ctrl of another tag length");
        }
        let (seal, ccm) = (self.mode.encrypt, self.mode.mode == peer_operations::Mode::Ccm);
        if !seal {
            self.ctrl(SET_TAG, TAG, tag.as_mut_ptr())?;
        }
        if ccm {
            let length =
                c_int::try_from(data.len()).map_err(|_| "EVP_CipherUpdate of over 2 GiB")?;
            self.apart(ptr::null(), length)?;
        }
        if self.mode.mode == peer_operations::Mode::GcmSiv {
            // Nothing else takes away the associated data of the message before.
            self.apart(aad.as_ptr(), 0)?;
        }
        if !aad.is_empty() {
            let length =
                c_int::try_from(aad.len()).map_err(|_| "EVP_CipherUpdate of over 2 GiB")?;
            self.apart(aad.as_ptr(), length)?;
        }
        self.update(data)?;
        // Opening by CCM has checked the tag with the data, and there is nothing to finish.
        if seal || !ccm {
            let (mut none, mut written) = ([0; TAG as usize], 0);
            // SAFETY: the context lives; there is room for a block, and none is written.
            let done = unsafe { (self.ssl.finish)(self.raw, none.as_mut_ptr(), &raw mut written) };
            if done != 1 {
                return Err("EVP_CipherFinal_ex");
            }
        }
        if seal { self.ctrl(GET_TAG, TAG, tag.as_mut_ptr()) } else { Ok(()) }
    }

    /// `bytes` are null or valid for what the call reads or writes of them: the tag's length.
    fn ctrl(&self, what: c_int, length: c_int, bytes: *mut c_uchar) -> Result<(), Fault> {
        // SAFETY: the context lives and has its cipher; every caller passes null or a tag,
        // whose length was checked.
        let done = unsafe { (self.ssl.ctrl)(self.raw, what, length, bytes.cast()) };
        if done == 1 { Ok(()) } else { Err("EVP_CIPHER_CTX_ctrl") }
    }

    /// Passes associated data, or with null the length of the data to come.
    fn apart(&self, bytes: *const c_uchar, length: c_int) -> Result<(), Fault> {
        let mut written = 0;
        // SAFETY: the context lives; no output stands for associated data of `length`
        // bytes, and no input either for the announcement of a length.
        let done = unsafe {
            (self.ssl.update)(self.raw, ptr::null_mut(), &raw mut written, bytes, length)
        };
        if done == 1 { Ok(()) } else { Err("EVP_CipherUpdate") }
    }

    /// Processes data. CCM makes its tag with them, even if there are none.
    #[inline]
    fn update(&self, mut data: Data<'_>) -> Result<(), Fault> {
        let (input, output, length) = data.pointers();
        if length == 0 && self.mode.mode != peer_operations::Mode::Ccm {
            return Ok(());
        }
        let length = c_int::try_from(length).map_err(|_| "EVP_CipherUpdate of over 2 GiB")?;
        let mut written = 0;
        // SAFETY: both pointers are valid for `length` bytes, the same or disjoint; without
        // padding, and with whole blocks where the mode wants them, as many are written.
        let done = unsafe { (self.ssl.update)(self.raw, output, &raw mut written, input, length) };
        if done == 1 && written == length { Ok(()) } else { Err("EVP_CipherUpdate") }
    }
}

impl Session for Context<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], iv: &[u8]) -> Result<(), Fault> {
        // SAFETY: the context lives and has its cipher; key and IV are null, which keeps
        // what was set, or of the offered lengths, which are the cipher's.
        let done = unsafe {
            let (key, iv) = (or_null(key), or_null(iv));
            (self.ssl.init)(self.raw, ptr::null(), ptr::null_mut(), key, iv, -1)
        };
        if done == 1 { Ok(()) } else { Err("EVP_CipherInit_ex") }
    }

    fn restarts(&self) -> bool {
        self.mode.mode == peer_operations::Mode::Keystream
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        if self.mode.mode.is_aead() {
            self.authenticated(message)
        } else {
            self.update(message.data)
        }
    }

    fn piece(&mut self, data: Data<'_>) -> Result<(), Fault> {
        self.update(data)
    }
}

fn or_null(bytes: &[u8]) -> *const c_uchar {
    if bytes.is_empty() { ptr::null() } else { bytes.as_ptr() }
}
