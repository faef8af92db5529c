//! `DialectCodec`: values of one dialect under one key: one, a list, a column.

use dialects::{Codec, Coding, Error, Flaw, Form, Hash, Outcome, Settings};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString};
use zeroize::Zeroizing;

use super::failures::raise;
use super::rows::{Ahead, Keep, Order, Results};
use crate::batch::Ranges;
use crate::buffers::{Input, work};

/// Values between which the interpreter may take a signal.
const BLOCK: usize = 1 << 18;

/// Rows with what is wrong: its short name and a line.
type Faults = Vec<(usize, &'static str, String)>;

/// What `column` returns: data, offsets and how wide they are, validity, faults.
type Column<'py> =
    (Bound<'py, PyBytes>, Bound<'py, PyBytes>, usize, Option<Bound<'py, PyBytes>>, Faults);

/// A dialect under a key. Threads may share it. It can't be pickled: it holds the key.
#[pyclass(frozen, module = "cipherlane")]
pub(crate) struct DialectCodec(Codec);

/// Flaws by a name for programs and in words.
pub(super) fn flaws(flaws: &[Flaw]) -> Vec<(&'static str, String)> {
    flaws.iter().map(|flaw| (flaw.name(), flaw.to_string())).collect()
}

/// The one of that name, or what is allowed.
fn named<T>(
    py: Python<'_>,
    dialect: &'static str,
    field: &'static str,
    name: Option<&str>,
    find: impl Fn(&str) -> Option<T>,
    allowed: String,
) -> PyResult<Option<T>> {
    let Some(name) = name else { return Ok(None) };
    let got = name.to_owned();
    let missing = || raise(py, &Error::Setting { dialect, field, got, allowed }, None);
    find(name).ok_or_else(missing).map(Some)
}

/// What a value is given as.
enum Value<'a, 'py> {
    Null,
    Text(&'a str),
    Data(Input<'a, 'py>),
}

impl<'a, 'py> Value<'a, 'py> {
    fn of(object: &'a Bound<'py, PyAny>, row: usize) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self::Null);
        }
        if let Ok(text) = object.cast::<PyString>() {
            return text.to_str().map(Self::Text);
        }
        let refused = || {
            let kind = object.get_type().name();
            let kind = kind.map_or_else(|_| "something".to_owned(), |it| it.to_string());
            let text = format!("row {row} is {kind}; allowed: bytes, str, or None for NULL");
            PyTypeError::new_err(text)
        };
        match object.extract() {
            // Numbers, and arrays of objects, which are addresses.
            Ok(Input::Buffer(buffer)) if buffer.item_size() != 1 => Err(refused()),
            Ok(input) => Ok(Self::Data(input)),
            Err(error) if error.is_instance_of::<PyTypeError>(object.py()) => Err(refused()),
            Err(error) => Err(error),
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Null => None,
            Self::Text(text) => Some(text.as_bytes()),
            Self::Data(input) => Some(input.bytes()),
        }
    }
}

impl DialectCodec {
    fn order(&self, decrypts: bool, text: bool, keep: Keep) -> Order<'_> {
        Order { codec: &self.0, decrypts, text, keep }
    }

    /// A result as Python has it.
    fn object<'py>(
        &self,
        py: Python<'py>,
        bytes: &[u8],
        order: &Order<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let text = if order.decrypts { order.text } else { self.0.coding() != Coding::Raw };
        if text {
            // That it is one was checked where it came out.
            let text = std::str::from_utf8(bytes)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            return Ok(PyString::new(py, text).into_any());
        }
        Ok(PyBytes::new(py, bytes).into_any())
    }

    /// The results of values, in blocks between which signals are taken.
    fn all<'v>(
        &self,
        py: Python<'_>,
        count: usize,
        value: impl Fn(usize) -> PyResult<Option<&'v [u8]>>,
        order: Order<'_>,
    ) -> PyResult<Vec<Results>> {
        let mut all = Vec::new();
        for first in (0..count).step_by(BLOCK) {
            py.check_signals()?;
            let rows = first..count.min(first + BLOCK);
            let values = rows.map(&value).collect::<PyResult<Vec<_>>>()?;
            let bytes = values.iter().flatten().map(|value| value.len()).sum::<usize>();
            let cost = if self.0.derives_each() { usize::MAX } else { bytes };
            let done = work(py, cost, || order.run(first, &values));
            all.append(&mut done.map_err(|(row, fault)| fault.raise(py, Some(row)))?);
        }
        Ok(all)
    }
}

