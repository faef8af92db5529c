//! Files of the format made here from docs/FORMAT.md, without the crate's writer: it would not write what
//! the document forbids, and readers must judge that behind a MAC and tags that are right.

use cipherlane::aead::gcm::Gcm;
use cipherlane::aead::gxm::Gxm;
use cipherlane::{Aead, Aes128, Aes256, Sm4};
use sha2::{Digest as _, Sha256};

use crate::input::Input;

const SIGNATURE: [u8; 8] = *b"\x89CLANE\r\n";
const TAG: usize = 16;
/// What a file has room for, in bytes: Python is slow.
const MOST: usize = 16 << 10;

/// "Header": the fields up to the MAC.
struct Fields {
    version: u8,
    suite: u8,
    bits: u8,
    kdf: u8,
    numbers: [u32; 3],
    salt: [u8; 32],
}

/// The least and the most of each number of a KDF.
const NUMBERS: [[(u32, u32); 3]; 3] = [
    [(0, 0), (0, 0), (0, 0)],
    [(8192, 2_097_152), (1, 64), (1, 64)],
    [(1000, 100_000_000), (0, 0), (0, 0)],
];

/// A file and what must come of it.
pub(crate) struct Forged {
    pub(crate) file: Vec<u8>,
    /// What it holds, if nothing is wrong with it.
    pub(crate) plain: Option<Vec<u8>>,
}

fn number(input: &mut Input<'_>) -> u32 {
    u32::from_be_bytes(input.bytes(4).try_into().expect("4 bytes"))
}

fn sha256(message: &[u8]) -> [u8; 32] {
    Sha256::digest(message).into()
}

/// RFC 2104, over a hash with blocks of 64 bytes, for keys that are no longer.
fn hmac(hash: fn(&[u8]) -> [u8; 32], key: &[u8], message: &[u8]) -> [u8; 32] {
    let mut block = [0; 64];
    block[..key.len()].copy_from_slice(key);
    let inner = hash(&[&block.map(|byte| byte ^ 0x36), message].concat());
    hash(&[&block.map(|byte| byte ^ 0x5c)[..], &inner].concat())
}

/// "Keys": that of the MAC, and 32 bytes of which the first are that of the chunks.
fn keys(
    hash: fn(&[u8]) -> [u8; 32],
    salt: &[u8],
    master: &[u8],
    signed: &[u8],
) -> ([u8; 32], [u8; 32]) {
    let key = hmac(hash, salt, master);
    let info = [b"cipherlane file 1", signed].concat();
    let first = hmac(hash, &key, &[&info[..], &[1]].concat());
    (first, hmac(hash, &key, &[&first[..], &info, &[2]].concat()))
}

impl Fields {
    /// Such as a file has, often at the edges of their ranges; then, half of the time, one of them anything:
    /// two wrong ones would hide each other.
    fn drawn(input: &mut Input<'_>) -> Self {
        let kdf = input.below(3) as u8;
        let numbers = NUMBERS[usize::from(kdf)].map(|(low, high)| match input.below(4) {
            0 => low,
            1 => high,
            _ => low + number(input) % (high - low + 1),
        });
        // Suite 4 is drawn less often than the others: it is slow in Python.
        let suite = [1, 2, 3, 1, 2, 3, 4][input.below(7)];
        let bits = [12, 12, 12, 12, 13, 24, 12 + input.below(13) as u8][input.below(7)];
        let salt = [input.byte(); 32];
        let mut fields = Self { version: 1, suite, bits, kdf, numbers, salt };
        match input.below(12) {
            0 => fields.version = input.byte(),
            1 => fields.suite = [0, 5, input.byte()][input.below(3)],
            2 => fields.bits = [11, 25, 0, 8, 31, 32, 64, input.byte()][input.below(8)],
            3 => fields.kdf = [3, 1, input.byte()][input.below(3)],
            way @ 4..=6 => {
                let at = input.below(3);
                let (low, high) = NUMBERS[usize::from(kdf)][at];
                fields.numbers[at] = match way {
                    4 => low.wrapping_sub(1),
                    5 => high + 1,
                    _ => number(input),
                };
            }
            _ => {}
        }
        fields
    }

    /// Whether the document has such a header.
    fn allowed(&self) -> bool {
        let ranges = NUMBERS.get(usize::from(self.kdf));
        let fits = |ranges: &[(u32, u32); 3]| {
            ranges.iter().zip(self.numbers).all(|(&(low, high), it)| (low..=high).contains(&it))
        };
        self.version == 1
            && (1..=4).contains(&self.suite)
            && (12..=24).contains(&self.bits)
            && ranges.is_some_and(fits)
    }

    fn signed(&self) -> Vec<u8> {
        let mut bytes = SIGNATURE.to_vec();
        bytes.extend([self.version, self.suite, self.bits, self.kdf]);
        bytes.extend(self.numbers.map(u32::to_be_bytes).concat());
        bytes.extend(self.salt);
        bytes
    }

    /// The suite whose algorithms are taken: one that there is, whatever the header says.
    fn algorithms(&self) -> u8 {
        1 + (self.suite.wrapping_sub(1)) % 4
    }

