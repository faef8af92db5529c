//! The tables of functions. OpenSSL passes no word about which cipher it asks for, so each has
//! functions of its own, made by number.

use std::ffi::{CString, c_int, c_void};
use std::sync::LazyLock;

use super::{
    decrypt_init, duplicate, encrypt_init, finish, free_context, get_context_params, get_params,
    new_context, once, pipeline_calls, set_context_params, update,
};
use crate::core::{Algorithm, Dispatch, Param, entry};
use crate::names::{SPECS, Spec};

type NewContext = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type FreeContext = unsafe extern "C" fn(*mut c_void);
type Init =
    unsafe extern "C" fn(*mut c_void, *const u8, usize, *const u8, usize, *const Param) -> c_int;
type Update =
    unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize, *const u8, usize) -> c_int;
type Finish = unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int;
type GetParams = unsafe extern "C" fn(*mut Param) -> c_int;
type GetContext = unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int;
type SetContext = unsafe extern "C" fn(*mut c_void, *const Param) -> c_int;
type Gettable = unsafe extern "C" fn(*mut c_void) -> *const Param;
type OfContext = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *const Param;
type PipeInit = unsafe extern "C" fn(
    *mut c_void,
    *const u8,
    usize,
    usize,
    *const *const u8,
    usize,
    *const Param,
) -> c_int;
type PipeUpdate = unsafe extern "C" fn(
    *mut c_void,
    usize,
    *const *mut u8,
    *mut usize,
    *const usize,
    *const *const u8,
    *const usize,
) -> c_int;
type PipeFinish =
    unsafe extern "C" fn(*mut c_void, usize, *const *mut u8, *mut usize, *const usize) -> c_int;

static GETTABLE: [Param; 11] = [
    Param::flag(c"mode"),
    Param::number(c"keylen"),
    Param::number(c"ivlen"),
    Param::number(c"blocksize"),
    Param::flag(c"aead"),
    Param::flag(c"custom-iv"),
    Param::flag(c"cts"),
    Param::flag(c"tls-multi"),
    Param::flag(c"has-randkey"),
    Param::flag(c"encrypt-then-mac"),
    Param::END,
];

static GETTABLE_OF_CONTEXT: [Param; 17] = [
    Param::number(c"keylen"),
    Param::number(c"ivlen"),
    Param::flag(c"padding"),
    Param::flag(c"num"),
    Param::bytes(c"iv"),
    Param::bytes(c"updated-iv"),
    Param::bytes(c"tag"),
    Param::number(c"taglen"),
    Param::number(c"tlsaadpad"),
    Param::bytes(c"tlsivgen"),
    Param::flag(c"iv-generated"),
    Param::pointer(c"tls-mac"),
    Param::number(c"keybits"),
    Param::flag(c"rounds"),
    Param::pointer(c"pipeline-tag"),
    Param::number(c"tls-mac-size"),
    Param::END,
];

static SETTABLE_OF_CONTEXT: [Param; 16] = [
    Param::number(c"keylen"),
    Param::number(c"ivlen"),
    Param::flag(c"padding"),
    Param::flag(c"num"),
    Param::bytes(c"tag"),
    Param::bytes(c"tlsaad"),
    Param::bytes(c"tlsivfixed"),
    Param::bytes(c"tlsivinv"),
    Param::flag(c"tls-version"),
    Param::number(c"tls-mac-size"),
    Param::text(c"xts_standard"),
    Param::number(c"keybits"),
    Param::flag(c"rounds"),
    Param::flag(c"speed"),
    Param::pointer(c"pipeline-tag"),
    Param::END,
];

