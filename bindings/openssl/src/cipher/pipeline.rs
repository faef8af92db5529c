//! Several messages under one key in each call: the pipelines of OpenSSL 3.5 and later
//! (provider-cipher(7)), on the library's batches.
//!
//! Pieces that are whole blocks, in whichever of the pipes, go through a batch together; what
//! is left at either end goes the way of a single message. A message of GCM is sealed by its
//! one update, as records and packets are; it is opened by a batch if its tag was set before.

use ciphers::Sizes;
use ciphers::batch::{Job, ReadyBatch};

use super::Work;
use super::pipe::{BLOCK, Pipe, TAG};
use crate::core::Params;
use crate::names::{Spec, level};
use crate::reason::{Reason, wrong_length};
use crate::{Outcome, memory};

/// The most messages at once, `EVP_MAX_PIPES`.
pub(super) const MOST: usize = 32;

/// All messages of a context.
pub(super) struct Pipes {
    encrypt: bool,
    pipes: Vec<Box<dyn Pipe>>,
    batch: Box<dyn ReadyBatch>,
    room: Vec<Job<'static>>,
    /// Where tags are to be written, if that was told before they were there.
    tags: Option<(Vec<*mut u8>, usize)>,
}

// SAFETY: a context is used by one call at a time; the pointers are only passed on to the
// calls that their owner, OpenSSL's caller, makes.
unsafe impl Send for Pipes {}

/// One piece of one message.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) from: *const u8,
    pub(super) length: usize,
    pub(super) to: *mut u8,
    pub(super) room: usize,
}

impl Pipes {
    pub(super) fn new(
        spec: &'static Spec,
        work: &dyn Work,
        encrypt: bool,
        key: &[u8],
        ivs: &[Option<&[u8]>],
    ) -> Outcome<Self> {
        let batch = spec.operations[usize::from(!encrypt)].ready(&[key], level())?;
        let pipes = ivs.iter().map(|iv| {
            let mut pipe = work.pipe().ok_or(Reason::NotSupported)?;
            pipe.work().init(encrypt, Some(key), *iv)?;
            Ok(pipe)
        });
        let pipes = pipes.collect::<Outcome<Vec<Box<dyn Pipe>>>>()?;
        Ok(Self { encrypt, pipes, batch, room: Vec::new(), tags: None })
    }

    /// How many messages there are.
    pub(super) fn count(&self) -> usize {
        self.pipes.len()
    }

    /// # Safety
    /// The pieces are null or valid for their lengths, and apart from each other.
    pub(super) unsafe fn update(&mut self, pieces: &[Piece], written: &mut [usize]) -> Outcome {
        if pieces.len() != self.pipes.len() || pieces.len() != written.len() {
            return Err(Reason::Operation.because("another number of pipes than at first"));
        }
        if pieces.iter().all(|piece| piece.to.is_null()) {
            return self.associated(pieces);
        }
        if pieces.iter().any(|piece| piece.room < piece.length) {
            return Err(Reason::OutputTooSmall.into());
        }
        let batched = |(pipe, piece): (&Box<dyn Pipe>, &Piece)| pipe.batched(piece.length);
        let amounts: Vec<usize> = self.pipes.iter().zip(pieces).map(batched).collect();
        // SAFETY: the caller's promise.
        unsafe { self.together(pieces, &amounts) }?;
        for (((pipe, piece), amount), count) in
            self.pipes.iter_mut().zip(pieces).zip(amounts).zip(written)
        {
            let (length, room) = (piece.length - amount, piece.room - amount);
            // SAFETY: as above: what is left of the piece.
            let rest =
                unsafe { pipe.rest(piece.from.add(amount), length, piece.to.add(amount), room) };
            *count = amount + rest?;
        }
        Ok(())
    }

    /// Associated data of every message.
    fn associated(&mut self, pieces: &[Piece]) -> Outcome {
        for (pipe, piece) in self.pipes.iter_mut().zip(pieces) {
            // SAFETY: the promise of `update`.
            pipe.associated(unsafe { memory::input(piece.from, piece.length) }?)?;
        }
        Ok(())
    }

