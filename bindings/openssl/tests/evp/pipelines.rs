//! Pipelines give what single messages give.

use std::ffi::{c_int, c_void};
use std::ptr;

use crate::library::{Context, Handle, Library, Param, bytes, library};
use crate::{DEFAULT, OURS};

type Init =
    unsafe extern "C" fn(Handle, Handle, *const u8, usize, usize, *const *const u8, usize) -> c_int;
type Update = unsafe extern "C" fn(
    Handle,
    *const *mut u8,
    *mut usize,
    *const usize,
    *const *const u8,
    *const usize,
) -> c_int;
type Finish = unsafe extern "C" fn(Handle, *const *mut u8, *mut usize, *const usize) -> c_int;

const PIPES: usize = 7;

/// Messages of different lengths through one context; their tags, for an AEAD.
fn piped(
    library: &Library,
    name: &str,
    encrypt: bool,
    inputs: &[Vec<u8>],
    tags: Option<&[Vec<u8>]>,
) -> Option<(Vec<Vec<u8>>, Vec<Vec<u8>>)> {
    let context = Context::new(library, name, OURS);
    let (key, aead) = (bytes(context.key_length()), name.ends_with("GCM"));
    let iv_length = if aead { 12 } else { 16 };
    let ivs: Vec<Vec<u8>> = (0..PIPES).map(|i| iv(i, iv_length)).collect();
    let iv_places: Vec<*const u8> = ivs.iter().map(|iv| iv.as_ptr()).collect();
    let mut outputs: Vec<Vec<u8>> = inputs.iter().map(|it| vec![0; it.len() + 32]).collect();
    let mut filled = [0; PIPES];
    let mut made = vec![vec![0_u8; 16]; PIPES];
    if let Some(tags) = tags {
        made = tags.to_vec();
    }
    let mut tag_places: Vec<*mut u8> = made.iter_mut().map(|tag| tag.as_mut_ptr()).collect();
    let mut tag_list: *mut c_void = tag_places.as_mut_ptr().cast();
    let mut list = [Param::end(), Param::end()];
    list[0] = Param {
        key: c"pipeline-tag".as_ptr(),
        data_type: 7,
        data: (&raw mut tag_list).cast(),
        data_size: 16,
        return_size: usize::MAX,
    };
    unsafe {
        let init: &[u8] = if encrypt {
            b"EVP_CipherPipelineEncryptInit"
        } else {
            b"EVP_CipherPipelineDecryptInit"
        };
        let init: Init = library.get(init);
        let (update, finish): (Update, Finish) =
            (library.get(b"EVP_CipherPipelineUpdate"), library.get(b"EVP_CipherPipelineFinal"));
        let set: unsafe extern "C" fn(Handle, *const Param) -> c_int =
            library.get(b"EVP_CIPHER_CTX_set_params");
        let get: unsafe extern "C" fn(Handle, *mut Param) -> c_int =
            library.get(b"EVP_CIPHER_CTX_get_params");
        let places = iv_places.as_ptr();
        assert_eq!(
            init(context.raw, context.cipher, key.as_ptr(), key.len(), PIPES, places, iv_length),
            1,
            "{name}"
        );
        if tags.is_some() {
            assert_eq!(set(context.raw, list.as_ptr()), 1, "{name}");
        }
        if aead {
            let aads: Vec<Vec<u8>> = (0..PIPES).map(bytes).collect();
            let places: Vec<*const u8> = aads.iter().map(|aad| aad.as_ptr()).collect();
            let lengths: Vec<usize> = aads.iter().map(Vec::len).collect();
            let mut written = [0; PIPES];
            let to = [ptr::null_mut(); PIPES];
            let (rooms, lengths) = ([0; PIPES], lengths.as_ptr());
            let done = update(
                context.raw,
                to.as_ptr(),
                written.as_mut_ptr(),
                rooms.as_ptr(),
                places.as_ptr(),
                lengths,
            );
            assert_eq!(done, 1, "{name}: associated data");
        }
        // An AEAD takes each message in one piece, other modes in two.
        let turns = if aead { 1 } else { 2 };
        for turn in 0..turns {
            let part = |it: &Vec<u8>| {
                let middle = if turns == 1 { 0 } else { it.len() / 3 };
                if turn + 1 < turns { 0..middle } else { middle..it.len() }
            };
            let from: Vec<*const u8> = inputs.iter().map(|it| it[part(it)].as_ptr()).collect();
            let lengths: Vec<usize> = inputs.iter().map(|it| part(it).len()).collect();
            let places = outputs.iter_mut().zip(&filled);
            let to: Vec<*mut u8> = places.map(|(it, at)| it[*at..].as_mut_ptr()).collect();
            let rooms: Vec<usize> =
                outputs.iter().zip(&filled).map(|(it, at)| it.len() - at).collect();
            let mut written = [0; PIPES];
            let (to, rooms, count) = (to.as_ptr(), rooms.as_ptr(), written.as_mut_ptr());
            if update(context.raw, to, count, rooms, from.as_ptr(), lengths.as_ptr()) != 1 {
                return None;
            }
            filled.iter_mut().zip(written).for_each(|(at, count)| *at += count);
        }
        let places = outputs.iter_mut().zip(&filled);
        let to: Vec<*mut u8> = places.map(|(it, at)| it[*at..].as_mut_ptr()).collect();
        let rooms: Vec<usize> = outputs.iter().zip(&filled).map(|(it, at)| it.len() - at).collect();
        let mut written = [0; PIPES];
        if finish(context.raw, to.as_ptr(), written.as_mut_ptr(), rooms.as_ptr()) != 1 {
            return None;
        }
        filled.iter_mut().zip(written).for_each(|(at, count)| *at += count);
        if aead && encrypt {
            assert_eq!(get(context.raw, list.as_mut_ptr()), 1, "{name}: tags");
        }
    }
    outputs.iter_mut().zip(filled).for_each(|(output, length)| output.truncate(length));
    Some((outputs, made))
}

