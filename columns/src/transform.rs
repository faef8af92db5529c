//! A chunk, cell by cell through its codecs.

use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, BooleanArray, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;
use dialects::{Codec, Drawn, Error, Outcome};
use zeroize::{Zeroize as _, Zeroizing};

use crate::args::{OnBad, Plain};
use crate::bad::BadCell;
use crate::cells::{Column, reader};
use crate::failure::{Exit, Failure};
use crate::input::Chunk;
use crate::plan::{Plan, Step};
use crate::stop;

/// What became of the cells of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Counts {
    /// Cells that are not NULL.
    pub(crate) cells: u64,
    /// Cells that are NULL, and stay so.
    pub(crate) nulls: u64,
    /// Cells that went well.
    pub(crate) good: u64,
    /// Of these, empty ones for which the engine has NULL.
    pub(crate) to_null: u64,
    /// Cells that did not.
    pub(crate) bad: u64,
}

impl Counts {
    /// Adds those of another chunk.
    pub(crate) fn add(&mut self, other: &Self) {
        self.cells += other.cells;
        self.nulls += other.nulls;
        self.good += other.good;
        self.to_null += other.to_null;
        self.bad += other.bad;
    }
}

/// A chunk after the work.
pub(crate) struct Done {
    pub(crate) batch: RecordBatch,
    /// Of each chosen column.
    pub(crate) counts: Vec<Counts>,
    /// By row, then by column.
    pub(crate) bad: Vec<BadCell>,
    /// Rows that were read.
    pub(crate) rows: u64,
}

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

/// What works on cells of one column, with a place for plaintexts on their way.
struct Worker<'p> {
    plan: &'p Plan,
    ahead: Ahead,
    between: Zeroizing<Vec<u8>>,
}

/// Why a cell did not go well.
enum Fault {
    /// It is the cell's.
    Cell(String),
    /// It is the command's.
    All(Failure),
}

fn fault(error: &Error) -> Fault {
    if error.of_value() {
        Fault::Cell(error.to_string())
    } else {
        Fault::All(Failure::dialect(error))
    }
}

impl Worker<'_> {
    fn encrypt(
        &mut self,
        codec: &Codec,
        plain: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<Outcome, Fault> {
        let mut draw = |_: Drawn, bytes: &mut [u8]| self.ahead.draw(bytes);
        codec.encrypt_with(plain, out, &mut draw).map_err(|error| fault(&error))
    }

    /// Whether a plaintext is what it should be.
    fn admit(&self, plain: &[u8]) -> Result<(), Fault> {
        if self.plan.plain == Plain::Binary {
            return Ok(());
        }
        std::str::from_utf8(plain).map(drop).map_err(|_| {
            Fault::Cell(
                "what came out is not UTF-8: another key, mode or IV, or no text".to_owned(),
            )
        })
    }

    fn cell(&mut self, cell: &[u8], column: &mut Column) -> Result<Outcome, Fault> {
        match &self.plan.step {
            Step::Encrypt(codec) => self.encrypt(codec, cell, &mut column.bytes),
            Step::Decrypt(codec) => {
                let outcome = codec.decrypt(cell, &mut column.bytes).map_err(|it| fault(&it))?;
                self.admit(column.open())?;
                Ok(outcome)
            }
            Step::Convert(from, to) => {
                let mut between = std::mem::take(&mut self.between);
                between.zeroize();
                between.reserve(2 * cell.len() + 64);
                let done = from.decrypt(cell, &mut between).map_err(|error| fault(&error));
                let done = done.and_then(|outcome| {
                    self.admit(&between)?;
                    match outcome {
                        Outcome::Null => Ok(Outcome::Null),
                        Outcome::Value => self.encrypt(to, &between, &mut column.bytes),
                    }
                });
                self.between = between;
                done
            }
        }
    }
}

