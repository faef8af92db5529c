//! What a kept run tells of where it ran: the processor, the date, the sources.

use std::fs;
use std::process::Command;

use crate::workspace;

/// The folder whose tree in git is what the hash is of: library, container, objects and dialects.
const SOURCES: &str = "crates";

/// The processor, with what tells it from others of its name.
pub(crate) fn cpu() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = text.lines().find(|line| line.split(':').next().map(str::trim) == Some(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let name = field("model name").unwrap_or_else(|| "an unnamed CPU".into());
    match (field("cpu family"), field("model")) {
        (Some(family), Some(model)) => format!("{name} (family {family}, model {model})"),
        _ => name,
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.current_dir(workspace::root()).args(arguments);
    workspace::output(&mut command).ok().map(|text| text.trim().to_owned())
}

/// The hash of the sources that stand there.
pub(crate) fn sources() -> String {
    let hash = git(&["rev-parse", "--short=10", &format!("HEAD:{SOURCES}")]);
    let dirty = git(&["status", "--porcelain", "--", SOURCES]).is_some_and(|it| !it.is_empty());
    hash.unwrap_or_else(|| "unknown".into()) + if dirty { "+" } else { "" }
}

/// The date, in UTC.
pub(crate) fn today() -> Result<String, String> {
    let date = workspace::output(Command::new("date").args(["-u", "+%Y-%m-%d"]))?;
    Ok(date.trim().into())
}
