//! Which tags the members of the family have, and which keystream words mask them.

use super::super::key::{Key128, Key256Of2018, Key256Of2023, Member};
use crate::ciphers::zuc::load::Purpose;
use crate::error::{Error, check_length};
use crate::sizes::Sizes;

mod sealed {
    /// Which words of the keystream mask a tag.
    pub trait Masks {
        /// Whether they are the first ones, as in ZUC-256, or the last, as in 128-EIA3.
        const FIRST: bool;
    }
}

/// A member of the family with a MAC of its own; sealed.
pub trait Authenticates: Member + sealed::Masks {
    /// The tag's lengths in bytes.
    const TAGS: Sizes;
}

impl sealed::Masks for Key128 {
    const FIRST: bool = false;
}
impl Authenticates for Key128 {
    const TAGS: Sizes = Sizes::exactly(4);
}

impl sealed::Masks for Key256Of2018 {
    const FIRST: bool = true;
}
impl Authenticates for Key256Of2018 {
    const TAGS: Sizes = Sizes::of([4, 8, 16]);
}

impl sealed::Masks for Key256Of2023 {
    const FIRST: bool = true;
}
impl Authenticates for Key256Of2023 {
    const TAGS: Sizes = Sizes::of([4, 8, 16]);
}

/// Whether the first keystream words mask a tag of `M`, or the last one.
pub(crate) const fn masked_first<M: Authenticates>() -> bool {
    M::FIRST
}

/// A length of tag that a MAC offers.
#[derive(Clone, Copy)]
pub(crate) struct TagLength {
    pub(super) bytes: usize,
    pub(crate) purpose: Purpose,
}

impl TagLength {
    pub(crate) fn of<M: Authenticates>(bytes: usize) -> Result<Self, Error> {
        let masked_last = Self { bytes, purpose: Purpose::Keystream };
        check_length("tag", bytes, M::TAGS)?;
        match bytes {
            4 if !M::FIRST => Ok(masked_last),
            4 => Ok(Self { bytes, purpose: Purpose::Mac32 }),
            8 => Ok(Self { bytes, purpose: Purpose::Mac64 }),
            // 16, as the length is one of them.
            _ => Ok(Self { bytes, purpose: Purpose::Mac128 }),
        }
    }

    /// Whether tags take both halves of a sum.
    pub(super) const fn wide(self) -> bool {
        self.bytes > 8
    }
}
