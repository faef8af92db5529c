//! What the laboratory asks an engine: `describe`, `check`, `known`, `measure`.
//!
//! `known` has the keys of `check`, the digest besides, and is answered `ok`: another process of this
//! engine has computed that digest, and this one need not before it measures. An engine that does not
//! know the verb answers with an error and checks as before.
//!
//! | key | verbs | meaning | if absent |
//! |---|---|---|---|
//! | `algorithm`, `operation` | check, measure | names of the registry | error |
//! | `model` | check, measure | [`Model`] | error |
//! | `level` | check, measure | a level the engine offers, `-` for its own choice | `-` |
//! | `size` | check, measure | bytes of a message, of a mix their mean; 0 for `init` and `key` | 0 |
//! | `messages` | check, measure | messages a call: 1 but for `batch` | 1 |
//! | `keys` | check, measure | `fresh` or `ready`, as the model has it; `batch` has both | the model's; for `batch` `ready` |
//! | `mix` | check, measure | `equal` lengths, or for `batch` [`imix`](Mix::Imix) | `equal` |
//! | `threads` | check, measure | threads that share the work | 1 |
//! | `placement` | check, measure | `in-place` or `disjoint` | `in-place` |
//! | `unaligned` | check, measure | bytes from a boundary of 64 to each buffer of data, below 64 | 0 |
//! | `cold` | check, measure | `true`: caches are emptied before each sample, which is one call | `false` |
//! | `nonce_bytes` | check, measure | length of the IV or nonce | 0 |
//! | `aad_bytes` | check, measure | length of the associated data | 0 |
//! | `seed` | check, measure | of keys, IVs and data, see [`crate::input`] | 1 |
//! | `buffer` | check, measure | longest buffer in bytes; a longer message loops over it | no bound |
//! | `random` | check | [that many random messages](crate::random), `size` and `aad_bytes` bounding them | none |
//! | `least`, `granule` | check with `random` | the least length; lengths grow by so many bytes | 0, 1 |
//! | `samples` | measure | odd, at least 3 | 21 |
//! | `budget_us` | measure | time for the samples; past it, an odd number ≥ 3 suffices | no bound |
//! | `around_us` | measure | so long the same work goes on before the samples, and after them | not at all |
//! | `single` | measure with `around_us` | `true`: a sample is one call, however short | `false` |

use std::fmt;
use std::str::FromStr;

use crate::protocol::{Line, ProtocolError};
use crate::random::{self, Draw};
use crate::reply::read_digest;
use crate::{Cell, KeySetup, LabError, Mix, Model, Placement};

mod timing;

pub use timing::{Beside, Timing, check_samples};

/// One request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Who are you, what do you offer?
    Describe,
    /// Do the work once and give the digest of all outputs.
    Check(Task),
    /// The same for random messages.
    Random(Task, Draw),
    /// This is the digest: a process of yours has computed it.
    Known(Task, String),
    /// Do the work once for its digest, unless that is known, and take samples.
    Measure(Task, Timing),
}

/// The work of a request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Task {
    /// The cell.
    pub cell: Cell,
    /// The seed of keys, IVs and data.
    pub seed: u64,
    /// The longest buffer in bytes: a longer message loops over it.
    pub buffer: Option<u64>,
}

impl Task {
    /// The bytes of one call: the message, or the buffer where that is shorter.
    #[must_use]
    pub fn call_bytes(&self) -> u64 {
        self.buffer.map_or(self.cell.size, |buffer| self.cell.size.min(buffer))
    }
}

/// The most messages a call.
pub const MAX_MESSAGES: u32 = 1 << 16;
/// The most associated data of a message in bytes; there are 64 at a time.
pub const MAX_AAD: u32 = 1 << 20;
/// The most bytes that buffers begin behind a boundary of 64.
pub const MAX_UNALIGNED: u32 = 63;

const TASK_KEYS: [&str; 16] = [
    "algorithm",
    "operation",
    "model",
    "level",
    "size",
    "messages",
    "keys",
    "mix",
    "threads",
    "placement",
    "unaligned",
    "cold",
    "nonce_bytes",
    "aad_bytes",
    "seed",
    "buffer",
];

