//! Programs that are not ours.

use std::process::{Command, Stdio};

/// Whether a program is there.
pub(super) fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}
