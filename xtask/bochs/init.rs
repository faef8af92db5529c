//! The first process of the emulated machine: runs a program, passes on what it says, and says on the
//! serial port how it ended. `cargo xtask bochs` and `prove-bochs` compile it by itself and read what it
//! says: the lines are counted, so that none that the port or the kernel spoiled is missed.
#![forbid(unsafe_code)]

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};

/// Runs the program; how many lines it said, and how it ended.
fn run() -> std::io::Result<(usize, ExitStatus)> {
    if fs::exists("/busybox")? {
        // For programs that ask the system what they are.
        Command::new("/busybox").args(["mount", "-t", "proc", "none", "/proc"]).status()?;
    }
    let mut program = Command::new("/program");
    program.args(fs::read_to_string("/arguments")?.lines());
    if let Ok(levels) = fs::read_to_string("/levels") {
        program.env("CIPHERLANE_TEST_LEVELS", levels);
    }
    let mut child = program.stdout(Stdio::piped()).spawn()?;
    let mut count = 0;
    if let Some(out) = child.stdout.take() {
        for line in BufReader::new(out).lines() {
            println!("{}", line?);
            count += 1;
        }
    }
    Ok((count, child.wait()?))
}

fn main() {
    match run() {
        Ok((lines, status)) => {
            println!("== lines {lines}");
            if status.success() {
                println!("== passed");
            } else {
                println!("== failed: {status}");
            }
        }
        Err(error) => println!("== failed: {error}"),
    }
    println!("== end");
    loop {
        std::thread::park();
    }
}
