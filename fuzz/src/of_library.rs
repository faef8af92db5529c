//! The library: levels, ways of calling and pieces must agree with each other and with the model.

use cipherlane::batch::Packet;
use cipherlane::registry::{Constructor, Kind, New, Started};
use cipherlane::{Error, Level};
use prove::calls::{Call, Parts, Way};

use crate::input::Input;

/// Longer than the widest tile.
const LONGEST: usize = 1100;
/// Messages of a batch: more than there are lanes.
const MOST: usize = 40;

/// Outputs of a call, or its error, which leaves an AEAD's output of zeros.
fn outcome(
    call: &Call,
    way: Way,
    level: Level,
    parts: &[Parts],
) -> (Result<(), Error>, Vec<Parts>) {
    let mut parts = parts.to_vec();
    let mut packets: Vec<Packet<'_>> = parts.iter_mut().map(Parts::packet).collect();
    let result = call.run(way, level, &mut packets);
    (result, parts)
}

/// Makes tags right, so that more than refusals is tried; flips a bit of some.
fn seal(call: &Call, parts: &mut [Parts], input: &mut Input<'_>) {
    let Some(sealing) = call.sealing().filter(|_| call.opens()) else { return };
    for parts in parts {
        let _ = sealing.run(Way::Alone, Level::portable(), &mut [parts.packet()]);
        let flip = input.byte();
        if flip < 32
            && let Some(byte) = parts.tag.get_mut(usize::from(flip))
        {
            *byte ^= 1 << (flip % 8);
        }
    }
}

/// One operation at some level against the portable one and the model.
pub fn operations(data: &[u8]) {
    let mut input = Input(data);
    let (call, level) = (input.call(), input.level());
    let mut parts = [input.parts(call, LONGEST)];
    seal(call, &mut parts, &mut input);
    let (expected, by_portable) = outcome(call, Way::Alone, Level::portable(), &parts);
    let (got, by_level) = outcome(call, Way::Alone, level, &parts);
    assert_eq!(got, expected, "{} at {level}", call.name());
    // What a refused call leaves is nobody's promise but an AEAD's.
    if expected.is_ok() || call.opens() {
        assert_eq!(by_level, by_portable, "{} at {level}", call.name());
    }
    if expected.is_err() {
        let output = &by_level[0].data;
        let opened = call.opens() && expected == Err(Error::Authentication);
        assert!(!opened || output.iter().all(|&byte| byte == 0), "{}", call.name());
        return;
    }
    let (before, after) = (&parts[0], &by_level[0]);
    let name = call.algorithm.name;
    if call.key.max != call.algorithm.key.max {
        // A mode with keys of its own, of which there is no model here.
        return;
    }
    let by_model = match call.algorithm.new {
        New::Block { .. } => model::table::block_cipher(name, &before.key).and_then(|cipher| {
            model::table::operation(call.0.name, &cipher, &before.iv, &before.data)
        }),
        New::Stream { .. } if call.0.name == cipherlane::registry::KEYSTREAM => {
            let len = before.data.len();
            let bytes = model::table::keystream(name, &before.key, &before.iv, len);
            bytes.map(|bytes| bytes.iter().zip(&before.data).map(|(a, b)| a ^ b).collect())
        }
        New::Stream { .. } => None,
    };
    if let Some(by_model) = by_model {
        assert_eq!(after.data, by_model, "{} and the model", call.name());
    }
}

/// An operation in pieces against the same in one call.
pub fn pieces(data: &[u8]) {
    let mut input = Input(data);
    let (call, level) = (input.call(), input.level());
    let parts = input.parts(call, LONGEST);
    let (expected, whole) = outcome(call, Way::Alone, level, std::slice::from_ref(&parts));
    if expected.is_err() || call.kind != Kind::Cipher {
        return;
    }
    let mut data = parts.data.clone();
    let mut cut = |len: usize, granule: usize| {
        if len == 0 { 0 } else { (input.below(len + 1) / granule * granule).max(granule).min(len) }
    };
    match call.new {
        Constructor::Stream { new, .. } => {
            let mut stream = new(&parts.key, &parts.iv, level).unwrap();
            let mut rest = &mut data[..];
            while !rest.is_empty() {
                let (piece, behind) = rest.split_at_mut(cut(rest.len(), 1));
                stream.apply_inout(piece.into()).unwrap();
                rest = behind;
            }
        }
        Constructor::Mode(mode) => {
            let cipher = call.algorithm.cipher(&parts.key, level).unwrap();
            let block = cipher.block_size();
            let mut rest = &mut data[..];
            match (mode.start)(&*cipher, &parts.iv).unwrap() {
                Started::Blocks(mut mode) => {
                    while !rest.is_empty() {
                        let (piece, behind) = rest.split_at_mut(cut(rest.len(), block));
                        mode.blocks(piece.into()).unwrap();
                        rest = behind;
                    }
                }
                Started::Stream(mut mode) => {
                    while !rest.is_empty() {
                        let (piece, behind) = rest.split_at_mut(cut(rest.len(), 1));
                        mode.apply_inout(piece.into()).unwrap();
                        rest = behind;
                    }
                }
            }
        }
        _ => return,
    }
    assert_eq!(data, whole[0].data, "{} at {level} in pieces", call.name());
}

/// Many messages at once against each alone.
pub fn batches(data: &[u8]) {
    let mut input = Input(data);
    let (call, level) = (input.call(), input.level());
    let way = if input.byte().is_multiple_of(2) { Way::Ready } else { Way::Fresh };
    let count = input.below(MOST);
    let longest = [16, 80, 300][input.below(3)];
    let mut parts: Vec<Parts> = (0..count).map(|_| input.parts(call, longest)).collect();
    seal(call, &mut parts, &mut input);
    let (together, by_batch) = outcome(call, way, level, &parts);
    let alone: Vec<_> =
        parts.iter().map(|it| outcome(call, Way::Alone, level, std::slice::from_ref(it))).collect();
    let what = || format!("{} {way:?} at {level}", call.name());
    let refused = |it: &Result<(), Error>| it.is_err() && *it != Err(Error::Authentication);
    if alone.iter().any(|(result, _)| refused(result)) {
        // Nothing is done where one can't be.
        assert!(together.is_err(), "{}", what());
        return;
    }
    let wrong = alone.iter().any(|(result, _)| result.is_err());
    let expected = if wrong { Err(Error::Authentication) } else { Ok(()) };
    assert_eq!(together, expected, "{}", what());
    for ((_, alone), together) in alone.iter().zip(&by_batch) {
        assert_eq!(alone[0], *together, "{}", what());
    }
}
