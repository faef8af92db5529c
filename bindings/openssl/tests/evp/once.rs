//! What only some programs ask for, answered as by the default provider: `EVP_Cipher`, XTS under
//! equal keys, the rounds of RC5, tags of CCM, contexts that go on after their end.

use std::ffi::{c_int, c_uint};

use crate::library::{Context, Handle, Library, bytes, library};
use crate::{DEFAULT, OURS};

/// `EVP_Cipher`; without input where `data` is none.
fn once(library: &Library, context: &Context<'_>, data: Option<&mut [u8]>) -> c_int {
    type Once = unsafe extern "C" fn(Handle, *mut u8, *const u8, c_uint) -> c_int;
    unsafe {
        let once: Once = library.get(b"EVP_Cipher");
        match data {
            Some(data) => {
                let place = data.as_mut_ptr();
                once(context.raw, place, place, data.len() as c_uint)
            }
            None => once(context.raw, std::ptr::null_mut(), std::ptr::null(), 0),
        }
    }
}

#[test]
fn a_single_call_holds_nothing_back() {
    let Some(library) = library() else { return };
    for name in ["AES-128-CBC", "SM4-CBC", "AES-192-ECB", "SM4-CTR", "AES-128-CFB", "AES-128-OFB"] {
        for encrypt in [true, false] {
            let answers = [OURS, DEFAULT].map(|from| {
                let context = Context::new(library, name, from);
                assert!(context.init(encrypt, None, None));
                let key = bytes(context.key_length());
                assert!(context.init(encrypt, Some(&key), Some(&bytes(16))));
                let mut data = bytes(96);
                let counts = [
                    once(library, &context, Some(&mut data[..32])),
                    once(library, &context, Some(&mut data[32..])),
                    once(library, &context, None),
                ];
                (data, counts)
            });
            assert_eq!(answers[0], answers[1], "{name} {encrypt}");
            assert_eq!(answers[0].1[..2], [32, 64], "{name} {encrypt}");
        }
    }
}

#[test]
fn xts_of_aes_is_that_of_ieee_1619() {
    let Some(library) = library() else { return };
    for name in ["AES-128-XTS", "AES-256-XTS"] {
        for size in [16, 17, 31, 32, 33, 512, 4097] {
            let answers = [OURS, DEFAULT].map(|from| {
                [true, false].map(|encrypt| {
                    let context = Context::new(library, name, from);
                    assert!(context.init(encrypt, None, None));
                    let key = bytes(context.key_length());
                    assert!(context.init(encrypt, Some(&key), Some(&bytes(16))));
                    context.update(&bytes(size)).expect("a data unit")
                })
            });
            assert_eq!(answers[0], answers[1], "{name} {size}");
        }
        let context = Context::new(library, name, OURS);
        assert!(context.init(true, None, None));
        assert!(context.set_text("xts_standard", "IEEE"));
        assert!(!context.set_text("xts_standard", "GB"), "{name} by the standard of another");
        // Equal keys: what was encrypted so can be read, and nothing more is.
        let answers = [OURS, DEFAULT].map(|from| {
            let context = Context::new(library, name, from);
            assert!(context.init(true, None, None));
            let key = vec![9; context.key_length()];
            let sealed = context.init(true, Some(&key), Some(&bytes(16)));
            let context = Context::new(library, name, from);
            assert!(context.init(false, None, None));
            assert!(context.init(false, Some(&key), Some(&bytes(16))));
            (sealed, context.update(&bytes(77)), context.update(&bytes(15)))
        });
        assert_eq!(answers[0], answers[1], "{name}");
        assert!(!answers[0].0 && answers[0].1.is_some() && answers[0].2.is_none(), "{name}");
    }
}

#[test]
fn a_tag_of_ccm_is_as_long_as_it_was_set_and_told_once() {
    let Some(library) = library() else { return };
    for from in [OURS, DEFAULT] {
        let context = Context::new(library, "AES-128-CCM", from);
        assert!(context.init(true, None, None) && context.set_iv_length(12));
        assert!(context.init(true, Some(&bytes(16)), Some(&bytes(12))));
        assert!(!context.aad(&bytes(5)), "{from}: associated data before the length");
        assert!(context.announce(20) && context.aad(&bytes(5)));
        assert!(context.update(&bytes(20)).is_some());
        assert_eq!(context.tag(16), None, "{from}: a tag of 16 bytes where 12 are usual");
        assert!(context.tag(12).is_some(), "{from}");
        assert_eq!(context.tag(12), None, "{from}: a tag that was told");
    }
}

#[test]
fn a_record_that_was_forged_has_no_end() {
    let Some(library) = library() else { return };
    const AAD: i32 = 0x16;
    const FIXED: i32 = 0x12;
    for from in [OURS, DEFAULT] {
        let context = Context::new(library, "AES-128-GCM", from);
        assert!(context.init(false, None, None));
        assert!(context.init(false, Some(&bytes(16)), None));
        assert!(context.ctrl(FIXED, &bytes(4)) > 0, "{from}");
        let mut header = bytes(13);
        header[11..].copy_from_slice(&40_u16.to_be_bytes());
        assert_eq!(context.ctrl(AAD, &header), 16, "{from}");
        assert_eq!(context.in_place(&mut [0x55; 40]), None, "{from}");
        assert_eq!(context.finish(), None, "{from}");
    }
}
