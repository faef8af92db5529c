//! Grain v1 (M. Hell, T. Johansson, W. Meier, "Grain — A Stream Cipher for Constrained
//! Environments", 2005/2006) and Grain-128 (the same with A. Maximov, "A Stream Cipher
//! Proposal: Grain-128", 2006), bit by bit. Bits are counted from the least significant one
//! of the first byte, as in the code submitted to eSTREAM.

/// The registers: `s` is the LFSR, `b` the NFSR.
struct Grain {
    s: Vec<bool>,
    b: Vec<bool>,
}

/// What an output function, the LFSR's and the NFSR's feedback are made of.
type Bits = fn(&[bool], &[bool]) -> bool;

struct Functions {
    output: Bits,
    f: fn(&[bool]) -> bool,
    g: Bits,
}

/// Sections 2 and 3 of the paper on Grain v1.
const V1: Functions = Functions {
    output: |s, b| {
        let (x0, x1, x2, x3, x4) = (s[3], s[25], s[46], s[64], b[63]);
        let h = x1
            ^ x4
            ^ (x0 & x3)
            ^ (x2 & x3)
            ^ (x3 & x4)
            ^ (x0 & x1 & x2)
            ^ (x0 & x2 & x3)
            ^ (x0 & x2 & x4)
            ^ (x1 & x2 & x4)
            ^ (x2 & x3 & x4);
        [1, 2, 4, 10, 31, 43, 56].iter().fold(h, |z, &k| z ^ b[k])
    },
    f: |s| s[62] ^ s[51] ^ s[38] ^ s[23] ^ s[13] ^ s[0],
    g: |s, b| {
        let linear = [62, 60, 52, 45, 37, 33, 28, 21, 14, 9, 0];
        let products: [&[usize]; 11] = [
            &[63, 60],
            &[37, 33],
            &[15, 9],
            &[60, 52, 45],
            &[33, 28, 21],
            &[63, 45, 28, 9],
            &[60, 52, 37, 33],
            &[63, 60, 21, 15],
            &[63, 60, 52, 45, 37],
            &[33, 28, 21, 15, 9],
            &[52, 45, 37, 33, 28, 21],
        ];
        let sum = linear.iter().fold(s[0], |sum, &i| sum ^ b[i]);
        products.iter().fold(sum, |sum, product| sum ^ product.iter().all(|&i| b[i]))
    },
};

/// Sections 2 and 3 of the paper on Grain-128.
const OF_128: Functions = Functions {
    output: |s, b| {
        let h = (b[12] & s[8])
            ^ (s[13] & s[20])
            ^ (b[95] & s[42])
            ^ (s[60] & s[79])
            ^ (b[12] & b[95] & s[95]);
        [2, 15, 36, 45, 64, 73, 89].iter().fold(h ^ s[93], |z, &k| z ^ b[k])
    },
    f: |s| s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96],
    g: |s, b| {
        let linear = [0, 26, 56, 91, 96];
        let products = [(3, 67), (11, 13), (17, 18), (27, 59), (40, 48), (61, 65), (68, 84)];
        let sum = linear.iter().fold(s[0], |sum, &i| sum ^ b[i]);
        products.iter().fold(sum, |sum, &(i, j)| sum ^ (b[i] & b[j]))
    },
};

impl Grain {
    /// Key and IV, the rest of the LFSR filled with ones; then as many clocks as twice the
    /// key has bits, the output fed back.
    fn new(functions: &Functions, key: &[u8], iv: &[u8]) -> Self {
        let bits = |bytes: &[u8]| -> Vec<bool> {
            (0..8 * bytes.len()).map(|i| bytes[i / 8] >> (i % 8) & 1 == 1).collect()
        };
        let mut grain = Self { s: bits(iv), b: bits(key) };
        grain.s.resize(grain.b.len(), true);
        for _ in 0..2 * 8 * key.len() {
            let z = (functions.output)(&grain.s, &grain.b);
            grain.shift(functions, z);
        }
        grain
    }

    /// One clock; `z` is 0 outside of the initialisation.
    fn shift(&mut self, functions: &Functions, z: bool) {
        let s = (functions.f)(&self.s) ^ z;
        let b = (functions.g)(&self.s, &self.b) ^ z;
        self.s.remove(0);
        self.b.remove(0);
        self.s.push(s);
        self.b.push(b);
    }
}

fn keystream(functions: &Functions, key: &[u8], iv: &[u8], bytes: usize) -> Vec<u8> {
    let mut grain = Grain::new(functions, key, iv);
    let mut out = vec![0; bytes];
    for t in 0..8 * bytes {
        let z = (functions.output)(&grain.s, &grain.b);
        out[t / 8] |= u8::from(z) << (t % 8);
        grain.shift(functions, false);
    }
    out
}

/// The first `bytes` keystream bytes of Grain v1.
#[must_use]
pub fn keystream_v1(key: &[u8; 10], iv: &[u8; 8], bytes: usize) -> Vec<u8> {
    keystream(&V1, key, iv, bytes)
}

/// The first `bytes` keystream bytes of Grain-128.
#[must_use]
pub fn keystream_128(key: &[u8; 16], iv: &[u8; 12], bytes: usize) -> Vec<u8> {
    keystream(&OF_128, key, iv, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn second_test_of_the_specification_of_grain_v1() {
        let key = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x12, 0x34];
        let iv = [0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef];
        assert_eq!(keystream_v1(&key, &iv, 4), [0x7f, 0x36, 0x2b, 0xd3]);
    }

    #[test]
    fn first_vector_of_grain_128_in_the_estream_file() {
        let mut key = [0; 16];
        key[0] = 0x80;
        assert_eq!(keystream_128(&key, &[0; 12], 4), [0xc9, 0xe0, 0x2c, 0x74]);
    }
}
