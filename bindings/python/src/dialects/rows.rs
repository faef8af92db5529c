//! Many values under one codec, on all threads: each has its result, NULL or its fault.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use dialects::{Codec, Error, Outcome};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use zeroize::Zeroizing;

use super::failures;

/// Values of a piece, which one thread works on at a time.
const PIECE: usize = 2048;

/// Below so many bytes another thread costs more than it saves.
const LEAST: usize = 256 << 10;

/// What becomes of values that can't be read or written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// The first ends all.
    First,
    /// They are NULL.
    Nulls,
    /// They are NULL, and each is told.
    All,
}

impl Keep {
    pub(super) fn named(name: &str) -> PyResult<Self> {
        match name {
            "raise" => Ok(Self::First),
            "null" => Ok(Self::Nulls),
            "collect" => Ok(Self::All),
            _ => Err(PyValueError::new_err(format!(
                "errors is {name:?}; allowed: \"raise\", \"null\", \"collect\""
            ))),
        }
    }
}

/// What is wrong with a value.
pub(super) enum Fault {
    Dialect(Error),
    /// It was read and is no UTF-8, from that place on.
    NoText(usize),
}

impl Fault {
    /// Whether other values may go well all the same.
    fn of_value(&self) -> bool {
        match self {
            Self::Dialect(error) => error.of_value(),
            Self::NoText(_) => true,
        }
    }

    pub(super) fn raise(&self, py: Python<'_>, row: Option<usize>) -> PyErr {
        match self {
            Self::Dialect(error) => failures::raise(py, error, row),
            Self::NoText(at) => failures::raise_no_text(py, *at, row),
        }
    }

    /// Its row with a short name of it and a line.
    pub(super) fn told(&self, row: usize) -> (usize, &'static str, String) {
        match self {
            Self::Dialect(error) => (row, failures::kind(error), failures::text(error)),
            Self::NoText(at) => (row, "text", failures::no_text(*at)),
        }
    }
}

/// What is done with each value.
#[derive(Clone, Copy)]
pub(super) struct Order<'c> {
    pub(super) codec: &'c Codec,
    pub(super) decrypts: bool,
    /// Whether plaintexts that are read have to be UTF-8.
    pub(super) text: bool,
    pub(super) keep: Keep,
}

/// Random bytes of the system, read ahead: a call for each IV takes longer than to encrypt a value.
pub(super) struct Ahead {
    bytes: Vec<u8>,
    /// How many of them have not been given out. They are given out from the end, once.
    left: usize,
}

impl Ahead {
    /// For so many values, each with an IV or a salt of at most 16 bytes or both.
    pub(super) fn for_values(count: usize) -> Self {
        Self { bytes: vec![0; (32 * count).min(4096)], left: 0 }
    }

    fn fill(&mut self, wanted: &mut [u8]) -> Result<(), Error> {
        let draw = |bytes: &mut [u8]| {
            getrandom::fill(bytes).map_err(|error| Error::Random(error.to_string()))
        };
        if wanted.len() > self.bytes.len() {
            return draw(wanted);
        }
        if wanted.len() > self.left {
            draw(&mut self.bytes)?;
            self.left = self.bytes.len();
        }
        let start = self.left - wanted.len();
        wanted.copy_from_slice(&self.bytes[start..self.left]);
        self.left = start;
        Ok(())
    }
}

/// Results one behind the other.
#[derive(Default)]
pub(super) struct Results {
    pub(super) data: Zeroizing<Vec<u8>>,
    /// Where each ends in the data; NULL ends where it begins.
    pub(super) ends: Vec<usize>,
    pub(super) valid: Vec<bool>,
    /// Rows with what is wrong with them.
    pub(super) faults: Vec<(usize, Fault)>,
}

