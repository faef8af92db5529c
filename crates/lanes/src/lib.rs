//! The SIMD vocabulary of cipherlane. It knows no cipher.
//!
//! A cipher's rounds are written once, as a plain generic function over
//! [`Isa`]. A zero-size *token* such as `Avx512` proves that the CPU has a
//! [`Level`]; its `enter` is the *door*, the one function per level that
//! carries `#[target_feature]`; [`dispatch!`] is the only `match` on levels, with
//! [`dispatch_aes!`] and [`dispatch_sm4!`] for the ciphers that have instructions of their own and
//! [`dispatch_plain!`] for those that compute with numbers and bits alone.
//!
//! The safety argument is told once, in `SAFETY.md`, and once at the top of each
//! file that holds `unsafe`.
#![no_std]

#[cfg(any(feature = "std", test))]
extern crate std;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
mod aarch64;
mod aes;
pub mod affine;
mod clear;
mod clmul;
#[cfg(feature = "counting")]
pub mod counting;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod door;
mod grown;
mod hide;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
mod implies;
mod inout;
mod isa;
mod level;
mod line;
mod numbers;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod part;
pub mod plain;
mod portable;
#[cfg(any(
    target_arch = "x86",
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little", target_feature = "neon")
))]
mod shuffles;
mod sm4;
mod stack;
mod streams;
pub mod transpose;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm32;
pub mod wipe;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
mod x86;

#[cfg(all(target_arch = "aarch64", target_endian = "little", target_feature = "neon"))]
pub use aarch64::*;
pub use grown::{Ends, Grown};
pub use hide::{apart, hide};
pub use inout::InOut;
pub use isa::{ByteMaps, CarrylessProducts, Isa, Numbers, Numbers16, Registers, Rounds};
pub use level::{Level, LevelError, LevelName};
pub use line::begin_at_line;
pub use portable::Portable;
pub use stack::clear_stack;
pub use streams::Streams;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub use wasm32::*;
#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
pub use x86::*;
