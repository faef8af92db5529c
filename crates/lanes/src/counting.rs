//! The feature `counting`: an instruction set that does what another one does and counts each
//! operation, so that a kernel tells what it asks for.
//!
//! With the feature on, the levels' own tokens are wrapped, and kernels come here through
//! [`dispatch!`](crate::dispatch) as ever. Counts are of the operations that kernels name, not of
//! those that a level makes of one of them; what each costs is measured on the machine.

use core::sync::atomic::{AtomicU64, Ordering};

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::Simd128;
use crate::isa::Sealed;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
use crate::x86::{Aesni, Avx2, Avx2Gfni, Avx2Sm4, Avx512};
use crate::{Isa, Portable};
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
use crate::{Neon, NeonSm4};

/// A token whose operations are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counting<I>(pub(crate) I);

macro_rules! operations {
    ($($name:ident)+) => {
        /// What is counted.
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "named as the operations are")]
        enum Operation { $($name),+ }

        /// Their names.
        pub const OPERATIONS: &[&str] = &[$(stringify!($name)),+];
    };
}
operations! {
    load load_part load_blocks store store_part store_blocks splat low64
    xor xor3 and or select join16
    add8 less8 shr8 add16 sub16 mullo16 mulhi16 less16 equal16 min_u16 sub_saturated16
    rol16 rol16_by lookup16 pick32
    add32 sub32 max_i32 add64 mul_low_halves sub64
    rol32_by rol64_by rol32 rol32_by_bytes rol32_lowest shl32 shr32 across16 shld32
    shl64 shr64 rol64
    shuffle8 unpack swap64 lookup8 transpose_groups xor_groups clmul
    aes_sub_bytes affine8 affine_inverse8
    aes_round aes_inverse_mix_columns sm4_rounds sm4_next_keys
}

/// How often each was asked for; of one thread alone.
static COUNTS: [AtomicU64; OPERATIONS.len()] = [const { AtomicU64::new(0) }; OPERATIONS.len()];

/// One more.
#[inline(always)]
fn count(operation: Operation) {
    let count = &COUNTS[operation as usize];
    // Kernels that are counted run alone.
    count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
}

/// How often each of [`OPERATIONS`] was asked for since the program began, by one thread; those of
/// several threads get lost.
#[must_use]
pub fn counts() -> [u64; OPERATIONS.len()] {
    core::array::from_fn(|i| COUNTS[i].load(Ordering::Relaxed))
}

macro_rules! counted {
    ($($operation:ident: $name:ident $(<$(const $N:ident: $type:ty),+>)?
        ($($argument:ident: $of:ty),*) $(-> $result:ty)?;)+) => {
        $(
            #[inline(always)]
            fn $name $(<$(const $N: $type),+>)? (self, $($argument: $of),*) $(-> $result)? {
                count(Operation::$operation);
                self.0.$name $(::<$($N),+>)? ($($argument),*)
            }
        )+
    };
}

macro_rules! doors {
    ($($Token:ident)+) => { $(
        impl Counting<$Token> {
            /// The door of the level itself.
            #[inline(always)]
            pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
                self.0.enter(f)
            }
        }
    )+ };
}
doors!(Portable);
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
doors!(Aesni Avx2 Avx2Gfni Avx2Sm4 Avx512);
#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
doors!(Neon NeonSm4);
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
doors!(Simd128);

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
impl<I: crate::x86::Token> crate::x86::Token for Counting<I> {
    const DETECTED: &'static [&'static str] = I::DETECTED;
}

impl<I: Isa> Sealed for Counting<I> {}

impl<I: Isa> Isa for Counting<I> {
    type V = I::V;
    const BYTES: usize = I::BYTES;
    const REGISTERS: usize = I::REGISTERS;
    const BYTE_MAPS: bool = I::BYTE_MAPS;
    const BYTE_MAPS_NATIVE: bool = I::BYTE_MAPS_NATIVE;
    const XOR3_NATIVE: bool = I::XOR3_NATIVE;
    const FUNNEL_NATIVE: bool = I::FUNNEL_NATIVE;
    const LOOKUP8_NATIVE: bool = I::LOOKUP8_NATIVE;
    const AES_BYTES: usize = I::AES_BYTES;
    const SM4_BYTES: usize = I::SM4_BYTES;
    const NUMBERS16_NATIVE: bool = I::NUMBERS16_NATIVE;
    const ROTATE_BY_NATIVE: bool = I::ROTATE_BY_NATIVE;
    const PICK_NATIVE: bool = I::PICK_NATIVE;
    const LOOKUP16_NATIVE: bool = I::LOOKUP16_NATIVE;
    const SHUFFLE8_NATIVE: bool = I::SHUFFLE8_NATIVE;
    const CLMUL_NATIVE: bool = I::CLMUL_NATIVE;
    const CLMUL_WIDE: bool = I::CLMUL_WIDE;

    type Narrow = Counting<I::Narrow>;
    #[inline(always)]
    fn narrow(self) -> Self::Narrow {
        Counting(self.0.narrow())
    }

