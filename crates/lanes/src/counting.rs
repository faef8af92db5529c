//! The feature `counting`: an instruction set that does what another one does and counts each
//! operation, so that a kernel tells what it asks for.
//!
//! With the feature on, the levels' own tokens are wrapped, and kernels come here through
//! [`dispatch!`](crate::dispatch) as ever. Counts are of the operations that kernels name, not of
//! those that a level makes of one of them; what each costs is measured on the machine. Those on
//! the registers of one 128-bit group stand apart, where the level has longer ones.
//!
//! Every register also knows the last operation on the longest way to it, so a kernel tells what in
//! it waits for what: [`path`].

use core::marker::PhantomData;
use core::sync::atomic::{AtomicU64, Ordering};

use crate::isa::Sealed;
use crate::{Isa, Portable};

mod trace;

use trace::{Node, START};
pub use trace::{path, trace};

/// A token whose operations are counted; `W` is the level's own, of which it may be the narrow one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Counting<I, W = I>(pub(crate) I, PhantomData<W>);

impl<I, W> Counting<I, W> {
    /// Counts what the token does.
    pub(crate) const fn of(token: I) -> Self {
        Self(token, PhantomData)
    }
}

/// A register, and the operation that it was ready after.
#[derive(Clone, Copy, Debug)]
pub struct Traced<V> {
    v: V,
    after: Node,
}

macro_rules! operations {
    ($($name:ident $cycles:literal)+) => {
        /// What is counted.
        #[derive(Clone, Copy)]
        #[expect(non_camel_case_types, reason = "named as the operations are")]
        enum Operation { $($name),+ }

        /// Their names, and again those on narrow registers.
        pub const OPERATIONS: &[&str] =
            &[$(stringify!($name),)+ $(concat!("narrow.", stringify!($name)),)+];

        /// Roughly how long each takes, to tell the longest way; what it takes on a machine is
        /// measured there.
        const CYCLES: &[u32] = &[$($cycles),+];
    };
}
operations! {
    load 9 load_part 9 load_blocks 9 store 0 store_part 0 store_blocks 0 splat 0 low64 0
    xor 1 xor3 1 and 1 or 1 select 1 join16 1
    add8 1 less8 3 shr8 2 add16 1 sub16 1 mullo16 3 mulhi16 3 less16 3 equal16 3 min_u16 1
    sub_saturated16 1 shr16 1 sign16 1
    rol16 2 rol16_by 2 lookup16 5 pick32 20
    add32 1 sub32 1 max_i32 1 add64 1 mul_low_halves 3 sub64 1
    rol32_by 2 rol64_by 2 rol32 2 rol32_by_bytes 2 rol32_lowest 1 shl32 1 shr32 1 across16 2 shld32 2
    shl64 1 shr64 1 rol64 2
    shuffle8 2 unpack 1 swap64 1 align8 1 lookup8 7 transpose_groups 4 xor_groups 8 clmul 4
    aes_sub_bytes 5 affine8 3 affine_inverse8 3
    aes_round 4 aes_inverse_mix_columns 8 sm4_rounds 8 sm4_next_keys 8
}

/// How often each was asked for; of one thread alone.
static COUNTS: [AtomicU64; OPERATIONS.len()] = [const { AtomicU64::new(0) }; OPERATIONS.len()];

/// How often each of [`OPERATIONS`] was asked for since the program began, by one thread; those of
/// several threads get lost.
#[must_use]
pub fn counts() -> [u64; OPERATIONS.len()] {
    core::array::from_fn(|i| COUNTS[i].load(Ordering::Relaxed))
}

impl<I: Isa, W: Isa> Counting<I, W> {
    /// One more, ready after the latest of what it takes.
    #[inline(always)]
    fn count(operation: Operation, takes: &[Node]) -> Node {
        let narrow = const { if I::BYTES < W::BYTES { CYCLES.len() } else { 0 } };
        let place = operation as usize + narrow;
        let count = &COUNTS[place];
        // Kernels that are counted run alone.
        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        trace::add(place, CYCLES[operation as usize], takes)
    }

    /// What was loaded from these bytes waits for what was stored of the same content.
    #[inline(always)]
    fn loaded(operation: Operation, v: I::V, bytes: &[u8]) -> Traced<I::V> {
        let stored = trace::stored(bytes.get(..I::BYTES).unwrap_or(bytes));
        let after = Self::count(operation, &[stored]);
        Traced { v, after: if stored == START { START } else { after } }
    }
}

/// Operations on registers that give one, behind what else they take.
macro_rules! counted {
    ($($operation:ident: $name:ident $(<$(const $N:ident: $type:ty),+>)?
        ($([$other:ident: $of:ty])? $($register:ident)*);)+) => {
        $(
            #[inline(always)]
            fn $name $(<$(const $N: $type),+>)? (
                self, $($other: $of,)? $($register: Self::V),*
            ) -> Self::V {
                let after = Self::count(Operation::$operation, &[$($register.after),*]);
                let v = self.0.$name $(::<$($N),+>)? ($($other,)? $($register.v),*);
                Traced { v, after }
            }
        )+
    };
}

