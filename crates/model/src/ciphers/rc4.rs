//! RC4, from the description behind RFC 6229: key schedule and generator.

/// The first `bytes` keystream bytes under a key of 1 to 256 bytes.
#[must_use]
pub fn keystream(key: &[u8], bytes: usize) -> Vec<u8> {
    // Key schedule.
    let mut s: Vec<usize> = (0..256).collect();
    let mut j = 0;
    for i in 0..256 {
        j = (j + s[i] + usize::from(key[i % key.len()])) % 256;
        s.swap(i, j);
    }
    // Generator.
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::with_capacity(bytes);
    for _ in 0..bytes {
        i = (i + 1) % 256;
        j = (j + s[i]) % 256;
        s.swap(i, j);
        out.push(s[(s[i] + s[j]) % 256] as u8);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_6229_40_bits() {
        let expected = [0xb2, 0x39, 0x63, 0x05, 0xf0, 0x3d, 0xc0, 0x27];
        assert_eq!(keystream(&[1, 2, 3, 4, 5], 8), expected);
    }
}
