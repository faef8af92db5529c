//! Level `simd128`: the 128-bit registers of WebAssembly.
//!
//! There is no instruction for AES, so byte maps are many instructions and kernels
//! are bit-sliced.

use core::arch::wasm32::*;

use crate::door::door;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

door! {
    /// Proof of level `simd128`: the vector instructions of WebAssembly.
    Simd128, clears of128: "simd128"
}

/// One 128-bit register.
#[derive(Clone, Copy, Debug)]
pub struct V(v128);

/// The AES S-box.
static S_BOX: [u8; 256] = {
    let mut table = [0; 256];
    let mut x = 0;
    while x < 256 {
        table[x] = crate::portable::aes_sub_byte(x as u8);
        x += 1;
    }
    table
};

impl Sealed for Simd128 {}

impl Registers for Simd128 {
    type V = V;
    const BYTES: usize = 16;
    const REGISTERS: usize = 16;
    const LANES_NATIVE: bool = false;
    const XOR3_NATIVE: bool = false;
    type Narrow = Self;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }
    #[inline(always)]
    fn load(self, bytes: &[u8]) -> V {
        let bytes: &[u8; 16] = bytes.first_chunk().expect("a whole register");
        // SAFETY: sixteen bytes are there.
        V(unsafe { v128_load(bytes.as_ptr().cast()) })
    }
    #[inline(always)]
    fn store(self, v: V, bytes: &mut [u8]) {
        let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("a whole register");
        // SAFETY: sixteen bytes are there.
        unsafe { v128_store(bytes.as_mut_ptr().cast(), v.0) };
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
        V(u8x16_splat(x))
    }
    #[inline(always)]
    fn splat32(self, x: u32) -> V {
        V(u32x4_splat(x))
    }
    #[inline(always)]
    fn splat64(self, x: u64) -> V {
        V(u64x2_splat(x))
    }
    #[inline(always)]
    fn splat128(self, bytes: &[u8; 16]) -> V {
        self.load(bytes)
    }
    #[inline(always)]
    fn low64(self, a: V) -> u64 {
        u64x2_extract_lane::<0>(a.0)
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        V(v128_xor(a.0, b.0))
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        V(v128_and(a.0, b.0))
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        V(v128_or(a.0, b.0))
    }
    #[inline(always)]
    fn select(self, mask: V, a: V, b: V) -> V {
        V(v128_bitselect(a.0, b.0, mask.0))
    }
    #[inline(always)]
    fn shuffle8(self, a: V, index: V) -> V {
        // The instruction gives 0 for every index from 16 on.
        V(u8x16_swizzle(a.0, v128_and(index.0, u8x16_splat(0x8f))))
    }
    #[inline(always)]
    fn unpack_low8(self, a: V, b: V) -> V {
        V(i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a.0, b.0))
    }
    #[inline(always)]
    fn unpack_high8(self, a: V, b: V) -> V {
        V(i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a.0, b.0))
    }
    #[inline(always)]
    fn unpack_low32(self, a: V, b: V) -> V {
        V(i32x4_shuffle::<0, 4, 1, 5>(a.0, b.0))
    }
    #[inline(always)]
    fn unpack_high32(self, a: V, b: V) -> V {
        V(i32x4_shuffle::<2, 6, 3, 7>(a.0, b.0))
    }
    #[inline(always)]
    fn unpack_low64(self, a: V, b: V) -> V {
        V(i64x2_shuffle::<0, 2>(a.0, b.0))
    }
    #[inline(always)]
    fn unpack_high64(self, a: V, b: V) -> V {
        V(i64x2_shuffle::<1, 3>(a.0, b.0))
    }
    #[inline(always)]
    fn swap64(self, a: V) -> V {
        V(i64x2_shuffle::<1, 0>(a.0, a.0))
    }
}

