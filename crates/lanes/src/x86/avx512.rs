//! Level `avx512`: 512-bit registers, 32 of them, masked loads and stores.

use super::arch::*;
use super::{Avx512Xmm, UNSHIFT_ROWS};
use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Registers, Rounds, Sealed};

mod numbers;

door! {
    /// Proof of level `avx512`: AVX-512 F, BW, VL, DQ, VBMI, VBMI2, IFMA and all of `avx2-gfni`.
    Avx512, clears of512: "sse" "sse2" "sse3" "ssse3" "sse4.1" "aes" "pclmulqdq"
        "sse4.2" "avx" "avx2" "bmi2" "gfni" "vaes" "vpclmulqdq" "fma" "f16c"
        "avx512f" "avx512bw" "avx512vl" "avx512dq" "avx512vbmi" "avx512vbmi2" "avx512ifma"
}

/// One 512-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(__m512i);

/// The mask of the first `n` bytes of a register.
#[inline(always)]
const fn first(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}

/// Where a masked access of no byte points to. Masked-out bytes of a page that isn't there
/// raise no fault, but cost hundreds of cycles, and an empty slice may point to one.
static NOTHING: [u8; 64] = [0; 64];

/// What [`Registers::pin`] does to the register.
#[inline]
#[target_feature(enable = "avx512f")]
fn pinned(#[cfg_attr(miri, expect(unused_mut))] mut register: __m512i) -> __m512i {
    // SAFETY: the template is a comment; nothing is touched.
    #[cfg(not(miri))]
    unsafe {
        core::arch::asm!("/* {} */", inout(zmm_reg) register,
            options(pure, nomem, nostack, preserves_flags));
    }
    register
}

impl Sealed for Avx512 {}

impl Registers for Avx512 {
    type V = V;
    const BYTES: usize = 64;
    const REGISTERS: usize = if cfg!(target_arch = "x86") { 8 } else { 32 };
    const LANES_NATIVE: bool = true;
    const XOR3_NATIVE: bool = true;
    const LOAD_AT_NATIVE: bool = true;
    type Narrow = Avx512Xmm;

