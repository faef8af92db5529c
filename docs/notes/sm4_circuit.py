#!/usr/bin/env python3
"""Writes crates/cipherlane/src/ciphers/sm4/circuit.rs: the SM4 S-box as xor and and gates.

The S-box is an inversion in GF(2^8) between two affine maps. Inversion in the AES
field has a circuit with 36 and gates whose inputs and outputs are linear in the
field element (J. Boyar, R. Peralta, "A depth-16 circuit for the AES S-box", 2011:
TOP and MIDDLE below are their equations). Every isomorphism into the AES field, and
every multiple of the element taken there, gives other linear layers around it; this
program tries them all, shortens each layer by taking the commonest pair of terms
first (C. Paar, 1997), and keeps the smallest result.

    python3 docs/notes/sm4_circuit.py > crates/cipherlane/src/ciphers/sm4/circuit.rs
    python3 docs/notes/sm4_circuit.py --c > lab/engines/ladder-c/sm4_circuit.inc
"""
import sys
from collections import Counter
from itertools import combinations
from random import Random

SM4_FIELD, AES_FIELD = 0x1F5, 0x11B
# S(x) = A(A(x) + C)^-1 + C with A circulant (F. Liu et al., "Analysis of the SMS4 block
# cipher", 2007): row i of A is A_ROW rotated left by i.
A_ROW, C = 0xA7, 0xD3

TOP = """
y14 = x3 ^ x5; y13 = x0 ^ x6; y9 = x0 ^ x3; y8 = x0 ^ x5; t0 = x1 ^ x2; y1 = t0 ^ x7
y4 = y1 ^ x3; y12 = y13 ^ y14; y2 = y1 ^ x0; y5 = y1 ^ x6; y3 = y5 ^ y8; t1 = x4 ^ y12
y15 = t1 ^ x5; y20 = t1 ^ x1; y6 = y15 ^ x7; y10 = y15 ^ t0; y11 = y20 ^ y9; y7 = x7 ^ y11
y17 = y10 ^ y11; y19 = y10 ^ y8; y16 = t0 ^ y11; y21 = y13 ^ y16; y18 = x0 ^ y16
"""
MIDDLE = """
t2 = y12 & y15; t3 = y3 & y6; t4 = t3 ^ t2; t5 = y4 & x7; t6 = t5 ^ t2; t7 = y13 & y16
t8 = y5 & y1; t9 = t8 ^ t7; t10 = y2 & y7; t11 = t10 ^ t7; t12 = y9 & y11; t13 = y14 & y17
t14 = t13 ^ t12; t15 = y8 & y10; t16 = t15 ^ t12; t17 = t4 ^ t14; t18 = t6 ^ t16
t19 = t9 ^ t14; t20 = t11 ^ t16; t21 = t17 ^ y20; t22 = t18 ^ y19; t23 = t19 ^ y21
t24 = t20 ^ y18; t25 = t21 ^ t22; t26 = t21 & t23; t27 = t24 ^ t26; t28 = t25 & t27
t29 = t28 ^ t22; t30 = t23 ^ t24; t31 = t22 ^ t26; t32 = t31 & t30; t33 = t32 ^ t24
t34 = t23 ^ t33; t35 = t27 ^ t33; t36 = t24 & t35; t37 = t36 ^ t34; t38 = t27 ^ t36
t39 = t29 & t38; t40 = t25 ^ t39; t41 = t40 ^ t37; t42 = t29 ^ t33; t43 = t29 ^ t40
t44 = t33 ^ t37; t45 = t42 ^ t41; z0 = t44 & y15; z1 = t37 & y6; z2 = t33 & x7
z3 = t43 & y16; z4 = t40 & y1; z5 = t29 & y7; z6 = t42 & y11; z7 = t45 & y17; z8 = t41 & y10
z9 = t44 & y12; z10 = t37 & y3; z11 = t33 & y4; z12 = t43 & y13; z13 = t40 & y5
z14 = t29 & y2; z15 = t42 & y9; z16 = t45 & y14; z17 = t41 & y8
"""
INPUTS = [f"y{i}" for i in range(1, 22)] + ["x7"]

