//! The command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::format::Format;
use crate::settings::{FromArgs, PlainArgs, ToArgs};

/// Columns of CSV, JSON lines, Parquet and Arrow files between the dialects of databases
#[derive(Debug, Parser)]
#[command(
    name = "cipherlane-columns",
    bin_name = "cipherlane columns",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    after_help = "Examples:\n  cipherlane columns doctor --column phone --raw-key key.txt --key-text people.csv\n  \
        cipherlane columns decrypt --column phone --dialect mysql-aes --coding hex \\\n      \
        --raw-key key.txt --key-text people.csv -o people.parquet\n  \
        cipherlane columns convert --column id,name --from opengauss-sm4 --from-raw-key old.txt \\\n      \
        --from-key-text --to spark-aes --to-raw-key new.hex old.parquet -o new.parquet\n\n\
        Exit status: 0 done; 1 some cells did not open, or nothing can be told; 2 wrong usage or \
        input; 3 something is missing here (file, permission, room on the disk). INT, TERM and HUP \
        end it by that signal, after cleaning up"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// What to do.
#[derive(Debug, Subcommand)]
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
pub(crate) enum Verb {
    /// Encrypt columns as a dialect stores them
    Encrypt(OneArgs),
    /// Decrypt columns of a dialect
    Decrypt(OneArgs),
    /// Carry columns from one dialect to another; the plaintexts go nowhere
    Convert(TwoArgs),
    /// Count which cells open under a dialect, and write nothing
    Check(CheckArgs),
    /// Find out which dialect opens a column, and how sure that is
    Doctor(DoctorArgs),
}

/// The tables that are read, and which of their columns.
#[derive(Debug, clap::Args)]
pub(crate) struct InputArgs {
    /// Files of one format and schema, read one after another as one table
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The columns, by name, separated by commas; a name that has a comma itself in an option of its own
    #[arg(short, long, value_name = "NAMES", required = true)]
    pub(crate) column: Vec<String>,
    /// The format of the input, where its suffix does not say it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) input_format: Option<Format>,
    /// What NULL is in CSV and TSV, read and written
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) null: String,
    /// CSV and TSV have no header: columns are called 1, 2, 3 …
    #[arg(long)]
    pub(crate) no_header: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// How the work is done, and what becomes of cells that do not open.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Threads that encrypt, decrypt and code; as many as there are cores if absent
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Where rows go whose cells do not open; FILE.bad.jsonl beside the output if absent
    #[arg(long, value_name = "FILE")]
    pub(crate) bad: Option<PathBuf>,
    /// What stands in the output for such a cell, or whether that is the end; null if absent, and then nothing
    /// is written if fewer than one cell in 64 of a column opens
    #[arg(long, value_enum)]
    pub(crate) on_bad: Option<OnBad>,
}

/// What becomes of a cell that does not open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum OnBad {
    /// NULL in its place
    Null,
    /// Its row is left out
    Drop,
    /// The first one is the end: nothing is written
    Fail,
}

/// The table that is written.
#[derive(Debug, clap::Args)]
pub(crate) struct OutputArgs {
    /// The output
    #[arg(short, long, value_name = "FILE", required_unless_present = "dry_run")]
    pub(crate) output: Option<PathBuf>,
    /// The format of the output, where its suffix does not say it
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,
    /// The compression of Parquet (snappy if absent) or Arrow (none if absent)
    #[arg(long, value_enum)]
    pub(crate) compression: Option<Compression>,
    /// What a decrypted column is: text, or bytes, which CSV and JSON have as hexadecimal digits
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) plain: Plain,
    /// Replace an output that is there
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Do all but write
    #[arg(long)]
    pub(crate) dry_run: bool,
}

/// What plaintexts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Plain {
    /// UTF-8; other bytes count as not opened
    Text,
    /// Bytes as they are
    Binary,
}

/// A compression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Compression {
    /// None
    None,
    /// Snappy (Parquet)
    Snappy,
    /// Zstandard
    Zstd,
    /// LZ4
    Lz4,
    /// Gzip (Parquet)
    Gzip,
}

/// The arguments of `encrypt` and `decrypt`.
#[derive(Debug, clap::Args)]
pub(crate) struct OneArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) settings: PlainArgs,
    /// Write values although their dialect lacks something
    #[arg(long)]
    pub(crate) weak: bool,
}

/// The arguments of `convert`.
#[derive(Debug, clap::Args)]
pub(crate) struct TwoArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) from: FromArgs,
    #[command(flatten)]
    pub(crate) to: ToArgs,
    /// Write values although their dialect lacks something
    #[arg(long)]
    pub(crate) weak: bool,
}

/// The arguments of `check`.
#[derive(Debug, clap::Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) settings: PlainArgs,
    /// What plaintexts are: text, so that other bytes count as not opened, or any bytes
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) plain: Plain,
}

/// The arguments of `doctor`.
#[derive(Debug, clap::Args)]
pub(crate) struct DoctorArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// How many cells of each column are tried, drawn from all rows, the same ones in every run
    #[arg(long, value_name = "N", default_value = "100",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) sample: u32,
    /// Read so many rows of the beginning alone
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) rows: Option<u64>,
    /// A file of hexadecimal digits: the key; with --key-text its text
    #[arg(long, value_name = "FILE")]
    pub(crate) raw_key: Vec<PathBuf>,
    /// An environment variable that holds such
    #[arg(long, value_name = "NAME")]
    pub(crate) raw_key_env: Vec<String>,
    /// An open file descriptor to read such from
    #[arg(long, value_name = "N")]
    pub(crate) raw_key_fd: Vec<u32>,
    /// The keys are the bytes of their texts themselves
    #[arg(long)]
    pub(crate) key_text: bool,
    /// A file whose first line is the key's text
    #[arg(long, value_name = "FILE")]
    pub(crate) passphrase_file: Vec<PathBuf>,
    /// An environment variable that holds the key's text
    #[arg(long, value_name = "NAME")]
    pub(crate) passphrase_env: Vec<String>,
    /// An IV that may have been given, in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    pub(crate) iv: Vec<String>,
    /// An IV that may have been given, as the text that the engine takes
    #[arg(long, value_name = "TEXT")]
    pub(crate) iv_text: Vec<String>,
    /// Associated data in hexadecimal digits
    #[arg(long, value_name = "HEX")]
    pub(crate) aad: Option<String>,
}
