//! `engine`: serves an engine on standard input and output, for the laboratory.

use std::path::PathBuf;

use crate::args::help;
use crate::failure::{Exit, Failure};

/// Serve an engine on standard input and output (`bench` starts these itself)
#[derive(Debug, clap::Args)]
#[command(after_help = help!("  echo describe | cipherlane engine cipherlane"))]
pub(crate) struct Args {
    /// The engine, as `cipherlane engines` lists it
    name: String,
    /// The shared library to open instead of the system's
    #[arg(long, value_name = "PATH")]
    lib: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    peers::serve(&args.name, args.lib.as_deref())?;
    Ok(Exit::Done)
}
