//! The ring: keys, IVs and buffers that the timing loop walks through.

use crate::digest::Digest;
use crate::input::Kind;
pub use crate::keys::Keys;
use crate::work::{Batch, Data, Fault, Message, Refusal, Work};
use crate::{Placement, Shape};

/// The ring: keys, IVs and buffers that the timing loop walks through.
#[derive(Debug)]
pub struct Ring {
    keys: Keys,
    /// Of each buffer, in bytes.
    lengths: Vec<usize>,
    stride: usize,
    input: Arena,
    output: Option<Arena>,
    tags: Vec<u8>,
    tag_bytes: usize,
    shape: Shape,
}

impl Ring {
    /// The ring of a seed: a filled buffer of each of these lengths in bytes, so many bytes behind
    /// a boundary of 64.
    ///
    /// # Errors
    /// A [`Refusal`] if there is not enough memory.
    pub fn generate(
        seed: u64,
        keys: Keys,
        lengths: Vec<usize>,
        placement: Placement,
        unaligned: u32,
    ) -> Result<Self, Refusal> {
        // One line between buffers, so that powers of two do not share a cache set.
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let stride = longest.checked_next_multiple_of(LINE).unwrap_or(usize::MAX);
        let stride = stride.saturating_add(LINE);
        let arena = || Arena::new(stride.saturating_mul(lengths.len()), unaligned);
        let mut input = arena()?;
        let buffers = input.bytes_mut().chunks_mut(stride).zip(&lengths);
        for (index, (buffer, length)) in (0_u64..).zip(buffers) {
            crate::input::fill(seed, Kind::Data, index, &mut buffer[..*length]);
        }
        let output = match placement {
            Placement::InPlace => None,
            Placement::Disjoint => Some(arena()?),
        };
        let (tags, tag_bytes, shape) = (Vec::new(), 0, Shape::Cipher);
        Ok(Self { keys, lengths, stride, input, output, tags, tag_bytes, shape })
    }

    /// The same ring for an operation of that shape, with a tag beside every buffer.
    #[must_use]
    pub fn with_tags(self, shape: Shape, tag_bytes: usize) -> Self {
        let tags = vec![0; tag_bytes * self.buffers()];
        Self { tags, tag_bytes, shape, ..self }
    }

    /// Seals the input of every buffer where it lies, for work that opens it; each under
    /// the key of the slot with its own number.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn seal(&mut self, work: Work<'_>) -> Result<(), Fault> {
        let output = self.output.take();
        let done = (0..self.buffers()).try_for_each(|index| work(self.message(index, index)));
        self.output = output;
        done
    }

    /// How many different buffers there are.
    #[must_use]
    pub fn buffers(&self) -> usize {
        self.lengths.len()
    }

    /// The message of a slot, in a buffer.
    #[inline]
    pub fn message(&mut self, slot: usize, buffer: usize) -> Message<'_> {
        let range = buffer * self.stride..buffer * self.stride + self.lengths[buffer];
        let data = match &mut self.output {
            None => Data::InPlace(&mut self.input.bytes_mut()[range]),
            Some(output) => {
                let input = &self.input.bytes()[range.clone()];
                Data::Disjoint(input, &mut output.bytes_mut()[range])
            }
        };
        let (key, iv, aad) = (self.keys.key(slot), self.keys.iv(slot), self.keys.aad(slot));
        let tag = &mut self.tags[buffer * self.tag_bytes..][..self.tag_bytes];
        Message { slot, key, iv, aad, data, tag }
    }

    /// All messages, each under the key of the slot with its own number, so many a batch.
    ///
    /// # Panics
    /// If a batch has no message or there are fewer slots than buffers.
    pub fn batches(&mut self, messages: usize) -> Vec<Batch<'_>> {
        let Self { keys, lengths, stride, input, output, tags, tag_bytes, .. } = self;
        let outputs = output.iter_mut().flat_map(|it| it.bytes_mut().chunks_mut(*stride));
        let mut outputs = outputs.map(Some).chain(std::iter::repeat_with(|| None));
        let mut tags = tags.as_mut_slice();
        let inputs = input.bytes_mut().chunks_mut(*stride).zip(&*lengths);
        let all = inputs.enumerate().map(|(slot, (input, length))| {
            let input = &mut input[..*length];
            let data = match outputs.next().flatten() {
                None => Data::InPlace(input),
                Some(output) => Data::Disjoint(input, &mut output[..*length]),
            };
            let (tag, rest) = std::mem::take(&mut tags).split_at_mut(*tag_bytes);
            tags = rest;
            let (key, iv, aad) = (keys.key(slot), keys.iv(slot), keys.aad(slot));
            Message { slot, key, iv, aad, data, tag }
        });
        let mut all = all.peekable();
        let mut batches = Vec::new();
        while all.peek().is_some() {
            batches.push(all.by_ref().take(messages.max(1)).collect());
        }
        batches
    }

    /// What stands in a buffer's output; nothing if the operation's output is a tag.
    #[must_use]
    pub fn output(&self, buffer: usize) -> &[u8] {
        let length = if self.shape == Shape::Mac { 0 } else { self.lengths[buffer] };
        let range = buffer * self.stride..buffer * self.stride + length;
        &self.output.as_ref().unwrap_or(&self.input).bytes()[range]
    }

    /// The tag that belongs to a buffer's output; empty if there is none.
    #[must_use]
    pub fn tag(&self, buffer: usize) -> &[u8] {
        let length = if self.shape == Shape::Open { 0 } else { self.tag_bytes };
        &self.tags[buffer * self.tag_bytes..][..length]
    }

    /// SHA-256 over all outputs in order, each with its tag.
    #[must_use]
    pub fn digest(&self) -> String {
        let mut digest = Digest::default();
        for buffer in 0..self.buffers() {
            digest.absorb(self.output(buffer));
            digest.absorb(self.tag(buffer));
        }
        digest.finish()
    }
}

