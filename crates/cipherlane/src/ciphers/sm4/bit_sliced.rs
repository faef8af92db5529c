//! SM4 on bit planes, for levels without byte maps: no table, no secret address.
//!
//! A plane is one register; each 64-bit lane holds one bit of 4 bytes × 16
//! blocks: bit `16·i + k` belongs to byte `i` of the word (0 the most
//! significant) of block `k`. Plane `j` of a word holds the bits of weight 2^j.
//! A rotation of the word by whole bytes is a rotation of the lanes by 16s, the
//! other part of a rotation renames planes.
//!
//! The circuit of [`circuit`] leaves out the S-box's constants. The input's is
//! folded into the round keys. The output's, `c` in every byte, passes `L` as
//! `f = rol8(c, 2)` in every byte and is not added at all: after `n` updates of a
//! word its true value is the computed one plus `n·f`, so round `r` owes its
//! input the parity of the updates that its three words have had; after 32
//! rounds every word has had eight, and nothing is owed.

use core::ops::{BitAnd, BitXor};

use lanes::{InOut, Isa};

use super::round_keys::{ROUNDS, Words};
use super::task::Task;
use super::{Sm4, circuit};
use crate::block::chains;
use crate::traits::block::KeyedChain;

/// Blocks in one 64-bit lane.
pub(super) const BLOCKS: usize = 16;

/// The planes of one word, least significant first.
type Word<T> = [T; 8];

/// A register as the circuit wants it.
#[derive(Clone, Copy)]
struct Plane<I: Isa>(I, I::V);

impl<I: Isa> BitXor for Plane<I> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(self.0, self.0.xor(self.1, other.1))
    }
}

impl<I: Isa> BitAnd for Plane<I> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0, self.0.and(self.1, other.1))
    }
}

/// The round keys as masks of planes.
pub(super) type Masks = [[u64; 8]; ROUNDS];

/// Spreads the round keys over planes, with the constants that the circuit owes.
#[inline(always)]
pub(super) fn masks(words: &Words, flip: usize) -> Masks {
    let owed = circuit::OUTPUT_CONSTANT.rotate_left(2);
    core::array::from_fn(|r| {
        let updates: usize = (r + 1..r + 4).map(|word| word / 4).sum();
        let constant = circuit::INPUT_CONSTANT ^ if updates % 2 == 1 { owed } else { 0 };
        let bytes = words[r ^ flip].map(|byte| u64::from(byte ^ constant));
        let spread = bytes[0] | bytes[1] << 16 | bytes[2] << 32 | bytes[3] << 48;
        core::array::from_fn(|j| (spread >> j & 0x0001_0001_0001_0001) * 0xffff)
    })
}

/// One round: `x ⊕= T(a ⊕ b ⊕ c ⊕ key)`.
#[inline(always)]
pub(super) fn round<I: Isa>(
    isa: I,
    x: &mut Word<I::V>,
    a: &Word<I::V>,
    b: &Word<I::V>,
    c: &Word<I::V>,
    key: &[u64; 8],
) {
    let mut t = [Plane(isa, a[0]); 8];
    for j in 0..8 {
        t[j] = Plane(isa, isa.xor(isa.xor3(a[j], b[j], c[j]), isa.splat64(key[j])));
    }
    let y = circuit::sbox(t);
    // L(y) = (y + rol24 y) + rol2(y + rol8 y + rol16 y); rolling a word left by a
    // byte rolls the lanes left by 48.
    let (mut outer, mut inner) = ([x[0]; 8], [x[0]; 8]);
    for j in 0..8 {
        let y = y[j].1;
        let pair = isa.xor(y, isa.rol64::<48>(y));
        inner[j] = isa.xor(y, isa.rol64::<48>(pair));
        outer[j] = isa.rol64::<16>(pair);
    }
    for j in 0..8 {
        let rolled = if j >= 2 { inner[j - 2] } else { isa.rol64::<48>(inner[j + 6]) };
        x[j] = isa.xor3(x[j], outer[j], rolled);
    }
}

/// All rounds on four words of planes.
#[inline(always)]
fn rounds<I: Isa>(isa: I, x: &mut [Word<I::V>; 4], keys: &Masks) {
    let [a, b, c, d] = x;
    for quad in keys.chunks_exact(4) {
        round(isa, a, b, c, d, &quad[0]);
        round(isa, b, c, d, a, &quad[1]);
        round(isa, c, d, a, b, &quad[2]);
        round(isa, d, a, b, c, &quad[3]);
    }
}

