//! A plugin of QEMU's emulation of user programs. It sees every instruction of the program and the address of
//! every access to memory, keeps them for the first of two runs, and says where the second one parts from it.
//!
//! The program tells where a run begins and ends by closing files of negative numbers
//! (`prove/src/watched.rs`), and reads what came of it from a file, whose path is the plugin's argument
//! `out=`. `cargo xtask traces-emulated` starts it: `qemu-aarch64 -plugin libcipherlane_watcher.so,out=FILE PROGRAM`.
#![deny(unsafe_code)]

#[cfg(target_os = "linux")]
pub mod plugin;
mod watch;

pub use watch::{Ended, Watch};
