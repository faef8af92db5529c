//! The engine's side of the protocol, the same for every built-in engine.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Write};

use crate::canary::{self, Load};
use crate::clock::Clock;
use crate::digest::Digest;
use crate::input::{RING, SETUP_CHECK_BYTES};
use crate::protocol::{Line, MAX_LINE};
use crate::reply::{Description, Measured, Offer, Reply};
use crate::request::{Request, Task, Timing};
use crate::sample::{Sampler, Walk};
use crate::work::{Engine, Fault, Keys, Refusal, Ring};
use crate::{Cell, LabError, Model};

/// Makes the throughput loop of a level.
pub type LoadOf<'a> = &'a dyn Fn(&str) -> Load;

/// Answers requests, one line each, until the input ends. Whatever a line holds, the
/// answer is one line and the engine goes on.
///
/// # Errors
/// [`LabError::Io`] if a pipe breaks.
pub fn serve(
    engine: &dyn Engine,
    load_of: LoadOf<'_>,
    mut input: impl BufRead,
    mut output: impl Write,
) -> Result<(), LabError> {
    let mut server = Server::new(engine, load_of);
    let broken = |source| LabError::Io { what: "the engine's pipe".to_owned(), source };
    while let Some(line) = next_line(&mut input).map_err(broken)? {
        let reply = match line {
            Ok(line) => server.answer(&line),
            Err(reason) => Reply::Error(reason),
        };
        writeln!(output, "{reply}").and_then(|()| output.flush()).map_err(broken)?;
    }
    Ok(())
}

/// The next line, or what is wrong with it; `None` at the end.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    if input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.len() == MAX_LINE && line.last() != Some(&b'\n') {
        while !line.is_empty() && line.last() != Some(&b'\n') {
            line.clear();
            input.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)?;
        }
        return Ok(Some(Err(format!("the line is longer than {MAX_LINE} bytes"))));
    }
    let text = String::from_utf8(line).map_err(|_| "the line is no UTF-8".to_owned());
    Ok(Some(text))
}

struct Server<'e> {
    engine: &'e dyn Engine,
    load_of: LoadOf<'e>,
    description: Description,
    sampler: Option<Sampler>,
    digests: BTreeMap<Task, String>,
    loads: BTreeMap<String, Load>,
}

/// Why a request was not served.
enum Denied {
    Refused(String),
    Error(String),
}

impl From<Refusal> for Denied {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal.0)
    }
}

impl<'e> Server<'e> {
    fn new(engine: &'e dyn Engine, load_of: LoadOf<'e>) -> Self {
        Self {
            engine,
            load_of,
            description: engine.describe(),
            sampler: None,
            digests: BTreeMap::new(),
            loads: BTreeMap::new(),
        }
    }

    fn answer(&mut self, line: &str) -> Reply {
        let answer = match line.parse() {
            Err(error) => Err(Denied::Error(error.to_string())),
            Ok(Request::Describe) => Ok(self.description.line()),
            Ok(Request::Check(task)) => {
                self.check(&task).map(|digest| Line::new("ok").with("digest", digest))
            }
            Ok(Request::Measure(task, timing)) => self.measure(&task, timing).map(|m| m.line()),
        };
        match answer {
            Ok(line) => Reply::Ok(line),
            Err(Denied::Refused(reason)) => Reply::Refused(reason),
            Err(Denied::Error(reason)) => Reply::Error(reason),
        }
    }