/// Exchanges the bits of `q[a]` under `mask << shift` with those of `q[b]` under `mask`.
#[inline(always)]
fn swap(q: &mut [u64; 8], a: usize, b: usize, shift: u32, mask: u64) {
    let t = (q[a] >> shift ^ q[b]) & mask;
    q[b] ^= t;
    q[a] ^= t << shift;
}

/// Exchanges bit `i` of byte `j` with bit `j` of byte `i` in every eight bytes
/// that stand one above the other; its own inverse.
#[inline(always)]
fn transpose_bits(q: &mut [u64; 8]) {
    for i in 0..4 {
        swap(q, 2 * i, 2 * i + 1, 1, 0x5555_5555_5555_5555);
    }
    for i in [0, 1, 4, 5] {
        swap(q, i, i + 2, 2, 0x3333_3333_3333_3333);
    }
    for i in 0..4 {
        swap(q, i, i + 4, 4, 0x0f0f_0f0f_0f0f_0f0f);
    }
}

/// The bytes of a word, one in every 16 bits.
#[inline(always)]
fn spread(word: &[u8; 4]) -> u64 {
    let x = u64::from(u32::from_le_bytes(*word));
    let x = (x | x << 16) & 0x0000_ffff_0000_ffff;
    (x | x << 8) & 0x00ff_00ff_00ff_00ff
}

/// Takes the bytes out of every 16 bits.
#[inline(always)]
fn gather(x: u64) -> [u8; 4] {
    let x = x & 0x00ff_00ff_00ff_00ff;
    let x = (x | x >> 8) & 0x0000_ffff_0000_ffff;
    ((x | x >> 16) as u32).to_le_bytes()
}

/// The word of `W` bytes `w` of 16 blocks, as eight planes; `blocks` holds 256 bytes.
#[inline(always)]
fn slice(blocks: &[[u8; 16]; BLOCKS], w: usize) -> [u64; 8] {
    let word = |k: usize| blocks[k].as_chunks::<4>().0[w];
    let mut planes = core::array::from_fn(|k| spread(&word(k)) | spread(&word(k + 8)) << 8);
    transpose_bits(&mut planes);
    planes
}

/// The reverse of [`slice()`].
#[inline(always)]
fn unslice(mut planes: [u64; 8], blocks: &mut [[u8; 16]; BLOCKS], w: usize) {
    transpose_bits(&mut planes);
    for (k, plane) in planes.into_iter().enumerate() {
        blocks[k].as_chunks_mut::<4>().0[w] = gather(plane);
        blocks[k + 8].as_chunks_mut::<4>().0[w] = gather(plane >> 8);
    }
}

/// Bytes of a tile at a register of `N` bytes.
pub(super) const fn tile_bytes(register: usize) -> usize {
    register / 8 * BLOCKS * 16
}

/// The largest tile: a register of 64 bytes.
pub(super) const MAX_TILE: usize = tile_bytes(64);

/// Enciphers one whole tile in place.
#[inline(always)]
pub(super) fn tile<I: Isa>(isa: I, keys: &Masks, tile: &mut [u8]) {
    let (blocks, _) = tile.as_chunks_mut::<16>();
    let (lanes, _) = blocks.as_chunks_mut::<BLOCKS>();
    let mut x = [[isa.zero(); 8]; 4];
    // One register as bytes: eight for each lane.
    let mut bytes = [0; 64];
    for (w, word) in x.iter_mut().enumerate() {
        let mut planes = [[0u64; 8]; 8];
        for (lane, planes) in lanes.iter().zip(&mut planes) {
            *planes = slice(lane, w);
        }
        for (j, plane) in word.iter_mut().enumerate() {
            for (bytes, planes) in bytes.chunks_exact_mut(8).zip(&planes).take(I::BYTES / 8) {
                bytes.copy_from_slice(&planes[j].to_le_bytes());
            }
            *plane = isa.load(&bytes);
        }
    }
    rounds(isa, &mut x, keys);
    x.reverse();
    for (w, word) in x.iter().enumerate() {
        let mut planes = [[0u64; 8]; 8];
        for (j, plane) in word.iter().enumerate() {
            isa.store(*plane, &mut bytes);
            let (words, _) = bytes.as_chunks::<8>();
            for (planes, word) in planes.iter_mut().zip(words).take(I::BYTES / 8) {
                planes[j] = u64::from_le_bytes(*word);
            }
        }
        for (lane, planes) in lanes.iter_mut().zip(planes) {
            unslice(planes, lane, w);
        }
    }
}

