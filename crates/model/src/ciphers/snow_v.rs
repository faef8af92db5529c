//! SNOW-V (Ekdahl, Johansson, Maximov and Yang, 2018/1143), SNOW-Vi (2021/236) and SNOW 5G (3GPP TS
//! 35.240), which differ in the shift registers and in the width of a sum.

use super::aes;
use crate::ghash::ghash;

/// What one of them has that the others don't.
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// What a shift of A and of B to the left reduces by.
    left: [u16; 2],
    /// What a shift to the right reduces by; SNOW-V alone has one.
    right: Option<[u16; 2]>,
    /// The cells of A and of B that feed back without a shift.
    taps: [usize; 2],
    /// The first of the eight cells of A that are T2.
    t2: usize,
    /// The bytes of a lane that is added.
    lane: usize,
}

/// SNOW-V, §2.
pub const SNOW_V: Variant =
    Variant { left: [0x990f, 0xc963], right: Some([0xcc87, 0xe4b1]), taps: [1, 3], t2: 0, lane: 4 };

/// SNOW-Vi.
pub const SNOW_VI: Variant =
    Variant { left: [0x4a6d, 0xcc87], right: None, taps: [7, 8], t2: 8, lane: 4 };

/// SNOW 5G.
pub const SNOW_5G: Variant = Variant { lane: 2, ..SNOW_VI };

/// The bytes of T1, T2, R1, R2 and R3, each of 128 bits.
type Wide = [u8; 16];

/// The state: both shift registers, and the registers of the state machine.
#[derive(Clone)]
struct Snow<'v> {
    variant: &'v Variant,
    a: [u16; 16],
    b: [u16; 16],
    r: [Wide; 3],
}

fn times_x(v: u16, c: u16) -> u16 {
    if v >> 15 == 1 { v << 1 ^ c } else { v << 1 }
}

fn over_x(v: u16, d: u16) -> u16 {
    if v & 1 == 1 { v >> 1 ^ d } else { v >> 1 }
}

fn xor(a: &Wide, b: &Wide) -> Wide {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// The bytes of eight cells, the lower of each first.
fn bytes(cells: &[u16]) -> Wide {
    let all: Vec<u8> = cells.iter().flat_map(|cell| cell.to_le_bytes()).collect();
    all.try_into().expect("eight cells")
}

fn cells(bytes: &[u8]) -> [u16; 8] {
    std::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}

impl<'v> Snow<'v> {
    /// The initialisation; `aead` fills a part of B with the names that SNOW-V-GCM has there. The
    /// second result are the 16 blocks of its rounds.
    fn new(variant: &'v Variant, key: &[u8; 32], iv: &Wide, aead: bool) -> (Self, Vec<Wide>) {
        let names = if aead { *b"AlexEkd JingThom" } else { [0; 16] };
        let [low, high]: [Wide; 2] =
            [0, 16].map(|at| key[at..at + 16].try_into().expect("16 bytes"));
        let both = |first: &Wide, second: &Wide| -> [u16; 16] {
            [cells(first), cells(second)].concat().try_into().expect("16 cells")
        };
        let (a, b) = (both(iv, &low), both(&names, &high));
        let mut snow = Self { variant, a, b, r: [[0; 16]; 3] };
        let mut blocks = Vec::new();
        for round in 1..=16 {
            let z = snow.next();
            let mixed = cells(&xor(&bytes(&snow.a[8..]), &z));
            snow.a[8..].copy_from_slice(&mixed);
            match round {
                15 => snow.r[0] = xor(&snow.r[0], &low),
                16 => snow.r[0] = xor(&snow.r[0], &high),
                _ => {}
            }
            blocks.push(z);
        }
        (snow, blocks)
    }

    /// The sum of lanes.
    fn sum(&self, a: &Wide, b: &Wide) -> Wide {
        let mut out = [0; 16];
        let lane = self.variant.lane;
        for at in (0..16).step_by(lane) {
            let mut carry = 0;
            for i in at..at + lane {
                let byte = u16::from(a[i]) + u16::from(b[i]) + carry;
                (out[i], carry) = (byte as u8, byte >> 8);
            }
        }
        out
    }

    fn clock(&mut self) {
        let Variant { left, right, taps, .. } = *self.variant;
        let (a, b) = (&self.a, &self.b);
        let back = |cells: &[u16; 16], which: usize| {
            right.map_or(0, |right| over_x(cells[8], right[which]))
        };
        let next = [
            times_x(a[0], left[0]) ^ a[taps[0]] ^ back(a, 0) ^ b[0],
            times_x(b[0], left[1]) ^ b[taps[1]] ^ back(b, 1) ^ a[0],
        ];
        self.a.rotate_left(1);
        self.b.rotate_left(1);
        (self.a[15], self.b[15]) = (next[0], next[1]);
    }

    /// A block of keystream.
    fn next(&mut self) -> Wide {
        const SIGMA: [usize; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
        let t2 = self.variant.t2;
        let (t1, t2) = (bytes(&self.b[8..]), bytes(&self.a[t2..t2 + 8]));
        let [r1, r2, r3] = self.r;
        let z = xor(&self.sum(&r1, &t1), &r2);
        let sum = self.sum(&r2, &xor(&r3, &t2));
        self.r = [SIGMA.map(|at| sum[at]), aes::round(&r1), aes::round(&r2)];
        for _ in 0..8 {
            self.clock();
        }
        z
    }

    fn keystream(&mut self, bytes: usize) -> Vec<u8> {
        let blocks = bytes.div_ceil(16);
        let mut out: Vec<u8> = (0..blocks).flat_map(|_| self.next()).collect();
        out.truncate(bytes);
        out
    }
}

/// The first `bytes` keystream bytes under a key and an IV.
#[must_use]
pub fn keystream(variant: &Variant, key: &[u8; 32], iv: &Wide, bytes: usize) -> Vec<u8> {
    Snow::new(variant, key, iv, false).0.keystream(bytes)
}

/// The 16 blocks that the rounds of the initialisation give.
#[must_use]
pub fn initialisation(variant: &Variant, key: &[u8; 32], iv: &Wide) -> Vec<u8> {
    Snow::new(variant, key, iv, false).1.concat()
}

/// SNOW-V-GCM, §4, over any of them: ciphertext and tag.
#[must_use]
pub fn seal(
    variant: &Variant,
    key: &[u8; 32],
    iv: &Wide,
    aad: &[u8],
    plaintext: &[u8],
) -> (Vec<u8>, Wide) {
    let stream = Snow::new(variant, key, iv, true).0.keystream(32 + plaintext.len());
    let (h, mask) = (stream[..16].try_into().expect("16 bytes"), &stream[16..32]);
    let ciphertext: Vec<u8> = plaintext.iter().zip(&stream[32..]).map(|(a, b)| a ^ b).collect();
    let padded = |data: &[u8]| {
        let mut data = data.to_vec();
        data.resize(data.len().next_multiple_of(16), 0);
        data
    };
    let lengths = [8 * aad.len() as u64, 8 * ciphertext.len() as u64].map(u64::to_be_bytes);
    let hash = ghash(&h, &[padded(aad), padded(&ciphertext), lengths.concat()].concat());
    let tag = xor(&hash, mask.try_into().expect("16 bytes"));
    (ciphertext, tag)
}