    /// The offer that a cell is of.
    fn offer(&self, task: &Task) -> Result<&Offer, Denied> {
        let (cell, name) = (&task.cell, &self.description.engine);
        let refuse = |why: String| Err(Denied::Refused(why));
        let Some(offer) = self.description.offer(&cell.algorithm, &cell.operation) else {
            return refuse(format!("{name} has no {}/{}", cell.algorithm, cell.operation));
        };
        let what = format!("{name}: {}/{}", cell.algorithm, cell.operation);
        if !offer.levels.contains(&cell.level) {
            let levels = offer.levels.join(", ");
            return refuse(format!("{what} has no level `{}`; it has {levels}", cell.level));
        }
        if !offer.models.contains(&cell.model) {
            return refuse(format!("{what} can't be measured in model {}", cell.model));
        }
        if !offer.nonce_bytes.contains(&cell.nonce_bytes) {
            return refuse(format!("{what} takes no IV of {} bytes", cell.nonce_bytes));
        }
        if !task.call_bytes().is_multiple_of(offer.granule.into()) {
            let (size, granule) = (task.call_bytes(), offer.granule);
            return refuse(format!("{what}: {size} bytes are not whole blocks of {granule}"));
        }
        if cell.messages != 1 {
            return refuse(format!("{name} takes one message a call, not {}", cell.messages));
        }
        if cell.threads != 1 {
            return refuse(format!("{name} works on one thread, not {}", cell.threads));
        }
        if cell.aad_bytes != 0 {
            return refuse(format!("{what} has no associated data"));
        }
        Ok(offer)
    }

    fn keys(&self, task: &Task) -> Result<Keys, Denied> {
        let key_bytes = self.offer(task)?.key_bytes as usize;
        Ok(Keys::generate(task.seed, key_bytes, task.cell.nonce_bytes as usize))
    }

    fn check(&mut self, task: &Task) -> Result<String, Denied> {
        if let Some(digest) = self.digests.get(task) {
            return Ok(digest.clone());
        }
        let keys = self.keys(task)?;
        // Set-up leaves no output: what it set up is put to work.
        let (model, size) = match task.cell.model {
            Model::Init => (Model::Packet, SETUP_CHECK_BYTES),
            Model::Key => (Model::Message, SETUP_CHECK_BYTES),
            model => (model, task.call_bytes()),
        };
        let cell = Cell { model, size, ..task.cell.clone() };
        let mut ring = ring(task.seed, keys.clone(), size, &cell)?;
        let mut outcome = Err("the engine");
        self.engine.prepare(&cell, &keys, &mut |work| {
            outcome = (0..ring.buffers()).try_fold(Digest::default(), |mut digest, index| {
                work(ring.message(index % RING, index))?;
                digest.absorb(ring.output(index));
                Ok(digest)
            });
        })?;
        let digest = outcome.map_err(failed)?.finish();
        self.digests.insert(task.clone(), digest.clone());
        Ok(digest)
    }

    fn measure(&mut self, task: &Task, timing: Timing) -> Result<Measured, Denied> {
        let digest = self.check(task)?;
        let keys = self.keys(task)?;
        let call_bytes = task.call_bytes();
        let mut ring = ring(task.seed, keys.clone(), call_bytes, &task.cell)?;
        let walk = match task.cell.model {
            Model::Latency => Walk::OnTheSpot,
            _ => Walk::Around,
        };
        let sampler = *self.sampler.get_or_insert_with(|| Sampler::new(Clock::best()));
        let level = &task.cell.level;
        let load = self.loads.entry(level.clone()).or_insert_with(|| (self.load_of)(level));
        let mut canaries = || {
            let (clock, overhead) = (sampler.clock, sampler.overhead);
            (canary::chain(clock, overhead), canary::load(clock, overhead, load))
        };
        let mut outcome = Err("the engine");
        let (mut before, mut after) = <((f64, f64), (f64, f64))>::default();
        let notes = self.engine.prepare(&task.cell, &keys, &mut |work| {
            before = canaries();
            outcome = sampler.series(work, &mut ring, walk, timing);
            after = canaries();
        })?;
        let series = outcome.map_err(failed)?;
        Ok(Measured {
            digest,
            clock: sampler.clock.name().to_owned(),
            repeats: series.repeats,
            call_bytes,
            samples: series.samples,
            chain: vec![before.0, after.0],
            load: vec![before.1, after.1],
            flags: notes.flags,
            remark: notes.remark,
        })
    }
}

fn failed(fault: Fault) -> Denied {
    Denied::Error(format!("{fault} failed"))
}

fn ring(seed: u64, keys: Keys, size: u64, cell: &Cell) -> Result<Ring, Refusal> {
    let size = usize::try_from(size)
        .map_err(|_| format!("a message of {size} bytes does not fit into memory"))?;
    Ring::generate(seed, keys, size, cell.placement)
}
