//! Model `batch`: many messages in one call of the interface.
#![expect(unsafe_code, reason = "the library is called through its C interface")]

use std::ptr;

use cipherlane::registry::Kind;
use lab::KeySetup;
use lab::work::{Batch, Fault, Keys, Message};

use super::Operation;
use super::functions::{Bytes, Functions, Handle, Packet, Settings, done};
use super::object::text;

impl Packet {
    /// A message in the interface's form. Its pointers live as long as it did.
    fn new(message: Message<'_>, kind: Kind) -> Self {
        let Message { slot, key, iv, aad, mut data, tag, .. } = message;
        let (input, output, length) = data.pointers();
        let (tag, tag_length) = (tag.as_mut_ptr(), tag.len());
        let usual = Self {
            key: key.as_ptr(),
            key_length: key.len(),
            key_index: slot,
            iv: iv.as_ptr(),
            iv_length: iv.len(),
            aad: aad.as_ptr(),
            aad_length: aad.len(),
            input,
            output,
            length,
            tag,
            tag_length,
            failed: 0,
            reserved: [0; 3],
        };
        match kind {
            // A MAC reads its message as associated data.
            Kind::Mac => Self {
                aad: input,
                aad_length: length,
                input: ptr::null(),
                output: ptr::null_mut(),
                length: 0,
                ..usual
            },
            _ => usual,
        }
    }
}

/// An object for batches, with the messages of all of them.
pub(super) struct Packets<'c> {
    calls: &'c Functions,
    raw: Handle,
    batches: Vec<Vec<Packet>>,
}

impl Drop for Packets<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle was made by the function that belongs to this one, or is null.
        unsafe { (self.calls.batch_free)(self.raw) };
    }
}

impl<'c> Packets<'c> {
    /// Under keys that are ready, or come with the messages.
    ///
    /// # Errors
    /// The function that refused.
    pub(super) fn new<'m: 'c>(
        calls: &'c Functions,
        operation: &Operation,
        setup: KeySetup,
        keys: &'m Keys,
        batches: Vec<Batch<'m>>,
    ) -> Result<Self, Fault> {
        let kind = operation.work.kind;
        let packet = |message| Packet::new(message, kind);
        let convert = |batch: Batch<'m>| batch.into_iter().map(packet).collect();
        let batches = batches.into_iter().map(convert).collect();
        let mut made = Self { calls, raw: ptr::null_mut(), batches };
        let (algorithm, name) = (text(operation.work.algorithm.name), text(operation.work.name));
        let settings = Settings::reuse(operation.offer.tag_bytes as usize);
        let (place, usual) = (&raw mut made.raw, &raw const settings);
        // SAFETY: the names end with zeros; the keys are valid for their length, which is one
        // for all; the settings live.
        let (status, function) = unsafe {
            match setup {
                KeySetup::Fresh => {
                    let status = (calls.batch_new)(place, algorithm.as_ptr(), name.as_ptr(), usual);
                    (status, "cipherlane_batch_new")
                }
                KeySetup::Ready => {
                    let all: Vec<Bytes> = keys.keys().map(<[u8]>::as_ptr).collect();
                    let length = operation.offer.key_bytes as usize;
                    let status = (calls.batch_new_ready)(
                        place,
                        algorithm.as_ptr(),
                        name.as_ptr(),
                        usual,
                        all.as_ptr(),
                        length,
                        all.len(),
                    );
                    (status, "cipherlane_batch_new_ready")
                }
            }
        };
        done(status, function).map(|()| made)
    }

    /// Processes the batch of that number.
    #[inline]
    pub(super) fn apply(&mut self, number: usize) -> Result<(), Fault> {
        let batch = &mut self.batches[number];
        // SAFETY: the handle lives; the packets' pointers are to messages that were borrowed for
        // longer than this object, and no two of them have bytes in common.
        let status = unsafe { (self.calls.batch_apply)(self.raw, batch.as_mut_ptr(), batch.len()) };
        done(status, "cipherlane_batch_apply")
    }
}