    counted! {
        load: load(bytes: &[u8]) -> I::V;
        store: store(v: I::V, bytes: &mut [u8]);
        load_part: load_part(bytes: &[u8]) -> I::V;
        store_part: store_part(v: I::V, bytes: &mut [u8]);
        load_part: load_at(bytes: &[u8], from: isize) -> I::V;
        load: load128(bytes: &[u8; 16]) -> I::V;
        store: store128(v: I::V, bytes: &mut [u8; 16]);
        load_blocks: load_blocks(blocks: [&[u8; 16]; 4]) -> I::V;
        store_blocks: store_blocks(v: I::V, blocks: [Option<&mut [u8; 16]>; 4]);
        splat: splat8(x: u8) -> I::V;
        splat: splat16(x: u16) -> I::V;
        splat: splat32(x: u32) -> I::V;
        splat: splat64(x: u64) -> I::V;
        splat: splat128(bytes: &[u8; 16]) -> I::V;
        low64: low64(a: I::V) -> u64;
        low64: low32(a: I::V) -> u32;
        xor: xor(a: I::V, b: I::V) -> I::V;
        xor3: xor3(a: I::V, b: I::V, c: I::V) -> I::V;
        and: and(a: I::V, b: I::V) -> I::V;
        or: or(a: I::V, b: I::V) -> I::V;
        select: select(mask: I::V, a: I::V, b: I::V) -> I::V;
        join16: join16(high: I::V, low: I::V) -> I::V;
        add8: add8(a: I::V, b: I::V) -> I::V;
        less8: less8(a: I::V, b: I::V) -> I::V;
        shr8: shr8<const N: u32>(a: I::V) -> I::V;
        add16: add16(a: I::V, b: I::V) -> I::V;
        sub16: sub16(a: I::V, b: I::V) -> I::V;
        mullo16: mullo16(a: I::V, b: I::V) -> I::V;
        mulhi16: mulhi16(a: I::V, b: I::V) -> I::V;
        less16: less16(a: I::V, b: I::V) -> I::V;
        equal16: equal16(a: I::V, b: I::V) -> I::V;
        min_u16: min_u16(a: I::V, b: I::V) -> I::V;
        sub_saturated16: sub_saturated16(a: I::V, b: I::V) -> I::V;
        rol16: rol16<const N: u32>(a: I::V) -> I::V;
        rol16_by: rol16_by(a: I::V, by: I::V) -> I::V;
        lookup16: lookup16(table: &[u16; 64], a: I::V) -> I::V;
        pick32: pick32(rows: &[[u8; 64]; 256], row: I::V) -> I::V;
        add32: add32(a: I::V, b: I::V) -> I::V;
        sub32: sub32(a: I::V, b: I::V) -> I::V;
        max_i32: max_i32(a: I::V, b: I::V) -> I::V;
        add64: add64(a: I::V, b: I::V) -> I::V;
        mul_low_halves: mul_low_halves(a: I::V, b: I::V) -> I::V;
        sub64: sub64(a: I::V, b: I::V) -> I::V;
        rol32_by: rol32_by(a: I::V, by: I::V) -> I::V;
        rol64_by: rol64_by(a: I::V, by: I::V) -> I::V;
        rol32_lowest: rol32_lowest<const N: u32>(a: I::V) -> I::V;
        shl32: shl32<const N: u32>(a: I::V) -> I::V;
        shr32: shr32<const N: u32>(a: I::V) -> I::V;
        across16: across16(high: I::V, low: I::V) -> I::V;
        shld32: shld32<const N: u32>(high: I::V, low: I::V) -> I::V;
        shl64: shl64<const N: u32>(a: I::V) -> I::V;
        shr64: shr64<const N: u32>(a: I::V) -> I::V;
        rol64: rol64<const N: u32>(a: I::V) -> I::V;
        shuffle8: shuffle8(a: I::V, index: I::V) -> I::V;
        unpack: unpack_low8(a: I::V, b: I::V) -> I::V;
        unpack: unpack_high8(a: I::V, b: I::V) -> I::V;
        unpack: unpack_low32(a: I::V, b: I::V) -> I::V;
        unpack: unpack_high32(a: I::V, b: I::V) -> I::V;
        unpack: unpack_low64(a: I::V, b: I::V) -> I::V;
        unpack: unpack_high64(a: I::V, b: I::V) -> I::V;
        swap64: swap64(a: I::V) -> I::V;
        shuffle8: reverse8(a: I::V) -> I::V;
        lookup8: lookup8(table: &[u8; 256], a: I::V) -> I::V;
        transpose_groups: transpose_groups(a: [I::V; 4]) -> [I::V; 4];
        xor_groups: xor_groups(a: I::V) -> I::V;
        clmul: clmul_low(a: I::V, b: I::V) -> I::V;
        clmul: clmul_high(a: I::V, b: I::V) -> I::V;
        aes_sub_bytes: aes_sub_bytes(a: I::V) -> I::V;
        affine8: affine8<const MATRIX: u64, const CONSTANT: i32>(a: I::V) -> I::V;
        affine8: affine8_pair<const EVEN: u64, const ODD: u64>(a: I::V) -> I::V;
        affine_inverse8: affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(a: I::V) -> I::V;
        aes_round: aes_encrypt_round(a: I::V, key: I::V) -> I::V;
        aes_round: aes_encrypt_last(a: I::V, key: I::V) -> I::V;
        aes_round: aes_decrypt_round(a: I::V, key: I::V) -> I::V;
        aes_round: aes_decrypt_last(a: I::V, key: I::V) -> I::V;
        aes_inverse_mix_columns: aes_inverse_mix_columns(a: I::V) -> I::V;
        sm4_rounds: sm4_rounds(a: I::V, keys: I::V) -> I::V;
        sm4_next_keys: sm4_next_keys(a: I::V, constants: I::V) -> I::V;
    }

    #[inline(always)]
    fn zero(self) -> I::V {
        self.0.zero()
    }

    // By whole bytes it is a shuffle where the level has no rotation.
    #[inline(always)]
    fn rol32<const N: u32>(self, a: I::V) -> I::V {
        let bytes = N.is_multiple_of(8);
        count(if bytes { Operation::rol32_by_bytes } else { Operation::rol32 });
        self.0.rol32::<N>(a)
    }

    #[inline(always)]
    fn pin(self, a: I::V) -> I::V {
        self.0.pin(a)
    }
}
