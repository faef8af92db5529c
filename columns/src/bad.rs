//! Cells that did not open, kept apart: a JSON object a line. It may hold plaintexts that could not
//! be encrypted, so it is for its owner only.

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::draft::{self, Access, Draft, Ready};
use crate::failure::Failure;

/// A cell that did not open.
pub(crate) struct BadCell {
    /// From 1, through all files.
    pub(crate) row: u64,
    /// Which of the files.
    pub(crate) file: usize,
    /// Which of the chosen columns.
    pub(crate) order: usize,
    pub(crate) reason: String,
    pub(crate) cell: Vec<u8>,
}

/// A line of the file.
#[derive(Serialize)]
struct Line<'a> {
    row: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    column: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_hex: Option<String>,
}

/// The file, which is begun with the first cell.
pub(crate) struct BadFile {
    path: Option<PathBuf>,
    force: bool,
    inputs: Vec<PathBuf>,
    columns: Vec<String>,
    draft: Option<(Draft, BufWriter<std::fs::File>)>,
}

impl BadFile {
    /// One that is not there yet; without a path it never is.
    pub(crate) const fn new(
        path: Option<PathBuf>,
        force: bool,
        inputs: Vec<PathBuf>,
        columns: Vec<String>,
    ) -> Self {
        Self { path, force, inputs, columns, draft: None }
    }

    /// Writes cells.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn write(&mut self, cells: &[BadCell]) -> Result<(), Failure> {
        let Some(path) = &self.path else { return Ok(()) };
        if cells.is_empty() {
            return Ok(());
        }
        if self.draft.is_none() {
            let draft = Draft::begin(path, Access::Owner, self.force)?;
            let file = BufWriter::new(draft.file()?);
            self.draft = Some((draft, file));
        }
        let Some((_, file)) = &mut self.draft else { return Ok(()) };
        for cell in cells {
            let text = std::str::from_utf8(&cell.cell).ok();
            let input = self.inputs.get(cell.file).filter(|_| self.inputs.len() > 1);
            let line = Line {
                row: cell.row,
                file: input.map(|path| path.display().to_string()),
                column: &self.columns[cell.order],
                reason: &cell.reason,
                cell: text,
                cell_hex: text.is_none().then(|| hex::encode(&cell.cell)),
            };
            let written = serde_json::to_writer(&mut *file, &line).map_err(std::io::Error::from);
            written
                .and_then(|()| file.write_all(b"\n"))
                .map_err(|error| Failure::io("write", path, &error))?;
        }
        Ok(())
    }

    /// All cells are written; the file is on the disk then, if there is one, and has no name yet.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn ready(self) -> Result<Done, Failure> {
        let Some((draft, mut file)) = self.draft else {
            let old = self.path.filter(|_| self.force);
            return Ok(Done { path: None, draft: None, old });
        };
        let path = draft.path().to_owned();
        file.flush().map_err(|error| Failure::io("write", &path, &error))?;
        Ok(Done { path: Some(path), draft: Some(draft.ready()?), old: None })
    }
}

/// What becomes of it.
pub(crate) struct Done {
    /// The file, if there are bad cells.
    path: Option<PathBuf>,
    draft: Option<Ready>,
    /// Where one of an earlier run may be, which was to be replaced.
    old: Option<PathBuf>,
}

impl Done {
    /// The output gets its name, and the file too; one of an earlier run goes if there is none, once the output
    /// has taken the place of the one that it belonged to.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn settle(self, output: Option<Ready>) -> Result<Option<PathBuf>, Failure> {
        draft::settle(output, self.draft)?;
        // Looked at once more: another program may have put a file there since the beginning.
        if let Some(path) = self.old.filter(|path| ours(path)) {
            let gone = std::fs::remove_file(&path);
            gone.map_err(|error| Failure::io("remove the old", &path, &error))?;
        }
        Ok(self.path)
    }
}

/// Refuses to replace or remove a file that no run of this program can have written: `--force` is said of the
/// output, and what a slip of the pen names with `--bad` may be the only copy of something.
///
/// # Errors
/// A file that holds anything but bad cells.
pub(crate) fn admit(path: &Path) -> Result<(), Failure> {
    let Ok(metadata) = path.metadata() else { return Ok(()) };
    if metadata.len() == 0 || ours(path) {
        return Ok(());
    }
    let error = format!(
        "{} is there and holds something else than bad cells, which --force would replace or remove",
        path.display()
    );
    Err(Failure::usage(error, "name another file with --bad, or move that one away"))
}

/// Whether every line of a file is one of [`BadFile`]'s, and there is a line.
fn ours(path: &Path) -> bool {
    #[derive(serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "that they are there is all that is asked")]
    struct Known {
        row: u64,
        file: Option<String>,
        column: String,
        reason: String,
        cell: Option<String>,
        cell_hex: Option<String>,
    }
    let Ok(file) = std::fs::File::open(path) else { return false };
    let (mut file, mut line, mut lines) = (BufReader::new(file), Vec::new(), 0);
    loop {
        line.clear();
        match file.read_until(b'\n', &mut line) {
            Ok(0) => return lines > 0,
            Ok(_) => {}
            Err(_) => return false,
        }
        let known = serde_json::from_slice::<Known>(&line);
        if !known.is_ok_and(|it| it.cell.is_some() != it.cell_hex.is_some()) {
            return false;
        }
        lines += 1;
    }
}

/// The name that the file has if none was given.
pub(crate) fn beside(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".bad.jsonl");
    name.into()
}