/// The length of a cache line in bytes.
const LINE: usize = 64;

/// Memory that begins on a cache line, or so many bytes behind.
#[derive(Debug)]
struct Arena {
    memory: Vec<u8>,
    start: usize,
}

impl Arena {
    fn new(bytes: usize, unaligned: u32) -> Result<Self, Refusal> {
        let mut memory = Vec::new();
        memory
            .try_reserve_exact(bytes.saturating_add(2 * LINE))
            .map_err(|_| Refusal(format!("not enough memory for {bytes} bytes of messages")))?;
        memory.resize(bytes + 2 * LINE, 0);
        let start = memory.as_ptr().align_offset(LINE).min(LINE) + unaligned as usize % LINE;
        Ok(Self { memory, start })
    }

    fn bytes(&self) -> &[u8] {
        &self.memory[self.start..]
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.memory[self.start..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{RING, bytes};

    #[test]
    fn a_ring_holds_the_documented_inputs() {
        for placement in Placement::ALL {
            let keys = Keys::generate(9, 16, 12);
            assert_eq!(keys.keys().count(), RING);
            let ring = Ring::generate(9, keys, vec![100; 64], placement, 0);
            let mut ring = ring.expect("memory");
            assert_eq!(ring.buffers(), 64);
            let mut message = ring.message(63, 5);
            assert_eq!(message.key, bytes(9, Kind::Key, 63, 16));
            assert_eq!(message.iv, bytes(9, Kind::Iv, 63, 12));
            let (input, output, length) = message.data.pointers();
            assert_eq!((input.addr() % LINE, output.addr() % LINE, length), (0, 0, 100));
            assert_eq!(input == output.cast_const(), placement == Placement::InPlace);
            let input = match &message.data {
                Data::InPlace(data) => &**data,
                Data::Disjoint(input, _) => input,
            };
            assert_eq!(input, bytes(9, Kind::Data, 5, 100));
        }
    }

    #[test]
    fn every_buffer_begins_as_far_behind_a_boundary_as_was_asked() {
        for (placement, unaligned) in [(Placement::InPlace, 1), (Placement::Disjoint, 63)] {
            let keys = Keys::generate(9, 16, 12);
            let ring = Ring::generate(9, keys.clone(), vec![100; 64], placement, unaligned);
            let mut ring = ring.expect("memory");
            for place in [0, 63] {
                let mut message = ring.message(place, place);
                let (input, output, _) = message.data.pointers();
                let behind = [input.addr() % LINE, output.addr() % LINE];
                assert_eq!(behind, [unaligned as usize; 2]);
                assert_eq!(message.data.input(), bytes(9, Kind::Data, place as u64, 100));
            }
            for mut message in ring.batches(4).into_iter().flatten() {
                assert_eq!(message.data.pointers().1.addr() % LINE, unaligned as usize);
            }
        }
    }

    #[test]
    fn the_output_is_what_was_written_last() {
        for placement in Placement::ALL {
            let mut ring = Ring::generate(1, Keys::generate(1, 1, 0), vec![3; 64], placement, 0)
                .expect("memory");
            match ring.message(0, 63).data {
                Data::InPlace(data) | Data::Disjoint(_, data) => data.copy_from_slice(b"abc"),
            }
            assert_eq!(ring.output(63), b"abc");
            assert!(ring.message(0, 0).iv.is_empty());
        }
    }

    #[test]
    fn what_is_opened_was_sealed_under_the_key_of_its_number() {
        let keys = Keys::generate(3, 16, 12).with_aad(3, 13);
        let ring = Ring::generate(3, keys, vec![5; 64], Placement::Disjoint, 0).expect("memory");
        let mut ring = ring.with_tags(Shape::Open, 4);
        let mut seal = |message: Message<'_>| {
            let Data::InPlace(data) = message.data else { return Err("placement") };
            data.iter_mut().for_each(|byte| *byte ^= message.key[0]);
            message.tag.copy_from_slice(&message.aad[..4]);
            Ok(())
        };
        ring.seal(&mut seal).expect("sealed");
        let message = ring.message(7, 7);
        let Data::Disjoint(sealed, output) = message.data else { panic!("placement") };
        let (key, aad) = (bytes(3, Kind::Key, 7, 16)[0], bytes(3, Kind::Aad, 7, 13));
        let data: Vec<u8> = sealed.iter().map(|byte| byte ^ key).collect();
        assert_eq!((data, &*message.tag), (bytes(3, Kind::Data, 7, 5), &aad[..4]));
        output.copy_from_slice(b"plain");
        assert_eq!((ring.output(7), ring.tag(7)), (&b"plain"[..], &b""[..]));
        let mac = ring.with_tags(Shape::Mac, 4);
        assert_eq!((mac.output(7), mac.tag(7)), (&b""[..], &[0; 4][..]));
    }

    #[test]
    fn too_much_memory_is_refused_and_not_a_crash() {
        let keys = Keys::generate(1, 1, 0);
        let refusal = Ring::generate(1, keys, vec![usize::MAX / 4; 2], Placement::InPlace, 0)
            .expect_err("no");
        assert!(refusal.to_string().starts_with("not enough memory for"), "{refusal}");
    }

    #[test]
    fn batches_are_the_messages_of_the_ring() {
        for placement in Placement::ALL {
            let lengths: Vec<usize> = (1..=6).map(|length| 10 * length).collect();
            let keys = Keys::with_slots(4, 6, 16, 12).with_aad(4, 3);
            assert_eq!(keys.slots(), 6);
            let ring = Ring::generate(4, keys, lengths, placement, 0).expect("memory");
            let mut ring = ring.with_tags(Shape::Seal, 2);
            let batches = ring.batches(2);
            assert_eq!(batches.iter().map(Vec::len).collect::<Vec<_>>(), [2, 2, 2]);
            for (number, mut message) in batches.into_iter().flatten().enumerate() {
                let index = number as u64;
                assert_eq!(message.slot, number);
                assert_eq!(message.key, bytes(4, Kind::Key, index, 16));
                assert_eq!(message.iv, bytes(4, Kind::Iv, index, 12));
                assert_eq!(message.aad, bytes(4, Kind::Aad, index, 3));
                assert_eq!(message.data.input(), bytes(4, Kind::Data, index, 10 * number + 10));
                match message.reborrow().data {
                    Data::InPlace(data) | Data::Disjoint(_, data) => data.fill(number as u8),
                }
                message.reborrow().tag.fill(0x80 + number as u8);
            }
            for number in 0..6 {
                assert_eq!(ring.output(number), vec![number as u8; 10 * number + 10]);
                assert_eq!(ring.tag(number), [0x80 + number as u8; 2]);
            }
        }
    }
}
