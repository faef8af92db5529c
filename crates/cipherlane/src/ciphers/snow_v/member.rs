//! What the members of the family have that the others don't.

/// Which member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// SNOW-V.
    V,
    /// SNOW-Vi.
    Vi,
    /// SNOW 5G.
    FiveG,
}

mod sealed {
    use super::Variant;

    /// Which member, out of users' reach.
    pub trait Sealed: Send + Sync + 'static {
        /// Which one.
        const VARIANT: Variant;
    }
}
pub(super) use sealed::Sealed;

/// A member of the family; sealed.
pub trait Member: Sealed {
    /// Its name in prose.
    const NAME: &'static str;
}

/// SNOW-V (2018/1143).
#[derive(Clone, Copy, Debug)]
pub enum OfSnowV {}

/// SNOW-Vi (2021/236).
#[derive(Clone, Copy, Debug)]
pub enum OfSnowVi {}

/// SNOW 5G (3GPP TS 35.240).
#[derive(Clone, Copy, Debug)]
pub enum OfSnow5g {}

impl Sealed for OfSnowV {
    const VARIANT: Variant = Variant::V;
}

impl Sealed for OfSnowVi {
    const VARIANT: Variant = Variant::Vi;
}

impl Sealed for OfSnow5g {
    const VARIANT: Variant = Variant::FiveG;
}

impl Member for OfSnowV {
    const NAME: &'static str = "SnowV";
}

impl Member for OfSnowVi {
    const NAME: &'static str = "SnowVi";
}

impl Member for OfSnow5g {
    const NAME: &'static str = "Snow5g";
}

/// A member whose paper tells how it seals: SNOW-V in 2018/1143 §4, and SNOW-Vi by the same rule.
pub trait Seals: Member {}

impl Seals for OfSnowV {}
impl Seals for OfSnowVi {}
