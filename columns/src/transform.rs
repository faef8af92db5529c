//! A chunk, its cells by the hundred through their codecs.

use std::sync::Arc;

use arrow_array::{Array as _, ArrayRef, BooleanArray, RecordBatch};
use arrow_schema::ArrowError;
use arrow_select::filter::filter_record_batch;

use crate::args::OnBad;
use crate::bad::BadCell;
use crate::cells::{Column, reader};
use crate::failure::{Exit, Failure};
use crate::input::{Chunk, Odd};
use crate::plan::{Plan, Step};
use crate::stop;
use crate::times;
use crate::worker::{BYTES, Fault, Worker};

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

/// A cell that is given to the worker, or not.
enum Given<'c> {
    Null,
    /// What no such cell can hold.
    Odd(&'c Odd),
    Cell(&'c [u8]),
}

/// What does not go into an array.
fn arrow(error: &ArrowError) -> Failure {
    Failure::usage(format!("a chunk of rows can't be made: {error}"), "take --format parquet")
}

/// Does the work on a chunk.
///
/// # Errors
/// What is wrong with more than a cell; with `--on-bad fail` the first cell.
pub(crate) fn apply(plan: &Plan, chunk: &Chunk) -> Result<Done, Failure> {
    let rows = chunk.batch.num_rows();
    let mut arrays: Vec<ArrayRef> = chunk.batch.columns().to_vec();
    let mut worker = Worker::new(plan)?;
    let (mut counts, mut bad) = (Vec::new(), Vec::new());
    // With `--on-bad fail` no column is looked at beyond a bad row of another one.
    let mut most = rows;
    for (order, (place, _)) in plan.columns.iter().enumerate() {
        let (array, count) = column(plan, chunk, (order, most), &mut worker, &mut bad)?;
        let first = bad.iter().map(|cell| cell.row - chunk.first + 1).min();
        if let Some(first) = first.filter(|_| plan.on_bad == OnBad::Fail) {
            most = usize::try_from(first).unwrap_or(rows);
            continue;
        }
        arrays[*place] = array;
        counts.push(count);
    }
    bad.sort_by_key(|cell| (cell.row, cell.order));
    if let Some(first) = bad.first().filter(|_| plan.on_bad == OnBad::Fail) {
        let name = &plan.columns[first.order].1;
        let error = format!("row {}, column `{name}`: {}", first.row, first.reason);
        let help = "nothing was written; --on-bad null or drop keeps such rows apart";
        return Err(Failure::new(Exit::Failed, error, help));
    }
    for place in &plan.recast {
        arrays[*place] = times::recast(&arrays[*place], plan.schema.field(*place), chunk.first)?;
    }
    let schema = Arc::clone(&plan.schema);
    let mut batch = RecordBatch::try_new(schema, arrays).map_err(|it| arrow(&it))?;
    if plan.on_bad == OnBad::Drop && !bad.is_empty() {
        let mut keep = vec![true; rows];
        for cell in &bad {
            keep[usize::try_from(cell.row - chunk.first).unwrap_or(0)] = false;
        }
        let keep = BooleanArray::from(keep);
        batch = filter_record_batch(&batch, &keep).map_err(|it| arrow(&it))?;
    }
    Ok(Done { batch, counts, bad, rows: rows as u64 })
}

/// The column of that order among the chosen ones, to so many rows; its bad cells go to the others. With
/// `--on-bad fail` it ends with the first of them.
///
/// # Errors
/// As [`apply`].
fn column(
    plan: &Plan,
    chunk: &Chunk,
    (order, rows): (usize, usize),
    worker: &mut Worker<'_>,
    bad: &mut Vec<BadCell>,
) -> Result<(ArrayRef, Counts), Failure> {
    let (place, name) = &plan.columns[order];
    let array = chunk.batch.column(*place);
    let cells = reader(array.as_ref()).ok_or_else(|| {
        let error = format!("column `{name}` is {}", array.data_type());
        Failure::usage(error, "allowed: text or bytes")
    })?;
    let (mut total, mut longest) = (0, 0);
    for row in 0..rows {
        let len = cells(row).map_or(0, <[u8]>::len);
        (total, longest) = (total + len, longest.max(len));
    }
    // Enough for any coding and padding, so that nothing grows while it holds plaintexts.
    let room = match plan.step {
        Step::Decrypt(_) => total,
        Step::Encrypt(_) | Step::Convert(..) => 2 * total + 4 * longest + 100 * rows + 64,
    };
    let mut column = Column::new(rows, room, plan.text);
    let mut count = Counts::default();
    let mut odd = chunk.odd.iter().filter(|it| it.column == *place).peekable();
    let mut row = 0;
    while row < rows {
        // A key that is derived for each value makes a chunk take minutes.
        stop::check()?;
        let first = row;
        let (mut given, mut worked, mut bytes) = (Vec::new(), Vec::new(), 0);
        while row < rows && given.len() < worker.most() && bytes < BYTES {
            given.push(match (odd.next_if(|it| it.row == row), cells(row)) {
                (Some(odd), _) => Given::Odd(odd),
                (None, None) => Given::Null,
                (None, Some(cell)) => {
                    bytes += cell.len();
                    worked.push(cell);
                    Given::Cell(cell)
                }
            });
            row += 1;
        }
        let mut became = worker.cells(&worked, &mut column).into_iter();
        for (row, given) in (first..).zip(given) {
            let (cell, became) = match given {
                Given::Null => {
                    count.nulls += 1;
                    column.null();
                    continue;
                }
                Given::Odd(odd) => (&*odd.cell, Err(Fault::Cell(odd.reason.to_owned()))),
                Given::Cell(cell) => match became.next() {
                    Some(became) => (cell, became),
                    None => unreachable!("something becomes of each cell"),
                },
            };
            count.cells += 1;
            let reason = match became {
                Ok(Some(len)) => {
                    count.good += 1;
                    column.cell(len);
                    continue;
                }
                Ok(None) => {
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
            let row = chunk.first + row as u64;
            bad.push(BadCell { row, file: chunk.file, order, reason, cell: cell.to_vec() });
        }
        if count.bad > 0 && plan.on_bad == OnBad::Fail {
            break;
        }
    }
    Ok((column.array().map_err(|it| arrow(&it))?, count))
}
