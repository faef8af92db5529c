//! `keygen`: a new key for `encrypt`.

use std::path::PathBuf;

use container::MasterKey;

use crate::args::help;
use crate::failure::{Exit, Failure, print_note};
use crate::files::target::{Access, Target, There, Wish};
use crate::files::{keys, names};

/// Make a key for encrypt: 256 random bits as text
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Make a key for encrypt: 256 random bits as text\n\n\
        The file is made so that only its owner can read it, and one that is there is never \
        replaced: what was encrypted with its key would be lost. `mac` and `raw` take keys as \
        other programs have them, bare hexadecimal digits of the cipher's length, with --raw-key.",
    after_help = help!(
        "  cipherlane keygen -o my.key
  (umask 077; cipherlane keygen > my.key)"
    )
)]
pub(crate) struct Args {
    /// The file, which only its owner may read [default: standard output]
    #[arg(short, long, value_name = "FILE", default_value = "-")]
    output: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let wish =
        Wish { there: There::KeptAlways, binary: false, held_back: false, access: Access::Owner };
    let mut target = Target::begin(&args.output, wish)?;
    if names::is_stream(&args.output) && stdout_is_public() {
        print_note(
            "others can read the file that standard output goes to, and so the key: give -o, or \
             take their permission away with chmod",
        );
    }
    let key = MasterKey::from_bytes(keys::random()?);
    target.write(keys::text(&key).as_bytes())?;
    target.finish()?;
    Ok(Exit::Done)
}

/// Whether standard output is a file that others than its owner may read.
#[cfg(unix)]
fn stdout_is_public() -> bool {
    use std::fs::File;
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::PermissionsExt as _;

    let file = std::io::stdout().as_fd().try_clone_to_owned().map(File::from);
    let metadata = file.and_then(|file| file.metadata());
    metadata.is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn stdout_is_public() -> bool {
    false
}
