//! `columns`: runs the program `cipherlane-columns`, which is built by itself: the formats of tables
//! are crates that nobody else should have to compile.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use crate::args::help;
use crate::failure::{Exit, Failure};

/// What that program is called.
const PROGRAM: &str = "cipherlane-columns";

/// Encrypt, decrypt, convert, check or diagnose columns of CSV, JSON, Parquet and Arrow files
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Encrypt, decrypt, convert, check or diagnose columns of CSV, JSON lines, Parquet and \
        Arrow files\n\n\
        Columns in the dialects of databases and middleware, see `cipherlane dialects`. This runs the \
        program cipherlane-columns, beside this one or in PATH, which is built by itself:\n\n  \
        cargo build --release --manifest-path columns/Cargo.toml\n\n\
        `cipherlane columns VERB --help` is its own help.",
    after_help = help!(
        "  cipherlane columns doctor --column phone --raw-key key.txt --key-text people.csv
  cipherlane columns decrypt --column phone --dialect mysql-aes --coding hex --raw-key key.txt \\
      --key-text people.csv -o people.parquet"
    )
)]
pub(crate) struct Args {
    /// Its verb and what goes with that: encrypt, decrypt, convert, check, doctor
    #[arg(
        required = true,
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "VERB"
    )]
    arguments: Vec<OsString>,
}

/// The program beside this one, else by its name alone, which is looked for in PATH.
fn program() -> PathBuf {
    let name = format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX);
    let beside = std::env::current_exe().ok().map(|it| it.with_file_name(&name));
    beside.filter(|it| it.is_file()).unwrap_or_else(|| name.into())
}

pub(crate) fn run(args: &Args) -> Result<Exit, Failure> {
    let mut command = Command::new(program());
    command.args(&args.arguments);
    let error = start(&mut command)?;
    if error.kind() == std::io::ErrorKind::NotFound {
        let error = format!("{PROGRAM} is neither beside this program nor in PATH");
        let help = "build it: cargo build --release --manifest-path columns/Cargo.toml, and copy \
                    columns/target/release/cipherlane-columns beside this program";
        return Err(Failure::new(Exit::Environment, error, help));
    }
    let error = format!("can't run {PROGRAM}: {error}");
    Err(Failure::new(Exit::Environment, error, "check its permissions"))
}

/// Becomes the program, so that signals and exit statuses are its own; what came back is an error.
#[cfg(unix)]
fn start(command: &mut Command) -> Result<std::io::Error, Failure> {
    use std::os::unix::process::CommandExt as _;
    Ok(command.exec())
}

/// Runs the program and ends as it does; what came back is an error.
#[cfg(not(unix))]
fn start(command: &mut Command) -> Result<std::io::Error, Failure> {
    match command.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => Ok(error),
    }
}
