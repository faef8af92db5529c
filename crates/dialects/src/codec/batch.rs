//! Many values in one call, as a column has them: through the library's batches, which fill their
//! lanes with the blocks of several values.

use core::fmt;
use core::ops::Range;

use cipherlane::Error as LibraryError;
use cipherlane::batch::{Job, ReadyBatch};
use cipherlane::registry::{self, Operation};
use zeroize::{Zeroize as _, Zeroizing};

use super::{Codec, Draw, Drawn, Key};
use crate::dialect::operation;
use crate::error::Error;
use crate::layout::Part;
use crate::row::Empty;

/// The most values that go through the cipher together, and from how many bytes on no further one
/// joins them: what is under way stays in the cache.
const VALUES: usize = 256;
const BYTES: usize = 1 << 16;

/// Takes what comes of each value, in their order: its number, and its bytes or none where the
/// engine has NULL for it.
pub type Each<'e> = dyn FnMut(usize, Result<Option<&[u8]>, Error>) + 'e;

/// A codec that reads and writes many values in one call, for one thread. What comes of them is
/// what comes of [`Codec::decrypt`] and [`Codec::encrypt_with`] value by value, and so it is made
/// where the library has no lanes for the mode or each value has its own key.
///
/// Plaintexts stay in it until they are overwritten by those of the next values, or it is dropped.
///
/// ```
/// let codec = dialects::find("opengauss-sm4")?.prepare(&dialects::Settings::new(b"Asdf1234"))?;
/// let mut batch = codec.batch()?;
/// let mut stored = Vec::new();
/// let mut draw = |_, bytes: &mut [u8]| {
///     getrandom::fill(bytes).map_err(|error| dialects::Error::Random(error.to_string()))
/// };
/// batch.encrypt(&[b"one", b"another"], &mut draw, &mut |_, value| {
///     stored.push(value.map(|it| it.unwrap_or_default().to_vec()));
/// });
/// let stored = stored.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let stored: Vec<&[u8]> = stored.iter().map(Vec::as_slice).collect();
/// let mut plain = Vec::new();
/// batch.decrypt(&stored, &mut |_, value| {
///     plain.push(value.map(|it| it.unwrap_or_default().to_vec()));
/// });
/// assert_eq!(plain, [Ok(b"one".to_vec()), Ok(b"another".to_vec())]);
/// # Ok::<(), dialects::Error>(())
/// ```
pub struct Batch<'c> {
    codec: &'c Codec,
    /// The lanes of both directions, where there are some.
    read: Option<Box<dyn ReadyBatch>>,
    write: Option<Box<dyn ReadyBatch>>,
    /// The values of a pass, in the bytes that the cipher sees.
    bytes: Zeroizing<Vec<u8>>,
    /// A value by itself: as text, or on the way that has no lanes.
    one: Zeroizing<Vec<u8>>,
}

/// A value of a pass.
enum Slot {
    /// It did not come to the cipher.
    Done(Result<(), Error>),
    /// Where it stands, and the length of its ciphertext.
    At(Range<usize>, usize),
}

/// What the cipher takes of a value.
struct Pieces<'b> {
    iv: &'b mut [u8],
    data: &'b mut [u8],
    tag: &'b mut [u8],
}

impl Codec {
    /// The codec for many values in one call.
    ///
    /// # Errors
    /// What the library says.
    pub fn batch(&self) -> Result<Batch<'_>, Error> {
        let lanes = |operation: Option<Operation>| match (&self.key, operation) {
            (Key::Ready { bytes, .. }, Some(operation))
                if operation.in_lanes() && self.dialect.row.mac.is_none() && self.finds_iv() =>
            {
                operation.ready(&[bytes], self.level).map(Some)
            }
            _ => Ok(None),
        };
        let write = operation(self.algorithm, &self.mode.operation);
        let back = write.as_ref().and_then(|it| it.inverse);
        let read = back.and_then(|name| registry::operation(self.algorithm, name));
        Ok(Batch {
            codec: self,
            read: lanes(read)?,
            write: lanes(write)?,
            bytes: Zeroizing::default(),
            one: Zeroizing::default(),
        })
    }

    /// Whether the IV is the codec's or stands in the value.
    fn finds_iv(&self) -> bool {
        self.iv.is_some() || self.iv_is_told()
    }

    /// The pieces of a value whose ciphertext has `body` bytes.
    fn pieces<'b>(&self, bytes: &'b mut [u8], body: usize) -> Pieces<'b> {
        let mut pieces = Pieces { iv: &mut [], data: &mut [], tag: &mut [] };
        self.mode.layout.split(bytes, body, |part, piece| match part {
            Part::Iv => pieces.iv = piece,
            Part::Ciphertext => pieces.data = piece,
            Part::Tag => pieces.tag = piece,
            // Those that have either have a key for each value, or a MAC.
            Part::Salt | Part::Mac => {}
        });
        pieces
    }
}

