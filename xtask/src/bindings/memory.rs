//! Programs that get no memory at one allocation or from one on: of the library for C, of the provider for OpenSSL,
//! or of the whole program. They go on, or say so and end by themselves (SECURITY.md, "Where memory runs out"). No
//! output is wrong, and nothing ends by a signal, Rust's own included.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use super::quiet;
use crate::workspace;

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
}

impl fmt::Display for Ends {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { allocations, whole, told } = self;
        let runs = whole + told;
        write!(f, "{allocations} allocations, {runs} runs, {whole} whole, {told} with an error")
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
            ends.add(status, (&ran.stdout, &wanted.stdout), &said).map_err(|why| {
                let which = if once { "alone" } else { "and all behind it" };
                format!("allocation {at} of {allocations} {which}: {why}")
            })?;
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
    some_refused(&ends, object)?;
    Ok(ends)
}

/// Every program here makes objects, whose memory was taken in some of the runs.
fn some_refused(ends: &Ends, object: &str) -> Result<(), String> {
    match ends.told {
        0 => Err(format!("{ends}: no allocation of {object} was refused")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_ends_are_right() {
        let mut ends = Ends::default();
        let same = (&b"x"[..], &b"x"[..]);
        let other = (&b"y"[..], &b"x"[..]);
        assert_eq!(ends.add((Some(0), None), same, ""), Ok(()));
        assert_eq!(ends.add((Some(1), None), other, "no memory"), Ok(()));
        assert!(ends.add((Some(0), None), other, "").is_err());
        let by_rust = "memory allocation of 8 bytes failed";
        assert!(ends.add((None, Some(6)), other, by_rust).is_err(), "ended by Rust");
        assert!(ends.add((Some(134), None), other, by_rust).is_err(), "the same through a shell");
        assert!(ends.add((None, Some(6)), same, "Assertion failed").is_err());
        assert!(ends.add((None, Some(11)), same, "").is_err());
        assert_eq!(ends, Ends { allocations: 0, whole: 1, told: 1 });
    }

    #[test]
    fn a_shim_that_refuses_nothing_is_noticed() {
        let ends = |told| Ends { allocations: 9, whole: 9, told };
        assert!(some_refused(&ends(0), "libcipherlane.so").is_err());
        assert_eq!(some_refused(&ends(1), "libcipherlane.so"), Ok(()));
    }
}
