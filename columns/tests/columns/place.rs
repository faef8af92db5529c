//! A folder with a key, and the program run in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The text of the key that most tests have.
pub(crate) const KEY: &str = "0123456789abcdef";

/// Numbers that are the same in every run (xorshift64*).
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 56) as u8).collect()
    }
}

pub(crate) struct Place(TempDir);

impl Place {
    /// An empty folder but for `key.txt`.
    pub(crate) fn new() -> Self {
        let place = Self(TempDir::new().unwrap());
        place.write("key.txt", KEY);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All names in it, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with the words of a line, in this folder.
    pub(crate) fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cipherlane-columns"));
        command.args(line.split_whitespace()).current_dir(self.0.path());
        command.env_remove("CIPHERLANE_LEVEL").env("NO_COLOR", "1");
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn run(&self, line: &str) -> Done {
        Done { output: self.command(line).output().unwrap(), line: line.to_owned() }
    }
}

/// A run that has ended.
pub(crate) struct Done {
    output: Output,
    line: String,
}

impl Done {
    pub(crate) fn stdout(&self) -> String {
        String::from_utf8(self.output.stdout.clone()).unwrap()
    }

    pub(crate) fn stderr(&self) -> String {
        String::from_utf8(self.output.stderr.clone()).unwrap()
    }

    /// It must have ended so.
    #[track_caller]
    pub(crate) fn code(self, code: i32) -> Self {
        let (got, line) = (self.output.status.code(), &self.line);
        assert_eq!(got, Some(code), "{line}\n{}{}", self.stdout(), self.stderr());
        self
    }

    /// It must have said so.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        let stderr = self.stderr();
        assert!(stderr.contains(text), "{}: no `{text}` in\n{stderr}", self.line);
        self
    }

    /// Its summary.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout()).unwrap_or_else(|_| panic!("{}", self.stdout()))
    }
}
