//! Opening a peer's shared library: the one that is named, the one that was built into the
//! cache, or the system's.
#![expect(unsafe_code, reason = "opening a shared library runs its initialisers")]

use std::mem::ManuallyDrop;
use std::path::{Path, PathBuf};

use lab::LabError;
use libloading::Library;

/// An engine whose library is opened at run time.
#[derive(Clone, Copy)]
pub(crate) struct Peer {
    /// The engine's name.
    pub(crate) engine: &'static str,
    /// The names under which systems keep the library; none if only a built one counts.
    pub(crate) system: &'static [&'static str],
    /// Libraries it depends on, which are opened first where they lie beside it.
    pub(crate) beside: &'static [&'static str],
    /// What brings the library.
    pub(crate) how_to_get: &'static str,
}

/// A library that was opened, and stays so until the process ends: what it left for the
/// ends of threads would be called after it is gone.
pub(crate) struct Opened {
    /// The path or name it was opened by.
    pub(crate) path: PathBuf,
    library: ManuallyDrop<Library>,
}

impl Peer {
    /// Opens the library: `lib` if it is given, else one from the cache, else the system's.
    ///
    /// # Errors
    /// [`LabError::EngineMissing`] with what brings it.
    pub(crate) fn open(&self, lib: Option<&Path>) -> Result<Opened, LabError> {
        let paths = match lib {
            Some(path) => vec![path.to_path_buf()],
            None => {
                let built = recipes::library(self.engine);
                built.into_iter().chain(self.system.iter().map(PathBuf::from)).collect()
            }
        };
        let mut problem = None;
        for path in paths {
            let beside = self.beside.iter().map(|name| path.with_file_name(name));
            // SAFETY: the initialisers of the peers' libraries may run at any time; a file
            // that the user names instead is the user's word that the same holds for it.
            let opened = unsafe {
                let there = beside.filter(|path| path.is_absolute() && path.is_file());
                let mut beside = there.map(|path| Library::new(path).map(ManuallyDrop::new));
                beside
                    .try_for_each(|opened| opened.map(|_stays| ()))
                    .and_then(|()| Library::new(&path))
            };
            match opened {
                Ok(library) => {
                    let library = ManuallyDrop::new(library);
                    return Ok(Opened { path: crate::loaded_path(&path), library });
                }
                Err(error) => problem = problem.or(Some((path, error))),
            }
        }
        Err(self.missing(&match (lib, problem) {
            (Some(path), _) => format!("{} can't be opened as a shared library", path.display()),
            (None, Some((path, error))) if path.is_absolute() => {
                format!("{} can't be opened: {error}", path.display())
            }
            _ => "its library is not on this system".to_owned(),
        }))
    }

    /// The error of a library that isn't there or lacks a function.
    pub(crate) fn missing(&self, why: &str) -> LabError {
        LabError::EngineMissing {
            engine: self.engine.to_owned(),
            how_to_get: format!("{why}; {}", self.how_to_get),
        }
    }
}

impl Opened {
    /// The function of that name, at the type of the place it is put.
    ///
    /// # Safety
    /// The type must be that of the function.
    ///
    /// # Errors
    /// The name, if there is no such function.
    pub(crate) unsafe fn function<T: Copy>(&self, name: &'static str) -> Result<T, &'static str> {
        // SAFETY: the caller's.
        unsafe { self.library.get::<T>(name) }.map(|symbol| *symbol).map_err(|_| name)
    }
}
