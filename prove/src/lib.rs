//! Evidence that runs on the reader's machine.
//!
//! [`traces`] steps through every operation that claims constant time under different secrets
//! and compares where it went and what it touched; [`guarded`] lays every buffer against pages
//! that can't be read; [`timed`] compares times; [`published`] runs vectors along many paths. They go over the registry by [`calls`], at every level of the CPU.
//! `cargo xtask prove-quick` runs them, `cargo xtask prove` at more lengths and secrets.

#![deny(unsafe_code)]

pub mod arena;
#[cfg(test)]
mod bounded;
pub mod calls;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod freed_memory;
#[cfg(any(target_os = "linux", target_arch = "wasm32"))]
mod functions;
#[cfg(unix)]
pub mod guarded;
#[cfg(target_arch = "wasm32")]
mod host;
pub mod leaks;
#[cfg(target_os = "linux")]
mod mapped;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod memcheck;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod observe;
#[cfg(unix)]
pub mod pages;
pub mod published;
pub mod share;
#[cfg(unix)]
pub mod soak;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod spread;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stack;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod step;
// Elsewhere somebody watches from outside.
#[cfg(any(target_arch = "wasm32", all(target_os = "linux", not(target_arch = "x86_64"))))]
#[path = "watched.rs"]
pub mod step;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod timed;
#[cfg(any(target_os = "linux", target_arch = "wasm32"))]
pub mod traces;
#[cfg(any(target_os = "linux", target_arch = "wasm32"))]
pub mod unpadding;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub mod valgrind;
pub mod welch;
pub mod work;
