//! The program `cipherlane-columns`: columns of CSV, TSV, JSON lines, Parquet and Arrow files,
//! encrypted, decrypted and carried from one dialect to another. `docs/COLUMNS.md` is its page.
//!
//! One thread reads chunks of rows, as many as are asked for work on them and code them for the
//! output, and one writes them in their order. A fixed number of chunks is under way, so the
//! memory does not grow with the file.
#![forbid(unsafe_code)]

mod args;
mod bad;
mod cells;
mod core_dumps;
mod doctor;
mod draft;
mod failure;
mod format;
mod guard;
mod input;
mod keys;
mod names;
mod output;
mod pipeline;
mod plan;
mod sample;
mod settings;
mod stop;
mod summary;
mod times;
mod transform;
mod work;
mod worker;

use std::process::ExitCode;

use clap::Parser as _;

use crate::args::{Cli, Verb};
use crate::failure::Exit;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error).into(),
    };
    core_dumps::forbid();
    guard::install();
    // `doctor` writes nothing that would have to go.
    if !matches!(cli.verb, Verb::Doctor(_)) {
        stop::watch();
    }
    let done = match &cli.verb {
        Verb::Encrypt(args) => work::encrypt(args),
        Verb::Decrypt(args) => work::decrypt(args),
        Verb::Convert(args) => work::convert(args),
        Verb::Check(args) => work::check(args),
        Verb::Doctor(args) => doctor::run(args),
    };
    let exit: Exit = done.unwrap_or_else(|failure| failure.report());
    stop::end_if_asked();
    exit.into()
}
