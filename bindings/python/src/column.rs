//! Columns of values: each is IV, ciphertext and tag one behind the other, as databases keep
//! them; read where they lie and written to one buffer.

use cipherlane::batch::Job;
use cipherlane::modes::Padding;
use cipherlane::registry::Kind;
use cipherlane::{Error, InOut};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::batch::{Batch, Ranges, each};
use crate::buffers::{Input, Output, work};
use crate::failures::{hold, raise_error};

/// Values that go into one call: their jobs and data stay in the cache.
const GROUP: usize = 1024;

/// What a column is and where.
struct Column<'a> {
    data: &'a [u8],
    ranges: Ranges<'a>,
    /// A bit for each value that is there, from this bit on; none if all are.
    valid: Option<(&'a [u8], usize)>,
    aad: Aad<'a>,
}

/// Associated data: one for all, or a column.
enum Aad<'a> {
    Same(&'a [u8]),
    Each(&'a [u8], Ranges<'a>),
}

impl<'a> Column<'a> {
    fn len(&self) -> usize {
        self.ranges.offsets.len() - 1
    }

    /// The value at a place; none if it is null.
    fn value(&self, place: usize) -> PyResult<Option<&'a [u8]>> {
        if let Some((bits, first)) = self.valid {
            let bit = first + place;
            let byte = bits
                .get(bit / 8)
                .ok_or_else(|| PyValueError::new_err("validity: allowed: a bit for each value"))?;
            if byte >> (bit % 8) & 1 == 0 {
                return Ok(None);
            }
        }
        self.ranges.slice(self.data, place).map(Some)
    }

    fn aad(&self, place: usize) -> PyResult<&'a [u8]> {
        match &self.aad {
            Aad::Same(bytes) => Ok(bytes),
            Aad::Each(bytes, ranges) => ranges.slice(bytes, place),
        }
    }
}

/// The arguments that both directions have in common.
struct Given<'a, 'py> {
    data: Input<'a, 'py>,
    offsets: Input<'a, 'py>,
    validity: Option<Input<'a, 'py>>,
    first: usize,
    aad: Option<Input<'a, 'py>>,
    aad_offsets: Option<Input<'a, 'py>>,
}

impl Given<'_, '_> {
    fn column(&self) -> PyResult<Column<'_>> {
        let offsets = self.offsets.integers("offsets")?;
        if offsets.len() == 0 {
            return Err(PyValueError::new_err("offsets: allowed: one or more"));
        }
        let aad = self.aad.as_ref().map_or(&[][..], Input::bytes);
        let aad = match &self.aad_offsets {
            None => Aad::Same(aad),
            Some(each) => {
                let own = each.integers("aad_offsets")?;
                if own.len() != offsets.len() {
                    let text = format!("aad_offsets: allowed: {}", offsets.len());
                    return Err(PyValueError::new_err(text));
                }
                Aad::Each(aad, Ranges { offsets: own, what: "aad_offsets" })
            }
        };
        Ok(Column {
            data: self.data.bytes(),
            ranges: Ranges { offsets, what: "offsets" },
            valid: self.validity.as_ref().map(|bits| (bits.bytes(), self.first)),
            aad,
        })
    }

    /// All that is read, for comparing with what is written.
    fn read(&self) -> Vec<&Input<'_, '_>> {
        let optional = self.validity.iter().chain(&self.aad).chain(&self.aad_offsets);
        [&self.data, &self.offsets].into_iter().chain(optional).collect()
    }
}

/// Where the offsets of the values go that come out, as wide as the buffer is.
struct Offsets<'o> {
    bytes: &'o mut [u8],
    width: usize,
}

impl<'o> Offsets<'o> {
    fn new(bytes: &'o mut [u8], count: usize) -> PyResult<Self> {
        let width = bytes.len() / (count + 1);
        if ![4, 8].contains(&width) || bytes.len() != width * (count + 1) {
            let text = format!("out_offsets: allowed: {} integers of 4 or 8 bytes", count + 1);
            return Err(PyValueError::new_err(text));
        }
        Ok(Self { bytes, width })
    }

