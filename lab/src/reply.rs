//! What an engine answers: one line, `ok`, `refused reason=…` or `error reason=…`.

use std::fmt;
use std::str::FromStr;

use crate::protocol::{Line, ProtocolError};
use crate::{Cell, Model};

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
        let line: Line = text.parse()?;
        match line.word.as_str() {
            "ok" => Ok(Self::Ok(line)),
            "refused" => Ok(Self::Refused(line.need("reason")?.to_owned())),
            "error" => Ok(Self::Error(line.need("reason")?.to_owned())),
            word => Err(ProtocolError::UnknownWord {
                word: word.chars().take(40).collect(),
                known: "ok, refused, error",
            }),
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

/// The answer to `describe`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// The engine's name.
    pub engine: String,
    /// The version of the library behind it.
    pub version: String,
    /// Compiler and flags, as far as known.
    pub build: String,
    /// Where the library was loaded from.
    pub path: String,
    /// What it offers.
    pub offers: Vec<Offer>,
    /// What the library is known to compute wrongly.
    pub known_wrong: Vec<KnownWrong>,
}

/// One operation that an engine offers. In a reply:
/// `offer=ALGORITHM/OPERATION:LEVELS:MODELS:KEY_BYTES:NONCE_BYTES:GRANULE:TAG_BYTES`,
/// levels, models and nonce lengths being lists parted by commas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// E.g. `sm4`.
    pub algorithm: String,
    /// E.g. `ctr`.
    pub operation: String,
    /// The levels, lowest first; one `"-"` where the library chooses for itself.
    pub levels: Vec<String>,
    /// The models it can be measured in.
    pub models: Vec<Model>,
    /// The key length in bytes.
    pub key_bytes: u32,
    /// The IV or nonce lengths in bytes, preferred first; one 0 where there is none.
    pub nonce_bytes: Vec<u32>,
    /// Messages are a multiple of so many bytes.
    pub granule: u32,
    /// The tag in bytes; 0 where there is none.
    pub tag_bytes: u32,
}

/// A known fault of a library: the operation is refused with this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownWrong {
    /// The algorithm.
    pub algorithm: String,
    /// The operation.
    pub operation: String,
    /// What is wrong, with a link.
    pub reason: String,
}

fn list<T: ToString>(items: &[T]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}:{}:", self.algorithm, self.operation, list(&self.levels))?;
        write!(f, "{}:{}:", list(&self.models), self.key_bytes)?;
        write!(f, "{}:{}:{}", list(&self.nonce_bytes), self.granule, self.tag_bytes)
    }
}

impl FromStr for Offer {
    type Err = ProtocolError;

    fn from_str(text: &str) -> Result<Self, ProtocolError> {
        let wrong = || {
            ProtocolError::Value {
            key: "offer",
            value: text.chars().take(120).collect(),
            allowed:
                "ALGORITHM/OPERATION:LEVELS:MODELS:KEY_BYTES:NONCE_BYTES:GRANULE:TAG_BYTES, granule ≥ 1"
                    .to_owned(),
        }
        };
        let parts: Vec<&str> = text.split(':').collect();
        let [name, levels, models, key, nonces, granule, tag] = parts[..] else {
            return Err(wrong());
        };
        let (algorithm, operation) = name.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong());
        let offer = Self {
            algorithm: algorithm.to_owned(),
            operation: operation.to_owned(),
            levels: levels.split(',').map(str::to_owned).collect(),
            // A model this laboratory does not know is no offer to it.
            models: models.split(',').filter_map(|name| Model::by_name(name).ok()).collect(),
            key_bytes: number(key)?,
            nonce_bytes: nonces.split(',').map(number).collect::<Result<_, _>>()?,
            granule: number(granule)?,
            tag_bytes: number(tag)?,
        };
        let empty =
            [algorithm, operation].contains(&"") || offer.levels.iter().any(String::is_empty);
        if empty || offer.granule == 0 { Err(wrong()) } else { Ok(offer) }
    }
}

impl Description {
    /// The reply line.
    #[must_use]
    pub fn line(&self) -> Line {
        let mut line = Line::new("ok")
            .with("engine", &self.engine)
            .with("version", &self.version)
            .with("build", &self.build)
            .with("path", &self.path);
        for offer in &self.offers {
            line = line.with("offer", offer);
        }
        for wrong in &self.known_wrong {
            let name = format!("{}/{}", wrong.algorithm, wrong.operation);
            line = line.with("known_wrong", format!("{name}:{}", wrong.reason));
        }
        line
    }

