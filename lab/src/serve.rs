//! The engine's side of the protocol, the same for every built-in engine.

use std::collections::BTreeMap;
use std::io::{self, BufRead, Read as _, Write};

use crate::canary::Load;
use crate::clock::Counter;
use crate::cold::Cold;
use crate::protocol::{Line, MAX_LINE};
use crate::reply::{Description, Reply};
use crate::request::{Request, Task};
use crate::sample::Sampler;
use crate::work::{Engine, Fault, Refusal};
use crate::{LabError, Model};

mod admit;
mod perform;
mod random;
#[cfg(test)]
mod toy;

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
    cold: Option<Cold>,
    /// Of this thread, which does all the work that is done on one.
    counter: Option<Counter>,
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
            description: with_batches(engine.describe()),
            sampler: None,
            digests: BTreeMap::new(),
            loads: BTreeMap::new(),
            cold: None,
            counter: Counter::open().ok(),
        }
    }

    fn answer(&mut self, line: &str) -> Reply {
        let answer = match line.parse() {
            Err(error) => Err(Denied::Error(error.to_string())),
            Ok(Request::Describe) => Ok(self.description.line()),
            Ok(Request::Check(task)) => {
                self.check(&task).map(|digest| Line::new("ok").with("digest", digest))
            }
            Ok(Request::Known(task, digest)) => {
                self.digests.insert(task, digest);
                Ok(Line::new("ok"))
            }
            Ok(Request::Random(task, draw)) => {
                self.random(&task, draw).map(|digest| Line::new("ok").with("digest", digest))
            }
            Ok(Request::Measure(task, timing)) => self.measure(&task, timing).map(|m| m.line()),
        };
        match answer {
            Ok(line) => Reply::Ok(line),
            Err(Denied::Refused(reason)) => Reply::Refused(reason),
            Err(Denied::Error(reason)) => Reply::Error(reason),
        }
    }
}

/// Adds model `batch` wherever one message can be measured: every engine has it.
#[must_use]
pub fn with_batches(mut description: Description) -> Description {
    for offer in &mut description.offers {
        let single =
            offer.models.contains(&Model::Packet) || offer.models.contains(&Model::Message);
        if single && !offer.models.contains(&Model::Batch) {
            offer.models.push(Model::Batch);
        }
    }
    description
}

fn failed(fault: Fault) -> Denied {
    Denied::Error(format!("{fault} failed"))
}

#[cfg(test)]
mod tests {
    use super::toy::replies;
    use super::*;
    use crate::digest::Digest;

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
    fn a_digest_that_is_known_is_not_computed_again() {
        let task = "algorithm=toy operation=xor nonce_bytes=16 model=message size=64";
        let known = "0f".repeat(32);
        let text = format!(
            "known {task} digest={known}\nmeasure samples=5 {task}\nmeasure samples=5 seed=2 {task}\n\
             known {task} digest=abc\nknown {task}\n"
        );
        let replies = replies(text.as_bytes());
        assert_eq!(replies[0], "ok");
        assert!(replies[1].contains(&known), "{}", replies[1]);
        assert!(replies[2].starts_with("ok ") && !replies[2].contains(&known), "{}", replies[2]);
        assert!(
            replies[3].starts_with("error ") && replies[4].starts_with("error "),
            "{replies:?}"
        );
    }

