//! The verbs that take all rows: `encrypt`, `decrypt`, `convert`, `check`.

use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::{CheckArgs, InputArgs, OnBad, OneArgs, OutputArgs, Plain, RunArgs, TwoArgs};
use crate::bad::{self, BadFile};
use crate::draft::{self, Access, Draft, Force};
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::guard::caught;
use crate::input::{self, Table};
use crate::output;
use crate::pipeline;
use crate::plan::{Formats, Plan, Step};
use crate::settings::{admit, tell};
use crate::summary::Summary;
use crate::transform::{Counts, apply};

/// One command.
struct Work<'a> {
    verb: &'static str,
    input: &'a InputArgs,
    run: &'a RunArgs,
    /// None where nothing is written.
    output: Option<&'a OutputArgs>,
    plain: Plain,
    step: Step,
    /// Files of keys, which no output may be.
    keys: Vec<PathBuf>,
}

pub(crate) fn encrypt(args: &OneArgs) -> Result<Exit, Failure> {
    let codec = args.settings.given().codec()?;
    admit(&codec, args.weak)?;
    one("encrypt", args, Plain::Binary, Step::Encrypt(codec))
}

pub(crate) fn decrypt(args: &OneArgs) -> Result<Exit, Failure> {
    let codec = args.settings.given().codec()?;
    if args.weak {
        return Err(Failure::usage("--weak with decrypt", "it is for writing: leave it away"));
    }
    tell(&codec);
    one("decrypt", args, args.output.plain, Step::Decrypt(codec))
}

fn one(verb: &'static str, args: &OneArgs, plain: Plain, step: Step) -> Result<Exit, Failure> {
    let (input, run, output) = (&args.input, &args.run, Some(&args.output));
    let keys = args.settings.given().key.files();
    Work { verb, input, run, output, plain, step, keys }.all()
}

pub(crate) fn convert(args: &TwoArgs) -> Result<Exit, Failure> {
    let (from, to) = (args.from.given().codec()?, args.to.given().codec()?);
    admit(&to, args.weak)?;
    tell(&from);
    let (input, run, output) = (&args.input, &args.run, Some(&args.output));
    let (plain, step) = (args.output.plain, Step::Convert(from, to));
    let keys = [args.from.given().key.files(), args.to.given().key.files()].concat();
    Work { verb: "convert", input, run, output, plain, step, keys }.all()
}

pub(crate) fn check(args: &CheckArgs) -> Result<Exit, Failure> {
    let codec = args.settings.given().codec()?;
    tell(&codec);
    let (input, run, output) = (&args.input, &args.run, None);
    let (plain, step) = (args.plain, Step::Decrypt(codec));
    let keys = args.settings.given().key.files();
    Work { verb: "check", input, run, output, plain, step, keys }.all()
}

/// Opens the tables of a command.
pub(crate) fn table(args: &InputArgs, to: Option<Format>) -> Result<(Table, Format), Failure> {
    let format = Format::of(&args.files[0], args.input_format, "--input-format")?;
    for path in &args.files[1..] {
        if Format::of(path, args.input_format, "--input-format")? != format {
            let error = format!("{} is of another format than the first", path.display());
            return Err(Failure::usage(error, "files of one call have one format"));
        }
    }
    let table = input::open(&input::Wish {
        files: &args.files,
        format,
        columns: &args.column,
        null: &args.null,
        header: !args.no_header,
        verbatim: to == Some(Format::Jsonl),
    })?;
    Ok((table, format))
}

/// Where an output goes, once nothing speaks against it.
struct Place {
    path: PathBuf,
    format: Format,
    bad: PathBuf,
}

