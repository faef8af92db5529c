//! The ladder of a machine that is emulated, or of this one with 32 bits: what no process here can
//! open runs as a program, which does and times what lines ask. `lab/engines/ladder-c/once.c` says which lines it knows.

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use lab::reply::Description;
use lab::work::{Data, Elsewhere, Engine, Fault, Keys, Message, Notes, Refusal, Run};
use lab::{Cell, LabError, Mix, Model, canary};

use super::{Facts, offers};
use crate::hexadecimal;
use crate::program::Built;

/// The rungs of one emulated machine.
pub(crate) struct Emulated {
    description: Description,
    program: RefCell<Running>,
}

impl Emulated {
    /// Starts the program of that path, or the one in the cache.
    pub(crate) fn open(built: Built, lib: Option<&Path>) -> Result<Self, LabError> {
        let found = built.find(lib)?;
        let missing = |why: String| built.missing(&why);
        let mut command = found.command();
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let child = piped.map_err(|error| missing(format!("it can't be started: {error}")))?;
        let mut program = Running::new(child).ok_or_else(|| missing("it has no pipes".into()))?;
        let about = program.ask("about").map_err(missing)?;
        let (version, build) = about.split_once(' ').unwrap_or((&about, ""));
        let rungs = program.ask("rungs").map_err(missing)?;
        let rungs: Option<Vec<Facts>> = rungs.split(' ').map(facts).collect();
        let rungs = rungs.ok_or_else(|| missing("it lists no rungs".to_owned()))?;
        let description = Description {
            engine: built.engine.to_owned(),
            version: version.to_owned(),
            build: build.to_owned(),
            path: found.path.display().to_string(),
            offers: offers(rungs),
            known_wrong: Vec::new(),
        };
        Ok(Self { description, program: RefCell::new(program) })
    }

    fn ask(&self, line: &str) -> Result<String, String> {
        self.program.borrow_mut().ask(line)
    }

    /// Begins a message of a cell: its output, or why it can't be done.
    fn begin(&self, cell: &Cell, key: &[u8], iv: &[u8], data: &[u8]) -> Result<String, String> {
        let Cell { algorithm, operation, level, placement, .. } = cell;
        let [key, iv, data] = [key, iv, data].map(hex);
        self.ask(&format!("{algorithm} {operation} {level} {placement} {key} {iv} {data}"))
    }
}

/// The rung of an item such as `sm4:ecb-encrypt:baseline:16:0:16:1:0`.
fn facts(item: &str) -> Option<Facts> {
    let parts: Vec<&str> = item.split(':').collect();
    let [algorithm, operation, name, key, iv, granule, latency, tag] = parts[..] else {
        return None;
    };
    Some(Facts {
        names: [algorithm, operation, name].map(str::to_owned),
        key_bytes: key.parse().ok()?,
        iv_bytes: iv.parse().ok()?,
        granule: granule.parse().ok()?,
        latency: latency == "1",
        tag_bytes: tag.parse().ok()?,
    })
}

/// Bytes in hexadecimal, `-` for none.
fn hex(bytes: &[u8]) -> String {
    if bytes.is_empty() { "-".to_owned() } else { hexadecimal::text(bytes) }
}

/// The steps of a call, as the program names them.
fn steps(model: Model) -> &'static str {
    match model {
        Model::Init => "ks",
        Model::Key => "k",
        Model::Stream => "p",
        Model::Packet => "ksp",
        Model::Message | Model::Latency | Model::Batch => "sp",
    }
}

