//! Block ciphers: objects of the interface, each with its cipher, mode, direction and key.
//!
//! The library keeps no stream, and its jobs that authenticate or chain count in 16 bits.

use std::ffi::{c_int, c_void};
use std::ptr;

use lab::work::{Data, Fault, Message};

use super::functions::Functions;
use crate::peer_operations::{Mode, Operation};
use crate::session::Session;
use crate::shared_library::Opened;

/// The most that jobs of CBC encryption, CFB, CCM and CMAC take, in bytes.
const SIXTEEN_BITS: u64 = 65_534;

/// The most associated data of CCM, in bytes.
const CCM_AAD: u32 = 46;

/// The most packets of a call; that of shim.c.
const MOST: usize = 4096;

type Object = *mut c_void;

/// The functions of the interface for block ciphers.
pub(super) struct Calls {
    new: unsafe extern "C" fn(*mut c_void, u32, u32, u32) -> Object,
    free: unsafe extern "C" fn(Object),
    set_key: unsafe extern "C" fn(Object, *const u8) -> c_int,
    apply: unsafe extern "C" fn(
        *const Object,
        *const *const u8,
        *const *const u8,
        u32,
        *const *const u8,
        *const *mut u8,
        *const u64,
        *const *mut u8,
        u32,
        u32,
    ) -> c_int,
}

impl Calls {
    /// Finds the functions.
    ///
    /// # Errors
    /// The one that is lacking.
    pub(super) fn bind(opened: &Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of shim.c.
        unsafe {
            Ok(Self {
                new: opened.function("cipherlane_ipsec_mb_keyed_new")?,
                free: opened.function("cipherlane_ipsec_mb_keyed_free")?,
                set_key: opened.function("cipherlane_ipsec_mb_set_key")?,
                apply: opened.function("cipherlane_ipsec_mb_apply")?,
            })
        }
    }
}

/// The number of a mode in shim.c; none where the library has none.
const fn number(mode: Mode) -> Option<u32> {
    match mode {
        Mode::Ecb => Some(0),
        Mode::Cbc => Some(1),
        Mode::Ctr => Some(2),
        Mode::Cfb => Some(3),
        Mode::Gcm => Some(4),
        Mode::Ccm => Some(5),
        Mode::Cmac => Some(6),
        Mode::Gmac => Some(7),
        _ => None,
    }
}

/// The key of AES in bytes, 0 for SM4; none of other ciphers.
fn aes_key(cipher: &str) -> Option<u32> {
    match cipher {
        "sm4" => Some(0),
        "aes-128" => Some(16),
        "aes-192" => Some(24),
        "aes-256" => Some(32),
        _ => None,
    }
}

/// Why the library can't process messages of that length, if it can't.
pub(super) fn too_long(operation: &Operation, bytes: u64, aad: u32) -> Option<String> {
    let name = operation.name;
    let counted = match operation.mode {
        Mode::Cbc => operation.encrypt && operation.cipher != "sm4",
        Mode::Cfb | Mode::Ccm | Mode::Cmac => true,
        _ => false,
    };
    if counted && bytes > SIXTEEN_BITS {
        return Some(format!(
            "IMB_SUBMIT_JOB of {name} takes packets of 0 to {SIXTEEN_BITS} bytes, not {bytes}"
        ));
    }
    let short = operation.mode == Mode::Ccm && aad > CCM_AAD;
    short.then(|| {
        format!("IMB_SUBMIT_JOB of {name} takes packets of at most {CCM_AAD} bytes of header")
    })
}

/// An object of the interface.
pub(super) struct Keyed<'f> {
    calls: &'f Calls,
    raw: Object,
    /// Whether a message without data has an output.
    tag: bool,
}

impl Drop for Keyed<'_> {
    fn drop(&mut self) {
        // SAFETY: it was made by the interface and is freed once.
        unsafe { (self.calls.free)(self.raw) }
    }
}

impl<'f> Keyed<'f> {
    /// An object without a key.
    ///
    /// # Errors
    /// If the library has no such operation.
    pub(super) fn new(
        functions: &'f Functions,
        calls: &'f Calls,
        operation: &Operation,
    ) -> Result<Self, Fault> {
        const LACKS: Fault = "IMB_SUBMIT_JOB";
        let (Some(mode), Some(aes)) = (number(operation.mode), aes_key(operation.cipher)) else {
            return Err(LACKS);
        };
        // SAFETY: the manager lives as long as the functions; the rest are numbers.
        let raw =
            unsafe { (calls.new)(functions.manager, aes, mode, u32::from(operation.encrypt)) };
        let tag = operation.mode.has_tag();
        if raw.is_null() { Err(LACKS) } else { Ok(Self { calls, raw, tag }) }
    }

