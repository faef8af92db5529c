//! Every operation as C calls it: objects, whole messages, batches.

use std::ffi::{CString, c_char, c_int};
use std::ptr::{null, null_mut};

use cipherlane::aead::*;
use cipherlane::batch::*;
use cipherlane::cipher::*;
use cipherlane::mac::*;
use cipherlane::options::cipherlane_options;
use cipherlane::status::Status;
use ciphers::registry::{Kind, Operation};

use crate::NO_MEMORY;

/// The arguments of an operation.
pub(crate) struct Case {
    algorithm: CString,
    operation: CString,
    pub(crate) it: Operation,
    pub(crate) key: Vec<u8>,
    iv: Vec<u8>,
    length: usize,
    tag: usize,
    options: cipherlane_options,
    level: CString,
}

impl Case {
    pub(crate) fn new(it: Operation, level: &str) -> Self {
        let level = CString::new(level).unwrap();
        let length = (0..=200).rev().find(|length| it.data.allow(*length)).unwrap_or(0);
        let options = cipherlane_options {
            size: 0,
            level: level.as_ptr(),
            padding: 0,
            effective_key_bits: 0,
            word_bits: 0,
            rounds_plus_one: 0,
            allow_nonce_reuse: 1,
            tag_length: 0,
        };
        Self {
            algorithm: CString::new(it.algorithm.name).unwrap(),
            operation: CString::new(it.name).unwrap(),
            key: (1..).take(it.key.min).collect(),
            iv: (100..).take(it.usual_iv).collect(),
            length,
            tag: it.tag.max,
            options,
            level,
            it,
        }
    }

    pub(crate) fn names(&self) -> (*const c_char, *const c_char, *const cipherlane_options) {
        assert!(!self.level.is_empty());
        (self.algorithm.as_ptr(), self.operation.as_ptr(), &raw const self.options)
    }

    /// Objects of the kind.
    pub(crate) fn pieces(&self, out: &mut [u8; 512]) -> c_int {
        match self.it.kind {
            Kind::Cipher => self.cipher(out),
            Kind::Mac => self.mac(out),
            Kind::Seal | Kind::Open => self.stream(out),
        }
    }

    fn cipher(&self, out: &mut [u8; 512]) -> c_int {
        let ((algorithm, operation, options), input) = (self.names(), [7; 200]);
        let (key, iv) = (&self.key, &self.iv);
        let (mut cipher, mut count) = (null_mut(), 9);
        let written = &raw mut count;
        unsafe {
            let made = cipherlane_cipher_new(
                &raw mut cipher,
                algorithm,
                operation,
                options,
                key.as_ptr(),
                key.len(),
                iv.as_ptr(),
                iv.len(),
            );
            if made != 0 {
                assert!(cipher.is_null());
                return made;
            }
            let to = out.as_mut_ptr();
            let calls: [&mut dyn FnMut() -> c_int; 4] = [
                &mut || {
                    cipherlane_cipher_update(cipher, input.as_ptr(), self.length, to, 250, written)
                },
                &mut || cipherlane_cipher_final(cipher, to.add(230), 16, written),
                &mut || cipherlane_cipher_reset(cipher, iv.as_ptr(), iv.len()),
                &mut || {
                    let (at, length) = (to.add(250), self.length);
                    let iv = (iv.as_ptr(), iv.len());
                    cipherlane_cipher_message(cipher, iv.0, iv.1, input.as_ptr(), at, length)
                },
            ];
            let status = calls.into_iter().map(|call| call()).find(|it| *it != 0).unwrap_or(0);
            cipherlane_cipher_free(cipher);
            status
        }
    }

    fn mac(&self, out: &mut [u8; 512]) -> c_int {
        let ((algorithm, operation, options), input) = (self.names(), [7; 200]);
        let (key, iv) = (&self.key, &self.iv);
        let mut mac = null_mut();
        unsafe {
            let made = cipherlane_mac_new(
                &raw mut mac,
                algorithm,
                operation,
                options,
                key.as_ptr(),
                key.len(),
                iv.as_ptr(),
                iv.len(),
                0,
            );
            if made != 0 {
                assert!(mac.is_null());
                return made;
            }
            let to = out.as_mut_ptr();
            let calls: [&mut dyn FnMut() -> c_int; 5] = [
                &mut || cipherlane_mac_announce(mac, 200),
                &mut || cipherlane_mac_update(mac, input.as_ptr(), 200),
                &mut || cipherlane_mac_final(mac, to, self.tag),
                &mut || cipherlane_mac_reset(mac, iv.as_ptr(), iv.len()),
                &mut || cipherlane_mac_update(mac, input.as_ptr(), 100),
            ];
            let status = calls.into_iter().map(|call| call()).find(|it| *it != 0).unwrap_or(0);
            cipherlane_mac_free(mac);
            status
        }
    }

