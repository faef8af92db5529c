//! The operations on 128-bit registers, those of level `aesni` and the narrow ones of the wider
//! levels.

use super::arch::__m128i;

/// What [`Registers::pin`](crate::isa::Registers::pin) does to the register; the feature is named for targets
/// whose baseline lacks it.
#[inline]
#[target_feature(enable = "sse2")]
pub(super) fn pinned(#[cfg_attr(miri, expect(unused_mut))] mut register: __m128i) -> __m128i {
    // SAFETY: the template is a comment; nothing is touched.
    #[cfg(not(miri))]
    unsafe {
        core::arch::asm!("/* {} */", inout(xmm_reg) register,
            options(pure, nomem, nostack, preserves_flags));
    }
    register
}

/// Makes the token of a narrow register: a part of a level, so it has no door and no detection of
/// its own.
macro_rules! narrow_token {
    ($(#[$doc:meta])* $Token:ident of $Wide:ty) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $Token(());

        impl $Token {
            /// From the level's own token.
            #[inline(always)]
            pub(super) fn of(_: $Wide) -> Self {
                Self(())
            }
        }
    };
}
pub(super) use narrow_token;

/// What the operations on 128-bit registers have in common, trait by trait.
macro_rules! xmm_operations {
    (Registers) => {
        type V = V;
        const BYTES: usize = 16;
        const LANES_NATIVE: bool = true;
        const SHORT_CHAINS: bool = true;
        type Narrow = Self;

        #[inline(always)]
        fn narrow(self) -> Self {
            self
        }
        #[inline(always)]
        fn load(self, bytes: &[u8]) -> V {
            let bytes: &[u8; 16] = bytes.first_chunk().expect("a whole register");
            V(intrinsic!(_mm_loadu_si128(bytes.as_ptr().cast())))
        }
        #[inline(always)]
        fn store(self, v: V, bytes: &mut [u8]) {
            let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("a whole register");
            intrinsic!(_mm_storeu_si128(bytes.as_mut_ptr().cast(), v.0));
        }
        // Through general registers: no store is read back in another width, and no masked access
        // ends at a page that is not there, which would cost hundreds of cycles.
        #[inline(always)]
        fn load_part(self, bytes: &[u8]) -> V {
            if let Some(bytes) = bytes.first_chunk::<16>() {
                return self.load(bytes);
            }
            let (low, high) = crate::part::load(bytes);
            V(intrinsic!(_mm_set_epi64x(high.cast_signed(), low.cast_signed())))
        }
        #[inline(always)]
        fn store_part(self, v: V, bytes: &mut [u8]) {
            if let Some(bytes) = bytes.first_chunk_mut::<16>() {
                return self.store(v, bytes);
            }
            let high = V(intrinsic!(_mm_unpackhi_epi64(v.0, v.0)));
            crate::part::store((self.low64(v), self.low64(high)), bytes);
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
            V(intrinsic!(_mm_set1_epi8(x.cast_signed())))
        }
        #[inline(always)]
        fn splat32(self, x: u32) -> V {
            V(intrinsic!(_mm_set1_epi32(x.cast_signed())))
        }
        #[inline(always)]
        fn splat64(self, x: u64) -> V {
            V(intrinsic!(_mm_set1_epi64x(x.cast_signed())))
        }
        #[inline(always)]
        fn splat128(self, bytes: &[u8; 16]) -> V {
            self.load(bytes)
        }
        #[inline(always)]
        fn low64(self, a: V) -> u64 {
            let mut bytes = [0; 8];
            intrinsic!(_mm_storel_epi64(bytes.as_mut_ptr().cast(), a.0));
            u64::from_le_bytes(bytes)
        }
        #[inline(always)]
        fn xor(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_xor_si128(a.0, b.0)))
        }
        #[inline(always)]
        fn and(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_and_si128(a.0, b.0)))
        }
        #[inline(always)]
        fn or(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_or_si128(a.0, b.0)))
        }
        #[inline(always)]
        fn align8<const N: i32>(self, high: V, low: V) -> V {
            V(intrinsic!(_mm_alignr_epi8::<N>(high.0, low.0)))
        }
        #[inline(always)]
        fn shuffle8(self, a: V, index: V) -> V {
            V(intrinsic!(_mm_shuffle_epi8(a.0, index.0)))
        }
        #[inline(always)]
        fn unpack_low8(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_unpacklo_epi8(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high8(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_unpackhi_epi8(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_low32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_unpacklo_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_unpackhi_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_low64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_unpacklo_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_unpackhi_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn swap64(self, a: V) -> V {
            V(intrinsic!(_mm_shuffle_epi32::<0x4e>(a.0)))
        }
        #[inline(always)]
        fn pin(self, a: V) -> V {
            V(intrinsic!(pinned(a.0)))
        }
    };
    (Numbers) => {
        #[inline(always)]
        fn add8(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_add_epi8(a.0, b.0)))
        }
        #[inline(always)]
        fn sub64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_sub_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn add32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_add_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn sub32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_sub_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn max_i32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_max_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn add64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_add_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn mul_low_halves(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_mul_epu32(a.0, b.0)))
        }
        #[inline(always)]
        fn shl32<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm_sll_epi32(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn shr32<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm_srl_epi32(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn join16(self, high: V, low: V) -> V {
            V(intrinsic!(_mm_blend_epi16::<0xaa>(low.0, high.0)))
        }
        #[inline(always)]
        fn shl64<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm_sll_epi64(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn shr64<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm_srl_epi64(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn rol32_lowest<const N: u32>(self, a: V) -> V {
            if const { N == 16 } {
                V(intrinsic!(_mm_shufflelo_epi16::<0xb1>(a.0)))
            } else {
                self.rol32::<N>(a)
            }
        }
    };
    (Numbers16) => {
        const NUMBERS16_NATIVE: bool = true;

        #[inline(always)]
        fn add16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_add_epi16(a.0, b.0)))
        }
        #[inline(always)]
        fn sub16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_sub_epi16(a.0, b.0)))
        }
        #[inline(always)]
        fn mullo16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_mullo_epi16(a.0, b.0)))
        }
        #[inline(always)]
        fn mulhi16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_mulhi_epu16(a.0, b.0)))
        }
        #[inline(always)]
        fn min_u16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_min_epu16(a.0, b.0)))
        }
        #[inline(always)]
        fn shr16<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm_srl_epi16(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn sign16(self, a: V) -> V {
            V(intrinsic!(_mm_srai_epi16::<15>(a.0)))
        }
        #[inline(always)]
        fn sub_saturated16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_subs_epu16(a.0, b.0)))
        }
    };
    (CarrylessProducts) => {
        #[inline(always)]
        fn clmul_low(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_clmulepi64_si128::<0x00>(a.0, b.0)))
        }
        #[inline(always)]
        fn clmul_high(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_clmulepi64_si128::<0x11>(a.0, b.0)))
        }
    };
    (ByteMaps) => {
        const BYTE_MAPS: bool = true;

        #[inline(always)]
        fn aes_sub_bytes(self, a: V) -> V {
            let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
            V(intrinsic!(_mm_aesenclast_si128(a.0, _mm_setzero_si128())))
        }
    };
    (Rounds) => {
        const AES_BYTES: usize = 16;

        #[inline(always)]
        fn aes_encrypt_round(self, a: V, key: V) -> V {
            V(intrinsic!(_mm_aesenc_si128(a.0, key.0)))
        }
        #[inline(always)]
        fn aes_encrypt_last(self, a: V, key: V) -> V {
            V(intrinsic!(_mm_aesenclast_si128(a.0, key.0)))
        }
        #[inline(always)]
        fn aes_decrypt_round(self, a: V, key: V) -> V {
            V(intrinsic!(_mm_aesdec_si128(a.0, key.0)))
        }
        #[inline(always)]
        fn aes_decrypt_last(self, a: V, key: V) -> V {
            V(intrinsic!(_mm_aesdeclast_si128(a.0, key.0)))
        }
    };
}
pub(super) use xmm_operations;

