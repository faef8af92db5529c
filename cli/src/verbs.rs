//! The verbs of the program.

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::args::help;
use crate::cmd;
use crate::failure::{Exit, Failure};
use crate::output::Output;

/// Fast symmetric ciphers in software, and the laboratory that proves how fast.
#[derive(Debug, Parser)]
#[command(
    name = "cipherlane",
    version,
    arg_required_else_help = true,
    subcommand_required = true,
    after_help = help!(
        "  cipherlane bench               how fast the ciphers run here, beside other engines
  cipherlane bench sm4/ctr       one operation, every length
  cipherlane verify              all published test vectors at every level"
    ),
    after_long_help = concat!(
        help!(
            "  cipherlane bench               how fast the ciphers run here, beside other engines
  cipherlane bench sm4/ctr       one operation, every length
  cipherlane verify              all published test vectors at every level"
        ),
        "\n\nEnvironment: CIPHERLANE_LEVEL caps the instruction-set level; NO_COLOR switches colour off"
    )
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    List(cmd::list::Args),
    Engines(cmd::engines::Args),
    Verify(cmd::verify::Args),
    SelfTest(cmd::self_test::Args),
    Bench(Box<cmd::bench::Args>),
    Study(cmd::study::Args),
    Encrypt(cmd::encrypt::Args),
    Decrypt(cmd::decrypt::Args),
    Inspect(cmd::inspect::Args),
    Keygen(cmd::keygen::Args),
    Mac(cmd::mac::Args),
    Raw(Box<cmd::raw::Args>),
    Doctor(Box<cmd::doctor::Args>),
    Dialects(cmd::dialects::Args),
    Columns(cmd::columns::Args),
    Report(cmd::report::Args),
    Compare(cmd::compare::Args),
    Floor(cmd::floor::Args),
    Engine(cmd::engine::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

impl Cli {
    /// The names of the verbs.
    pub(crate) fn names() -> Vec<String> {
        Self::command().get_subcommands().map(|verb| verb.get_name().to_owned()).collect()
    }
}

impl Verb {
    /// Whether it works with keys of its user.
    pub(crate) const fn has_keys(&self) -> bool {
        match self {
            Self::Encrypt(_)
            | Self::Decrypt(_)
            | Self::Keygen(_)
            | Self::Mac(_)
            | Self::Raw(_)
            | Self::Columns(_)
            | Self::Doctor(_) => true,
            Self::List(_)
            | Self::Dialects(_)
            | Self::Engines(_)
            | Self::Verify(_)
            | Self::SelfTest(_)
            | Self::Bench(_)
            | Self::Study(_)
            | Self::Inspect(_)
            | Self::Report(_)
            | Self::Compare(_)
            | Self::Floor(_)
            | Self::Engine(_)
            | Self::Completions(_)
            | Self::Man(_) => false,
        }
    }

    /// Does what it is asked to.
    pub(crate) fn run(self, out: &mut Output) -> Result<Exit, Failure> {
        match self {
            Self::List(args) => cmd::list::run(&args, out),
            Self::Engines(args) => cmd::engines::run(&args, out),
            Self::Verify(args) => cmd::verify::run(&args, out),
            Self::SelfTest(args) => cmd::self_test::run(&args, out),
            Self::Bench(args) => cmd::bench::run(&args, out),
            Self::Study(args) => cmd::study::run(&args, out),
            Self::Encrypt(args) => cmd::encrypt::run(&args),
            Self::Decrypt(args) => cmd::decrypt::run(&args),
            Self::Inspect(args) => cmd::inspect::run(&args, out),
            Self::Keygen(args) => cmd::keygen::run(&args),
            Self::Mac(args) => cmd::mac::run(&args, out),
            Self::Raw(args) => cmd::raw::run(&args),
            Self::Doctor(args) => cmd::doctor::run(&args, out),
            Self::Dialects(args) => cmd::dialects::run(&args, out),
            Self::Columns(args) => cmd::columns::run(&args),
            Self::Report(args) => cmd::report::run(&args, out),
            Self::Compare(args) => cmd::compare::run(&args, out),
            Self::Floor(args) => cmd::floor::run(&args, out),
            Self::Engine(args) => cmd::engine::run(&args),
            Self::Completions(args) => cmd::completions::run(&args, &mut Cli::command(), out),
            Self::Man(args) => cmd::man::run(&args, Cli::command(), out),
        }
    }
}