    fn put(&mut self, place: usize, offset: usize) -> PyResult<()> {
        let wide = || PyValueError::new_err("out_offsets: allowed: 8-byte integers for so much");
        let to = &mut self.bytes[place * self.width..][..self.width];
        if self.width == 4 {
            to.copy_from_slice(&i32::try_from(offset).map_err(|_| wide())?.to_ne_bytes());
        } else {
            to.copy_from_slice(&i64::try_from(offset).map_err(|_| wide())?.to_ne_bytes());
        }
        Ok(())
    }
}

fn short(got: usize, needed: usize) -> PyErr {
    raise_error(Error::OutputLength { got, needed })
}

/// Encrypts every value and writes it behind its IV, and its tag behind it. With `block`, the
/// values are filled up to whole blocks (PKCS#7). Returns how many bytes were written.
#[pyfunction]
#[pyo3(signature = (
    batch, data, offsets, validity, first, aad, aad_offsets, ivs, out, out_offsets, tag_length,
    block = None
))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python")]
pub(crate) fn pack_column(
    py: Python<'_>,
    batch: &Batch,
    data: Input<'_, '_>,
    offsets: Input<'_, '_>,
    validity: Option<Input<'_, '_>>,
    first: usize,
    aad: Option<Input<'_, '_>>,
    aad_offsets: Option<Input<'_, '_>>,
    ivs: Input<'_, '_>,
    mut out: Output,
    mut out_offsets: Output,
    tag_length: usize,
    block: Option<usize>,
) -> PyResult<usize> {
    let given = Given { data, offsets, validity, first, aad, aad_offsets };
    let (column, mut read) = (given.column()?, given.read());
    read.push(&ivs);
    out.check_apart(&out_offsets)?;
    let count = column.len();
    let (mut rest, mut ends) = (out.apart(&read)?, Offsets::new(out_offsets.apart(&read)?, count)?);
    let room = rest.len();
    let ivs = ivs.bytes();
    let iv_length = each(ivs.len(), count, "ivs")?;
    let mut written = 0;
    ends.put(0, 0)?;
    let mut ready = hold(&batch.ready)?;
    for first in (0..count).step_by(GROUP) {
        let mut jobs = Vec::with_capacity(GROUP);
        for place in first..count.min(first + GROUP) {
            let Some(value) = column.value(place)? else {
                ends.put(place + 1, written)?;
                continue;
            };
            let filler = block.map_or(0, |block| block - value.len() % block);
            let needed = iv_length + value.len() + filler + tag_length;
            let mut piece = rest.split_off_mut(..needed).ok_or_else(|| short(room, written))?;
            written += needed;
            ends.put(place + 1, written)?;
            let iv = &ivs[place * iv_length..][..iv_length];
            let front = piece.split_off_mut(..iv_length).expect("so long");
            front.copy_from_slice(iv);
            let body = piece.split_off_mut(..value.len() + filler).expect("so long");
            let io = if filler == 0 {
                InOut::disjoint(value, body).expect("equally long")
            } else {
                let (text, end) = body.split_at_mut(value.len());
                text.copy_from_slice(value);
                end.fill(u8::try_from(filler).expect("blocks of up to 16 bytes"));
                body.into()
            };
            let aad = column.aad(place)?;
            jobs.push(Job { key: 0, iv, aad, io, tag: piece, failed: false });
        }
        let (ready, jobs) = (&mut *ready, &mut jobs);
        work(py, usize::MAX, || ready.apply(jobs)).map_err(raise_error)?;
    }
    Ok(written)
}

