//! Writing files whole or not at all: beside their place first, then renamed.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{ReportError, csv, html, study};
use crate::record::Results;
use crate::study::Lang;

/// The files of a report.
#[derive(Clone, Debug)]
pub struct Written {
    /// The page.
    pub html: PathBuf,
    /// The results file, from which the others can be rebuilt.
    pub json: PathBuf,
    /// One line a row.
    pub csv: PathBuf,
}

/// Writes `report.html`, `results.json` and `results.csv` into `dir`, which is made if needed;
/// for a study also `report.md` and, one line for each value of its tables, `cells.csv`, all in
/// this language.
///
/// Everything is rendered and written beside its place before the first file
/// is renamed, so that a failure leaves an older report as it was.
///
/// # Errors
/// [`ReportError::Write`] or [`ReportError::Render`].
pub fn write_all(results: &Results, dir: &Path, lang: Lang) -> Result<Written, ReportError> {
    let mut parts = vec![("results.json", json(results)?), ("results.csv", csv::render(results)?)];
    match study::of(results) {
        Some(it) => {
            parts.push(("report.html", study::page::render(&it, results, lang)?.into_bytes()));
            parts.push(("report.md", study::markdown::render(&it, results, lang)?.into_bytes()));
            parts.push(("cells.csv", study::csv::render(&it, results, lang)?));
        }
        None => parts.push(("report.html", html::page(results)?.into_bytes())),
    }
    check_writable(dir)?;
    let mut staged = Vec::new();
    for (name, bytes) in parts {
        let path = dir.join(name);
        staged.push((stage(&path, &bytes)?, path));
    }
    for (file, path) in staged {
        settle(file, &path)?;
    }
    Ok(Written {
        html: dir.join("report.html"),
        json: dir.join("results.json"),
        csv: dir.join("results.csv"),
    })
}

/// Writes one file whole or not at all.
///
/// # Errors
/// [`ReportError::Write`].
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), ReportError> {
    settle(stage(path, bytes)?, path)
}

/// Makes `dir` if needed and tries a file in it, so that a long measurement is
/// not begun for a report that could not be kept.
///
/// # Errors
/// [`ReportError::Write`].
pub fn check_writable(dir: &Path) -> Result<(), ReportError> {
    let attempt = || -> io::Result<()> {
        fs::create_dir_all(dir)?;
        temporary(dir)?.close()
    };
    attempt().map_err(|source| ReportError::Write { path: dir.to_owned(), source })
}

/// The results file: one row a line, so that two of them can be compared by eye.
///
/// # Errors
/// [`ReportError::Render`] if a figure is not a number.
pub fn json(results: &Results) -> Result<Vec<u8>, ReportError> {
    let failed =
        |error: serde_json::Error| ReportError::Render { part: "JSON", reason: error.to_string() };
    let head = Results { rows: Vec::new(), ..results.clone() };
    let text = serde_json::to_string_pretty(&head).map_err(failed)?;
    let rows: Vec<String> =
        results.rows.iter().map(serde_json::to_string).collect::<Result<_, _>>().map_err(failed)?;
    let list = match rows.as_slice() {
        [] => "  \"rows\": []".to_owned(),
        rows => format!("  \"rows\": [\n    {}\n  ]", rows.join(",\n    ")),
    };
    // The pretty printer indents top-level fields by two spaces and text never
    // holds a raw line break, so this line stands once.
    let mut text = text.replacen("\n  \"rows\": []", &format!("\n{list}"), 1);
    text.push('\n');
    Ok(text.into_bytes())
}

fn stage(path: &Path, bytes: &[u8]) -> Result<NamedTempFile, ReportError> {
    let dir = match path.parent() {
        Some(dir) if !dir.as_os_str().is_empty() => dir,
        _ => Path::new("."),
    };
    let attempt = || {
        let mut file = temporary(dir)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        Ok(file)
    };
    attempt().map_err(|source| ReportError::Write { path: path.to_owned(), source })
}

fn settle(file: NamedTempFile, path: &Path) -> Result<(), ReportError> {
    // What is there and is no file, such as a FIFO, is written into and never replaced.
    if path.metadata().is_ok_and(|it| !it.is_file() && !it.is_dir()) {
        let into = || {
            let bytes = fs::read(file.path())?;
            fs::File::options().write(true).open(path)?.write_all(&bytes)
        };
        return into().map_err(|source| ReportError::Write { path: path.to_owned(), source });
    }
    file.persist(path)
        .map(drop)
        .map_err(|error| ReportError::Write { path: path.to_owned(), source: error.error })
}

fn temporary(dir: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cipherlane-");
    // A temporary file is private by default; a report is as public as the user's umask says.
    #[cfg(unix)]
    let mode = <fs::Permissions as std::os::unix::fs::PermissionsExt>::from_mode(0o666);
    #[cfg(unix)]
    builder.permissions(mode);
    builder.tempfile_in(dir)
}
