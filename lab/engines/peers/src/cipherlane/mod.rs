//! The engine `cipherlane`: everything its registry holds, at every level this CPU has.

mod many;
mod models;
mod offers;
mod threads;

pub(crate) use threads::pool;

use cipherlane::air::PduCipher;
use cipherlane::mac::DynMac;
use cipherlane::modes::{Direction, MessageMode};
use cipherlane::registry::{self, ALGORITHMS, Constructor, KEYSTREAM, Kind, Operation};
use cipherlane::{Aead, InOut, Level};
use lab::reply::Description;
use lab::study::MAX_THREADS;
use lab::work::{Batch, Data, Engine, Keys, Notes, Refusal, Run, RunBatch, one_by_one};
use lab::{Cell, Model};

use self::models::{Take, authenticate, block, models, stream};

/// The library of this workspace.
pub(crate) struct Cipherlane;

impl Engine for Cipherlane {
    fn describe(&self) -> Description {
        Description {
            engine: "cipherlane".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: crate::build(),
            path: crate::own_path(),
            offers: ALGORITHMS
                .iter()
                .flat_map(registry::operations)
                .map(|it| offers::offer(&it))
                .collect(),
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let level = Level::by_name(&cell.level).map_err(refused)?;
        let operation = find(cell)?;
        if cell.threads > 1 {
            threads::prepare(&operation, level, cell, keys, run)?;
            return Ok(Notes::default());
        }
        prepare(&operation, level, cell, keys, run)
    }

    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        batches: Vec<Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        let level = Level::by_name(&cell.level).map_err(refused)?;
        let operation = find(cell)?;
        let notes = beyond(&operation, cell);
        if many::can(cell, notes.is_some()) {
            many::prepare(&operation, level, cell, keys, batches, notes.is_some(), run)?;
            Ok(notes.unwrap_or_default())
        } else {
            one_by_one(self, cell, keys, batches, run)
        }
    }

    fn threads(&self, cell: &Cell) -> u32 {
        let Ok(operation) = find(cell) else { return 1 };
        let can = match cell.model {
            Model::Batch => many::can(cell, beyond(&operation, cell).is_some()),
            Model::Message => threads::can(&operation),
            _ => false,
        };
        if can { MAX_THREADS } else { 1 }
    }
}

/// The operation of a cell.
fn find(cell: &Cell) -> Result<Operation, Refusal> {
    let Cell { algorithm, operation, .. } = cell;
    let of = registry::algorithm(algorithm)
        .ok_or_else(|| format!("cipherlane has no algorithm {algorithm}"))?;
    let found = registry::operation(of, operation);
    Ok(found.ok_or_else(|| format!("{algorithm} has no operation {operation}"))?)
}

/// What encrypts PDUs is made anew for every key.
const NEVER: Take<dyn PduCipher> = |_, _, _| false;