impl Engine for Emulated {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        self.begin(cell, keys.key(0), keys.iv(0), &[])?;
        run(&mut |message: Message<'_>| {
            let Message { key, iv, data, tag, .. } = message;
            let output = match cell.model {
                Model::Stream => self.ask(&format!("more {}", hex(data.input()))),
                _ => self.begin(cell, key, iv, data.input()),
            };
            let output = output.ok().and_then(|text| hexadecimal::bytes(&text));
            let place = match data {
                _ if !tag.is_empty() => tag,
                Data::InPlace(data) | Data::Disjoint(_, data) => data,
            };
            match output {
                Some(output) if output.len() == place.len() => place.copy_from_slice(&output),
                // A set-up alone has no message, and so no tag.
                Some(_) if cell.model.is_setup() => {}
                _ => return Err("the emulated rung"),
            }
            Ok(())
        });
        Ok(Notes::default())
    }

    /// The same message again and again: what an emulator does depends on no cache and no branch
    /// predictor that would learn it, and the messages of the studies are too long to be learnt.
    fn elsewhere(
        &self,
        cell: &Cell,
        message: Message<'_>,
    ) -> Result<Option<Box<dyn Elsewhere + '_>>, Refusal> {
        if cell.mix != Mix::Equal {
            return Err("a ladder in a program of its own is not timed on a mix of lengths".into());
        }
        self.begin(cell, message.key, message.iv, message.data.input())?;
        // What two readings of its clock with nothing between are apart.
        let none = numbers(&self.ask("time - 1 1000")?);
        let overhead = none.iter().min().copied().unwrap_or(0);
        let steps = steps(cell.one_by_one().model);
        let messages = u64::from(cell.messages);
        Ok(Some(Box::new(There { engine: self, steps, messages, overhead })))
    }
}

/// A message that is timed.
struct There<'e> {
    engine: &'e Emulated,
    steps: &'static str,
    /// Messages a call.
    messages: u64,
    overhead: u64,
}

impl Elsewhere for There<'_> {
    fn samples(&self, calls: u64, samples: u32) -> Result<Vec<u64>, Fault> {
        let (steps, calls) = (self.steps, calls.saturating_mul(self.messages));
        let told = self.engine.ask(&format!("time {steps} {calls} {samples}"));
        let times = numbers(&told.map_err(|_reason| "the emulated rung")?);
        if times.len() != samples as usize {
            return Err("the emulated clock");
        }
        Ok(times.iter().map(|time| time.saturating_sub(self.overhead).max(1)).collect())
    }

    fn switches(&self) -> Option<u64> {
        // It waits for each line, which is no interruption.
        let program = self.engine.program.borrow();
        let turns = canary::switches_of(program.child.id())?;
        Some(turns.saturating_sub(program.lines))
    }
}

fn numbers(text: &str) -> Vec<u64> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// The program, running.
struct Running {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// Lines that it was sent.
    lines: u64,
}

impl Running {
    fn new(mut child: Child) -> Option<Self> {
        let (input, output) = (child.stdin.take()?, child.stdout.take()?);
        Some(Self { child, input, output: BufReader::new(output), lines: 0 })
    }

    /// What it answers to a line, or the reason why it does not.
    fn ask(&mut self, line: &str) -> Result<String, String> {
        let mut answer = String::new();
        self.lines += 1;
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        let read = sent.and_then(|()| self.output.read_line(&mut answer));
        read.map_err(|error| format!("the program's pipe: {error}"))?;
        let answer = answer.trim_end();
        if let Some(rest) = answer.strip_prefix("ok") {
            return Ok(rest.trim_start().to_owned());
        }
        Err(answer.strip_prefix("no ").unwrap_or("the program has ended").to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself: then there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rung_is_read_or_none() {
        let rung = facts("rc4:keystream:loop:16:0:1:0:0").expect("a rung");
        assert_eq!(rung.names, ["rc4", "keystream", "loop"]);
        let lengths = (rung.key_bytes, rung.iv_bytes, rung.granule, rung.latency);
        assert_eq!(lengths, (16, 0, 1, false));
        assert!(facts("rc4:keystream:loop:16:0:1:0").is_none());
        assert!(facts("rc4:keystream:loop:16:0:x:0:0").is_none());
        assert_eq!(facts("zuc-128:eia3:reference:16:16:1:0:4").expect("a MAC").tag_bytes, 4);
    }

    #[test]
    fn lines_are_hexadecimal_and_numbers_are_read() {
        assert_eq!([hex(&[]), hex(&[0, 0xfe])], ["-", "00fe"]);
        assert_eq!(numbers(" 12 7"), [12, 7]);
    }
}
