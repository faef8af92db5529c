//! RustCrypto's mode crates over our ciphers give what our own modes give.

mod aeads;
mod macs;
mod streams;

use cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher as _};
use cipherlane::modes::{BlockMode, cbc as our_cbc, ctr as our_ctr};
use cipherlane::{Level, Sm4};

/// A message of `len` bytes that repeats nowhere.
fn message(len: usize) -> Vec<u8> {
    (0..len as u32).map(|i| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
}

const KEY: [u8; 16] = *b"sixteen byte key";
const IV: [u8; 16] = [0xff; 16];

/// Lengths around one block, the backend's 128 blocks and two of them.
fn lengths() -> impl Iterator<Item = usize> {
    (0..70).chain(2030..2070).chain(4080..4110).chain([16384, 16385])
}

#[test]
fn the_ctr_crate_over_our_sm4_equals_our_ctr_at_every_length() {
    let sm4 = Sm4::new(&KEY).unwrap();
    for len in lengths() {
        let (mut ours, mut theirs) = (message(len), message(len));
        our_ctr::apply(&sm4, &IV, ours.as_mut_slice().into()).unwrap();
        ctr::Ctr128BE::<Sm4>::new(&KEY.into(), &IV.into()).apply_keystream(&mut theirs);
        assert_eq!(ours, theirs, "{len} bytes");
    }
}

#[test]
fn the_ctr_crate_gives_the_same_for_every_split() {
    let len = 2500;
    let mut whole = message(len);
    ctr::Ctr128BE::<Sm4>::new(&KEY.into(), &IV.into()).apply_keystream(&mut whole);
    for first in (0..len).step_by(37) {
        let mut parts = message(len);
        let (a, b) = parts.split_at_mut(first);
        let mut mode = ctr::Ctr128BE::<Sm4>::new(&KEY.into(), &IV.into());
        mode.apply_keystream(a);
        mode.apply_keystream(b);
        assert_eq!(parts, whole, "split at {first}");
    }
}

#[test]
fn the_cbc_crate_over_our_sm4_equals_our_cbc_both_ways() {
    let sm4 = Sm4::new(&KEY).unwrap();
    for blocks in (0..20).chain(125..132).chain([256, 300]) {
        let plain = message(16 * blocks);
        let mut ours = plain.clone();
        our_cbc::Encryptor::new(&sm4, &IV).unwrap().blocks(ours.as_mut_slice().into()).unwrap();
        let mut theirs: Vec<cipher::Block<Sm4>> =
            plain.chunks(16).map(|block| cipher::Block::<Sm4>::try_from(block).unwrap()).collect();
        let key = KEY.into();
        cbc::Encryptor::<Sm4>::new(&key, &IV.into()).encrypt_blocks(&mut theirs);
        assert_eq!(theirs.concat(), ours, "{blocks} blocks");
        cbc::Decryptor::<Sm4>::new(&key, &IV.into()).decrypt_blocks(&mut theirs);
        assert_eq!(theirs.concat(), plain, "{blocks} blocks");
    }
}

/// CTR and both directions of CBC, by their crates and by our own modes.
macro_rules! modes_over {
    ($Cipher:ty, $key:expr) => {
        let cipher = <$Cipher>::new(&$key).unwrap();
        let (key, iv) = ($key.into(), IV.into());
        for len in lengths().step_by(7) {
            let (mut ours, mut theirs) = (message(len), message(len));
            our_ctr::apply(&cipher, &IV, ours.as_mut_slice().into()).unwrap();
            ctr::Ctr128BE::<$Cipher>::new(&key, &iv).apply_keystream(&mut theirs);
            assert_eq!(ours, theirs, "{cipher:?}, {len} bytes");
        }
        for blocks in (0..20).chain([127, 128, 129, 300]) {
            let plain = message(16 * blocks);
            let mut ours = plain.clone();
            our_cbc::Encryptor::new(&cipher, &IV)
                .unwrap()
                .blocks(ours.as_mut_slice().into())
                .unwrap();
            let mut theirs: Vec<cipher::Block<$Cipher>> =
                plain.chunks(16).map(|block| block.try_into().unwrap()).collect();
            cbc::Encryptor::<$Cipher>::new(&key, &iv).encrypt_blocks(&mut theirs);
            assert_eq!(theirs.concat(), ours, "{cipher:?}, {blocks} blocks");
            cbc::Decryptor::<$Cipher>::new(&key, &iv).decrypt_blocks(&mut theirs);
            assert_eq!(theirs.concat(), plain, "{cipher:?}, {blocks} blocks");
        }
    };
}

#[test]
fn the_mode_crates_over_our_aes_equal_our_modes() {
    modes_over!(cipherlane::Aes128, KEY);
    modes_over!(cipherlane::Aes192, *b"a key of twenty-four byt");
    modes_over!(cipherlane::Aes256, *b"a key that has thirty-two bytes!");
}

#[test]
fn buffer_to_buffer_leaves_the_input_alone() {
    use cipher::{BlockCipherDecrypt, BlockCipherEncrypt};
    let sm4 = <Sm4 as KeyInit>::new(&KEY.into());
    let input: Vec<cipher::Block<Sm4>> = (0..131u8).map(|i| [i; 16].into()).collect();
    let before = input.clone();
    let mut sealed = vec![cipher::Block::<Sm4>::default(); 131];
    BlockCipherEncrypt::encrypt_blocks_b2b(&sm4, &input, &mut sealed).unwrap();
    assert_eq!(input, before);
    let mut opened = vec![cipher::Block::<Sm4>::default(); 131];
    BlockCipherDecrypt::decrypt_blocks_b2b(&sm4, &sealed, &mut opened).unwrap();
    assert_eq!(opened, before);
    assert_eq!(cipherlane::BlockCipher::level(&sm4), Level::detect().unwrap());
}
