//! Engines as the laboratory sees them: child processes that answer lines.

use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::LabError;
use crate::protocol::{Line, MAX_LINE, ProtocolError};
use crate::random::Draw;
use crate::reply::{Description, Measured, Reply, read_digest};
use crate::request::{Request, Task, Timing};

/// What an engine makes of a request that it understood.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer<T> {
    /// It did it.
    Done(T),
    /// Its library can't; the reason names what is lacking.
    Refused(String),
}

/// A running engine. Dropping it ends the process.
#[derive(Debug)]
pub struct Process {
    name: String,
    child: Child,
    input: Option<ChildStdin>,
    replies: Receiver<Vec<u8>>,
    last_words: Arc<Mutex<String>>,
    patience: Duration,
    /// The request that it gave no answer to, and for how many seconds: it was ended then.
    hung: Option<(String, u64)>,
}

impl Process {
    /// Starts `PROGRAM engine NAME [--lib PATH]`. A short request may take `patience`.
    ///
    /// # Errors
    /// [`LabError::Spawn`].
    pub fn start(
        program: &Path,
        name: &str,
        lib: Option<&Path>,
        patience: Duration,
    ) -> Result<Self, LabError> {
        let mut command = Command::new(program);
        command.arg("engine").arg(name);
        if let Some(lib) = lib {
            command.arg("--lib").arg(lib);
        }
        Self::spawn(command, name, patience)
    }