/// The operations for which only EVEX has an instruction, without it.
macro_rules! xmm_without_evex {
    (Registers) => {
        const REGISTERS: usize = if cfg!(target_arch = "x86") { 8 } else { 16 };
        const XOR3_NATIVE: bool = false;
    };
    (Numbers) => {
        #[inline(always)]
        fn less8(self, a: V, b: V) -> V {
            let not_less = intrinsic!(_mm_cmpeq_epi8(_mm_max_epu8(a.0, b.0), a.0));
            V(intrinsic!(_mm_xor_si128(not_less, _mm_set1_epi8(-1))))
        }
        #[inline(always)]
        fn rol32<const N: u32>(self, a: V) -> V {
            if const { N.is_multiple_of(8) } {
                self.shuffle8(a, self.splat128(const { &rotate_bytes32(N) }))
            } else {
                let (left, right) = (N.cast_signed(), 32 - N.cast_signed());
                let left = intrinsic!(_mm_sll_epi32(a.0, _mm_cvtsi32_si128(left)));
                let right = intrinsic!(_mm_srl_epi32(a.0, _mm_cvtsi32_si128(right)));
                V(intrinsic!(_mm_or_si128(left, right)))
            }
        }
        #[inline(always)]
        fn rol64<const N: u32>(self, a: V) -> V {
            self.shuffle8(a, self.splat128(const { &rotate_bytes64(N) }))
        }
    };
    (Numbers16) => {
        #[inline(always)]
        fn less16(self, a: V, b: V) -> V {
            let not_less = intrinsic!(_mm_cmpeq_epi16(_mm_max_epu16(a.0, b.0), a.0));
            V(intrinsic!(_mm_xor_si128(not_less, _mm_set1_epi8(-1))))
        }
        #[inline(always)]
        fn equal16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm_cmpeq_epi16(a.0, b.0)))
        }
    };
}
pub(super) use xmm_without_evex;

/// Byte maps in one instruction.
macro_rules! xmm_byte_maps {
    (ByteMaps) => {
        const BYTE_MAPS_NATIVE: bool = true;

        #[inline(always)]
        fn affine8<const MATRIX: u64, const CONSTANT: i32>(self, a: V) -> V {
            let matrix = self.splat64(MATRIX).0;
            V(intrinsic!(_mm_gf2p8affine_epi64_epi8::<CONSTANT>(a.0, matrix)))
        }
        #[inline(always)]
        fn affine8_pair<const EVEN: u64, const ODD: u64>(self, a: V) -> V {
            let matrices = (u128::from(ODD) << 64 | u128::from(EVEN)).to_le_bytes();
            let matrices = self.splat128(&matrices).0;
            V(intrinsic!(_mm_gf2p8affine_epi64_epi8::<0>(a.0, matrices)))
        }
        #[inline(always)]
        fn affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(self, a: V) -> V {
            let matrix = self.splat64(MATRIX).0;
            V(intrinsic!(_mm_gf2p8affineinv_epi64_epi8::<CONSTANT>(a.0, matrix)))
        }
    };
}
pub(super) use xmm_byte_maps;
