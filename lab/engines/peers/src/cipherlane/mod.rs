//! The engine `cipherlane`: everything its registry holds, at every level this CPU has.

mod many;
mod of_stream;
mod threads;
mod whole;

pub(crate) use threads::pool;

use std::hint::black_box;

use cipherlane::registry::{
    ALGORITHMS, Algorithm, DataRule, KEYSTREAM, New, NewBlock, NewStream, Operation, Started,
    algorithm, operation, operations,
};
use cipherlane::{BlockCipher, Error, InOut, Level, Sizes, StreamCipher};
use lab::reply::{Description, Offer};
use lab::study::MAX_THREADS;
use lab::work::{
    Batch, Data, Engine, Fault, Keys, Message, Notes, Refusal, Run, RunBatch, one_by_one,
};
use lab::{Cell, Model};

/// The library of this workspace.
pub(crate) struct Cipherlane;

impl Engine for Cipherlane {
    fn describe(&self) -> Description {
        Description {
            engine: "cipherlane".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: crate::build(),
            path: crate::own_path(),
            offers: ALGORITHMS.iter().flat_map(offers).collect(),
            known_wrong: Vec::new(),
        }
    }

    fn prepare(&self, cell: &Cell, keys: &Keys, run: Run<'_>) -> Result<Notes, Refusal> {
        let level = Level::by_name(&cell.level).map_err(refused)?;
        let algorithm = algorithm(&cell.algorithm)
            .ok_or_else(|| format!("cipherlane has no algorithm {}", cell.algorithm))?;
        if cell.threads > 1 {
            threads::prepare(algorithm, level, cell, keys, run)?;
            return Ok(Notes::default());
        }
        match algorithm.new {
            New::Block { new, shared, block: length, .. } => {
                if let Some(whole) = whole::find(algorithm, &cell.operation) {
                    whole::prepare((new, shared, length), whole, level, cell, keys, run)?;
                    return Ok(Notes::default());
                }
                let operation = operation(&cell.operation)
                    .ok_or_else(|| format!("cipherlane has no operation {}", cell.operation))?;
                block(new, operation, level, cell.model, keys, run)?;
                Ok(Notes::default())
            }
            New::Stream { new, unlimited, limit, .. } if cell.operation == KEYSTREAM => {
                // A long stream or message is of interest even where the standard forbids it.
                match limit {
                    Some(limit) if most(cell.model, cell.size) > limit => {
                        stream(unlimited, level, cell.model, keys, run)?;
                        Ok(outside(algorithm, limit, ONE_KEY))
                    }
                    _ => {
                        stream(new, level, cell.model, keys, run)?;
                        Ok(Notes::default())
                    }
                }
            }
            New::Stream { .. } => of_stream::prepare(algorithm, level, cell, keys, run),
        }
    }

    fn prepare_batch<'m>(
        &self,
        cell: &Cell,
        keys: &'m Keys,
        batches: Vec<Batch<'m>>,
        run: RunBatch<'_>,
    ) -> Result<Notes, Refusal> {
        let level = Level::by_name(&cell.level).map_err(refused)?;
        let algorithm = algorithm(&cell.algorithm)
            .ok_or_else(|| format!("cipherlane has no algorithm {}", cell.algorithm))?;
        let notes = of_stream::beyond(algorithm, cell);
        match many::find(algorithm, cell, notes.is_some()) {
            Some(many) => {
                many::prepare(&many, level, cell, keys, batches, notes.is_some(), run)?;
                Ok(notes.unwrap_or_default())
            }
            None => one_by_one(self, cell, keys, batches, run),
        }
    }

    fn threads(&self, cell: &Cell) -> u32 {
        let Some(algorithm) = algorithm(&cell.algorithm) else { return 1 };
        let can = match cell.model {
            Model::Batch => {
                let outside = of_stream::beyond(algorithm, cell).is_some();
                many::find(algorithm, cell, outside).is_some()
            }
            Model::Message => threads::can(algorithm, &cell.operation),
            _ => false,
        };
        if can { MAX_THREADS } else { 1 }
    }
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

/// What a reader must know of a cell that goes past what an algorithm allows.
fn outside(algorithm: &Algorithm, limit: u64, under: &str) -> Notes {
    Notes {
        flags: vec!["outside the specification".to_owned()],
        remark: format!("{} allows {limit} bytes under {under}", algorithm.title),
    }
}

/// What a keystream's limit is of.
const ONE_KEY: &str = "one key and IV";

/// An operation at every level, without IV and tag.
fn offer(algorithm: &Algorithm, operation: &str, models: &[Model]) -> Offer {
    Offer {
        algorithm: algorithm.name.to_owned(),
        operation: operation.to_owned(),
        levels: Level::available().map(|level| level.name().to_owned()).collect(),
        models: models.to_vec(),
        key_bytes: bytes(usual_key(algorithm.key)),
        nonce_bytes: vec![0],
        granule: 1,
        tag_bytes: 0,
    }
}

/// The key of 256 bits, in bytes, beyond which only the oldest ciphers go.
const LONG: usize = 32;

/// The key length that is measured, in bytes: 32 where a cipher goes so far and no farther, as
/// some peers have nothing shorter; else 16, or the least.
fn usual_key(key: Sizes) -> usize {
    if key.max == LONG {
        key.max
    } else if key.allow(16) {
        16
    } else {
        key.min
    }
}

/// The length of an IV that is measured, in bytes: the least, or the longest where none will do.
fn usual_iv(iv: Sizes) -> usize {
    if iv.min == 0 { iv.max } else { iv.min }
}

