//! Salsa20/r: "Salsa20 specification" (D. J. Bernstein), the number of rounds a parameter.

/// §3.
fn quarterround([y0, y1, y2, y3]: [u32; 4]) -> [u32; 4] {
    let z1 = y1 ^ y0.wrapping_add(y3).rotate_left(7);
    let z2 = y2 ^ z1.wrapping_add(y0).rotate_left(9);
    let z3 = y3 ^ z2.wrapping_add(z1).rotate_left(13);
    let z0 = y0 ^ z3.wrapping_add(z2).rotate_left(18);
    [z0, z1, z2, z3]
}

/// The quarter-rounds on words at four places each.
fn four(y: [u32; 16], places: [[usize; 4]; 4]) -> [u32; 16] {
    let mut z = [0; 16];
    for at in places {
        for (place, word) in at.into_iter().zip(quarterround(at.map(|i| y[i]))) {
            z[place] = word;
        }
    }
    z
}

/// §4.
fn rowround(y: [u32; 16]) -> [u32; 16] {
    four(y, [[0, 1, 2, 3], [5, 6, 7, 4], [10, 11, 8, 9], [15, 12, 13, 14]])
}

/// §5.
fn columnround(x: [u32; 16]) -> [u32; 16] {
    four(x, [[0, 4, 8, 12], [5, 9, 13, 1], [10, 14, 2, 6], [15, 3, 7, 11]])
}

/// §8: the hash function, its 10 double-rounds of §6 being `rounds / 2` here.
fn salsa20(rounds: usize, input: &[u8; 64]) -> [u8; 64] {
    let mut x = [0; 16];
    for (word, bytes) in x.iter_mut().zip(input.chunks(4)) {
        *word = u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
    }
    let mut z = x;
    for _ in 0..rounds / 2 {
        z = rowround(columnround(z));
    }
    let mut out = [0; 64];
    for i in 0..16 {
        out[4 * i..4 * i + 4].copy_from_slice(&x[i].wrapping_add(z[i]).to_le_bytes());
    }
    out
}

/// §9: the expansion function.
fn expand(rounds: usize, key: &[u8], n: &[u8; 16]) -> [u8; 64] {
    let (constants, second) = match key.len() {
        32 => (b"expand 32-byte k", &key[16..]),
        16 => (b"expand 16-byte k", key),
        other => panic!("a key of {other} bytes"),
    };
    let c: Vec<&[u8]> = constants.chunks(4).collect();
    let input = [c[0], &key[..16], c[1], n, c[2], second, c[3]].concat();
    salsa20(rounds, &input.try_into().expect("64 bytes"))
}

/// §10: the first `bytes` keystream bytes under a key of 16 or 32 bytes and a nonce.
///
/// # Panics
/// If the key has another length.
#[must_use]
pub fn keystream(rounds: usize, key: &[u8], nonce: &[u8; 8], bytes: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes + 63);
    let mut i = 0u64;
    while out.len() < bytes {
        let n = [*nonce, i.to_le_bytes()].concat().try_into().expect("16 bytes");
        out.extend(expand(rounds, key, &n));
        i += 1;
    }
    out.truncate(bytes);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of §3.
    #[test]
    fn examples_of_the_quarterround() {
        let one = [0x0800_8145, 0x0000_0080, 0x0001_0200, 0x2050_0000];
        assert_eq!(quarterround([1, 0, 0, 0]), one);
        let two = [0x8800_0100, 0x0000_0001, 0x0000_0200, 0x0040_2000];
        assert_eq!(quarterround([0, 1, 0, 0]), two);
    }
}
