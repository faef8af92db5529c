//! ECB, CBC, CFB, OFB, CTR and XTS of sixteen messages.

use std::ffi::c_int;

use lab::work::Fault;

use super::lanes::{LANES, Lanes};
use super::{CryptoMb, Status, done};
use crate::peer_operations::{Mode, Operation};

/// `mbx_sm4_key_schedule`: 32 round keys of sixteen lanes each.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Schedule([[u32; LANES]; 32]);

/// The schedules of a group: for data, and for the tweaks of XTS.
pub(super) type Schedules = [Schedule; 2];

type SetKey = unsafe extern "C" fn(*mut Schedule, *const *const u8) -> Status;
type SetKeys = unsafe extern "C" fn(*mut Schedule, *mut Schedule, *const *const u8) -> Status;
type Ecb =
    unsafe extern "C" fn(*const *mut u8, *const *const u8, *const c_int, *const Schedule) -> Status;
/// CBC and CFB, which leave their IVs as they were.
type Reading = unsafe extern "C" fn(
    *const *mut u8,
    *const *const u8,
    *const c_int,
    *const Schedule,
    *const *const u8,
) -> Status;
/// CTR and OFB, which write into their IVs.
type Writing = unsafe extern "C" fn(
    *const *mut u8,
    *const *const u8,
    *const c_int,
    *const Schedule,
    *const *mut u8,
) -> Status;
type Xts = unsafe extern "C" fn(
    *const *mut u8,
    *const *const u8,
    *const c_int,
    *const Schedule,
    *const Schedule,
    *const *const u8,
) -> Status;

/// The length of an IV in bytes.
const BLOCK: usize = 16;

#[derive(Clone, Copy)]
enum Call {
    Ecb(Ecb),
    Reading(Reading),
    Writing(Writing),
    Xts(SetKeys, Xts),
}

/// A mode with its functions.
pub(super) struct Blocks {
    set_key: SetKey,
    call: Call,
    name: &'static str,
}

impl Blocks {
    /// Finds the functions of an operation.
    pub(super) fn bind(library: &CryptoMb, operation: &Operation) -> Result<Self, String> {
        let name = match (operation.mode, operation.encrypt) {
            (Mode::Cbc, true) => "mbx_sm4_encrypt_cbc_mb16",
            (Mode::Cbc, false) => "mbx_sm4_decrypt_cbc_mb16",
            (Mode::Cfb, true) => "mbx_sm4_encrypt_cfb128_mb16",
            (Mode::Cfb, false) => "mbx_sm4_decrypt_cfb128_mb16",
            (Mode::Ofb, _) => "mbx_sm4_encrypt_ofb_mb16",
            (Mode::Ctr, _) => "mbx_sm4_encrypt_ctr128_mb16",
            (Mode::Xts, true) => "mbx_sm4_xts_encrypt_mb16",
            (Mode::Xts, false) => "mbx_sm4_xts_decrypt_mb16",
            (_, true) => "mbx_sm4_encrypt_ecb_mb16",
            (_, false) => "mbx_sm4_decrypt_ecb_mb16",
        };
        let call = match operation.mode {
            Mode::Cbc | Mode::Cfb => Call::Reading(library.function(name)?),
            Mode::Ofb | Mode::Ctr => Call::Writing(library.function(name)?),
            Mode::Xts => {
                Call::Xts(library.function("mbx_sm4_xts_set_keys_mb16")?, library.function(name)?)
            }
            _ => Call::Ecb(library.function(name)?),
        };
        Ok(Self { set_key: library.function("mbx_sm4_set_key_mb16")?, call, name })
    }

    /// Room for the keys of a group.
    pub(super) fn no_keys(&self) -> Schedules {
        [Schedule([[0; LANES]; 32]); 2]
    }

    /// Sets the keys of a group.
    #[inline]
    pub(super) fn set(&self, keys: &mut Schedules, lanes: &Lanes) -> Result<(), Fault> {
        let [data, tweak] = keys;
        // SAFETY: there is room for one or two schedules; every key has the length that the
        // operation was offered with.
        let status = unsafe {
            match self.call {
                Call::Xts(set_keys, _) => set_keys(data, tweak, lanes.key.as_ptr()),
                _ => (self.set_key)(data, lanes.key.as_ptr()),
            }
        };
        done(status, lanes.count, "mbx_sm4_set_key_mb16")
    }

    /// Processes the messages of a group.
    #[inline]
    pub(super) fn apply(&self, keys: &Schedules, lanes: &Lanes) -> Result<(), Fault> {
        let (output, input) = (lanes.output.as_ptr(), lanes.input.as_ptr());
        let (length, iv) = (lanes.length.as_ptr(), lanes.iv.as_ptr());
        let [data, tweak] = keys;
        // SAFETY: every lane in use has an input and an output of its length, the same or
        // disjoint, and an IV of the length that the operation was offered with; the others
        // are null. The keys were set.
        let status = unsafe {
            match self.call {
                Call::Ecb(call) => call(output, input, length, data),
                Call::Reading(call) => call(output, input, length, data, iv),
                Call::Writing(call) => {
                    let mut copies = [[0; BLOCK]; LANES];
                    let mut to = [std::ptr::null_mut(); LANES];
                    for lane in 0..lanes.count {
                        to[lane] = copies[lane].as_mut_ptr();
                        lanes.iv[lane].copy_to_nonoverlapping(to[lane], BLOCK);
                    }
                    call(output, input, length, data, to.as_ptr())
                }
                Call::Xts(_, call) => call(output, input, length, data, tweak, iv),
            }
        };
        done(status, lanes.count, self.name)
    }
}