impl Numbers for Simd128 {
    #[inline(always)]
    fn add8(self, a: V, b: V) -> V {
        V(u8x16_add(a.0, b.0))
    }
    #[inline(always)]
    fn less8(self, a: V, b: V) -> V {
        V(u8x16_lt(a.0, b.0))
    }
    #[inline(always)]
    fn shr8<const N: u32>(self, a: V) -> V {
        V(u8x16_shr(a.0, N))
    }
    #[inline(always)]
    fn add32(self, a: V, b: V) -> V {
        V(u32x4_add(a.0, b.0))
    }
    #[inline(always)]
    fn sub32(self, a: V, b: V) -> V {
        V(u32x4_sub(a.0, b.0))
    }
    #[inline(always)]
    fn max_i32(self, a: V, b: V) -> V {
        V(i32x4_max(a.0, b.0))
    }
    #[inline(always)]
    fn add64(self, a: V, b: V) -> V {
        V(u64x2_add(a.0, b.0))
    }
    #[inline(always)]
    fn mul_low_halves(self, a: V, b: V) -> V {
        let low = u64x2_splat(0xffff_ffff);
        V(u64x2_mul(v128_and(a.0, low), v128_and(b.0, low)))
    }
    #[inline(always)]
    fn rol32<const N: u32>(self, a: V) -> V {
        match N {
            8 => V(i8x16_shuffle::<3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14>(a.0, a.0)),
            16 => {
                V(i8x16_shuffle::<2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13>(a.0, a.0))
            }
            24 => {
                V(i8x16_shuffle::<1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12>(a.0, a.0))
            }
            _ => V(v128_or(u32x4_shl(a.0, N), u32x4_shr(a.0, 32 - N))),
        }
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: V) -> V {
        V(u32x4_shl(a.0, N))
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: V) -> V {
        V(u32x4_shr(a.0, N))
    }
    #[inline(always)]
    fn shl64<const N: u32>(self, a: V) -> V {
        V(u64x2_shl(a.0, N))
    }
    #[inline(always)]
    fn shr64<const N: u32>(self, a: V) -> V {
        V(u64x2_shr(a.0, N))
    }
    #[inline(always)]
    fn rol64<const N: u32>(self, a: V) -> V {
        match N {
            16 => V(i16x8_shuffle::<3, 0, 1, 2, 7, 4, 5, 6>(a.0, a.0)),
            32 => V(i32x4_shuffle::<1, 0, 3, 2>(a.0, a.0)),
            48 => V(i16x8_shuffle::<1, 2, 3, 0, 5, 6, 7, 4>(a.0, a.0)),
            _ => V(v128_or(u64x2_shl(a.0, N), u64x2_shr(a.0, 64 - N))),
        }
    }
}

impl Numbers16 for Simd128 {
    #[inline(always)]
    fn add16(self, a: V, b: V) -> V {
        V(i16x8_add(a.0, b.0))
    }
    #[inline(always)]
    fn shr16<const N: u32>(self, a: V) -> V {
        V(u16x8_shr(a.0, N))
    }
    #[inline(always)]
    fn sign16(self, a: V) -> V {
        V(i16x8_shr(a.0, 15))
    }
}

impl CarrylessProducts for Simd128 {
    const CLMUL_NATIVE: bool = false;
}

impl ByteMaps for Simd128 {
    const BYTE_MAPS: bool = false;
    const BYTE_MAPS_NATIVE: bool = false;

    // A row's entries come where the high nibble is its own; elsewhere the index is
    // past 15 and gives 0.
    #[inline(always)]
    fn lookup8(self, table: &[u8; 256], a: V) -> V {
        let (rows, _) = table.as_chunks::<16>();
        let mut found = self.zero().0;
        for high in 0..16 {
            let index = v128_xor(a.0, u8x16_splat(16 * high as u8));
            let row = self.load(&rows[high]).0;
            found = v128_or(found, u8x16_swizzle(row, index));
        }
        V(found)
    }
    #[inline(always)]
    fn aes_sub_bytes(self, a: V) -> V {
        self.lookup8(&S_BOX, a)
    }
}

impl Rounds for Simd128 {}