/// The counters of a tile. It has fewer blocks than a byte has values, so that all but the last
/// byte is that of the first counter or that behind one carry; reversing the bytes of each is
/// dear where no instruction does it, as on WebAssembly. A counter may be secret: nothing branches
/// on the carry.
#[inline(always)]
fn counters(first: u128, blocks: &mut [[u8; 16]]) {
    let bytes = first.to_be_bytes();
    let here = u128::from_ne_bytes(bytes);
    let next = u128::from_ne_bytes(first.wrapping_add(256).to_be_bytes());
    for (i, block) in blocks.iter_mut().enumerate() {
        let (low, carried) = bytes[15].overflowing_add(i as u8);
        let mask = 0u128.wrapping_sub(carried.into());
        *block = (here ^ (here ^ next) & mask).to_ne_bytes();
        block[15] = low;
    }
}

/// Any number of blocks, through a tile on the stack.
#[inline(always)]
pub(super) fn blocks<I: Isa>(isa: I, words: &Words, task: Task<'_>, mut io: InOut<'_>) {
    let keys = masks(words, task.flip);
    let tile_bytes = const { tile_bytes(I::BYTES) };
    let mut buffer = [0; MAX_TILE];
    let mut offset = 0;
    while offset < io.len() {
        let n = tile_bytes.min(io.len() - offset);
        let mut part = io.part(offset, n);
        let task = task.part(offset, n);
        let buffer = &mut buffer[..tile_bytes];
        if let Some(counter) = task.counts() {
            counters(counter, buffer.as_chunks_mut::<16>().0);
        } else {
            buffer[..n].copy_from_slice(part.input());
            xor(&mut buffer[..n], task.pre);
        }
        tile(isa, &keys, buffer);
        if task.counts().is_some() {
            part.copy();
            xor(part.output(), Some(&buffer[..n]));
        } else {
            xor(&mut buffer[..n], task.post);
            part.output().copy_from_slice(&buffer[..n]);
        }
        offset += n;
    }
}

/// Enciphers any number of blocks in place.
#[inline(always)]
pub(super) fn in_place<I: Isa>(isa: I, keys: &Masks, data: &mut [u8]) {
    let tile_bytes = const { tile_bytes(I::BYTES) };
    let mut buffer = [0; MAX_TILE];
    for part in data.chunks_mut(tile_bytes) {
        buffer[..part.len()].copy_from_slice(part);
        tile(isa, keys, &mut buffer[..tile_bytes]);
        part.copy_from_slice(&buffer[..part.len()]);
    }
}

/// By words: these levels have no vectors that a compiler would make of a loop over bytes.
#[inline(always)]
fn xor(data: &mut [u8], with: Option<&[u8]>) {
    let (words, bytes) = data.as_chunks_mut::<8>();
    let (masks, last) = with.unwrap_or(&[]).as_chunks::<8>();
    for (word, mask) in words.iter_mut().zip(masks) {
        *word = (u64::from_ne_bytes(*word) ^ u64::from_ne_bytes(*mask)).to_ne_bytes();
    }
    for (byte, mask) in bytes.iter_mut().zip(last) {
        *byte ^= mask;
    }
}

/// The most blocks of a tile: a register of 64 bytes.
const MOST: usize = MAX_TILE / 16;

/// Runs chains side by side if they have one key, else one after another.
#[inline(always)]
pub(super) fn chains<I: Isa>(isa: I, keys: &[Sm4], chains: &mut [KeyedChain<'_>]) {
    for chains in chains.chunk_by_mut(|a, b| a.key == b.key) {
        let key = chains[0].key;
        let masks = masks(&keys[key].keys.0.words, super::round_keys::ENCRYPT);
        chains::run_all::<KeyedChain<'_>, 16, MOST>(
            chains,
            #[inline(always)]
            |values, _| in_place(isa, &masks, values),
        );
    }
}

/// Blocks that share a pass.
pub(super) const fn lanes<I: Isa>() -> usize {
    tile_bytes(I::BYTES) / 16
}
