//! AES as FIPS 197 writes it: SubBytes, ShiftRows, MixColumns and AddRoundKey on a
//! state of four rows and four columns.

/// §5.1.1, Table 4: the S-box; the input's high nibble chooses the row, the low one the column.
#[rustfmt::skip]
const SBOX: [u8; 256] = [
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
];

/// §3.4: the state; `s[r][c]` is the byte in row `r` and column `c`.
type State = [[u8; 4]; 4];

/// §3.4: byte `r + 4c` of a block stands in row `r` and column `c`.
fn state(block: &[u8; 16]) -> State {
    let mut s = [[0; 4]; 4];
    for c in 0..4 {
        for r in 0..4 {
            s[r][c] = block[r + 4 * c];
        }
    }
    s
}

/// §3.4: the way back.
fn block(s: &State) -> [u8; 16] {
    let mut block = [0; 16];
    for c in 0..4 {
        for r in 0..4 {
            block[r + 4 * c] = s[r][c];
        }
    }
    block
}

/// §4.2.1: multiplication by x modulo x⁸ + x⁴ + x³ + x + 1.
fn xtime(b: u8) -> u8 {
    if b & 0x80 == 0 { b << 1 } else { b << 1 ^ 0x1b }
}

/// §4.2: multiplication in the field.
fn multiply(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = xtime(a);
        b >>= 1;
    }
    product
}

pub(crate) fn sub_byte(byte: u8) -> u8 {
    SBOX[usize::from(byte)]
}

/// §5.3.2: the inverse of the S-box.
const INV_SBOX: [u8; 256] = {
    let mut inverse = [0; 256];
    let mut x = 0;
    while x < 256 {
        inverse[SBOX[x] as usize] = x as u8;
        x += 1;
    }
    inverse
};

fn inv_sub_byte(byte: u8) -> u8 {
    INV_SBOX[usize::from(byte)]
}

/// §5.1.1 and §5.3.2: a function of bytes on the whole state.
fn on_bytes(s: &mut State, f: fn(u8) -> u8) {
    for row in s {
        *row = row.map(f);
    }
}

/// §5.1.2: s′[r, c] = s[r, (c + r) mod 4].
fn shift_rows(s: &mut State) {
    for (r, row) in s.iter_mut().enumerate() {
        row.rotate_left(r);
    }
}

/// §5.3.1: s′[r, (c + r) mod 4] = s[r, c].
fn inv_shift_rows(s: &mut State) {
    for (r, row) in s.iter_mut().enumerate() {
        row.rotate_right(r);
    }
}

/// §4.3: every column times the word [a0, a1, a2, a3] as in §5.1.3: row `r` of the
/// matrix is the first one rotated to the right by `r`.
fn multiply_columns(s: &mut State, first_row: [u8; 4]) {
    let old = *s;
    for c in 0..4 {
        for r in 0..4 {
            s[r][c] =
                (0..4).fold(0, |sum, k| sum ^ multiply(first_row[(k + 4 - r) % 4], old[k][c]));
        }
    }
}

/// §5.1.3.
fn mix_columns(s: &mut State) {
    multiply_columns(s, [0x02, 0x03, 0x01, 0x01]);
}

/// §5.3.3.
fn inv_mix_columns(s: &mut State) {
    multiply_columns(s, [0x0e, 0x0b, 0x0d, 0x09]);
}

/// §5.1.4: column `c` plus word `c` of a round key.
fn add_round_key(s: &mut State, w: &[[u8; 4]]) {
    for c in 0..4 {
        for r in 0..4 {
            s[r][c] ^= w[c][r];
        }
    }
}

/// §5.2: KeyExpansion; the words w of the key schedule, 4 · (Nr + 1) of them.
///
/// # Panics
/// If the key has not 16, 24 or 32 bytes.
#[must_use]
pub fn key_expansion(key: &[u8]) -> Vec<[u8; 4]> {
    assert!([16, 24, 32].contains(&key.len()), "a key of 16, 24 or 32 bytes");
    let nk = key.len() / 4;
    let nr = nk + 6;
    let mut w: Vec<[u8; 4]> =
        key.chunks(4).map(|word| word.try_into().expect("four bytes")).collect();
    let mut rcon = 0x01;
    for i in nk..4 * (nr + 1) {
        let mut temp = w[i - 1];
        if i % nk == 0 {
            temp.rotate_left(1);
            temp = temp.map(sub_byte);
            temp[0] ^= rcon;
            rcon = xtime(rcon);
        } else if nk > 6 && i % nk == 4 {
            temp = temp.map(sub_byte);
        }
        let before = w[i - nk];
        w.push([0, 1, 2, 3].map(|r| before[r] ^ temp[r]));
    }
    w
}