/// Registers of one number.
macro_rules! splats {
    ($($name:ident: $of:ty)+) => { $(
        #[inline(always)]
        fn $name(self, x: $of) -> Self::V {
            Self::count(Operation::splat, &[]);
            Traced { v: self.0.$name(x), after: START }
        }
    )+ };
}

// Those of the other levels are beside their doors, in `door!`.
impl Counting<Portable> {
    /// The door of the level itself.
    #[inline(always)]
    pub fn enter<R>(self, f: impl FnOnce() -> R) -> R {
        self.0.enter(f)
    }
}

#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
impl<I: crate::implies::Token, W: Isa> crate::implies::Token for Counting<I, W> {
    const DETECTED: &'static [&'static str] = I::DETECTED;
}

impl<I: Isa, W: Isa> Sealed for Counting<I, W> {}

impl<I: Isa, W: Isa> Isa for Counting<I, W> {
    type V = Traced<I::V>;
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
    const LOAD_AT_NATIVE: bool = I::LOAD_AT_NATIVE;
    const SHUFFLE8_NATIVE: bool = I::SHUFFLE8_NATIVE;
    const CLMUL_NATIVE: bool = I::CLMUL_NATIVE;
    const CLMUL_WIDE: bool = I::CLMUL_WIDE;

    type Narrow = Counting<I::Narrow, W>;
    #[inline(always)]
    fn narrow(self) -> Self::Narrow {
        Counting::of(self.0.narrow())
    }

    #[inline(always)]
    fn load(self, bytes: &[u8]) -> Self::V {
        Self::loaded(Operation::load, self.0.load(bytes), bytes)
    }
    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Self::V {
        Self::loaded(Operation::load_part, self.0.load_part(bytes), bytes)
    }
    #[inline(always)]
    fn load_at(self, bytes: &[u8], from: isize) -> Self::V {
        let first = bytes.get(from.max(0).unsigned_abs()..).unwrap_or(&[]);
        Self::loaded(Operation::load_part, self.0.load_at(bytes, from), first)
    }
    #[inline(always)]
    fn load128(self, bytes: &[u8; 16]) -> Self::V {
        Self::loaded(Operation::load, self.0.load128(bytes), bytes)
    }
    #[inline(always)]
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> Self::V {
        Self::loaded(Operation::load_blocks, self.0.load_blocks(blocks), blocks[0])
    }
    #[inline(always)]
    fn store(self, v: Self::V, bytes: &mut [u8]) {
        self.0.store(v.v, bytes);
        trace::store(Self::count(Operation::store, &[v.after]), &bytes[..I::BYTES]);
    }
    #[inline(always)]
    fn store_part(self, v: Self::V, bytes: &mut [u8]) {
        self.0.store_part(v.v, bytes);
        let written = bytes.len().min(I::BYTES);
        trace::store(Self::count(Operation::store_part, &[v.after]), &bytes[..written]);
    }
    #[inline(always)]
    fn store128(self, v: Self::V, bytes: &mut [u8; 16]) {
        self.0.store128(v.v, bytes);
        trace::store(Self::count(Operation::store, &[v.after]), bytes);
    }
    #[inline(always)]
    fn store_blocks(self, v: Self::V, blocks: [Option<&mut [u8; 16]>; 4]) {
        Self::count(Operation::store_blocks, &[v.after]);
        self.0.store_blocks(v.v, blocks);
    }
    #[inline(always)]
    fn low64(self, a: Self::V) -> u64 {
        Self::count(Operation::low64, &[a.after]);
        self.0.low64(a.v)
    }
    #[inline(always)]
    fn low32(self, a: Self::V) -> u32 {
        Self::count(Operation::low64, &[a.after]);
        self.0.low32(a.v)
    }
    #[inline(always)]
    fn transpose_groups(self, a: [Self::V; 4]) -> [Self::V; 4] {
        let takes = [a[0].after, a[1].after, a[2].after, a[3].after];
        let after = Self::count(Operation::transpose_groups, &takes);
        let [a, b, c, d] = self.0.transpose_groups([a[0].v, a[1].v, a[2].v, a[3].v]);
        [
            Traced { v: a, after },
            Traced { v: b, after },
            Traced { v: c, after },
            Traced { v: d, after },
        ]
    }

    splats! { splat8: u8 splat16: u16 splat32: u32 splat64: u64 splat128: &[u8; 16] }

