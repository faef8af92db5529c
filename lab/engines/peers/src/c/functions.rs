//! The functions of `cipherlane.h` that are used, at its types.
#![expect(unsafe_code, reason = "their types are the header's word")]

use std::ffi::{c_char, c_int, c_void};
use std::path::PathBuf;

use lab::work::Fault;

use crate::shared_library::Opened;

/// `cipherlane_cipher`, `cipherlane_aead`, `cipherlane_mac`, `cipherlane_batch`: only ever seen
/// as pointers.
pub(super) type Handle = *mut c_void;
pub(super) type Text = *const c_char;
pub(super) type Bytes = *const u8;
/// `cipherlane_options`; null for the usual.
pub(super) type Options = *const Settings;

/// What `cipherlane_options` points to.
#[repr(C)]
pub(super) struct Settings {
    size: usize,
    level: Text,
    padding: c_int,
    effective_key_bits: u32,
    word_bits: u32,
    rounds_plus_one: u32,
    allow_nonce_reuse: c_int,
    tag_length: usize,
}

impl Settings {
    /// The usual, but that a nonce may come again: the messages of the ring do. Tags, where
    /// there are some, have so many bytes.
    pub(super) const fn reuse(tag_length: usize) -> Self {
        Self {
            size: size_of::<Self>(),
            level: std::ptr::null(),
            padding: 0,
            effective_key_bits: 0,
            word_bits: 0,
            rounds_plus_one: 0,
            allow_nonce_reuse: 1,
            tag_length,
        }
    }
}

/// `cipherlane_packet`.
#[repr(C)]
pub(super) struct Packet {
    pub(super) key: Bytes,
    pub(super) key_length: usize,
    pub(super) key_index: usize,
    pub(super) iv: Bytes,
    pub(super) iv_length: usize,
    pub(super) aad: Bytes,
    pub(super) aad_length: usize,
    pub(super) input: Bytes,
    pub(super) output: *mut u8,
    pub(super) length: usize,
    pub(super) tag: *mut u8,
    pub(super) tag_length: usize,
    pub(super) failed: c_int,
    pub(super) reserved: [usize; 3],
}

type New =
    unsafe extern "C" fn(*mut Handle, Text, Text, Options, Bytes, usize, Bytes, usize) -> c_int;
type NewAead = unsafe extern "C" fn(*mut Handle, Text, Text, Options, Bytes, usize) -> c_int;
type NewMac = unsafe extern "C" fn(
    *mut Handle,
    Text,
    Text,
    Options,
    Bytes,
    usize,
    Bytes,
    usize,
    usize,
) -> c_int;
type NewReady =
    unsafe extern "C" fn(*mut Handle, Text, Text, Options, *const Bytes, usize, usize) -> c_int;
type Free = unsafe extern "C" fn(Handle);
type OneMessage = unsafe extern "C" fn(Handle, Bytes, usize, Bytes, *mut u8, usize) -> c_int;
type Update = unsafe extern "C" fn(Handle, Bytes, usize, *mut u8, usize, *mut usize) -> c_int;
type Sealed = unsafe extern "C" fn(
    Handle,
    Bytes,
    usize,
    Bytes,
    usize,
    Bytes,
    *mut u8,
    usize,
    *mut u8,
    usize,
) -> c_int;
type Take = unsafe extern "C" fn(Handle, Bytes, usize) -> c_int;
type Give = unsafe extern "C" fn(Handle, *mut u8, usize) -> c_int;

/// The functions, with the library that holds them.
pub(super) struct Functions {
    pub(super) version: unsafe extern "C" fn() -> Text,
    pub(super) cipher_new: New,
    pub(super) cipher_free: Free,
    pub(super) cipher_message: OneMessage,
    pub(super) cipher_update: Update,
    pub(super) aead_new: NewAead,
    pub(super) aead_free: Free,
    pub(super) seal: Sealed,
    pub(super) open: Sealed,
    pub(super) mac_new: NewMac,
    pub(super) mac_free: Free,
    pub(super) mac_reset: Take,
    pub(super) mac_announce: unsafe extern "C" fn(Handle, u64) -> c_int,
    pub(super) mac_update: Take,
    pub(super) mac_final: Give,
    pub(super) batch_new: unsafe extern "C" fn(*mut Handle, Text, Text, Options) -> c_int,
    pub(super) batch_new_ready: NewReady,
    pub(super) batch_apply: unsafe extern "C" fn(Handle, *mut Packet, usize) -> c_int,
    pub(super) batch_free: Free,
    pub(super) path: PathBuf,
    _library: Opened,
}

