//! The provider inside a libcrypto, through EVP, beside the default provider.
//!
//! `CIPHERLANE_LIBCRYPTO` names the library, `CIPHERLANE_PROVIDER` the folder of
//! `cipherlane.so`; `cargo xtask openssl` sets both for every library there is.

use std::ptr;

mod between;
mod errors;
mod library;
mod once;
mod pipelines;

use library::{Context, Library, bytes, library};

const SIZES: [usize; 8] = [0, 1, 15, 16, 17, 255, 4096, 70_001];

/// Both providers, and how they are asked for.
const OURS: &str = "provider=cipherlane";
const DEFAULT: &str = "provider=default";

#[test]
fn aeads_agree_with_the_default_provider_and_refuse_wrong_tags() {
    let Some(library) = library() else { return };
    for name in ["AES-128-GCM", "AES-256-GCM", "SM4-GCM", "AES-128-CCM", "SM4-CCM"] {
        // OpenSSL 3.0 has no such mode of SM4: then ours is on both sides.
        let other = if library.has(name, DEFAULT) { DEFAULT } else { OURS };
        for size in SIZES {
            let (data, aad) = (bytes(size), bytes(size % 40));
            let sealed = seal(library, name, OURS, &aad, &data);
            assert_eq!(sealed, seal(library, name, other, &aad, &data), "{name} {size}");
            for properties in [OURS, other] {
                let opened = open(library, name, properties, &aad, &sealed.0, &sealed.1);
                assert_eq!(opened.as_ref(), Some(&data), "{name} {size} {properties}");
            }
            let mut wrong = sealed.1.clone();
            wrong[0] ^= 1;
            assert_eq!(open(library, name, OURS, &aad, &sealed.0, &wrong), None, "{name} {size}");
        }
    }
}

fn seal(library: &Library, name: &str, from: &str, aad: &[u8], data: &[u8]) -> (Vec<u8>, Vec<u8>) {
    let ccm = name.ends_with("CCM");
    let context = Context::new(library, name, from);
    assert!(context.init(true, None, None));
    assert!(context.set_iv_length(12) && (!ccm || context.set_tag(None, 16)));
    assert!(context.init(true, Some(&bytes(context.key_length())), Some(&bytes(12))));
    assert!(!ccm || context.announce(data.len()));
    assert!(aad.is_empty() || context.aad(aad));
    let mut output = Vec::new();
    // CCM takes a message in one piece, an empty one too.
    let piece = if ccm { data.len().max(1) } else { 1000 };
    for data in data.chunks(piece) {
        output.extend(context.update(data).expect("update"));
    }
    if data.is_empty() && ccm {
        assert!(context.update(&[]).is_some());
    }
    output.extend(context.finish().expect("final"));
    (output, context.tag(16).expect("tag"))
}

fn open(
    library: &Library,
    name: &str,
    from: &str,
    aad: &[u8],
    data: &[u8],
    tag: &[u8],
) -> Option<Vec<u8>> {
    let ccm = name.ends_with("CCM");
    let context = Context::new(library, name, from);
    assert!(context.init(false, None, None) && context.set_iv_length(12));
    assert!(context.set_tag(Some(tag), tag.len()));
    assert!(context.init(false, Some(&bytes(context.key_length())), Some(&bytes(12))));
    assert!(!ccm || context.announce(data.len()));
    assert!(aad.is_empty() || context.aad(aad));
    let mut output = Vec::new();
    let piece = if ccm { data.len().max(1) } else { 777 };
    for data in data.chunks(piece) {
        output.extend(context.update(data)?);
    }
    if data.is_empty() && ccm {
        context.update(&[])?;
    }
    // Opening by CCM has checked the tag with the data, and there is nothing to finish.
    if !ccm {
        output.extend(context.finish()?);
    }
    Some(output)
}