fn iv(pipe: usize, length: usize) -> Vec<u8> {
    bytes(length).iter().map(|byte| byte.wrapping_add(pipe as u8)).collect()
}

/// The same messages, one by one.
fn single(
    library: &Library,
    name: &str,
    from: &str,
    inputs: &[Vec<u8>],
) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let messages = inputs.iter().enumerate().map(|(pipe, input)| {
        let context = Context::new(library, name, from);
        let (key, aead) = (bytes(context.key_length()), name.ends_with("GCM"));
        assert!(context.init(true, Some(&key), Some(&iv(pipe, if aead { 12 } else { 16 }))));
        assert!(!aead || pipe == 0 || context.aad(&bytes(pipe)));
        let mut output = context.update(input).expect("update");
        output.extend(context.finish().expect("final"));
        (output, if aead { context.tag(16).expect("tag") } else { vec![0; 16] })
    });
    messages.unzip()
}

#[test]
fn pipelines_agree_with_single_messages() {
    let Some(library) = library() else { return };
    if library.lacks(b"EVP_CipherPipelineUpdate") {
        println!("this OpenSSL has no pipelines");
        return;
    }
    for name in [
        "SM4-CBC",
        "AES-128-CBC",
        "AES-256-CBC",
        "SM4-CTR",
        "AES-128-CTR",
        "SM4-GCM",
        "AES-256-GCM",
    ] {
        for least in [1, 16, 1000, 16_384] {
            let inputs: Vec<Vec<u8>> = (0..PIPES).map(|i| bytes(least + i * 13)).collect();
            let (sealed, tags) = piped(library, name, true, &inputs, None).expect(name);
            let expected = single(library, name, DEFAULT, &inputs);
            assert_eq!(sealed, expected.0, "{name} {least}");
            let aead = name.ends_with("GCM");
            assert!(!aead || tags == expected.1, "{name} {least}: tags");
            let set = aead.then_some(tags.as_slice());
            let opened = piped(library, name, false, &sealed, set);
            assert_eq!(opened.map(|it| it.0).as_ref(), Some(&inputs), "{name} {least}");
            if aead {
                let mut wrong = tags.clone();
                wrong[3][5] ^= 1;
                let opened = piped(library, name, false, &sealed, Some(&wrong));
                assert_eq!(opened, None, "{name} {least}: a changed tag");
            }
        }
    }
}