    #[inline(always)]
    fn narrow(self) -> Avx512Xmm {
        Avx512Xmm::of(self)
    }
    #[inline(always)]
    fn load(self, bytes: &[u8]) -> V {
        let bytes: &[u8; 64] = bytes.first_chunk().expect("a whole register");
        V(intrinsic!(_mm512_loadu_si512(bytes.as_ptr().cast())))
    }
    #[inline(always)]
    fn store(self, v: V, bytes: &mut [u8]) {
        let bytes: &mut [u8; 64] = bytes.first_chunk_mut().expect("a whole register");
        intrinsic!(_mm512_storeu_si512(bytes.as_mut_ptr().cast(), v.0));
    }
    // Masked-out bytes are neither read nor written, and raise no fault. A whole
    // register goes the plain way: some cores take masked stores apart.
    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> V {
        if let Some(bytes) = bytes.first_chunk::<64>() {
            return self.load(bytes);
        }
        let from = if bytes.is_empty() { NOTHING.as_ptr() } else { bytes.as_ptr() };
        V(intrinsic!(_mm512_maskz_loadu_epi8(first(bytes.len()), from.cast())))
    }
    // The bytes that are outside are masked out, so nothing is read there. The difference wraps where
    // `from` is next to `isize::MIN`, and `before` is all of them there.
    #[inline(always)]
    fn load_at(self, bytes: &[u8], from: isize) -> V {
        let behind = bytes.len().cast_signed().wrapping_sub(from).clamp(0, 64).cast_unsigned();
        let before = from.saturating_neg().clamp(0, 64).cast_unsigned();
        let mask = first(behind) & !first(before);
        let from = if mask == 0 { NOTHING.as_ptr() } else { bytes.as_ptr().wrapping_offset(from) };
        V(intrinsic!(_mm512_maskz_loadu_epi8(mask, from.cast())))
    }
    #[inline(always)]
    fn store_part(self, v: V, bytes: &mut [u8]) {
        if let Some(bytes) = bytes.first_chunk_mut::<64>() {
            return self.store(v, bytes);
        }
        if bytes.is_empty() {
            return;
        }
        intrinsic!(_mm512_mask_storeu_epi8(bytes.as_mut_ptr().cast(), first(bytes.len()), v.0));
    }
    #[inline(always)]
    fn load128(self, bytes: &[u8; 16]) -> V {
        V(intrinsic!(_mm512_zextsi128_si512(_mm_loadu_si128(bytes.as_ptr().cast()))))
    }
    #[inline(always)]
    fn store128(self, v: V, bytes: &mut [u8; 16]) {
        let low = intrinsic!(_mm512_castsi512_si128(v.0));
        intrinsic!(_mm_storeu_si128(bytes.as_mut_ptr().cast(), low));
    }
    #[inline(always)]
    fn load_blocks(self, [a, b, c, d]: [&[u8; 16]; 4]) -> V {
        let v = intrinsic!(_mm512_castsi128_si512(_mm_loadu_si128(a.as_ptr().cast())));
        let v = intrinsic!(_mm512_inserti32x4::<1>(v, _mm_loadu_si128(b.as_ptr().cast())));
        let v = intrinsic!(_mm512_inserti32x4::<2>(v, _mm_loadu_si128(c.as_ptr().cast())));
        V(intrinsic!(_mm512_inserti32x4::<3>(v, _mm_loadu_si128(d.as_ptr().cast()))))
    }
    #[inline(always)]
    fn store_blocks(self, v: V, [a, b, c, d]: [Option<&mut [u8; 16]>; 4]) {
        if let Some(a) = a {
            self.store128(v, a);
        }
        if let Some(b) = b {
            let v = intrinsic!(_mm512_extracti32x4_epi32::<1>(v.0));
            intrinsic!(_mm_storeu_si128(b.as_mut_ptr().cast(), v));
        }
        if let Some(c) = c {
            let v = intrinsic!(_mm512_extracti32x4_epi32::<2>(v.0));
            intrinsic!(_mm_storeu_si128(c.as_mut_ptr().cast(), v));
        }
        if let Some(d) = d {
            let v = intrinsic!(_mm512_extracti32x4_epi32::<3>(v.0));
            intrinsic!(_mm_storeu_si128(d.as_mut_ptr().cast(), v));
        }
    }
    #[inline(always)]
    fn splat8(self, x: u8) -> V {
        V(intrinsic!(_mm512_set1_epi8(x.cast_signed())))
    }
    #[inline(always)]
    fn splat32(self, x: u32) -> V {
        V(intrinsic!(_mm512_set1_epi32(x.cast_signed())))
    }
    #[inline(always)]
    fn splat64(self, x: u64) -> V {
        V(intrinsic!(_mm512_set1_epi64(x.cast_signed())))
    }
    #[inline(always)]
    fn splat128(self, bytes: &[u8; 16]) -> V {
        V(intrinsic!(_mm512_broadcast_i32x4(_mm_loadu_si128(bytes.as_ptr().cast()))))
    }
    #[inline(always)]
    fn low64(self, a: V) -> u64 {
        let mut bytes = [0; 8];
        intrinsic!(_mm_storel_epi64(bytes.as_mut_ptr().cast(), _mm512_castsi512_si128(a.0)));
        u64::from_le_bytes(bytes)
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_xor_si512(a.0, b.0)))
    }
    #[inline(always)]
    fn xor3(self, a: V, b: V, c: V) -> V {
        V(intrinsic!(_mm512_ternarylogic_epi64::<0x96>(a.0, b.0, c.0)))
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_and_si512(a.0, b.0)))
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_or_si512(a.0, b.0)))
    }
    #[inline(always)]
    fn select(self, mask: V, a: V, b: V) -> V {
        V(intrinsic!(_mm512_ternarylogic_epi64::<0xca>(mask.0, a.0, b.0)))
    }
    #[inline(always)]
    fn splat16(self, x: u16) -> V {
        V(intrinsic!(_mm512_set1_epi16(x.cast_signed())))
    }
    #[inline(always)]
    fn align8<const N: i32>(self, high: V, low: V) -> V {
        V(intrinsic!(_mm512_alignr_epi8::<N>(high.0, low.0)))
    }
    #[inline(always)]
    fn shuffle8(self, a: V, index: V) -> V {
        V(intrinsic!(_mm512_shuffle_epi8(a.0, index.0)))
    }
    #[inline(always)]
    fn unpack_low8(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_unpacklo_epi8(a.0, b.0)))
    }
    #[inline(always)]
    fn unpack_high8(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_unpackhi_epi8(a.0, b.0)))
    }
    #[inline(always)]
    fn unpack_low32(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_unpacklo_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn unpack_high32(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_unpackhi_epi32(a.0, b.0)))
    }
    #[inline(always)]
    fn unpack_low64(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_unpacklo_epi64(a.0, b.0)))
    }
    #[inline(always)]
    fn unpack_high64(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_unpackhi_epi64(a.0, b.0)))
    }
    #[inline(always)]
    fn swap64(self, a: V) -> V {
        V(intrinsic!(_mm512_shuffle_epi32::<0x4e>(a.0)))
    }
    #[inline(always)]
    fn transpose_groups(self, [a, b, c, d]: [V; 4]) -> [V; 4] {
        let low_ab = intrinsic!(_mm512_shuffle_i32x4::<0x44>(a.0, b.0));
        let high_ab = intrinsic!(_mm512_shuffle_i32x4::<0xee>(a.0, b.0));
        let low_cd = intrinsic!(_mm512_shuffle_i32x4::<0x44>(c.0, d.0));
        let high_cd = intrinsic!(_mm512_shuffle_i32x4::<0xee>(c.0, d.0));
        [
            V(intrinsic!(_mm512_shuffle_i32x4::<0x88>(low_ab, low_cd))),
            V(intrinsic!(_mm512_shuffle_i32x4::<0xdd>(low_ab, low_cd))),
            V(intrinsic!(_mm512_shuffle_i32x4::<0x88>(high_ab, high_cd))),
            V(intrinsic!(_mm512_shuffle_i32x4::<0xdd>(high_ab, high_cd))),
        ]
    }
    #[inline(always)]
    fn xor_groups(self, a: V) -> V {
        let high = intrinsic!(_mm512_extracti64x4_epi64::<1>(a.0));
        let sum = intrinsic!(_mm256_xor_si256(_mm512_castsi512_si256(a.0), high));
        let high = intrinsic!(_mm256_extracti128_si256::<1>(sum));
        let sum = intrinsic!(_mm_xor_si128(_mm256_castsi256_si128(sum), high));
        V(intrinsic!(_mm512_zextsi128_si512(sum)))
    }
    #[inline(always)]
    fn pin(self, a: V) -> V {
        V(intrinsic!(pinned(a.0)))
    }
}

