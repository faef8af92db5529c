//! The built-in engines: `cipherlane` itself and its peers, one file each.
//!
//! All of them stand behind [`lab::work::Engine`] and are measured by one loop. A new
//! peer is a file beside these and an entry in `catalogue.rs`.
#![deny(unsafe_code)]

use std::io;
use std::path::{Path, PathBuf};

use catalogue::Server;
use lab::LabError;

pub mod ages;
mod botan;
mod bouncycastle;
mod c;
mod canary;
pub mod catalogue;
mod cipherlane;
mod gmsm;
mod hexadecimal;
mod i686;
mod ipp;
mod ipsec_mb;
mod java;
mod ladder_c;
mod ladder_java;
mod libgcrypt;
mod libtomcrypt;
mod memory;
mod openssl;
mod peer_operations;
pub mod probes;
mod program;
mod python;
mod rustcrypto;
mod session;
mod shared_library;
mod shim;

/// Serves the engine of that name on standard input and output until the input ends.
/// `lib` is the shared library to open instead of the system's, for engines that open one, or
/// the program to start instead of the one in the cache, for engines that are one.
///
/// # Errors
/// [`LabError::EngineMissing`] if there is no such engine or its library can't be opened;
/// [`LabError::Io`] if a pipe breaks.
pub fn serve(name: &str, lib: Option<&Path>) -> Result<(), LabError> {
    match catalogue::open(name, lib)? {
        Server::Linked(engine) => {
            lab::serve::serve(&*engine, &canary::load, io::stdin().lock(), io::stdout().lock())
        }
        Server::Program(program) => program.serve(),
    }
}

/// How the built-in libraries were compiled.
fn build() -> String {
    env!("PEERS_BUILD").to_owned()
}

/// The program itself, where the built-in libraries are.
fn own_path() -> String {
    std::env::current_exe().map(|path| path.display().to_string()).unwrap_or_default()
}

/// The full path of a loaded library, where the system tells; else the name it was opened by.
fn loaded_path(opened: &Path) -> PathBuf {
    if opened.is_absolute() {
        return opened.to_path_buf();
    }
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let name = opened.file_name().map(|name| name.to_string_lossy().into_owned());
    let paths = maps.lines().filter_map(|line| line.find('/').map(|at| Path::new(&line[at..])));
    let found = paths.into_iter().find(|path| {
        let loaded = path.file_name().map(|file| file.to_string_lossy().into_owned());
        loaded.zip(name.as_deref()).is_some_and(|(loaded, name)| loaded.starts_with(name))
    });
    found.map_or_else(|| opened.to_path_buf(), Path::to_path_buf)
}