    #[test]
    fn a_refusal_a_fault_and_a_series_are_told_apart() {
        let text = format!(
            "{CHECK} model=message size=4000\n{CHECK} model=message size=4004\n\
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

    #[test]
    fn work_of_another_process_is_timed_there() {
        let text = format!(
            "{CHECK} model=message size=4008\n{}\n",
            CHECK.replace("check", "measure samples=3 model=message size=4008")
        );
        let answers = replies(text.as_bytes());
        let Ok(Reply::Ok(line)) = answers[1].parse() else { panic!("{}", answers[1]) };
        assert_eq!(line.need("digest").expect("one"), &answers[0]["ok digest=".len()..]);
        assert_eq!(line.need("clock").expect("one"), "wall");
        assert_eq!(line.need("repeats").expect("one"), "1");
        assert_eq!(line.list::<u64>("samples", "").expect("numbers"), [4_008_000; 3]);
        // None came between.
        assert_eq!(line.need("switches").expect("told"), "0");
        let beside = CHECK.replace("check", "measure unaligned=1 model=message size=4008");
        let replies = replies(beside.as_bytes());
        assert!(replies[0].starts_with("refused reason=work%20that%20another"), "{}", replies[0]);
    }

    #[test]
    fn calls_that_are_cold_or_beside_others_are_timed_one_by_one() {
        let measure = CHECK.replace("check", "measure samples=3 model=message size=16");
        let text = [" cold=true\n", " around_us=1000 single=true\n", " around_us=0 cold=true\n"]
            .map(|it| format!("{measure}{it}"));
        let replies = replies(text.concat().as_bytes());
        let line = |place: usize| match replies[place].parse() {
            Ok(Reply::Ok(line)) => line,
            _ => panic!("{}", replies[place]),
        };
        let (cold, beside): (Line, Line) = (line(0), line(1));
        for line in [&cold, &beside] {
            assert_eq!(line.need("repeats").expect("one"), "1");
            assert_eq!(line.list::<u64>("samples", "").expect("numbers").len(), 3);
        }
        assert_eq!(cold.get("switches"), Ok(None));
        let number = |key| beside.parse_or::<u64>(key, 0, "").expect("a number");
        assert!(0 < number("began") && number("began") < number("ended"));
        assert!(beside.get("timer").expect("once").is_some());
        assert!(replies[2].starts_with("refused reason=it%20is%20measured"), "{}", replies[2]);
    }

    /// The digest of messages of these lengths, each under its own key.
    fn expected(lengths: &[u64]) -> String {
        use crate::input::{Kind, bytes};
        let mut digest = Digest::default();
        for (i, length) in (0..).zip(lengths) {
            let mask = bytes(5, Kind::Key, i, 16)[0] ^ bytes(5, Kind::Iv, i, 16)[0];
            let data = bytes(5, Kind::Data, i, *length as usize);
            digest.absorb(&data.iter().map(|it| it ^ mask).collect::<Vec<u8>>());
        }
        format!("ok digest={}", digest.finish())
    }

    #[test]
    fn a_batch_has_the_digest_of_its_messages_one_by_one() {
        let check = |fields: &str| format!("{CHECK} seed=5 model=batch {fields}\n");
        let text = [
            check("size=64 messages=16"),
            check("size=64 messages=16 keys=fresh"),
            // Whole calls: 66 messages, each with a key of its own.
            check("size=64 messages=22 keys=ready"),
            check("size=340 messages=16 mix=imix"),
            check("size=64 messages=33"),
            check("size=341 messages=16 mix=imix"),
            format!("{CHECK} seed=5 model=message size=64 messages=2\n"),
            check("size=64 messages=4").replace("check", "measure samples=3"),
        ];
        let replies = replies(text.concat().as_bytes());
        let mix = crate::Mix::Imix.lengths(5, 340, 96).expect("the mean");
        assert_eq!(replies[0], expected(&[64; 64]));
        assert_eq!(replies[1], replies[0]);
        assert_eq!(replies[2], expected(&[64; 66]));
        assert_eq!(replies[3], expected(&mix));
        assert_eq!(replies[4], "refused reason=toy_many%20takes%2032%20messages,%20not%2033");
        assert_eq!(replies[5], expected(&crate::Mix::Imix.lengths(5, 341, 96).expect("mean")));
        assert!(replies[6].contains("model%20message%20has%20one%20message%20a%20call"));
        let Ok(Reply::Ok(line)) = replies[7].parse() else { panic!("{}", replies[7]) };
        assert_eq!(line.list::<u64>("samples", "").expect("numbers").len(), 3);
        assert_eq!(line.need("digest").expect("one"), &replies[0]["ok digest=".len()..]);
    }

    #[test]
    fn every_engine_offers_batches() {
        let Ok(Reply::Ok(line)) = replies(b"describe\n")[0].parse() else { panic!() };
        let description = Description::read(&line).expect("a description");
        assert!(description.offers[0].models.contains(&Model::Batch));
    }
}