    /// What can, through one batch.
    ///
    /// # Safety
    /// As [`update`](Self::update).
    unsafe fn together(&mut self, pieces: &[Piece], amounts: &[usize]) -> Outcome {
        let mut tags = [[0; TAG]; MOST];
        let mut ivs: Vec<Vec<u8>> = Vec::with_capacity(pieces.len());
        let mut nexts = [[0; BLOCK]; MOST];
        let mut who = Vec::with_capacity(pieces.len());
        for (number, (pipe, piece)) in self.pipes.iter().zip(pieces).enumerate() {
            let amount = amounts[number];
            if !pipe.joins(amount)? {
                continue;
            }
            if !self.encrypt {
                // Before it is written over.
                let block = pipe.chained();
                let last = piece.from.wrapping_add(amount - block);
                // SAFETY: the caller's promise: inside the piece.
                nexts[number][..block].copy_from_slice(unsafe { memory::input(last, block) }?);
                if pipe.tag_length() > 0
                    && let Some(tag) = pipe.tag()?
                {
                    tags[number][..tag.len()].copy_from_slice(tag);
                }
            }
            ivs.push(pipe.iv().to_vec());
            who.push(number);
        }
        if who.is_empty() {
            return Ok(());
        }
        self.room.clear();
        for (place, number) in who.iter().copied().enumerate() {
            let (piece, amount) = (&pieces[number], amounts[number]);
            let pipe = &self.pipes[number];
            let (aad, tag) = (pipe.aad(), pipe.tag_length());
            // SAFETY: the caller's promise for the data. The IVs, the associated data and the
            // tags outlive the jobs, which are gone at the end of this function, and are not
            // touched in between.
            self.room.push(unsafe {
                Job {
                    key: 0,
                    iv: memory::input(ivs[place].as_ptr(), ivs[place].len())?,
                    aad: memory::input(aad.as_ptr(), aad.len())?,
                    io: memory::in_out(piece.from, piece.to, amount)?,
                    tag: memory::output(tags[number].as_mut_ptr(), tag)?,
                    failed: false,
                }
            });
        }
        let done = self.batch.apply(&mut self.room);
        self.room.clear();
        done?;
        for number in who {
            let (piece, amount) = (&pieces[number], amounts[number]);
            let pipe = &mut self.pipes[number];
            let block = pipe.chained();
            if self.encrypt {
                let last = piece.to.wrapping_add(amount - block);
                // SAFETY: the caller's promise: inside the output.
                nexts[number][..block].copy_from_slice(unsafe { memory::input(last, block) }?);
            }
            pipe.went(amount, &nexts[number][..block], tags[number])?;
        }
        Ok(())
    }

    /// Ends every message.
    pub(super) fn finish(&mut self, outputs: &mut [&mut [u8]], written: &mut [usize]) -> Outcome {
        for ((pipe, output), count) in self.pipes.iter_mut().zip(outputs).zip(written) {
            *count = pipe.end(output)?;
        }
        if let Some((places, size)) = self.tags.take() {
            self.put_tags(&places, size)?;
        }
        Ok(())
    }

    pub(super) fn set(&mut self, params: Params) -> Outcome {
        let Some(found) = params.find(c"pipeline-tag") else { return Ok(()) };
        // SAFETY: provider-cipher(7): as many tags as there are pipes.
        let (places, size) = unsafe { found.pointers(self.pipes.len()) }?;
        if self.encrypt {
            return Err(Reason::TagNotNeeded.into());
        }
        if size == 0 || size > TAG {
            return Err(wrong_length("tag", size, Sizes::between(1, TAG)));
        }
        for (pipe, place) in self.pipes.iter_mut().zip(places) {
            // SAFETY: as above.
            pipe.expect(unsafe { memory::input(*place, size) }?)?;
        }
        Ok(())
    }

    pub(super) fn get(&mut self, params: Params) -> Outcome {
        let Some(found) = params.find(c"pipeline-tag") else { return Ok(()) };
        // SAFETY: as in `set`.
        let (places, size) = unsafe { found.pointers(self.pipes.len()) }?;
        let places = places.to_vec();
        self.put_tags(&places, size)
    }

    fn put_tags(&self, places: &[*mut u8], size: usize) -> Outcome {
        for (pipe, place) in self.pipes.iter().zip(places) {
            let tag = pipe.tag()?.filter(|_| self.encrypt).ok_or(Reason::TagNotSet)?;
            let tag = tag.get(..size).ok_or(Reason::TagLength)?;
            // SAFETY: as in `set`.
            unsafe { memory::output(*place, size) }?.copy_from_slice(tag);
        }
        Ok(())
    }
}
