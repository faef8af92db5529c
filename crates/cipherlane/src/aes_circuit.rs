//! The AES S-box as 120 gates and its inverse as 122. Written by
//! `docs/notes/aes_circuit.py`; don't edit.

use core::ops::{BitAnd, BitXor};

/// What the S-box adds at its end and its inverse at its start; neither circuit does.
pub(crate) const CONSTANT: u8 = 0x63;

/// `x ↦ S(x) ⊕ CONSTANT` on bit planes; plane `j` holds the bits of weight 2^j.
#[inline(always)]
pub(crate) fn sub_bytes<T>(x: [T; 8]) -> [T; 8]
where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T>,
{
    let a0 = x[1] ^ x[3];
    let a1 = x[4] ^ x[6];
    let a2 = x[2] ^ a0;
    let a3 = x[7] ^ a1;
    let a4 = x[5] ^ a1;
    let a5 = x[0] ^ a2;
    let a6 = x[2] ^ x[3];
    let a7 = x[0] ^ x[5];
    let a8 = x[7] ^ a0;
    let a9 = x[4] ^ a8;
    let a10 = x[2] ^ a3;
    let a11 = x[5] ^ a2;
    let a12 = a4 ^ a6;
    let a13 = a3 ^ a6;
    let a14 = a0 ^ a7;
    let a15 = a2 ^ a4;
    let a16 = x[0] ^ a9;
    let a17 = x[6] ^ a5;
    let a18 = a3 ^ a14;
    let a19 = x[1] ^ a3;
    let a20 = x[3] ^ x[6];
    let a21 = x[2] ^ a4;
    let a22 = x[5] ^ a5;
    let a23 = x[5] ^ x[7];
    let a24 = x[6] ^ a7;
    let a25 = a2 ^ a3;
    let a26 = x[0] ^ a1;
    let t2 = a12 & a17;
    let t3 = a6 & a24;
    let t4 = t3 ^ t2;
    let t5 = a4 & a11;
    let t6 = t5 ^ t2;
    let t7 = a23 & a10;
    let t8 = a25 & a18;
    let t9 = t8 ^ t7;
    let t10 = a15 & a22;
    let t11 = t10 ^ t7;
    let t12 = a2 & x[0];
    let t13 = a13 & a16;
    let t14 = t13 ^ t12;
    let t15 = a19 & a9;
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ a5;
    let t22 = t18 ^ a20;
    let t23 = t19 ^ a21;
    let t24 = t20 ^ a26;
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    let z0 = t44 & a17;
    let z1 = t37 & a24;
    let z2 = t33 & a11;
    let z3 = t43 & a10;
    let z4 = t40 & a18;
    let z5 = t29 & a22;
    let z6 = t42 & x[0];
    let z7 = t45 & a16;
    let z8 = t41 & a9;
    let z9 = t44 & a12;
    let z10 = t37 & a6;
    let z11 = t33 & a4;
    let z12 = t43 & a23;
    let z13 = t40 & a25;
    let z14 = t29 & a15;
    let z15 = t42 & a2;
    let z16 = t45 & a13;
    let z17 = t41 & a19;
    let b0 = z6 ^ z13;
    let b1 = z12 ^ z16;
    let b2 = z7 ^ b0;
    let b3 = z15 ^ b1;
    let b4 = z1 ^ z2;
    let b5 = z3 ^ z5;
    let b6 = z11 ^ z14;
    let b7 = z0 ^ z1;
    let b8 = b2 ^ b6;
    let b9 = z3 ^ z4;
    let b10 = b2 ^ b3;
    let b11 = z10 ^ b8;
    let b12 = b4 ^ b5;
    let b13 = z17 ^ b9;
    let b14 = z7 ^ b4;
    let b15 = b7 ^ b10;
    let b16 = z8 ^ z12;
    let b17 = z8 ^ b3;
    let b18 = b9 ^ b11;
    let b19 = z11 ^ b7;
    let b20 = z15 ^ b13;
    let b21 = b0 ^ b5;
    let b22 = z9 ^ b6;
    let b23 = z9 ^ b20;
    let b24 = b17 ^ b21;
    let b25 = b14 ^ b16;
    let b26 = z13 ^ b3;
    let b27 = b22 ^ b25;
    let b28 = b19 ^ b23;
    let b29 = b10 ^ b12;
    let b30 = b11 ^ b12;
    [b30, b18, b28, b29, b24, b27, b26, b15]
}

