//! Cells through the codecs of a command, many in one call.

use dialects::{Batch, Drawn, Error};
use zeroize::{Zeroize as _, Zeroizing};

use crate::args::Plain;
use crate::cells::Column;
use crate::failure::Failure;
use crate::plan::{Plan, Step};

/// The most cells that go together, and from how many bytes on no further one joins them: as many as
/// a [`Batch`] takes in a pass, so that what is under way stays in the cache.
const CELLS: usize = 256;
pub(crate) const BYTES: usize = 1 << 16;
/// The same where each cell has a key of its own, which takes a millisecond and more: a signal waits
/// until they are done.
const DERIVED: usize = 16;

/// Random bytes that were asked for a page at a time: asking the system for each IV takes longer
/// than encrypting under it.
struct Ahead {
    bytes: Zeroizing<Vec<u8>>,
    at: usize,
}

impl Ahead {
    const PAGE: usize = 4096;

    fn new() -> Self {
        Self { bytes: Zeroizing::new(vec![0; Self::PAGE]), at: Self::PAGE }
    }

    fn draw(&mut self, out: &mut [u8]) -> Result<(), Error> {
        if Self::PAGE - self.at < out.len() {
            let fault = |error: getrandom::Error| Error::Random(error.to_string());
            getrandom::fill(&mut self.bytes).map_err(fault)?;
            self.at = 0;
        }
        let drawn = &mut self.bytes[self.at..self.at + out.len()];
        out.copy_from_slice(drawn);
        drawn.zeroize();
        self.at += out.len();
        Ok(())
    }
}

/// Why a cell did not go well.
pub(crate) enum Fault {
    /// It is the cell's.
    Cell(String),
    /// It is the command's.
    All(Failure),
}

fn fault(error: Error) -> Fault {
    if error.of_value() {
        Fault::Cell(error.to_string())
    } else {
        Fault::All(Failure::dialect(&error))
    }
}

/// What became of a cell: the length of what was appended for it, none where that is NULL.
pub(crate) type Became = Result<Option<usize>, Fault>;

/// The codecs of a command for many cells, for one thread.
enum Codecs<'p> {
    Encrypt(Batch<'p>),
    Decrypt(Batch<'p>),
    Convert(Batch<'p>, Batch<'p>),
}

/// What works on cells, with a place for plaintexts on their way.
pub(crate) struct Worker<'p> {
    codecs: Codecs<'p>,
    plain: Plain,
    most: usize,
    ahead: Ahead,
    between: Zeroizing<Vec<u8>>,
}

/// A plaintext, if it is what it should be.
fn admitted(kind: Plain, plain: Result<Option<&[u8]>, Error>) -> Result<Option<&[u8]>, Fault> {
    let plain = plain.map_err(fault)?;
    if kind == Plain::Text && plain.is_some_and(|plain| std::str::from_utf8(plain).is_err()) {
        let reason = "what came out is not UTF-8: another key, mode or IV, or no text";
        return Err(Fault::Cell(reason.to_owned()));
    }
    Ok(plain)
}

/// Appends a value.
fn put(value: Option<&[u8]>, out: &mut Column) -> Became {
    let Some(value) = value else { return Ok(None) };
    match out.append(value) {
        true => Ok(Some(value.len())),
        false => Err(Fault::Cell("the values of this chunk exceed 2 GiB".to_owned())),
    }
}

impl<'p> Worker<'p> {
    /// Makes it.
    ///
    /// # Errors
    /// What the library says of the keys.
    pub(crate) fn new(plan: &'p Plan) -> Result<Self, Failure> {
        let batch = |codec: &'p dialects::Codec| {
            let most = if codec.derives_each() { DERIVED } else { CELLS };
            codec.batch().map(|batch| (batch, most)).map_err(|error| Failure::dialect(&error))
        };
        let (codecs, most) = match &plan.step {
            Step::Encrypt(to) => batch(to).map(|(to, most)| (Codecs::Encrypt(to), most))?,
            Step::Decrypt(from) => batch(from).map(|(from, most)| (Codecs::Decrypt(from), most))?,
            Step::Convert(from, to) => {
                let ((from, some), (to, more)) = (batch(from)?, batch(to)?);
                (Codecs::Convert(from, to), some.min(more))
            }
        };
        let between = Zeroizing::new(Vec::new());
        Ok(Self { codecs, plain: plan.plain, most, ahead: Ahead::new(), between })
    }

    /// How many cells are given at a time; fewer, where they have more than [`BYTES`].
    pub(crate) const fn most(&self) -> usize {
        self.most
    }

    /// Takes cells through. What comes out of them is appended to the column, one behind the other.
    pub(crate) fn cells(&mut self, cells: &[&[u8]], out: &mut Column) -> Vec<Became> {
        let Self { codecs, plain: kind, ahead, between, .. } = self;
        let kind = *kind;
        let mut draw = |_: Drawn, bytes: &mut [u8]| ahead.draw(bytes);
        let mut became: Vec<Became> = Vec::with_capacity(cells.len());
        match codecs {
            Codecs::Encrypt(to) => to.encrypt(cells, &mut draw, &mut |_, value| {
                became.push(value.map_err(fault).and_then(|value| put(value, out)));
            }),
            Codecs::Decrypt(from) => from.decrypt(cells, &mut |_, value| {
                became.push(admitted(kind, value).and_then(|value| put(value, out)));
            }),
            Codecs::Convert(from, to) => {
                // No plaintext is longer than what it is stored as.
                room(between, cells.iter().map(|it| it.len()).sum());
                from.decrypt(cells, &mut |_, value| {
                    became.push(admitted(kind, value).map(|value| {
                        value.map(|plain| {
                            between.extend_from_slice(plain);
                            plain.len()
                        })
                    }));
                });
                let mut rest = &between[..];
                let opened = became.iter().filter_map(|it| it.as_ref().ok().copied().flatten());
                let plains: Vec<&[u8]> = opened
                    .map(|len| {
                        let (plain, behind) = rest.split_at(len);
                        rest = behind;
                        plain
                    })
                    .collect();
                let mut opened = became.iter_mut().filter(|it| matches!(it, Ok(Some(_))));
                to.encrypt(&plains, &mut draw, &mut |_, value| {
                    if let Some(became) = opened.next() {
                        *became = value.map_err(fault).and_then(|value| put(value, out));
                    }
                });
            }
        }
        became
    }
}

/// Empties a vector and makes room; what grows leaves nothing secret where it was.
fn room(bytes: &mut Vec<u8>, room: usize) {
    if bytes.capacity() < room {
        bytes.zeroize();
        bytes.reserve(room);
    }
    bytes.clear();
}
