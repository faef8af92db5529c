//! Errors as the user sees them: what is wrong, how to mend it, and an exit status.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anstream::eprintln;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use lab::LabError;
use lab::machines::RecordError;
use lab::report::ReportError;
use recipes::RecipeError;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// All is well.
    Done = 0,
    /// A check failed: outputs differ, a vector fails, files may not be compared.
    Failed = 1,
    /// Wrong arguments, or a file that is not what it should be.
    Usage = 2,
    /// Something is missing on this machine.
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
    help: Option<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, error: impl Into<String>, help: impl Into<String>) -> Self {
        Self { exit, error: error.into(), help: Some(help.into()) }
    }

    pub(crate) fn usage(error: impl Into<String>, help: impl Into<String>) -> Self {
        Self::new(Exit::Usage, error, help)
    }

    /// One that says nothing: there is no more to do, and who should know does.
    pub(crate) const fn silent(exit: Exit) -> Self {
        Self { exit, error: String::new(), help: None }
    }

    /// The same with more to say on what to do.
    pub(crate) fn adding(mut self, more: &str) -> Self {
        if !self.error.is_empty() {
            self.help = Some(self.help.map_or(more.to_owned(), |help| format!("{help}; {more}")));
        }
        self
    }

    /// The status it ends the program with.
    pub(crate) const fn exit(&self) -> Exit {
        self.exit
    }

    /// A message of the form `what is wrong; how to mend it`.
    fn split(exit: Exit, text: &str) -> Self {
        match text.split_once("; ") {
            Some((error, help)) => Self::new(exit, error, help),
            None => Self { exit, error: text.to_owned(), help: None },
        }
    }

    /// Prints the error unless there is none, as when nobody reads the output any more.
    pub(crate) fn report(&self) -> Exit {
        if !self.error.is_empty() {
            print_error(&self.error);
            if let Some(help) = &self.help {
                print_help(help);
            }
        }
        self.exit
    }
}

/// One `error: …` line on standard error.
pub(crate) fn print_error(text: &str) {
    eprintln!("\x1b[1;31merror\x1b[0m: {}", one_line(text));
}

/// One `help: …` line on standard error.
pub(crate) fn print_help(text: &str) {
    eprintln!("\x1b[36mhelp\x1b[0m: {}", one_line(text));
}

/// One `note: …` line on standard error.
pub(crate) fn print_note(text: &str) {
    eprintln!("\x1b[36mnote\x1b[0m: {}", one_line(text));
}

/// Line breaks as blanks and control characters as `?`, whatever an engine or a file said.
fn one_line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        let exit = match error {
            LabError::MixedMachines { .. }
            | LabError::MixedClocks { .. }
            | LabError::NothingInCommon => Exit::Failed,
            LabError::Value { .. }
            | LabError::UnknownFilter { .. }
            | LabError::NothingToMeasure { .. }
            | LabError::Study { .. }
            | LabError::Results { .. } => Exit::Usage,
            _ => Exit::Environment,
        };
        match error {
            LabError::EngineMissing { engine, how_to_get } => {
                Self::new(exit, format!("engine `{engine}` is missing"), how_to_get)
            }
            other => Self::split(exit, &other.to_string()),
        }
    }
}

impl From<ReportError> for Failure {
    fn from(error: ReportError) -> Self {
        let exit = match error {
            ReportError::Truncated { .. } | ReportError::Invalid { .. } => Exit::Usage,
            _ => Exit::Environment,
        };
        Self::new(exit, error.to_string(), error.remedy())
    }
}

impl From<RecordError> for Failure {
    fn from(error: RecordError) -> Self {
        let exit = match error {
            RecordError::Partial | RecordError::Disturbed { .. } => Exit::Failed,
            RecordError::Invalid { .. } => Exit::Usage,
            _ => Exit::Environment,
        };
        let text = error.to_string();
        // The remedy comes last; what a parser said may have the same mark in it.
        match text.rsplit_once("; ") {
            Some((error, help)) => Self::new(exit, error, help),
            None => Self::split(exit, &text),
        }
    }
}

impl From<&RecipeError> for Failure {
    fn from(error: &RecipeError) -> Self {
        let text = error.to_string();
        // The remedy comes last; what a command said may have the same mark in it.
        match text.rsplit_once("; ") {
            Some((error, help)) => Self::new(Exit::Environment, error, help),
            None => Self::split(Exit::Environment, &text),
        }
    }
}

impl From<cipherlane::LevelError> for Failure {
    fn from(error: cipherlane::LevelError) -> Self {
        let exit = match error {
            cipherlane::LevelError::Unknown(_) => Exit::Usage,
            _ => Exit::Environment,
        };
        Self::split(exit, &error.to_string())
    }
}

/// Writing to standard output failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // The reader has what it wanted, as with `| head`.
            return Self::silent(Exit::Done);
        }
        Self::new(
            Exit::Environment,
            format!("can't write to standard output: {error}"),
            "check where the output goes",
        )
    }
}

/// Answers a command line that clap refused, or that asked for help; `verbs` names the verbs.
pub(crate) fn usage(error: &clap::Error, verbs: fn() -> Vec<String>) -> Exit {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let mut out = anstream::stdout().lock();
            match write!(out, "{}", error.render().ansi()).and_then(|()| out.flush()) {
                Ok(()) => Exit::Done,
                Err(error) => Failure::from(error).report(),
            }
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            eprintln!("{}", error.render().ansi());
            Exit::Usage
        }
        _ => from_clap(error, verbs).report(),
    }
}

/// clap's several lines as one, with the allowed values or the nearest name as remedy.
fn from_clap(error: &clap::Error, verbs: fn() -> Vec<String>) -> Failure {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(value)) => Some(value.clone()),
        Some(ContextValue::Strings(values)) if !values.is_empty() => Some(values.join(", ")),
        _ => None,
    };
    let line = match (error.kind(), context(ContextKind::InvalidArg)) {
        (ErrorKind::MissingRequiredArgument, Some(missing)) => format!("{missing} is missing"),
        _ => line.to_owned(),
    };
    let suggested =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let given =
        [ContextKind::InvalidArg, ContextKind::InvalidSubcommand, ContextKind::InvalidValue]
            .into_iter()
            .filter_map(context)
            .next_back()
            .unwrap_or_default();
    // clap names several where one is nearer than the others.
    let nearest = |names: String| {
        let distance = |name: &&str| strsim::damerau_levenshtein(&given, name);
        names.split(", ").min_by_key(distance).map(str::to_owned)
    };
    let near = suggested.into_iter().find_map(context).and_then(nearest);
    let near = near.map(|near| format!("did you mean {near}?"));
    let allowed = [ContextKind::ValidValue, ContextKind::ValidSubcommand].into_iter();
    let allowed = allowed.filter_map(context).next().map(|list| format!("allowed: {list}"));
    let help = match (near, allowed) {
        (Some(near), Some(allowed)) => format!("{near} {allowed}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => {
            let verb =
                std::env::args().nth(1).filter(|word| verbs().iter().any(|name| name == word));
            format!("see `cipherlane {}--help`", verb.map_or(String::new(), |v| format!("{v} ")))
        }
    };
    Failure::usage(line, help)
}
