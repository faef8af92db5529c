//! Key material: wiped on drop, silent in `Debug`.

use core::fmt;
#[cfg(feature = "alloc")]
use core::{hint::black_box, mem::MaybeUninit};

use lanes::Level;

/// What can be overwritten with zeros.
pub(crate) trait Wipe {
    /// Overwrites everything secret with zeros.
    fn wipe(&mut self);
}

/// A value that is wiped when it is dropped and never printed.
#[derive(Clone)]
pub(crate) struct Secret<T: Wipe>(pub(crate) T);

impl<T: Wipe> Drop for Secret<T> {
    // In line, because key material may be dropped inside the door.
    #[inline(always)]
    fn drop(&mut self) {
        self.0.wipe();
    }
}

impl<T: Wipe> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[secret]")
    }
}

/// What the operations of an object left on the stack and in registers: overwritten when the
/// object is dropped. Kernels spill round keys, states and keystream, and no call clears them
/// behind itself: short messages would cost much more.
#[derive(Clone)]
pub(crate) struct Trace {
    bytes: usize,
}

/// How many bytes operations go down on the stack, by what the check `stack` of
/// `cargo xtask prove-quick` finds.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// Bit-sliced, where a level has no registers of its own.
    pub(crate) portable: usize,
    /// At all other levels.
    pub(crate) others: usize,
}

impl Depth {
    /// The same at every level.
    pub(crate) const fn of(bytes: usize) -> Self {
        Self { portable: bytes, others: bytes }
    }
}

impl Trace {
    /// That of an object whose operations go so deep.
    #[inline(always)]
    pub(crate) fn of(level: Level, depth: Depth) -> Self {
        let portable = level == Level::portable();
        Self { bytes: if portable { depth.portable } else { depth.others } }
    }

    /// That of an object which ends inside of another's call: the other one clears.
    #[cfg(any(feature = "zuc", feature = "idea", feature = "rc2", feature = "alloc"))]
    #[inline(always)]
    pub(crate) const fn none() -> Self {
        Self { bytes: 0 }
    }

    /// Leaves the clearing to another object.
    #[inline(always)]
    pub(crate) const fn leave(&mut self) {
        self.bytes = 0;
    }
}

impl Drop for Trace {
    #[inline(always)]
    fn drop(&mut self) {
        if self.bytes != 0 {
            lanes::clear_stack(self.bytes);
        }
    }
}

impl<T: lanes::wipe::Plain, const N: usize> Wipe for [T; N] {
    fn wipe(&mut self) {
        lanes::wipe::wipe(self);
    }
}

/// Runs `f` some way down the stack: what it leaves lies below the frames through which an object
/// is dropped, so that the object's [`Trace`] clears all of it.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(crate) fn deeper<R>(f: impl FnOnce() -> R) -> R {
    let mut room = MaybeUninit::<[u8; 512]>::uninit();
    black_box(&mut room);
    let result = f();
    black_box(&mut room);
    result
}
