//! `keygen`: a new key for `encrypt`.

use std::path::PathBuf;

use container::MasterKey;

use crate::args::help;
use crate::failure::{Exit, Failure};
use crate::files::keys;
use crate::files::target::Target;

/// Make a key for encrypt and mac: 256 random bits as text
#[derive(Debug, clap::Args)]
#[command(after_help = help!(
    "  cipherlane keygen -o my.key
  cipherlane keygen > my.key"
))]
pub(crate) struct Args {
    /// The file, which only its owner may read [default: standard output]
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let key = MasterKey::from_bytes(keys::random()?);
    let mut target = Target::begin(&args.output, false, false)?;
    target.write(keys::text(&key).as_bytes())?;
    target.only_for_its_owner()?;
    target.finish()?;
    Ok(Exit::Done)
}
