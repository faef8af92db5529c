//! The modes that are not in the registry's tests alone: every mode over ciphers of
//! 64- and 128-bit blocks against the model, and OFBNLF, which needs a constructor.

use crate::reference::candidates;
use cipherlane::modes::{BlockMode, Direction, bc, cfb, cfb1, cfb8, ofb, ofbnlf};
use cipherlane::{BlockCipher, Error, InOut, Level, Sizes, Sm4, StreamCipher};
use model::modes as models;
use model::random::SplitMix64;

type Function<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

fn on_copy(block: &[u8], crypt: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut block = block.to_vec();
    crypt(&mut block);
    block
}

/// Gives a message to a stream in random pieces, every other one buffer to buffer.
fn in_pieces(
    random: &mut SplitMix64,
    data: &[u8],
    unit: usize,
    mut apply: impl FnMut(InOut<'_>) -> Result<(), Error>,
) -> Vec<u8> {
    let mut out = vec![0xa5; data.len()];
    let mut start = 0;
    while start < data.len() {
        let longest = [3, 40, 700][random.below(3)];
        let end = data.len().min(start + random.below(longest) * unit);
        let (input, output) = (&data[start..end], &mut out[start..end]);
        if random.below(2) == 0 {
            output.copy_from_slice(input);
            apply(output.into()).unwrap();
        } else {
            apply(InOut::disjoint(input, output).unwrap()).unwrap();
        }
        start = end;
    }
    out
}

#[test]
fn streams_in_random_pieces_equal_the_model() {
    for candidate in candidates() {
        let mut random = SplitMix64::new(21);
        let (_, cipher) = candidate.random(&mut random);
        let encrypt = |block: &[u8]| on_copy(block, |block| cipher.encrypt_block(block));
        let block = candidate.block;
        let iv = random.bytes(block);
        let mut streams: [(_, Box<dyn StreamCipher + '_>); 7] = [
            ("cfb encryption", Box::new(cfb::Encryptor::new(&*cipher, &iv).unwrap())),
            ("cfb decryption", Box::new(cfb::Decryptor::new(&*cipher, &iv).unwrap())),
            ("cfb8 encryption", Box::new(cfb8::Encryptor::new(&*cipher, &iv).unwrap())),
            ("cfb8 decryption", Box::new(cfb8::Decryptor::new(&*cipher, &iv).unwrap())),
            ("cfb1 encryption", Box::new(cfb1::Encryptor::new(&*cipher, &iv).unwrap())),
            ("cfb1 decryption", Box::new(cfb1::Decryptor::new(&*cipher, &iv).unwrap())),
            ("ofb", Box::new(ofb::Ofb::new(&*cipher, &iv).unwrap())),
        ];
        for (name, stream) in &mut streams {
            for len in [0, 1, 7, 8, 9, 16, 17, 100, 511, 512, 513, 1500, 4200] {
                if len > 100 && name.starts_with("cfb1") {
                    continue;
                }
                let (iv, data) = (random.bytes(block), random.bytes(len));
                let encrypt: Function<'_> = &encrypt;
                let expected = match *name {
                    "cfb encryption" => models::cfb::encrypt(encrypt, &iv, block, &data),
                    "cfb decryption" => models::cfb::decrypt(encrypt, &iv, block, &data),
                    "cfb8 encryption" => models::cfb::encrypt(encrypt, &iv, 1, &data),
                    "cfb8 decryption" => models::cfb::decrypt(encrypt, &iv, 1, &data),
                    "cfb1 encryption" => models::cfb1::encrypt(encrypt, &iv, &data),
                    "cfb1 decryption" => models::cfb1::decrypt(encrypt, &iv, &data),
                    _ => models::ofb::crypt(encrypt, &iv, &data),
                };
                stream.reset(&iv).unwrap();
                let out = in_pieces(&mut random, &data, 1, |io| stream.apply_inout(io));
                assert_eq!(out, expected, "{name}, {}, {len} bytes", candidate.name);
            }
        }
    }
}

#[test]
fn block_chaining_in_random_pieces_equals_the_model() {
    for candidate in candidates() {
        let mut random = SplitMix64::new(22);
        let (_, cipher) = candidate.random(&mut random);
        let encrypt = |block: &[u8]| on_copy(block, |block| cipher.encrypt_block(block));
        let decrypt = |block: &[u8]| on_copy(block, |block| cipher.decrypt_block(block));
        let block = candidate.block;
        let iv = random.bytes(block);
        let mut encryptor = bc::Encryptor::new(&*cipher, &iv).unwrap();
        let mut decryptor = bc::Decryptor::new(&*cipher, &iv).unwrap();
        for blocks in [0, 1, 2, 15, 16, 17, 255, 256, 257, 600] {
            let (iv, data) = (random.bytes(block), random.bytes(blocks * block));
            let place = format!("{}, {blocks} blocks", candidate.name);
            encryptor.reset(&iv).unwrap();
            let out = in_pieces(&mut random, &data, block, |io| encryptor.blocks(io));
            assert_eq!(out, models::bc::encrypt(&encrypt, &iv, &data), "{place}");
            decryptor.reset(&iv).unwrap();
            let back = in_pieces(&mut random, &data, block, |io| decryptor.blocks(io));
            assert_eq!(back, models::bc::decrypt(&decrypt, &iv, &data), "{place}");
        }
    }
}

fn whole_blocks(mut mode: impl BlockMode, io: InOut<'_>) {
    assert_eq!(mode.block_size(), 16);
    mode.blocks(io).unwrap();
}

/// Both directions of OFBNLF in one call.
fn ofbnlf(level: Level, decrypt: bool, key: &[u8], iv: &[u8], data: &[u8]) -> Vec<u8> {
    let new = |key: &[u8]| Sm4::with_level(key, level);
    let mut out = data.to_vec();
    let io = out.as_mut_slice().into();
    match decrypt {
        false => whole_blocks(ofbnlf::Encryptor::new(key, new, iv).unwrap(), io),
        true => whole_blocks(ofbnlf::Decryptor::new(key, new, iv).unwrap(), io),
    }
    out
}

#[test]
fn every_vector_of_bc_and_ofbnlf_passes_at_every_level() {
    let files = vectors::all().unwrap();
    let file = files.iter().find(|file| file.algorithm == "sm4_gbt17964").unwrap();
    let mut count = 0;
    for group in &file.groups {
        for test in &group.tests {
            let [key, plaintext, ciphertext] =
                [&test.key, &test.plaintext, &test.ciphertext].map(|field| field.as_ref().unwrap());
            let iv = test.iv.as_deref().unwrap_or(&[]);
            for level in Level::available() {
                let place = format!("{}, {level}", test.id);
                match &*group.mode {
                    "bc" => {
                        let sm4 = Sm4::with_level(key, level).unwrap();
                        let mut data = plaintext.clone();
                        let mut encryptor = bc::Encryptor::new(&sm4, iv).unwrap();
                        encryptor.blocks(data.as_mut_slice().into()).unwrap();
                        assert_eq!(data, *ciphertext, "{place}");
                        let mut decryptor = bc::Decryptor::new(&sm4, iv).unwrap();
                        decryptor.blocks(data.as_mut_slice().into()).unwrap();
                        assert_eq!(data, *plaintext, "{place}");
                    }
                    "ofbnlf" => {
                        assert_eq!(
                            ofbnlf(level, false, key, iv, plaintext),
                            *ciphertext,
                            "{place}"
                        );
                        assert_eq!(ofbnlf(level, true, key, iv, ciphertext), *plaintext, "{place}");
                    }
                    _ => continue,
                }
                count += 1;
            }
        }
    }
    assert!(count >= 20, "only {count} tests ran");
}

#[test]
fn ofbnlf_in_random_pieces_equals_the_model() {
    let mut random = SplitMix64::new(23);
    let key = random.bytes(16);
    for level in Level::available() {
        let new = |key: &[u8]| Sm4::with_level(key, level);
        let mut encryptor = ofbnlf::Encryptor::new(&key, new, &[0; 16]).unwrap();
        let mut decryptor = ofbnlf::Decryptor::new(&key, new, &[0; 16]).unwrap();
        assert_eq!(encryptor.direction(), Direction::Encrypt);
        assert_eq!(decryptor.direction(), Direction::Decrypt);
        for blocks in [0, 1, 2, 40] {
            let (iv, data) = (random.bytes(16), random.bytes(16 * blocks));
            let key: [u8; 16] = key.clone().try_into().unwrap();
            let cipher = |b: &[u8]| model::sm4::encrypt(&key, b.try_into().unwrap()).to_vec();
            let keyed = |key: &[u8], b: &[u8]| {
                model::sm4::encrypt(key.try_into().unwrap(), b.try_into().unwrap()).to_vec()
            };
            let expected = models::ofbnlf::crypt(&cipher, &keyed, &iv, &data);
            encryptor.reset(&iv).unwrap();
            let out = in_pieces(&mut random, &data, 16, |io| encryptor.blocks(io));
            assert_eq!(out, expected, "{level}, {blocks} blocks");
            decryptor.reset(&iv).unwrap();
            let back = in_pieces(&mut random, &out, 16, |io| decryptor.blocks(io));
            assert_eq!(back, data, "{level}, {blocks} blocks, back");
        }
    }
}

#[test]
fn ofbnlf_refuses_what_does_not_fit() {
    let wrong = |field, got| Error::Length { field, got, allowed: Sizes::exactly(16) };
    for got in (0..40).filter(|&len| len != 16) {
        let error = ofbnlf::Encryptor::new(&vec![0; got], Sm4::new, &[0; 16]).err();
        assert_eq!(error, Some(wrong("key", got)));
        let error = ofbnlf::Decryptor::new(&[0; 16], Sm4::new, &vec![0; got]).err();
        assert_eq!(error, Some(wrong("iv", got)));
        let mut mode = ofbnlf::Encryptor::new(&[0; 16], Sm4::new, &[0; 16]).unwrap();
        assert_eq!(mode.reset(&vec![0; got]), Err(wrong("iv", got)));
        let mut data = vec![7; got];
        if got % 16 != 0 {
            let error = Error::PartialBlock { got, block: 16 };
            assert_eq!(mode.blocks(data.as_mut_slice().into()), Err(error));
            assert_eq!(data, vec![7; got]);
        }
    }
    // A key of a block's length does not fit AES-256: refused before any data.
    let candidates = candidates();
    let aes = candidates.iter().find(|candidate| candidate.key == 32).unwrap();
    let error = ofbnlf::Encryptor::new(&[0; 32], &aes.new, &[0; 16]).err();
    assert!(matches!(error, Some(Error::Length { field: "key", got: 16, .. })));
}
