//! `completions`: completion scripts for shells.

use clap::Command;
use clap_complete::Shell;

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = help!(
    "  cipherlane completions bash > ~/.local/share/bash-completion/completions/cipherlane"
))]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

/// `program` is the whole command line.
pub(crate) fn run(args: &Args, program: &mut Command, out: &mut Output) -> Result<Exit, Failure> {
    // Into memory first: the generator panics if its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, program, "cipherlane", &mut script);
    out.bytes(&script)?;
    Ok(Exit::Done)
}
