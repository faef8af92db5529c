//! The verbs of the program.

use clap::{Parser, Subcommand};

use crate::cmd;

/// What every help ends with.
macro_rules! help {
    ($examples:literal) => {
        concat!(
            "Examples:\n",
            $examples,
            "\n\nExit status: 0 done; 1 a check failed (outputs or files differ, a file changed \
             meanwhile); 2 wrong usage or input; 3 something is missing here (engine, level, file, \
             permission). INT, TERM and HUP end it by that signal, after cleaning up: a shell says \
             130, 143 or 129"
        )
    };
}
pub(crate) use help;

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
    Report(cmd::report::Args),
    Compare(cmd::compare::Args),
    Floor(cmd::floor::Args),
    Engine(cmd::engine::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
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
            | Self::Doctor(_) => true,
            Self::List(_)
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
}

/// The option of every verb that prints data.
#[derive(Debug, clap::Args)]
pub(crate) struct Json {
    /// Print JSON instead of text
    #[arg(long)]
    pub(crate) json: bool,
}

/// A language of the reports.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum Language {
    /// English
    #[default]
    En,
    /// Chinese
    Zh,
}

impl From<Language> for lab::study::Lang {
    fn from(language: Language) -> Self {
        match language {
            Language::En => Self::En,
            Language::Zh => Self::Zh,
        }
    }
}
