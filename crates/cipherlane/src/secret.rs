//! Key material: wiped on drop, silent in `Debug`.

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};
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
pub(crate) struct Trace {
    /// How many bytes so far; 0 where another object clears.
    bytes: AtomicUsize,
}

impl Clone for Trace {
    fn clone(&self) -> Self {
        Self { bytes: AtomicUsize::new(self.bytes.load(Ordering::Relaxed)) }
    }
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

impl Depth {
    /// That at a level.
    #[inline(always)]
    fn at(self, level: Level) -> usize {
        if level == Level::portable() { self.portable } else { self.others }
    }
}

impl Trace {
    /// That of an object whose operations go so deep.
    #[inline(always)]
    pub(crate) fn of(level: Level, depth: Depth) -> Self {
        Self { bytes: AtomicUsize::new(depth.at(level)) }
    }

    /// That of an object which ends inside of another's call: the other one clears.
    #[cfg(any(
        feature = "_inner",
        all(feature = "alloc", any(feature = "aes", feature = "sm4", feature = "_tiles"))
    ))]
    #[inline(always)]
    pub(crate) const fn none() -> Self {
        Self { bytes: AtomicUsize::new(0) }
    }

    /// An operation goes as deep as this, if it is deeper than all before.
    #[cfg(feature = "_deeper")]
    #[inline(always)]
    pub(crate) fn goes(&self, level: Level, depth: Depth) {
        // Read first: threads that share a key would take the line from each other.
        let (before, now) = (self.bytes.load(Ordering::Relaxed), depth.at(level));
        if before != 0 && before < now {
            self.bytes.store(now, Ordering::Relaxed);
        }
    }

    /// Leaves the clearing to another object.
    #[inline(always)]
    pub(crate) fn leave(&mut self) {
        *self.bytes.get_mut() = 0;
    }
}

impl Drop for Trace {
    #[inline(always)]
    fn drop(&mut self) {
        let bytes = *self.bytes.get_mut();
        if bytes != 0 {
            lanes::clear_stack(bytes);
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

/// Asserts that the `Debug` forms of what two keys make, plain and spread over lines, are equal and
/// name the type: for the tests in a cipher's folder, which `tests/secrecy_of_messages.rs` looks for.
#[cfg(test)]
pub(crate) fn assert_silent<T: fmt::Debug>(name: &str, make: impl Fn(&[u8; 64]) -> T) {
    let texts = [0x53, 0xa7].map(|byte: u8| {
        let key = core::array::from_fn(|i| byte.wrapping_mul(i as u8) ^ byte);
        let made = make(&key);
        std::format!("{made:?}{made:#?}")
    });
    assert_eq!(texts[0], texts[1], "{name} prints something that depends on a secret");
    assert!(texts[0].contains(name), "{name} prints `{}`", texts[0]);
}

#[cfg(test)]
mod tests {
    use super::assert_silent;

    #[test]
    #[should_panic(expected = "prints something that depends on a secret")]
    fn a_form_that_shows_a_key_is_found() {
        assert_silent("[", |key| *key);
    }
}
