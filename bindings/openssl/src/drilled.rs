//! Every cipher and MAC through the tables that OpenSSL calls, with each allocation refused, alone and with all
//! behind it: a failure that OpenSSL is told the reason of, no half result, nothing left.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

use reserve::drill;

use crate::core::{Algorithm, Dispatch, Param, entry};
use crate::host::Host;
use crate::names::{List, enough};
use crate::reason::Reason;
use crate::{cipher, instance, mac};

type New = unsafe extern "C" fn(*mut c_void) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Init =
    unsafe extern "C" fn(*mut c_void, *const u8, usize, *const u8, usize, *const Param) -> c_int;
type Update =
    unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize, *const u8, usize) -> c_int;
type Finish = unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int;
type Named = unsafe extern "C" fn(*mut Param) -> c_int;
type MacInit = unsafe extern "C" fn(*mut c_void, *const u8, usize, *const Param) -> c_int;
type MacUpdate = unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int;

thread_local! {
    /// The reason that was told last.
    static TOLD: Cell<u32> = const { Cell::new(0) };
    /// Whether that memory ran out was among them.
    static SHORT: Cell<bool> = const { Cell::new(false) };
}

unsafe extern "C" fn new_error(_: *const c_void) {}

unsafe extern "C" fn set_error(_: *const c_void, reason: u32, _: *const c_char, _: *mut c_void) {
    TOLD.set(reason);
    SHORT.set(SHORT.get() || reason == Reason::NoMemory as u32);
}

static CORE: [Dispatch; 3] = [
    entry!(5, new_error, unsafe extern "C" fn(*const c_void)),
    entry!(7, set_error, unsafe extern "C" fn(*const c_void, u32, *const c_char, *mut c_void)),
    Dispatch::END,
];

/// A function of a table, by the type that belongs to its number.
macro_rules! typed {
    ($table:expr, $number:expr, $type:ty) => {{
        let mut next = $table;
        // SAFETY: tables end with number 0; the functions of these numbers have these types.
        unsafe {
            while (*next).number != $number {
                assert!((*next).number != 0, "every table has it");
                next = next.add(1);
            }
            let found = (*next).function.expect("a function");
            std::mem::transmute::<unsafe extern "C" fn(), $type>(found)
        }
    }};
}

/// What a scenario did: what its calls returned, and what it wrote.
type Done = ([c_int; 12], [u8; 512]);

/// A message encrypted, its copy, and the same decrypted under the key set anew.
fn one_cipher(provider: *mut c_void, table: *const Dispatch) -> Done {
    let (new, free, duplicate) =
        (typed!(table, 1, New), typed!(table, 7, Free), typed!(table, 8, New));
    let inits = [typed!(table, 2, Init), typed!(table, 3, Init)];
    let (update, finish) = (typed!(table, 4, Update), typed!(table, 5, Finish));
    let named = typed!(table, 9, Named);
    let (mut key_len, mut iv_len) = (0_usize, 0_usize);
    let mut list = [
        Param::given(c"keylen", 2, (&raw mut key_len).cast(), 8),
        Param::given(c"ivlen", 2, (&raw mut iv_len).cast(), 8),
        Param::END,
    ];
    let (key, iv): ([u8; 64], _) = (std::array::from_fn(|at| at as u8), [9_u8; 64]);
    let (mut returned, mut out) = ([9; 12], [0; 512]);
    // SAFETY: the calls keep to what EVP promises, with buffers of the test's own.
    unsafe {
        assert_eq!(named(list.as_mut_ptr()), 1);
        let context = new(provider);
        returned[0] = c_int::from(!context.is_null());
        if context.is_null() {
            return (returned, out);
        }
        let (to, mut written) = (out.as_mut_ptr(), 0);
        let place = &raw mut written;
        for (encrypt, init) in inits.into_iter().enumerate() {
            let (at, room) = (to.add(250 * encrypt), returned.as_mut_ptr().add(1 + 5 * encrypt));
            *room = init(context, key.as_ptr(), key_len, iv.as_ptr(), iv_len, null());
            if *room == 0 {
                break;
            }
            *room.add(1) = update(context, null_mut(), place, 0, iv.as_ptr(), 13);
            *room.add(2) = update(context, at, place, 96, key.as_ptr(), 64);
            let copy = duplicate(context);
            *room.add(3) = c_int::from(!copy.is_null());
            free(copy);
            *room.add(4) = finish(context, at.add(100), place, 32);
        }
        free(context);
    }
    (returned, out)
}

