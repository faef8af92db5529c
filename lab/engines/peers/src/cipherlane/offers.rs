//! What the engine offers: every operation, in the models that measure it.

use cipherlane::registry::{Constructor, KEYSTREAM, Operation};
use cipherlane::{Level, Sizes};
use lab::Model;
use lab::reply::Offer;

/// The longest tag that is offered, in bytes.
const TAG: usize = 16;

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
fn longest_or_least(iv: Sizes) -> usize {
    if iv.min == 0 { iv.max } else { iv.min }
}

/// The same of an operation, whose keys are sums or multiples of the cipher's.
fn key_bytes(operation: &Operation) -> usize {
    let cipher = operation.algorithm.key;
    match operation.algorithm.block() {
        Some(_) => usual_key(cipher) * operation.key.max / cipher.max,
        None if operation.name == KEYSTREAM => usual_key(cipher),
        None => operation.key.min,
    }
}

/// An operation at every level.
pub(super) fn offer(operation: &Operation) -> Offer {
    let Operation { name, algorithm, iv, usual_iv, data, tag, .. } = *operation;
    // A key of a stream cipher and its IV are set together, so there is no set-up of the key alone.
    let of_blocks = algorithm.block().is_some();
    let (init, key) = match operation.new {
        Constructor::Stream { .. } | Constructor::Pdu(_) => (true, false),
        Constructor::Mode(_) => (true, true),
        Constructor::Message(_) => (data.min == 0, true),
        Constructor::Aead { .. } => (true, of_blocks),
        // A MAC that takes an IV sets it with the key.
        Constructor::Mac { .. } => (true, of_blocks && iv.max == 0),
    };
    let streams = matches!(operation.new, Constructor::Stream { .. } | Constructor::Mode(_));
    // A block's output, put in again, makes a chain: without an IV and in whole blocks, the
    // output is a function of the whole input.
    let chains = operation.block_mode().is_some() && operation.whole_blocks() && iv.max == 0;
    let models = [
        (init, Model::Init),
        (key, Model::Key),
        (streams, Model::Stream),
        (true, Model::Packet),
        (true, Model::Message),
        (chains, Model::Latency),
    ];
    Offer {
        algorithm: algorithm.name.to_owned(),
        operation: name.to_owned(),
        levels: Level::available().map(|level| level.name().to_owned()).collect(),
        models: models.into_iter().filter_map(|(can, model)| can.then_some(model)).collect(),
        key_bytes: bytes(key_bytes(operation)),
        nonce_bytes: vec![bytes(if name == KEYSTREAM { longest_or_least(iv) } else { usual_iv })],
        granule: bytes(data.step.max(1)),
        tag_bytes: bytes(tag.max.min(TAG)),
    }
}

pub(super) fn bytes(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use cipherlane::registry::ALGORITHMS;

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
            assert_eq!(longest_or_least(iv), usual, "{iv}");
        }
        for algorithm in ALGORITHMS {
            assert!(algorithm.key.allow(usual_key(algorithm.key)), "{}", algorithm.name);
        }
    }
}
