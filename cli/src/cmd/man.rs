//! `man`: manual pages.

use clap::Command;
use clap_mangen::Man;

use crate::args::help;
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

/// `program` is the whole command line.
pub(crate) fn run(args: &Args, mut program: Command, out: &mut Output) -> Result<Exit, Failure> {
    // Before it is built, which adds `help`.
    let names: Vec<String> =
        program.get_subcommands().map(|verb| verb.get_name().to_owned()).collect();
    program.build();
    let command = match &args.verb {
        None => program,
        Some(verb) => {
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
