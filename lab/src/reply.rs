//! What an engine answers: one line, `ok`, `refused reason=…` or `error reason=…`.

use std::fmt;
use std::str::FromStr;

use crate::Cell;
pub use crate::offer::{Description, KnownWrong, Offer};
use crate::protocol::{Line, ProtocolError, list};

/// One reply, before it is read as the answer to a particular verb.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The request was served.
    Ok(Line),
    /// The library can't do that; the reason names what it lacks.
    Refused(String),
    /// The request was not understood, or the library failed.
    Error(String),
}

impl FromStr for Reply {
    type Err = ProtocolError;

    fn from_str(text: &str) -> Result<Self, ProtocolError> {
        let line = Line::read(text, "ok, refused, error")?;
        match line.word.as_str() {
            "refused" => Ok(Self::Refused(line.need("reason")?.to_owned())),
            "error" => Ok(Self::Error(line.need("reason")?.to_owned())),
            _ => Ok(Self::Ok(line)),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ok(line) => line.fmt(f),
            Self::Refused(reason) => Line::new("refused").with("reason", reason).fmt(f),
            Self::Error(reason) => Line::new("error").with("reason", reason).fmt(f),
        }
    }
}

/// The answer to `check`: SHA-256 over all outputs in order, hexadecimal.
///
/// # Errors
/// If there is none or it is no such digest.
pub fn read_digest(line: &Line) -> Result<String, ProtocolError> {
    let digest = line.need("digest")?;
    let lower = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if digest.len() == 64 && digest.bytes().all(lower) {
        return Ok(digest.to_owned());
    }
    let value = digest.chars().take(80).collect();
    let allowed = "64 lower-case hexadecimal digits".to_owned();
    Err(ProtocolError::Value { key: "digest", value, allowed })
}

/// The answer to `measure`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// SHA-256 over all outputs in order, hexadecimal.
    pub digest: String,
    /// `tsc`: samples are ticks of the time-stamp counter; `wall`: nanoseconds.
    pub clock: String,
    /// Calls a sample.
    pub repeats: u64,
    /// Bytes of a call; less than the message where it loops over a shorter buffer.
    pub call_bytes: u64,
    /// Ticks a sample, the clock's own overhead subtracted.
    pub samples: Vec<u64>,
    /// Ticks per dependent addition, before and after; empty if not measured.
    pub chain: Vec<f64>,
    /// Ticks per round of the throughput loop at the row's level, before and after;
    /// empty if not measured.
    pub load: Vec<f64>,
    /// Core cycles a tick of the clock meanwhile, by the CPU's counter; none where it can't be read.
    pub counter: Option<f64>,
    /// How often the system let another process run meanwhile; none if it does not tell.
    pub switches: Option<u64>,
    /// When the samples began and ended, where others worked beside: nanoseconds since 1970.
    pub window: Option<(u64, u64)>,
    /// Ticks that the clock itself takes, which every sample is without.
    pub timer: Option<u64>,
    /// E.g. `outside the specification`.
    pub flags: Vec<String>,
    /// Anything a reader must know.
    pub remark: String,
}

impl Measured {
    /// The reply line.
    #[must_use]
    pub fn line(&self) -> Line {
        let mut line = Line::new("ok")
            .with("clock", &self.clock)
            .with("digest", &self.digest)
            .with("repeats", self.repeats)
            .with("call_bytes", self.call_bytes);
        for (key, canary) in [("chain", &self.chain), ("load", &self.load)] {
            if !canary.is_empty() {
                line = line.with(key, list(canary));
            }
        }
        if let Some(counter) = self.counter {
            line = line.with("counter", counter);
        }
        if let Some(switches) = self.switches {
            line = line.with("switches", switches);
        }
        if let Some((began, ended)) = self.window {
            line = line.with("began", began).with("ended", ended);
        }
        if let Some(timer) = self.timer {
            line = line.with("timer", timer);
        }
        for flag in &self.flags {
            line = line.with("flag", flag);
        }
        if !self.remark.is_empty() {
            line = line.with("remark", &self.remark);
        }
        line.with("samples", list(&self.samples))
    }

