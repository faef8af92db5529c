//! Sosemanuk: "Sosemanuk, a fast software-oriented stream cipher" (Berbain et al.), with
//! Serpent as in "Serpent: A Proposal for the Advanced Encryption Standard" (Anderson, Biham,
//! Knudsen).

/// Serpent, annex A.5.
const S: [[u32; 16]; 8] = [
    [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
    [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
    [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
    [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
    [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
    [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
    [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
    [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
];

/// An S-box on each of the 32 nibbles whose bit `i` is in word `i`.
fn sbox(number: usize, x: [u32; 4]) -> [u32; 4] {
    let mut out = [0; 4];
    for place in 0..32 {
        let nibble = (0..4).fold(0, |nibble, i| nibble | (x[i] >> place & 1) << i);
        let image = S[number % 8][nibble as usize];
        for i in 0..4 {
            out[i] |= (image >> i & 1) << place;
        }
    }
    out
}

fn xor(a: [u32; 4], b: [u32; 4]) -> [u32; 4] {
    [a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]]
}

/// Serpent §3: the linear transformation.
fn linear([mut x0, mut x1, mut x2, mut x3]: [u32; 4]) -> [u32; 4] {
    x0 = x0.rotate_left(13);
    x2 = x2.rotate_left(3);
    x1 = x1 ^ x0 ^ x2;
    x3 = x3 ^ x2 ^ (x0 << 3);
    x1 = x1.rotate_left(1);
    x3 = x3.rotate_left(7);
    x0 = x0 ^ x1 ^ x3;
    x2 = x2 ^ x3 ^ (x1 << 7);
    x0 = x0.rotate_left(5);
    x2 = x2.rotate_left(22);
    [x0, x1, x2, x3]
}

/// Serpent §4: the key schedule, as far as its first 25 sub-keys.
fn subkeys(key: &[u8]) -> Vec<[u32; 4]> {
    // A short key gets one bit 1, and zeros.
    let mut padded = key.to_vec();
    if padded.len() < 32 {
        padded.push(1);
        padded.resize(32, 0);
    }
    let mut w: Vec<u32> = words(&padded);
    for i in 0..100 {
        let sum = w[i] ^ w[i + 3] ^ w[i + 5] ^ w[i + 7] ^ 0x9e37_79b9 ^ i as u32;
        w.push(sum.rotate_left(11));
    }
    let prekeys = w[8..].chunks(4).enumerate();
    prekeys.map(|(i, k)| sbox((35 - i) % 8, k.try_into().expect("4 words"))).collect()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().expect("4 bytes"))).collect()
}

/// The product in GF(2⁸): modulo β⁸ + β⁷ + β⁵ + β³ + 1 (§3.2).
fn times_beta(a: u32) -> u32 {
    let doubled = a << 1;
    if doubled & 0x100 == 0 { doubled } else { doubled ^ 0x1a9 }
}

fn times_power(mut a: u32, exponent: u32) -> u32 {
    for _ in 0..exponent {
        a = times_beta(a);
    }
    a
}

/// §3.2: multiplication by α, a root of X⁴ + β²³X³ + β²⁴⁵X² + β⁴⁸X + β²³⁹.
fn times_alpha(x: u32) -> u32 {
    let top = x >> 24;
    let reduced = times_power(top, 23) << 24
        | times_power(top, 245) << 16
        | times_power(top, 48) << 8
        | times_power(top, 239);
    (x << 8) ^ reduced
}

/// Division by α: the lowest byte c of x is the lowest of y α, so that the top byte of y is
/// c β⁻²³⁹ = c β¹⁶; the rest follows from the other coefficients.
fn over_alpha(x: u32) -> u32 {
    let top = times_power(x & 0xff, 16);
    let rest = x
        ^ (times_power(top, 23) << 24
            | times_power(top, 245) << 16
            | times_power(top, 48) << 8
            | times_power(top, 239));
    (top << 24) | (rest >> 8)
}

/// §3.3.
fn trans(z: u32) -> u32 {
    z.wrapping_mul(0x5465_5307).rotate_left(7)
}

/// The first `bytes` keystream bytes under a key of 1 to 32 bytes and an IV of up to 16.
#[must_use]
pub fn keystream(key: &[u8], iv: &[u8], bytes: usize) -> Vec<u8> {
    // §4: Serpent24 on the IV; the last round is a whole one, with a sub-key behind it.
    let mut padded = iv.to_vec();
    padded.resize(16, 0);
    let k = subkeys(key);
    let mut y: [u32; 4] = words(&padded).try_into().expect("4 words");
    let mut outputs = Vec::new();
    for round in 0..24 {
        y = linear(sbox(round, xor(y, k[round])));
        outputs.push(y);
    }
    let (y12, y18, y24) = (outputs[11], outputs[17], xor(outputs[23], k[24]));
    // s[0] is s1.
    let mut s =
        vec![y24[3], y24[2], y24[1], y24[0], y18[1], y18[3], y12[3], y12[2], y12[1], y12[0]];
    let (mut r1, mut r2) = (y18[0], y18[2]);

    let mut out = Vec::with_capacity(bytes + 15);
    while out.len() < bytes {
        let mut f = [0; 4];
        let (mut dropped, at) = ([0; 4], s.len() - 10);
        for t in 0..4 {
            let s_t = |i: usize| s[at + t + i];
            // §3.3: R1, R2, f.
            let mux = if r1 & 1 == 1 { s_t(1) ^ s_t(8) } else { s_t(1) };
            (r1, r2) = (r2.wrapping_add(mux), trans(r1));
            f[t] = s_t(9).wrapping_add(r1) ^ r2;
            dropped[t] = s_t(0);
            // §3.2: s(t+10).
            let next = s_t(9) ^ over_alpha(s_t(3)) ^ times_alpha(s_t(0));
            s.push(next);
        }
        // §3.4.
        for word in xor(sbox(2, f), dropped) {
            out.extend(word.to_le_bytes());
        }
    }
    out.truncate(bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn division_undoes_multiplication() {
        for x in [1, 0x8000_0000, 0xffff_ffff, 0x0123_4567, 0xdead_beef] {
            assert_eq!(over_alpha(times_alpha(x)), x);
            assert_eq!(times_alpha(over_alpha(x)), x);
        }
    }
}
