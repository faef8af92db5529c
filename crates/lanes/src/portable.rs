//! The level that needs nothing: 128-bit registers made of two 64-bit words.
//!
//! It is also the reference that every other level is compared with, so the
//! operations are written for plainness; kernels here use the bitwise ones.

use crate::clmul::clmul;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

/// The token of level `portable`; every CPU has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Portable;

/// One register: two 64-bit words, the first one lower in memory.
#[derive(Clone, Copy, Debug)]
pub struct V([u64; 2]);

#[inline(always)]
fn from_bytes(bytes: [u8; 16]) -> V {
    let (words, _) = bytes.as_chunks::<8>();
    V([u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])])
}

#[inline(always)]
fn to_bytes(v: V) -> [u8; 16] {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&v.0[0].to_le_bytes());
    bytes[8..].copy_from_slice(&v.0[1].to_le_bytes());
    bytes
}

#[inline(always)]
fn each(a: V, b: V, f: impl Fn(u64, u64) -> u64) -> V {
    V([f(a.0[0], b.0[0]), f(a.0[1], b.0[1])])
}

#[inline(always)]
fn each8(a: V, b: V, f: impl Fn(u8, u8) -> u8) -> V {
    let (a, b) = (to_bytes(a), to_bytes(b));
    from_bytes(core::array::from_fn(|i| f(a[i], b[i])))
}

#[inline(always)]
fn each32(a: V, b: V, f: impl Fn(u32, u32) -> u32) -> V {
    each(a, b, |a, b| {
        let low = f(a as u32, b as u32);
        let high = f((a >> 32) as u32, (b >> 32) as u32);
        u64::from(high) << 32 | u64::from(low)
    })
}

/// Lanes of `size` bytes from half `half` of the register, `a` and `b` in turn.
#[inline(always)]
fn unpack(a: V, b: V, size: usize, half: usize) -> V {
    let (a, b) = (to_bytes(a), to_bytes(b));
    let mut out = [0; 16];
    for i in 0..16 {
        let (lane, byte) = (i / size, i % size);
        let from = 8 * half + lane / 2 * size + byte;
        out[i] = if lane % 2 == 0 { a[from] } else { b[from] };
    }
    from_bytes(out)
}

/// The AES S-box by arithmetic: x^254 in the field, then the affine map. No table.
pub(crate) const fn aes_sub_byte(x: u8) -> u8 {
    let mut power = x;
    let mut i = 0;
    while i < 6 {
        power = multiply(multiply(power, power), x);
        i += 1;
    }
    let inverse = multiply(power, power);
    let pairs = inverse ^ inverse.rotate_left(1);
    pairs ^ pairs.rotate_left(2) ^ inverse.rotate_left(4) ^ 0x63
}

/// `a · b` in the AES field (FIPS 197 §4.2).
const fn multiply(a: u8, b: u8) -> u8 {
    let mut product = 0u8;
    let mut i = 8;
    while i > 0 {
        i -= 1;
        product = product << 1 ^ (0x1b & (product >> 7).wrapping_neg());
        product ^= a & (b >> i & 1).wrapping_neg();
    }
    product
}

impl Portable {
    /// The token; every CPU has what it is proof of.
    #[must_use]
    pub const fn detect() -> Option<Self> {
        Some(Self)
    }

    /// The door: runs `f` out of line, as those of the other levels do, so that
    /// the large frames of this level's kernels burden no other.
    #[inline(always)]
    pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        #[inline(never)]
        fn door<R>(f: impl FnOnce() -> R) -> R {
            let result = f();
            #[cfg(feature = "clear-registers")]
            crate::clear::of_portable();
            result
        }
        door(f)
    }
}

impl Sealed for Portable {}

impl Registers for Portable {
    type V = V;
    const BYTES: usize = 16;
    const REGISTERS: usize = 8;
    const LANES_NATIVE: bool = false;
    const XOR3_NATIVE: bool = false;
    const SHUFFLE8_NATIVE: bool = false;
    type Narrow = Self;