    /// Reads the reply line to a request for `asked` samples of `cell`.
    ///
    /// # Errors
    /// Whatever field is missing or can't be.
    pub fn read(line: &Line, cell: &Cell, asked: u32) -> Result<Self, ProtocolError> {
        let ticks = "ticks, one number a sample";
        let measured = Self {
            digest: read_digest(line)?,
            clock: line.need("clock")?.to_owned(),
            repeats: line.parse_or("repeats", 1, "calls a sample, 1 or more")?,
            call_bytes: line.parse_or("call_bytes", cell.size, "bytes of a call")?,
            samples: line.list("samples", ticks)?,
            chain: line.list("chain", "ticks per addition")?,
            load: line.list("load", "ticks per round")?,
            counter: match line.get("counter")? {
                Some(_) => Some(line.parse_or("counter", 0.0, "core cycles a tick")?),
                None => None,
            },
            switches: match line.get("switches")? {
                Some(_) => Some(line.parse_or("switches", 0, "a number")?),
                None => None,
            },
            window: match line.get("began")? {
                Some(_) => Some((
                    line.parse_or("began", 0, "nanoseconds since 1970")?,
                    line.parse_or("ended", 0, "nanoseconds since 1970")?,
                )),
                None => None,
            },
            timer: match line.get("timer")? {
                Some(_) => Some(line.parse_or("timer", 0, "ticks")?),
                None => None,
            },
            flags: line.all("flag").map(str::to_owned).collect(),
            remark: line.get("remark")?.unwrap_or_default().to_owned(),
        };
        let value = |key, value: &dyn ToString, allowed: String| {
            Err(ProtocolError::Value { key, value: value.to_string(), allowed })
        };
        let count = measured.samples.len();
        if count.is_multiple_of(2) || count < 3 || count > asked as usize {
            return value("samples", &count, format!("an odd number of samples, 3 to {asked}"));
        }
        if let Some(sample) = measured.samples.iter().find(|sample| **sample == 0) {
            return value("samples", sample, "no work takes no time".to_owned());
        }
        if !["tsc", "wall"].contains(&measured.clock.as_str()) {
            return value("clock", &measured.clock, "tsc or wall".to_owned());
        }
        if measured.repeats == 0 {
            return value("repeats", &0, "1 or more".to_owned());
        }
        let fits = if cell.size == 0 { 0..=0 } else { 1..=cell.size };
        if !fits.contains(&measured.call_bytes) {
            let allowed = format!("{} to {} bytes", fits.start(), fits.end());
            return value("call_bytes", &measured.call_bytes, allowed);
        }
        let sane = |ticks: &f64| ticks.is_finite() && *ticks > 0.0;
        if let Some(counter) = measured.counter.filter(|it| !sane(it)) {
            return value("counter", &counter, "a positive number".to_owned());
        }
        if !measured.chain.iter().chain(&measured.load).all(sane) {
            return value("chain", &"not positive", "positive numbers".to_owned());
        }
        Ok(measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    fn cell() -> Cell {
        Cell { nonce_bytes: 16, ..Cell::new("sm4", "ctr", Model::Message, 64) }
    }

    fn measured() -> Measured {
        Measured {
            digest: "0123456789abcdef".repeat(4),
            clock: "tsc".into(),
            repeats: 100,
            call_bytes: 64,
            samples: vec![3000, 3001, 2999],
            chain: vec![0.75, 0.751],
            load: vec![2800.5, 2801.0],
            counter: Some(1.42),
            switches: Some(3),
            window: Some((17, 19)),
            timer: Some(30),
            flags: vec!["outside the specification".into()],
            remark: "one = two".into(),
        }
    }

    #[test]
    fn every_reply_survives_the_round_trip() {
        let text = Reply::Ok(measured().line()).to_string();
        let Ok(Reply::Ok(line)) = text.parse() else { panic!("{text}") };
        assert_eq!(Measured::read(&line, &cell(), 3), Ok(measured()));

        for reply in [Reply::Refused("no EVP_sm4_xts".into()), Reply::Error("a\nb".into())] {
            assert_eq!(reply.to_string().parse(), Ok(reply));
        }
    }

    #[test]
    fn lies_are_named() {
        let check = |change: &dyn Fn(&mut Measured), expected: &str| {
            let mut measured = measured();
            change(&mut measured);
            let error = Measured::read(&measured.line(), &cell(), 21).expect_err(expected);
            assert!(error.to_string().starts_with(expected), "{error}");
        };
        check(&|m| m.samples = vec![1, 2], "`samples` is `2`");
        check(&|m| m.samples = vec![9; 23], "`samples` is `23`");
        check(&|m| m.samples = vec![5, 0, 5], "`samples` is `0`");
        check(&|m| m.clock = "moon".into(), "`clock` is `moon`");
        check(&|m| m.digest = "beef".into(), "`digest` is `beef`");
        check(&|m| m.repeats = 0, "`repeats` is `0`");
        check(&|m| m.call_bytes = 65, "`call_bytes` is `65`");
        check(&|m| m.counter = Some(0.0), "`counter` is `0`");
        check(&|m| m.chain = vec![f64::NAN], "`chain` is");
    }
}