/// §5.1: one round without a round key, which ciphers of the SNOW family have.
#[must_use]
pub fn round(input: &[u8; 16]) -> [u8; 16] {
    let mut s = state(input);
    on_bytes(&mut s, sub_byte);
    shift_rows(&mut s);
    mix_columns(&mut s);
    block(&s)
}

/// §5.1: the last round without its round key.
#[must_use]
pub fn last_round(input: &[u8; 16]) -> [u8; 16] {
    let mut s = state(input);
    on_bytes(&mut s, sub_byte);
    shift_rows(&mut s);
    block(&s)
}

/// §5.3.5: the last round of the inverse cipher without its round key.
#[must_use]
pub fn last_inverse_round(input: &[u8; 16]) -> [u8; 16] {
    let mut s = state(input);
    on_bytes(&mut s, inv_sub_byte);
    inv_shift_rows(&mut s);
    block(&s)
}

/// §5.3.5: one round of the equivalent inverse cipher without a round key.
#[must_use]
pub fn inverse_round(input: &[u8; 16]) -> [u8; 16] {
    let mut s = state(input);
    on_bytes(&mut s, inv_sub_byte);
    inv_shift_rows(&mut s);
    inv_mix_columns(&mut s);
    block(&s)
}

/// §5.1: Cipher, under an expanded key.
#[must_use]
pub fn cipher(w: &[[u8; 4]], input: &[u8; 16]) -> [u8; 16] {
    let nr = w.len() / 4 - 1;
    let mut s = state(input);
    add_round_key(&mut s, &w[..4]);
    for round in 1..nr {
        on_bytes(&mut s, sub_byte);
        shift_rows(&mut s);
        mix_columns(&mut s);
        add_round_key(&mut s, &w[4 * round..]);
    }
    on_bytes(&mut s, sub_byte);
    shift_rows(&mut s);
    add_round_key(&mut s, &w[4 * nr..]);
    block(&s)
}

/// §5.3: InvCipher, under an expanded key.
#[must_use]
pub fn inv_cipher(w: &[[u8; 4]], input: &[u8; 16]) -> [u8; 16] {
    let nr = w.len() / 4 - 1;
    let mut s = state(input);
    add_round_key(&mut s, &w[4 * nr..]);
    for round in (1..nr).rev() {
        inv_shift_rows(&mut s);
        on_bytes(&mut s, inv_sub_byte);
        add_round_key(&mut s, &w[4 * round..]);
        inv_mix_columns(&mut s);
    }
    inv_shift_rows(&mut s);
    on_bytes(&mut s, inv_sub_byte);
    add_round_key(&mut s, &w[..4]);
    block(&s)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAINTEXT: [u8; 16] = 0x0011_2233_4455_6677_8899_aabb_ccdd_eeff_u128.to_be_bytes();

    /// Appendix C: the key is 00 01 02 …
    fn check(bytes: u8, ciphertext: u128) {
        let key: Vec<u8> = (0..bytes).collect();
        let w = key_expansion(&key);
        assert_eq!(u128::from_be_bytes(cipher(&w, &PLAINTEXT)), ciphertext);
        assert_eq!(inv_cipher(&w, &ciphertext.to_be_bytes()), PLAINTEXT);
    }

    #[test]
    fn appendix_c() {
        check(16, 0x69c4_e0d8_6a7b_0430_d8cd_b780_70b4_c55a);
        check(24, 0xdda9_7ca4_864c_dfe0_6eaf_70a0_ec0d_7191);
        check(32, 0x8ea2_b7ca_5167_45bf_eafc_4990_4b49_6089);
    }

    /// The S-box is an inversion and an affine map (§5.1.1).
    #[test]
    fn the_table_follows_from_the_field() {
        for x in 0..=255u8 {
            let inverse = (0..=255).find(|&y| multiply(x, y) == 1).unwrap_or(0);
            let affine = (1..5).fold(inverse ^ 0x63, |sum, i| sum ^ inverse.rotate_left(i));
            assert_eq!(sub_byte(x), affine, "{x:#04x}");
        }
    }
}
