//! Many messages in one call, as arrays of data and offsets.

use std::sync::Mutex;

use cipherlane::batch::{Job, ReadyBatch};
use cipherlane::registry::Kind;
use cipherlane::{Error, InOut, Level};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;

use crate::buffers::{Input, Integers, Output, Pair, work};
use crate::failures::{hold, raise, raise_error};

/// One operation on many messages at once, under keys that are set up when it is made.
#[pyclass(frozen, module = "cipherlane")]
pub(crate) struct Batch {
    pub(crate) ready: Mutex<Box<dyn ReadyBatch>>,
    pub(crate) kind: Kind,
    keys: usize,
    tag_length: usize,
}

/// The ranges between offsets.
pub(crate) struct Ranges<'a> {
    pub(crate) offsets: Integers<'a>,
    pub(crate) what: &'static str,
}

impl Ranges<'_> {
    /// The bytes of the value at a place.
    pub(crate) fn slice<'d>(&self, data: &'d [u8], place: usize) -> PyResult<&'d [u8]> {
        let (from, to) = (self.offsets.at(place), self.offsets.at(place + 1));
        let range = from.zip(to).and_then(|(from, to)| data.get(from..to));
        range.ok_or_else(|| self.wrong(place))
    }

    /// How many bytes the message at a place has. Offsets must not fall, and stay inside.
    fn length(&self, place: usize) -> PyResult<usize> {
        let (from, to) = (self.offsets.at(place), self.offsets.at(place + 1));
        match (from, to) {
            (Some(from), Some(to)) if from <= to => Ok(to - from),
            _ => Err(self.wrong(place)),
        }
    }

    fn wrong(&self, place: usize) -> PyErr {
        let what = self.what;
        let text = format!("{what}: entry {place} or the next is no offset into the data");
        PyValueError::new_err(text)
    }

    /// Where the first message begins, where that is inside so many bytes, as is the last's end.
    fn start(&self, bytes: usize) -> PyResult<usize> {
        let last = self.offsets.len() - 1;
        let end = self.offsets.at(last).filter(|&end| end <= bytes);
        end.ok_or_else(|| self.wrong(last))?;
        self.offsets.at(0).filter(|&start| start <= bytes).ok_or_else(|| self.wrong(0))
    }
}

/// So many equal pieces of an array; `None` if it can't be cut so.
pub(crate) fn each(array: usize, count: usize, what: &str) -> PyResult<usize> {
    if count == 0 || !array.is_multiple_of(count) {
        let text = format!("{what} of {array} bytes; allowed: as many bytes for each of {count}");
        return if array == 0 { Ok(0) } else { Err(PyValueError::new_err(text)) };
    }
    Ok(array / count)
}

