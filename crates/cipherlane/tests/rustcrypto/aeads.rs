//! Code that is generic over `aead` drives our AEADs.

use aead::{AeadInOut, Buffer, KeyInit, Payload};
use cipherlane::aead::ccm::Ccm;
use cipherlane::aead::gcm::Gcm;
use cipherlane::aead::gcm_siv::GcmSiv;
use cipherlane::{Aes128, Aes192, Aes256, Error, Sm4};

use crate::message;

type Siv<C> = GcmSiv<C, fn(&[u8]) -> Result<C, Error>>;

/// Seals and opens by the generic traits, against our own calls.
fn check<A, T>(name: &str, ours: &T)
where
    A: AeadInOut + KeyInit + aead::Aead,
    T: cipherlane::Aead,
{
    let theirs = A::new_from_slice(&message(A::key_size())).expect("a key of its size");
    let nonce = aead::Nonce::<A>::try_from(&message(12)[..]).expect("twelve bytes");
    for len in [0, 1, 16, 17, 100, 2500] {
        let (plaintext, aad) = (message(len), message(len % 40));
        let mut expected = vec![0; len + 16];
        ours.seal_attached(&nonce, &aad, &plaintext, &mut expected).unwrap();
        let payload = || Payload { msg: &plaintext, aad: &aad };
        let mut sealed = theirs.encrypt(&nonce, payload()).expect("it is short enough");
        assert_eq!(sealed, expected, "{name}, {len} bytes");
        let opened = theirs.decrypt(&nonce, Payload { msg: &sealed, aad: &aad });
        assert_eq!(opened.as_ref(), Ok(&plaintext), "{name}, {len} bytes");

        // The family's own buffer, in place; then one bit wrong.
        theirs.decrypt_in_place(&nonce, &aad, &mut sealed as &mut dyn Buffer).unwrap();
        assert_eq!(sealed, plaintext, "{name}, {len} bytes in place");
        expected[len] ^= 1;
        let refused = theirs.decrypt(&nonce, Payload { msg: &expected, aad: &aad });
        assert_eq!(refused, Err(aead::Error), "{name}, {len} bytes, another tag");

        // Trial decryption: a wrong key leaves the ciphertext, and the right one opens it.
        let wrong = A::new_from_slice(&message(A::key_size() + 1)[1..]).expect("a key");
        expected[len] ^= 1;
        let mut trial = expected.clone();
        let tried = wrong.decrypt_in_place(&nonce, &aad, &mut trial as &mut dyn Buffer);
        assert_eq!((tried, &trial), (Err(aead::Error), &expected), "{name}, {len} bytes");
        theirs.decrypt_in_place(&nonce, &aad, &mut trial as &mut dyn Buffer).unwrap();
        assert_eq!(trial, plaintext, "{name}, {len} bytes, the second key");
    }
    assert_eq!(theirs.decrypt(&nonce, &[0; 15][..]), Err(aead::Error), "{name}, no room for a tag");
}

#[test]
fn gcm_and_ccm_of_every_cipher() {
    check::<Gcm<Sm4>, _>("SM4-GCM", &Gcm::new(Sm4::new(&message(16)).unwrap()).unwrap());
    check::<Gcm<Aes128>, _>("AES-128-GCM", &Gcm::new(Aes128::new(&message(16)).unwrap()).unwrap());
    check::<Gcm<Aes192>, _>("AES-192-GCM", &Gcm::new(Aes192::new(&message(24)).unwrap()).unwrap());
    check::<Gcm<Aes256>, _>("AES-256-GCM", &Gcm::new(Aes256::new(&message(32)).unwrap()).unwrap());
    check::<Ccm<Sm4>, _>("SM4-CCM", &Ccm::new(Sm4::new(&message(16)).unwrap()).unwrap());
    check::<Ccm<Aes256>, _>("AES-256-CCM", &Ccm::new(Aes256::new(&message(32)).unwrap()).unwrap());
}

#[test]
fn gcm_siv_of_both_key_lengths() {
    let sm4: fn(&[u8]) -> Result<Sm4, Error> = Sm4::new;
    check::<Siv<Sm4>, _>("SM4-GCM-SIV", &GcmSiv::new(&message(16), sm4).unwrap());
    let aes: fn(&[u8]) -> Result<Aes256, Error> = Aes256::new;
    check::<Siv<Aes256>, _>("AES-256-GCM-SIV", &GcmSiv::new(&message(32), aes).unwrap());
}