/// Gets the work of a cell ready and hands it to `run`.
fn prepare(
    operation: &Operation,
    level: Level,
    cell: &Cell,
    keys: &Keys,
    run: Run<'_>,
) -> Result<Notes, Refusal> {
    let Operation { name, algorithm, .. } = *operation;
    let open = operation.kind == Kind::Open;
    // A long stream or message is of interest even where the standard forbids it.
    let beyond = beyond(operation, cell);
    match operation.new {
        Constructor::Stream { new, unlimited } => {
            let new = if beyond.is_some() { unlimited } else { new };
            stream(new, level, cell.model, keys, run)
        }
        Constructor::Mode(mode) => block(algorithm, (name, mode), level, cell.model, keys, run),
        Constructor::Message(new) => {
            let (data, size) = (operation.data, usize::try_from(cell.size).unwrap_or(usize::MAX));
            if !cell.model.is_setup() && !data.allow(size) {
                return Err(format!("{name} takes messages of {data} bytes, not {size}").into());
            }
            let decrypt = operation.direction() == Direction::Decrypt;
            let make = |key: &[u8], _: &[u8]| new(algorithm, key, level);
            let take: Take<dyn MessageMode> = |mode, key, _| mode.take_key(key);
            models(cell.model, keys, run, (make, take), |mode, message, _| {
                let (iv, data) = (message.iv, io(message.data));
                let done = if decrypt { mode.decrypt(iv, data) } else { mode.encrypt(iv, data) };
                done.map_err(|_| name)
            })
        }
        Constructor::Aead { new, .. } => {
            let make = |key: &[u8], _: &[u8]| new(algorithm, key, level);
            let take: Take<dyn Aead> = |aead, key, _| aead.take_key(key);
            models(cell.model, keys, run, (make, take), |aead, message, _| {
                let (iv, aad, data, tag) = (message.iv, message.aad, io(message.data), message.tag);
                let done = if open {
                    aead.open(iv, aad, data, tag)
                } else {
                    aead.seal(iv, aad, data, tag)
                };
                done.map_err(|_| name)
            })
        }
        Constructor::Pdu(new) => {
            let make = |key: &[u8], _: &[u8]| new(key, level);
            models(cell.model, keys, run, (make, NEVER), |both, message, _| {
                let (iv, aad, data, tag) = (message.iv, message.aad, io(message.data), message.tag);
                let done = if open {
                    both.open_pdu(iv, aad, data, tag)
                } else {
                    both.seal_pdu(iv, aad, data, tag)
                };
                done.map_err(|_| name)
            })
        }
        Constructor::Mac { new, unlimited } => {
            let new = if beyond.is_some() { unlimited } else { new };
            let make = |key: &[u8], iv: &[u8]| new(algorithm, key, iv, level);
            let take: Take<dyn DynMac> =
                |mac, key, iv| mac.take_key(key) && (iv.is_empty() || mac.reset(iv).is_ok());
            models(cell.model, keys, run, (make, take), |mac, message, fresh| {
                authenticate(mac, message, fresh).map_err(|_| name)
            })
        }
    }?;
    Ok(beyond.unwrap_or_default())
}

/// The most bytes under one key and IV in a cell, whose messages have `size` bytes.
fn most(model: Model, size: u64) -> u64 {
    /// What no run of a stream comes to: at 16 bytes a nanosecond it takes five hours.
    const STREAM: u64 = 1 << 48;
    match model {
        Model::Stream => STREAM,
        _ => size,
    }
}

/// What a reader must know of a cell that goes past what the standard allows; none where it
/// doesn't.
fn beyond(operation: &Operation, cell: &Cell) -> Option<Notes> {
    let limit = operation.limit.filter(|limit| most(cell.model, cell.size) > *limit)?;
    let under = if operation.name == KEYSTREAM { "one key and IV" } else { operation.name };
    Some(Notes {
        flags: vec!["outside the specification".to_owned()],
        remark: format!("{} allows {limit} bytes under {under}", operation.algorithm.title),
    })
}

fn refused(error: impl ToString) -> Refusal {
    Refusal(error.to_string())
}

fn io(data: Data<'_>) -> InOut<'_> {
    match data {
        Data::InPlace(data) => data.into(),
        Data::Disjoint(input, output) => {
            InOut::disjoint(input, output).expect("the ring's buffers have one length")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::offers::bytes;
    use super::*;

    #[test]
    fn a_stream_is_outside_the_specification_only_where_a_run_can_get_there() {
        let flags = |name: &str, key: usize, iv: usize, model, size| {
            let keys = Keys::generate(1, key, iv);
            let cell = Cell {
                level: "portable".to_owned(),
                nonce_bytes: bytes(iv),
                ..Cell::new(name, KEYSTREAM, model, size)
            };
            Cipherlane.prepare(&cell, &keys, &mut |_| {}).map(|notes| notes.flags.len()).unwrap()
        };
        // 2^61 bytes are allowed, and 2500.
        assert_eq!(flags("hc-128", 16, 16, Model::Stream, 1500), 0);
        assert_eq!(flags("zuc-256", 32, 23, Model::Stream, 1500), 1);
        assert_eq!(flags("zuc-256", 32, 23, Model::Packet, 2500), 0);
        assert_eq!(flags("zuc-256", 32, 23, Model::Packet, 2501), 1);
    }
}
