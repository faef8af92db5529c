//! MICKEY 2.0 and MICKEY-128 2.0 (S. Babbage, M. Dodd, eSTREAM, 2006), bit by bit. Section
//! numbers are those of "The stream cipher MICKEY 2.0"; the paper on MICKEY-128 2.0 has the
//! same, with other numbers of stages.

/// What distinguishes the two.
#[derive(Clone, Copy, Debug)]
pub struct Parameters {
    /// The key's length in bits.
    pub key: usize,
    /// Stages of each register, and clocks of the preclocking.
    pub stages: usize,
    /// Stages that §3.3 takes the control bits from: the earlier and the later one, as
    /// indices of S and R, and the stage of S that is mixed into R.
    pub control: Control,
    /// §3.1: whether stage `i` of R is a tap.
    pub r_taps: &'static str,
    /// §3.2: the sequence COMP0, its first and last bits unused.
    pub comp0: &'static str,
    /// §3.2: the sequence COMP1, its first and last bits unused.
    pub comp1: &'static str,
    /// §3.2: the sequence FB0.
    pub fb0: &'static str,
    /// §3.2: the sequence FB1.
    pub fb1: &'static str,
}

/// §3.3: places in the registers.
#[derive(Clone, Copy, Debug)]
pub struct Control {
    /// Of S, in the control bit of R.
    pub s_of_r: usize,
    /// Of R, in the control bit of S.
    pub r_of_s: usize,
    /// Of R in the control bit of R, and of S in the control bit of S.
    pub late: usize,
    /// Of S, mixed into R.
    pub mixed: usize,
}

/// MICKEY 2.0, 80-bit key.
pub const MICKEY_2: Parameters = Parameters {
    key: 80,
    stages: 100,
    control: Control { s_of_r: 34, r_of_s: 33, late: 67, mixed: 50 },
    r_taps: "11011110010011001001111001001000000001100110011000\
        10101010101101111100011000000111100001111110111100",
    comp0: "00001100010111101001010101010110100100000001010101\
        00001010011110010101111111110101111110101000000110",
    comp1: "01011001011110010100011010111011110001101011100001\
        00010111000111111010111011110001000011100010011000",
    fb0: "11110101111111100101111111111001100000011100100101\
        01001011110101010000000001101000110111001110011000",
    fb1: "11101110000111010011000100110010110001100000110110\
        00100010010010110101001010001111011111000000100001",
};

/// MICKEY-128 2.0, 128-bit key.
pub const MICKEY_128_2: Parameters = Parameters {
    key: 128,
    stages: 160,
    control: Control { s_of_r: 54, r_of_s: 53, late: 106, mixed: 80 },
    r_taps: "1000110010110010100010000100001010011010\
        0011001000110111110011110110010001101001\
        1110011000111001010011000111110111011100\
        0000000111110101110010100100101011101100",
    comp0: "0111101001001111011010111011101010101010\
        1001000001100100100111100100011000001110\
        0000000010011110100011001001101111110101\
        1110110001111101011000000111110111110000",
    comp1: "0000110011111000100110001011111000011001\
        0011110001101101011111110000011111000011\
        0000000000111110101000101100011100000110\
        0110011010101101110110100010111111111110",
    fb0: "1111010111111000001111000010001101000100\
        1100010111110100011100001000000110110010\
        1010011101100110100010011101001000101010\
        0010101110000011110100001100011011000001",
    fb1: "1101010111101110001011111101100100001001\
        0011000110011110000011100110110100011000\
        0101100111110110111001110111111011010010\
        0011011011110111000000011110010110001000",
};

/// The registers.
struct Mickey<'p> {
    p: &'p Parameters,
    r: Vec<bool>,
    s: Vec<bool>,
}

fn bit(sequence: &str, i: usize) -> bool {
    sequence.as_bytes()[i] == b'1'
}

impl Mickey<'_> {
    /// §3.1: CLOCK_R.
    fn clock_r(&mut self, input: bool, control: bool) {
        let n = self.p.stages;
        let r = self.r.clone();
        let feedback = r[n - 1] ^ input;
        for i in 0..n {
            self.r[i] = (i > 0 && r[i - 1]) ^ (bit(self.p.r_taps, i) && feedback);
            if control {
                self.r[i] ^= r[i];
            }
        }
    }

    /// §3.2: CLOCK_S.
    fn clock_s(&mut self, input: bool, control: bool) {
        let n = self.p.stages;
        let s = self.s.clone();
        let feedback = s[n - 1] ^ input;
        let sequence = if control { self.p.fb1 } else { self.p.fb0 };
        for i in 0..n {
            let hat = if i == 0 {
                false
            } else if i == n - 1 {
                s[i - 1]
            } else {
                s[i - 1] ^ ((s[i] ^ bit(self.p.comp0, i)) && (s[i + 1] ^ bit(self.p.comp1, i)))
            };
            self.s[i] = hat ^ (bit(sequence, i) && feedback);
        }
    }

    /// §3.3: CLOCK_KG.
    fn clock_kg(&mut self, mixing: bool, input: bool) {
        let Control { s_of_r, r_of_s, late, mixed } = self.p.control;
        let control_r = self.s[s_of_r] ^ self.r[late];
        let control_s = self.s[late] ^ self.r[r_of_s];
        let input_r = if mixing { input ^ self.s[mixed] } else { input };
        self.clock_r(input_r, control_r);
        self.clock_s(input, control_s);
    }
}

/// The first `bytes` keystream bytes under a key and an IV of `iv_bits` bits, the most
/// significant bit of a byte first.
///
/// # Panics
/// If the key or the IV is too short.
#[must_use]
pub fn keystream(p: &Parameters, key: &[u8], iv: &[u8], iv_bits: usize, bytes: usize) -> Vec<u8> {
    let msb_first = |bytes: &[u8], i: usize| bytes[i / 8] >> (7 - i % 8) & 1 == 1;
    let mut mickey = Mickey { p, r: vec![false; p.stages], s: vec![false; p.stages] };
    // §4.1: the IV, then the key, then the preclocking.
    for i in 0..iv_bits {
        mickey.clock_kg(true, msb_first(iv, i));
    }
    for i in 0..p.key {
        mickey.clock_kg(true, msb_first(key, i));
    }
    for _ in 0..p.stages {
        mickey.clock_kg(true, false);
    }
    // §4.2.
    let mut out = vec![0; bytes];
    for t in 0..8 * bytes {
        out[t / 8] |= u8::from(mickey.r[0] ^ mickey.s[0]) << (7 - t % 8);
        mickey.clock_kg(false, false);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_vector_of_the_designers() {
        let key = [0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 0x12, 0x34];
        let expected = [0x98, 0x21, 0xe1, 0x0c];
        assert_eq!(keystream(&MICKEY_2, &key, &[0x21, 0x43, 0x65, 0x87], 32, 4), expected);
    }

    #[test]
    fn first_vector_of_mickey_128_in_the_estream_file() {
        let mut key = [0; 16];
        key[0] = 0x80;
        assert_eq!(keystream(&MICKEY_128_2, &key, &[], 0, 4), [0xd0, 0x99, 0xe3, 0x37]);
    }
}
