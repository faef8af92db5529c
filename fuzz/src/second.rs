//! The second reader of files: `second_reader.py`, one process that answers all that is asked.

use std::io::{BufReader, Read as _, Write as _};
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, Mutex};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/second_reader.py");
/// Names another interpreter.
const PYTHON: &str = "CIPHERLANE_PYTHON";
const REMEDY: &str = "python3 with `pip install cryptography`, or CIPHERLANE_PYTHON=INTERPRETER";
/// What the script ends with where something that it needs is missing.
const MISSING: i32 = 3;

struct Second {
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// None where Python is not there or lacks something: that was said then.
static SECOND: LazyLock<Option<Mutex<Second>>> = LazyLock::new(|| {
    let started = start();
    if let Err(reason) = &started {
        eprintln!("SKIP: the second reader of files: {reason} ({REMEDY})");
    }
    started.ok().map(Mutex::new)
});

fn start() -> Result<Second, String> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let mut command = Command::new(&python);
    command.args(["-u", SCRIPT]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", python.display()))?;
    let requests = child.stdin.take().expect("its standard input");
    let answers = BufReader::new(child.stdout.take().expect("its standard output"));
    let mut second = Second { requests, answers };
    // Nothing is written before it says that it is there: a pipe that nobody reads ends this process.
    if second.answer().is_ok() {
        return Ok(second);
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    // Anything else is a fault of the script, which must not pass for a machine without Python.
    assert_eq!(status.code(), Some(MISSING), "{SCRIPT} ended with {status}");
    Err(format!("{} lacks what {SCRIPT} needs", python.display()))
}

impl Second {
    fn read(&mut self, file: &[u8], key: [u8; 32]) -> std::io::Result<Option<Vec<u8>>> {
        let len = u32::try_from(key.len() + file.len()).expect("a short file");
        self.requests.write_all(&[&len.to_be_bytes()[..], &key, file].concat())?;
        self.answer()
    }

    fn answer(&mut self) -> std::io::Result<Option<Vec<u8>>> {
        let mut verdict = [0];
        self.answers.read_exact(&mut verdict)?;
        if verdict == *b"R" {
            return Ok(None);
        }
        assert_eq!(verdict, *b"P", "{SCRIPT} answers something else");
        let mut len = [0; 4];
        self.answers.read_exact(&mut len)?;
        let mut plain = vec![0; u32::from_be_bytes(len) as usize];
        self.answers.read_exact(&mut plain)?;
        Ok(Some(plain))
    }
}

/// Whether there is a second reader on this machine.
pub(crate) fn is_there() -> bool {
    SECOND.is_some()
}

/// What it makes of a file, nothing where it refuses it; an error says that it ended.
pub(crate) fn read(file: &[u8], key: [u8; 32]) -> std::io::Result<Option<Vec<u8>>> {
    let second = SECOND.as_ref().expect("is_there was asked");
    second.lock().expect("nobody broke off in between").read(file, key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_vectors_of_the_format() {
        if !is_there() {
            return;
        }
        let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
        let vectors = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/container/tests/files.json");
        let output = Command::new(python).args([SCRIPT, "--vectors", vectors]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains(", 0 wrong"), "{said}");
    }
}