    /// Starts an engine that is a program of its own.
    ///
    /// # Errors
    /// [`LabError::Spawn`].
    pub fn spawn(mut command: Command, name: &str, patience: Duration) -> Result<Self, LabError> {
        // Ctrl-C goes to the whole group of a terminal. The laboratory wants to keep what it has,
        // and a child ends with its pipe.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let spawned = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| LabError::Spawn {
                engine: name.to_owned(),
                program: command.get_program().into(),
                source,
            });
        let mut child = spawned?;
        let (sender, replies) = channel();
        if let Some(output) = child.stdout.take() {
            thread::spawn(move || forward_lines(output, &sender));
        }
        let last_words = Arc::default();
        if let Some(errors) = child.stderr.take() {
            let last_words = Arc::clone(&last_words);
            thread::spawn(move || keep_last_line(errors, &last_words));
        }
        let input = child.stdin.take();
        Ok(Self { name: name.to_owned(), child, input, replies, last_words, patience, hung: None })
    }

    /// The engine's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks who it is and what it offers.
    ///
    /// # Errors
    /// [`LabError::EngineMissing`] with its own words if it ends instead of answering, and
    /// as [`check`](Self::check).
    pub fn describe(&mut self) -> Result<Description, LabError> {
        let answer = self.ask(&Request::Describe, self.patience, Description::read);
        match answer {
            Ok(Answer::Done(description)) => Ok(description),
            Ok(Answer::Refused(reason)) => Err(self.failed(&Request::Describe, reason)),
            Err(LabError::Died { engine, status, last_words, .. }) => {
                // An engine that can't be had says why and ends.
                let said = last_words.trim_start_matches("error: ");
                let own = format!("engine `{engine}` is missing: ");
                let how_to_get = match said.strip_prefix(&own) {
                    Some(rest) => rest.to_owned(),
                    None => format!("its program ended ({status}) and said: {said}"),
                };
                Err(LabError::EngineMissing { engine, how_to_get })
            }
            Err(error) => Err(error),
        }
    }

    /// Has the work done once; the digest of all outputs.
    ///
    /// # Errors
    /// [`LabError::Failed`] if the engine reports an error, [`LabError::Hang`],
    /// [`LabError::Died`] or [`LabError::Garbage`] if it must not be asked again.
    pub fn check(&mut self, task: &Task) -> Result<Answer<String>, LabError> {
        let patience = self.patience + work_time(task, 1);
        self.ask(&Request::Check(task.clone()), patience, read_digest)
    }

    /// Has random messages done; the digest of all outputs.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn random(&mut self, task: &Task, draw: Draw) -> Result<Answer<String>, LabError> {
        let patience = self.patience + work_time(task, draw.messages.into());
        self.ask(&Request::Random(task.clone(), draw), patience, read_digest)
    }

    /// Tells the digest of a task that another process of this engine has computed; whether it
    /// takes that. One that does not know the request goes on as before.
    ///
    /// # Errors
    /// [`LabError::Hang`], [`LabError::Died`] or [`LabError::Garbage`], as [`check`](Self::check).
    pub fn known(&mut self, task: &Task, digest: &str) -> Result<bool, LabError> {
        let request = Request::Known(task.clone(), digest.to_owned());
        match self.ask(&request, self.patience, |_| Ok(())) {
            Ok(answer) => Ok(matches!(answer, Answer::Done(()))),
            Err(LabError::Failed { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Has one series measured.
    ///
    /// # Errors
    /// As [`check`](Self::check).
    pub fn measure(&mut self, task: &Task, timing: Timing) -> Result<Answer<Measured>, LabError> {
        let request = Request::Measure(task.clone(), timing);
        let patience = self.patience + work_time(task, u64::from(timing.samples) + 4);
        self.ask(&request, patience, |line| Measured::read(line, &task.cell, timing.samples))
    }

    /// Whether the engine can't be asked anything more after this error.
    #[must_use]
    pub fn is_lost(error: &LabError) -> bool {
        !matches!(error, LabError::Failed { .. })
    }

    fn ask<T>(
        &mut self,
        request: &Request,
        patience: Duration,
        read: impl FnOnce(&Line) -> Result<T, ProtocolError>,
    ) -> Result<Answer<T>, LabError> {
        if let Some((request, seconds)) = &self.hung {
            // Whoever asks next shall read why it is gone, not that it is.
            let (engine, request) = (self.name.clone(), request.clone());
            return Err(LabError::Hang { engine, request, seconds: *seconds });
        }
        let sent = match &mut self.input {
            Some(input) => writeln!(input, "{request}").and_then(|()| input.flush()),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        if sent.is_err() {
            return Err(self.died(request));
        }
        let line = match self.replies.recv_timeout(patience) {
            Ok(line) => line,
            Err(RecvTimeoutError::Disconnected) => return Err(self.died(request)),
            Err(RecvTimeoutError::Timeout) => {
                self.stop();
                let (request, seconds) = (request.to_string(), patience.as_secs().max(1));
                self.hung = Some((request.clone(), seconds));
                return Err(LabError::Hang { engine: self.name.clone(), request, seconds });
            }
        };
        let text = String::from_utf8_lossy(&line);
        let garbage = |why: String| LabError::Garbage {
            engine: self.name.clone(),
            request: request.to_string(),
            reply: text.trim_end().chars().take(80).collect(),
            why,
        };
        if line.last() != Some(&b'\n') {
            return Err(garbage(format!("no line of at most {MAX_LINE} bytes")));
        }
        match text.parse::<Reply>().map_err(|error| garbage(error.to_string()))? {
            Reply::Ok(line) => {
                read(&line).map(Answer::Done).map_err(|error| garbage(error.to_string()))
            }
            Reply::Refused(reason) => Ok(Answer::Refused(reason)),
            Reply::Error(reason) => Err(self.failed(request, reason)),
        }
    }

    fn failed(&self, request: &Request, reason: String) -> LabError {
        LabError::Failed { engine: self.name.clone(), request: request.to_string(), reason }
    }

    fn died(&mut self, request: &Request) -> LabError {
        let status = match self.wait_briefly() {
            Some(status) => status.to_string(),
            None => "it went on without its pipes and was ended".to_owned(),
        };
        let said = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        LabError::Died {
            engine: self.name.clone(),
            request: request.to_string(),
            status,
            last_words: if said.is_empty() { "it said nothing".to_owned() } else { said },
        }
    }

    /// The exit status of a process whose output has ended; one that lives on without
    /// output is ended and has none of its own.
    fn wait_briefly(&mut self) -> Option<ExitStatus> {
        self.input = None;
        let end = Instant::now() + Duration::from_millis(500);
        while Instant::now() < end {
            // The thread that keeps the last line holds the other handle until it is done.
            if Arc::strong_count(&self.last_words) == 1
                && let Ok(Some(status)) = self.child.try_wait()
            {
                return Some(status);
            }
            thread::sleep(Duration::from_millis(5));
        }
        // Nobody could tell its own end from the one that `stop` gives it.
        let own = self.child.try_wait().ok().flatten();
        self.stop();
        own
    }

    fn stop(&mut self) {
        self.input = None;
        // It may have ended by itself: then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A generous time for calls on that much data: half a microsecond a byte.
fn work_time(task: &Task, calls: u64) -> Duration {
    let bytes = task.call_bytes().saturating_mul(u64::from(task.cell.messages));
    Duration::from_nanos(bytes.saturating_mul(500).saturating_mul(calls))
}

/// Sends whole lines; the last, without a line feed, is the start of one that is too long or
/// cut off.
fn forward_lines(output: impl Read, sender: &Sender<Vec<u8>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line);
        let whole = line.last() == Some(&b'\n');
        if !matches!(read, Ok(1..)) || sender.send(line).is_err() || !whole {
            return;
        }
    }
}

fn keep_last_line(errors: impl Read, last_words: &Mutex<String>) {
    let mut errors = BufReader::new(errors);
    loop {
        let mut line = Vec::new();
        match errors.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line) {
            Ok(1..) => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&line);
        if !text.trim().is_empty() {
            let short = text.trim().chars().take(300).collect();
            *last_words.lock().unwrap_or_else(PoisonError::into_inner) = short;
        }
    }
}
