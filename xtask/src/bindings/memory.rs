//! Programs that get no memory at one allocation or from one on. A library in Rust ends the process then
//! (SECURITY.md, "Where memory runs out"); what calls it may tell of it and end. No output is wrong, and
//! nothing ends by any other signal.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::quiet;
use crate::workspace;

const ABORTED: i32 = 6;
/// What Rust says before it ends a process.
const SAID: &str = "memory allocation of";

/// What takes the memory away, compiled into this folder.
pub(super) fn shim(folder: &Path) -> Result<PathBuf, String> {
    let shim = folder.join("memory.so");
    let mut compile = Command::new("gcc");
    compile.args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]).arg(&shim);
    quiet(compile.arg(workspace::root().join("cli/tests/faults/memory.c")))?;
    Ok(shim)
}

#[cfg(unix)]
fn signal(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// How the runs of a program ended.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Ends {
    pub(super) allocations: usize,
    /// As if nothing had been.
    pub(super) whole: usize,
    /// With an exit status that tells of it.
    pub(super) told: usize,
    /// By Rust.
    pub(super) aborted: usize,
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { allocations, whole, told, aborted } = self;
        let runs = whole + told + aborted;
        write!(
            f,
            "{allocations} allocations, {runs} runs, {whole} whole, {told} with an error, {aborted} ended by Rust"
        )
    }
}

impl Ends {
    /// Takes one more run, or says what is wrong with it.
    fn add(
        &mut self,
        (code, signal): (Option<i32>, Option<i32>),
        (output, wanted): (&[u8], &[u8]),
        said: &str,
    ) -> Result<(), String> {
        match (code, signal) {
            (Some(0), _) if output == wanted => self.whole += 1,
            (Some(0), _) => return Err("another output, and no error".into()),
            (Some(code), _) if code < 128 => self.told += 1,
            // An assertion ends a program by the same signal.
            (_, Some(ABORTED)) if said.contains(SAID) => self.aborted += 1,
            _ => return Err(format!("it ended with {code:?}, signal {signal:?}: {}", said.trim())),
        }
        Ok(())
    }
}

/// Which allocations of a program fail.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taken<'a> {
    /// Those that a shared object makes, by a part of its name; without it all of the program's.
    pub(super) from: Option<&'a str>,
    /// If there are more than so many, about so many of them, equally far apart.
    pub(super) most: usize,
    /// Whether all behind one fail, too, in another run.
    pub(super) behind: bool,
}

/// Runs a program with its allocations failing one after the other: each alone, and, if the
/// program lived on, all from it on.
pub(super) fn runs_out(
    program: impl Fn() -> Command,
    shim: &Path,
    taken: Taken<'_>,
) -> Result<Ends, String> {
    let log = shim.with_extension("count");
    let run = |at: usize, once: bool| {
        let mut command = program();
        command.env("LD_PRELOAD", shim).env("CIPHERLANE_FAIL_AT", at.to_string());
        if once {
            command.env("CIPHERLANE_FAIL_ONCE", "1");
        }
        if let Some(from) = taken.from {
            command.env("CIPHERLANE_FAIL_FROM", from);
        }
        let output = command.env("CIPHERLANE_FAIL_LOG", &log).stdin(Stdio::null()).output();
        output.map_err(|error| format!("{command:?}: {error}"))
    };
    let wanted = run(usize::MAX >> 1, false)?;
    if !wanted.status.success() {
        return Err(format!("with all memory: {}", String::from_utf8_lossy(&wanted.stderr)));
    }
    let count = std::fs::read_to_string(&log).ok().and_then(|text| text.parse().ok());
    let allocations = count.ok_or("the number of its allocations was not told")?;
    let mut ends = Ends { allocations, ..Ends::default() };
    for at in (1..=allocations).step_by(allocations.div_ceil(taken.most).max(1)) {
        for once in [true, false].into_iter().take(1 + usize::from(taken.behind)) {
            let ran = run(at, once)?;
            let said = String::from_utf8_lossy(&ran.stderr);
            let status = (ran.status.code(), signal(ran.status));
            let before = ends.aborted;
            ends.add(status, (&ran.stdout, &wanted.stdout), &said).map_err(|why| {
                let which = if once { "alone" } else { "and all behind it" };
                format!("allocation {at} of {allocations} {which}: {why}")
            })?;
            if ends.aborted > before {
                // What was behind it never came.
                break;
            }
        }
    }
    Ok(ends)
}

/// Takes memory from a program that uses a shared object of ours, at so many of that one's allocations at most.
pub(super) fn of_ours(
    program: impl Fn() -> Command,
    shim: &Path,
    object: &str,
    most: usize,
) -> Result<Ends, String> {
    let ends = runs_out(program, shim, Taken { from: Some(object), most, behind: true })?;
    if ends.aborted == 0 {
        return Err(format!("{ends}: no allocation of {object} ended it"));
    }
    Ok(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_three_ends_are_right() {
        let mut ends = Ends::default();
        let same = (&b"x"[..], &b"x"[..]);
        let other = (&b"y"[..], &b"x"[..]);
        assert_eq!(ends.add((Some(0), None), same, ""), Ok(()));
        assert_eq!(ends.add((Some(1), None), other, "no memory"), Ok(()));
        assert_eq!(ends.add((None, Some(6)), other, "memory allocation of 8 bytes failed"), Ok(()));
        assert!(ends.add((Some(0), None), other, "").is_err());
        assert!(ends.add((None, Some(6)), same, "Assertion failed").is_err());
        assert!(ends.add((None, Some(11)), same, "memory allocation of 8 bytes").is_err());
        let wanted = Ends { allocations: 0, whole: 1, told: 1, aborted: 1 };
        assert_eq!(ends, wanted);
    }
}
