//! The exported functions, called as C calls them.

mod batch;

use std::ffi::{CStr, CString, c_int};
use std::ptr;

use cipherlane::aead::*;
use cipherlane::cipher::*;
use cipherlane::listing::*;
use cipherlane::mac::*;
use cipherlane::options::{CIPHERLANE_PADDING_NONE, cipherlane_options};
use vectors::Test;

/// An operation as the listing tells it.
pub struct Operation {
    pub name: String,
    c_name: CString,
    info: cipherlane_operation_info,
}

impl Operation {
    pub fn is_mac(&self) -> bool {
        self.info.kind == CIPHERLANE_KIND_MAC
    }

    pub fn takes_iv(&self, length: usize) -> bool {
        let cipherlane_sizes { min, max, step, set } = self.info.iv;
        assert_eq!(set, 0, "no IV has lengths without a step");
        length == min || length <= max && step != 0 && length > min && (length - min) % step == 0
    }
}

/// The operation of that name, by the listing of the C interface.
pub fn operation(algorithm: &str, name: &str) -> Option<Operation> {
    let text = |text| unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8").to_owned();
    for index in 0..cipherlane_algorithm_count() {
        let mut info = std::mem::MaybeUninit::uninit();
        assert_eq!(unsafe { cipherlane_algorithm(index, info.as_mut_ptr()) }, 0);
        if text(unsafe { info.assume_init() }.name) != algorithm {
            continue;
        }
        for number in 0..cipherlane_operation_count(index) {
            let mut info = std::mem::MaybeUninit::uninit();
            assert_eq!(unsafe { cipherlane_operation(index, number, info.as_mut_ptr()) }, 0);
            let info: cipherlane_operation_info = unsafe { info.assume_init() };
            if text(info.name) == name {
                let c_name = CString::new(name).expect("a name");
                return Some(Operation { name: name.into(), c_name, info });
            }
        }
    }
    None
}

/// An algorithm at a level, with the parameters of a test.
pub struct Call<'l> {
    algorithm: CString,
    options: cipherlane_options,
    _level: &'l CStr,
}

/// How a message is cut.
const PIECES: [usize; 5] = [1, 16, 7, 33, 250];

fn checked<T>(status: c_int, value: T) -> Result<T, c_int> {
    if status == 0 { Ok(value) } else { Err(status) }
}

impl<'l> Call<'l> {
    pub fn new(algorithm: &str, level: &'l CStr, test: &Test) -> Self {
        let number = |field: Option<u64>| field.map_or(0, |it| u32::try_from(it).expect("small"));
        let options = cipherlane_options {
            size: size_of::<cipherlane_options>(),
            level: level.as_ptr(),
            padding: CIPHERLANE_PADDING_NONE,
            effective_key_bits: number(test.effective_key_bits),
            word_bits: number(test.word_bits),
            rounds_plus_one: number(test.rounds.map(|rounds| rounds + 1)),
            // The same message goes several ways.
            allow_nonce_reuse: 1,
            tag_length: test.object_tag(),
        };
        Self { algorithm: CString::new(algorithm).expect("a name"), options, _level: level }
    }

    fn cipher(
        &self,
        operation: &Operation,
        key: &[u8],
        iv: &[u8],
    ) -> Result<*mut cipherlane_cipher, c_int> {
        let mut cipher = ptr::null_mut();
        let status = unsafe {
            cipherlane_cipher_new(
                &raw mut cipher,
                self.algorithm.as_ptr(),
                operation.c_name.as_ptr(),
                &raw const self.options,
                key.as_ptr(),
                key.len(),
                iv.as_ptr(),
                iv.len(),
            )
        };
        checked(status, cipher)
    }

    /// A whole message under a ready key, in place.
    pub fn message(
        &self,
        operation: &Operation,
        key: &[u8],
        iv: &[u8],
        input: &[u8],
    ) -> Result<Vec<u8>, c_int> {
        let cipher = self.cipher(operation, key, iv)?;
        let mut data = input.to_vec();
        let status = unsafe {
            let bytes = data.as_mut_ptr();
            let status =
                cipherlane_cipher_message(cipher, iv.as_ptr(), iv.len(), bytes, bytes, data.len());
            cipherlane_cipher_free(cipher);
            status
        };
        checked(status, data)
    }