/// `x ↦ S⁻¹(x ⊕ CONSTANT)` on bit planes; plane `j` holds the bits of weight 2^j.
#[cfg(any(feature = "aes", test))]
#[inline(always)]
pub(crate) fn inverse_sub_bytes<T>(x: [T; 8]) -> [T; 8]
where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T>,
{
    let a0 = x[0] ^ x[1];
    let a1 = x[4] ^ x[5];
    let a2 = x[3] ^ x[7];
    let a3 = x[2] ^ a2;
    let a4 = x[7] ^ a1;
    let a5 = x[3] ^ x[6];
    let a6 = x[0] ^ a1;
    let a7 = x[4] ^ x[6];
    let a8 = x[3] ^ a0;
    let a9 = x[2] ^ a4;
    let a10 = a0 ^ a9;
    let a11 = x[1] ^ a5;
    let a12 = x[0] ^ a5;
    let a13 = x[1] ^ a1;
    let a14 = a0 ^ a3;
    let a15 = a0 ^ a5;
    let a16 = x[6] ^ a3;
    let a17 = x[6] ^ x[7];
    let a18 = x[6] ^ a10;
    let a19 = x[3] ^ a1;
    let a20 = x[5] ^ a16;
    let a21 = x[3] ^ x[4];
    let a22 = x[4] ^ a8;
    let a23 = x[6] ^ a6;
    let a24 = a2 ^ a7;
    let a25 = a3 ^ a13;
    let a26 = a0 ^ a2;
    let t2 = a6 & a17;
    let t3 = a14 & a24;
    let t4 = t3 ^ t2;
    let t5 = a25 & a21;
    let t6 = t5 ^ t2;
    let t7 = x[6] & a15;
    let t8 = a10 & a7;
    let t9 = t8 ^ t7;
    let t10 = a18 & a22;
    let t11 = t10 ^ t7;
    let t12 = a12 & a0;
    let t13 = a23 & a26;
    let t14 = t13 ^ t12;
    let t15 = a19 & a2;
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ a11;
    let t22 = t18 ^ a4;
    let t23 = t19 ^ a8;
    let t24 = t20 ^ a20;
    let t25 = t21 ^ t22;
    let t26 = t21 & t23;
    let t27 = t24 ^ t26;
    let t28 = t25 & t27;
    let t29 = t28 ^ t22;
    let t30 = t23 ^ t24;
    let t31 = t22 ^ t26;
    let t32 = t31 & t30;
    let t33 = t32 ^ t24;
    let t34 = t23 ^ t33;
    let t35 = t27 ^ t33;
    let t36 = t24 & t35;
    let t37 = t36 ^ t34;
    let t38 = t27 ^ t36;
    let t39 = t29 & t38;
    let t40 = t25 ^ t39;
    let t41 = t40 ^ t37;
    let t42 = t29 ^ t33;
    let t43 = t29 ^ t40;
    let t44 = t33 ^ t37;
    let t45 = t42 ^ t41;
    let z0 = t44 & a17;
    let z1 = t37 & a24;
    let z2 = t33 & a21;
    let z3 = t43 & a15;
    let z4 = t40 & a7;
    let z5 = t29 & a22;
    let z6 = t42 & a0;
    let z7 = t45 & a26;
    let z8 = t41 & a2;
    let z9 = t44 & a6;
    let z10 = t37 & a14;
    let z11 = t33 & a25;
    let z12 = t43 & x[6];
    let z13 = t40 & a10;
    let z14 = t29 & a18;
    let z15 = t42 & a12;
    let z16 = t45 & a23;
    let z17 = t41 & a19;
    let b0 = z10 ^ z11;
    let b1 = z7 ^ b0;
    let b2 = z4 ^ z6;
    let b3 = z13 ^ z14;
    let b4 = z2 ^ b1;
    let b5 = z1 ^ z8;
    let b6 = b3 ^ b4;
    let b7 = z16 ^ b5;
    let b8 = z15 ^ z17;
    let b9 = z9 ^ z10;
    let b10 = z12 ^ b2;
    let b11 = z3 ^ z13;
    let b12 = z0 ^ b2;
    let b13 = z5 ^ b12;
    let b14 = b10 ^ b11;
    let b15 = z17 ^ b13;
    let b16 = b8 ^ b14;
    let b17 = b8 ^ b9;
    let b18 = b0 ^ b15;
    let b19 = b6 ^ b13;
    let b20 = z1 ^ z5;
    let b21 = z4 ^ b20;
    let b22 = z12 ^ b7;
    let b23 = b7 ^ b18;
    let b24 = z14 ^ b4;
    let b25 = b1 ^ b16;
    let b26 = z7 ^ b9;
    let b27 = b5 ^ b6;
    let b28 = b22 ^ b24;
    let b29 = b14 ^ b26;
    let b30 = z15 ^ b28;
    let b31 = b3 ^ b17;
    let b32 = z2 ^ b21;
    [b32, b31, b25, b29, b23, b27, b19, b30]
}

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