impl CarrylessProducts for Avx512 {
    const CLMUL_WIDE: bool = true;

    #[inline(always)]
    fn clmul_low(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_clmulepi64_epi128::<0x00>(a.0, b.0)))
    }
    #[inline(always)]
    fn clmul_high(self, a: V, b: V) -> V {
        V(intrinsic!(_mm512_clmulepi64_epi128::<0x11>(a.0, b.0)))
    }
}

impl ByteMaps for Avx512 {
    const BYTE_MAPS: bool = true;
    const BYTE_MAPS_NATIVE: bool = true;
    const LOOKUP8_NATIVE: bool = true;

    // The low seven bits choose in two registers, the top bit between the pairs.
    #[inline(always)]
    fn lookup8(self, table: &[u8; 256], a: V) -> V {
        let (t0, t1) = (self.load(&table[..64]).0, self.load(&table[64..128]).0);
        let (t2, t3) = (self.load(&table[128..192]).0, self.load(&table[192..]).0);
        let low = intrinsic!(_mm512_permutex2var_epi8(t0, a.0, t1));
        let high = intrinsic!(_mm512_permutex2var_epi8(t2, a.0, t3));
        V(intrinsic!(_mm512_mask_blend_epi8(_mm512_movepi8_mask(a.0), low, high)))
    }
    #[inline(always)]
    fn aes_sub_bytes(self, a: V) -> V {
        let a = self.shuffle8(a, self.splat128(&UNSHIFT_ROWS));
        V(intrinsic!(_mm512_aesenclast_epi128(a.0, _mm512_setzero_si512())))
    }
    #[inline(always)]
    fn affine8<const MATRIX: u64, const CONSTANT: i32>(self, a: V) -> V {
        let matrix = self.splat64(MATRIX).0;
        V(intrinsic!(_mm512_gf2p8affine_epi64_epi8::<CONSTANT>(a.0, matrix)))
    }
    #[inline(always)]
    fn affine8_pair<const EVEN: u64, const ODD: u64>(self, a: V) -> V {
        let matrices = (u128::from(ODD) << 64 | u128::from(EVEN)).to_le_bytes();
        let matrices = self.splat128(&matrices).0;
        V(intrinsic!(_mm512_gf2p8affine_epi64_epi8::<0>(a.0, matrices)))
    }
    #[inline(always)]
    fn affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(self, a: V) -> V {
        let matrix = self.splat64(MATRIX).0;
        V(intrinsic!(_mm512_gf2p8affineinv_epi64_epi8::<CONSTANT>(a.0, matrix)))
    }
}

impl Rounds for Avx512 {
    const AES_BYTES: usize = 64;

    #[inline(always)]
    fn aes_encrypt_round(self, a: V, key: V) -> V {
        V(intrinsic!(_mm512_aesenc_epi128(a.0, key.0)))
    }
    #[inline(always)]
    fn aes_encrypt_last(self, a: V, key: V) -> V {
        V(intrinsic!(_mm512_aesenclast_epi128(a.0, key.0)))
    }
    #[inline(always)]
    fn aes_decrypt_round(self, a: V, key: V) -> V {
        V(intrinsic!(_mm512_aesdec_epi128(a.0, key.0)))
    }
    #[inline(always)]
    fn aes_decrypt_last(self, a: V, key: V) -> V {
        V(intrinsic!(_mm512_aesdeclast_epi128(a.0, key.0)))
    }
}