    /// A message in pieces, in place and apart in turn, after a reset; modes on whole messages
    /// take it in one.
    pub fn pieces(
        &self,
        operation: &Operation,
        key: &[u8],
        iv: &[u8],
        input: &[u8],
    ) -> Result<Vec<u8>, c_int> {
        let cipher = self.cipher(operation, key, iv)?;
        let whole = ["xts", "hctr", "ofbnlf"].iter().any(|mode| operation.name.starts_with(mode));
        let (mut output, mut taken, mut filled) = (vec![0; input.len() + 64], 0, 0);
        let mut status = unsafe { cipherlane_cipher_reset(cipher, iv.as_ptr(), iv.len()) };
        for turn in 0.. {
            let length =
                if whole { input.len() } else { PIECES[turn % 5].min(input.len() - taken) };
            if status != 0 || taken == input.len() && turn > 0 {
                break;
            }
            let mut written = 0;
            let mut piece = input[taken..taken + length].to_vec();
            piece.resize(length + 64, 0);
            status = unsafe {
                if turn % 2 == 0 {
                    let (to, room) = (output.as_mut_ptr().add(filled), output.len() - filled);
                    cipherlane_cipher_update(
                        cipher,
                        piece.as_ptr(),
                        length,
                        to,
                        room,
                        &raw mut written,
                    )
                } else {
                    let to = piece.as_mut_ptr();
                    let status = cipherlane_cipher_update(
                        cipher,
                        to,
                        length,
                        to,
                        piece.len(),
                        &raw mut written,
                    );
                    output[filled..filled + written].copy_from_slice(&piece[..written]);
                    status
                }
            };
            taken += length;
            filled += written;
        }
        let mut written = 0;
        if status == 0 {
            let (to, room) = (unsafe { output.as_mut_ptr().add(filled) }, output.len() - filled);
            status = unsafe { cipherlane_cipher_final(cipher, to, room, &raw mut written) };
        }
        unsafe { cipherlane_cipher_free(cipher) };
        output.truncate(filled + written);
        checked(status, output)
    }

    fn aead(&self, operation: &Operation, key: &[u8]) -> Result<*mut cipherlane_aead, c_int> {
        let mut aead = ptr::null_mut();
        let status = unsafe {
            cipherlane_aead_new(
                &raw mut aead,
                self.algorithm.as_ptr(),
                operation.c_name.as_ptr(),
                &raw const self.options,
                key.as_ptr(),
                key.len(),
            )
        };
        checked(status, aead)
    }

    /// Whether the operation has a tag, but is no AEAD.
    pub fn no_aead(&self, operation: &Operation, key: &[u8]) -> bool {
        let made = self.aead(operation, key);
        if let Ok(aead) = made {
            unsafe { cipherlane_aead_free(aead) };
        }
        made == Err(cipherlane::status::Status::UnknownOperation as c_int)
    }

    /// Ciphertext and tag.
    pub fn seal(
        &self,
        operation: &Operation,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        input: &[u8],
        tag_length: usize,
    ) -> Result<Vec<u8>, c_int> {
        let aead = self.aead(operation, key)?;
        let mut output = vec![0; input.len() + tag_length];
        let status = unsafe {
            let to = output.as_mut_ptr();
            let status = cipherlane_aead_seal(
                aead,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                input.as_ptr(),
                to,
                input.len(),
                to.add(input.len()),
                tag_length,
            );
            cipherlane_aead_free(aead);
            status
        };
        checked(status, output)
    }

    /// The plaintext.
    pub fn open(
        &self,
        operation: &Operation,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        input: &[u8],
        tag: &[u8],
    ) -> Result<Vec<u8>, c_int> {
        let aead = self.aead(operation, key)?;
        let mut data = input.to_vec();
        let status = unsafe {
            let bytes = data.as_mut_ptr();
            let status = cipherlane_aead_open(
                aead,
                nonce.as_ptr(),
                nonce.len(),
                aad.as_ptr(),
                aad.len(),
                bytes,
                bytes,
                data.len(),
                tag.as_ptr(),
                tag.len(),
            );
            cipherlane_aead_free(aead);
            status
        };
        checked(status, data)
    }

