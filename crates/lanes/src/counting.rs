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

// Behind the macros that it is made of.
mod isa;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{CarrylessProducts, Numbers, Registers};
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