/// Does the work on a chunk.
///
/// # Errors
/// What is wrong with more than a cell; with `--on-bad fail` the first cell.
pub(crate) fn apply(plan: &Plan, chunk: &Chunk) -> Result<Done, Failure> {
    let arrow = |error: ArrowError| {
        Failure::usage(format!("a chunk of rows can't be made: {error}"), "take --format parquet")
    };
    let rows = chunk.batch.num_rows();
    let mut arrays: Vec<ArrayRef> = chunk.batch.columns().to_vec();
    let mut worker = Worker { plan, ahead: Ahead::new(), between: Zeroizing::new(Vec::new()) };
    let (mut counts, mut bad) = (Vec::new(), Vec::new());
    for (order, (place, name)) in plan.columns.iter().enumerate() {
        let array = Arc::clone(&arrays[*place]);
        let cells = reader(array.as_ref()).ok_or_else(|| {
            Failure::usage(
                format!("column `{name}` is {}", array.data_type()),
                "allowed: text or bytes",
            )
        })?;
        let (mut total, mut longest) = (0, 0);
        for row in 0..rows {
            let len = cells(row).map_or(0, <[u8]>::len);
            (total, longest) = (total + len, longest.max(len));
        }
        // Enough for any coding and padding, so that nothing grows while it holds plaintexts.
        let room = match plan.step {
            Step::Decrypt(_) => total + longest + 64,
            Step::Encrypt(_) | Step::Convert(..) => 2 * total + 4 * longest + 100 * rows + 64,
        };
        let mut column = Column::new(rows, room, plan.text);
        let mut count = Counts::default();
        let mut odd = chunk.odd.iter().filter(|it| it.column == *place).peekable();
        for row in 0..rows {
            // A key that is derived for each value makes a chunk take minutes.
            stop::check()?;
            let (cell, told) = match odd.next_if(|it| it.row == row) {
                Some(odd) => (Some(odd.cell.as_slice()), Some(odd.reason)),
                None => (cells(row), None),
            };
            let Some(cell) = cell else {
                count.nulls += 1;
                column.null();
                continue;
            };
            count.cells += 1;
            let done = match told {
                Some(reason) => Err(Fault::Cell(reason.to_owned())),
                None => worker.cell(cell, &mut column),
            };
            let reason = match done {
                Ok(Outcome::Value) if column.value() => {
                    count.good += 1;
                    continue;
                }
                Ok(Outcome::Value) => "the values of this chunk exceed 2 GiB".to_owned(),
                Ok(Outcome::Null) => {
                    count.good += 1;
                    count.to_null += 1;
                    column.null();
                    continue;
                }
                Err(Fault::Cell(reason)) => reason,
                Err(Fault::All(failure)) => return Err(failure),
            };
            column.null();
            count.bad += 1;
            let number = chunk.first + row as u64;
            if plan.on_bad == OnBad::Fail {
                let error = format!("row {number}, column `{name}`: {reason}");
                let help = "nothing was written; --on-bad null or drop keeps such rows apart";
                return Err(Failure::new(Exit::Failed, error, help));
            }
            bad.push(BadCell { row: number, file: chunk.file, order, reason, cell: cell.to_vec() });
        }
        arrays[*place] = column.array().map_err(arrow)?;
        counts.push(count);
    }
    for place in &plan.unpack {
        let kind = plan.schema.field(*place).data_type();
        arrays[*place] = arrow_cast::cast(&arrays[*place], kind).map_err(arrow)?;
    }
    bad.sort_by_key(|cell| (cell.row, cell.order));
    let mut batch = RecordBatch::try_new(Arc::clone(&plan.schema), arrays).map_err(arrow)?;
    if plan.on_bad == OnBad::Drop && !bad.is_empty() {
        let mut keep = vec![true; rows];
        for cell in &bad {
            keep[usize::try_from(cell.row - chunk.first).unwrap_or(0)] = false;
        }
        batch = filter_record_batch(&batch, &BooleanArray::from(keep)).map_err(arrow)?;
    }
    Ok(Done { batch, counts, bad, rows: rows as u64 })
}
