//! What IDEA, RC2 and RC5 have beyond the registry's usual members: effective key bits,
//! rounds, words, keys of all lengths.
#![cfg(all(feature = "idea", feature = "rc2", feature = "rc5"))]

use cipherlane::modes::{Buffered, Padding, cbc, ctr};
use cipherlane::registry::{self, Parameters};
use cipherlane::{BlockCipher, Error, Idea, Level, Rc2, Rc5, Rc5W16, Rc5W64, StreamCipher};
use model::all_cores::share_out;
use model::effort::{inputs, stride};
use model::random::SplitMix64;
use model::table::{self, BlockModel};

/// The modes that have a kernel of their own.
const OPERATIONS: [&str; 9] = [
    "ecb-encrypt",
    "ecb-decrypt",
    "cbc-encrypt",
    "cbc-decrypt",
    "cfb-encrypt",
    "cfb-decrypt",
    "ofb",
    "cfb8-encrypt",
    "ctr",
];

/// The mode of that name, which is the same over every block cipher.
fn mode(name: &str) -> registry::Mode {
    let mut all = registry::ALGORITHMS.iter().filter_map(|it| registry::operation(it, name));
    all.find_map(|it| it.block_mode()).unwrap()
}

/// Compares a cipher with its model in all modes' building blocks, at all lengths that
/// meet one block, tiles in part and whole ones.
fn compare(place: &str, cipher: &dyn BlockCipher, model: &BlockModel, random: &mut SplitMix64) {
    let block = cipher.block_size();
    assert_eq!(block, model.block, "{place}");
    for blocks in [0, 1, 2, 3, 9, 33, 130, 300] {
        let data = random.bytes(blocks * block);
        let iv = random.bytes(block);
        for name in OPERATIONS {
            let mode = mode(name);
            let iv = if name.starts_with("ecb") { &[] } else { &*iv };
            let mut got = data.clone();
            (mode.message)(cipher, iv, got.as_mut_slice().into()).unwrap();
            let expected = table::operation(name, model, iv, &data).unwrap();
            assert_eq!(got, expected, "{place}, {name}, {blocks} blocks");
        }
    }
}

#[test]
fn rc2_with_any_key_and_effective_bits_equals_the_model() {
    let family = registry::parameters("rc2").unwrap();
    for seed in (0..inputs(200)).step_by(stride()) {
        let mut random = SplitMix64::new(seed);
        let length = 1 + random.below(128);
        let key = random.bytes(length);
        let bits = 1 + random.below(1024);
        let model = table::rc2_with_effective_bits(&key, bits);
        let parameters =
            Parameters { effective_key_bits: Some(bits as u32), ..Parameters::default() };
        for level in Level::available() {
            let place = format!("{length} bytes, {bits} bits, {level}, seed {seed}");
            let cipher = (family.new)(&key, parameters, level).unwrap();
            compare(&place, &*cipher, &model, &mut random);
        }
    }
}

#[test]
fn all_bits_of_a_key_count_in_rc2_where_nothing_is_said() {
    let key = SplitMix64::new(1).bytes(128);
    for length in 1..=128 {
        let (mut plain, mut told) = ([7; 8], [7; 8]);
        Rc2::new(&key[..length]).unwrap().encrypt_block(&mut plain);
        let bits = 8 * length as u32;
        Rc2::with_effective_bits(&key[..length], bits).unwrap().encrypt_block(&mut told);
        assert_eq!(plain, told);
    }
}

#[test]
fn rc5_of_any_kind_equals_the_model() {
    let family = registry::parameters("rc5").unwrap();
    let seeds: Vec<u64> = (0..inputs(200)).step_by(stride()).collect();
    share_out(
        &seeds,
        || (),
        |(), &seed| {
            let mut random = SplitMix64::new(seed);
            let length = random.below(256);
            let key = random.bytes(length);
            let rounds = random.below(256);
            let word_bits = [16, 32, 64][random.below(3)];
            let model = table::rc5_with_parameters(word_bits, rounds, &key);
            let parameters = Parameters {
                word_bits: Some(word_bits),
                rounds: Some(rounds as u32),
                ..Parameters::default()
            };
            for level in Level::available() {
                let place = format!("RC5-{word_bits}/{rounds}/{length}, {level}, seed {seed}");
                let cipher = (family.new)(&key, parameters, level).unwrap();
                compare(&place, &*cipher, &model, &mut random);
            }
        },
    );
}

#[test]
fn rc5_at_the_ends_of_its_ranges() {
    let key = SplitMix64::new(3).bytes(255);
    // Between 16 and 17 rounds the place of the expanded key changes.
    for (rounds, length) in
        [(0, 0), (0, 255), (255, 0), (255, 255), (12, 0), (1, 1), (16, 16), (17, 16)]
    {
        let key = &key[..length];
        for level in Level::available() {
            let mut random = SplitMix64::new(4);
            let count = usize::from(rounds);
            let place = format!("{rounds} rounds, {length} bytes, {level}");
            let model = |w| table::rc5_with_parameters(w, count, key);
            let cipher = Rc5W16::with_rounds_and_level(key, rounds, level).unwrap();
            compare(&place, &cipher, &model(16), &mut random);
            let cipher = Rc5::with_rounds_and_level(key, rounds, level).unwrap();
            compare(&place, &cipher, &model(32), &mut random);
            let cipher = Rc5W64::with_rounds_and_level(key, rounds, level).unwrap();
            compare(&place, &cipher, &model(64), &mut random);
        }
    }
}

