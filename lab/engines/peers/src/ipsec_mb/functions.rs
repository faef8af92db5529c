//! The functions of our C interface, `lab/engines/ipsec-mb/shim.c`.

use std::ffi::{CStr, c_char, c_int, c_void};

use lab::work::Fault;

use super::packets::Part;
use crate::shared_library::Opened;

/// The number of the interface that is spoken here; that of shim.c.
const INTERFACE: u32 = 3;

type Pointers = *const *const u8;
type Outputs = *const *mut u8;

/// The functions, with a manager that they work on.
pub(super) struct Functions {
    pub(super) manager: *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    eea3_one:
        unsafe extern "C" fn(*mut c_void, *const u8, *const u8, *const u8, *mut u8, u32) -> c_int,
    eea3: unsafe extern "C" fn(
        *mut c_void,
        Pointers,
        Pointers,
        Pointers,
        Outputs,
        *const u32,
        u32,
    ) -> c_int,
    eia3: unsafe extern "C" fn(
        *mut c_void,
        Pointers,
        Pointers,
        Pointers,
        *const u32,
        Outputs,
        u32,
    ) -> c_int,
    jobs: unsafe extern "C" fn(
        *mut c_void,
        u32,
        u32,
        u32,
        Pointers,
        Pointers,
        Pointers,
        Outputs,
        *const u32,
        Outputs,
        u32,
    ) -> c_int,
    snow3g: unsafe extern "C" fn(
        *mut c_void,
        u32,
        Pointers,
        Pointers,
        Pointers,
        Outputs,
        *const u32,
        Outputs,
        u32,
    ) -> c_int,
    /// The version of the library with the instructions that it chose.
    pub(super) version: String,
}

impl Drop for Functions {
    fn drop(&mut self) {
        // SAFETY: the manager was made by the interface and is freed once.
        unsafe { (self.free)(self.manager) }
    }
}

/// The keys and IVs that a function is given.
#[derive(Clone, Copy)]
pub(super) struct Lengths {
    pub(super) key: u32,
    pub(super) iv: u32,
    /// 0 for encryption.
    pub(super) tag: u32,
}

impl Functions {
    /// Finds the functions and makes a manager.
    ///
    /// # Errors
    /// What is lacking, in one line.
    pub(super) fn bind(opened: &Opened) -> Result<Self, String> {
        let lacks = |name| format!("the library has no function {name}");
        // SAFETY: the types are those of shim.c; the functions that are called take nothing,
        // or the manager that was made, and their texts are static.
        unsafe {
            let interface: unsafe extern "C" fn() -> u32 =
                opened.function("cipherlane_ipsec_mb_interface").map_err(lacks)?;
            let found = interface();
            if found != INTERFACE {
                return Err(format!(
                    "{} has interface {found}, not {INTERFACE}: build it anew with `cipherlane \
                     engines build ipsec-mb --force`",
                    opened.path.display()
                ));
            }
            let version: unsafe extern "C" fn() -> *const c_char =
                opened.function("cipherlane_ipsec_mb_version").map_err(lacks)?;
            let new: unsafe extern "C" fn() -> *mut c_void =
                opened.function("cipherlane_ipsec_mb_new").map_err(lacks)?;
            let arch: unsafe extern "C" fn(*const c_void) -> *const c_char =
                opened.function("cipherlane_ipsec_mb_arch").map_err(lacks)?;
            let free = opened.function("cipherlane_ipsec_mb_free").map_err(lacks)?;
            let eea3_one = opened.function("cipherlane_ipsec_mb_eea3_one").map_err(lacks)?;
            let eea3 = opened.function("cipherlane_ipsec_mb_eea3").map_err(lacks)?;
            let eia3 = opened.function("cipherlane_ipsec_mb_eia3").map_err(lacks)?;
            let jobs = opened.function("cipherlane_ipsec_mb_jobs").map_err(lacks)?;
            let snow3g = opened.function("cipherlane_ipsec_mb_snow3g").map_err(lacks)?;
            let manager = new();
            if manager.is_null() {
                return Err("alloc_mb_mgr and init_mb_mgr_auto failed on this CPU".to_owned());
            }
            let text = |text: *const c_char| CStr::from_ptr(text).to_string_lossy().into_owned();
            let version = format!("{} ({})", text(version()), text(arch(manager)));
            Ok(Self { manager, free, eea3_one, eea3, eia3, jobs, snow3g, version })
        }
    }

    /// 64 bytes of the keystream that the one-buffer function gives, for a look at its fault.
    pub(super) fn one_buffer(&self, key: &[u8; 16], iv: &[u8; 16]) -> Result<[u8; 64], Fault> {
        let mut data = [0; 64];
        let (input, output) = (data.as_ptr(), data.as_mut_ptr());
        // SAFETY: key, IV and data have the lengths that the function takes; in place.
        let done =
            unsafe { (self.eea3_one)(self.manager, key.as_ptr(), iv.as_ptr(), input, output, 64) };
        if done == 0 { Ok(data) } else { Err("IMB_ZUC_EEA3_1_BUFFER") }
    }

    /// 128-EEA3 by the N-buffer function.
    #[inline]
    pub(super) fn eea3(&self, it: Part) -> Result<(), Fault> {
        // SAFETY: every packet has a key and an IV of 16 bytes, and an input and an output of
        // its length, the same or disjoint.
        let done = unsafe {
            (self.eea3)(self.manager, it.keys, it.ivs, it.inputs, it.outputs, it.bytes, it.count)
        };
        if done == 0 { Ok(()) } else { Err("IMB_ZUC_EEA3_N_BUFFER") }
    }

    /// 128-EIA3 by the N-buffer function.
    #[inline]
    pub(super) fn eia3(&self, it: Part) -> Result<(), Fault> {
        // SAFETY: as above; every tag has room for 4 bytes.
        let done = unsafe {
            (self.eia3)(self.manager, it.keys, it.ivs, it.inputs, it.bits, it.tags, it.count)
        };
        if done == 0 { Ok(()) } else { Err("IMB_ZUC_EIA3_N_BUFFER") }
    }

    /// UEA2 of SNOW 3G, or with a tag of 4 bytes UIA2.
    #[inline]
    pub(super) fn snow3g(&self, tag: u32, it: Part) -> Result<(), Fault> {
        // SAFETY: every packet has a key and an IV of 16 bytes, an input and an output of its
        // length, the same or disjoint, and for UIA2 room for a tag of 4 bytes.
        let done = unsafe {
            (self.snow3g)(
                self.manager,
                tag,
                it.keys,
                it.ivs,
                it.inputs,
                it.outputs,
                it.bytes,
                it.tags,
                it.count,
            )
        };
        let function = if tag == 0 { "IMB_SNOW3G_F8" } else { "IMB_SNOW3G_F9" };
        if done == 0 { Ok(()) } else { Err(function) }
    }

    /// Encryption or a MAC by jobs.
    #[inline]
    pub(super) fn jobs(&self, lengths: Lengths, it: Part) -> Result<(), Fault> {
        // SAFETY: keys, IVs and tags have these lengths; every packet has an input and an
        // output of its length, from 1 byte to the most that a job takes, the same or disjoint.
        let done = unsafe {
            (self.jobs)(
                self.manager,
                lengths.key,
                lengths.iv,
                lengths.tag,
                it.keys,
                it.ivs,
                it.inputs,
                it.outputs,
                it.bytes,
                it.tags,
                it.count,
            )
        };
        if done == 0 { Ok(()) } else { Err("IMB_SUBMIT_JOB_NOCHECK") }
    }
}
