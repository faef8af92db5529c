//! What an engine offers: its answer to `describe`.

use std::fmt;
use std::str::FromStr;

use crate::protocol::{Line, ProtocolError, list};
use crate::{Model, Shape};

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

impl Offer {
    /// The shape of the operation.
    #[must_use]
    pub fn shape(&self) -> Shape {
        Shape::of(&self.operation, self.tag_bytes)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::Reply;

    #[test]
    fn a_description_survives_the_round_trip() {
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
    }

    #[test]
    fn an_offer_of_an_unknown_model_is_read_without_it() {
        let offer: Offer = "a/b:-:packet,speed:16:0:1:0".parse().expect("an offer");
        assert_eq!(offer.models, [Model::Packet]);
    }

    #[test]
    fn a_broken_offer_is_refused() {
        for bad in ["sm4:-:packet:16:0:1:0", "a/b:-:packet:16:0:0:0", "a/b:-:packet:x:0:1:0"] {
            assert!(bad.parse::<Offer>().is_err(), "{bad}");
        }
    }
}
