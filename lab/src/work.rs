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
//! Model `batch` asks for many messages in one call. Every engine has it, one message after
//! another through its `packet` or `message`; an engine whose library takes many at once
//! implements [`Engine::prepare_batch`].
//!
//! Where there is a tag, the closure writes it, or checks it when it opens: what it opens
//! was sealed beforehand by the same engine, outside the clock.

use crate::Cell;
pub use crate::keys::Keys;
use crate::reply::Description;

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

    /// Gets the work of a `batch` cell ready and hands it to `run`, once. The engine may put
    /// the messages into whatever form its library's call takes; the work then processes a
    /// whole batch, given by its number, any number of times. With [`KeySetup::Ready`] the
    /// keys are set up here, with [`KeySetup::Fresh`] by the work.
    ///
    /// As it stands, one message after another: [`one_by_one`].
    ///
    /// # Errors
    /// A [`Refusal`] naming the function that the library lacks.
    ///
    /// [`KeySetup::Ready`]: crate::KeySetup::Ready
    /// [`KeySetup::Fresh`]: crate::KeySetup::Fresh
    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        batches: Vec<Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        one_by_one(self, cell, keys, batches, run)
    }

    /// The work of a cell where another process does and times it, under that message: an emulated
    /// machine's, since a clock here would count the way there. As it stands, there is none.
    ///
    /// # Errors
    /// A [`Refusal`] naming what can't be timed.
    fn elsewhere(
        &self,
        cell: &Cell,
        message: Message<'_>,
    ) -> Result<Option<Box<dyn Elsewhere + '_>>, Refusal> {
        let _ = (cell, message);
        Ok(None)
    }

    /// On how many threads a cell's work can be shared, at most; the cell says on how many it
    /// is. As it stands, on one.
    fn threads(&self, cell: &Cell) -> u32 {
        let _ = cell;
        1
    }
}

/// Work that another process does and times.
pub trait Elsewhere {
    /// The nanoseconds of each of so many samples of so many calls.
    ///
    /// # Errors
    /// The library's [`Fault`].
    fn samples(&self, calls: u64, samples: u32) -> Result<Vec<u64>, Fault>;

    /// How often that process was put on a CPU, where the system tells.
    fn switches(&self) -> Option<u64>;
}

/// Batches for a library without a call for many messages: one after another, in model
/// `packet` where keys are fresh and `message` where they are ready.
///
/// # Errors
/// Those of [`Engine::prepare`].
pub fn one_by_one<'m, E: Engine + ?Sized>(
    engine: &E,
    cell: &Cell,
    keys: &'m Keys,
    mut batches: Vec<Batch<'m>>,
    run: RunBatch<'_>,
) -> Result<Notes, Refusal> {
    engine.prepare(&cell.one_by_one(), keys, &mut |work| {
        run(&mut |number| {
            batches[number].iter_mut().try_for_each(|message| work(message.reborrow()))
        });
    })
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

/// The messages of one call in model `batch`.
pub type Batch<'m> = Vec<Message<'m>>;

/// One call of the library on the batch of that number.
pub type WorkBatch<'w> = &'w mut dyn FnMut(usize) -> Result<(), Fault>;

/// What the laboratory does with batches that are ready.
pub type RunBatch<'r> = &'r mut dyn FnMut(WorkBatch<'_>);

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
    /// Its place in the ring, below [`Keys::slots`]: which ready key is its own.
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

impl Message<'_> {
    /// The same message, to be used once more.
    #[inline]
    pub fn reborrow(&mut self) -> Message<'_> {
        let Message { slot, key, iv, aad, ref mut data, ref mut tag } = *self;
        Message { slot, key, iv, aad, data: data.reborrow(), tag }
    }
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
    /// The same data, to be used once more.
    #[inline]
    pub fn reborrow(&mut self) -> Data<'_> {
        match self {
            Self::InPlace(data) => Data::InPlace(data),
            Self::Disjoint(input, output) => Data::Disjoint(input, output),
        }
    }

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
