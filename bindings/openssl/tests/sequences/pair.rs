//! One context of each provider, and one call on either.

use std::ffi::c_int;
use std::ptr;

use super::calls::{Call, Data, Number};
use super::evp::{Cipher, Evp, Handle, Param};

/// What a call answered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    pub done: bool,
    /// A length or a number.
    pub value: i64,
    pub bytes: Vec<u8>,
}

impl Answer {
    fn verdict(returned: c_int) -> Self {
        Self { done: returned > 0, ..Self::default() }
    }
}

/// A context.
pub struct Context<'e> {
    pub evp: &'e Evp,
    pub cipher: Handle,
    pub raw: Handle,
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        // Safety: the context is this object's own.
        unsafe { (self.evp.EVP_CIPHER_CTX_free)(self.raw) }
    }
}

/// Bytes of a buffer that nobody was asked to write.
const UNTOUCHED: u8 = 0xa5;
/// What a context may write behind the length of its input.
const BEHIND: usize = 32;

fn or_null(bytes: Option<&Vec<u8>>) -> *const u8 {
    bytes.map_or(ptr::null(), Vec::as_ptr)
}

/// Longer than any key or IV that a context reads.
const MOST: usize = 256;

impl<'e> Context<'e> {
    pub fn new(evp: &'e Evp, cipher: Handle) -> Self {
        // Safety: no conditions.
        Self { evp, cipher, raw: unsafe { (evp.EVP_CIPHER_CTX_new)() } }
    }

    fn ctrl(&self, what: c_int, length: c_int, bytes: *mut u8) -> c_int {
        // Safety: the callers' buffers are as long as said.
        unsafe { (self.evp.EVP_CIPHER_CTX_ctrl)(self.raw, what, length, bytes) }
    }

    fn set(&self, param: Param) -> c_int {
        let list = [param, Param::END];
        // Safety: the list ends.
        unsafe { (self.evp.EVP_CIPHER_CTX_set_params)(self.raw, list.as_ptr()) }
    }

    /// An update whose output begins so many bytes before its input, or lies apart.
    fn update(&self, data: &Data, length: usize, lag: Option<usize>) -> Answer {
        let before = lag.unwrap_or(length + 2 * BEHIND);
        let mut buffer = vec![UNTOUCHED; before + length + 2 * BEHIND];
        data.write(&mut buffer[before..before + length]);
        let mut written = -1;
        let place = buffer.as_mut_ptr();
        // Safety: the buffer is as long as said.
        let returned = unsafe {
            let from = place.add(before).cast_const();
            (self.evp.EVP_CipherUpdate)(self.raw, place, &raw mut written, from, length as c_int)
        };
        let mut answer = Answer::verdict(returned);
        if answer.done {
            answer.value = written.into();
            let written = usize::try_from(written).expect("a length");
            if lag.is_none() {
                let beyond = &buffer[length + BEHIND..before];
                assert!(beyond.iter().all(|byte| *byte == UNTOUCHED), "written beyond the room");
            }
            buffer.truncate(written);
            answer.bytes = buffer;
        }
        answer
    }

    fn number(&self, what: Number) -> Answer {
        let raw = self.raw;
        let mut place = [UNTOUCHED; 8];
        // Safety: the context lives.
        let value: c_int = unsafe {
            match what {
                Number::KeyLength => (self.evp.EVP_CIPHER_CTX_get_key_length)(raw),
                Number::IvLength => (self.evp.EVP_CIPHER_CTX_get_iv_length)(raw),
                Number::TagLength => (self.evp.EVP_CIPHER_CTX_get_tag_length)(raw),
                Number::Num => (self.evp.EVP_CIPHER_CTX_get_num)(raw),
                Number::KeyBits => self.ctrl(0x2, 0, place.as_mut_ptr()),
                Number::Rounds => self.ctrl(0x4, 0, place.as_mut_ptr()),
                Number::Padding | Number::TlsPad => {
                    let mut list = match what {
                        Number::Padding => [Param::number(c"padding", &mut place[..4]), Param::END],
                        _ => [Param::number(c"tlsaadpad", &mut place), Param::END],
                    };
                    (self.evp.EVP_CIPHER_CTX_get_params)(raw, list.as_mut_ptr())
                }
            }
        };
        let written = matches!(what, Number::KeyBits | Number::Rounds) && value > 0
            || matches!(what, Number::Padding | Number::TlsPad);
        let bytes = if written { place.to_vec() } else { Vec::new() };
        Answer { done: value > 0, value: value.into(), bytes }
    }

