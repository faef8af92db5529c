//! Published vectors along more paths than `verify` takes: cut in two in every way and at random,
//! and in batches, where every vector meets others of its operation at all places, with
//! buffers that begin anywhere.

use std::collections::BTreeMap;

use cipherlane::batch::Packet;
use cipherlane::registry::{Kind, Parameters};
use cipherlane::{Error, InOut, Level, Sizes};
use model::random::SplitMix64;
use vectors::VectorFile;
use vectors::verify::{Cuts, Line, Plan, each_line};

use crate::calls::{Call, Parts, Way, calls};
use crate::share::Share;
use crate::work::{Effort, Record};

/// What of a vector goes in, and what must come out.
struct Vector {
    id: String,
    input: Parts,
    output: Parts,
    /// From this byte of the data on the output is published.
    from: usize,
    /// Whether it must be taken; what opens a message refuses it, if not.
    valid: bool,
}

/// An operation with the vectors that are published of it.
struct Operation {
    call: Call,
    vectors: Vec<Vector>,
}

/// Longer vectors are no part of batches in a quick run.
const SHORT: usize = 4096;
/// How often all vectors of an operation are shuffled.
const fn rounds(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 2,
        Effort::Full => 40,
    }
}

/// Checks this share of the vectors.
///
/// # Errors
/// If the vector files can't be read.
pub fn run(effort: Effort, share: Share, tell: &mut dyn FnMut(Record)) -> Result<(), String> {
    let files = vectors::all().map_err(|error| error.to_string())?;
    let levels: Vec<Level> = Level::available().collect();
    pieces(effort, share, &files, &levels, tell);
    let operations = operations(&files, effort);
    for (operation, &level) in
        share.of(operations.iter().flat_map(|it| levels.iter().map(move |level| (it, level))))
    {
        tell(batches(operation, level, effort));
    }
    Ok(())
}

/// Each vector in whole and in pieces.
fn pieces(
    effort: Effort,
    share: Share,
    files: &[VectorFile],
    levels: &[Level],
    tell: &mut dyn FnMut(Record),
) {
    let cuts = if effort == Effort::Full { Cuts::Every } else { Cuts::Few };
    let plan = Plan::new(&[], files).with_cuts(cuts).share(share.share, share.shares);
    let mut records: BTreeMap<(String, &str), Record> = BTreeMap::new();
    let summary = plan.run(levels, &mut |case| {
        let subject = format!("{}/{}", case.algorithm, case.mode);
        let level = case.level.name();
        let record = records.entry((subject.clone(), level)).or_insert_with(|| Record {
            check: "published",
            subject,
            way: format!("in pieces, {}", case.file),
            level,
            count: 0,
            widest: 0,
            fault: None,
        });
        record.count += case.paths;
        record.widest += 1;
        if let (None, Some(failure)) = (&record.fault, case.failure) {
            record.fault = Some(failure.to_string());
        }
    });
    records.into_values().for_each(&mut *tell);
    // Files that have been changed are no one's case.
    for failure in summary.failed.iter().filter(|it| it.place.is_none()) {
        tell(Record {
            check: "published",
            subject: failure.file.clone(),
            way: "reading".into(),
            level: "-",
            count: 0,
            widest: 0,
            fault: Some(failure.to_string()),
        });
    }
}

fn operations(files: &[VectorFile], effort: Effort) -> Vec<Operation> {
    let new = |call| Operation { call, vectors: Vec::new() };
    let mut operations: Vec<Operation> = calls(|_| true).into_iter().map(new).collect();
    each_line(files, &mut |line| {
        let plain = line.bits.is_none() && line.parameters == Parameters::default();
        let end = line.offset as usize + line.output.len().max(line.input.len());
        if !plain || effort == Effort::Quick && end > SHORT {
            return;
        }
        for Operation { call, vectors } in &mut operations {
            if call.algorithm.name == line.algorithm {
                vectors.extend(vector(call, line));
            }
        }
    });
    operations.retain(|it| !it.vectors.is_empty());
    operations
}