impl Order<'_> {
    /// Appends the result of a value; none for NULL.
    pub(super) fn one(
        &self,
        value: &[u8],
        drawn: &mut Ahead,
        out: &mut Vec<u8>,
    ) -> Result<Outcome, Fault> {
        let start = out.len();
        if !self.decrypts {
            let outcome = self.codec.encrypt_with(value, out, &mut |_, bytes| drawn.fill(bytes));
            return outcome.map_err(Fault::Dialect);
        }
        let outcome = self.codec.decrypt(value, out).map_err(Fault::Dialect)?;
        if self.text
            && let Err(error) = std::str::from_utf8(&out[start..])
        {
            zeroize::Zeroize::zeroize(&mut out[start..]);
            out.truncate(start);
            return Err(Fault::NoText(error.valid_up_to()));
        }
        Ok(outcome)
    }

    /// Room for the results of values, so that a plaintext is never moved and left behind: what
    /// is decoded is no longer than its text, and of one at a time there is the text besides.
    pub(super) fn room(&self, values: &[Option<&[u8]>]) -> usize {
        if !self.decrypts {
            return 0;
        }
        let lengths = || values.iter().flatten().map(|value| value.len());
        lengths().sum::<usize>() + 2 * lengths().max().unwrap_or(0) + 64
    }

    /// The results of values that lie in a piece; `first` is the row of the first one.
    fn piece(&self, first: usize, values: &[Option<&[u8]>]) -> Results {
        let mut results = Results {
            data: Zeroizing::new(Vec::with_capacity(self.room(values))),
            ends: Vec::with_capacity(values.len()),
            valid: Vec::with_capacity(values.len()),
            faults: Vec::new(),
        };
        let mut drawn = Ahead::for_values(values.len());
        for (place, value) in values.iter().enumerate() {
            let outcome = match value {
                Some(value) => self.one(value, &mut drawn, &mut results.data),
                None => Ok(Outcome::Null),
            };
            results.valid.push(matches!(outcome, Ok(Outcome::Value)));
            results.ends.push(results.data.len());
            if let Err(fault) = outcome {
                let ends = self.keep == Keep::First || !fault.of_value();
                if ends || self.keep == Keep::All {
                    results.faults.push((first + place, fault));
                }
                if ends {
                    break;
                }
            }
        }
        results
    }

    /// The results of all values, piece by piece; or the first row that ends the work.
    pub(super) fn run(
        &self,
        first: usize,
        values: &[Option<&[u8]>],
    ) -> Result<Vec<Results>, (usize, Fault)> {
        let pieces: Vec<&[Option<&[u8]>]> = values.chunks(self.piece_len()).collect();
        let done: Vec<Mutex<Option<Results>>> = pieces.iter().map(|_| Mutex::default()).collect();
        let (next, ended) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || {
            // Pieces are taken in their order, so those before the one that ends the work are
            // all taken, and are finished: what is told is the first row.
            while !ended.load(Ordering::Relaxed) {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(values) = pieces.get(place) else { break };
                let results = self.piece(first + place * self.piece_len(), values);
                if results.ends.len() < values.len() || self.stops(&results) {
                    ended.store(true, Ordering::Relaxed);
                }
                *done[place].lock().unwrap_or_else(PoisonError::into_inner) = Some(results);
            }
        };
        let threads = self.threads(values).min(pieces.len());
        thread::scope(|scope| {
            for _ in 1..threads {
                // Where there is no other thread to be had, this one does it all.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        let mut all = Vec::with_capacity(done.len());
        for results in done {
            let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
            let Some(mut results) = results else { break };
            if self.stops(&results)
                && let Some(fault) = results.faults.pop()
            {
                return Err(fault);
            }
            all.push(results);
        }
        Ok(all)
    }

    /// Whether a fault of these ends the work: then it is the only one, or what came before it
    /// was only told.
    fn stops(&self, results: &Results) -> bool {
        let ends = |fault: &Fault| self.keep == Keep::First || !fault.of_value();
        results.faults.last().is_some_and(|(_, fault)| ends(fault))
    }

    fn piece_len(&self) -> usize {
        // A derivation takes as long as thousands of values.
        if self.codec.derives_each() { 8 } else { PIECE }
    }

    fn threads(&self, values: &[Option<&[u8]>]) -> usize {
        let bytes = || values.iter().flatten().map(|value| value.len() + 64).sum::<usize>();
        let many = self.codec.derives_each() || bytes() >= LEAST;
        if many { thread::available_parallelism().map_or(1, usize::from) } else { 1 }
    }
}