    /// Whether parts of an IV fit into it: OpenSSL's own writes beside it otherwise.
    pub fn has_room(&self, call: &Call) -> bool {
        // Safety: the context lives.
        let iv = || unsafe { (self.evp.EVP_CIPHER_CTX_get_iv_length)(self.raw) };
        match call {
            Call::IvFixed { length, .. } => *length <= iv(),
            Call::IvInv { length, .. } => *length as c_int <= iv(),
            Call::IvGen { .. } => iv() >= 8,
            // The nonce of TLS.
            Call::Record { .. } => iv() == 12,
            _ => true,
        }
    }

    /// Makes a call; `lag` for those in one buffer. Composed calls come in their parts.
    pub fn call(&mut self, call: &Call, lag: Option<usize>) -> Answer {
        let evp = self.evp;
        // Safety: buffers are as long as said, and longer than what is read by a length that only
        // the context knows.
        unsafe {
            match call {
                Call::Init { cipher, key, iv, encrypt, extended } => {
                    let of = |data: &Option<Data>| data.as_ref().map(|data| data.bytes(MOST));
                    let (key, iv) = (of(key), of(iv));
                    let cipher = if *cipher { self.cipher } else { ptr::null_mut() };
                    let (key, iv) = (or_null(key.as_ref()), or_null(iv.as_ref()));
                    let none = ptr::null_mut();
                    Answer::verdict(if *extended {
                        (evp.EVP_CipherInit_ex2)(self.raw, cipher, key, iv, *encrypt, ptr::null())
                    } else {
                        (evp.EVP_CipherInit_ex)(self.raw, cipher, none, key, iv, *encrypt)
                    })
                }
                Call::Update { length, over, data } => {
                    self.update(data, *length, lag.filter(|_| *over))
                }
                Call::Aad { length, data } => {
                    let (data, mut written) = (data.bytes(*length), -1);
                    let (none, length) = (ptr::null_mut(), *length as c_int);
                    let from = data.as_ptr();
                    let returned =
                        (evp.EVP_CipherUpdate)(self.raw, none, &raw mut written, from, length);
                    let mut answer = Answer::verdict(returned);
                    answer.value = if answer.done { written.into() } else { 0 };
                    answer
                }
                Call::Announce { length } => {
                    let (none, mut written) = (ptr::null_mut(), -1);
                    let length = *length as c_int;
                    let returned = (evp.EVP_CipherUpdate)(
                        self.raw,
                        none,
                        &raw mut written,
                        ptr::null(),
                        length,
                    );
                    Answer::verdict(returned)
                }
                Call::Whole { length, data } => {
                    let (data, mut output) =
                        (data.bytes(*length), vec![UNTOUCHED; length + BEHIND]);
                    let (to, from) = (output.as_mut_ptr(), data.as_ptr());
                    let returned = (evp.EVP_Cipher)(self.raw, to, from, *length as u32);
                    output.truncate(usize::try_from(returned).unwrap_or(0));
                    Answer { done: returned >= 0, value: returned.max(-1).into(), bytes: output }
                }
                Call::Final => {
                    let (mut output, mut written) = (vec![UNTOUCHED; 2 * BEHIND], -1);
                    let to = output.as_mut_ptr();
                    let returned = (evp.EVP_CipherFinal_ex)(self.raw, to, &raw mut written);
                    let mut answer = Answer::verdict(returned);
                    if answer.done {
                        output.truncate(usize::try_from(written).expect("a length"));
                        (answer.value, answer.bytes) = (written.into(), output);
                    }
                    answer
                }
                Call::Copy { use_copy } => {
                    let copy = (evp.EVP_CIPHER_CTX_new)();
                    let answer = Answer::verdict((evp.EVP_CIPHER_CTX_copy)(copy, self.raw));
                    let drop = if answer.done && *use_copy {
                        std::mem::replace(&mut self.raw, copy)
                    } else {
                        copy
                    };
                    (evp.EVP_CIPHER_CTX_free)(drop);
                    answer
                }
                Call::Dup => {
                    let Some(dup) = evp.dup else { return Answer::verdict(1) };
                    let copy = dup(self.raw);
                    if !copy.is_null() {
                        (evp.EVP_CIPHER_CTX_free)(std::mem::replace(&mut self.raw, copy));
                    }
                    Answer::verdict(c_int::from(!copy.is_null()))
                }
                Call::Reset => Answer::verdict((evp.EVP_CIPHER_CTX_reset)(self.raw)),
                Call::SetPadding(on) => {
                    Answer::verdict((evp.EVP_CIPHER_CTX_set_padding)(self.raw, c_int::from(*on)))
                }
                Call::SetKeyLength(length) => {
                    Answer::verdict((evp.EVP_CIPHER_CTX_set_key_length)(self.raw, *length as c_int))
                }
                Call::SetIvLength(length) => {
                    Answer::verdict(self.ctrl(0x9, *length as c_int, ptr::null_mut()))
                }
                Call::SetL(length) => {
                    Answer::verdict(self.ctrl(0x14, *length as c_int, ptr::null_mut()))
                }
                Call::SetTag { length, data } => {
                    let mut tag = data.as_ref().map(|data| data.bytes(*length));
                    let tag = tag.as_mut().map_or(ptr::null_mut(), |tag| tag.as_mut_ptr());
                    Answer::verdict(self.ctrl(0x11, *length as c_int, tag))
                }
                Call::GetTag { length } => self.filled(0x10, *length as c_int),
                Call::IvFixed { length, data } => {
                    let mut bytes = data.bytes(MOST);
                    Answer::verdict(self.ctrl(0x12, *length, bytes.as_mut_ptr()))
                }
                Call::IvGen { length } => self.filled(0x13, *length as u32 as c_int),
                Call::IvInv { length, data } => {
                    let mut bytes = data.bytes(*length);
                    Answer::verdict(self.ctrl(0x18, *length as c_int, bytes.as_mut_ptr()))
                }
                Call::SetNum(number) => self.counted(c"num", *number),
                Call::SetKeyBits(number) => {
                    Answer::verdict(self.ctrl(0x3, *number as c_int, ptr::null_mut()))
                }
                Call::SetRounds(number) => {
                    Answer::verdict(self.ctrl(0x5, *number as c_int, ptr::null_mut()))
                }
                Call::SetSpeed(on) => {
                    Answer::verdict(self.ctrl(0x27, c_int::from(*on), ptr::null_mut()))
                }
                Call::SetStandard(name) => {
                    Answer::verdict(self.set(Param::text(c"xts_standard", name)))
                }
                Call::Get(number) => self.number(*number),
                Call::GetIv { updated } => {
                    let length = (evp.EVP_CIPHER_CTX_get_iv_length)(self.raw).max(0) as usize;
                    let mut iv = vec![UNTOUCHED; length];
                    let get = if *updated {
                        evp.EVP_CIPHER_CTX_get_updated_iv
                    } else {
                        evp.EVP_CIPHER_CTX_get_original_iv
                    };
                    let mut answer = Answer::verdict(get(self.raw, iv.as_mut_ptr(), length));
                    if answer.done {
                        (answer.value, answer.bytes) = (length as i64, iv);
                    }
                    answer
                }
                Call::Record { length, data } => self.record(*length, data),
                Call::Open { .. } => unreachable!("comes in its parts"),
            }
        }
    }

