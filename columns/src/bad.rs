//! Cells that did not open, kept apart: a JSON object a line. It may hold plaintexts that could not
//! be encrypted, so it is for its owner only.

use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::draft::{Access, Draft};
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

    /// The file gets its name, if there is one.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn finish(self) -> Result<Done, Failure> {
        let Some((draft, mut file)) = self.draft else {
            return Ok(Done { path: None, old: self.path.filter(|_| self.force) });
        };
        let path = draft.path().to_owned();
        file.flush().map_err(|error| Failure::io("write", &path, &error))?;
        draft.finish()?;
        Ok(Done { path: Some(path), old: None })
    }
}

/// What became of it.
pub(crate) struct Done {
    /// The file, if there are bad cells.
    path: Option<PathBuf>,
    /// Where one of an earlier run may be, which was to be replaced.
    old: Option<PathBuf>,
}

impl Done {
    /// The file; one of an earlier run goes if there is none, once the output has taken the place of the one
    /// that it belonged to.
    ///
    /// # Errors
    /// That of the system.
    pub(crate) fn settle(self) -> Result<Option<PathBuf>, Failure> {
        if let Some(path) = self.old.filter(|path| path.is_file()) {
            let gone = std::fs::remove_file(&path);
            gone.map_err(|error| Failure::io("remove the old", &path, &error))?;
        }
        Ok(self.path)
    }
}

/// The name that the file has if none was given.
pub(crate) fn beside(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".bad.jsonl");
    name.into()
}
