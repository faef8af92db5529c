//! Packets as the library takes them: arrays of pointers and lengths.

use std::ops::Range;
use std::ptr;

use lab::work::Message;

/// The packets of one call. The pointers are valid as long as the messages that they are of.
#[derive(Default)]
pub(super) struct Packets {
    keys: Vec<*const u8>,
    ivs: Vec<*const u8>,
    inputs: Vec<*const u8>,
    outputs: Vec<*mut u8>,
    bytes: Vec<u32>,
    bits: Vec<u32>,
    tags: Vec<*mut u8>,
}

/// The packets of a range, as pointers to the first entries.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) keys: *const *const u8,
    pub(super) ivs: *const *const u8,
    pub(super) inputs: *const *const u8,
    pub(super) outputs: *const *mut u8,
    pub(super) bytes: *const u32,
    pub(super) bits: *const u32,
    pub(super) tags: *const *mut u8,
    pub(super) count: u32,
}

impl Packets {
    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.keys.len()
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.ivs.clear();
        self.inputs.clear();
        self.outputs.clear();
        self.bytes.clear();
        self.bits.clear();
        self.tags.clear();
    }

    /// Adds a message that is encrypted under a part of its key and IV.
    #[inline]
    pub(super) fn encrypt(
        &mut self,
        message: &mut Message<'_>,
        key: Range<usize>,
        iv: Range<usize>,
    ) {
        let (input, _, bytes) = message.data.pointers();
        self.push(message, (key, iv), (input, bytes), ptr::null_mut());
    }

    /// Adds a message whose tag is made from so many bytes of input and written to `tag`.
    #[inline]
    pub(super) fn authenticate(
        &mut self,
        message: &mut Message<'_>,
        parts: (Range<usize>, Range<usize>),
        input: (*const u8, usize),
        tag: *mut u8,
    ) {
        self.push(message, parts, input, tag);
    }

    #[inline]
    fn push(
        &mut self,
        message: &mut Message<'_>,
        (key, iv): (Range<usize>, Range<usize>),
        (input, bytes): (*const u8, usize),
        tag: *mut u8,
    ) {
        let (_, output, _) = message.data.pointers();
        self.keys.push(message.key[key].as_ptr());
        self.ivs.push(message.iv[iv].as_ptr());
        self.inputs.push(input);
        self.outputs.push(output);
        self.bytes.push(bytes as u32);
        self.bits.push(8 * bytes as u32);
        self.tags.push(tag);
    }

    /// The packets of a range.
    #[inline]
    pub(super) fn part(&self, range: Range<usize>) -> Part {
        Part {
            keys: self.keys[range.clone()].as_ptr(),
            ivs: self.ivs[range.clone()].as_ptr(),
            inputs: self.inputs[range.clone()].as_ptr(),
            outputs: self.outputs[range.clone()].as_ptr(),
            bytes: self.bytes[range.clone()].as_ptr(),
            bits: self.bits[range.clone()].as_ptr(),
            tags: self.tags[range.clone()].as_ptr(),
            count: range.len() as u32,
        }
    }

    /// Whether all have one length.
    #[inline]
    pub(super) fn are_equal(&self) -> bool {
        self.bytes.iter().all(|bytes| *bytes == self.bytes[0])
    }
}
