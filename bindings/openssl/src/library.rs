//! Functions of the libcrypto that loaded the provider. There may be several in a process, and
//! none that is linked by its name: Node.js has its own inside, Python loads one out of sight.
//!
//! # Why it is sound
//! A function is looked up by its name and taken only where it lies in the same file as one that
//! libcrypto has handed to this provider itself.

use std::ffi::{CStr, c_void};

#[cfg(unix)]
mod system {
    use std::ffi::{CStr, c_char, c_int, c_void};
    use std::ptr;

    /// `Dl_info`.
    #[repr(C)]
    struct Info {
        file: *const c_char,
        base: *mut c_void,
        symbol: *const c_char,
        address: *mut c_void,
    }

    unsafe extern "C" {
        fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
        fn dladdr(address: *const c_void, info: *mut Info) -> c_int;
        fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
        fn dlclose(handle: *mut c_void) -> c_int;
    }

    /// `RTLD_LAZY | RTLD_NOLOAD`: only what is loaded already.
    #[cfg(target_os = "macos")]
    const LOADED: c_int = 0x1 | 0x10;
    #[cfg(not(target_os = "macos"))]
    const LOADED: c_int = 0x1 | 0x4;
    /// `RTLD_DEFAULT`.
    #[cfg(target_os = "macos")]
    const PROCESS: *mut c_void = ptr::without_provenance_mut(usize::MAX - 1);
    #[cfg(not(target_os = "macos"))]
    const PROCESS: *mut c_void = ptr::null_mut();

    fn info(address: *const c_void) -> Option<Info> {
        let none = ptr::null_mut();
        let mut info = Info { file: ptr::null(), base: none, symbol: ptr::null(), address: none };
        // SAFETY: any address may be asked for.
        let found = unsafe { dladdr(address, &raw mut info) };
        (found != 0).then_some(info)
    }

    pub(super) fn function(beside: *const c_void, name: &CStr) -> Option<*mut c_void> {
        let there = info(beside)?;
        // SAFETY: texts end with zeros. The file stays loaded: it has called us.
        let in_file = unsafe {
            let handle = dlopen(there.file, LOADED);
            if handle.is_null() {
                handle
            } else {
                let found = dlsym(handle, name.as_ptr());
                dlclose(handle);
                found
            }
        };
        // SAFETY: as above. A program that has libcrypto inside is no file that can be opened.
        let in_process = || unsafe { dlsym(PROCESS, name.as_ptr()) };
        let found = if in_file.is_null() { in_process() } else { in_file };
        let same =
            |found: &*mut c_void| info(found.cast_const()).is_some_and(|it| it.base == there.base);
        Some(found).filter(|found| !found.is_null()).filter(same)
    }
}

/// A function of the file in which another one lies.
#[cfg(unix)]
pub(crate) fn function(beside: *const c_void, name: &CStr) -> Option<*mut c_void> {
    system::function(beside, name)
}

/// Elsewhere there is no way that is known to work.
#[cfg(not(unix))]
pub(crate) fn function(_: *const c_void, _: &CStr) -> Option<*mut c_void> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_functions_of_the_same_file_are_found() {
        let known = function(std::ptr::null(), c"getpid");
        assert!(known.is_none(), "null lies nowhere");
        let ours = only_functions_of_the_same_file_are_found as *const c_void;
        assert!(function(ours, c"getpid").is_none(), "it lies in the C library");
    }
}
