//! What is measured: models, placements, and the cell that they and the sizes make up.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{LabError, Mix};

/// The engine whose figures are compared with the others'.
pub const SUBJECT: &str = "cipherlane";

/// How the names of engines of this project's own code begin: they are no peers.
const OWN: [&str; 4] = [SUBJECT, "ladder-", "memory", "openssl-provider"];

/// Whether an engine is a library of others.
#[must_use]
pub fn is_peer(engine: &str) -> bool {
    !OWN.iter().any(|own| engine.starts_with(own))
}

/// In place of a level's name: the highest that an engine offers for an operation.
pub const BEST: &str = "best";

/// What is inside the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Key set-up and IV set-up, no data.
    Init,
    /// The key schedule alone.
    Key,
    /// A long message, set-up outside: one stream that never starts again.
    Stream,
    /// Key, IV and data of one message, a fresh key and IV each.
    Packet,
    /// The key is ready; IV set-up and data of one message.
    Message,
    /// Many independent messages in one call, each with its own IV and key; the keys are
    /// [fresh or ready](KeySetup).
    Batch,
    /// One block at a time, each input the output before.
    Latency,
}

impl Model {
    /// Every model that can be measured, in the order of the tables.
    pub const ALL: [Self; 7] = [
        Self::Init,
        Self::Key,
        Self::Stream,
        Self::Packet,
        Self::Message,
        Self::Batch,
        Self::Latency,
    ];