fn faults(all: &[Results]) -> Faults {
    let each = all.iter().flat_map(|results| &results.faults);
    each.map(|(row, fault)| fault.told(*row)).collect()
}

#[pymethods]
impl DialectCodec {
    #[new]
    #[pyo3(signature = (
        dialect, key, *, key_form = None, mode = None, iv = None, iv_form = None, digest = None,
        aad = None, coding = None
    ))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        py: Python<'_>,
        dialect: &str,
        key: Input<'_, '_>,
        key_form: Option<&str>,
        mode: Option<&str>,
        iv: Option<Input<'_, '_>>,
        iv_form: Option<&str>,
        digest: Option<&str>,
        aad: Option<Input<'_, '_>>,
        coding: Option<&str>,
    ) -> PyResult<Self> {
        let dialect = dialects::find(dialect).map_err(|error| raise(py, &error, None))?;
        let name = dialect.name();
        let form = |field, given: Option<&str>| {
            let forms = [Form::Text, Form::Hex, Form::Base64, Form::Bytes];
            let find = |name: &str| forms.into_iter().find(|it| it.name() == name);
            named(py, name, field, given, find, forms.map(Form::name).join(", "))
        };
        let codings = || dialect.codings().iter().map(|it| it.name()).collect::<Vec<_>>();
        let settings = Settings {
            key_form: form("key form", key_form)?,
            mode,
            iv: iv.as_ref().map(Input::bytes),
            iv_form: form("IV form", iv_form)?,
            hash: named(
                py,
                name,
                "digest",
                digest,
                Hash::named,
                Hash::ALL.map(Hash::name).join(", "),
            )?,
            aad: aad.as_ref().map_or(&[][..], Input::bytes),
            coding: named(py, name, "coding", coding, Coding::named, codings().join(", "))?,
            ..Settings::new(key.bytes())
        };
        dialect.prepare(&settings).map(Self).map_err(|error| raise(py, &error, None))
    }

    /// The engine's name of the mode.
    #[getter]
    fn mode(&self) -> &'static str {
        self.0.mode().name()
    }

    /// The cipher that the key has chosen, by the registry's name.
    #[getter]
    fn cipher(&self) -> &'static str {
        self.0.cipher()
    }

    /// How stored values are coded.
    #[getter]
    fn coding(&self) -> &'static str {
        self.0.coding().name()
    }

    /// Whether a changed value is refused by its tag or MAC.
    #[getter]
    fn authenticates(&self) -> bool {
        self.0.authenticates()
    }

    /// What these values lack: names and words.
    #[getter]
    fn flaws(&self) -> Vec<(&'static str, String)> {
        flaws(self.0.flaws())
    }

    /// One value; none for NULL.
    fn value<'py>(
        &self,
        py: Python<'py>,
        value: &Bound<'py, PyAny>,
        decrypts: bool,
        text: bool,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let value = Value::of(value, 0)?;
        let Some(value) = value.bytes() else { return Ok(None) };
        let order = self.order(decrypts, text, Keep::First);
        let mut out = Zeroizing::new(Vec::with_capacity(order.room(&[Some(value)])));
        let cost = if self.0.derives_each() { usize::MAX } else { value.len() };
        let outcome = work(py, cost, || order.one(value, &mut Ahead::for_values(1), &mut out));
        match outcome.map_err(|fault| fault.raise(py, None))? {
            Outcome::Value => self.object(py, &out, &order).map(Some),
            Outcome::Null => Ok(None),
        }
    }

    /// A list of values, on all threads: a list of results, and what is wrong with which.
    fn values<'py>(
        &self,
        py: Python<'py>,
        values: Vec<Bound<'py, PyAny>>,
        decrypts: bool,
        text: bool,
        errors: &str,
    ) -> PyResult<(Bound<'py, PyList>, Faults)> {
        let order = self.order(decrypts, text, Keep::named(errors)?);
        let given = values.iter().enumerate().map(|(row, value)| Value::of(value, row));
        let given = given.collect::<PyResult<Vec<_>>>()?;
        let all = self.all(py, given.len(), |row| Ok(given[row].bytes()), order)?;
        let list = PyList::empty(py);
        for results in &all {
            let mut start = 0;
            for (end, valid) in results.ends.iter().zip(&results.valid) {
                let bytes = &results.data[start..*end];
                start = *end;
                let object = valid.then(|| self.object(py, bytes, &order)).transpose()?;
                list.append(object)?;
            }
        }
        Ok((list, faults(&all)))
    }

    /// A column as Arrow has it, read where it lies, on all threads.
    #[pyo3(signature = (data, offsets, validity, first, decrypts, text, errors))]
    #[expect(clippy::too_many_arguments, reason = "arguments of Python")]
    fn column<'py>(
        &self,
        py: Python<'py>,
        data: Input<'_, '_>,
        offsets: Input<'_, '_>,
        validity: Option<Input<'_, '_>>,
        first: usize,
        decrypts: bool,
        text: bool,
        errors: &str,
    ) -> PyResult<Column<'py>> {
        let order = self.order(decrypts, text, Keep::named(errors)?);
        let ranges = Ranges { offsets: offsets.integers("offsets")?, what: "offsets" };
        let count = ranges.offsets.len().checked_sub(1);
        let count = count.ok_or_else(|| PyValueError::new_err("offsets: allowed: one or more"))?;
        let bits = validity.as_ref().map(Input::bytes);
        let there = |row: usize| {
            let Some(bits) = bits else { return Ok(true) };
            let bit = first + row;
            let byte = bits.get(bit / 8);
            let missing = || PyValueError::new_err("validity: allowed: a bit for each value");
            byte.map(|byte| byte >> (bit % 8) & 1 == 1).ok_or_else(missing)
        };
        let data = data.bytes();
        let value = |row: usize| {
            let there = there(row)?;
            there.then(|| ranges.slice(data, row)).transpose()
        };
        let all = self.all(py, count, value, order)?;
        let total: usize = all.iter().map(|results| results.data.len()).sum();
        let width = if i32::try_from(total).is_ok() { 4 } else { 8 };
        let joined = PyBytes::new_with(py, total, |out| {
            let mut start = 0;
            for results in &all {
                let end = start + results.data.len();
                out[start..end].copy_from_slice(&results.data);
                start = end;
            }
            Ok(())
        })?;
        let offsets = PyBytes::new_with(py, width * (count + 1), |out| {
            let (mut before, mut row) = (0, 1);
            for results in &all {
                for end in &results.ends {
                    let offset = ((before + end) as u64).to_ne_bytes();
                    let narrow = ((before + end) as u32).to_ne_bytes();
                    let to = &mut out[row * width..][..width];
                    to.copy_from_slice(if width == 8 { &offset } else { &narrow });
                    row += 1;
                }
                before += results.data.len();
            }
            Ok(())
        })?;
        let valid = || all.iter().flat_map(|results| &results.valid);
        let validity = if valid().all(|valid| *valid) {
            None
        } else {
            Some(PyBytes::new_with(py, count.div_ceil(8), |out| {
                let bits = valid().enumerate();
                bits.for_each(|(row, valid)| out[row / 8] |= u8::from(*valid) << (row % 8));
                Ok(())
            })?)
        };
        Ok((joined, offsets, width, validity, faults(&all)))
    }
}
