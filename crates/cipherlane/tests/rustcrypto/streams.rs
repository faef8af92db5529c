//! Code that is generic over the stream and block mode traits drives our modes and ZUC.

use cipher::block_padding::Pkcs7;
use cipher::{
    BlockModeDecrypt, BlockModeEncrypt, KeyInit, KeyIvInit, StreamCipher, StreamCipherSeek,
};
use cipherlane::modes::ctr::{self as our_ctr, Ctr, Ctr32};
use cipherlane::modes::ofb::Ofb;
use cipherlane::modes::{cbc as our_cbc, ecb as our_ecb};
use cipherlane::zuc::{Zuc128, Zuc256};
use cipherlane::{Aes128, Sm4};

use crate::{IV, KEY, message};

/// Ciphers `data` by the generic traits, in pieces.
fn apply<S: KeyIvInit + StreamCipher>(data: &mut [u8]) {
    let (key, iv) = (message(S::key_size()), vec![1; S::iv_size()]);
    let mut stream = S::new_from_slices(&key, &iv).expect("key and IV of their sizes");
    for piece in data.chunks_mut(77) {
        stream.apply_keystream(piece);
    }
}

#[test]
fn streams_equal_our_own_calls() {
    fn check<S: KeyIvInit + StreamCipher>(mut ours: impl cipherlane::StreamCipher, name: &str) {
        let (mut got, mut expected) = (message(1000), message(1000));
        apply::<S>(&mut got);
        ours.apply(&mut expected).unwrap();
        assert_eq!(got, expected, "{name}");
    }
    let (sm4, iv) = (Sm4::new(&message(16)).unwrap(), [1; 16]);
    check::<Ctr<Sm4>>(Ctr::new(&sm4, &iv).unwrap(), "CTR");
    check::<Ctr32<Sm4>>(Ctr32::new(&sm4, &iv).unwrap(), "CTR with 32 bits");
    check::<Ofb<Sm4>>(Ofb::new(&sm4, &iv).unwrap(), "OFB");
    check::<Zuc128>(Zuc128::new(&message(16), &iv).unwrap(), "ZUC-128");
    check::<Zuc256>(Zuc256::new(&message(32), &[1; 25]).unwrap(), "ZUC-256");
}

/// The family's CTR crate over our cipher and our own CTR seek to the same places.
#[test]
fn seeking_equals_the_ctr_crate() {
    fn run<S: KeyIvInit + StreamCipher + StreamCipherSeek>() -> Vec<u8> {
        let mut stream = S::new_from_slices(&KEY, &IV).expect("key and IV of their sizes");
        let mut out = vec![0; 2000];
        for (i, piece) in out.chunks_mut(100).enumerate() {
            let at = [0_u64, 5, 16, 1000, 1 << 33, 4096 + 31][i % 6] + i as u64;
            stream.try_seek(at).expect("a place of the keystream");
            stream.apply_keystream(piece);
            assert_eq!(stream.current_pos::<u64>(), at + 100);
        }
        out
    }
    assert_eq!(run::<Ctr<Sm4>>(), run::<ctr::Ctr128BE<Sm4>>());
    assert_eq!(run::<Ctr32<Aes128>>(), run::<ctr::Ctr32BE<Aes128>>());
}

#[test]
fn keystreams_end() {
    let mut mode = <Ctr32<Sm4> as KeyIvInit>::new(&KEY.into(), &IV.into());
    let end = 16_u64 << 32;
    mode.try_seek(end - 5).unwrap();
    assert!(mode.try_apply_keystream(&mut [0; 6]).is_err());
    mode.try_apply_keystream(&mut [0; 5]).unwrap();
    assert!(mode.try_seek(end + 1).is_err());
    assert_eq!(mode.current_pos::<u64>(), end);

    let mut zuc = <Zuc256 as KeyIvInit>::new(&[7; 32].into(), &[1; 25].into());
    assert!(zuc.try_apply_keystream(&mut [0; 2501]).is_err());
    zuc.try_apply_keystream(&mut [0; 2500]).unwrap();
    assert!(zuc.check_remaining(1).is_err());
}

#[test]
fn ctr_with_32_bits_equals_the_ctr_crate() {
    // The counter wraps inside the data.
    let aes = Aes128::new(&KEY).unwrap();
    for len in [0, 1, 16, 100, 3000] {
        let (mut ours, mut theirs) = (message(len), message(len));
        let mut iv = IV;
        iv[15] = 0xf0;
        our_ctr::apply32(&aes, &iv, ours.as_mut_slice().into()).unwrap();
        ctr::Ctr32BE::<Aes128>::new(&KEY.into(), &iv.into()).apply_keystream(&mut theirs);
        assert_eq!(ours, theirs, "{len} bytes");
    }
}

#[test]
fn block_modes_with_the_padding_of_the_family() {
    for len in [0, 1, 15, 16, 17, 2047, 2048, 3000] {
        let data = message(len);
        let key = KEY.into();
        let sealed = <our_cbc::Encryptor<Sm4> as KeyIvInit>::new(&key, &IV.into())
            .encrypt_padded_vec::<Pkcs7>(&data);
        let theirs =
            cbc::Encryptor::<Sm4>::new(&key, &IV.into()).encrypt_padded_vec::<Pkcs7>(&data);
        assert_eq!(sealed, theirs, "CBC, {len} bytes");
        let opened = <our_cbc::Decryptor<Sm4> as KeyIvInit>::new(&key, &IV.into())
            .decrypt_padded_vec::<Pkcs7>(&sealed);
        assert_eq!(opened.as_ref().ok(), Some(&data), "CBC, {len} bytes");
        let sealed =
            <our_ecb::Encryptor<Sm4> as KeyInit>::new(&key).encrypt_padded_vec::<Pkcs7>(&data);
        let opened =
            <our_ecb::Decryptor<Sm4> as KeyInit>::new(&key).decrypt_padded_vec::<Pkcs7>(&sealed);
        assert_eq!(opened.as_ref().ok(), Some(&data), "ECB, {len} bytes");
        assert_eq!(sealed.len(), len / 16 * 16 + 16);
    }
}