    counted! {
        xor: xor(a b);
        xor3: xor3(a b c);
        and: and(a b);
        or: or(a b);
        select: select(mask a b);
        join16: join16(high low);
        add8: add8(a b);
        less8: less8(a b);
        shr8: shr8<const N: u32>(a);
        add16: add16(a b);
        sub16: sub16(a b);
        mullo16: mullo16(a b);
        mulhi16: mulhi16(a b);
        less16: less16(a b);
        equal16: equal16(a b);
        min_u16: min_u16(a b);
        sub_saturated16: sub_saturated16(a b);
        shr16: shr16<const N: u32>(a);
        sign16: sign16(a);
        rol16: rol16<const N: u32>(a);
        rol16_by: rol16_by(a by);
        lookup16: lookup16([table: &[u16; 64]] a);
        pick32: pick32([rows: &[[u8; 64]; 256]] row);
        add32: add32(a b);
        sub32: sub32(a b);
        max_i32: max_i32(a b);
        add64: add64(a b);
        mul_low_halves: mul_low_halves(a b);
        sub64: sub64(a b);
        rol32_by: rol32_by(a by);
        rol64_by: rol64_by(a by);
        rol32_lowest: rol32_lowest<const N: u32>(a);
        shl32: shl32<const N: u32>(a);
        shr32: shr32<const N: u32>(a);
        across16: across16(high low);
        shld32: shld32<const N: u32>(high low);
        shl64: shl64<const N: u32>(a);
        shr64: shr64<const N: u32>(a);
        rol64: rol64<const N: u32>(a);
        shuffle8: shuffle8(a index);
        unpack: unpack_low8(a b);
        unpack: unpack_high8(a b);
        unpack: unpack_low32(a b);
        unpack: unpack_high32(a b);
        unpack: unpack_low64(a b);
        unpack: unpack_high64(a b);
        swap64: swap64(a);
        align8: align8<const N: i32>(high low);
        shuffle8: reverse8(a);
        lookup8: lookup8([table: &[u8; 256]] a);
        xor_groups: xor_groups(a);
        clmul: clmul_low(a b);
        clmul: clmul_high(a b);
        aes_sub_bytes: aes_sub_bytes(a);
        affine8: affine8<const MATRIX: u64, const CONSTANT: i32>(a);
        affine8: affine8_pair<const EVEN: u64, const ODD: u64>(a);
        affine_inverse8: affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(a);
        aes_round: aes_encrypt_round(a key);
        aes_round: aes_encrypt_last(a key);
        aes_round: aes_decrypt_round(a key);
        aes_round: aes_decrypt_last(a key);
        aes_inverse_mix_columns: aes_inverse_mix_columns(a);
        sm4_rounds: sm4_rounds(a keys);
        sm4_next_keys: sm4_next_keys(a constants);
    }

    #[inline(always)]
    fn zero(self) -> Self::V {
        Traced { v: self.0.zero(), after: START }
    }

    // By whole bytes it is a shuffle where the level has no rotation.
    #[inline(always)]
    fn rol32<const N: u32>(self, a: Self::V) -> Self::V {
        let bytes = N.is_multiple_of(8);
        let operation = if bytes { Operation::rol32_by_bytes } else { Operation::rol32 };
        Traced { v: self.0.rol32::<N>(a.v), after: Self::count(operation, &[a.after]) }
    }

    #[inline(always)]
    fn pin(self, a: Self::V) -> Self::V {
        Traced { v: self.0.pin(a.v), after: a.after }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn named(counts: [u64; OPERATIONS.len()]) -> Vec<(&'static str, u64)> {
        OPERATIONS.iter().copied().zip(counts).filter(|it| it.1 > 0).collect()
    }

    #[test]
    fn the_longest_way_is_found_also_through_memory() {
        let isa = Counting::<Portable>::of(Portable);
        trace();
        let a = isa.load(&[3; 16]);
        let b = isa.xor(isa.xor(a, a), isa.splat8(7));
        let short = isa.and(a, a);
        let mut bytes = [0; 16];
        isa.store(b, &mut bytes);
        // Copied by who is not asked.
        let c = isa.load(&bytes.map(|byte| byte));
        let _ = isa.clmul_low(c, short);
        assert_eq!(named(path()), [("load", 1), ("store", 1), ("xor", 2), ("clmul", 1)]);
        // Nothing is remembered any more.
        let _ = isa.xor(a, a);
        assert_eq!(named(path()), []);
    }

    #[test]
    fn narrow_registers_stand_apart() {
        let levels = crate::Level::available().filter(|level| level.register_bytes() > 16);
        for level in levels {
            trace();
            crate::dispatch!(level, isa => {
                let narrow = isa.narrow();
                let a = narrow.splat8(1);
                let _ = narrow.add32(narrow.xor(a, a), a);
            });
            assert_eq!(named(path()), [("narrow.xor", 1), ("narrow.add32", 1)], "{level}");
        }
    }
}
