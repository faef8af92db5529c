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
use crate::{Cell, LabError, Model, Shape, shape};

/// The most associated data of a message in bytes; there are 64 at a time.
const MAX_AAD: u32 = 1 << 20;

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
        let shape = offer.shape();
        if cell.aad_bytes != 0 && !shape.takes_aad() {
            return refuse(format!("{what} has no associated data"));
        }
        if cell.aad_bytes > MAX_AAD {
            let aad = cell.aad_bytes;
            return refuse(format!(
                "{what} is measured with at most {MAX_AAD} bytes of associated data, not {aad}"
            ));
        }
        match shape.only() {
            Some(only) if only != cell.placement => {
                refuse(format!("{what} is measured {only}, not {}", cell.placement))
            }
            _ => Ok(offer),
        }
    }

    fn keys(&self, task: &Task) -> Result<Keys, Denied> {
        let (key_bytes, cell) = (self.offer(task)?.key_bytes as usize, &task.cell);
        let keys = Keys::generate(task.seed, key_bytes, cell.nonce_bytes as usize);
        Ok(keys.with_aad(task.seed, cell.aad_bytes as usize))
    }

    /// The ring of a task, for messages of `size` bytes: filled, and sealed where the
    /// operation opens.
    fn ring(&self, task: &Task, keys: &Keys, size: u64) -> Result<Ring, Denied> {
        let (offer, cell) = (self.offer(task)?, &task.cell);
        let length = usize::try_from(size)
            .map_err(|_| Refusal(format!("a message of {size} bytes does not fit into memory")))?;
        let ring = Ring::generate(task.seed, keys.clone(), length, cell.placement)?;
        let mut ring = ring.with_tags(offer.shape(), offer.tag_bytes as usize);
        if offer.shape() == Shape::Open
            && let Some(operation) = shape::sealing(&cell.operation)
        {
            let model = Model::Message;
            let cell = Cell { operation, model, size, ..cell.clone() };
            let mut outcome = Err("the engine");
            self.engine.prepare(&cell, keys, &mut |work| outcome = ring.seal(work))?;
            outcome.map_err(failed)?;
        }
        Ok(ring)
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
        let mut ring = self.ring(task, &keys, size)?;
        let mut outcome = Err("the engine");
        self.engine.prepare(&cell, &keys, &mut |work| {
            outcome = (0..ring.buffers()).try_fold(Digest::default(), |mut digest, index| {
                work(ring.message(index % RING, index))?;
                digest.absorb(ring.output(index));
                digest.absorb(ring.tag(index));
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
        let mut ring = self.ring(task, &keys, call_bytes)?;
        let walk = match task.cell.model {
            Model::Latency => Walk::OnTheSpot,
            _ if self.offer(task)?.shape() == Shape::Open => Walk::Paired,
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
        let mut switches = None;
        let notes = self.engine.prepare(&task.cell, &keys, &mut |work| {
            before = canaries();
            let turns = canary::switches();
            outcome = sampler.series(work, &mut ring, walk, timing);
            switches = turns.zip(canary::switches()).map(|(from, to)| to.saturating_sub(from));
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
            switches,
            flags: notes.flags,
            remark: notes.remark,
        })
    }
}

fn failed(fault: Fault) -> Denied {
    Denied::Error(format!("{fault} failed"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::canary::plain_load;
    use crate::work::{Data, Message, Notes, Run};

    /// A library whose one cipher xors with the first byte of key and IV.
    struct Toy;

    impl Engine for Toy {
        fn describe(&self) -> Description {
            Description {
                engine: "toy".into(),
                version: "1".into(),
                offers: vec!["toy/xor:-:init,message,packet:16:16:4:0".parse().expect("an offer")],
                ..Description::default()
            }
        }

        fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
            if cell.size == 4000 {
                return Err("toy has no function for 4000 bytes".into());
            }
            let ready: Vec<u8> = keys.keys().map(|key| key[0]).collect();
            run(&mut |message: Message<'_>| {
                let mask = match cell.model {
                    Model::Message => ready[message.slot],
                    _ => message.key[0],
                };
                let Data::InPlace(data) = message.data else { return Err("toy_xor") };
                data.iter_mut().for_each(|byte| *byte ^= mask ^ message.iv[0]);
                Ok(())
            });
            Ok(Notes { flags: vec!["a toy".into()], remark: String::new() })
        }
    }

    /// The replies to these lines.
    fn replies(input: &[u8]) -> Vec<String> {
        let mut output = Vec::new();
        serve(&Toy, &|_| plain_load(), input, &mut output).expect("pipes");
        let text = String::from_utf8(output).expect("UTF-8");
        text.lines().map(str::to_owned).collect()
    }

    const CHECK: &str = "check algorithm=toy operation=xor nonce_bytes=16";

    #[test]
    fn garbage_gets_an_error_and_the_engine_goes_on() {
        let long = "x".repeat(MAX_LINE + 10);
        let text = format!("garbage\n\n\u{1}\u{2}\n{long}\ncheck size=1\ndescribe\n");
        let mut input = text.into_bytes();
        input.extend(b"\xff\xfe\ndescribe");
        let replies = replies(&input);
        assert_eq!(replies.len(), 8, "{replies:?}");
        for place in [0, 1, 2, 3, 4, 6] {
            assert!(replies[place].starts_with("error reason="), "{}", replies[place]);
        }
        assert!(replies[3].contains("longer%20than"), "{}", replies[3]);
        for place in [5, 7] {
            assert!(replies[place].starts_with("ok engine=toy"), "{}", replies[place]);
        }
    }

    #[test]
    fn the_digest_is_that_of_the_documented_inputs() {
        use crate::input::{Kind, bytes};
        let mut digest = Digest::default();
        for i in 0..64 {
            let mask = bytes(5, Kind::Key, i, 16)[0] ^ bytes(5, Kind::Iv, i, 16)[0];
            let data: Vec<u8> = bytes(5, Kind::Data, i, 64).iter().map(|it| it ^ mask).collect();
            digest.absorb(&data);
        }
        let expected = format!("ok digest={}", digest.finish());
        let check = |fields: &str| format!("{CHECK} seed=5 {fields}\n");
        let text =
            [check("model=message size=64"), check("model=packet size=64"), check("model=init")];
        assert_eq!(replies(text.concat().as_bytes()), [expected.as_str(); 3]);
    }

    #[test]
    fn a_refusal_a_fault_and_a_series_are_told_apart() {
        let text = format!(
            "{CHECK} model=message size=4000\n{CHECK} model=message size=64 placement=disjoint\n\
             {CHECK} model=message size=6\n{}\n",
            CHECK.replace("check", "measure samples=5 model=message size=16")
        );
        let replies = replies(text.as_bytes());
        assert_eq!(replies[0], "refused reason=toy%20has%20no%20function%20for%204000%20bytes");
        assert_eq!(replies[1], "error reason=toy_xor%20failed");
        assert!(replies[2].starts_with("refused reason=toy:%20toy/xor:%206%20bytes%20are%20not"));
        let Ok(Reply::Ok(line)) = replies[3].parse() else { panic!("{}", replies[3]) };
        assert_eq!(line.all("flag").collect::<Vec<_>>(), ["a toy"]);
        assert_eq!(line.list::<u64>("samples", "").expect("numbers").len(), 5);
    }
}