    #[inline(always)]
    fn narrow(self) -> Self {
        self
    }
    #[inline(always)]
    fn load(self, bytes: &[u8]) -> V {
        from_bytes(*bytes.first_chunk().expect("a whole register"))
    }
    #[inline(always)]
    fn store(self, v: V, bytes: &mut [u8]) {
        *bytes.first_chunk_mut().expect("a whole register") = to_bytes(v);
    }
    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> V {
        let mut whole = [0; 16];
        let n = bytes.len().min(16);
        whole[..n].copy_from_slice(&bytes[..n]);
        from_bytes(whole)
    }
    #[inline(always)]
    fn store_part(self, v: V, bytes: &mut [u8]) {
        let n = bytes.len().min(16);
        bytes[..n].copy_from_slice(&to_bytes(v)[..n]);
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
    fn splat64(self, x: u64) -> V {
        V([x; 2])
    }
    #[inline(always)]
    fn splat128(self, bytes: &[u8; 16]) -> V {
        from_bytes(*bytes)
    }
    #[inline(always)]
    fn low64(self, a: V) -> u64 {
        a.0[0]
    }
    #[inline(always)]
    fn xor(self, a: V, b: V) -> V {
        each(a, b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and(self, a: V, b: V) -> V {
        each(a, b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, a: V, b: V) -> V {
        each(a, b, |a, b| a | b)
    }
    #[inline(always)]
    fn shuffle8(self, a: V, index: V) -> V {
        // Indices may be secret: every byte is spread over the register and kept where it
        // is wanted; none is an address.
        const ONES: u64 = u64::from_le_bytes([1; 8]);
        const LOW: u64 = 0x7f * ONES;
        let bytes = to_bytes(a);
        let mut out = [0; 2];
        for k in 0..16 {
            let byte = u64::from(bytes[k]) * ONES;
            for w in 0..2 {
                // A zero byte where the index is k: its low four bits, and the highest is 0.
                let differs = (index.0[w] ^ (k as u64 * ONES)) & (0x8f * ONES);
                let other = ((differs & LOW) + LOW) | differs;
                out[w] |= byte & (((!other >> 7) & ONES) * 0xff);
            }
        }
        V(out)
    }
    #[inline(always)]
    fn unpack_low8(self, a: V, b: V) -> V {
        unpack(a, b, 1, 0)
    }
    #[inline(always)]
    fn unpack_high8(self, a: V, b: V) -> V {
        unpack(a, b, 1, 1)
    }
    #[inline(always)]
    fn unpack_low32(self, a: V, b: V) -> V {
        unpack(a, b, 4, 0)
    }
    #[inline(always)]
    fn unpack_high32(self, a: V, b: V) -> V {
        unpack(a, b, 4, 1)
    }
    #[inline(always)]
    fn unpack_low64(self, a: V, b: V) -> V {
        unpack(a, b, 8, 0)
    }
    #[inline(always)]
    fn unpack_high64(self, a: V, b: V) -> V {
        unpack(a, b, 8, 1)
    }
    #[inline(always)]
    fn align8<const N: i32>(self, high: V, low: V) -> V {
        let whole = |v: V| u128::from(v.0[1]) << 64 | u128::from(v.0[0]);
        let bits = 8 * N.unsigned_abs();
        let out = whole(low) >> bits | whole(high) << (128 - bits);
        V([out as u64, (out >> 64) as u64])
    }
    #[inline(always)]
    fn swap64(self, a: V) -> V {
        V([a.0[1], a.0[0]])
    }
    #[inline(always)]
    fn reverse8(self, a: V) -> V {
        V([a.0[1].swap_bytes(), a.0[0].swap_bytes()])
    }
}

impl Numbers for Portable {
    #[inline(always)]
    fn add8(self, a: V, b: V) -> V {
        each8(a, b, u8::wrapping_add)
    }
    #[inline(always)]
    fn less8(self, a: V, b: V) -> V {
        each8(a, b, |a, b| if a < b { 255 } else { 0 })
    }
    #[inline(always)]
    fn add32(self, a: V, b: V) -> V {
        each32(a, b, u32::wrapping_add)
    }
    #[inline(always)]
    fn sub32(self, a: V, b: V) -> V {
        each32(a, b, u32::wrapping_sub)
    }
    #[inline(always)]
    fn max_i32(self, a: V, b: V) -> V {
        each32(a, b, |a, b| if a.cast_signed() < b.cast_signed() { b } else { a })
    }
    #[inline(always)]
    fn add64(self, a: V, b: V) -> V {
        each(a, b, u64::wrapping_add)
    }
    #[inline(always)]
    fn mul_low_halves(self, a: V, b: V) -> V {
        each(a, b, |a, b| (a & 0xffff_ffff) * (b & 0xffff_ffff))
    }
    #[inline(always)]
    fn rol32<const N: u32>(self, a: V) -> V {
        each32(a, a, |a, _| a.rotate_left(N))
    }
    #[inline(always)]
    fn shl32<const N: u32>(self, a: V) -> V {
        each32(a, a, |a, _| a << N)
    }
    #[inline(always)]
    fn shr32<const N: u32>(self, a: V) -> V {
        each32(a, a, |a, _| a >> N)
    }
    #[inline(always)]
    fn shld32<const N: u32>(self, high: V, low: V) -> V {
        each32(high, low, |high, low| high << N | low >> (32 - N))
    }
    #[inline(always)]
    fn join16(self, high: V, low: V) -> V {
        each32(high, low, |high, low| high & 0xffff_0000 | low & 0xffff)
    }
    #[inline(always)]
    fn shl64<const N: u32>(self, a: V) -> V {
        each(a, a, |a, _| a << N)
    }
    #[inline(always)]
    fn shr64<const N: u32>(self, a: V) -> V {
        each(a, a, |a, _| a >> N)
    }
    #[inline(always)]
    fn rol64<const N: u32>(self, a: V) -> V {
        each(a, a, |a, _| a.rotate_left(N))
    }
}

impl Numbers16 for Portable {
    #[inline(always)]
    fn sign16(self, a: V) -> V {
        each(a, a, |a, _| (a >> 15 & 0x0001_0001_0001_0001) * 0xffff)
    }
}

impl CarrylessProducts for Portable {
    const CLMUL_NATIVE: bool = false;

    #[inline(always)]
    fn clmul_low(self, a: V, b: V) -> V {
        let product = clmul(a.0[0], b.0[0]);
        V([product as u64, (product >> 64) as u64])
    }
    #[inline(always)]
    fn clmul_high(self, a: V, b: V) -> V {
        let product = clmul(a.0[1], b.0[1]);
        V([product as u64, (product >> 64) as u64])
    }
}

impl ByteMaps for Portable {
    const BYTE_MAPS: bool = false;
    const BYTE_MAPS_NATIVE: bool = false;

    #[inline(always)]
    fn lookup8(self, table: &[u8; 256], a: V) -> V {
        from_bytes(to_bytes(a).map(|wanted| {
            // Every entry is read, whichever is wanted.
            let mut found = 0;
            for (i, entry) in table.iter().enumerate() {
                let differs = u16::from(i as u8 ^ wanted);
                found |= entry & (differs.wrapping_sub(1) >> 8) as u8;
            }
            found
        }))
    }
    #[inline(always)]
    fn aes_sub_bytes(self, a: V) -> V {
        let mut bytes = to_bytes(a);
        for byte in &mut bytes {
            *byte = aes_sub_byte(*byte);
        }
        from_bytes(bytes)
    }
}

impl Rounds for Portable {}