    /// Ciphertext and tag, if the operation takes pieces.
    pub fn seal_in_pieces(
        &self,
        operation: &Operation,
        key: &[u8],
        nonce: &[u8],
        aad: &[u8],
        input: &[u8],
        tag_length: usize,
    ) -> Option<Result<Vec<u8>, c_int>> {
        let mut stream = ptr::null_mut();
        let mut status = unsafe {
            cipherlane_aead_stream_new(
                &raw mut stream,
                self.algorithm.as_ptr(),
                operation.c_name.as_ptr(),
                &raw const self.options,
                key.as_ptr(),
                key.len(),
                nonce.as_ptr(),
                nonce.len(),
            )
        };
        if status == cipherlane::status::Status::UnknownOperation as c_int {
            return None;
        }
        let (mut output, mut taken) = (input.to_vec(), 0);
        output.resize(input.len() + tag_length, 0);
        let lengths = (aad.len() as u64, input.len() as u64);
        let mut step = |next: &mut dyn FnMut() -> c_int| {
            if status == 0 {
                status = next();
            }
        };
        unsafe {
            step(&mut || cipherlane_aead_stream_announce(stream, lengths.0, lengths.1, tag_length));
            step(&mut || cipherlane_aead_stream_aad(stream, aad.as_ptr(), aad.len()));
            for length in PIECES.into_iter().cycle() {
                let length = length.min(input.len() - taken);
                let data = output[taken..].as_mut_ptr();
                step(&mut || cipherlane_aead_stream_update(stream, data, data, length));
                taken += length;
                if taken == input.len() {
                    break;
                }
            }
            let tag = output[input.len()..].as_mut_ptr();
            step(&mut || cipherlane_aead_stream_final(stream, tag, tag_length));
            cipherlane_aead_stream_free(stream);
        }
        Some(checked(status, output))
    }

    /// Whether a message's tag is taken by a MAC made for tags of `object_tag` bytes.
    pub fn verify(
        &self,
        operation: &Operation,
        [key, iv, message, tag]: [&[u8]; 4],
        object_tag: usize,
    ) -> Result<(), c_int> {
        let mut mac = ptr::null_mut();
        unsafe {
            let status = cipherlane_mac_new(
                &raw mut mac,
                self.algorithm.as_ptr(),
                operation.c_name.as_ptr(),
                &raw const self.options,
                key.as_ptr(),
                key.len(),
                iv.as_ptr(),
                iv.len(),
                object_tag,
            );
            checked(status, ())?;
            let mut status = cipherlane_mac_update(mac, message.as_ptr(), message.len());
            if status == 0 {
                status = cipherlane_mac_verify(mac, tag.as_ptr(), tag.len());
            }
            cipherlane_mac_free(mac);
            checked(status, ())
        }
    }

    /// The tag.
    pub fn mac(
        &self,
        operation: &Operation,
        key: &[u8],
        iv: &[u8],
        message: &[u8],
        bits: u64,
        tag_length: usize,
    ) -> Result<Vec<u8>, c_int> {
        let mut mac = ptr::null_mut();
        let mut tag = vec![0; tag_length];
        unsafe {
            let status = cipherlane_mac_new(
                &raw mut mac,
                self.algorithm.as_ptr(),
                operation.c_name.as_ptr(),
                &raw const self.options,
                key.as_ptr(),
                key.len(),
                iv.as_ptr(),
                iv.len(),
                tag_length,
            );
            checked(status, ())?;
            let mut status = cipherlane_mac_announce(mac, message.len() as u64);
            if status == 0 {
                status = cipherlane_mac_update_bits(mac, message.as_ptr(), message.len(), bits);
            }
            if status == 0 {
                status = cipherlane_mac_final(mac, tag.as_mut_ptr(), tag_length);
            }
            cipherlane_mac_free(mac);
            checked(status, tag)
        }
    }
}