    /// Reads the reply line.
    ///
    /// # Errors
    /// Whatever field is missing or wrong.
    pub fn read(line: &Line) -> Result<Self, ProtocolError> {
        let known_wrong = line.all("known_wrong").map(|text| {
            let parts = text.split_once(':').and_then(|(name, reason)| {
                name.split_once('/').map(|(algorithm, operation)| (algorithm, operation, reason))
            });
            let (algorithm, operation, reason) = parts.ok_or_else(|| ProtocolError::Value {
                key: "known_wrong",
                value: text.to_owned(),
                allowed: "ALGORITHM/OPERATION:REASON".to_owned(),
            })?;
            let [algorithm, operation, reason] = [algorithm, operation, reason].map(str::to_owned);
            Ok(KnownWrong { algorithm, operation, reason })
        });
        Ok(Self {
            engine: line.need("engine")?.to_owned(),
            version: line.need("version")?.to_owned(),
            build: line.get("build")?.unwrap_or_default().to_owned(),
            path: line.get("path")?.unwrap_or_default().to_owned(),
            known_wrong: known_wrong.collect::<Result<_, _>>()?,
            offers: line.all("offer").map(str::parse).collect::<Result<_, _>>()?,
        })
    }

    /// The offer for an operation.
    #[must_use]
    pub fn offer(&self, algorithm: &str, operation: &str) -> Option<&Offer> {
        self.offers.iter().find(|it| it.algorithm == algorithm && it.operation == operation)
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
        if !measured.chain.iter().chain(&measured.load).all(sane) {
            return value("chain", &"not positive", "positive numbers".to_owned());
        }
        Ok(measured)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;

    fn cell() -> Cell {
        Cell {
            algorithm: "sm4".into(),
            operation: "ctr".into(),
            model: Model::Message,
            size: 64,
            placement: Placement::InPlace,
            nonce_bytes: 16,
            aad_bytes: 0,
            messages: 1,
            threads: 1,
            level: "-".into(),
        }
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
            flags: vec!["outside the specification".into()],
            remark: "one = two".into(),
        }
    }

    #[test]
    fn every_reply_survives_the_round_trip() {
        let description = Description {
            engine: "x".into(),
            version: "1 (a b)".into(),
            build: String::new(),
            path: "/a b/c=d".into(),
            offers: vec![Offer {
                algorithm: "sm4".into(),
                operation: "ctr".into(),
                levels: vec!["portable".into(), "avx2-gfni".into()],
                models: Model::ALL.to_vec(),
                key_bytes: 16,
                nonce_bytes: vec![16, 12],
                granule: 1,
                tag_bytes: 0,
            }],
            known_wrong: vec![KnownWrong {
                algorithm: "sm4".into(),
                operation: "xts-encrypt".into(),
                reason: "17 bytes: https://example.org/1".into(),
            }],
        };
        let text = Reply::Ok(description.line()).to_string();
        let Ok(Reply::Ok(line)) = text.parse() else { panic!("{text}") };
        assert_eq!(Description::read(&line), Ok(description));

        let text = Reply::Ok(measured().line()).to_string();
        let Ok(Reply::Ok(line)) = text.parse() else { panic!("{text}") };
        assert_eq!(Measured::read(&line, &cell(), 3), Ok(measured()));

        for reply in [Reply::Refused("no EVP_sm4_xts".into()), Reply::Error("a\nb".into())] {
            assert_eq!(reply.to_string().parse(), Ok(reply));
        }
    }

    #[test]
    fn an_offer_of_an_unknown_model_is_read_without_it() {
        let offer: Offer = "a/b:-:packet,batch:16:0:1:0".parse().expect("an offer");
        assert_eq!(offer.models, [Model::Packet]);
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
        check(&|m| m.chain = vec![f64::NAN], "`chain` is");
        for bad in ["sm4:-:packet:16:0:1:0", "a/b:-:packet:16:0:0:0", "a/b:-:packet:x:0:1:0"] {
            assert!(bad.parse::<Offer>().is_err(), "{bad}");
        }
    }
}