impl Request {
    /// `"describe"`, `"check"`, `"known"` or `"measure"`.
    #[must_use]
    pub const fn verb(&self) -> &'static str {
        match self {
            Self::Describe => "describe",
            Self::Check(_) | Self::Random(..) => "check",
            Self::Known(..) => "known",
            Self::Measure(..) => "measure",
        }
    }

    fn line(&self) -> Line {
        let line = Line::new(self.verb());
        match self {
            Self::Describe => line,
            Self::Check(task) => task_fields(line, task),
            Self::Known(task, digest) => task_fields(line, task).with("digest", digest),
            Self::Random(task, draw) => task_fields(line, task)
                .with("random", draw.messages)
                .with("least", draw.least)
                .with("granule", draw.granule),
            Self::Measure(task, timing) => {
                let line = task_fields(line, task).with("samples", timing.samples);
                let line =
                    timing.budget_us.iter().fold(line, |line, us| line.with("budget_us", us));
                let line =
                    timing.beside.iter().fold(line, |it, by| it.with("around_us", by.around_us));
                let single = timing.beside.is_some_and(|it| it.single);
                if single { line.with("single", true) } else { line }
            }
        }
    }
}

fn task_fields(line: Line, task: &Task) -> Line {
    let cell = &task.cell;
    let line = line
        .with("algorithm", &cell.algorithm)
        .with("operation", &cell.operation)
        .with("model", cell.model)
        .with("level", &cell.level)
        .with("size", cell.size)
        .with("messages", cell.messages)
        .with("keys", cell.keys)
        .with("mix", cell.mix)
        .with("threads", cell.threads)
        .with("placement", cell.placement)
        .with("nonce_bytes", cell.nonce_bytes)
        .with("aad_bytes", cell.aad_bytes)
        .with("seed", task.seed);
    // What is as usual is not said: an engine that doesn't know it need not.
    let line = match cell.unaligned {
        0 => line,
        bytes => line.with("unaligned", bytes),
    };
    let line = if cell.cold { line.with("cold", true) } else { line };
    task.buffer.iter().fold(line, |line, bytes| line.with("buffer", bytes))
}

fn read_task(line: &Line) -> Result<Task, ProtocolError> {
    let named = |key: &'static str, error: &LabError| match error {
        LabError::Value { value, allowed, .. } => {
            ProtocolError::Value { key, value: value.clone(), allowed: allowed.clone() }
        }
        other => ProtocolError::Value { key, value: String::new(), allowed: other.to_string() },
    };
    let model = Model::by_name(line.need("model")?).map_err(|error| named("model", &error))?;
    let placement = match line.get("placement")? {
        Some(name) => Placement::by_name(name).map_err(|error| named("placement", &error))?,
        None => Placement::InPlace,
    };
    let keys = match line.get("keys")? {
        Some(name) => KeySetup::by_name(name).map_err(|error| named("keys", &error))?,
        None => model.keys(),
    };
    if keys != model.keys() && model != Model::Batch {
        let allowed = format!("{} for model {model}", model.keys());
        return Err(ProtocolError::Value { key: "keys", value: keys.to_string(), allowed });
    }
    let size = line.parse_or("size", 0, "bytes of a message")?;
    if (size == 0) != model.is_setup() {
        let allowed = if model.is_setup() { "0" } else { "1 or more bytes" };
        let allowed = format!("{allowed} for model {model}");
        return Err(ProtocolError::Value { key: "size", value: size.to_string(), allowed });
    }
    let mix = match line.get("mix")? {
        Some(name) => Mix::by_name(name).map_err(|error| named("mix", &error))?,
        None => Mix::Equal,
    };
    if mix != Mix::Equal && (model != Model::Batch || mix.lengths(0, size, 1).is_none()) {
        let allowed = format!("{} but in model batch with the mean of the mix as size", Mix::Equal);
        return Err(ProtocolError::Value { key: "mix", value: mix.to_string(), allowed });
    }
    let messages = line.parse_or("messages", 1, "1 or more")?;
    if !(1..=MAX_MESSAGES).contains(&messages) {
        let (value, allowed) = (messages.to_string(), format!("1 to {MAX_MESSAGES}"));
        return Err(ProtocolError::Value { key: "messages", value, allowed });
    }
    let threads = line.parse_or("threads", 1, "1 or more")?;
    if threads == 0 {
        let (value, allowed) = (threads.to_string(), "1 or more".to_owned());
        return Err(ProtocolError::Value { key: "threads", value, allowed });
    }
    let buffer = match line.get("buffer")? {
        Some(_) => Some(line.parse_or("buffer", 0, "bytes")?),
        None => None,
    };
    if buffer.is_some_and(|bytes: u64| bytes < 4096 || !bytes.is_multiple_of(4096)) {
        let value = buffer.unwrap_or_default().to_string();
        let allowed = "a multiple of 4096 bytes".to_owned();
        return Err(ProtocolError::Value { key: "buffer", value, allowed });
    }
    let unaligned = line.parse_or("unaligned", 0, "bytes")?;
    if unaligned > MAX_UNALIGNED {
        let (value, allowed) = (unaligned.to_string(), format!("0 to {MAX_UNALIGNED}"));
        return Err(ProtocolError::Value { key: "unaligned", value, allowed });
    }
    let cell = Cell {
        algorithm: line.need("algorithm")?.to_owned(),
        operation: line.need("operation")?.to_owned(),
        model,
        size,
        placement,
        unaligned,
        cold: line.parse_or("cold", false, "true, false")?,
        nonce_bytes: line.parse_or("nonce_bytes", 0, "bytes")?,
        aad_bytes: line.parse_or("aad_bytes", 0, "bytes")?,
        messages,
        keys,
        mix,
        threads,
        level: line.get("level")?.unwrap_or(Cell::OWN_LEVEL).to_owned(),
    };
    Ok(Task { cell, seed: line.parse_or("seed", 1, "0 to 2^64 - 1")?, buffer })
}