#[test]
fn a_copied_context_goes_on_by_itself() {
    let Some(library) = library() else { return };
    for (name, iv) in [
        ("SM4-CBC", 16),
        ("SM4-CTR", 16),
        ("AES-128-CFB", 16),
        ("AES-128-OFB", 16),
        ("SM4-GCM", 12),
        ("ZUC-128", 16),
        ("RC4", 0),
        ("IDEA-CBC", 8),
    ] {
        let context = Context::new(library, name, OURS);
        let key = bytes(context.key_length());
        assert!(context.init(true, Some(&key), Some(&bytes(iv))), "{name}");
        let head = context.update(&bytes(1003)).expect("update");
        let copy = context.copy().expect("copy");
        let ends = [&context, &copy].map(|context| {
            let mut end = context.update(&bytes(555)).expect("update");
            end.extend(context.finish().expect("final"));
            end
        });
        assert_eq!(ends[0], ends[1], "{name}");
        assert!(head.len() + ends[0].len() >= 1558, "{name}");
    }
}

#[test]
fn both_standards_of_xts_are_there() {
    let Some(library) = library() else { return };
    // GB/T 17964 and IEEE 1619 under one key and tweak, from the project's vectors.
    let key = hex("2b7e151628aed2a6abf7158809cf4f3c000102030405060708090a0b0c0d0e0f");
    let tweak = hex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
    let data = hex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");
    for (standard, second) in [
        (None, "2c5c581bd6242fc51e08964fb4f60fdb"),
        (Some("GB"), "2c5c581bd6242fc51e08964fb4f60fdb"),
        (Some("IEEE"), "b3db1a3e60408c575d63ff7db39f8326"),
    ] {
        let context = Context::new(library, "SM4-XTS", OURS);
        assert!(context.init(true, Some(&key), Some(&tweak)));
        if let Some(standard) = standard {
            assert!(context.set_text("xts_standard", standard));
        }
        let expected = hex(&format!("e9538251c71d7b80bbe4483fef497bd1{second}"));
        assert_eq!(context.update(&data).as_ref(), Some(&expected), "{standard:?}");
    }
    let context = Context::new(library, "SM4-XTS", OURS);
    assert!(context.init(true, Some(&key), Some(&tweak)));
    assert!(!context.set_text("xts_standard", "DES"));
    assert!(!context.init(true, Some(&[7; 32]), Some(&tweak)), "equal keys");
}

#[test]
fn records_of_tls_are_sealed_and_opened() {
    let Some(library) = library() else { return };
    const AAD: i32 = 0x16;
    const FIXED: i32 = 0x12;
    for name in ["AES-128-GCM", "AES-128-CCM"] {
        let mut data = [vec![0; 8], bytes(100), vec![0; 16]].concat();
        let mut header = bytes(13);
        header[11..].copy_from_slice(&(8_u16 + 100).to_be_bytes());
        let sealing = Context::new(library, name, OURS);
        let opening = Context::new(library, name, DEFAULT);
        for (context, encrypt) in [(&sealing, true), (&opening, false)] {
            assert!(context.init(encrypt, None, None) && context.set_iv_length(12));
            assert!(name.ends_with("GCM") || context.set_tag(None, 16));
            let iv = name.ends_with("CCM").then(|| bytes(12));
            assert!(context.init(encrypt, Some(&bytes(16)), iv.as_deref()));
            let fixed = if name.ends_with("GCM") { &bytes(12)[..4] } else { &[1, 2, 3, 4] };
            assert!(context.ctrl(FIXED, fixed) > 0, "{name}");
        }
        assert_eq!(sealing.ctrl(AAD, &header), 16, "{name}");
        assert_eq!(sealing.in_place(&mut data), Some(124), "{name}");
        header[11..].copy_from_slice(&(8_u16 + 100 + 16).to_be_bytes());
        assert_eq!(opening.ctrl(AAD, &header), 16, "{name}");
        assert!(opening.in_place(&mut data).is_some(), "{name}");
        assert_eq!(data[8..108], bytes(100), "{name}");
    }
}

