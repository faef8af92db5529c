//! IDEA, as Lai's thesis *On the Design and Security of Block Ciphers* (1992) writes it.

/// Sub-keys: six for each of eight rounds, four for the output transformation.
pub type SubKeys = [u64; 52];

/// The key schedule of encryption (thesis §3.2): the key is cut into eight words, rotated
/// by 25 bits, cut again, until there are 52.
#[must_use]
pub fn encryption_keys(key: &[u8; 16]) -> SubKeys {
    let bit = |i: usize| u64::from((key[i / 8] >> (7 - i % 8)) & 1);
    let mut keys = [0; 52];
    for (number, word) in keys.iter_mut().enumerate() {
        for b in 0..16 {
            let place = 16 * (number % 8) + b + 25 * (number / 8);
            *word = 2 * *word + bit(place % 128);
        }
    }
    keys
}

/// The key schedule of decryption (thesis table 3.1).
#[must_use]
pub fn decryption_keys(z: &SubKeys) -> SubKeys {
    let mut keys = Vec::new();
    for round in (0..9).rev() {
        let at = 6 * round;
        let [second, third] = [z[at + 1], z[at + 2]].map(|x| (65536 - x) % 65536);
        // Between rounds the middle words have changed places.
        let inner = (1..8).contains(&round);
        let middle = if inner { [third, second] } else { [second, third] };
        keys.extend([inverse(z[at]), middle[0], middle[1], inverse(z[at + 3])]);
        if round > 0 {
            keys.extend([z[at - 2], z[at - 1]]);
        }
    }
    keys.try_into().expect("52 sub-keys")
}

/// Multiplication modulo 2^16 + 1, where 0 stands for 2^16 (thesis §3.1).
fn multiply(a: u64, b: u64) -> u64 {
    let full = |x| if x == 0 { 65536 } else { x };
    full(a) * full(b) % 65537 % 65536
}

/// The inverse for [`multiply`], by Euclid's algorithm.
fn inverse(x: u64) -> u64 {
    let (mut a, mut b) = (65537_i64, if x == 0 { 65536 } else { x.cast_signed() });
    let (mut u, mut v) = (0_i64, 1_i64);
    while b != 0 {
        let q = a / b;
        (a, b) = (b, a - q * b);
        (u, v) = (v, u - q * v);
    }
    u.rem_euclid(65537).cast_unsigned() % 65536
}

/// One block through eight rounds and the output transformation (thesis §3.1).
#[must_use]
pub fn crypt(z: &SubKeys, block: &[u8; 8]) -> [u8; 8] {
    let word = |i: usize| u64::from(block[2 * i]) << 8 | u64::from(block[2 * i + 1]);
    let add = |a: u64, b: u64| (a + b) % 65536;
    let mut x = [word(0), word(1), word(2), word(3)];
    for z in z.chunks_exact(6).take(8) {
        let y = [multiply(x[0], z[0]), add(x[1], z[1]), add(x[2], z[2]), multiply(x[3], z[3])];
        // The multiplication-addition structure.
        let (p, q) = (y[0] ^ y[2], y[1] ^ y[3]);
        let s = multiply(p, z[4]);
        let t = multiply(add(q, s), z[5]);
        let u = add(s, t);
        x = [y[0] ^ t, y[2] ^ t, y[1] ^ u, y[3] ^ u];
    }
    let z = &z[48..];
    let y = [multiply(x[0], z[0]), add(x[2], z[1]), add(x[1], z[2]), multiply(x[3], z[3])];
    let mut out = [0; 8];
    for (out, y) in out.chunks_exact_mut(2).zip(y) {
        out.copy_from_slice(&[(y >> 8) as u8, y as u8]);
    }
    out
}
