//! Errors as users see them: what is wrong, how to mend it, and an exit status, the same as those of
//! the program `cipherlane`.

use std::path::Path;
use std::process::ExitCode;

use anstream::eprintln;
use clap::error::ErrorKind;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well.
    Done = 0,
    /// Cells did not open, or nothing can be told.
    Failed = 1,
    /// Wrong arguments, or a file that is not what it should be.
    Usage = 2,
    /// Something is missing on this machine: a file, a permission, room on the disk.
    Environment = 3,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error of one line, with its remedy.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    error: String,
    help: String,
}

impl Failure {
    pub(crate) fn new(exit: Exit, error: impl Into<String>, help: impl Into<String>) -> Self {
        Self { exit, error: error.into(), help: help.into() }
    }

    pub(crate) fn usage(error: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Exit::Usage, error, help)
    }

    /// One that says nothing: a signal ends the program, and says so itself.
    pub(crate) const fn silent() -> Self {
        Self { exit: Exit::Failed, error: String::new(), help: String::new() }
    }

    /// What the system says of a file.
    pub(crate) fn io(verb: &str, path: &Path, error: &std::io::Error) -> Self {
        use std::io::ErrorKind as Kind;
        let help = match error.kind() {
            Kind::NotFound => "check its name",
            Kind::PermissionDenied => "check its permissions, and those of its folder",
            Kind::StorageFull | Kind::FileTooLarge | Kind::QuotaExceeded => {
                "make room, or name an output on another disk; nothing half-written is left"
            }
            _ => "check the file and its disk; nothing half-written is left",
        };
        Self::new(Exit::Environment, format!("can't {verb} {}: {error}", path.display()), help)
    }

    /// An error of a dialect as its users meet it.
    pub(crate) fn dialect(error: &dialects::Error) -> Self {
        let exit = if error.of_value() { Exit::Failed } else { Exit::Usage };
        Self::new(exit, error.to_string(), error.remedy())
    }

    /// Prints the error; what the program then ends with.
    pub(crate) fn report(&self) -> Exit {
        if !self.error.is_empty() {
            eprintln!("\x1b[1;31merror\x1b[0m: {}", one_line(&self.error));
            eprintln!("\x1b[36mhelp\x1b[0m: {}", one_line(&self.help));
        }
        self.exit
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.error)
    }
}

/// One `note: …` line on standard error.
pub(crate) fn note(text: &str) {
    eprintln!("\x1b[36mnote\x1b[0m: {}", one_line(text));
}

/// Line breaks as blanks and control characters as `?`, whatever a file said.
pub(crate) fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

/// Answers a command line that clap refused, or that asked for help.
pub(crate) fn usage(error: &clap::Error) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let _ = error.print();
            Exit::Done
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            Exit::Usage
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = match error.get(clap::error::ContextKind::InvalidArg) {
                Some(clap::error::ContextValue::Strings(names)) => names.join(", "),
                Some(clap::error::ContextValue::String(name)) => name.clone(),
                _ => "an argument".to_owned(),
            };
            Failure::usage(format!("{missing} is missing"), "see --help of the verb").report()
        }
        _ => {
            let text = error.render().to_string();
            let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let first = lines.next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            let more = lines.find(|line| line.starts_with('[') || line.starts_with("tip:"));
            Failure::usage(first, more.unwrap_or("see --help of the verb")).report()
        }
    }
}