/// A line as a vector of an operation, if it is one.
fn vector(call: &Call, line: &Line<'_>) -> Option<Vector> {
    let batch = &call.0;
    let name = batch.name;
    let parts = |aad: &[u8], data: &[u8], tag: &[u8]| Parts {
        key: line.key.clone(),
        iv: line.iv.clone(),
        aad: aad.to_vec(),
        data: data.to_vec(),
        tag: tag.to_vec(),
    };
    let zeros = |len| vec![0; len];
    let (tag, none, mut from, valid) = (line.tag, &[][..], 0, line.valid);
    let ends = |end: &str| {
        name == line.operation || name.strip_suffix(end).is_some_and(|mode| mode == line.operation)
    };
    let [input, output] = match (line.kind, batch.kind) {
        ("cipher", Kind::Cipher) if name == line.operation && valid => {
            [parts(none, line.input, none), parts(none, line.output, none)]
        }
        ("cipher", Kind::Cipher) if name == line.inverse && valid => {
            [parts(none, line.output, none), parts(none, line.input, none)]
        }
        ("keystream", Kind::Cipher) if name == line.operation && valid => {
            from = line.offset as usize;
            let before = zeros(from);
            let data = [&before, line.output].concat();
            [parts(none, &zeros(data.len()), none), parts(none, &data, none)]
        }
        ("mac", Kind::Mac) if name == line.operation && valid => {
            [parts(line.input, none, &zeros(tag.len())), parts(line.input, none, tag)]
        }
        ("aead", Kind::Seal) if ends("-seal") && valid => {
            [parts(line.aad, line.input, &zeros(tag.len())), parts(line.aad, line.output, tag)]
        }
        ("aead", Kind::Open) if ends("-open") => {
            let opened = if valid { line.input.to_vec() } else { zeros(line.output.len()) };
            [parts(line.aad, line.output, tag), parts(line.aad, &opened, tag)]
        }
        _ => return None,
    };
    let allowed = |sizes: Sizes, bytes: &[u8]| sizes.allow(bytes.len());
    let data = if batch.kind == Kind::Mac { &input.aad } else { &input.data };
    let fits = allowed(batch.key, &input.key)
        && allowed(batch.iv, &input.iv)
        && allowed(batch.data, data)
        && (batch.kind == Kind::Cipher || allowed(batch.tag, tag));
    // What is refused for a length of its own keeps a whole batch from being written.
    let judged = valid || {
        let mut parts = input.clone();
        let done = call.run(Way::Alone, Level::portable(), &mut [parts.packet()]);
        done == Err(Error::Authentication)
    };
    let id = line.id.clone();
    (fits && judged).then_some(Vector { id, input, output, from, valid })
}

/// Memory in which a packet's buffers begin anywhere.
#[derive(Default)]
struct Room {
    memory: [Vec<u8>; 6],
    starts: [usize; 6],
}

impl Room {
    fn put(&mut self, random: &mut SplitMix64, parts: &Parts) {
        let Parts { key, iv, aad, data, tag } = parts;
        for (number, bytes) in [key, iv, aad, data, tag, data].into_iter().enumerate() {
            let start = random.below(64);
            let memory = &mut self.memory[number];
            memory.clear();
            memory.resize(start + bytes.len(), 0xc3);
            // The last one is where the output goes, if it goes elsewhere.
            if number < 5 {
                memory[start..].copy_from_slice(bytes);
            }
            self.starts[number] = start;
        }
    }

    fn packet(&mut self, apart: bool) -> Packet<'_> {
        let [key, iv, aad, data, tag, output] = &mut self.memory;
        let starts = self.starts;
        let data = &mut data[starts[3]..];
        let io = if apart {
            InOut::disjoint(data, &mut output[starts[5]..])
                .unwrap_or_else(|| unreachable!("equal lengths"))
        } else {
            data.into()
        };
        let (key, iv, aad) = (&key[starts[0]..], &iv[starts[1]..], &aad[starts[2]..]);
        Packet::aead(key, iv, aad, io, &mut tag[starts[4]..])
    }

    fn holds(&self, vector: &Vector, apart: bool) -> bool {
        let number = if apart { 5 } else { 3 };
        let data = &self.memory[number][self.starts[number]..];
        let tag = &self.memory[4][self.starts[4]..];
        data[vector.from..] == vector.output.data[vector.from..] && tag == vector.output.tag
    }
}

