//! The SM4 S-box as 118 gates. Written by `docs/notes/sm4_circuit.py`; don't edit.

use core::ops::{BitAnd, BitXor};

/// What must be xored into the S-box's input before [`sbox`].
pub(super) const INPUT_CONSTANT: u8 = 0x75;

/// What must be xored into the S-box's output after [`sbox`].
pub(super) const OUTPUT_CONSTANT: u8 = 0xd3;

/// `x ↦ S(x ⊕ INPUT_CONSTANT) ⊕ OUTPUT_CONSTANT` on bit planes; plane `j` holds the
/// bits of weight 2^j.
#[inline(always)]
pub(super) fn sbox<T>(x: [T; 8]) -> [T; 8]
where
    T: Copy + BitXor<Output = T> + BitAnd<Output = T>,
{
    let a0 = x[2] ^ x[6];
    let a1 = x[4] ^ x[7];
    let a2 = x[0] ^ x[3];
    let a3 = x[1] ^ a0;
    let a4 = x[5] ^ a1;
    let a5 = x[3] ^ a3;
    let a6 = x[5] ^ a2;
    let a7 = x[0] ^ x[5];
    let a8 = a1 ^ a2;
    let a9 = a0 ^ a6;
    let a10 = x[1] ^ x[4];
    let a11 = x[2] ^ x[3];
    let a12 = x[7] ^ a9;
    let a13 = x[0] ^ a4;
    let a14 = a4 ^ a5;
    let a15 = x[6] ^ a7;
    let a16 = x[4] ^ a11;
    let a17 = x[5] ^ a11;
    let a18 = x[1] ^ a17;
    let a19 = x[6] ^ a10;
    let a20 = x[6] ^ a13;
    let a21 = a7 ^ a10;
    let a22 = x[1] ^ a4;
    let a23 = a1 ^ a5;
    let a24 = a3 ^ a8;
    let t2 = a19 & x[1];
    let t3 = a21 & a0;
    let t4 = t3 ^ t2;
    let t5 = a15 & a3;
    let t6 = t5 ^ t2;
    let t7 = a5 & a4;
    let t8 = a23 & a6;
    let t9 = t8 ^ t7;
    let t10 = a1 & a8;
    let t11 = t10 ^ t7;
    let t12 = a20 & a24;
    let t13 = a16 & a22;
    let t14 = t13 ^ t12;
    let t15 = a12 & a9;
    let t16 = t15 ^ t12;
    let t17 = t4 ^ t14;
    let t18 = t6 ^ t16;
    let t19 = t9 ^ t14;
    let t20 = t11 ^ t16;
    let t21 = t17 ^ a18;
    let t22 = t18 ^ x[7];
    let t23 = t19 ^ a14;
    let t24 = t20 ^ a2;
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
    let z0 = t44 & x[1];
    let z1 = t37 & a0;
    let z2 = t33 & a3;
    let z3 = t43 & a4;
    let z4 = t40 & a6;
    let z5 = t29 & a8;
    let z6 = t42 & a24;
    let z7 = t45 & a22;
    let z8 = t41 & a9;
    let z9 = t44 & a19;
    let z10 = t37 & a21;
    let z11 = t33 & a15;
    let z12 = t43 & a5;
    let z13 = t40 & a23;
    let z14 = t29 & a1;
    let z15 = t42 & a20;
    let z16 = t45 & a16;
    let z17 = t41 & a12;
    let b0 = z0 ^ z1;
    let b1 = z6 ^ z10;
    let b2 = z3 ^ z11;
    let b3 = z5 ^ z8;
    let b4 = z7 ^ b0;
    let b5 = z13 ^ z14;
    let b6 = b1 ^ b5;
    let b7 = z17 ^ b4;
    let b8 = z4 ^ b6;
    let b9 = z9 ^ b7;
    let b10 = b2 ^ b8;
    let b11 = z15 ^ b9;
    let b12 = z4 ^ b0;
    let b13 = z6 ^ b3;
    let b14 = z7 ^ b10;
    let b15 = z3 ^ z15;
    let b16 = z3 ^ b13;
    let b17 = z12 ^ z13;
    let b18 = z16 ^ b17;
    let b19 = z1 ^ z2;
    let b20 = b10 ^ b19;
    let b21 = b12 ^ b18;
    let b22 = z16 ^ b1;
    let b23 = z11 ^ b7;
    let b24 = b22 ^ b23;
    let b25 = b3 ^ b11;
    let b26 = b2 ^ b25;
    let b27 = z8 ^ b20;
    let b28 = b6 ^ b11;
    let b29 = b15 ^ b21;
    let b30 = b12 ^ b13;
    [b26, b14, b28, b16, b27, b29, b24, b30]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circuit_is_the_s_box_for_all_256_bytes() {
        for x in 0..=255u8 {
            let planes = core::array::from_fn(|j| (x ^ INPUT_CONSTANT) >> j & 1);
            let y = sbox(planes).iter().rev().fold(0, |y, bit| y << 1 | bit) ^ OUTPUT_CONSTANT;
            assert_eq!(y, crate::ciphers::sm4::basis::tests::SBOX[usize::from(x)], "{x:#04x}");
        }
    }
}