impl Work<'_> {
    fn read(&self) -> draft::Read<'_> {
        draft::Read { inputs: &self.input.files, keys: &self.keys }
    }

    /// Looks at the names of the outputs before anything else is done.
    fn place(&self) -> Result<Option<Place>, Failure> {
        let Some((args, path)) = self.output.and_then(|it| Some((it, it.output.as_ref()?))) else {
            return Ok(None);
        };
        let force = if args.force { Force::Given } else { Force::Absent };
        draft::admit(path, self.read(), force)?;
        let format = Format::of(path, args.format, "--format")?;
        let bad = self.run.bad.clone().unwrap_or_else(|| bad::beside(path));
        draft::admit(&bad, self.read(), force)?;
        bad::admit(&bad)?;
        if draft::one_place(&bad, path) {
            let error = format!("--bad is {}, the output", bad.display());
            return Err(Failure::usage(error, "name another file for bad cells"));
        }
        Ok(Some(Place { path: path.clone(), format, bad }))
    }

    fn all(self) -> Result<Exit, Failure> {
        let begin = Instant::now();
        let place = self.place()?;
        let dry = self.output.is_none_or(|it| it.dry_run);
        // A dry run without the name of an output may have its format.
        let to = self.output.and_then(|it| it.format);
        let to = place.as_ref().map(|it| it.format).or(to);
        if let (Some(to), Some(args)) = (to, self.output) {
            output::admit(to, args.compression)?;
        }
        if let (None, Some(path)) = (&self.output, &self.run.bad) {
            draft::admit(path, self.read(), Force::Unknown)?;
        }
        let (table, from) = table(self.input, to)?;
        let formats = Formats { from, to };
        let (plain, on_bad) = (self.plain, self.run.on_bad.unwrap_or(OnBad::Null));
        let plan = Plan::new(self.step, &self.input.column, &table, formats, plain, on_bad)?;
        let shown = place.as_ref().map_or_else(|| "the output".into(), |it| it.path.clone());
        let place = place.filter(|_| !dry);
        let force = self.output.is_some_and(|it| it.force);
        let access = match plan.step {
            Step::Decrypt(_) => Access::Owner,
            Step::Encrypt(_) | Step::Convert(..) => Access::of(&self.input.files),
        };
        let draft = place.as_ref().map(|it| Draft::begin(&it.path, access, force)).transpose()?;
        let wish = to.map(|format| output::Wish {
            path: &shown,
            format,
            compression: self.output.and_then(|it| it.compression),
            null: &self.input.null,
            header: !self.input.no_header,
            drawn: if plan.drawn { &plan.columns } else { &[] },
            raw: !plan.text,
        });
        let file: output::Place = match &draft {
            Some(draft) => Box::new(draft.file()?),
            None => Box::new(std::io::sink()),
        };
        let (encoder, mut sink) = output::begin(wish.as_ref().map(|it| (it, file)), &plan.schema)?;
        let names = plan.columns.iter().map(|(_, name)| name.clone()).collect();
        let bad = place.as_ref().map(|it| it.bad.clone()).or_else(|| {
            // `check` writes them where it is told to, and nowhere else.
            self.run.bad.clone().filter(|_| self.output.is_none())
        });
        let mut bad = BadFile::new(bad, force, self.input.files.clone(), names);
        let cores = || available_parallelism().map_or(1, usize::from);
        let threads = self.run.threads.map_or_else(cores, usize::from);
        let bar = bar(self.verb, table.total);
        let mut counts = vec![Counts::default(); plan.columns.len()];
        let (mut rows, mut written, mut like_null) = (0, 0, 0);
        let work = |number, chunk: input::Chunk| {
            let done = caught(|| apply(&plan, &chunk)).unwrap_or_else(|panic| {
                let error = format!("the rows from {} on can't be worked on: {panic}", chunk.first);
                Err(Failure::usage(error, "take an undamaged copy of the input"))
            })?;
            let so_far = chunk.done;
            drop(chunk);
            let left = done.batch.num_rows() as u64;
            let coded = encoder.encode(number, done.batch)?;
            Ok((coded, done.counts, done.bad, done.rows, left, so_far))
        };
        pipeline::run(table.rows, threads, work, |(coded, some, cells, read, left, so_far)| {
            (rows, written, like_null) = (rows + read, written + left, like_null + coded.like_null);
            sink.write(coded)?;
            bad.write(&cells)?;
            counts.iter_mut().zip(&some).for_each(|(sum, more)| sum.add(more));
            bar.set_position(so_far);
            Ok(())
        })?;
        bar.finish_and_clear();
        sink.finish()?;
        if self.output.is_some() {
            nothing(self.verb, &counts, self.run.on_bad.is_none())?;
        }
        let bad = bad.ready()?;
        let ready = draft.map(Draft::ready).transpose()?;
        let bad = bad.settle(ready)?;
        let summary = Summary {
            verb: self.verb,
            files: &self.input.files,
            output: place.as_ref().map(|it| it.path.as_path()),
            bad,
            rows,
            written,
            columns: &plan.columns,
            counts,
            // Without a format nobody knows what reads as NULL.
            like_null: (self.output.is_none() || to.is_some()).then_some(like_null),
            threads,
            took: begin.elapsed(),
        };
        summary.print(self.input.json)?;
        Ok(summary.exit())
    }
}

/// Under a wrong key one padding in 256 is right by chance, and some of what comes out is text.
const CHANCE: u64 = 64;

/// A column of which nothing opens is a wrong key: a table of NULLs is of no use to anybody. Nor is one
/// of which so few cells open that chance explains them, unless somebody has said what is to become of
/// the others.
///
/// # Errors
/// The first such column.
fn nothing(verb: &str, counts: &[Counts], unsaid: bool) -> Result<(), Failure> {
    let few = |it: &Counts| unsaid && it.good * CHANCE < it.cells;
    let dead = counts.iter().find(|it| it.bad > 0 && (it.good == 0 || few(it)));
    dead.map_or(Ok(()), |counts| {
        let how = match counts.good {
            0 => format!("none of the {} cells of a column went well", counts.cells),
            good => format!("{good} of the {} cells of a column went well, no more than by chance", counts.cells),
        };
        let error = format!("{how}: nothing was written");
        let help = if counts.good > 0 {
            "another key, dialect, mode or coding: `doctor` looks for it; if these few are what you look for, \
             say --on-bad null or drop"
        } else if verb == "encrypt" {
            "`--on-bad fail` says why of the first one"
        } else {
            "another key, dialect, mode or coding: `doctor` looks for it, and `--on-bad fail` says why \
             of the first one"
        };
        Err(Failure::new(Exit::Failed, error, help))
    })
}

/// A bar on a terminal, and nothing elsewhere.
pub(crate) fn bar(verb: &'static str, total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let style = ProgressStyle::with_template("{msg} {bar:24} {percent} %  {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.set_message(verb);
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_of_which_nothing_opens_is_a_failure_and_one_of_nulls_is_not() {
        let dead = Counts { cells: 3, bad: 3, ..Counts::default() };
        let empty = Counts { nulls: 9, ..Counts::default() };
        let mixed = Counts { cells: 3, good: 1, bad: 2, ..Counts::default() };
        assert!(nothing("decrypt", &[mixed, dead], true).is_err());
        assert!(nothing("decrypt", &[mixed, dead], false).is_err());
        assert!(nothing("decrypt", &[mixed, empty], true).is_ok());
        let chance = Counts { cells: 129, good: 2, bad: 127, ..Counts::default() };
        assert!(nothing("decrypt", &[chance], true).is_err());
        assert!(nothing("decrypt", &[chance], false).is_ok());
        assert!(nothing("decrypt", &[Counts { good: 3, bad: 126, ..chance }], true).is_ok());
    }
}
