//! The lane operations: what a kernel may ask of an instruction set.
//!
//! One register type per level. An operation is named by the lane it works on
//! (`add8`, `rol32`, `unpack_low64`); nothing is tied to a lane type, because
//! ciphers look at one register in several ways. Operations that move bytes work
//! inside each 128-bit group, as they do on every CPU of interest.
//!
//! They stand in a trait for each sort of them; kernels are generic over [`Isa`], which is all of
//! them together. Default bodies are built from other operations; a level overrides what it does
//! better. `tests/agree/` compares every operation at every level with `portable`.
//!
//! Every method is safe: a token proves the features, and a register can only
//! come from a token. Calling one outside a door is sound, only slow.

mod byte_maps;
mod numbers;
mod numbers16;
mod products;
mod registers;
mod rounds;

pub use byte_maps::ByteMaps;
pub use numbers::Numbers;
pub use numbers16::Numbers16;
pub use products::CarrylessProducts;
pub use registers::Registers;
pub use rounds::Rounds;

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// An instruction set: a token with all operations on its one register type.
pub trait Isa: Numbers16 + CarrylessProducts + Rounds {}

impl<I: Numbers16 + CarrylessProducts + Rounds> Isa for I {}
