//! XTS of one data unit: IEEE 1619-2018 §5, SP 800-38E, and GB/T 17964-2021 (XTS).
//!
//! The standards differ in how a tweak's bytes are read as an element of the field
//! GF(2)\[x\]/(x¹²⁸ + x⁷ + x² + x + 1).

use super::{Block, xor};

/// Which power of x a bit of the tweak stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// IEEE 1619 §5.2: bit `k` of byte `b`, `k = 0` the least significant, is x^(8b + k).
    Ieee,
    /// GB/T 17964-2021: bit `k` of byte `b`, `k = 0` the most significant, is x^(8b + k).
    Gb,
}

/// The coefficients of a tweak, that of x⁰ first.
fn coefficients(order: Order, tweak: &[u8]) -> Vec<bool> {
    let bit = |i: usize| match order {
        Order::Ieee => tweak[i / 8] >> (i % 8) & 1 == 1,
        Order::Gb => tweak[i / 8] << (i % 8) & 0x80 != 0,
    };
    (0..128).map(bit).collect()
}

/// The tweak of those coefficients.
fn bytes(order: Order, coefficients: &[bool]) -> Vec<u8> {
    let mut out = vec![0; 16];
    for i in (0..128).filter(|&i| coefficients[i]) {
        out[i / 8] |= match order {
            Order::Ieee => 1 << (i % 8),
            Order::Gb => 0x80 >> (i % 8),
        };
    }
    out
}

/// Multiplies a tweak by α = x.
#[must_use]
pub fn times_alpha(order: Order, tweak: &[u8]) -> Vec<u8> {
    let mut product = coefficients(order, tweak);
    product.insert(0, false);
    if product.pop() == Some(true) {
        for power in [0, 1, 2, 7] {
            product[power] = !product[power];
        }
    }
    bytes(order, &product)
}

/// Encrypts (or decrypts, with the inverse block function) one data unit:
/// `T₀ = E₂(tweak)`, `Cⱼ = E₁(Pⱼ ⊕ Tⱼ) ⊕ Tⱼ`, `Tⱼ₊₁ = Tⱼ·α`. Of an unfinished last
/// block, ciphertext stealing makes two whole ones (§5.3.2, §5.4.2).
///
/// # Panics
/// If there is less than one block.
#[must_use]
pub fn crypt(
    order: Order,
    function: Block<'_>,
    encrypt_tweak: Block<'_>,
    decrypting: bool,
    tweak: &[u8],
    data: &[u8],
) -> Vec<u8> {
    assert!(data.len() >= 16, "{} bytes are less than one block", data.len());
    let one = |t: &[u8], p: &[u8]| xor(&function(&xor(p, t)), t);
    let whole = data.len() / 16;
    let cut = data.len() % 16;
    let mut t = vec![encrypt_tweak(tweak)];
    while t.len() <= whole {
        t.push(times_alpha(order, t.last().expect("there is one")));
    }
    let mut out = Vec::new();
    let plain = if cut == 0 { whole } else { whole - 1 };
    for j in 0..plain {
        out.extend(one(&t[j], &data[16 * j..16 * j + 16]));
    }
    if cut > 0 {
        let (first, second) = if decrypting { (whole, whole - 1) } else { (whole - 1, whole) };
        let m = 16 * (whole - 1);
        let stolen = one(&t[first], &data[m..m + 16]);
        let last = [&data[m + 16..], &stolen[cut..]].concat();
        out.extend(one(&t[second], &last));
        out.extend(&stolen[..cut]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_orders_agree_with_the_shifts_that_implementations_use() {
        let tweak: Vec<u8> = (0..16).map(|i| 0x91 ^ (37 * i) as u8).collect();
        let ieee = u128::from_le_bytes(tweak.clone().try_into().unwrap());
        let expected = ieee << 1 ^ if ieee >> 127 == 1 { 0x87 } else { 0 };
        assert_eq!(times_alpha(Order::Ieee, &tweak), expected.to_le_bytes());
        let gb = u128::from_be_bytes(tweak.clone().try_into().unwrap());
        let expected = gb >> 1 ^ if gb & 1 == 1 { 0xe1 << 120 } else { 0 };
        assert_eq!(times_alpha(Order::Gb, &tweak), expected.to_be_bytes());
    }
}
