//! What a built-in engine implements: a library as a few closures.
//!
//! A peer is one file: [`Engine::describe`] says what the library can do, and
//! [`Engine::prepare`] turns a cell into [`Work`], a closure over one [`Message`],
//! and hands it to the laboratory to run. Inputs, the ring, the clock, calibration
//! and digests are the laboratory's, so every library stands in the same loop. What
//! belongs outside the clock is done before:
//!
//! | model | done before | the closure does |
//! |---|---|---|
//! | `packet`, `init` | nothing | key, IV and data of the message (no data: `init`) |
//! | `message`, `latency` | the key schedules of all slots | IV and data, under the slot's key |
//! | `stream` | key and IV of slot 0 | the next piece of the one stream |
//! | `key` | nothing | the key schedule of the message's key |
//!
//! Where there is a tag, the closure writes it, or checks it when it opens: what it opens
//! was sealed beforehand by the same engine, outside the clock.

use crate::input::{Kind, RING, bytes};
use crate::reply::Description;
use crate::{Cell, Placement, Shape};

/// A library behind the laboratory's loop.
pub trait Engine {
    /// Who it is and what it offers.
    fn describe(&self) -> Description;

    /// Gets the work of a cell ready and hands it to `run`, once. The cell is one of the
    /// offers, its size a multiple of the granule.
    ///
    /// # Errors
    /// A [`Refusal`] naming the function that the library lacks.
    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal>;
}

/// The library can't do it: the reason, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl<T: Into<String>> From<T> for Refusal {
    fn from(reason: T) -> Self {
        Self(reason.into())
    }
}

/// The library reported a failure while it worked: the function's name.
pub type Fault = &'static str;

/// One call of the library on one message.
pub type Work<'w> = &'w mut dyn FnMut(Message<'_>) -> Result<(), Fault>;

/// What the laboratory does with work that is ready.
pub type Run<'r> = &'r mut dyn FnMut(Work<'_>);

/// What a reader must know about a cell's figures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// E.g. `outside the specification`.
    pub flags: Vec<String>,
    /// Anything else.
    pub remark: String,
}

/// One message of the ring.
#[derive(Debug)]
pub struct Message<'a> {
    /// Its place in the ring, 0 to 63: which ready key is its own.
    pub slot: usize,
    /// Its key.
    pub key: &'a [u8],
    /// Its IV or nonce; empty where there is none.
    pub iv: &'a [u8],
    /// Its associated data; empty where there is none.
    pub aad: &'a [u8],
    /// Its data; empty in `init` and `key`.
    pub data: Data<'a>,
    /// Its tag: to be written, or to be checked by what opens. Empty where there is none.
    pub tag: &'a mut [u8],
}

/// The data of one message.
#[derive(Debug)]
pub enum Data<'a> {
    /// The output goes over the input.
    InPlace(&'a mut [u8]),
    /// The output goes elsewhere; both have the same length.
    Disjoint(&'a [u8], &'a mut [u8]),
}

impl Data<'_> {
    /// Its length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::InPlace(data) | Self::Disjoint(_, data) => data.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What is to be read, for work that writes no data.
    #[must_use]
    pub fn input(&self) -> &[u8] {
        match self {
            Self::InPlace(data) => data,
            Self::Disjoint(input, _) => input,
        }
    }

    /// Input, output and length, for libraries that take pointers; in place, the first two
    /// are the same.
    #[must_use]
    pub fn pointers(&mut self) -> (*const u8, *mut u8, usize) {
        match self {
            Self::InPlace(data) => {
                let output = data.as_mut_ptr();
                (output.cast_const(), output, data.len())
            }
            Self::Disjoint(input, output) => (input.as_ptr(), output.as_mut_ptr(), output.len()),
        }
    }
}

/// The keys, IVs and associated data of the ring.
#[derive(Clone, Debug)]
pub struct Keys {
    keys: Vec<u8>,
    key_bytes: usize,
    ivs: Vec<u8>,
    nonce_bytes: usize,
    aads: Vec<u8>,
    aad_bytes: usize,
}

impl Keys {
    /// The ring's keys and IVs for a seed, without associated data.
    #[must_use]
    pub fn generate(seed: u64, key_bytes: usize, nonce_bytes: usize) -> Self {
        let keys = all(seed, Kind::Key, key_bytes);
        let ivs = all(seed, Kind::Iv, nonce_bytes);
        Self { keys, key_bytes, ivs, nonce_bytes, aads: Vec::new(), aad_bytes: 0 }
    }

    /// The same with so many bytes of associated data for each slot.
    #[must_use]
    pub fn with_aad(self, seed: u64, aad_bytes: usize) -> Self {
        Self { aads: all(seed, Kind::Aad, aad_bytes), aad_bytes, ..self }
    }

    /// All keys, by slot.
    pub fn keys(&self) -> impl Iterator<Item = &[u8]> {
        (0..RING).map(|slot| self.key(slot))
    }