    fn counted(&self, name: &'static std::ffi::CStr, number: u32) -> Answer {
        let mut place = number.to_ne_bytes();
        Answer::verdict(self.set(Param::number(name, &mut place)))
    }

    /// A ctrl that writes bytes.
    fn filled(&self, what: c_int, length: c_int) -> Answer {
        let mut place = vec![UNTOUCHED; MOST];
        let mut answer = Answer::verdict(self.ctrl(what, length, place.as_mut_ptr()));
        if answer.done {
            place.truncate(if length > 0 { length as usize } else { 16 });
            answer.bytes = place;
        }
        answer
    }

    fn record(&self, length: usize, data: &Data) -> Answer {
        let mut header = data.bytes(13);
        header[11..].copy_from_slice(&(length as u16).to_be_bytes());
        let pad = self.ctrl(0x16, 13, header.as_mut_ptr());
        if pad <= 0 {
            return Answer { value: -1, ..Answer::default() };
        }
        // With the room for the tag.
        let length = length + usize::try_from(pad).expect("a length");
        let mut answer = self.update(data, length, Some(0));
        answer.value += 100_000 * i64::from(pad);
        answer
    }
}

/// Contexts of both for one cipher, ours first.
pub fn both<'e>(evp: &'e Evp, cipher: &Cipher) -> [Context<'e>; 2] {
    [cipher.ours, cipher.theirs].map(|handle| Context::new(evp, handle))
}
