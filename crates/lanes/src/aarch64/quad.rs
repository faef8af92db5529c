//! What the levels of AArch64 share: the 128-bit register and the operations on it
//! that need no more than Advanced SIMD and its AES instructions.

use core::arch::aarch64::*;

/// One 128-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(pub(super) uint8x16_t);

/// What [`Registers::pin`](crate::isa::Registers::pin) does to the register.
#[inline]
#[target_feature(enable = "neon")]
pub(super) fn pinned(mut register: uint8x16_t) -> uint8x16_t {
    // SAFETY: the template is a comment; nothing is touched.
    unsafe {
        core::arch::asm!("/* {:v} */", inout(vreg) register,
            options(pure, nomem, nostack, preserves_flags));
    }
    register
}

// Steps with instructions past the baseline of the architecture: called from a method,
// which has no features of its own, the intrinsics would not be sure to be inlined.

/// `AddRoundKey`, then `ShiftRows` and `SubBytes`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn aese(a: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    vaeseq_u8(a, key)
}

/// `AddRoundKey`, then `InvShiftRows` and `InvSubBytes`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn aesd(a: uint8x16_t, key: uint8x16_t) -> uint8x16_t {
    vaesdq_u8(a, key)
}

/// `MixColumns`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn aesmc(a: uint8x16_t) -> uint8x16_t {
    vaesmcq_u8(a)
}

/// `InvMixColumns`.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn aesimc(a: uint8x16_t) -> uint8x16_t {
    vaesimcq_u8(a)
}

/// The carry-less product of the low 64-bit lanes.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn pmull(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    let low = |x| vgetq_lane_p64::<0>(vreinterpretq_p64_u8(x));
    vreinterpretq_u8_p128(vmull_p64(low(a), low(b)))
}

/// The carry-less product of the high 64-bit lanes.
#[inline]
#[target_feature(enable = "neon,aes")]
pub(super) fn pmull2(a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
    vreinterpretq_u8_p128(vmull_high_p64(vreinterpretq_p64_u8(a), vreinterpretq_p64_u8(b)))
}

/// An instruction of 32-bit lanes on registers, which are bytes.
macro_rules! lanes32 {
    ($instruction:ident, $a:expr $(, $b:expr)*) => {
        V(intrinsic!(vreinterpretq_u8_u32($instruction(
            vreinterpretq_u32_u8($a.0) $(, vreinterpretq_u32_u8($b.0))*
        ))))
    };
}

/// An instruction of 64-bit lanes on registers, which are bytes.
macro_rules! lanes64 {
    ($instruction:ident, $a:expr $(, $b:expr)*) => {
        V(intrinsic!(vreinterpretq_u8_u64($instruction(
            vreinterpretq_u64_u8($a.0) $(, vreinterpretq_u64_u8($b.0))*
        ))))
    };
}

