//! Up to sixteen messages as the library takes them.

use std::ffi::c_int;
use std::ptr;

use lab::work::{Message, Refusal};

/// How many messages one call takes.
pub(super) const LANES: usize = 16;

/// The messages of one call, as arrays of pointers. They are valid as long as the messages
/// that they were made of.
pub(super) struct Lanes {
    /// How many lanes are in use, from the first.
    pub(super) count: usize,
    pub(super) output: [*mut u8; LANES],
    pub(super) input: [*const u8; LANES],
    pub(super) length: [c_int; LANES],
    /// The lengths once more, as CCM takes them.
    pub(super) total: [u64; LANES],
    pub(super) key: [*const u8; LANES],
    pub(super) iv: [*const u8; LANES],
    pub(super) iv_length: [c_int; LANES],
    pub(super) aad: [*const u8; LANES],
    pub(super) aad_length: [c_int; LANES],
    pub(super) tag: [*mut u8; LANES],
    pub(super) tag_length: [c_int; LANES],
}

impl Lanes {
    /// The lanes of at most [`LANES`] messages.
    ///
    /// # Errors
    /// A [`Refusal`] if a message is too long.
    pub(super) fn new(messages: &mut [Message<'_>]) -> Result<Self, Refusal> {
        let mut lanes = Self {
            count: messages.len(),
            output: [ptr::null_mut(); LANES],
            input: [ptr::null(); LANES],
            length: [0; LANES],
            total: [0; LANES],
            key: [ptr::null(); LANES],
            iv: [ptr::null(); LANES],
            iv_length: [0; LANES],
            aad: [ptr::null(); LANES],
            aad_length: [0; LANES],
            tag: [ptr::null_mut(); LANES],
            tag_length: [0; LANES],
        };
        for (lane, message) in messages.iter_mut().enumerate() {
            let (input, output, bytes) = message.data.pointers();
            (lanes.input[lane], lanes.output[lane]) = (input, output);
            (lanes.length[lane], lanes.total[lane]) = (int(bytes)?, bytes as u64);
            lanes.key[lane] = message.key.as_ptr();
            (lanes.iv[lane], lanes.iv_length[lane]) = (message.iv.as_ptr(), int(message.iv.len())?);
            let aad = message.aad;
            (lanes.aad[lane], lanes.aad_length[lane]) = (aad.as_ptr(), int(aad.len())?);
            let tag = &mut *message.tag;
            (lanes.tag[lane], lanes.tag_length[lane]) = (tag.as_mut_ptr(), int(tag.len())?);
        }
        Ok(lanes)
    }

    /// Whether any message has associated data.
    pub(super) fn have_aad(&self) -> bool {
        self.aad_length.iter().any(|length| *length != 0)
    }

    /// Whether any message has data.
    pub(super) fn have_data(&self) -> bool {
        self.length.iter().any(|length| *length != 0)
    }
}

fn int(bytes: usize) -> Result<c_int, Refusal> {
    c_int::try_from(bytes).map_err(|_| format!("crypto_mb takes at most 2 GiB, not {bytes}").into())
}
