//! MACs: CMAC and GMAC over any block cipher, EIA3, the MAC of ZUC-256, and 256-NIA6.

use std::ffi::{CStr, c_int, c_void};

use crate::core::{Algorithm, Dispatch, Param, Params, entry};
use crate::reason::Reason;
use crate::{Outcome, answer_or, instance, memory};

mod context;
mod elsewhere;
mod running;

use context::Context;
use running::Kind;

/// In the order of their numbers.
const KINDS: [Kind; 5] = [Kind::Cmac, Kind::Gmac, Kind::Eia3, Kind::Zuc256, Kind::Nia6];

/// Does what a call asks of a context, and puts a failure in the queue of its library context.
///
/// # Safety
/// The context is OpenSSL's, which nothing else uses throughout the call.
unsafe fn with(
    context: *mut c_void,
    call: &CStr,
    work: impl FnOnce(&mut Context) -> Outcome,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let context = context.cast::<Context>();
        let Some(host) = context.as_ref().map(|it| it.host) else { return 0 };
        // The borrows follow each other.
        answer_or(host, call, || (*context).begin_anew(), || work(&mut *context))
    }
}

unsafe extern "C" fn new_context<const N: usize>(provider: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL's promise: what this provider gave out.
    let host = unsafe { instance::host(provider) };
    memory::hand_out(host, c"newctx", || {
        let kind = *KINDS.get(N).ok_or(Reason::Internal)?;
        // SAFETY: OpenSSL's promise: what this provider gave out.
        Ok(Box::new(unsafe { Context::new(kind, provider) }))
    })
}

unsafe extern "C" fn free_context(context: *mut c_void) {
    // SAFETY: OpenSSL's promise.
    unsafe { memory::free::<Context>(context) }
}

unsafe extern "C" fn duplicate(context: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL's promise.
    let Some(context) = (unsafe { context.cast::<Context>().as_ref() }) else {
        return std::ptr::null_mut();
    };
    memory::hand_out(context.host, c"dupctx", || Ok(Box::new(context.duplicate()?)))
}

unsafe extern "C" fn init(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    unsafe {
        with(context, c"init", |context| {
            let key = if key.is_null() { None } else { Some(memory::input(key, key_length)?) };
            context.init(key, Params::new(list.cast_mut()))
        })
    }
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, length: usize) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe { with(context, c"update", |context| context.update(memory::input(data, length)?)) }
}

unsafe extern "C" fn finish(
    context: *mut c_void,
    output: *mut u8,
    written: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe {
        let mut count = 0;
        let done = with(context, c"final", |context| {
            count = context.finish(output, room)?;
            memory::put(written, count)
        });
        if done == 0 && count != 0 {
            memory::take_back(output, count, written);
        }
        done
    }
}

unsafe extern "C" fn get_context_params(context: *mut c_void, list: *mut Param) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe { with(context, c"get_ctx_params", |context| context.get(Params::new(list))) }
}

unsafe extern "C" fn set_context_params(context: *mut c_void, list: *const Param) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    unsafe { with(context, c"set_ctx_params", |context| context.set(Params::new(list.cast_mut()))) }
}

static GETTABLE: [Param; 3] = [Param::number(c"size"), Param::number(c"block-size"), Param::END];

static SETTABLE: [Param; 6] = [
    Param::text(c"cipher"),
    Param::text(c"properties"),
    Param::bytes(c"key"),
    Param::bytes(c"iv"),
    Param::number(c"size"),
    Param::END,
];

unsafe extern "C" fn gettable(_: *mut c_void, _: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn settable(_: *mut c_void, _: *mut c_void) -> *const Param {
    SETTABLE.as_ptr()
}

type OfContext = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *const Param;
type NewContext = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

const fn functions<const N: usize>() -> [Dispatch; 11] {
    [
        entry!(1, new_context::<N>, NewContext),
        entry!(2, duplicate, NewContext),
        entry!(3, free_context, unsafe extern "C" fn(*mut c_void)),
        entry!(4, init, unsafe extern "C" fn(*mut c_void, *const u8, usize, *const Param) -> c_int),
        entry!(5, update, unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int),
        entry!(6, finish, unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int),
        entry!(8, get_context_params, unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int),
        entry!(9, set_context_params, unsafe extern "C" fn(*mut c_void, *const Param) -> c_int),
        entry!(11, gettable, OfContext),
        entry!(12, settable, OfContext),
        Dispatch::END,
    ]
}

static FUNCTIONS: [[Dispatch; 11]; KINDS.len()] =
    [functions::<0>(), functions::<1>(), functions::<2>(), functions::<3>(), functions::<4>()];

static ALGORITHMS: [Algorithm; KINDS.len() + 1] = {
    const NAMES: [(&std::ffi::CStr, &std::ffi::CStr); KINDS.len()] = [
        (c"CMAC", c"CMAC over a block cipher"),
        (c"GMAC:1.0.9797.3.4", c"GMAC over a block cipher"),
        (c"EIA3:128-EIA3:ZUC-128-EIA3", c"128-EIA3 of 3GPP"),
        (c"ZUC-256-MAC", c"The MAC of ZUC-256 (2018)"),
        (c"NIA6:256-NIA6", c"256-NIA6 of 3GPP"),
    ];
    let mut list = [Algorithm::END; KINDS.len() + 1];
    let mut number = 0;
    while number < KINDS.len() {
        list[number] = Algorithm {
            names: NAMES[number].0.as_ptr(),
            properties: c"provider=cipherlane".as_ptr(),
            functions: FUNCTIONS[number].as_ptr(),
            description: NAMES[number].1.as_ptr(),
        };
        number += 1;
    }
    list
};

/// The list of MACs.
pub(crate) const fn algorithms() -> *const Algorithm {
    ALGORITHMS.as_ptr()
}