/// Decrypts values that [`pack_column`] made. Returns how many bytes were written, and the
/// places of the values that are too short, or whose tag or padding is wrong: they are empty.
#[pyfunction]
#[pyo3(signature = (
    batch, data, offsets, validity, first, aad, aad_offsets, out, out_offsets, iv_length, tag_length,
    block = None
))]
#[expect(clippy::too_many_arguments, reason = "arguments of Python")]
pub(crate) fn unpack_column(
    py: Python<'_>,
    batch: &Batch,
    data: Input<'_, '_>,
    offsets: Input<'_, '_>,
    validity: Option<Input<'_, '_>>,
    first: usize,
    aad: Option<Input<'_, '_>>,
    aad_offsets: Option<Input<'_, '_>>,
    mut out: Output,
    mut out_offsets: Output,
    iv_length: usize,
    tag_length: usize,
    block: Option<usize>,
) -> PyResult<(usize, Vec<usize>)> {
    let given = Given { data, offsets, validity, first, aad, aad_offsets };
    let (column, read) = (given.column()?, given.read());
    out.check_apart(&out_offsets)?;
    let count = column.len();
    let (all, mut ends) = (out.apart(&read)?, Offsets::new(out_offsets.apart(&read)?, count)?);
    let room = all.len();
    let mut written = 0;
    let mut wrong = Vec::new();
    ends.put(0, 0)?;
    let mut ready = hold(&batch.ready)?;
    for first in (0..count).step_by(GROUP) {
        let places = first..count.min(first + GROUP);
        let mut tags = vec![0; tag_length * places.len()];
        let mut free_tags = &mut tags[..];
        let mut rest = &mut all[written..];
        let mut jobs = Vec::with_capacity(GROUP);
        // The place of every job, and how long its value is.
        let mut of_jobs = Vec::with_capacity(GROUP);
        for place in places.clone() {
            let Some(value) = column.value(place)? else { continue };
            let body = value.len().checked_sub(iv_length + tag_length);
            let whole = |len: &usize| block.is_none_or(|it| *len > 0 && len.is_multiple_of(it));
            let Some(body) = body.filter(whole) else {
                wrong.push(place);
                continue;
            };
            let (iv, value) = value.split_at(iv_length);
            let (text, tag) = value.split_at(body);
            let to = rest.split_off_mut(..body).ok_or_else(|| short(room, written + body))?;
            let own = free_tags.split_off_mut(..tag_length).expect("one for each");
            own.copy_from_slice(tag);
            let io = InOut::disjoint(text, to).expect("equally long");
            let aad = column.aad(place)?;
            jobs.push(Job { key: 0, iv, aad, io, tag: own, failed: false });
            of_jobs.push((place, body, false));
        }
        {
            let (ready, jobs) = (&mut *ready, &mut jobs);
            match work(py, usize::MAX, || ready.apply(jobs)) {
                Ok(()) | Err(Error::Authentication) => {}
                Err(error) => return Err(raise_error(error)),
            }
        }
        for (job, of_job) in jobs.iter().zip(&mut of_jobs) {
            of_job.2 = batch.kind == Kind::Open && job.failed;
        }
        drop(jobs);
        // What padding and wrong values leave free is closed.
        let mut from = written;
        let mut next = places.start;
        for (place, body, failed) in of_jobs {
            let text = &mut all[from..from + body];
            let kept =
                if failed { None } else { block.map_or(Some(body), |it| unpadded(text, it)) };
            if kept.is_none() {
                text.fill(0);
                wrong.push(place);
            }
            let kept = kept.unwrap_or(0);
            if from != written {
                all.copy_within(from..from + kept, written);
            }
            for gap in next..place {
                ends.put(gap + 1, written)?;
            }
            (next, from, written) = (place + 1, from + body, written + kept);
            ends.put(place + 1, written)?;
        }
        for gap in next..places.end {
            ends.put(gap + 1, written)?;
        }
    }
    wrong.sort_unstable();
    Ok((written, wrong))
}

/// The length of a value of whole blocks without its PKCS#7 padding; none if that is wrong.
fn unpadded(text: &[u8], block: usize) -> Option<usize> {
    let before = text.len().checked_sub(block)?;
    Padding::Pkcs7.unpad(&text[before..]).map(|kept| before + kept)
}