/// All vectors of an operation in batches of many sizes, shuffled again and again.
fn batches(operation: &Operation, level: Level, effort: Effort) -> Record {
    let Operation { call, vectors } = operation;
    let mut record = Record::of("published", call, "in batches", level);
    record.widest = vectors.len();
    let mut random = SplitMix64::new(vectors.len() as u64);
    let mut order: Vec<&Vector> = vectors.iter().collect();
    let mut rooms: Vec<Room> = Vec::new();
    for round in 0..rounds(effort) {
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        let mut rest = &order[..];
        while !rest.is_empty() {
            let most = [1, 2, 5, 17, 33, 70, 200][random.below(7)];
            let (now, later) = rest.split_at(most.min(rest.len()));
            rest = later;
            let way = Way::ALL[random.below(3)];
            match batch(call, level, way, now, &mut rooms, &mut random) {
                Ok(()) => record.count += now.len(),
                Err(fault) => {
                    record.fault = Some(format!("{fault}, {}, round {round}", way.name()));
                    return record;
                }
            }
        }
    }
    record
}

fn batch(
    call: &Call,
    level: Level,
    way: Way,
    vectors: &[&Vector],
    rooms: &mut Vec<Room>,
    random: &mut SplitMix64,
) -> Result<(), String> {
    let apart = random.below(2) == 1;
    while rooms.len() < vectors.len() {
        rooms.push(Room::default());
    }
    for (room, vector) in rooms.iter_mut().zip(vectors) {
        room.put(random, &vector.input);
    }
    let mut packets: Vec<Packet<'_>> =
        rooms[..vectors.len()].iter_mut().map(|room| room.packet(apart)).collect();
    // One by one ends with the first that is refused.
    let done = if way == Way::Alone {
        let each = packets.iter_mut().map(|it| call.run(way, level, core::slice::from_mut(it)));
        // All are run; a refusal of another kind tells more than a wrong tag.
        let refused: Vec<Error> = each.filter_map(Result::err).collect();
        let other = refused.iter().find(|error| **error != Error::Authentication);
        other.or(refused.first()).map_or(Ok(()), |error| Err(*error))
    } else {
        call.run(way, level, &mut packets)
    };
    drop(packets);
    let expected = match vectors.iter().all(|it| it.valid) {
        true => Ok(()),
        false => Err(Error::Authentication),
    };
    let of = |place: usize| format!("`{}`, {place} of {}", vectors[place].id, vectors.len());
    if done != expected {
        return Err(format!("{}: {done:?}; expected: {expected:?}", of(0)));
    }
    match rooms.iter().zip(vectors).position(|(room, vector)| !room.holds(vector, apart)) {
        None => Ok(()),
        Some(place) => Err(format!("{}: wrong output", of(place))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(name: &str) -> Vec<Operation> {
        let files = vectors::all().unwrap();
        let mut operations = operations(&files, Effort::Quick);
        operations.retain(|it| it.call.algorithm.name == name);
        operations
    }

    #[test]
    fn operations_have_their_vectors_and_pass() {
        let operations = some("sm4");
        let names = ["ctr", "cbc-encrypt", "cbc-decrypt", "gcm-seal", "gcm-open", "cmac"];
        for name in names {
            assert!(operations.iter().any(|it| it.call.0.name == name), "{name}");
        }
        for operation in &operations {
            let record = batches(operation, Level::best(), Effort::Quick);
            assert_eq!(record.fault, None, "{}", record.subject);
            assert_eq!(record.count, 2 * operation.vectors.len());
        }
        let refused = |it: &Operation| it.vectors.iter().any(|it| !it.valid);
        assert!(operations.iter().any(refused), "no vector that must be refused");
    }

    #[test]
    fn a_changed_vector_is_found() {
        for name in ["ctr", "gcm-seal", "gcm-open", "cmac"] {
            let mut operations = some("sm4");
            let operation = operations.iter_mut().find(|it| it.call.0.name == name);
            let operation = operation.unwrap();
            let vector = operation.vectors.last_mut().unwrap();
            let Parts { data, tag, .. } = &mut vector.output;
            *tag.last_mut().or(data.last_mut()).unwrap() ^= 1;
            let record = batches(operation, Level::best(), Effort::Quick);
            let fault = record.fault.unwrap_or_default();
            let id = &operation.vectors.last().unwrap().id;
            assert!(fault.contains("wrong output") && fault.contains(id.as_str()), "{fault}");
        }
    }
}