    /// Sets a key of the operation's length.
    #[inline]
    fn set_key(&mut self, key: &[u8]) -> Result<(), Fault> {
        // SAFETY: the object lives; keys have the length of its cipher.
        match unsafe { (self.calls.set_key)(self.raw, key.as_ptr()) } {
            0 => Ok(()),
            _ => Err("IMB_AES_KEYEXP"),
        }
    }

    /// One packet: its pointers are the whole arrays of a call.
    #[inline]
    fn one(&self, iv: &[u8], aad: &[u8], mut data: Data<'_>, tag: &mut [u8]) -> Result<(), Fault> {
        let (input, output, bytes) = data.pointers();
        if bytes == 0 && !self.tag {
            return Ok(());
        }
        let (ivs, aads, tags) = (iv.as_ptr(), aad.as_ptr(), tag.as_mut_ptr());
        let bytes = bytes as u64;
        // SAFETY: the object lives and has its key; an IV has the operation's length, the
        // other pointers are valid for theirs, and arrays of one are their entry.
        let done = unsafe {
            (self.calls.apply)(
                &raw const self.raw,
                &raw const ivs,
                &raw const aads,
                aad.len() as u32,
                &raw const input,
                &raw const output,
                &raw const bytes,
                &raw const tags,
                tag.len() as u32,
                1,
            )
        };
        if done == 0 { Ok(()) } else { Err("IMB_SUBMIT_JOB_NOCHECK") }
    }
}

impl Session for Keyed<'_> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        // Messages carry their IV.
        if key.is_empty() { Ok(()) } else { self.set_key(key) }
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        self.one(message.iv, message.aad, message.data, message.tag)
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("IMB_SUBMIT_JOB as a stream")
    }
}

/// The packets of a batch, as arrays of what the interface takes. The pointers are valid as long
/// as the messages that they are of.
#[derive(Default)]
pub(super) struct Group {
    slots: Vec<usize>,
    keys: Vec<*const u8>,
    objects: Vec<Object>,
    ivs: Vec<*const u8>,
    aads: Vec<*const u8>,
    aad_bytes: u32,
    inputs: Vec<*const u8>,
    outputs: Vec<*mut u8>,
    bytes: Vec<u64>,
    tags: Vec<*mut u8>,
    tag_bytes: u32,
}

impl Group {
    /// The messages of a batch, which stay where they are as long as the group is used.
    pub(super) fn of(batch: &mut [Message<'_>]) -> Self {
        let mut it = Self::default();
        for message in batch {
            let (input, output, bytes) = message.data.pointers();
            it.slots.push(message.slot);
            it.keys.push(message.key.as_ptr());
            it.objects.push(ptr::null_mut());
            it.ivs.push(message.iv.as_ptr());
            it.aads.push(message.aad.as_ptr());
            it.aad_bytes = message.aad.len() as u32;
            it.inputs.push(input);
            it.outputs.push(output);
            it.bytes.push(bytes as u64);
            it.tags.push(message.tag.as_mut_ptr());
            it.tag_bytes = message.tag.len() as u32;
        }
        it
    }

    /// How many messages there are.
    pub(super) fn count(&self) -> usize {
        self.slots.len()
    }

    /// Names the objects under keys that are ready, by their places.
    pub(super) fn place(&mut self, ready: &[Keyed<'_>]) {
        for (object, slot) in self.objects.iter_mut().zip(&self.slots) {
            *object = ready[*slot].raw;
        }
    }

    /// Sets the keys of the messages anew, one object a message.
    #[inline]
    pub(super) fn set_keys(&mut self, fresh: &[Keyed<'_>]) -> Result<(), Fault> {
        for ((object, it), key) in self.objects.iter_mut().zip(fresh).zip(&self.keys) {
            *object = it.raw;
            // SAFETY: the object lives; keys have the length of its cipher.
            if unsafe { (it.calls.set_key)(it.raw, *key) } != 0 {
                return Err("IMB_AES_KEYEXP");
            }
        }
        Ok(())
    }

    /// Processes all packets.
    #[inline]
    pub(super) fn apply(&self, calls: &Calls) -> Result<(), Fault> {
        let mut from = 0;
        while from < self.count() {
            let part = (self.count() - from).min(MOST);
            // SAFETY: every object lives and has its key; every packet has an IV of the
            // operation's length, and pointers that are valid for their lengths.
            let done = unsafe {
                (calls.apply)(
                    self.objects[from..].as_ptr(),
                    self.ivs[from..].as_ptr(),
                    self.aads[from..].as_ptr(),
                    self.aad_bytes,
                    self.inputs[from..].as_ptr(),
                    self.outputs[from..].as_ptr(),
                    self.bytes[from..].as_ptr(),
                    self.tags[from..].as_ptr(),
                    self.tag_bytes,
                    part as u32,
                )
            };
            if done != 0 {
                return Err("IMB_SUBMIT_JOB_NOCHECK");
            }
            from += part;
        }
        Ok(())
    }
}
