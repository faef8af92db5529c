//! Failures stand in the queue of errors, under the codes of the default provider.

use std::ffi::{CStr, c_char, c_int, c_ulong};
use std::ptr;

use crate::library::{Context, Library, bytes, library};
use crate::{DEFAULT, OURS};

/// An error of the queue: its library, its reason, the reason's text, and what was wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    library: c_ulong,
    reason: c_ulong,
    text: String,
    data: String,
}

/// `ERR_LIB_PROV`.
const PROV: c_ulong = 57;

fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

/// Takes all that is in the queue of this thread.
fn queue(library: &Library) -> Vec<Entry> {
    type Get = unsafe extern "C" fn(
        *mut *const c_char,
        *mut c_int,
        *mut *const c_char,
        *mut *const c_char,
        *mut c_int,
    ) -> c_ulong;
    let (get, words): (Get, unsafe extern "C" fn(c_ulong) -> *const c_char) =
        unsafe { (library.get(b"ERR_get_error_all"), library.get(b"ERR_reason_error_string")) };
    let mut entries = Vec::new();
    loop {
        let (mut file, mut call, mut data) = (ptr::null(), ptr::null(), ptr::null());
        let (mut line, mut flags) = (0, 0);
        unsafe {
            let (file, call, data_at) = (&raw mut file, &raw mut call, &raw mut data);
            let code = get(file, &raw mut line, call, data_at, &raw mut flags);
            if code == 0 {
                return entries;
            }
            entries.push(Entry {
                library: code >> 23 & 0xff,
                reason: code & 0x7f_ffff,
                text: text(words(code)),
                data: text(data),
            });
        }
    }
}

/// What a failing call leaves in the queue.
fn left_by(library: &Library, call: impl FnOnce() -> bool) -> Vec<Entry> {
    _ = queue(library);
    assert!(!call(), "the call succeeds");
    queue(library)
}

/// A context with a key and an IV.
fn ready<'l>(library: &'l Library, name: &str, from: &str, encrypt: bool) -> Context<'l> {
    let context = Context::new(library, name, from);
    assert!(context.init(encrypt, None, None), "{name}");
    assert!(context.init(encrypt, Some(&bytes(context.key_length())), Some(&bytes(16))), "{name}");
    context
}

#[test]
fn the_codes_are_those_of_the_default_provider() {
    let Some(library) = library() else { return };
    for name in ["AES-128-CBC", "SM4-CBC", "AES-256-ECB"] {
        let codes = |from: &str| {
            let padding = ready(library, name, from, false);
            assert!(padding.update(&bytes(32)).is_some());
            let blocks = ready(library, name, from, false);
            assert!(blocks.update(&bytes(33)).is_some());
            let key = Context::new(library, name, from);
            assert!(key.init(true, None, None));
            let entries = [
                left_by(library, || padding.finish().is_some()),
                left_by(library, || blocks.finish().is_some()),
                left_by(library, || key.update(&bytes(16)).is_some()),
            ];
            entries.map(|entries| {
                let first = entries.first().cloned().expect("an error");
                (first.library, first.reason, first.text)
            })
        };
        let ours = codes(OURS);
        assert_eq!(ours, codes(DEFAULT), "{name}");
        let expected =
            [(100, "bad decrypt"), (107, "wrong final block length"), (114, "no key set")];
        assert_eq!(ours, expected.map(|(code, text)| (PROV, code, text.to_owned())), "{name}");
    }
}

#[test]
fn what_was_wrong_is_told() {
    let Some(library) = library() else { return };
    let context = ready(library, "SM4-GCM", OURS, true);
    let entries = left_by(library, || context.set_iv_length(129));
    assert_eq!((entries[0].library, entries[0].reason), (PROV, 109), "{entries:?}");
    assert_eq!(entries[0].data, "iv of 129 bytes; allowed: 1 to 128 bytes");
    // A reason that OpenSSL has no number for, in the provider's name.
    let context = ready(library, "SM4-CTR", OURS, true);
    let mut data = vec![7; 64];
    let (from, to) = (data.as_ptr(), unsafe { data.as_mut_ptr().add(8) });
    let entries = left_by(library, || context.pointers(from, 32, to).is_some());
    assert_ne!(entries[0].library, PROV);
    assert_eq!(entries[0].text, "input and output overlap in part");
}

#[test]
fn a_wrong_tag_is_told_as_the_default_provider_tells_it() {
    let Some(library) = library() else { return };
    for from in [OURS, DEFAULT] {
        // GCM leaves the queue empty: programs take that for a wrong tag.
        let context = Context::new(library, "AES-128-GCM", from);
        assert!(context.init(false, None, None));
        assert!(context.init(false, Some(&bytes(16)), Some(&bytes(12))));
        assert!(context.set_tag(Some(&bytes(16)), 16) && context.update(&bytes(40)).is_some());
        assert_eq!(left_by(library, || context.finish().is_some()), [], "{from}");
        let context = Context::new(library, "AES-128-CCM", from);
        assert!(context.init(false, None, None) && context.set_iv_length(12));
        assert!(context.set_tag(Some(&bytes(16)), 16));
        assert!(context.init(false, Some(&bytes(16)), Some(&bytes(12))));
        let entries = left_by(library, || context.update(&bytes(40)).is_some());
        assert_eq!((entries[0].library, entries[0].reason), (PROV, 102), "{from}");
    }
}