fn read_draw(line: &Line, cell: &Cell) -> Result<Draw, ProtocolError> {
    let draw = Draw {
        messages: line.parse_or("random", 1, "messages")?,
        least: line.parse_or("least", 0, "bytes")?,
        granule: line.parse_or("granule", 1, "bytes, 1 or more")?,
    };
    let wrong = |key, value: u64, allowed: String| {
        Err(ProtocolError::Value { key, value: value.to_string(), allowed })
    };
    if !(1..=random::MAX_MESSAGES).contains(&draw.messages) {
        let most = random::MAX_MESSAGES;
        return wrong("random", draw.messages.into(), format!("1 to {most} messages"));
    }
    if draw.least > cell.size {
        return wrong("least", draw.least, format!("at most the size, {}", cell.size));
    }
    if draw.granule == 0 {
        return wrong("granule", 0, "1 or more bytes".to_owned());
    }
    Ok(draw)
}

impl FromStr for Request {
    type Err = ProtocolError;

    fn from_str(text: &str) -> Result<Self, ProtocolError> {
        let line = Line::read(text, "describe, check, known, measure")?;
        match line.word.as_str() {
            "check" if line.get("random")?.is_some() => {
                line.only(&[TASK_KEYS.as_slice(), &["random", "least", "granule"]].concat())?;
                let task = read_task(&line)?;
                let draw = read_draw(&line, &task.cell)?;
                Ok(Self::Random(task, draw))
            }
            "check" => {
                line.only(&TASK_KEYS)?;
                Ok(Self::Check(read_task(&line)?))
            }
            "known" => {
                line.only(&[TASK_KEYS.as_slice(), &["digest"]].concat())?;
                Ok(Self::Known(read_task(&line)?, read_digest(&line)?))
            }
            "measure" => {
                let keys = [TASK_KEYS.as_slice(), &["samples", "budget_us", "around_us", "single"]]
                    .concat();
                line.only(&keys)?;
                Ok(Self::Measure(read_task(&line)?, timing::read(&line)?))
            }
            _ => line.only(&[]).map(|()| Self::Describe),
        }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.line().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        let cell = Cell {
            placement: Placement::Disjoint,
            nonce_bytes: 16,
            level: "avx512".into(),
            ..Cell::new("sm4", "ctr", Model::Message, 8192)
        };
        Task { cell, seed: u64::MAX, buffer: None }
    }