    /// The header, and what seals chunks.
    fn sealed(&self, master: [u8; 32]) -> (Vec<u8>, Sealer) {
        let signed = self.signed();
        let suite = self.algorithms();
        let hash: fn(&[u8]) -> [u8; 32] =
            if matches!(suite, 1 | 4) { model::sm3::digest } else { sha256 };
        let (mac, chunks) = keys(hash, &self.salt, &master, &signed);
        let short = &chunks[..16];
        let aead: Box<dyn Aead> = match suite {
            1 => Box::new(Gcm::new(Sm4::new(short).expect("a key")).expect("GCM")),
            2 => Box::new(Gcm::new(Aes128::new(short).expect("a key")).expect("GCM")),
            3 => Box::new(Gcm::new(Aes256::new(&chunks).expect("a key")).expect("GCM")),
            _ => Box::new(Gxm::new(short).expect("a key")),
        };
        let header = [&signed[..], &hmac(hash, &mac, &signed)].concat();
        (header, Sealer { aead, nonce: if suite == 4 { 16 } else { 12 } })
    }
}

struct Sealer {
    aead: Box<dyn Aead>,
    nonce: usize,
}

/// "Chunks": one as it is to be sealed.
#[derive(Clone, PartialEq, Eq)]
struct Chunk {
    number: u64,
    last: u8,
    plain: Vec<u8>,
}

impl Sealer {
    fn seal(&self, chunk: &Chunk) -> Vec<u8> {
        let mut nonce = vec![0; self.nonce - 9];
        nonce.extend(chunk.number.to_be_bytes());
        nonce.push(chunk.last);
        let (mut sealed, mut tag) = (chunk.plain.clone(), [0; TAG]);
        self.aead.seal(&nonce, &[], sealed.as_mut_slice().into(), &mut tag).expect("a chunk");
        sealed.extend(tag);
        sealed
    }
}

/// The chunks of a content, as they should be.
fn chunks(content: &[u8], len: usize) -> Vec<Chunk> {
    let mut pieces: Vec<&[u8]> = content.chunks(len).collect();
    if pieces.is_empty() {
        pieces.push(&[]);
    }
    let last = pieces.len() - 1;
    let chunk = |(i, piece): (usize, &&[u8])| Chunk {
        number: i as u64,
        last: u8::from(i == last),
        plain: piece.to_vec(),
    };
    pieces.iter().enumerate().map(chunk).collect()
}

/// One thing wrong with the chunks, which are then sealed as they are.
fn spoil(input: &mut Input<'_>, all: &mut Vec<Chunk>) {
    let at = input.below(all.len().max(1));
    let other = input.below(all.len().max(1));
    let Some(Chunk { number, .. }) = all.get(other) else { return };
    let number = *number;
    let chunk = &mut all[at];
    match input.below(12) {
        // Numbers and flags.
        0 => chunk.number = number,
        1 => chunk.number ^= 1 << input.below(64),
        2 => chunk.last ^= 1,
        3 => chunk.last ^= 1 << input.below(8),
        // Order.
        4 => all.swap(at, other),
        5 => {
            let again = chunk.clone();
            all.insert(other, again);
        }
        6 => drop(all.remove(at)),
        // A short chunk anywhere, and a long one.
        7 => chunk.plain.truncate(input.below(4096)),
        8 => chunk.plain.push(0),
        // An empty last chunk behind full ones, with flags as if it belonged there.
        9 => {
            all.iter_mut().for_each(|it| it.last = 0);
            all.push(Chunk { number: all.len() as u64, last: 1, plain: Vec::new() });
        }
        // The file goes on behind its last chunk.
        10 => {
            let more = vec![1; input.below(40)];
            all.push(Chunk { number: all.len() as u64, last: 1, plain: more });
        }
        _ => all.clear(),
    }
}

/// A file as the input says: fields and content drawn, then up to two things wrong with the chunks.
pub(crate) fn forged(input: &mut Input<'_>, master: [u8; 32]) -> Forged {
    let fields = Fields::drawn(input);
    // A chunk that is longer than any content here: one chunk, in part.
    let told = 1_usize.checked_shl(fields.bits.into()).unwrap_or(usize::MAX);
    let len = told.min(MOST);
    let full = match input.below(8) {
        _ if len == MOST => 0,
        0..=3 => 0,
        4..=6 => 1,
        _ => 2 + input.below(2),
    };
    // Two chunks of suite 4 are enough.
    let full = if fields.algorithms() == 4 { full.min(1) } else { full };
    let rest = match input.below(8) {
        0 => 0,
        1 => 1,
        2 => TAG,
        3 if len < MOST => len - 1,
        4 => input.below(len.min(4096)),
        _ => input.below(len.min(64)),
    };
    let total = (full * len + rest).min(MOST);
    let first = input.byte();
    let content: Vec<u8> = (0..total).map(|i| (i as u8).wrapping_mul(7) ^ first).collect();
    let mut all = chunks(&content, len);
    for _ in 0..[0, 0, 0, 0, 1, 1, 1, 2][input.below(8)] {
        spoil(input, &mut all);
    }
    let (mut file, sealer) = fields.sealed(master);
    file.extend(all.iter().flat_map(|chunk| sealer.seal(chunk)));
    // What is wrong with one file may make another one.
    let content: Vec<u8> = all.iter().flat_map(|chunk| chunk.plain.clone()).collect();
    let right = fields.allowed() && all == chunks(&content, told);
    Forged { file, plain: right.then_some(content) }
}
