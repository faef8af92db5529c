//! The program `cipherlane`: lists, verifies and measures the ciphers of the library.
#![forbid(unsafe_code)]

mod args;
mod cmd;
mod columns;
mod failure;
mod files;
mod filter;
mod level;
mod measure;
mod output;
mod progress;
mod run_folder;
mod verbs;
mod view;

use std::process::ExitCode;

use clap::Parser as _;

use output::Output;
use verbs::Cli;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error, Cli::names).into(),
    };
    let mut out = Output::new();
    if cli.verb.has_keys() {
        files::core_dumps::forbid();
    }
    let done = cli.verb.run(&mut out).and_then(|exit| out.finish().map(|()| exit));
    let exit = match done {
        Ok(exit) => exit,
        Err(failure) => failure.report(),
    };
    files::stop::end_if_asked();
    exit.into()
}