/// Empties a vector and makes room; what grows leaves nothing secret where it was.
fn clear(bytes: &mut Vec<u8>, room: usize) {
    if bytes.capacity() < room {
        bytes.zeroize();
        bytes.reserve(room);
    }
    bytes.clear();
}

/// How many values go together.
fn pass(values: &[&[u8]]) -> usize {
    let mut sum = 0;
    let fits = |value: &&&[u8]| {
        let before = sum;
        sum += value.len();
        before < BYTES
    };
    values.iter().take(VALUES).take_while(fits).count()
}

impl Batch<'_> {
    /// Whether values are read and written in lanes; else one after another.
    #[must_use]
    pub const fn in_lanes(&self) -> [bool; 2] {
        [self.read.is_some(), self.write.is_some()]
    }

    /// Reads stored values: to each what [`Codec::decrypt`] would say.
    pub fn decrypt(&mut self, stored: &[&[u8]], each: &mut Each<'_>) {
        let mut done = 0;
        while done < stored.len() {
            let values = &stored[done..];
            let values = &values[..pass(values)];
            if !self.read_pass(values, done, each) {
                for (number, value) in values.iter().enumerate() {
                    clear(&mut self.one, 2 * value.len() + 4);
                    let outcome = self.codec.decrypt(value, &mut self.one);
                    each(done + number, outcome.map(|it| it.of(&self.one)));
                }
            }
            done += values.len();
        }
    }

    /// Writes plaintexts: to each what [`Codec::encrypt_with`] would say, with the same draws in
    /// the same order.
    pub fn encrypt(&mut self, plain: &[&[u8]], draw: &mut Draw<'_>, each: &mut Each<'_>) {
        let mut done = 0;
        while done < plain.len() {
            let values = &plain[done..];
            let values = &values[..pass(values)];
            if self.write.is_some() {
                self.write_pass(values, done, draw, each);
            } else {
                let around = self.codec.mode.layout.around() + self.codec.block();
                for (number, value) in values.iter().enumerate() {
                    // The bytes, and a text of twice as many.
                    clear(&mut self.one, 3 * (value.len() + around));
                    let outcome = self.codec.encrypt_with(value, &mut self.one, draw);
                    each(done + number, outcome.map(|it| it.of(&self.one)));
                }
            }
            done += values.len();
        }
    }

    /// One pass of reading, or false where it has to go value by value.
    fn read_pass(&mut self, values: &[&[u8]], first: usize, each: &mut Each<'_>) -> bool {
        let Self { codec, read: Some(lanes), bytes, .. } = self else { return false };
        // As much as any coding takes until it is decoded.
        clear(bytes, values.iter().map(|it| 2 * it.len() + 4).sum());
        let slots: Vec<Slot> = values.iter().map(|value| codec.place(value, bytes)).collect();
        let mut jobs = codec.jobs(&slots, bytes);
        match lanes.apply(&mut jobs) {
            Ok(()) | Err(LibraryError::Authentication) => {}
            // One of them is not what the library takes: each by itself says which.
            Err(_) => return false,
        }
        let failed: Vec<bool> = jobs.iter().map(|job| job.failed).collect();
        let mut failed = failed.into_iter();
        for (number, slot) in slots.into_iter().enumerate() {
            let value = match slot {
                Slot::Done(done) => done.map(|()| None),
                Slot::At(..) if failed.next() == Some(true) => {
                    Err(Error::Authentication { dialect: codec.dialect.name() })
                }
                Slot::At(range, body) => {
                    let data = &*codec.pieces(&mut bytes[range], body).data;
                    codec.len_of(data).map(|len| Some(&data[..len]))
                }
            };
            each(first + number, value);
        }
        true
    }

    /// One pass of writing in lanes.
    fn write_pass(
        &mut self,
        values: &[&[u8]],
        first: usize,
        draw: &mut Draw<'_>,
        each: &mut Each<'_>,
    ) {
        let Self { codec, write: Some(lanes), bytes, one, .. } = self else { return };
        // A block of padding at most.
        let around = codec.mode.layout.around() + codec.block();
        clear(bytes, values.iter().map(|it| it.len() + around).sum());
        let slots: Vec<Slot> =
            values.iter().map(|value| codec.lay_out(value, bytes, draw)).collect();
        let mut jobs = codec.jobs(&slots, bytes);
        let refused = lanes.apply(&mut jobs).err();
        for (number, slot) in slots.into_iter().enumerate() {
            let value = match (slot, &refused) {
                (Slot::Done(done), _) => done.map(|()| None),
                // Lengths were looked at before: it is none of this value's.
                (Slot::At(..), Some(error)) => Err(Error::Library(*error)),
                (Slot::At(range, _), None) => {
                    let value = &bytes[range];
                    let len = codec.coding.text_len(value.len());
                    if one.len() < len {
                        one.resize(len, 0);
                    }
                    let text = &mut one[..len];
                    codec.coding.encode(value, text);
                    Ok(Some(if len > 0 { &*text } else { value }))
                }
            };
            each(first + number, value);
        }
    }
}

