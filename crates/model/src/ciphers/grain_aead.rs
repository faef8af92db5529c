//! Grain-128AEADv2 (M. Hell, T. Johansson, A. Maximov, W. Meier, J. Sönnerup, H. Yoshida, "Grain-128AEADv2:
//! A lightweight AEAD stream cipher", NIST Lightweight Cryptography, 2021), bit by bit. Bits of bytes
//! are counted from the least significant one.

/// Bits of bytes, the least significant first.
fn bits(bytes: &[u8]) -> Vec<bool> {
    bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> i & 1 == 1)).collect()
}

fn bytes(bits: &[bool]) -> Vec<u8> {
    let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
    bits.chunks(8).map(byte).collect()
}

/// §2.1: `s` is the LFSR, `b` the NFSR.
struct Grain {
    s: [bool; 128],
    b: [bool; 128],
}

impl Grain {
    /// §2.1: the pre-output.
    fn output(&self) -> bool {
        let (s, b) = (&self.s, &self.b);
        let h =
            b[12] & s[8] ^ s[13] & s[20] ^ b[95] & s[42] ^ s[60] & s[79] ^ b[12] & b[95] & s[94];
        [2, 15, 36, 45, 64, 73, 89].iter().fold(h ^ s[93], |sum, &at| sum ^ b[at])
    }

    /// §2.1: a clock, with what is added to the feedback of the LFSR and of the NFSR.
    fn clock(&mut self, to_s: bool, to_b: bool) {
        let (s, b) = (&self.s, &self.b);
        let l = s[0] ^ s[7] ^ s[38] ^ s[70] ^ s[81] ^ s[96];
        let products: [&[usize]; 10] = [
            &[3, 67],
            &[11, 13],
            &[17, 18],
            &[27, 59],
            &[40, 48],
            &[61, 65],
            &[68, 84],
            &[22, 24, 25],
            &[70, 78, 82],
            &[88, 92, 93, 95],
        ];
        let linear = [26, 56, 91, 96].iter().fold(s[0] ^ b[0], |sum, &at| sum ^ b[at]);
        let f = products.iter().fold(linear, |sum, it| sum ^ it.iter().all(|&at| b[at]));
        self.s.rotate_left(1);
        self.b.rotate_left(1);
        (self.s[127], self.b[127]) = (l ^ to_s, f ^ to_b);
    }

    /// A bit of the pre-output after the initialisation.
    fn next(&mut self) -> bool {
        let y = self.output();
        self.clock(false, false);
        y
    }

    /// §2.2: key and nonce; the generator with the accumulator and the register of the tag.
    fn new(key: &[u8; 16], nonce: &[u8; 12]) -> (Self, Vec<bool>, Vec<bool>) {
        let key = bits(key);
        let mut s = [true; 128];
        s[..96].copy_from_slice(&bits(nonce));
        s[127] = false;
        let mut grain = Self { s, b: key.clone().try_into().expect("128 bits") };
        for t in 0..384 {
            let y = grain.output();
            // The key comes once more in the last 64 clocks, its second half to the LFSR.
            let again = |first: usize| t >= 320 && key[first + t - 320];
            grain.clock(y ^ again(64), y ^ again(0));
        }
        let accumulator = (0..64).map(|_| grain.next()).collect();
        let register = (0..64).map(|_| grain.next()).collect();
        (grain, accumulator, register)
    }
}

/// The first `bytes` bytes of the pre-output after the initialisation, which both streams are of.
#[must_use]
pub fn preoutput(key: &[u8; 16], nonce: &[u8; 12], count: usize) -> Vec<u8> {
    let (mut grain, accumulator, register) = Grain::new(key, nonce);
    let mut made = [accumulator, register].concat();
    made.extend((128..8 * count).map(|_| grain.next()));
    bytes(&made[..8 * count])
}

/// §2.6.1: the length of the associated data in DER: one byte below 128, else the number of bytes
/// with the highest bit set, and those.
fn encoded(length: usize) -> Vec<u8> {
    if length < 128 {
        return vec![length as u8];
    }
    let bytes = (length as u64).to_be_bytes();
    let digits: Vec<u8> = bytes.into_iter().skip_while(|byte| *byte == 0).collect();
    [vec![0x80 | digits.len() as u8], digits].concat()
}

/// §2.3 to §2.6: ciphertext and tag.
#[must_use]
pub fn seal(key: &[u8; 16], nonce: &[u8; 12], aad: &[u8], plaintext: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let (mut grain, mut accumulator, mut register) = Grain::new(key, nonce);
    let head = [encoded(aad.len()), aad.to_vec()].concat();
    let mut authenticate = |grain: &mut Grain, bit: bool| {
        if bit {
            accumulator.iter_mut().zip(&register).for_each(|(a, r)| *a ^= r);
        }
        register.remove(0);
        register.push(grain.next());
    };
    for bit in bits(&head) {
        // The bit for encryption is not used.
        grain.next();
        authenticate(&mut grain, bit);
    }
    let mut ciphertext = Vec::new();
    for bit in bits(plaintext) {
        ciphertext.push(bit ^ grain.next());
        authenticate(&mut grain, bit);
    }
    // The bit 1 behind the message.
    grain.next();
    authenticate(&mut grain, true);
    (bytes(&ciphertext), bytes(&accumulator))
}