TEST = """
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circuit_is_the_s_box_for_all_256_bytes() {
        for x in 0..=255u8 {
            let planes = core::array::from_fn(|j| (x ^ INPUT_CONSTANT) >> j & 1);
            let y = sbox(planes).iter().rev().fold(0, |y, bit| y << 1 | bit) ^ OUTPUT_CONSTANT;
            assert_eq!(y, crate::sm4::basis::tests::SBOX[usize::from(x)], "{x:#04x}");
        }
    }
}
"""


def gates(text):
    for line in text.replace("\n", ";").split(";"):
        if line.strip():
            target, _, left, operator, right = line.split()
            yield target, left, operator, right


def multiply(a, b, field):
    product = 0
    while b:
        if b & 1:
            product ^= a
        a <<= 1
        if a & 256:
            a ^= field
        b >>= 1
    return product


def inverses(field):
    return [next((y for y in range(256) if multiply(x, y, field) == 1), 0) for x in range(256)]


# A linear map is the list of its eight columns.
def apply(columns, x):
    y = 0
    for j in range(8):
        if x >> j & 1:
            y ^= columns[j]
    return y


def compose(outer, inner):
    return [apply(outer, column) for column in inner]


def invert(columns):
    image = {apply(columns, x): x for x in range(256)}
    return [image[1 << j] for j in range(8)]


def parity(x):
    return bin(x).count("1") & 1


A = [sum(parity((A_ROW << i | A_ROW >> 8 - i) & 1 << j) << i for i in range(8)) for j in range(8)]


def isomorphisms(field):
    """Linear maps that are isomorphisms from that field into the AES field."""
    for root in range(2, 256):
        powers = [1]
        for _ in range(8):
            powers.append(multiply(powers[-1], root, AES_FIELD))
        value = 0
        for k in range(9):
            if field >> k & 1:
                value ^= powers[k]
        if value == 0:
            yield powers[:8]


def shorten(targets, terms, tries, seed):
    """Xors that make every target (a mask of terms); Paar's greedy rule with random ties."""
    best = None
    for attempt in range(tries):
        random = Random(1000 * seed + attempt)
        left = [{i for i in range(terms) if target >> i & 1} for target in targets]
        pairs = []
        while any(len(t) > 1 for t in left):
            count = Counter(p for t in left for p in combinations(sorted(t), 2))
            most = max(count.values())
            pair = random.choice([p for p in count if count[p] == most])
            for t in left:
                if t >= set(pair):
                    t -= set(pair)
                    t.add(terms + len(pairs))
            pairs.append(pair)
        if best is None or len(pairs) < len(best[0]):
            best = pairs, [min(t) for t in left]
    return best


