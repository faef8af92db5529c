//! What is set between calls: a tag behind a message that was opened, the place in a block of keystream, a
//! key before its IV.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;

use crate::library::{Context, Handle, Library, Param, bytes, library};
use crate::{DEFAULT, OURS};

/// A list of one parameter, a number of 32 bits without sign.
fn number(name: &CStr, place: &mut u32) -> [Param; 2] {
    let data = ptr::from_mut(place).cast();
    [
        Param { key: name.as_ptr(), data_type: 2, data, data_size: 4, return_size: usize::MAX },
        Param::end(),
    ]
}

/// Sets a parameter of a cipher's context.
fn set(library: &Library, context: &Context<'_>, name: &CStr, mut value: u32) -> bool {
    let list = number(name, &mut value);
    unsafe {
        let set: unsafe extern "C" fn(Handle, *const Param) -> c_int =
            library.get(b"EVP_CIPHER_CTX_set_params");
        set(context.raw, list.as_ptr()) == 1
    }
}

#[test]
fn a_tag_behind_an_opened_message_ends_it_well_if_it_is_the_same() {
    let Some(library) = library() else { return };
    let name = "AES-128-GCM-SIV";
    // OpenSSL has the mode since 3.2; it would not ask again whether the tag was this message's.
    let sealing = Context::new(library, name, OURS);
    assert!(sealing.init(true, Some(&bytes(16)), Some(&bytes(12))));
    let sealed = sealing.update(&bytes(100)).expect("a message");
    assert!(sealing.finish().is_some());
    let tag = sealing.tag(16).expect("tag");
    let mut other = tag.clone();
    other[15] ^= 1;
    for (behind, ends) in [(None, true), (Some(&tag), true), (Some(&other), false)] {
        let context = Context::new(library, name, OURS);
        assert!(context.init(false, Some(&bytes(16)), Some(&bytes(12))));
        assert!(context.set_tag(Some(&tag), 16));
        assert_eq!(context.update(&sealed), Some(bytes(100)));
        if let Some(behind) = behind {
            assert!(context.set_tag(Some(behind), 16));
        }
        assert_eq!(context.finish().is_some(), ends, "{behind:?}");
    }
}

#[test]
fn gcm_siv_takes_more_messages_only_for_speed() {
    let Some(library) = library() else { return };
    let name = "AES-256-GCM-SIV";
    for from in [OURS, DEFAULT].into_iter().filter(|from| library.has(name, from)) {
        for speed in [None, Some(0), Some(1)] {
            let context = Context::new(library, name, from);
            assert!(context.init(true, Some(&bytes(32)), Some(&bytes(12))));
            assert!(speed.is_none_or(|speed| set(library, &context, c"speed", speed)), "{from}");
            let first = context.update(&bytes(50));
            let second = context.update(&bytes(50));
            assert!(first.is_some(), "{from} {speed:?}");
            assert_eq!(second.is_some(), speed == Some(1), "{from} {speed:?}");
            assert!(second.is_none() || second == first, "{from}: one nonce, one answer");
        }
    }
}

#[test]
fn the_place_in_a_block_of_keystream_can_be_set() {
    let Some(library) = library() else { return };
    for name in ["AES-128-CTR", "SM4-CTR", "AES-256-CFB", "AES-128-OFB", "SM4-CFB"] {
        for place in [0, 1, 5, 15] {
            let [ours, theirs] = [OURS, DEFAULT].map(|from| {
                let context = Context::new(library, name, from);
                assert!(context.init(true, None, None));
                assert!(context.init(true, Some(&bytes(context.key_length())), Some(&bytes(16))));
                // In a block that was begun, forwards and back to its begin.
                let begin = context.update(&bytes(3)).expect("update");
                let taken = set(library, &context, c"num", place);
                taken.then(|| (begin, context.update(&bytes(40)).expect("update")))
            });
            assert!(ours.is_some(), "{name} {place}");
            // OpenSSL 4.0.3 refuses some for CTR of AES.
            assert!(theirs.is_none() || ours == theirs, "{name} {place}");
        }
        let answers = [OURS, DEFAULT].map(|from| {
            let context = Context::new(library, name, from);
            assert!(context.init(false, None, None));
            assert!(context.init(false, Some(&bytes(context.key_length())), Some(&bytes(16))));
            assert!(set(library, &context, c"num", 0), "{name} {from}: where it is");
            context.update(&bytes(40))
        });
        assert_eq!(answers[0], answers[1], "{name}");
        // Feedback goes on in the IV; the counter's first block was not made yet, and the default provider
        // takes what lies there.
        let context = Context::new(library, name, OURS);
        assert!(context.init(true, None, None));
        assert!(context.init(true, Some(&bytes(context.key_length())), Some(&bytes(16))));
        assert_eq!(set(library, &context, c"num", 5), !name.ends_with("CTR"), "{name}");
        assert!(!set(library, &context, c"num", 16), "{name}: a block has 16 bytes");
    }
}