/// Decryption makes its sub-keys when they are first asked for.
#[test]
fn idea_decrypts_at_once_in_threads_as_a_clone_and_under_another_key() {
    let (first, second) = ([0x5a; 16], [0xc3; 16]);
    for level in Level::available() {
        let idea = Idea::with_level(&first, level).unwrap();
        let mut block = *b"eight by";
        idea.encrypt_block(&mut block);
        // WebAssembly has no threads.
        #[cfg(not(target_family = "wasm"))]
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let mut block = block;
                    idea.decrypt_block(&mut block);
                    assert_eq!(&block, b"eight by", "{level}");
                });
            }
        });
        let (before, after) = (Idea::with_level(&first, level).unwrap().clone(), idea.clone());
        for clone in [before, after] {
            let mut block = block;
            clone.decrypt_block(&mut block);
            assert_eq!(&block, b"eight by", "{level}");
        }
        // A place in a set of keys gets another key after something was decrypted.
        let algorithm = registry::algorithm("idea").unwrap();
        let registry::New::Block { keys: new, .. } = algorithm.new else { panic!("a block") };
        let mut set = new(&[&first, &first], level).unwrap();
        for key in [first, second, first] {
            set.set(&[&key, &first]).unwrap();
            let mut block = *b"eight by";
            Idea::with_level(&key, level).unwrap().encrypt_block(&mut block);
            set.decrypt_each(&[0], &mut block);
            assert_eq!(&block, b"eight by", "{level}");
        }
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let level = Level::best();
    for bits in [0, 1025, u32::MAX] {
        let error =
            Error::Value { field: "effective key bits", got: u64::from(bits), min: 1, max: 1024 };
        assert_eq!(Rc2::with_effective_bits(&[0; 8], bits).err(), Some(error));
    }
    for length in [0, 129, 500] {
        let key = vec![0; length];
        let refused = |error| {
            matches!(error, Some(Error::Length { field: "key", got, .. })
            if got == length)
        };
        assert!(refused(Rc2::new(&key).err()));
        assert!(refused(Rc2::with_effective_bits(&key, 64).err()));
    }
    let key = [0; 256];
    let refused = |error| matches!(error, Some(Error::Length { field: "key", got: 256, allowed }) if allowed.max == 255);
    assert!(refused(Rc5::new(&key).err()));
    assert!(refused(Rc5W16::new(&key).err()));
    assert!(refused(Rc5W64::new(&key).err()));
    let family = registry::parameters("rc5").unwrap();
    let rounds = Parameters { rounds: Some(256), ..Parameters::default() };
    let error = Error::Value { field: "rounds", got: 256, min: 0, max: 255 };
    assert_eq!((family.new)(&[], rounds, level).err(), Some(error));
    for bits in [8, 128] {
        let words = Parameters { word_bits: Some(bits), ..Parameters::default() };
        assert!(!family.takes(words));
        assert!(matches!(
            (family.new)(&[], words, level).err(),
            Some(Error::Value { field: "word bits", min: 16, max: 64, .. })
        ));
    }
}

/// RFC 2040 §8: RC5-CBC-Pad fills the last block up, with a whole one where none is short.
#[test]
fn rc5_cbc_pad_is_cbc_with_the_padding_of_pkcs7() {
    for length in 0..40 {
        let (key, iv) = ([5; 16], [9; 8]);
        let plaintext = SplitMix64::new(length as u64).bytes(length);
        let mut padded = plaintext.clone();
        padded.resize(length / 8 * 8 + 8, (8 - length % 8) as u8);
        let model = table::block_cipher("rc5", &key).unwrap();
        let expected = table::operation("cbc-encrypt", &model, &iv, &padded).unwrap();

        let rc5 = Rc5::new(&key).unwrap();
        let encryptor = cbc::Encryptor::new(&rc5, &iv).unwrap();
        let mut mode = Buffered::new(encryptor, Padding::Pkcs7);
        let mut out = vec![0; 64];
        let n = mode.update(&plaintext, &mut out).unwrap();
        let n = n + mode.finish(&mut out[n..]).unwrap();
        assert_eq!(out[..n], expected, "{length} bytes");
    }
}

/// The counter of a block wraps at the block's width, in lanes as in numbers.
#[test]
fn counters_wrap_at_the_width_of_the_block() {
    for level in Level::available() {
        for word_bits in [16, 32, 64] {
            let family = registry::parameters("rc5").unwrap();
            let parameters = Parameters { word_bits: Some(word_bits), ..Parameters::default() };
            let cipher = (family.new)(&[3; 16], parameters, level).unwrap();
            let model = table::rc5_with_parameters(word_bits, 12, &[3; 16]);
            let block = cipher.block_size();
            for before in [1, 2, 5, 40, 200] {
                let mut iv = vec![0xff; block];
                iv[block - 1] = (256 - before) as u8;
                let data = SplitMix64::new(7).bytes(300 * block + 1);
                let mut got = data.clone();
                let mut mode = ctr::Ctr::new(&cipher, &iv).unwrap();
                mode.apply(&mut got).unwrap();
                let expected = table::operation("ctr", &model, &iv, &data).unwrap();
                assert_eq!(got, expected, "{word_bits} bits, {level}, {before} before");
            }
        }
    }
}