def circuit(layers):
    """The smallest circuit of `out(inverse(into(x)))`, over all given pairs `(into, out)`
    of linear maps and all multiples: how many gates, their lines and the names of the result's
    bits."""
    aes_inverse = inverses(AES_FIELD)
    # The forms y as masks of AES bits (x0 is the most significant), and the truth tables of
    # all gates over the 256 field elements.
    form = {f"x{i}": 1 << 7 - i for i in range(8)}
    table = {f"x{i}": sum((u >> 7 - i & 1) << u for u in range(256)) for i in range(8)}
    for target, a, _, b in gates(TOP):
        form[target] = form[a] ^ form[b]
        table[target] = table[a] ^ table[b]
    for target, a, operator, b in gates(MIDDLE):
        table[target] = table[a] ^ table[b] if operator == "^" else table[a] & table[b]

    def in_products(wanted):
        """The mask of products z whose sum has this truth table."""
        basis = []
        for i in range(18):
            vector, mask = table[f"z{i}"], 1 << i
            for v, m in basis:
                if vector ^ v < vector:
                    vector, mask = vector ^ v, mask ^ m
            if vector:
                basis = sorted(basis + [(vector, mask)], reverse=True)
        mask = 0
        for v, m in basis:
            if wanted ^ v < wanted:
                wanted, mask = wanted ^ v, mask ^ m
        assert wanted == 0
        return mask

    inverse_bits = [
        in_products(sum((aes_inverse[u] >> bit & 1) << u for u in range(256))) for bit in range(8)
    ]

    best = None
    for into, out_of in layers:
        for multiple in range(1, 256):
            scale = [multiply(1 << j, multiple, AES_FIELD) for j in range(8)]
            into_multiple = compose(scale, into)
            out_of_multiple = compose(out_of, scale)  # (m·x)⁻¹·m = x⁻¹
            top = [
                sum(parity(form[y] & into_multiple[j]) << j for j in range(8)) for y in INPUTS
            ]
            bottom = []
            for bit in range(8):
                mask = 0
                for j in range(8):
                    if out_of_multiple[j] >> bit & 1:
                        mask ^= inverse_bits[j]
                bottom.append(mask)
            size = sum(len(shorten(t, n, 2, 0)[0]) for t, n in ((top, 8), (bottom, 18)))
            if best is None or size < best[0]:
                best = size, top, bottom
    _, top, bottom = best
    pairs_in, names_in = shorten(top, 8, 400, 5)
    pairs_out, names_out = shorten(bottom, 18, 400, 7)
    count = len(pairs_in) + len(pairs_out) + len(list(gates(MIDDLE)))

    x = [f"x[{j}]" for j in range(8)]
    body = []
    for k, (a, b) in enumerate(pairs_in):
        body.append(f"let a{k} = {x[a]} ^ {x[b]};")
        x.append(f"a{k}")
    forms = {y: x[i] for y, i in zip(INPUTS, names_in)}
    for target, a, operator, b in gates(MIDDLE):
        body.append(f"let {target} = {forms.get(a, a)} {operator} {forms.get(b, b)};")
    z = [f"z{j}" for j in range(18)]
    for k, (a, b) in enumerate(pairs_out):
        body.append(f"let b{k} = {z[a]} ^ {z[b]};")
        z.append(f"b{k}")
    return count, body, [z[i] for i in names_out]


def in_c(count, body, result):
    """The same for the ladder in C; planes are variables of a type that has ^ and &."""
    print(f"""/* The SM4 S-box as {count} gates on eight planes, plane j holding the bits of weight 2^j. Written by
 * `docs/notes/sm4_circuit.py --c`; don't edit.
 *
 * Included in a function with PLANE, a type that has ^ and &, and the planes x[8], which it replaces:
 * x becomes S(x ^ INPUT_CONSTANT) ^ OUTPUT_CONSTANT. */""")
    for line in body:
        print("    const PLANE " + line.removeprefix("let "))
    for j, name in enumerate(result):
        print(f"    x[{j}] = {name};")


def main():
    layers = [
        (compose(powers, A), compose(A, invert(powers))) for powers in isomorphisms(SM4_FIELD)
    ]
    count, body, result = circuit(layers)
    if sys.argv[1:] == ["--c"]:
        in_c(count, body, result)
        return
    # A·x + C leads into the inversion: C is added in front of A.
    input_constant = apply(invert(A), C)
    print(f"""//! The SM4 S-box as {count} gates. Written by `docs/notes/sm4_circuit.py`; don't edit.

use core::ops::{{BitAnd, BitXor}};

/// What must be xored into the S-box's input before [`sbox`].
pub(super) const INPUT_CONSTANT: u8 = 0x{input_constant:02x};

/// What must be xored into the S-box's output after [`sbox`].
pub(super) const OUTPUT_CONSTANT: u8 = 0x{C:02x};

/// `x ↦ S(x ⊕ INPUT_CONSTANT) ⊕ OUTPUT_CONSTANT` on bit planes; plane `j` holds the
/// bits of weight 2^j.
#[inline(always)]
pub(super) fn sbox<T>(x: [T; 8]) -> [T; 8]
where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T>,
{{""")
    print("\n".join("    " + line for line in body))
    print("    [" + ", ".join(result) + "]\n}")
    print(TEST, end="")


if __name__ == "__main__":
    main()
