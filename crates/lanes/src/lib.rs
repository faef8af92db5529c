//! The SIMD vocabulary of cipherlane. It knows no cipher.
//!
//! A cipher's rounds are written once, as a plain generic function over
//! [`Isa`]. A zero-size *token* such as `Avx512` proves that the CPU has a
//! [`Level`]; its `enter` is the *door*, the one function per level that
//! carries `#[target_feature]`; [`dispatch!`] is the only `match` on levels.
//!
//! The safety argument is told once, in `SAFETY.md`, and once at the top of each
//! file that holds `unsafe`.
#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

mod aes;
pub mod affine;
mod clmul;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod door;
mod inout;
mod isa;
mod level;
mod portable;
mod streams;
pub mod wipe;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

pub use inout::InOut;
pub use isa::Isa;
pub use level::{Level, LevelError, LevelName};
pub use portable::Portable;
pub use streams::Streams;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use x86::{Aesni, Avx2, Avx2Gfni, Avx512};
