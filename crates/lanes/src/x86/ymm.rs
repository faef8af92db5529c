//! The operations on 256-bit registers that the levels `avx2` and `avx2-gfni` share.

use super::arch::__m256i;

/// What [`Registers::pin`](crate::isa::Registers::pin) does to the register.
#[inline]
#[target_feature(enable = "avx")]
pub(super) fn pinned(#[cfg_attr(miri, expect(unused_mut))] mut register: __m256i) -> __m256i {
    // SAFETY: the template is a comment; nothing is touched.
    #[cfg(not(miri))]
    unsafe {
        core::arch::asm!("/* {} */", inout(ymm_reg) register,
            options(pure, nomem, nostack, preserves_flags));
    }
    register
}

/// The operations on 256-bit registers, trait by trait, but for the maps of bytes and what stands on
/// them.
macro_rules! ymm_operations {
    (Registers) => {
        type V = V;
        const BYTES: usize = 32;
        const LANES_NATIVE: bool = true;
        const REGISTERS: usize = if cfg!(target_arch = "x86") { 8 } else { 16 };

        #[inline(always)]
        fn load(self, bytes: &[u8]) -> V {
            let bytes: &[u8; 32] = bytes.first_chunk().expect("a whole register");
            V(intrinsic!(_mm256_loadu_si256(bytes.as_ptr().cast())))
        }
        #[inline(always)]
        fn store(self, v: V, bytes: &mut [u8]) {
            let bytes: &mut [u8; 32] = bytes.first_chunk_mut().expect("a whole register");
            intrinsic!(_mm256_storeu_si256(bytes.as_mut_ptr().cast(), v.0));
        }
        #[inline(always)]
        fn load_part(self, bytes: &[u8]) -> V {
            if let Some(bytes) = bytes.first_chunk::<32>() {
                return self.load(bytes);
            }
            // Through general registers, as half a register does: what is stored in pieces is read
            // back as a whole late.
            let Some((block, rest)) = bytes.split_first_chunk::<16>() else {
                let (low, high) = crate::part::load(bytes);
                let (low, high) = (low.cast_signed(), high.cast_signed());
                return V(intrinsic!(_mm256_zextsi128_si256(_mm_set_epi64x(high, low))));
            };
            let block = self.load128(block);
            if rest.is_empty() {
                return block;
            }
            let (low, high) = crate::part::load(rest);
            let (low, high) = (low.cast_signed(), high.cast_signed());
            V(intrinsic!(_mm256_inserti128_si256::<1>(block.0, _mm_set_epi64x(high, low))))
        }
        #[inline(always)]
        fn store_part(self, v: V, bytes: &mut [u8]) {
            if let Some(bytes) = bytes.first_chunk_mut::<32>() {
                return self.store(v, bytes);
            }
            let (half, rest) = match bytes.split_first_chunk_mut::<16>() {
                None => (v, bytes),
                Some((block, rest)) => {
                    self.store128(v, block);
                    if rest.is_empty() {
                        return;
                    }
                    (V(intrinsic!(_mm256_permute2x128_si256::<0x11>(v.0, v.0))), rest)
                }
            };
            let high = V(intrinsic!(_mm256_unpackhi_epi64(half.0, half.0)));
            crate::part::store((self.low64(half), self.low64(high)), rest);
        }
        #[inline(always)]
        fn load128(self, bytes: &[u8; 16]) -> V {
            V(intrinsic!(_mm256_zextsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()))))
        }
        #[inline(always)]
        fn store128(self, v: V, bytes: &mut [u8; 16]) {
            let low = intrinsic!(_mm256_castsi256_si128(v.0));
            intrinsic!(_mm_storeu_si128(bytes.as_mut_ptr().cast(), low));
        }
        #[inline(always)]
        fn load_blocks(self, [low, high, ..]: [&[u8; 16]; 4]) -> V {
            let low = intrinsic!(_mm_loadu_si128(low.as_ptr().cast()));
            let high = intrinsic!(_mm_loadu_si128(high.as_ptr().cast()));
            V(intrinsic!(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)))
        }
        #[inline(always)]
        fn store_blocks(self, v: V, [low, high, ..]: [Option<&mut [u8; 16]>; 4]) {
            if let Some(low) = low {
                self.store128(v, low);
            }
            if let Some(high) = high {
                let v = intrinsic!(_mm256_extracti128_si256::<1>(v.0));
                intrinsic!(_mm_storeu_si128(high.as_mut_ptr().cast(), v));
            }
        }
        #[inline(always)]
        fn splat8(self, x: u8) -> V {
            V(intrinsic!(_mm256_set1_epi8(x.cast_signed())))
        }
        #[inline(always)]
        fn splat32(self, x: u32) -> V {
            V(intrinsic!(_mm256_set1_epi32(x.cast_signed())))
        }
        #[inline(always)]
        fn splat64(self, x: u64) -> V {
            V(intrinsic!(_mm256_set1_epi64x(x.cast_signed())))
        }
        #[inline(always)]
        fn splat128(self, bytes: &[u8; 16]) -> V {
            V(intrinsic!(_mm256_broadcastsi128_si256(_mm_loadu_si128(bytes.as_ptr().cast()))))
        }
        #[inline(always)]
        fn low64(self, a: V) -> u64 {
            let mut bytes = [0; 8];
            intrinsic!(_mm_storel_epi64(bytes.as_mut_ptr().cast(), _mm256_castsi256_si128(a.0)));
            u64::from_le_bytes(bytes)
        }
        #[inline(always)]
        fn xor(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_xor_si256(a.0, b.0)))
        }
        #[inline(always)]
        fn and(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_and_si256(a.0, b.0)))
        }
        #[inline(always)]
        fn or(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_or_si256(a.0, b.0)))
        }
        #[inline(always)]
        fn align8<const N: i32>(self, high: V, low: V) -> V {
            V(intrinsic!(_mm256_alignr_epi8::<N>(high.0, low.0)))
        }
        #[inline(always)]
        fn shuffle8(self, a: V, index: V) -> V {
            V(intrinsic!(_mm256_shuffle_epi8(a.0, index.0)))
        }
        #[inline(always)]
        fn unpack_low8(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_unpacklo_epi8(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high8(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_unpackhi_epi8(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_low32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_unpacklo_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_unpackhi_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_low64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_unpacklo_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn unpack_high64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_unpackhi_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn swap64(self, a: V) -> V {
            V(intrinsic!(_mm256_shuffle_epi32::<0x4e>(a.0)))
        }
        #[inline(always)]
        fn transpose_groups(self, [a, b, c, d]: [V; 4]) -> [V; 4] {
            let low = |a: V, b: V| V(intrinsic!(_mm256_permute2x128_si256::<0x20>(a.0, b.0)));
            let high = |a: V, b: V| V(intrinsic!(_mm256_permute2x128_si256::<0x31>(a.0, b.0)));
            [low(a, b), high(a, b), low(c, d), high(c, d)]
        }
        #[inline(always)]
        fn xor_groups(self, a: V) -> V {
            let high = intrinsic!(_mm256_extracti128_si256::<1>(a.0));
            let sum = intrinsic!(_mm_xor_si128(_mm256_castsi256_si128(a.0), high));
            V(intrinsic!(_mm256_zextsi128_si256(sum)))
        }
        #[inline(always)]
        fn pin(self, a: V) -> V {
            V(intrinsic!(pinned(a.0)))
        }
    };
    (Numbers) => {
        const ROTATE_BY_NATIVE: bool = true;

        #[inline(always)]
        fn add8(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_add_epi8(a.0, b.0)))
        }
        #[inline(always)]
        fn less8(self, a: V, b: V) -> V {
            let not_less = intrinsic!(_mm256_cmpeq_epi8(_mm256_max_epu8(a.0, b.0), a.0));
            V(intrinsic!(_mm256_xor_si256(not_less, _mm256_set1_epi8(-1))))
        }
        #[inline(always)]
        fn add32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_add_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn rol32_by(self, a: V, by: V) -> V {
            let by = self.and(by, self.splat32(31));
            // A shift by 32 gives 0.
            let back = self.sub32(self.splat32(32), by);
            let left = intrinsic!(_mm256_sllv_epi32(a.0, by.0));
            let right = intrinsic!(_mm256_srlv_epi32(a.0, back.0));
            V(intrinsic!(_mm256_or_si256(left, right)))
        }
        #[inline(always)]
        fn rol64_by(self, a: V, by: V) -> V {
            let by = self.and(by, self.splat64(63));
            let back = self.sub64(self.splat64(64), by);
            let left = intrinsic!(_mm256_sllv_epi64(a.0, by.0));
            let right = intrinsic!(_mm256_srlv_epi64(a.0, back.0));
            V(intrinsic!(_mm256_or_si256(left, right)))
        }
        #[inline(always)]
        fn sub64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_sub_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn sub32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_sub_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn max_i32(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_max_epi32(a.0, b.0)))
        }
        #[inline(always)]
        fn add64(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_add_epi64(a.0, b.0)))
        }
        #[inline(always)]
        fn mul_low_halves(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_mul_epu32(a.0, b.0)))
        }
        #[inline(always)]
        fn rol32<const N: u32>(self, a: V) -> V {
            if const { N.is_multiple_of(8) } {
                self.shuffle8(a, self.splat128(const { &rotate_bytes32(N) }))
            } else {
                let (left, right) = (N.cast_signed(), 32 - N.cast_signed());
                let left = intrinsic!(_mm256_sll_epi32(a.0, _mm_cvtsi32_si128(left)));
                let right = intrinsic!(_mm256_srl_epi32(a.0, _mm_cvtsi32_si128(right)));
                V(intrinsic!(_mm256_or_si256(left, right)))
            }
        }
        #[inline(always)]
        fn shl32<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm256_sll_epi32(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn shr32<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm256_srl_epi32(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn join16(self, high: V, low: V) -> V {
            V(intrinsic!(_mm256_blend_epi16::<0xaa>(low.0, high.0)))
        }
        #[inline(always)]
        fn shl64<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm256_sll_epi64(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn shr64<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm256_srl_epi64(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn rol64<const N: u32>(self, a: V) -> V {
            self.shuffle8(a, self.splat128(const { &rotate_bytes64(N) }))
        }
    };
    (Numbers16) => {
        const NUMBERS16_NATIVE: bool = true;

        #[inline(always)]
        fn add16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_add_epi16(a.0, b.0)))
        }
        #[inline(always)]
        fn sub16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_sub_epi16(a.0, b.0)))
        }
        #[inline(always)]
        fn mullo16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_mullo_epi16(a.0, b.0)))
        }
        #[inline(always)]
        fn mulhi16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_mulhi_epu16(a.0, b.0)))
        }
        #[inline(always)]
        fn min_u16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_min_epu16(a.0, b.0)))
        }
        #[inline(always)]
        fn shr16<const N: u32>(self, a: V) -> V {
            V(intrinsic!(_mm256_srl_epi16(a.0, _mm_cvtsi32_si128(N.cast_signed()))))
        }
        #[inline(always)]
        fn sign16(self, a: V) -> V {
            V(intrinsic!(_mm256_srai_epi16::<15>(a.0)))
        }
        #[inline(always)]
        fn sub_saturated16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_subs_epu16(a.0, b.0)))
        }
        #[inline(always)]
        fn less16(self, a: V, b: V) -> V {
            let not_less = intrinsic!(_mm256_cmpeq_epi16(_mm256_max_epu16(a.0, b.0), a.0));
            V(intrinsic!(_mm256_xor_si256(not_less, _mm256_set1_epi8(-1))))
        }
        #[inline(always)]
        fn equal16(self, a: V, b: V) -> V {
            V(intrinsic!(_mm256_cmpeq_epi16(a.0, b.0)))
        }
    };
}
pub(super) use ymm_operations;