/// An `EVP_MAC_CTX`.
struct MacContext<'l>(&'l Library, Handle);

impl<'l> MacContext<'l> {
    fn new(library: &'l Library, name: &str) -> Self {
        let name = CString::new(name).unwrap();
        unsafe {
            type Fetch = unsafe extern "C" fn(Handle, *const c_char, *const c_char) -> Handle;
            let fetch: Fetch = library.get(b"EVP_MAC_fetch");
            let new: unsafe extern "C" fn(Handle) -> Handle = library.get(b"EVP_MAC_CTX_new");
            let mac = fetch(ptr::null_mut(), name.as_ptr(), c"provider=cipherlane".as_ptr());
            assert!(!mac.is_null(), "{name:?}");
            Self(library, new(mac))
        }
    }

    /// A key alone.
    fn init(&self, key: &[u8]) -> bool {
        type Init = unsafe extern "C" fn(Handle, *const u8, usize, *const Param) -> c_int;
        unsafe {
            let init: Init = self.0.get(b"EVP_MAC_init");
            init(self.1, key.as_ptr(), key.len(), ptr::null()) == 1
        }
    }

    fn set(&self, name: &CStr, data_type: u32, value: &[u8]) -> bool {
        let data = value.as_ptr().cast_mut().cast();
        let (key, data_size) = (name.as_ptr(), value.len());
        let one = Param { key, data_type, data, data_size, return_size: usize::MAX };
        let list = [one, Param::end()];
        unsafe {
            let set: unsafe extern "C" fn(Handle, *const Param) -> c_int =
                self.0.get(b"EVP_MAC_CTX_set_params");
            set(self.1, list.as_ptr()) == 1
        }
    }

    fn iv(&self, iv: &[u8]) -> bool {
        self.set(c"iv", 5, iv)
    }

    fn update(&self, data: &[u8]) -> bool {
        unsafe {
            let update: unsafe extern "C" fn(Handle, *const u8, usize) -> c_int =
                self.0.get(b"EVP_MAC_update");
            update(self.1, data.as_ptr(), data.len()) == 1
        }
    }

    fn finish(&self) -> Option<Vec<u8>> {
        let (mut tag, mut length) = (vec![0; 16], 0);
        unsafe {
            let finish: unsafe extern "C" fn(Handle, *mut u8, *mut usize, usize) -> c_int =
                self.0.get(b"EVP_MAC_final");
            let done = finish(self.1, tag.as_mut_ptr(), &raw mut length, tag.len());
            tag.truncate(length);
            (done == 1).then_some(tag)
        }
    }
}

impl Drop for MacContext<'_> {
    fn drop(&mut self) {
        unsafe {
            let free: unsafe extern "C" fn(Handle) = self.0.get(b"EVP_MAC_CTX_free");
            free(self.1);
        }
    }
}

#[test]
fn a_key_may_come_before_its_iv_and_another_only_with_another_iv() {
    let Some(library) = library() else { return };
    for (name, key, iv) in [("EIA3", 16, 16), ("ZUC-256-MAC", 32, 23), ("NIA6", 32, 16)] {
        let (key, iv) = (bytes(key), bytes(iv));
        let [keyed_first, keyed_last] = [true, false].map(|first| {
            let mac = MacContext::new(library, name);
            if first {
                assert!(mac.init(&key) && !mac.update(&[1]), "{name}: data before the IV");
                assert!(mac.iv(&iv), "{name}: the IV behind the key");
            } else {
                assert!(mac.iv(&iv) && mac.init(&key), "{name}: the key behind the IV");
            }
            assert!(mac.update(&bytes(33)), "{name}");
            assert!(!mac.init(&bytes(key.len())), "{name}: a key in a message");
            let tag = mac.finish().expect("tag");
            assert!(!mac.init(&key), "{name}: an IV for a second message");
            assert!(mac.iv(&bytes(iv.len() + 1)[1..]) && mac.init(&key), "{name}");
            assert!(mac.update(&bytes(33)) && mac.finish().is_some_and(|it| it != tag), "{name}");
            tag
        });
        assert_eq!(keyed_first, keyed_last, "{name}");
    }
}

#[test]
fn cmac_takes_keys_that_its_cipher_takes() {
    let Some(library) = library() else { return };
    for (cipher, fit, wrong) in [("AES-128-CBC", 16, 24), ("SM4-CBC", 16, 17), ("SM4-CBC", 16, 0)] {
        let mac = MacContext::new(library, "CMAC");
        assert!(mac.set(c"cipher", 4, cipher.as_bytes()), "{cipher}");
        assert!(!mac.init(&bytes(wrong)), "{cipher}: {wrong} bytes");
        assert!(!mac.update(&[1]), "{cipher}: data without a key");
        assert!(mac.init(&bytes(fit)) && mac.update(&bytes(40)), "{cipher}");
        assert!(mac.finish().is_some(), "{cipher}");
    }
}