#[test]
fn calls_in_the_wrong_order_fail_and_do_no_harm() {
    let Some(library) = library() else { return };
    for name in ["SM4-CBC", "SM4-CTR", "SM4-GCM", "SM4-CCM", "SM4-XTS", "ZUC-128", "RC4", "RC2-CBC"]
    {
        let context = Context::new(library, name, OURS);
        assert!(context.init(true, None, None), "{name}");
        assert_eq!(context.update(&bytes(32)), None, "{name}: data before the key");
        // XTS has no end, in the default provider either.
        let ends = context.finish().is_some();
        assert_eq!(ends, name == "SM4-XTS", "{name}: an end before the key");
        let aead = name.ends_with("GCM") || name.ends_with("CCM");
        assert!(!aead || context.tag(16).is_none(), "{name}: a tag before the end");
        let key = bytes(context.key_length());
        assert!(context.init(true, Some(&key), None), "{name}");
        // The default provider takes zeros for CBC and CTR, and draws a nonce for GCM.
        let needs = ["SM4-CCM", "SM4-XTS", "ZUC-128"].contains(&name);
        assert_eq!(context.update(&bytes(32)).is_none(), needs, "{name}: data before the IV");
    }
    let context = Context::new(library, "SM4-GCM", OURS);
    assert!(context.init(true, Some(&bytes(16)), Some(&bytes(12))));
    assert!(context.update(&bytes(5)).is_some() && context.finish().is_some());
    assert_eq!(context.update(&bytes(5)), None, "data after the end");
    assert_eq!(context.finish(), None, "a second end");
    assert!(!context.set_iv_length(0) && !context.set_iv_length(129));
    let context = Context::new(library, "SM4-CBC", OURS);
    assert!(context.init(false, Some(&bytes(16)), Some(&bytes(16))));
    assert!(context.update(&bytes(33)).is_some());
    assert_eq!(context.finish(), None, "no whole blocks");
}

#[test]
fn lengths_and_pointers_that_are_wrong_fail_and_do_no_harm() {
    let Some(library) = library() else { return };
    let (data, mut output) = (bytes(64), vec![7_u8; 128]);
    for name in ["SM4-ECB", "SM4-CBC", "SM4-CTR", "SM4-CFB", "SM4-GCM", "SM4-CCM", "SM4-XTS", "RC4"]
    {
        let context = Context::new(library, name, OURS);
        let (key, iv) = (bytes(context.key_length()), bytes(16));
        assert!(context.init(true, Some(&key), Some(&iv)), "{name}");
        let to = output.as_mut_ptr();
        for length in [-1, -16, i32::MIN] {
            assert_eq!(context.pointers(data.as_ptr(), length, to), None, "{name} {length}");
        }
        assert_eq!(context.pointers(ptr::null(), 16, to), None, "{name}: no input");
        // The same bytes, shifted.
        let shifted = unsafe { to.add(8) };
        let over = context.pointers(to, 32, shifted);
        assert_eq!(over, None, "{name}: input and output overlap in part");
        assert_eq!(output, [7; 128], "{name}");
    }
    let context = Context::new(library, "SM4-GCM", OURS);
    assert!(context.init(true, Some(&bytes(16)), Some(&bytes(12))));
    assert!(!context.set_tag(Some(&bytes(16)), 16), "a tag to seal with");
    assert!(context.update(&data).is_some() && context.finish().is_some());
    for length in [0, 17] {
        assert_eq!(context.tag(length), None, "a tag of {length} bytes");
    }
    // The nonce is used: nothing goes on before there is another one.
    assert_eq!(context.update(&data), None, "a nonce used twice");
    assert!(context.init(true, None, Some(&bytes(13)[1..])));
    assert!(context.update(&data).is_some() && context.finish().is_some());
}

fn hex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}