unsafe extern "C" fn gettable(_: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn gettable_of_context(_: *mut c_void, _: *mut c_void) -> *const Param {
    GETTABLE_OF_CONTEXT.as_ptr()
}

unsafe extern "C" fn settable_of_context(_: *mut c_void, _: *mut c_void) -> *const Param {
    SETTABLE_OF_CONTEXT.as_ptr()
}

/// The functions of the cipher of that number; the last four are of pipelines.
const fn functions<const N: usize>() -> [Dispatch; 19] {
    [
        entry!(1, new_context::<N>, NewContext),
        entry!(2, encrypt_init, Init),
        entry!(3, decrypt_init, Init),
        entry!(4, update, Update),
        entry!(5, finish, Finish),
        entry!(6, once, Update),
        entry!(7, free_context, FreeContext),
        entry!(8, duplicate, NewContext),
        entry!(9, get_params::<N>, GetParams),
        entry!(10, get_context_params, GetContext),
        entry!(11, set_context_params, SetContext),
        entry!(12, gettable, Gettable),
        entry!(13, gettable_of_context, OfContext),
        entry!(14, settable_of_context, OfContext),
        entry!(15, pipeline_calls::encrypt_init, PipeInit),
        entry!(16, pipeline_calls::decrypt_init, PipeInit),
        entry!(17, pipeline_calls::update, PipeUpdate),
        entry!(18, pipeline_calls::finish, PipeFinish),
        Dispatch::END,
    ]
}

/// The same without pipelines, for modes that have none.
const fn without_pipes<const N: usize>() -> [Dispatch; 19] {
    let mut functions = functions::<N>();
    functions[14] = Dispatch::END;
    functions
}

macro_rules! tables {
    ($functions:ident, $($ten:literal)*) => {
        [$(
            $functions::<{ 10 * $ten }>(), $functions::<{ 10 * $ten + 1 }>(),
            $functions::<{ 10 * $ten + 2 }>(), $functions::<{ 10 * $ten + 3 }>(),
            $functions::<{ 10 * $ten + 4 }>(), $functions::<{ 10 * $ten + 5 }>(),
            $functions::<{ 10 * $ten + 6 }>(), $functions::<{ 10 * $ten + 7 }>(),
            $functions::<{ 10 * $ten + 8 }>(), $functions::<{ 10 * $ten + 9 }>(),
        )*]
    };
}

/// Room for as many ciphers.
const ROOM: usize = 120;
static WITH_PIPES: [[Dispatch; 19]; ROOM] = tables!(functions, 0 1 2 3 4 5 6 7 8 9 10 11);
static WITHOUT_PIPES: [[Dispatch; 19]; ROOM] = tables!(without_pipes, 0 1 2 3 4 5 6 7 8 9 10 11);

/// The lists without ciphers of old, and with them.
static ALGORITHMS: LazyLock<[Vec<Algorithm>; 2]> = LazyLock::new(|| {
    let all: Vec<_> =
        SPECS.iter().zip(WITH_PIPES.iter().zip(&WITHOUT_PIPES)).map(entry_of).collect();
    let usual = SPECS.iter().zip(&all).filter(|(spec, _)| !spec.is_legacy()).map(|it| *it.1);
    let usual = usual.chain([Algorithm::END]).collect();
    [usual, all.into_iter().chain([Algorithm::END]).collect()]
});

fn entry_of(
    (spec, (with, without)): (&'static Spec, (&'static [Dispatch; 19], &'static [Dispatch; 19])),
) -> Algorithm {
    let piped = super::AnyWork::new(spec).pipe().is_some();
    // Texts for the life of the process.
    let text = |text: &str| CString::new(text).unwrap_or_default().into_raw().cast_const();
    Algorithm {
        names: text(&spec.names),
        properties: c"provider=cipherlane".as_ptr(),
        functions: if piped { with } else { without }.as_ptr(),
        description: text(spec.title),
    }
}

/// The list of ciphers.
pub(crate) fn algorithms(legacy: bool) -> *const Algorithm {
    ALGORITHMS[usize::from(legacy)].as_ptr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_every_cipher() {
        assert!(SPECS.len() <= ROOM, "{} ciphers", SPECS.len());
    }
}