/// A message, its copy, and another one.
fn one_mac(
    provider: *mut c_void,
    table: *const Dispatch,
    cipher: &'static CStr,
    key: usize,
) -> Done {
    let (new, duplicate, free) =
        (typed!(table, 1, New), typed!(table, 2, New), typed!(table, 3, Free));
    let (init, update) = (typed!(table, 4, MacInit), typed!(table, 5, MacUpdate));
    let finish = typed!(table, 6, Finish);
    let (bytes, mut iv) = ([3_u8; 32], [5_u8; 16]);
    let (mut returned, mut out) = ([9; 12], [0; 512]);
    // SAFETY: as above.
    unsafe {
        let context = new(provider);
        returned[0] = c_int::from(!context.is_null());
        if context.is_null() {
            return (returned, out);
        }
        for round in 0..2 {
            let list = [
                Param::given(c"cipher", 4, cipher.as_ptr().cast_mut().cast(), cipher.count_bytes()),
                Param::given(c"iv", 5, iv.as_mut_ptr().cast(), 16),
                Param::END,
            ];
            let list = list.as_ptr().add(usize::from(cipher.is_empty()));
            let room = returned.as_mut_ptr().add(1 + 5 * round);
            *room = init(context, bytes.as_ptr(), key, list);
            if *room == 0 {
                break;
            }
            *room.add(1) = update(context, bytes.as_ptr(), 25);
            let copy = duplicate(context);
            *room.add(2) = c_int::from(!copy.is_null());
            free(copy);
            let (mut written, at) = (0, out.as_mut_ptr().add(100 * round));
            *room.add(3) = finish(context, at, &raw mut written, 16);
            iv[0] += 1;
        }
        free(context);
    }
    (returned, out)
}

/// Runs a scenario with all memory, and then without.
fn drilled(name: &str, scenario: impl Fn() -> Done) -> [usize; 3] {
    let run = |succeed: usize, once: bool| {
        let before = drill::asked();
        SHORT.set(false);
        drill::begin(succeed, once);
        let done = scenario();
        drill::end();
        (done, drill::asked() - before)
    };
    run(usize::MAX, true);
    let (wanted, count) = run(usize::MAX, true);
    let (before, mut ends) = (drill::blocks(), [count, 0, 0]);
    for at in 0..count {
        for once in [true, false] {
            let (done, _) = run(at, once);
            let left = (reserve::in_use_here(), drill::blocks());
            let which = format!("{name}, allocation {at} of {count}, once: {once}: {done:?}");
            assert_eq!(left, (0, before), "{which}: in the reserve, blocks");
            if done == wanted {
                ends[1] += 1;
                continue;
            }
            ends[2] += 1;
            assert!(SHORT.get(), "{which}, and nothing was told");
            let first = done.0.iter().zip(wanted.0).find(|(is, was)| **is != *was);
            assert!(first.is_none_or(|(is, _)| matches!(is, 0 | 9)), "{which}");
            // A context that lost its key writes nothing of the message.
            for (is, was) in done.1.iter().zip(wanted.1) {
                assert!(*is == was || *is == 0, "{which}");
            }
        }
    }
    ends
}

/// A provider whose library context is the test's.
fn provider() -> *mut c_void {
    // SAFETY: a table that ends.
    let host = unsafe { Host::new(null(), CORE.as_ptr()) };
    instance::context(host).unwrap_or_else(|refused| panic!("{refused:?}"))
}

fn tables(list: *const Algorithm) -> Vec<*const Dispatch> {
    let mut next = list;
    // SAFETY: lists end with no names.
    std::iter::from_fn(|| unsafe {
        let algorithm = *next;
        next = next.add(1);
        (!algorithm.names.is_null()).then_some(algorithm.functions)
    })
    .collect()
}

#[test]
fn every_cipher_and_mac_fails_with_a_reason() {
    let (provider, mut all) = (provider(), [0; 3]);
    let mut add = |ends: [usize; 3]| (0..3).for_each(|at| all[at] += ends[at]);
    for (number, table) in tables(cipher::table::algorithms(true)).into_iter().enumerate() {
        let name = &crate::names::SPECS[number].names;
        add(drilled(name, || one_cipher(provider, table)));
    }
    let macs = tables(mac::algorithms());
    for (number, cipher, key) in
        [(0, c"SM4-CBC", 16), (1, c"AES-128-GCM", 16), (2, c"", 16), (3, c"", 32), (4, c"", 32)]
    {
        add(drilled(&format!("MAC {number}"), || one_mac(provider, macs[number], cipher, key)));
    }
    // SAFETY: nothing of it is left.
    unsafe { instance::teardown(provider) };
    let [count, whole, told] = all;
    println!("{count} allocations, {} runs, {whole} whole, {told} with a reason", whole + told);
    assert!(told > count, "most are of what is kept");
}

#[test]
fn what_runs_out_is_told_by_the_reason_that_openssl_has() {
    let provider = provider();
    let new = typed!(tables(mac::algorithms())[0], 1, New);
    drill::begin(0, false);
    // SAFETY: a provider that lives.
    let made = unsafe { new(provider) };
    drill::end();
    assert!(made.is_null());
    assert_eq!((TOLD.get(), Reason::NoMemory as u32), (0xc_0100, 0xc_0100));
    // SAFETY: nothing of it is left.
    unsafe { instance::teardown(provider) };
}

#[test]
fn a_list_is_made_when_there_is_memory() {
    static TEXTS: List<String> = List::new(|watch| {
        let mut texts = Vec::new();
        for number in 0..5000 {
            texts.push(format!("a text that is long enough to be one, {number}"));
            enough(watch)?;
        }
        Ok(texts)
    });
    for succeed in [0, 1, 100, 3000] {
        drill::begin(succeed, false);
        let made = TEXTS.made().map(<[String]>::len).map_err(|refused| refused.reason);
        let empty = TEXTS.is_empty();
        drill::end();
        assert!(made == Err(Reason::NoMemory) && empty, "{succeed}: {made:?}");
        assert_eq!(reserve::in_use_here(), 0);
    }
    assert_eq!(TEXTS.len(), 5000);
}
