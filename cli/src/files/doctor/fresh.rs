//! Which bytes of a plaintext are worth counting. Under a wrong key equal blocks of ciphertext
//! give equal blocks of rubbish, again and again: only the first of them is new. A byte that
//! follows from bytes before it, whatever the key, is evidence of nothing.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use cipherlane::registry::{self, KEYSTREAM, New};

use crate::files::raw::transform::{Form, Name};

/// Bytes of the plaintext that are looked at.
pub(crate) const LOOKED_AT: usize = 4096;

/// What of the ciphertext goes through the cipher to make a piece of plaintext.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Unit {
    /// A counter, a position or a state: never the same twice.
    Place,
    /// The block itself: ECB, CBC, BC.
    Block(usize),
    /// The block before: CFB.
    BlockBefore(usize),
    /// So many bytes before each byte: CFB8, and CFB1 but for bits of the byte itself.
    BytesBefore(usize),
}

impl Unit {
    /// That of a cipher and mode.
    pub(crate) fn of(name: &Name) -> Self {
        let (Form::Plain(mode) | Form::Sm3Hmac(mode)) = &name.form else { return Self::Place };
        let algorithm = registry::algorithm(name.algorithm).map(|it| &it.new);
        let Some(New::Block { block, .. }) = algorithm else { return Self::Place };
        match mode.trim_end_matches("-encrypt") {
            "ctr" | "ctr32" | "nea2" | "ofb" | KEYSTREAM => Self::Place,
            "cfb" => Self::BlockBefore(*block),
            "cfb1" | "cfb8" => Self::BytesBefore(*block),
            _ => Self::Block(*block),
        }
    }
}

/// A piece of ciphertext of at most 16 bytes, as a number.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte))
}

/// Which bytes of a plaintext count.
#[derive(Clone)]
pub(crate) enum Fresh {
    All,
    /// One after another; those behind the last don't.
    Some(Rc<Vec<bool>>),
}

impl Fresh {
    pub(crate) fn at(&self, at: usize) -> bool {
        match self {
            Self::All => true,
            Self::Some(list) => list.get(at).copied().unwrap_or(false),
        }
    }
}

/// What is known of one body.
struct Known {
    fresh: Rc<Vec<bool>>,
    /// Where each piece in front of a byte or block is met first.
    first: HashMap<u128, usize>,
}

/// Remembers what has been looked at: the same data is tried under many ciphers.
#[derive(Default)]
pub(crate) struct Memory(HashMap<(Unit, usize, usize), Known>);

impl Memory {
    /// Which bytes count of a body, which is the only one with this address and length.
    pub(crate) fn fresh(&mut self, unit: Unit, iv: &[u8], body: &[u8]) -> Fresh {
        let (block, step) = match unit {
            Unit::Place => return Fresh::All,
            Unit::Block(block) | Unit::BlockBefore(block) => (block, block),
            Unit::BytesBefore(block) => (block, 1),
        };
        let head = &body[..body.len().min(LOOKED_AT)];
        let place = (unit, body.as_ptr().addr(), body.len());
        let known = self.0.entry(place).or_insert_with(|| match unit {
            Unit::Block(_) => Known { fresh: Rc::new(blocks(head, block)), first: HashMap::new() },
            _ => before(head, block, step),
        });
        if matches!(unit, Unit::Block(_)) || iv.len() != block {
            return Fresh::Some(known.fresh.clone());
        }
        // The first pieces reach into the IV.
        let front = [iv, &head[..head.len().min(block)]].concat();
        let mut fresh = known.fresh.as_ref().clone();
        let mut met = HashSet::new();
        for at in (0..block.min(head.len())).step_by(step) {
            let piece = number(&front[at..at + block]);
            let new = met.insert(piece);
            fresh[at..(at + step).min(head.len())].fill(new);
            if let Some(again) = known.first.get(&piece) {
                fresh[*again..(again + step).min(head.len())].fill(false);
            }
        }
        Fresh::Some(Rc::new(fresh))
    }
}

fn blocks(head: &[u8], block: usize) -> Vec<bool> {
    let mut met = HashSet::new();
    head.chunks(block).flat_map(|it| vec![met.insert(number(it)); it.len()]).collect()
}

fn before(head: &[u8], block: usize, step: usize) -> Known {
    let mut fresh = vec![true; head.len()];
    let mut first = HashMap::new();
    for at in (block..head.len()).step_by(step) {
        let piece = number(&head[at - block..at]);
        let new = *first.entry(piece).or_insert(at) == at;
        fresh[at..(at + step).min(head.len())].fill(new);
    }
    Known { fresh: Rc::new(fresh), first }
}

/// Which bytes of data count as it stands, under no cipher: each block of 8 bytes once, so that
/// the repetitions that ECB leaves are not taken for a pattern of the plaintext.
pub(crate) fn as_it_stands(data: &[u8]) -> Fresh {
    Fresh::Some(Rc::new(blocks(&data[..data.len().min(LOOKED_AT)], 8)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(fresh: &Fresh, len: usize) -> String {
        (0..len).map(|at| if fresh.at(at) { '1' } else { '.' }).collect()
    }

    #[test]
    fn what_comes_again_counts_once() {
        let mut memory = Memory::default();
        let body = b"aaaaaaaabbbbbbbbaaaaaaaacccc";
        let block = memory.fresh(Unit::Block(8), &[0; 8], body);
        assert_eq!(list(&block, 28), "1111111111111111........1111");
        let cfb = memory.fresh(Unit::BlockBefore(8), b"xxxxxxxx", body);
        assert_eq!(list(&cfb, 28), "111111111111111111111111....");
        // The IV is the block of a later place: what was new there is not.
        let cfb = memory.fresh(Unit::BlockBefore(8), b"aaaaaaaa", body);
        assert_eq!(list(&cfb, 28), "11111111........11111111....");
        let cfb8 = memory.fresh(Unit::BytesBefore(8), b"aaaaaaaa", b"aaaaaaaaaaab");
        assert_eq!(list(&cfb8, 12), "1...........");
        let cfb8 = memory.fresh(Unit::BytesBefore(8), b"xxxxxxxx", b"aaaaaaaaaaab");
        assert_eq!(list(&cfb8, 12), "111111111...");
        assert_eq!(list(&memory.fresh(Unit::Place, &[], body), 4), "1111");
        assert_eq!(list(&as_it_stands(&[0; 20]), 20), "11111111............");
    }

    #[test]
    fn every_mode_has_its_unit() {
        let unit = |name: &str| Unit::of(&Name::parse(name).unwrap());
        assert_eq!(unit("sm4-ecb"), Unit::Block(16));
        assert_eq!(unit("sm4-cbc-sm3-hmac"), Unit::Block(16));
        assert_eq!(unit("sm4-bc"), Unit::Block(16));
        assert_eq!(unit("idea-cfb"), Unit::BlockBefore(8));
        assert_eq!(unit("rc2-cfb8"), Unit::BytesBefore(8));
        for name in ["sm4-ctr", "sm4-ofb", "zuc-128", "sm4-xts", "sm4-hctr", "sm4-gcm", "rc4"] {
            assert_eq!(unit(name), Unit::Place, "{name}");
        }
    }
}
