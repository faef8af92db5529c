//! The formats of files, by their suffix or by name.

use std::path::Path;

use crate::failure::Failure;

/// A format of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// Comma-separated, RFC 4180, with a header
    Csv,
    /// The same with tabulators
    Tsv,
    /// A JSON object a line
    Jsonl,
    /// Apache Parquet
    Parquet,
    /// Arrow IPC, the file format; reading takes the stream too
    Arrow,
}

impl Format {
    /// Its name.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Jsonl => "jsonl",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    /// Whether its cells are text alone, so that bytes must be coded.
    pub(crate) const fn text_only(self) -> bool {
        matches!(self, Self::Csv | Self::Tsv | Self::Jsonl)
    }

    /// The format that was named, else that of the suffix.
    ///
    /// # Errors
    /// A suffix that no format has.
    pub(crate) fn of(
        path: &Path,
        named: Option<Self>,
        option: &'static str,
    ) -> Result<Self, Failure> {
        let suffix = path.extension().map(|it| it.to_string_lossy().to_ascii_lowercase());
        let by_suffix = || {
            Some(match suffix.as_deref()? {
                "csv" => Self::Csv,
                "tsv" | "tab" => Self::Tsv,
                "jsonl" | "ndjson" | "json" => Self::Jsonl,
                "parquet" | "pq" => Self::Parquet,
                "arrow" | "arrows" | "feather" | "ipc" => Self::Arrow,
                _ => return None,
            })
        };
        named.or_else(by_suffix).ok_or_else(|| {
            let error = format!("{} ends with no suffix of a format", path.display());
            let help = format!("give {option} csv, tsv, jsonl, parquet or arrow");
            Failure::usage(error, help)
        })
    }
}
