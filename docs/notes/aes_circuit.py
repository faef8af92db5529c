#!/usr/bin/env python3
"""Writes crates/cipherlane/src/aes_circuit.rs: the AES S-box and its inverse as gates.

As in sm4_circuit.py, whose parts it uses: an inversion in the AES field between two
linear layers. Every automorphism of the field and every multiple of the element gives
other layers; this program tries them all and keeps, for each of the two boxes, the
smallest result.

    python3 docs/notes/aes_circuit.py > crates/cipherlane/src/aes_circuit.rs
"""
from sm4_circuit import AES_FIELD, circuit, compose, invert, isomorphisms

HEAD = """//! The AES S-box as {forward} gates and its inverse as {inverse}. Written by
//! `docs/notes/aes_circuit.py`; don't edit.

use core::ops::{{BitAnd, BitXor}};

/// What the S-box adds at its end and its inverse at its start; neither circuit does.
pub(crate) const CONSTANT: u8 = 0x{constant:02x};
"""
TEST = """
#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 197 §5.1.1: the inverse in the field, then the affine map.
    fn s_box(x: u8) -> u8 {
        let multiply = |a: u8, b: u8| {
            let bits = (0..8).filter(|i| b >> i & 1 == 1);
            let product = bits.fold(0, |sum, i| sum ^ u16::from(a) << i);
            (8..15).rev().fold(product, |p, i| p ^ ((0x11b << (i - 8)) * (p >> i & 1))) as u8
        };
        let y = (0..=255).find(|&y| multiply(x, y) == 1).unwrap_or(0);
        (1..5).fold(y, |sum, i| sum ^ y.rotate_left(i)) ^ 0x63
    }

    fn run(circuit: impl Fn([u8; 8]) -> [u8; 8], x: u8) -> u8 {
        let planes = circuit(core::array::from_fn(|j| x >> j & 1));
        planes.iter().rev().fold(0, |y, bit| y << 1 | bit)
    }

    #[test]
    fn the_circuits_are_the_s_boxes_for_all_256_bytes() {
        for x in 0..=255 {
            let y = s_box(x);
            assert_eq!(run(sub_bytes, x) ^ CONSTANT, y, "{x:#04x}");
            assert_eq!(run(inverse_sub_bytes, y ^ CONSTANT), x, "{y:#04x}");
        }
    }
}
"""
# FIPS 197 §5.1.1: bit i of the S-box's affine map is the sum of the bits i, i+4 … i+7.
AFFINE = [sum(1 << (j + k) % 8 for k in range(5)) for j in range(8)]
CONSTANT = 0x63
USERS = '#[cfg(any(feature = "aes", test))]\n'


def function(name, doc, body, result, only=""):
    lines = "\n".join("    " + line for line in body)
    return f"""
/// {doc} on bit planes; plane `j` holds the bits of weight 2^j.
{only}#[inline(always)]
pub(crate) fn {name}<T>(x: [T; 8]) -> [T; 8]
where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T>,
{{
{lines}
    [{", ".join(result)}]
}}
"""


def main():
    automorphisms = list(isomorphisms(AES_FIELD))
    identity = [1 << j for j in range(8)]
    forward = circuit((p, compose(AFFINE, invert(p))) for p in automorphisms)
    inverse = circuit((compose(p, invert(AFFINE)), invert(p)) for p in automorphisms)
    assert identity in automorphisms
    print(HEAD.format(forward=forward[0], inverse=inverse[0], constant=CONSTANT), end="")
    print(function("sub_bytes", "`x ↦ S(x) ⊕ CONSTANT`", *forward[1:]), end="")
    print(function("inverse_sub_bytes", "`x ↦ S⁻¹(x ⊕ CONSTANT)`", *inverse[1:], USERS), end="")
    print(TEST, end="")


main()