    /// A message in pieces; the tag of one that is opened is wrong.
    fn stream(&self, out: &mut [u8; 512]) -> c_int {
        let ((algorithm, operation, options), input) = (self.names(), [7; 200]);
        let (key, iv) = (&self.key, &self.iv);
        let mut stream = null_mut();
        unsafe {
            let made = cipherlane_aead_stream_new(
                &raw mut stream,
                algorithm,
                operation,
                options,
                key.as_ptr(),
                key.len(),
                iv.as_ptr(),
                iv.len(),
            );
            if made != 0 {
                assert!(stream.is_null());
                return made;
            }
            let to = out.as_mut_ptr();
            let (length, tag) = (self.length, self.tag);
            let calls: [&mut dyn FnMut() -> c_int; 5] = [
                &mut || cipherlane_aead_stream_announce(stream, 13, length as u64, tag),
                &mut || cipherlane_aead_stream_aad(stream, input.as_ptr(), 13),
                &mut || cipherlane_aead_stream_update(stream, input.as_ptr(), to, length),
                &mut || match self.it.kind {
                    Kind::Seal => cipherlane_aead_stream_final(stream, to.add(250), tag),
                    _ => match cipherlane_aead_stream_verify(stream, input.as_ptr(), tag) {
                        status if status == Status::Authentication as c_int => 0,
                        status => status,
                    },
                },
                &mut || cipherlane_aead_stream_reset(stream, iv.as_ptr(), iv.len()),
            ];
            let status = calls.into_iter().map(|call| call()).find(|it| *it != 0).unwrap_or(0);
            cipherlane_aead_stream_free(stream);
            status
        }
    }

    /// A whole message of an AEAD, sealed, opened, and opened with a nonce that no mode takes.
    pub(crate) fn whole(&self, out: &mut [u8; 512]) -> c_int {
        let ((algorithm, operation, options), input) = (self.names(), [7; 200]);
        let (key, iv, length, tag) = (&self.key, &self.iv, self.length, self.tag);
        let mut aead = null_mut();
        let made = unsafe {
            let (key, length) = (key.as_ptr(), key.len());
            cipherlane_aead_new(&raw mut aead, algorithm, operation, options, key, length)
        };
        if made != 0 {
            assert!(aead.is_null());
            return made;
        }
        unsafe {
            let (iv, size, from, to) = (iv.as_ptr(), iv.len(), input.as_ptr(), out.as_mut_ptr());
            let mut status =
                cipherlane_aead_seal(aead, iv, size, from, 13, from, to, length, to.add(250), tag);
            if status == 0 {
                let back = to.add(280);
                let tag_of = to.add(250);
                status =
                    cipherlane_aead_open(aead, iv, size, from, 13, to, back, length, tag_of, tag);
            }
            // What is said of it needs memory, too.
            let wrong = (0..200).find(|size| !self.it.iv.allow(*size));
            if let Some(size) = wrong.filter(|_| status == 0) {
                let to = to.add(500);
                let wrong = cipherlane_aead_open(aead, from, size, from, 13, to, to, 0, from, tag);
                assert_eq!(wrong, Status::Length as c_int);
            }
            cipherlane_aead_free(aead);
            status
        }
    }

    /// Five messages at once, twice, under keys that are ready or not.
    pub(crate) fn batch(&self, ready: bool, out: &mut [u8; 512]) -> c_int {
        let ((algorithm, operation, options), input) = (self.names(), [7; 200]);
        let (key, iv, mut batch) = (&self.key, &self.iv, null_mut());
        let length = (0..=40).rev().find(|length| self.it.data.allow(*length)).unwrap_or(0);
        let length = if self.it.kind == Kind::Mac { 0 } else { length };
        let open = self.it.kind == Kind::Open;
        unsafe {
            let keys = [key.as_ptr(); 5];
            let place = &raw mut batch;
            let made = if ready {
                let (first, length) = (keys.as_ptr(), key.len());
                cipherlane_batch_new_ready(place, algorithm, operation, options, first, length, 5)
            } else {
                cipherlane_batch_new(place, algorithm, operation, options)
            };
            if made != 0 {
                assert!(batch.is_null());
                return made;
            }
            let to = out.as_mut_ptr();
            let packet = |at: usize| cipherlane_packet {
                key: if ready { null() } else { key.as_ptr() },
                key_length: if ready { 0 } else { key.len() },
                key_index: if ready { at } else { 0 },
                iv: iv.as_ptr(),
                iv_length: iv.len(),
                aad: input.as_ptr(),
                aad_length: if self.it.kind == Kind::Cipher { 0 } else { 16 },
                input: input.as_ptr(),
                output: to.add(at * 80),
                length,
                tag: to.add(at * 80 + 48),
                tag_length: self.tag,
                failed: 0,
                reserved: [0; 3],
            };
            let mut packets = [0, 1, 2, 3, 4].map(packet);
            let mut status = 0;
            for _ in 0..2 {
                status = cipherlane_batch_apply(batch, packets.as_mut_ptr(), 5);
                if open && status == Status::Authentication as c_int {
                    status = 0;
                }
                if status != 0 {
                    break;
                }
            }
            if status == NO_MEMORY {
                assert!(packets.iter().all(|it| it.failed == 1));
            }
            cipherlane_batch_free(batch);
            status
        }
    }
}
