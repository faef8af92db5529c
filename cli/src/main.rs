//! The program `cipherlane`: lists, verifies and measures the ciphers of the library.
#![forbid(unsafe_code)]

mod args;
mod cmd;
mod failure;
mod files;
mod filter;
mod level;
mod measure;
mod operations;
mod output;
mod progress;

use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Verb};
use failure::{Exit, Failure};
use output::Output;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return failure::usage(&error).into(),
    };
    let mut out = Output::new();
    let done = run(cli.verb, &mut out).and_then(|exit| out.finish().map(|()| exit));
    let exit = match done {
        Ok(exit) => exit,
        Err(failure) => failure.report(),
    };
    files::stop::end_if_asked();
    exit.into()
}

fn run(verb: Verb, out: &mut Output) -> Result<Exit, Failure> {
    if verb.has_keys() {
        files::dumps::forbid();
    }
    match verb {
        Verb::List(args) => cmd::list::run(&args, out),
        Verb::Engines(args) => cmd::engines::run(&args, out),
        Verb::Verify(args) => cmd::verify::run(&args, out),
        Verb::SelfTest(args) => cmd::self_test::run(&args, out),
        Verb::Bench(args) => cmd::bench::run(&args, out),
        Verb::Study(args) => cmd::study::run(&args, out),
        Verb::Encrypt(args) => cmd::encrypt::run(&args),
        Verb::Decrypt(args) => cmd::decrypt::run(&args),
        Verb::Inspect(args) => cmd::inspect::run(&args, out),
        Verb::Keygen(args) => cmd::keygen::run(&args),
        Verb::Mac(args) => cmd::mac::run(&args, out),
        Verb::Raw(args) => cmd::raw::run(&args),
        Verb::Doctor(args) => cmd::doctor::run(&args, out),
        Verb::Report(args) => cmd::report::run(&args, out),
        Verb::Compare(args) => cmd::compare::run(&args, out),
        Verb::Floor(args) => cmd::floor::run(&args, out),
        Verb::Engine(args) => cmd::engine::run(&args),
        Verb::Completions(args) => cmd::completions::run(&args, out),
        Verb::Man(args) => cmd::man::run(&args, out),
    }
}
