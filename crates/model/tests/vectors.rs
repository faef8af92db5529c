//! The models against the published vectors, so that the library's tests
//! compare it with something that has been checked on its own.

use model::table;
use model::zuc256::{self, Version};
use vectors::{Group, Test, VectorFile};

/// The registry's name of what a file's algorithm and mode are, for keystreams.
fn keystream_name<'f>(file: &'f VectorFile, group: &Group) -> Option<&'f str> {
    match (&*file.algorithm, &*group.mode) {
        ("zuc128", "keystream") => Some("zuc-128"),
        ("hc128", _) => Some("hc-128"),
        ("rabbit", _) => Some("rabbit"),
        ("snowv", "keystream") => Some("snow-v"),
        ("snowvi", "keystream") => Some("snow-vi"),
        ("rc4", _) => Some("rc4"),
        ("sosemanuk", _) => Some("sosemanuk"),
        ("salsa20", "salsa20/8") => Some("salsa20-8"),
        ("salsa20", "salsa20/12") => Some("salsa20-12"),
        ("salsa20", "salsa20/20") => Some("salsa20-20"),
        ("zuc256", "keystream-iv184" | "encrypt-iv184") => Some("zuc-256"),
        ("zuc256", "keystream-iv128-addendum2021") => Some("zuc-256-2021"),
        ("zuc256", "keystream-iv128-2023") => Some("zuc-256-2023"),
        // Whole IVs of others are tried where the models are.
        ("mickey2" | "mickey128" | "trivium" | "grainv1" | "grain128" | "enocoro128v2", _) => None,
        (name, "keystream") => Some(name),
        _ => None,
    }
}

/// Checks a test of a keystream; returns how many forms of the IV it had.
fn check_keystream(name: &str, test: &Test) -> usize {
    let none = vec![];
    let mut ivs: Vec<_> = test.iv.iter().chain(&test.iv_unpacked).collect();
    if ivs.is_empty() {
        ivs.push(&none);
    }
    let key = test.key.as_ref().unwrap();
    for iv in &ivs {
        let keystream = |bytes| table::keystream(name, key, iv, bytes).expect("a model");
        for segment in test.keystream.iter().flatten() {
            let out = keystream(segment.end() as usize);
            assert_eq!(out[segment.offset as usize..], segment.bytes, "{}", test.id);
        }
        if let (Some(plaintext), Some(ciphertext)) = (&test.plaintext, &test.ciphertext) {
            let mut out = keystream(plaintext.len());
            out.iter_mut().zip(plaintext).for_each(|(byte, plain)| *byte ^= plain);
            assert_eq!(out, *ciphertext, "{}", test.id);
        }
    }
    ivs.len()
}

/// Checks a test of a mode, in both directions if it has two.
fn check_mode(file: &VectorFile, mode: &str, test: &Test) -> bool {
    let (Some(plaintext), Some(ciphertext)) = (&test.plaintext, &test.ciphertext) else {
        return false;
    };
    let Some(key) = &test.key else { return false };
    let cipher = match file.algorithm.as_str() {
        "rc2" => {
            let bits = test.effective_key_bits.map_or(8 * key.len(), |bits| bits as usize);
            Some(table::rc2_with_effective_bits(key, bits))
        }
        "rc5" => {
            let (w, rounds) = (test.word_bits.unwrap_or(32), test.rounds.unwrap_or(12));
            // The model has the words that the library has.
            [16, 32, 64]
                .contains(&w)
                .then(|| table::rc5_with_parameters(w as u32, rounds as usize, key))
        }
        // A key of XTS is two keys.
        name if key.len() == 16 => table::block_cipher(name, key),
        _ => None,
    };
    let Some(cipher) = cipher else { return false };
    let iv = test.iv.as_deref().unwrap_or(&[]);
    let run = |name: &str, data: &[u8]| table::operation(name, &cipher, iv, data);
    let (forward, backward) = (format!("{mode}-encrypt"), format!("{mode}-decrypt"));
    let mut out = plaintext.clone();
    for _ in 0..test.iterations.unwrap_or(1) {
        let Some(next) = run(mode, &out).or_else(|| run(&forward, &out)) else { return false };
        out = next;
    }
    assert_eq!(out, *ciphertext, "{}", test.id);
    if test.iterations.is_none() {
        let back = run(mode, ciphertext).or_else(|| run(&backward, ciphertext));
        assert_eq!(back.as_ref(), Some(plaintext), "{}", test.id);
    }
    true
}

#[test]
fn modes_and_keystreams_give_the_published_bytes() {
    let (mut modes, mut keystreams) = (0, 0);
    for file in vectors::all().unwrap() {
        for group in &file.groups {
            for test in &group.tests {
                match keystream_name(&file, group) {
                    Some(name) => keystreams += check_keystream(name, test),
                    None => modes += usize::from(check_mode(&file, &group.mode, test)),
                }
            }
        }
    }
    assert!(modes > 100 && keystreams > 400, "{modes} tests of modes, {keystreams} of keystreams");
}

#[test]
fn zuc_256_macs_give_the_published_tags() {
    let mut checked = 0;
    for file in vectors::all().unwrap().iter().filter(|file| file.algorithm == "zuc256") {
        for group in file.groups.iter().filter(|group| group.mode.starts_with("mac")) {
            let version = match group.mode.split_once('-').unwrap().1 {
                "iv184" => Version::Y2018,
                "iv128-2023" => Version::Y2023,
                other => panic!("no model of {other}"),
            };
            for test in &group.tests {
                let key = test.key.as_deref().unwrap().try_into().unwrap();
                let (message, tag) = (test.message.as_ref().unwrap(), test.tag.as_ref().unwrap());
                let bits = test.bits.map_or(8 * message.len(), |bits| bits as usize);
                for iv in test.iv.iter().chain(&test.iv_unpacked) {
                    let out = zuc256::mac(version, key, iv, (message, bits), 8 * tag.len());
                    assert_eq!(out, *tag, "{}", test.id);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 30, "{checked} tags");
}
