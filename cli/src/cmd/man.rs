//! `man`: manual pages.

use clap::CommandFactory as _;
use clap_mangen::Man;

use crate::args::{Cli, help};
use crate::failure::{Exit, Failure};
use crate::filter;
use crate::output::Output;

/// Print a manual page, of the program or of one verb
#[derive(Debug, clap::Args)]
#[command(after_help = help!(
    "  cipherlane man bench | man -l -
  cipherlane man > /usr/local/share/man/man1/cipherlane.1"
))]
pub(crate) struct Args {
    /// The verb; the whole program if absent
    verb: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.verb {
        None => program,
        Some(verb) => {
            let names = super::names();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let found = program.find_subcommand(verb).cloned();
            found.ok_or_else(|| filter::unknown(&format!("verb `{verb}`"), verb, &names))?
        }
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    out.bytes(&page)?;
    Ok(Exit::Done)
}