    /// The key of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn key(&self, slot: usize) -> &[u8] {
        &self.keys[slot * self.key_bytes..][..self.key_bytes]
    }

    /// The IV of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn iv(&self, slot: usize) -> &[u8] {
        &self.ivs[slot * self.nonce_bytes..][..self.nonce_bytes]
    }

    /// The associated data of a slot.
    ///
    /// # Panics
    /// If there is no such slot.
    #[inline]
    #[must_use]
    pub fn aad(&self, slot: usize) -> &[u8] {
        &self.aads[slot * self.aad_bytes..][..self.aad_bytes]
    }
}

/// That many bytes for every slot.
fn all(seed: u64, kind: Kind, length: usize) -> Vec<u8> {
    (0..RING as u64).flat_map(|index| bytes(seed, kind, index, length)).collect()
}

/// The ring: keys, IVs and buffers that the timing loop walks through.
#[derive(Debug)]
pub struct Ring {
    keys: Keys,
    size: usize,
    stride: usize,
    buffers: usize,
    input: Arena,
    output: Option<Arena>,
    tags: Vec<u8>,
    tag_bytes: usize,
    shape: Shape,
}

impl Ring {
    /// The ring of a seed: `messages` buffers of `size` bytes, filled.
    ///
    /// # Errors
    /// A [`Refusal`] if there is not enough memory.
    pub fn generate(
        seed: u64,
        keys: Keys,
        size: usize,
        placement: Placement,
    ) -> Result<Self, Refusal> {
        let buffers = crate::input::messages(size as u64);
        // One line between buffers, so that powers of two do not share a cache set.
        let stride = size.next_multiple_of(LINE) + LINE;
        let mut input = Arena::new(stride.saturating_mul(buffers))?;
        for (index, buffer) in (0..buffers as u64).zip(input.bytes_mut().chunks_mut(stride)) {
            crate::input::fill(seed, Kind::Data, index, &mut buffer[..size]);
        }
        let output = match placement {
            Placement::InPlace => None,
            Placement::Disjoint => Some(Arena::new(stride * buffers)?),
        };
        let (tags, tag_bytes, shape) = (Vec::new(), 0, Shape::Cipher);
        Ok(Self { keys, size, stride, buffers, input, output, tags, tag_bytes, shape })
    }

    /// The same ring for an operation of that shape, with a tag beside every buffer.
    #[must_use]
    pub fn with_tags(self, shape: Shape, tag_bytes: usize) -> Self {
        let tags = vec![0; tag_bytes * self.buffers];
        Self { tags, tag_bytes, shape, ..self }
    }

    /// Seals the input of every buffer where it lies, for work that opens it; each under
    /// the key of the slot with its own number.
    ///
    /// # Errors
    /// The library's [`Fault`].
    pub fn seal(&mut self, work: Work<'_>) -> Result<(), Fault> {
        let output = self.output.take();
        let done = (0..self.buffers).try_for_each(|index| work(self.message(index, index)));
        self.output = output;
        done
    }

    /// How many different buffers there are.
    #[must_use]
    pub fn buffers(&self) -> usize {
        self.buffers
    }

    /// The message of a slot, in a buffer.
    #[inline]
    pub fn message(&mut self, slot: usize, buffer: usize) -> Message<'_> {
        let range = buffer * self.stride..buffer * self.stride + self.size;
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

    /// What stands in a buffer's output; nothing if the operation's output is a tag.
    #[must_use]
    pub fn output(&self, buffer: usize) -> &[u8] {
        let size = if self.shape == Shape::Mac { 0 } else { self.size };
        let range = buffer * self.stride..buffer * self.stride + size;
        &self.output.as_ref().unwrap_or(&self.input).bytes()[range]
    }

    /// The tag that belongs to a buffer's output; empty if there is none.
    #[must_use]
    pub fn tag(&self, buffer: usize) -> &[u8] {
        let length = if self.shape == Shape::Open { 0 } else { self.tag_bytes };
        &self.tags[buffer * self.tag_bytes..][..length]
    }
}

/// The length of a cache line in bytes.
const LINE: usize = 64;

/// Memory that begins on a cache line.
#[derive(Debug)]
struct Arena {
    memory: Vec<u8>,
    start: usize,
}

impl Arena {
    fn new(bytes: usize) -> Result<Self, Refusal> {
        let mut memory = Vec::new();
        memory
            .try_reserve_exact(bytes.saturating_add(LINE))
            .map_err(|_| Refusal(format!("not enough memory for {bytes} bytes of messages")))?;
        memory.resize(bytes + LINE, 0);
        let start = memory.as_ptr().align_offset(LINE).min(LINE);
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

    #[test]
    fn a_ring_holds_the_documented_inputs() {
        for placement in Placement::ALL {
            let keys = Keys::generate(9, 16, 12);
            assert_eq!(keys.keys().count(), RING);
            let mut ring = Ring::generate(9, keys, 100, placement).expect("memory");
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
    fn the_output_is_what_was_written_last() {
        for placement in Placement::ALL {
            let mut ring =
                Ring::generate(1, Keys::generate(1, 1, 0), 3, placement).expect("memory");
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
        let ring = Ring::generate(3, keys, 5, Placement::Disjoint).expect("memory");
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
        let refusal = Ring::generate(1, keys, usize::MAX / 4, Placement::InPlace).expect_err("no");
        assert!(refusal.to_string().starts_with("not enough memory for"), "{refusal}");
    }
}