impl Functions {
    /// Those of a library.
    ///
    /// # Errors
    /// The name of one that is not there.
    pub(super) fn bind(library: Opened) -> Result<Self, &'static str> {
        // SAFETY: the types are those of the header cipherlane.h.
        unsafe {
            Ok(Self {
                version: library.function("cipherlane_version")?,
                cipher_new: library.function("cipherlane_cipher_new")?,
                cipher_free: library.function("cipherlane_cipher_free")?,
                cipher_message: library.function("cipherlane_cipher_message")?,
                cipher_update: library.function("cipherlane_cipher_update")?,
                aead_new: library.function("cipherlane_aead_new")?,
                aead_free: library.function("cipherlane_aead_free")?,
                seal: library.function("cipherlane_aead_seal")?,
                open: library.function("cipherlane_aead_open")?,
                mac_new: library.function("cipherlane_mac_new")?,
                mac_free: library.function("cipherlane_mac_free")?,
                mac_reset: library.function("cipherlane_mac_reset")?,
                mac_announce: library.function("cipherlane_mac_announce")?,
                mac_update: library.function("cipherlane_mac_update")?,
                mac_final: library.function("cipherlane_mac_final")?,
                batch_new: library.function("cipherlane_batch_new")?,
                batch_new_ready: library.function("cipherlane_batch_new_ready")?,
                batch_apply: library.function("cipherlane_batch_apply")?,
                batch_free: library.function("cipherlane_batch_free")?,
                path: library.path.clone(),
                _library: library,
            })
        }
    }
}

/// What a call returned, under the name of its function.
#[inline]
pub(super) fn done(status: c_int, function: Fault) -> Result<(), Fault> {
    if status == 0 { Ok(()) } else { Err(function) }
}

#[cfg(test)]
mod tests {
    use std::mem::offset_of;

    use super::*;

    /// The members of a structure by the header, each with its place.
    fn members(structure: &str) -> (Vec<(String, usize)>, usize) {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../bindings/c/include/cipherlane.h");
        let header = std::fs::read_to_string(path).expect("the header");
        let head = format!("struct {structure} {{");
        let (_, rest) = header.split_once(&head).expect("the structure");
        let (body, _) = rest.split_once("\n};").expect("its end");
        let (mut members, mut place, mut widest) = (Vec::new(), 0_usize, 1);
        let code = |part: &str| match part.split_once("*/") {
            Some((_, code)) => code.to_owned(),
            None => part.to_owned(),
        };
        let code: String = body.split("/*").map(code).collect();
        for line in code.lines().map(str::trim).filter_map(|line| line.strip_suffix(';')) {
            let (of, name) = line.rsplit_once([' ', '*']).expect("type and name");
            let size = match of.trim() {
                _ if line.contains('*') => size_of::<Bytes>(),
                "size_t" => size_of::<usize>(),
                "int" => size_of::<c_int>(),
                "uint32_t" => size_of::<u32>(),
                other => panic!("no size is known of {other}"),
            };
            let (name, count) = match name.strip_suffix(']').and_then(|it| it.split_once('[')) {
                Some((name, count)) => (name, count.parse().expect("a number")),
                None => (name, 1),
            };
            place = place.next_multiple_of(size);
            members.push((name.to_owned(), place));
            place += count * size;
            widest = widest.max(size);
        }
        (members, place.next_multiple_of(widest))
    }

    macro_rules! check {
        ($structure:literal, $of:ty, $($member:ident)*) => {
            let ours = vec![$((stringify!($member).to_owned(), offset_of!($of, $member))),*];
            assert_eq!((ours, size_of::<$of>()), members($structure), $structure);
        };
    }

    #[test]
    fn structures_are_those_of_the_header() {
        check!("cipherlane_options", Settings, size level padding effective_key_bits word_bits
            rounds_plus_one allow_nonce_reuse tag_length);
        check!("cipherlane_packet", Packet, key key_length key_index iv iv_length aad aad_length
            input output length tag tag_length failed reserved);
    }
}