fn offers(algorithm: &'static Algorithm) -> Vec<Offer> {
    let mut models = vec![Model::Init, Model::Stream, Model::Packet, Model::Message];
    match algorithm.new {
        New::Stream { iv, .. } => {
            let nonce_bytes = vec![bytes(usual_iv(iv))];
            let keystream = Offer { nonce_bytes, ..offer(algorithm, KEYSTREAM, &models) };
            [vec![keystream], of_stream::offers(algorithm)].concat()
        }
        New::Block { block, .. } => {
            models.insert(1, Model::Key);
            let of = |operation: &Operation| {
                let mut models = models.clone();
                if chains(operation, block) {
                    models.push(Model::Latency);
                }
                let granule = match operation.data {
                    DataRule::Any => 1,
                    DataRule::WholeBlocks => bytes(block),
                };
                let nonce_bytes = vec![bytes((operation.iv)(block).min)];
                Offer { nonce_bytes, granule, ..offer(algorithm, operation.name, &models) }
            };
            operations(algorithm).map(of).chain(whole::offers(algorithm)).collect()
        }
    }
}

/// Whether a block's output, put in again, makes a chain: without an IV and in whole
/// blocks, the output is a function of the whole input.
fn chains(operation: &Operation, block: usize) -> bool {
    operation.data == DataRule::WholeBlocks && (operation.iv)(block).max == 0
}

fn bytes(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
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

fn block(
    new: NewBlock,
    operation: &Operation,
    level: Level,
    model: Model,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    let make = |key: &[u8]| new(key, level).map_err(|_| "the cipher's constructor");
    let apply = |cipher: &dyn BlockCipher, iv: &[u8], data: Data<'_>| {
        (operation.message)(cipher, iv, io(data)).map_err(|_| operation.name)
    };
    match model {
        // One object takes key after key where the cipher has a way to, as the contexts of the
        // other libraries do.
        Model::Init | Model::Packet => {
            let mut cipher = new(keys.key(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                if !cipher.rekey(message.key) {
                    cipher = make(message.key)?;
                }
                apply(black_box(&*cipher), message.iv, message.data)
            });
        }
        Model::Key => {
            let mut cipher = new(keys.key(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                if !cipher.rekey(message.key) {
                    cipher = make(message.key)?;
                }
                black_box(&*cipher);
                Ok(())
            });
        }
        Model::Message | Model::Latency => {
            let ready: Result<Vec<Box<dyn BlockCipher>>, Error> =
                keys.keys().map(|key| new(key, level)).collect();
            let ready = ready.map_err(refused)?;
            run(&mut |message: Message<'_>| apply(&*ready[message.slot], message.iv, message.data));
        }
        Model::Stream => {
            let cipher = new(keys.key(0), level).map_err(refused)?;
            match (operation.start)(&*cipher, keys.iv(0)).map_err(refused)? {
                Started::Stream(mut stream) => run(&mut |message: Message<'_>| {
                    stream.apply_inout(io(message.data)).map_err(|_| operation.name)
                }),
                Started::Blocks(mut mode) => run(&mut |message: Message<'_>| {
                    mode.blocks(io(message.data)).map_err(|_| operation.name)
                }),
            }
        }
        Model::Batch => return Err("a batch is made of single messages".into()),
    }
    Ok(())
}

fn stream(
    new: NewStream,
    level: Level,
    model: Model,
    keys: &Keys,
    run: Run<'_>,
) -> Result<(), Refusal> {
    const FAULT: Fault = "the keystream";
    let apply = |stream: &mut dyn StreamCipher, data: Data<'_>| {
        stream.apply_inout(io(data)).map_err(|_| FAULT)
    };
    match model {
        Model::Init | Model::Packet => {
            let mut stream = new(keys.key(0), keys.iv(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| {
                if !stream.take_key(message.key, message.iv) {
                    stream = new(message.key, message.iv, level).map_err(|_| FAULT)?;
                }
                apply(black_box(&mut *stream), message.data)
            });
        }
        Model::Message => {
            let ready = keys.keys().map(|key| new(key, keys.iv(0), level));
            let mut ready: Vec<Box<dyn StreamCipher>> =
                ready.collect::<Result<_, Error>>().map_err(refused)?;
            run(&mut |message: Message<'_>| {
                let stream = &mut *ready[message.slot];
                stream.reset(message.iv).map_err(|_| FAULT)?;
                apply(stream, message.data)
            });
        }
        Model::Stream => {
            let mut stream = new(keys.key(0), keys.iv(0), level).map_err(refused)?;
            run(&mut |message: Message<'_>| apply(&mut *stream, message.data));
        }
        Model::Key | Model::Batch | Model::Latency => {
            return Err(format!("a stream cipher can't be measured in model {model}").into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_and_an_iv_of_one_usual_length_are_measured() {
        let sizes = Sizes::steps;
        // SM4, AES-256, MICKEY 2.0, Salsa20, RC4, RC5.
        let keys = [
            (sizes(16, 16, 0), 16),
            (sizes(32, 32, 0), 32),
            (sizes(10, 10, 0), 10),
            (sizes(16, 32, 16), 32),
            (sizes(1, 256, 1), 16),
            (sizes(0, 255, 1), 16),
        ];
        for (key, usual) in keys {
            assert_eq!(usual_key(key), usual, "{key}");
        }
        let ivs = [(sizes(23, 25, 2), 23), (sizes(0, 8, 8), 8), (sizes(0, 0, 0), 0)];
        for (iv, usual) in ivs {
            assert_eq!(usual_iv(iv), usual, "{iv}");
        }
        for algorithm in ALGORITHMS {
            assert!(algorithm.key.allow(usual_key(algorithm.key)), "{}", algorithm.name);
        }
    }

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