impl Codec {
    /// Appends the bytes of a stored value, as long as a value may be.
    fn place(&self, stored: &[u8], bytes: &mut Vec<u8>) -> Slot {
        if stored.is_empty() && self.dialect.row.empty == Empty::Null {
            return Slot::Done(Ok(()));
        }
        let start = bytes.len();
        let decoded = self.coding.decode(self.unprefixed(stored), bytes);
        match decoded.and_then(|()| self.body(bytes.len() - start)) {
            Ok(body) => Slot::At(start..bytes.len(), body),
            Err(error) => {
                bytes.truncate(start);
                Slot::Done(Err(error))
            }
        }
    }

    /// Appends the bytes of a value that is to be encrypted: its IV, its plaintext with the
    /// padding, and room for the tag.
    fn lay_out(&self, plain: &[u8], bytes: &mut Vec<u8>, draw: &mut Draw<'_>) -> Slot {
        let body = match self.body_of(plain) {
            Ok(Some(body)) => body,
            Ok(None) => return Slot::Done(Ok(())),
            Err(error) => return Slot::Done(Err(error)),
        };
        let start = bytes.len();
        bytes.resize(start + self.mode.layout.around() + body, 0);
        let pieces = self.pieces(&mut bytes[start..], body);
        if let Some(iv) = &self.iv {
            // Of no bytes, where it is not stored.
            pieces.iv.copy_from_slice(&iv.get()[..pieces.iv.len()]);
        } else if let Err(error) = draw(Drawn::Iv, pieces.iv) {
            bytes.truncate(start);
            return Slot::Done(Err(error));
        }
        let (padded, filled) = pieces.data.split_at_mut(plain.len());
        padded.copy_from_slice(plain);
        self.mode.padding.fill(filled);
        Slot::At(start..bytes.len(), body)
    }

    /// The values of a pass that come to the cipher, which stand one behind the other.
    fn jobs<'j>(&'j self, slots: &[Slot], mut bytes: &'j mut [u8]) -> Vec<Job<'j>> {
        let mut jobs = Vec::with_capacity(slots.len());
        for slot in slots {
            let Slot::At(range, body) = slot else { continue };
            let (value, behind) = bytes.split_at_mut(range.len());
            bytes = behind;
            jobs.push(self.job(self.pieces(value, *body)));
        }
        jobs
    }

    /// A value as a message of the library.
    fn job<'j>(&'j self, pieces: Pieces<'j>) -> Job<'j> {
        let Pieces { iv, data, tag } = pieces;
        let iv = match &self.iv {
            Some(own) if iv.is_empty() => own.get(),
            _ => &*iv,
        };
        Job::aead(0, iv, &self.aad, data.into(), tag)
    }
}

impl fmt::Debug for Batch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [read, write] = self.in_lanes();
        f.debug_struct("Batch")
            .field("codec", self.codec)
            .field("reads in lanes", &read)
            .field("writes in lanes", &write)
            .finish_non_exhaustive()
    }
}