    #[test]
    fn every_request_survives_the_round_trip() {
        let looped = Task { buffer: Some(4 << 20), ..task() };
        let timing = Timing { samples: 21, budget_us: Some(1000), beside: None };
        let cell = Cell {
            model: Model::Batch,
            messages: 16,
            keys: KeySetup::Fresh,
            mix: Mix::Imix,
            size: 345,
            threads: 2,
            unaligned: 63,
            cold: true,
            ..task().cell
        };
        let batch = Task { cell, ..task() };
        for request in [
            Request::Describe,
            Request::Check(task()),
            Request::Check(looped.clone()),
            Request::Check(batch),
            Request::Known(looped.clone(), "0f".repeat(32)),
            Request::Random(task(), Draw { messages: 100, least: 16, granule: 16 }),
            Request::Measure(looped, timing),
            Request::Measure(
                task(),
                Timing { beside: Some(Beside { around_us: 50, single: true }), ..timing },
            ),
            Request::Measure(task(), Timing { samples: 3, budget_us: None, beside: None }),
        ] {
            assert_eq!(request.to_string().parse(), Ok(request));
        }
    }

    #[test]
    fn what_is_left_out_has_its_documented_value() {
        let text = "measure algorithm=a operation=b model=packet size=5";
        let Ok(Request::Measure(task, timing)) = text.parse() else { panic!("it parses") };
        assert_eq!((task.cell.level.as_str(), task.seed, timing.samples), ("-", 1, 21));
        assert_eq!((task.cell.messages, task.cell.threads), (1, 1));
        assert_eq!((task.cell.keys, task.cell.mix), (KeySetup::Fresh, Mix::Equal));
    }

    #[test]
    fn a_bad_request_is_refused_with_its_reason() {
        let base = "measure algorithm=sm4 operation=ctr";
        let random = "check algorithm=sm4 operation=ctr model=packet size=64";
        for (text, expected) in [
            ("hello", "unknown word `hello`"),
            ("describe size=1", "unknown key `size`"),
            ("check algorithm=sm4 operation=ctr", "`model` is missing"),
            (&format!("{base} model=speed size=1"), "`model` is `speed`; allowed: init, key"),
            (&format!("{base} model=batch"), "`size` is `0`; allowed: 1 or more bytes"),
            (&format!("{base} model=batch size=1 messages=0"), "`messages` is `0`; allowed: 1 to"),
            (&format!("{base} model=batch size=1 messages=65537"), "`messages` is `65537`"),
            (&format!("{base} model=batch size=1 keys=old"), "`keys` is `old`; allowed: fresh"),
            (&format!("{base} model=batch size=576 mix=imix"), "`mix` is `imix`; allowed: equal"),
            (&format!("{base} model=message size=340 mix=imix"), "`mix` is `imix`"),
            (&format!("{random} random=0"), "`random` is `0`; allowed: 1 to 10000"),
            (&format!("{random} random=5 least=65"), "`least` is `65`; allowed: at most the size"),
            (&format!("{random} random=5 granule=0"), "`granule` is `0`"),
            (&format!("{random} least=5"), "unknown key `least`"),
            (&format!("{base} model=packet size=1 threads=0"), "`threads` is `0`; allowed: 1"),
            (&format!("{base} model=packet"), "`size` is `0`; allowed: 1 or more bytes"),
            (&format!("{base} model=init size=4"), "`size` is `4`; allowed: 0 for model init"),
            (
                &format!("{base} model=packet size=1 samples=20"),
                "`samples` is `20`; allowed: an odd",
            ),
            (&format!("{base} model=packet size=1 samples=1"), "`samples` is `1`"),
            (
                &format!("{base} model=packet size=1 keys=ready"),
                "`keys` is `ready`; allowed: fresh",
            ),
            (&format!("{base} model=packet size=1 unaligned=64"), "`unaligned` is `64`"),
            (&format!("{base} model=packet size=1 around_us=x"), "`around_us` is `x`; allowed: 0"),
            (&format!("{base} model=packet size=1 cold=5"), "`cold` is `5`; allowed: true, false"),
            (&format!("{base} model=packet size=1 buffer=5"), "`buffer` is `5`"),
            (&format!("{base} model=packet size=99999999999999999999"), "`size` is"),
            (&format!("{base} model=packet size=1 colour=red"), "unknown key `colour`"),
        ] {
            let error = text.parse::<Request>().expect_err(text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
