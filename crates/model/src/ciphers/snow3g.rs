//! SNOW 3G (3GPP TS 35.216), and UEA2 and UIA2 made of it (TS 35.215): 128-NEA1 and 128-NIA1.

use std::sync::LazyLock;

use super::aes;

/// §3.1.1: MULx of V by c.
fn mulx(v: u8, c: u8) -> u8 {
    if v & 0x80 == 0 { v << 1 } else { v << 1 ^ c }
}

/// §3.1.2: MULxPOW, so many times.
fn mulx_pow(v: u8, times: usize, c: u8) -> u8 {
    (0..times).fold(v, |v, _| mulx(v, c))
}

/// §3.4.2: MULα of a byte.
#[must_use]
pub fn mul_alpha(c: u8) -> u32 {
    u32::from_be_bytes([23, 245, 48, 239].map(|times| mulx_pow(c, times, 0xa9)))
}

/// §3.4.3: DIVα of a byte.
#[must_use]
pub fn div_alpha(c: u8) -> u32 {
    u32::from_be_bytes([16, 39, 6, 64].map(|times| mulx_pow(c, times, 0xa9)))
}

/// The product of two bytes modulo x^8 + c.
fn product(a: u8, b: u8, c: u8) -> u8 {
    (0..8).filter(|bit| b >> bit & 1 == 1).fold(0, |sum, bit| sum ^ mulx_pow(a, bit, c))
}

/// §3.3.1 and §3.3.2: bytes through an S-box and then the matrix, whose first row is that of the
/// lowest byte.
fn substituted(w: u32, sbox: impl Fn(u8) -> u8, c: u8) -> u32 {
    let [w0, w1, w2, w3] = w.to_be_bytes().map(sbox);
    let twice = |v| mulx(v, c);
    let thrice = |v| mulx(v, c) ^ v;
    u32::from_be_bytes([
        twice(w0) ^ w1 ^ w2 ^ thrice(w3),
        thrice(w0) ^ twice(w1) ^ w2 ^ w3,
        w0 ^ thrice(w1) ^ twice(w2) ^ w3,
        w0 ^ w1 ^ thrice(w2) ^ twice(w3),
    ])
}

/// §3.3.1: S1, by the S-box of AES.
#[must_use]
pub fn s1(w: u32) -> u32 {
    substituted(w, aes::sub_byte, 0x1b)
}

/// §3.3.2: S_Q, a Dickson polynomial.
static SQ: LazyLock<[u8; 256]> = LazyLock::new(|| {
    let power = |x: u8, exponent: usize| (0..exponent).fold(1, |p, _| product(p, x, 0x69));
    let terms = [1, 9, 13, 15, 33, 41, 45, 47, 49];
    std::array::from_fn(|x| terms.iter().fold(0x25, |sum, &term| sum ^ power(x as u8, term)))
});

/// §3.3.2: S2.
#[must_use]
pub fn s2(w: u32) -> u32 {
    substituted(w, |byte| SQ[usize::from(byte)], 0x69)
}

/// §4: the shift register and the state machine.
#[derive(Clone)]
struct Snow3g {
    s: [u32; 16],
    r: [u32; 3],
}

impl Snow3g {
    /// §4.1, with the words of key and IV in the order K_3 … K_0, IV_3 … IV_0 as UEA2 has them.
    fn new(key: &[u8; 16], iv: &[u8; 16]) -> Self {
        let word = |bytes: &[u8; 16], i: usize| {
            u32::from_be_bytes(bytes[12 - 4 * i..16 - 4 * i].try_into().expect("4 bytes"))
        };
        let k: [u32; 4] = std::array::from_fn(|i| word(key, i));
        let v: [u32; 4] = std::array::from_fn(|i| word(iv, i));
        let s = [
            !k[0],
            !k[1],
            !k[2],
            !k[3],
            k[0],
            k[1],
            k[2],
            k[3],
            !k[0],
            !k[1] ^ v[3],
            !k[2] ^ v[2],
            !k[3],
            k[0] ^ v[1],
            k[1],
            k[2],
            k[3] ^ v[0],
        ];
        let mut snow = Self { s, r: [0; 3] };
        for _ in 0..32 {
            let f = snow.clock_fsm();
            snow.clock_lfsr(f);
        }
        // §4.2: the first word of the state machine is thrown away.
        snow.clock_fsm();
        snow.clock_lfsr(0);
        snow
    }

