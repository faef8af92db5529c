//! Trivium (C. De Cannière, B. Preneel, "Trivium Specifications", eSTREAM, 2005), bit by bit,
//! with the byte order of the eSTREAM test vectors.

/// The first `bytes` keystream bytes under a key of 80 bits and an IV of `iv_bits` bits, at
/// most 80.
///
/// Bit `K_1` is the most significant bit of the last byte, and so on backwards; so it is
/// with the IV, whose first bit is the most significant one of a number of `iv_bits` bits,
/// least significant byte first. The first keystream bit is the least significant bit of
/// the first byte.
///
/// # Panics
/// If the key or the IV is too short.
#[must_use]
pub fn keystream(key: &[u8], iv: &[u8], iv_bits: usize, bytes: usize) -> Vec<u8> {
    let numbered = |bytes: &[u8], i: usize| bytes[i / 8] >> (i % 8) & 1 == 1;
    // §2.2: s_1 … s_288; index 0 is unused.
    let mut s = [false; 289];
    for i in 1..=80 {
        s[i] = numbered(key, 80 - i);
    }
    for i in 1..=iv_bits {
        s[93 + i] = numbered(iv, iv_bits - i);
    }
    s[286..=288].fill(true);
    for _ in 0..4 * 288 {
        clock(&mut s);
    }
    let mut out = vec![0; bytes];
    for t in 0..8 * bytes {
        out[t / 8] |= u8::from(clock(&mut s)) << (t % 8);
    }
    out
}

/// §2.1: one clock and its keystream bit.
fn clock(s: &mut [bool; 289]) -> bool {
    let mut t1 = s[66] ^ s[93];
    let mut t2 = s[162] ^ s[177];
    let mut t3 = s[243] ^ s[288];
    let z = t1 ^ t2 ^ t3;
    t1 ^= s[91] & s[92] ^ s[171];
    t2 ^= s[175] & s[176] ^ s[264];
    t3 ^= s[286] & s[287] ^ s[69];
    s.copy_within(1..288, 2);
    (s[1], s[94], s[178]) = (t3, t1, t2);
    z
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_vector_of_the_estream_file() {
        let mut key = [0; 10];
        key[0] = 0x80;
        assert_eq!(keystream(&key, &[0; 10], 80, 4), [0x38, 0xeb, 0x86, 0xff]);
    }
}
