//! What a command says when it is done: a few lines, or JSON.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;

use crate::failure::{Exit, Failure, one_line};
use crate::transform::Counts;

/// What was done.
pub(crate) struct Summary<'a> {
    pub(crate) verb: &'static str,
    pub(crate) files: &'a [PathBuf],
    /// Where the rows are, if they are anywhere.
    pub(crate) output: Option<&'a Path>,
    /// Where the bad cells are, if there are any.
    pub(crate) bad: Option<PathBuf>,
    pub(crate) rows: u64,
    pub(crate) written: u64,
    pub(crate) columns: &'a [(usize, String)],
    pub(crate) counts: Vec<Counts>,
    /// Cells written that read as NULL although they are none; not known of a dry run without a format.
    pub(crate) like_null: Option<u64>,
    pub(crate) threads: usize,
    pub(crate) took: Duration,
}

#[derive(Serialize)]
struct Json<'a> {
    schema: &'static str,
    verb: &'static str,
    files: Vec<String>,
    output: Option<String>,
    bad_file: Option<String>,
    rows: u64,
    rows_written: u64,
    columns: Vec<JsonColumn<'a>>,
    like_null: Option<u64>,
    threads: usize,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonColumn<'a> {
    name: &'a str,
    #[serde(flatten)]
    counts: Counts,
}

impl Summary<'_> {
    /// Cells that did not go well.
    fn bad_cells(&self) -> u64 {
        self.counts.iter().map(|counts| counts.bad).sum()
    }

    /// The status that the program ends with.
    pub(crate) fn exit(&self) -> Exit {
        if self.bad_cells() == 0 { Exit::Done } else { Exit::Failed }
    }

    /// Prints it.
    ///
    /// # Errors
    /// That of standard output.
    pub(crate) fn print(&self, json: bool) -> Result<(), Failure> {
        let text = if json { self.json()? } else { self.text() };
        say(&text)
    }

    fn json(&self) -> Result<String, Failure> {
        let shown = |path: &Path| path.display().to_string();
        let columns = self.columns.iter().zip(&self.counts);
        let json = Json {
            schema: "cipherlane-columns/1",
            verb: self.verb,
            files: self.files.iter().map(|path| shown(path)).collect(),
            output: self.output.map(shown),
            bad_file: self.bad.as_deref().map(shown),
            rows: self.rows,
            rows_written: self.written,
            columns: columns
                .map(|((_, name), counts)| JsonColumn { name, counts: *counts })
                .collect(),
            like_null: self.like_null,
            threads: self.threads,
            seconds: self.took.as_secs_f64(),
        };
        serde_json::to_string(&json).map(|text| text + "\n").map_err(|error| {
            Failure::new(Exit::Environment, format!("no summary: {error}"), "leave --json away")
        })
    }

    fn text(&self) -> String {
        let seconds = self.took.as_secs_f64();
        let rate = self.rows as f64 / seconds.max(1e-9);
        let mut text =
            format!("{}: {} rows in {seconds:.2} s, {rate:.0} a second\n", self.verb, self.rows);
        for ((_, name), counts) in self.columns.iter().zip(&self.counts) {
            let name = one_line(name);
            text += &format!(
                "  {name}: {} of {} cells done, {} bad, {} NULL\n",
                counts.good, counts.cells, counts.bad, counts.nulls
            );
            if counts.to_null > 0 {
                text += &format!(
                    "    {} empty ones are NULL, as the engine has them\n",
                    counts.to_null
                );
            }
        }
        if let Some(output) = self.output {
            text += &format!("  {} rows in {}\n", self.written, output.display());
        }
        match &self.bad {
            Some(path) => text += &format!("  bad cells, as they were: {}\n", path.display()),
            None if self.bad_cells() > 0 => {
                text += "  bad cells are kept nowhere: nothing is written\n"
            }
            None => {}
        }
        if let Some(like_null) = self.like_null.filter(|it| *it > 0) {
            text += &format!(
                "  {like_null} cells that are not NULL read as NULL: give --null TEXT that no cell is\n"
            );
        }
        text
    }
}

/// Prints on standard output.
///
/// # Errors
/// That of the system, but for a reader who has gone away.
pub(crate) fn say(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let error = format!("can't write to standard output: {error}");
            Err(Failure::new(Exit::Environment, error, "check where the output goes"))
        }
        _ => Ok(()),
    }
}