/// The next bytes of a slice that is used up piece by piece.
fn next<'d>(rest: &mut &'d [u8], length: usize) -> Option<&'d [u8]> {
    rest.split_off(..length)
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (algorithm, operation, keys, *, tag_length = None))]
    fn new(
        algorithm: &str,
        operation: &str,
        keys: Vec<Bound<'_, PyAny>>,
        tag_length: Option<usize>,
    ) -> PyResult<Self> {
        let mut batch = objects::batch(algorithm, operation).map_err(|failure| raise(&failure))?;
        if let Some(bytes) = tag_length {
            batch = batch.with_tag_len(bytes).map_err(raise_error)?;
        }
        let inputs =
            keys.iter().map(PyAnyMethods::extract).collect::<PyResult<Vec<Input<'_, '_>>>>()?;
        let keys: Vec<&[u8]> = inputs.iter().map(Input::bytes).collect();
        let level = Level::detect().map_err(|error| raise(&error.into()))?;
        let ready = batch.ready(&keys, level).map_err(raise_error)?;
        let (kind, keys, tag_length) = (batch.kind, keys.len(), batch.tag_len());
        Ok(Self { ready: Mutex::new(ready), kind, keys, tag_length })
    }

    /// The length of its tags in bytes; 0 where there are none.
    #[getter]
    fn tag_length(&self) -> usize {
        self.tag_length
    }

    /// How many keys there are.
    fn __len__(&self) -> usize {
        self.keys
    }

    /// Processes messages that lie one behind the other in `data`, between the `offsets`;
    /// writes to the same offsets of `out`, or in place. Returns the numbers of the messages
    /// whose tag is wrong; their output is zeros.
    #[pyo3(signature = (
        data, offsets, *, ivs = None, out = None, key_indices = None, aad = None,
        aad_offsets = None, tags = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn apply(
        &self,
        py: Python<'_>,
        data: Bound<'_, PyAny>,
        offsets: Input<'_, '_>,
        ivs: Option<Input<'_, '_>>,
        out: Option<Output>,
        key_indices: Option<Input<'_, '_>>,
        aad: Option<Input<'_, '_>>,
        aad_offsets: Option<Input<'_, '_>>,
        tags: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<usize>> {
        let input: Input<'_, '_> = data.extract()?;
        let ranges = Ranges { offsets: offsets.integers("offsets")?, what: "offsets" };
        let count = ranges.offsets.len().checked_sub(1);
        let count = count.ok_or_else(|| PyValueError::new_err("offsets: allowed: one or more"))?;
        let start = ranges.start(input.bytes().len())?;

        // All that is read must be apart from all that is written.
        let mut read = vec![&offsets];
        read.extend(ivs.iter().chain(&key_indices).chain(&aad).chain(&aad_offsets));
        let mut out = match (out, self.kind) {
            (Some(_), Kind::Mac) => {
                return Err(PyValueError::new_err("out is given; allowed: none for a MAC"));
            }
            (None, Kind::Mac) => None,
            (Some(out), _) => Some(out),
            (None, _) => Some(data.extract::<Output>()?),
        };
        let mut made = match &tags {
            Some(tags) if self.kind != Kind::Open => Some(tags.extract::<Output>()?),
            _ => None,
        };
        if let (Some(out), Some(tags)) = (&out, &made) {
            out.check_apart(tags)?;
        }
        let mut io = match &mut out {
            None => InOut::from(&mut [][..]),
            Some(out) => match out.with(&input, &read)? {
                Pair::Apart(input, output) => {
                    let (got, needed) = (output.len(), input.len());
                    InOut::disjoint(input, output)
                        .ok_or_else(|| raise_error(Error::OutputLength { got, needed }))?
                }
                Pair::Same(length, output) => (&mut output[..length]).into(),
            },
        };
        let mut messages = &input.bytes()[start..];
        if self.kind != Kind::Mac {
            messages = &[];
            io = io.split_at(start).1;
        }
        // Tags that are only compared may be read-only: they are copied.
        let mut expected = match &tags {
            Some(tags) if self.kind == Kind::Open => {
                tags.extract::<Input<'_, '_>>()?.bytes().to_vec()
            }
            _ => Vec::new(),
        };
        let mut tag_bytes = match &mut made {
            None => &mut expected[..],
            Some(tags) => {
                read.push(&input);
                tags.apart(&read)?
            }
        };

        let iv_bytes = ivs.as_ref().map_or(&[][..], Input::bytes);
        let iv_length = each(iv_bytes.len(), count, "ivs")?;
        let tag_length = each(tag_bytes.len(), count, "tags")?;
        let indices = key_indices.as_ref().map(|it| it.integers("key_indices")).transpose()?;
        if indices.is_some_and(|indices| indices.len() != count) {
            let text = format!("key_indices: allowed: {count}, one for each message");
            return Err(PyValueError::new_err(text));
        }
        let mut aad_bytes = aad.as_ref().map_or(&[][..], Input::bytes);
        let aad_ranges = match &aad_offsets {
            None => None,
            Some(offsets) => {
                let ranges =
                    Ranges { offsets: offsets.integers("aad_offsets")?, what: "aad_offsets" };
                if ranges.offsets.len() != count + 1 {
                    let text =
                        format!("aad_offsets: allowed: {}, one more than messages", count + 1);
                    return Err(PyValueError::new_err(text));
                }
                aad_bytes = &aad_bytes[ranges.start(aad_bytes.len())?..];
                Some(ranges)
            }
        };
        let shared_aad = aad_bytes;

        let mut jobs = Vec::with_capacity(count);
        for place in 0..count {
            let length = ranges.length(place)?;
            let key = match indices {
                None if self.keys == 1 => 0,
                None => {
                    let text = "key_indices: allowed: one for each message, with several keys";
                    return Err(PyValueError::new_err(text));
                }
                Some(indices) => {
                    indices.at(place).filter(|&key| key < self.keys).ok_or_else(|| {
                        PyIndexError::new_err(format!("key_indices: entry {place} is no key"))
                    })?
                }
            };
            let wrong = || ranges.wrong(place);
            let message;
            let (aad, piece) = if self.kind == Kind::Mac {
                message = next(&mut messages, length).ok_or_else(wrong)?;
                (message, InOut::from(&mut [][..]))
            } else {
                if length > io.len() {
                    return Err(wrong());
                }
                let (head, rest) = io.split_at(length);
                io = rest;
                let aad = match &aad_ranges {
                    None => shared_aad,
                    Some(ranges) => {
                        let aad = next(&mut aad_bytes, ranges.length(place)?);
                        aad.ok_or_else(|| ranges.wrong(place))?
                    }
                };
                (aad, head)
            };
            let iv = &iv_bytes[place * iv_length..][..iv_length];
            let tag = tag_bytes.split_off_mut(..tag_length).expect("each has as many");
            jobs.push(Job { key, iv, aad, io: piece, tag, failed: false });
        }
        let mut ready = hold(&self.ready)?;
        let (ready, work_jobs) = (&mut *ready, &mut jobs);
        match work(py, usize::MAX, || ready.apply(work_jobs)) {
            Ok(()) => Ok(Vec::new()),
            Err(Error::Authentication) => {
                let failed = jobs.iter().enumerate().filter(|(_, job)| job.failed);
                Ok(failed.map(|(place, _)| place).collect())
            }
            Err(error) => Err(raise_error(error)),
        }
    }
}