    /// Its name, e.g. `"packet"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Key => "key",
            Self::Stream => "stream",
            Self::Packet => "packet",
            Self::Message => "message",
            Self::Batch => "batch",
            Self::Latency => "latency",
        }
    }

    /// The model of that name.
    ///
    /// # Errors
    /// [`LabError::Value`] naming the models there are.
    pub fn by_name(name: &str) -> Result<Self, LabError> {
        Self::ALL.into_iter().find(|model| model.name() == name).ok_or_else(|| LabError::Value {
            field: "model",
            value: name.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }

    /// Whether it processes no data: its figure is cycles per set-up.
    #[must_use]
    pub const fn is_setup(self) -> bool {
        matches!(self, Self::Init | Self::Key)
    }

    /// Whether the key set-up is inside the clock: for `batch` either, and ready unless
    /// something else is said.
    #[must_use]
    pub const fn keys(self) -> KeySetup {
        match self {
            Self::Init | Self::Key | Self::Packet => KeySetup::Fresh,
            Self::Stream | Self::Message | Self::Batch | Self::Latency => KeySetup::Ready,
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether the key set-up is inside the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeySetup {
    /// It is: every message comes with a key of its own.
    Fresh,
    /// It is not: the keys were set up before.
    Ready,
}

impl KeySetup {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Fresh, Self::Ready];

    /// `"fresh"` or `"ready"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fresh => "fresh",
            Self::Ready => "ready",
        }
    }

    /// The key set-up of that name.
    ///
    /// # Errors
    /// [`LabError::Value`] naming both.
    pub fn by_name(name: &str) -> Result<Self, LabError> {
        Self::ALL.into_iter().find(|keys| keys.name() == name).ok_or_else(|| LabError::Value {
            field: "keys",
            value: name.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl fmt::Display for KeySetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Where the output goes.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// Over the input.
    #[default]
    InPlace,
    /// To a buffer that does not overlap the input.
    Disjoint,
}

impl Placement {
    /// Both.
    pub const ALL: [Self; 2] = [Self::InPlace, Self::Disjoint];

    /// `"in-place"` or `"disjoint"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::InPlace => "in-place",
            Self::Disjoint => "disjoint",
        }
    }

    /// The placement of that name.
    ///
    /// # Errors
    /// [`LabError::Value`] naming both.
    pub fn by_name(name: &str) -> Result<Self, LabError> {
        Self::ALL.into_iter().find(|place| place.name() == name).ok_or_else(|| LabError::Value {
            field: "placement",
            value: name.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing to measure. Two figures are compared only if their cells agree in
/// everything but the level.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Cell {
    /// E.g. `sm4`.
    pub algorithm: String,
    /// E.g. `ctr`.
    pub operation: String,
    /// What is inside the clock.
    pub model: Model,
    /// Bytes of a message, of a [`Mix`] their mean; 0 for `init` and `key`.
    pub size: u64,
    /// Where the output goes.
    pub placement: Placement,
    /// Bytes from a boundary of 64 to the beginning of every buffer of data; 0 where a file has none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unaligned: u32,
    /// Whether the caches are emptied before each timed call; not where a file doesn't say so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cold: bool,
    /// Length of the IV or nonce in bytes.
    pub nonce_bytes: u32,
    /// Associated data in bytes.
    pub aad_bytes: u32,
    /// Messages a call: 1 but for `batch`.
    pub messages: u32,
    /// Whether the key set-up is inside the clock.
    pub keys: KeySetup,
    /// The lengths of the messages: equal but in some cells of `batch`.
    #[serde(default)]
    pub mix: Mix,
    /// Threads.
    pub threads: u32,
    /// The level asked for; `"-"` where the library chooses for itself.
    pub level: String,
}

impl Cell {
    /// The level of a library that chooses for itself.
    pub const OWN_LEVEL: &'static str = "-";

    /// A cell under the usual conditions: one message a call on one thread, in place,
    /// without IV and associated data, at the library's own level.
    #[must_use]
    pub fn new(algorithm: &str, operation: &str, model: Model, size: u64) -> Self {
        Self {
            algorithm: algorithm.to_owned(),
            operation: operation.to_owned(),
            model,
            size,
            placement: Placement::InPlace,
            unaligned: 0,
            cold: false,
            nonce_bytes: 0,
            aad_bytes: 0,
            messages: 1,
            keys: model.keys(),
            mix: Mix::Equal,
            threads: 1,
            level: Self::OWN_LEVEL.to_owned(),
        }
    }

    /// The same work, one message a call: `packet` where the keys are fresh, `message` where
    /// they are ready. Any model but `batch` is that already.
    #[must_use]
    pub fn one_by_one(&self) -> Self {
        let model = match (self.model, self.keys) {
            (Model::Batch, KeySetup::Fresh) => Model::Packet,
            (Model::Batch, KeySetup::Ready) => Model::Message,
            (model, _) => model,
        };
        Self { model, messages: 1, ..self.clone() }
    }

    /// The same cell at no particular level: what must agree before figures are compared.
    #[must_use]
    pub fn without_level(&self) -> Self {
        Self { level: Self::OWN_LEVEL.to_owned(), ..self.clone() }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{} {}", self.algorithm, self.operation, self.model)?;
        if self.model == Model::Batch {
            write!(f, " of {}, keys {},", self.messages, self.keys)?;
        }
        if self.mix != Mix::Equal {
            write!(f, " {}", self.mix)?;
        }
        if !self.model.is_setup() {
            write!(f, " {} B", self.size)?;
        }
        if self.aad_bytes > 0 {
            write!(f, " AAD {} B", self.aad_bytes)?;
        }
        if self.placement != Placement::InPlace {
            write!(f, " {}", self.placement)?;
        }
        if self.unaligned > 0 {
            write!(f, " unaligned by {} B", self.unaligned)?;
        }
        if self.cold {
            f.write_str(" cold")?;
        }
        if self.threads > 1 {
            write!(f, " {} threads", self.threads)?;
        }
        if self.level != Self::OWN_LEVEL {
            write!(f, " {}", self.level)?;
        }
        Ok(())
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
pub(crate) fn is_false(value: &bool) -> bool {
    !value
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "what serde calls it with")]
fn is_zero(value: &u32) -> bool {
    *value == 0
}
