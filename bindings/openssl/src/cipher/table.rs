//! The tables of functions. OpenSSL passes no word about which cipher it asks for, so each has
//! functions of its own, made by number.

use std::ffi::{CString, c_int, c_void};

use super::{
    decrypt_init, duplicate, encrypt_init, finish, free_context, get_context_params, get_params,
    new_context, once, pipeline_calls, set_context_params, update,
};
use crate::Outcome;
use crate::core::{Algorithm, Dispatch, Param, entry};
use crate::names::{self, List, SPECS, Spec};

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

/// Names and titles with zeros behind them, in the order of the ciphers.
static TEXTS: List<[CString; 2]> = List::new(|watch| {
    let mut texts = Vec::new();
    for spec in SPECS.made()? {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        texts.push([text(&spec.names), text(spec.title)]);
        names::enough(watch)?;
    }
    Ok(texts)
});

/// The list without ciphers of old.
static USUAL: List<Algorithm> = List::new(|_| entries(|spec| !spec.is_legacy()));
/// The list with them.
static ALL: List<Algorithm> = List::new(|_| entries(|_| true));

fn entries(wanted: fn(&Spec) -> bool) -> Outcome<Vec<Algorithm>> {
    let mut entries = Vec::new();
    for (number, (spec, [names, title])) in SPECS.made()?.iter().zip(TEXTS.made()?).enumerate() {
        if !wanted(spec) {
            continue;
        }
        let piped = super::AnyWork::new(spec).pipe().is_some();
        let functions = if piped { &WITH_PIPES } else { &WITHOUT_PIPES };
        entries.push(Algorithm {
            names: names.as_ptr(),
            properties: c"provider=cipherlane".as_ptr(),
            functions: functions[number].as_ptr(),
            description: title.as_ptr(),
        });
    }
    entries.push(Algorithm::END);
    Ok(entries)
}

/// Makes all lists that a provider tells.
///
/// # Errors
/// That there is no memory for them.
pub(crate) fn prepare() -> Outcome {
    USUAL.made()?;
    ALL.made()?;
    names::NAMES.made()?;
    Ok(())
}

/// The list of ciphers.
pub(crate) fn algorithms(legacy: bool) -> *const Algorithm {
    // A list ends with an entry that says so: an empty one was not made.
    let list: &[Algorithm] = if legacy { &ALL } else { &USUAL };
    list.first().map_or(std::ptr::null(), std::ptr::from_ref)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_every_cipher() {
        assert!(SPECS.len() <= ROOM, "{} ciphers", SPECS.len());
    }
}