/// The operations on 128-bit registers with the AES instructions, trait by trait.
///
/// Shifts are written with their distance in a register: the intrinsics that take
/// it as a constant want another type than [`Isa`](crate::Isa) has, and the compiler
/// makes the same instruction of both. AESE and AESD add their key first, those of
/// `Isa` last; here too the compiler merges the sum with the next round's.
macro_rules! quad_operations {
    (Registers) => {
        type V = V;
        const BYTES: usize = 16;
        const LANES_NATIVE: bool = true;
        const REGISTERS: usize = 32;
        const XOR3_NATIVE: bool = false;
        type Narrow = Self;

        #[inline(always)]
        fn narrow(self) -> Self {
            self
        }
        #[inline(always)]
        fn load(self, bytes: &[u8]) -> V {
            let bytes: &[u8; 16] = bytes.first_chunk().expect("a whole register");
            V(intrinsic!(vld1q_u8(bytes.as_ptr())))
        }
        #[inline(always)]
        fn store(self, v: V, bytes: &mut [u8]) {
            let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("a whole register");
            intrinsic!(vst1q_u8(bytes.as_mut_ptr(), v.0));
        }
        #[inline(always)]
        fn load_part(self, bytes: &[u8]) -> V {
            if let Some(bytes) = bytes.first_chunk::<16>() {
                return self.load(bytes);
            }
            let mut whole = [0; 16];
            whole[..bytes.len()].copy_from_slice(bytes);
            self.load(&whole)
        }
        #[inline(always)]
        fn store_part(self, v: V, bytes: &mut [u8]) {
            if let Some(bytes) = bytes.first_chunk_mut::<16>() {
                return self.store(v, bytes);
            }
            let mut whole = [0; 16];
            self.store(v, &mut whole);
            bytes.copy_from_slice(&whole[..bytes.len()]);
        }
        #[inline(always)]
        fn load_blocks(self, [first, ..]: [&[u8; 16]; 4]) -> V {
            self.load(first)
        }
        #[inline(always)]
        fn store_blocks(self, v: V, [first, ..]: [Option<&mut [u8; 16]>; 4]) {
            if let Some(block) = first {
                self.store(v, block);
            }
        }
        #[inline(always)]
        fn splat8(self, x: u8) -> V {
            V(intrinsic!(vdupq_n_u8(x)))
        }
        #[inline(always)]
        fn splat32(self, x: u32) -> V {
            V(intrinsic!(vreinterpretq_u8_u32(vdupq_n_u32(x))))
        }
        #[inline(always)]
        fn splat64(self, x: u64) -> V {
            V(intrinsic!(vreinterpretq_u8_u64(vdupq_n_u64(x))))
        }
        #[inline(always)]
        fn splat128(self, bytes: &[u8; 16]) -> V {
            self.load(bytes)
        }
        #[inline(always)]
        fn low64(self, a: V) -> u64 {
            intrinsic!(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(a.0)))
        }
        #[inline(always)]
        fn xor(self, a: V, b: V) -> V {
            V(intrinsic!(veorq_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn and(self, a: V, b: V) -> V {
            V(intrinsic!(vandq_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn or(self, a: V, b: V) -> V {
            V(intrinsic!(vorrq_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn select(self, mask: V, a: V, b: V) -> V {
            V(intrinsic!(vbslq_u8(mask.0, a.0, b.0)))
        }
        #[inline(always)]
        fn shuffle8(self, a: V, index: V) -> V {
            // TBL gives 0 for every index from 16 on.
            let index = intrinsic!(vandq_u8(index.0, vdupq_n_u8(0x8f)));
            V(intrinsic!(vqtbl1q_u8(a.0, index)))
        }
        #[inline(always)]
        fn unpack_low8(self, a: V, b: V) -> V {
            V(intrinsic!(vzip1q_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high8(self, a: V, b: V) -> V {
            V(intrinsic!(vzip2q_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_low32(self, a: V, b: V) -> V {
            lanes32!(vzip1q_u32, a, b)
        }
        #[inline(always)]
        fn unpack_high32(self, a: V, b: V) -> V {
            lanes32!(vzip2q_u32, a, b)
        }
        #[inline(always)]
        fn unpack_low64(self, a: V, b: V) -> V {
            lanes64!(vzip1q_u64, a, b)
        }
        #[inline(always)]
        fn unpack_high64(self, a: V, b: V) -> V {
            lanes64!(vzip2q_u64, a, b)
        }
        #[inline(always)]
        fn align8<const N: i32>(self, high: V, low: V) -> V {
            V(intrinsic!(vextq_u8::<N>(low.0, high.0)))
        }
        #[inline(always)]
        fn swap64(self, a: V) -> V {
            V(intrinsic!(vextq_u8::<8>(a.0, a.0)))
        }
        #[inline(always)]
        fn pin(self, a: V) -> V {
            V(intrinsic!(pinned(a.0)))
        }
    };
    (Numbers) => {
        #[inline(always)]
        fn add8(self, a: V, b: V) -> V {
            V(intrinsic!(vaddq_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn less8(self, a: V, b: V) -> V {
            V(intrinsic!(vcltq_u8(a.0, b.0)))
        }
        #[inline(always)]
        fn shr8<const N: u32>(self, a: V) -> V {
            V(intrinsic!(vshlq_u8(a.0, vdupq_n_s8(-(N as i8)))))
        }
        #[inline(always)]
        fn add32(self, a: V, b: V) -> V {
            lanes32!(vaddq_u32, a, b)
        }
        #[inline(always)]
        fn sub32(self, a: V, b: V) -> V {
            lanes32!(vsubq_u32, a, b)
        }
        #[inline(always)]
        fn max_i32(self, a: V, b: V) -> V {
            let a = intrinsic!(vreinterpretq_s32_u8(a.0));
            let b = intrinsic!(vreinterpretq_s32_u8(b.0));
            V(intrinsic!(vreinterpretq_u8_s32(vmaxq_s32(a, b))))
        }
        #[inline(always)]
        fn add64(self, a: V, b: V) -> V {
            lanes64!(vaddq_u64, a, b)
        }
        #[inline(always)]
        fn mul_low_halves(self, a: V, b: V) -> V {
            let a = intrinsic!(vmovn_u64(vreinterpretq_u64_u8(a.0)));
            let b = intrinsic!(vmovn_u64(vreinterpretq_u64_u8(b.0)));
            V(intrinsic!(vreinterpretq_u8_u64(vmull_u32(a, b))))
        }
        #[inline(always)]
        fn rol32<const N: u32>(self, a: V) -> V {
            if const { N == 16 } {
                V(intrinsic!(vreinterpretq_u8_u16(vrev32q_u16(vreinterpretq_u16_u8(a.0)))))
            } else if const { N.is_multiple_of(8) } {
                self.shuffle8(a, self.splat128(const { &rotate_bytes32(N) }))
            } else {
                let a = intrinsic!(vreinterpretq_u32_u8(a.0));
                let left = intrinsic!(vshlq_u32(a, vdupq_n_s32(N.cast_signed())));
                let right = intrinsic!(vshlq_u32(a, vdupq_n_s32(N.cast_signed() - 32)));
                V(intrinsic!(vreinterpretq_u8_u32(vorrq_u32(left, right))))
            }
        }
        #[inline(always)]
        fn shl32<const N: u32>(self, a: V) -> V {
            let by = intrinsic!(vdupq_n_s32(N.cast_signed()));
            V(intrinsic!(vreinterpretq_u8_u32(vshlq_u32(vreinterpretq_u32_u8(a.0), by))))
        }
        #[inline(always)]
        fn shr32<const N: u32>(self, a: V) -> V {
            let by = intrinsic!(vdupq_n_s32(-N.cast_signed()));
            V(intrinsic!(vreinterpretq_u8_u32(vshlq_u32(vreinterpretq_u32_u8(a.0), by))))
        }
        #[inline(always)]
        fn shl64<const N: u32>(self, a: V) -> V {
            let by = intrinsic!(vdupq_n_s64(i64::from(N)));
            V(intrinsic!(vreinterpretq_u8_u64(vshlq_u64(vreinterpretq_u64_u8(a.0), by))))
        }
        #[inline(always)]
        fn shr64<const N: u32>(self, a: V) -> V {
            let by = intrinsic!(vdupq_n_s64(-i64::from(N)));
            V(intrinsic!(vreinterpretq_u8_u64(vshlq_u64(vreinterpretq_u64_u8(a.0), by))))
        }
        #[inline(always)]
        fn rol64<const N: u32>(self, a: V) -> V {
            if const { N == 32 } {
                lanes32!(vrev64q_u32, a)
            } else {
                self.shuffle8(a, self.splat128(const { &rotate_bytes64(N) }))
            }
        }
    };
    (Numbers16) => {
        #[inline(always)]
        fn add16(self, a: V, b: V) -> V {
            let sum = intrinsic!(vaddq_u16(vreinterpretq_u16_u8(a.0), vreinterpretq_u16_u8(b.0)));
            V(intrinsic!(vreinterpretq_u8_u16(sum)))
        }
        #[inline(always)]
        fn shr16<const N: u32>(self, a: V) -> V {
            let by = intrinsic!(vdupq_n_s16(-(N as i16)));
            V(intrinsic!(vreinterpretq_u8_u16(vshlq_u16(vreinterpretq_u16_u8(a.0), by))))
        }
        #[inline(always)]
        fn sign16(self, a: V) -> V {
            V(intrinsic!(vreinterpretq_u8_s16(vshrq_n_s16::<15>(vreinterpretq_s16_u8(a.0)))))
        }
    };
    (CarrylessProducts) => {
        #[inline(always)]
        fn clmul_low(self, a: V, b: V) -> V {
            V(intrinsic!(pmull(a.0, b.0)))
        }
        #[inline(always)]
        fn clmul_high(self, a: V, b: V) -> V {
            V(intrinsic!(pmull2(a.0, b.0)))
        }
    };
    (ByteMaps) => {
        const BYTE_MAPS: bool = true;
        const BYTE_MAPS_NATIVE: bool = false;

        #[inline(always)]
        fn lookup8(self, table: &[u8; 256], a: V) -> V {
            // TBL gives 0 for every index from 64 on.
            let (quarters, _) = table.as_chunks::<64>();
            let mut found = intrinsic!(vdupq_n_u8(0));
            for quarter in 0..4 {
                let entries = intrinsic!(vld1q_u8_x4(quarters[quarter].as_ptr()));
                let index = intrinsic!(vsubq_u8(a.0, vdupq_n_u8(64 * quarter as u8)));
                found = intrinsic!(vorrq_u8(found, vqtbl4q_u8(entries, index)));
            }
            V(found)
        }
        #[inline(always)]
        fn aes_sub_bytes(self, a: V) -> V {
            let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
            V(intrinsic!(aese(a.0, self.zero().0)))
        }
    };
    (Rounds) => {
        const AES_BYTES: usize = 16;

        #[inline(always)]
        fn aes_encrypt_round(self, a: V, key: V) -> V {
            let a = V(intrinsic!(aesmc(aese(a.0, self.zero().0))));
            self.xor(a, key)
        }
        #[inline(always)]
        fn aes_encrypt_last(self, a: V, key: V) -> V {
            let a = V(intrinsic!(aese(a.0, self.zero().0)));
            self.xor(a, key)
        }
        #[inline(always)]
        fn aes_decrypt_round(self, a: V, key: V) -> V {
            let a = V(intrinsic!(aesimc(aesd(a.0, self.zero().0))));
            self.xor(a, key)
        }
        #[inline(always)]
        fn aes_decrypt_last(self, a: V, key: V) -> V {
            let a = V(intrinsic!(aesd(a.0, self.zero().0)));
            self.xor(a, key)
        }
        #[inline(always)]
        fn aes_inverse_mix_columns(self, a: V) -> V {
            V(intrinsic!(aesimc(a.0)))
        }
    };
}