    /// §3.4.6: clocking the FSM.
    fn clock_fsm(&mut self) -> u32 {
        let [r1, r2, r3] = self.r;
        let f = self.s[15].wrapping_add(r1) ^ r2;
        self.r = [r2.wrapping_add(r3 ^ self.s[5]), s1(r1), s2(r2)];
        f
    }

    /// §3.4.4 and §3.4.5: clocking the LFSR; `f` is 0 in keystream mode.
    fn clock_lfsr(&mut self, f: u32) {
        let [s0, s2, s11] = [self.s[0], self.s[2], self.s[11]];
        let v = s0 << 8 ^ mul_alpha((s0 >> 24) as u8) ^ s2 ^ s11 >> 8 ^ div_alpha(s11 as u8) ^ f;
        self.s.rotate_left(1);
        self.s[15] = v;
    }

    /// §4.2: a word of keystream.
    fn next(&mut self) -> u32 {
        let z = self.clock_fsm() ^ self.s[0];
        self.clock_lfsr(0);
        z
    }
}

/// The first `bytes` keystream bytes under a key and an IV.
#[must_use]
pub fn keystream(key: &[u8; 16], iv: &[u8; 16], bytes: usize) -> Vec<u8> {
    let mut snow = Snow3g::new(key, iv);
    let words = bytes.div_ceil(4);
    let mut out: Vec<u8> = (0..words).flat_map(|_| snow.next().to_be_bytes()).collect();
    out.truncate(bytes);
    out
}

/// TS 35.215 §3.4: the IV of UEA2 from COUNT, BEARER and DIRECTION.
#[must_use]
pub fn uea2_iv(count: u32, bearer: u8, direction: u8) -> [u8; 16] {
    let half = u64::from(count) << 32 | u64::from(bearer) << 27 | u64::from(direction) << 26;
    [half.to_be_bytes(); 2].concat().try_into().expect("16 bytes")
}

/// TS 35.215 §4.4: the IV of UIA2; 128-NIA1 has FRESH = BEARER in its highest five bits.
#[must_use]
pub fn uia2_iv(count: u32, fresh: u32, direction: u8) -> [u8; 16] {
    let direction = u32::from(direction);
    let words = [count, fresh, count ^ direction << 31, fresh ^ direction << 15];
    words.map(u32::to_be_bytes).concat().try_into().expect("16 bytes")
}

/// TS 35.215 §3.5: the first `bits` bits of the data through UEA2; the bits behind them are 0.
///
/// # Panics
/// If the data is shorter.
#[must_use]
pub fn uea2(key: &[u8; 16], iv: &[u8; 16], data: &[u8], bits: usize) -> Vec<u8> {
    let mut out = data[..bits.div_ceil(8)].to_vec();
    let keystream = keystream(key, iv, out.len());
    out.iter_mut().zip(keystream).for_each(|(byte, key)| *byte ^= key);
    if !bits.is_multiple_of(8) {
        *out.last_mut().expect("bits") &= 0xff << (8 - bits % 8);
    }
    out
}

/// TS 35.215 §4.3: MUL of two words of 64 bits.
fn mul64(v: u64, p: u64) -> u64 {
    let mut out = 0;
    for bit in (0..64).rev() {
        out = out << 1 ^ if out >> 63 == 1 { 0x1b } else { 0 };
        if p >> bit & 1 == 1 {
            out ^= v;
        }
    }
    out
}

/// TS 35.215 §4.5: the MAC of the first `bits` bits of a message.
///
/// # Panics
/// If the message is shorter.
#[must_use]
pub fn uia2(key: &[u8; 16], iv: &[u8; 16], message: &[u8], bits: usize) -> [u8; 4] {
    let z = keystream(key, iv, 20);
    let [p, q] = [0, 8].map(|at| u64::from_be_bytes(z[at..at + 8].try_into().expect("8 bytes")));
    let mut message = message[..bits.div_ceil(8)].to_vec();
    if !bits.is_multiple_of(8) {
        *message.last_mut().expect("bits") &= 0xff << (8 - bits % 8);
    }
    message.resize(message.len().next_multiple_of(8), 0);
    let mut eval = 0;
    for block in message.chunks(8) {
        eval = mul64(eval ^ u64::from_be_bytes(block.try_into().expect("8 bytes")), p);
    }
    eval = mul64(eval ^ bits as u64, q);
    let mask = u32::from_be_bytes(z[16..].try_into().expect("4 bytes"));
    ((eval >> 32) as u32 ^ mask).to_be_bytes()
}
