//! The two standards as types.

use crate::tweaks::Order;

mod sealed {
    pub trait Sealed {}
}

/// Which standard's XTS: [`Ieee1619`] or [`Gb17964`], and nothing else.
pub trait Standard: sealed::Sealed {
    /// Whether the first bit of a tweak's byte, rather than the last, is the lowest power of α.
    #[doc(hidden)]
    const REFLECTED: bool;
}

/// IEEE 1619-2018 and SP 800-38E: a tweak is little-endian, the least significant bit
/// of its first byte the coefficient of x⁰.
#[derive(Clone, Copy, Debug)]
pub struct Ieee1619;

/// GB/T 17964-2021: as in GHASH, the most significant bit of a tweak's first byte is
/// the coefficient of x⁰.
#[derive(Clone, Copy, Debug)]
pub struct Gb17964;

impl sealed::Sealed for Ieee1619 {}
impl Standard for Ieee1619 {
    const REFLECTED: bool = false;
}

impl sealed::Sealed for Gb17964 {}
impl Standard for Gb17964 {
    const REFLECTED: bool = true;
}

/// How a standard reads a tweak.
pub(super) const fn order<S: Standard>() -> Order {
    if S::REFLECTED { Order::Reflected } else { Order::Little }
}
