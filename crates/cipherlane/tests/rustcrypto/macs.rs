//! Code that is generic over `digest::Mac` and `universal_hash` drives our MACs and hashes.

use cipher::KeyIvInit;
use cipherlane::mac::cbc_mac::{CbcMac, Padding};
use cipherlane::mac::cmac::Cmac;
use cipherlane::mac::ghash::{Ghash, Polyval};
use cipherlane::mac::gmac::Gmac;
use cipherlane::{Aes128, Sm4};
use digest::{FixedOutputReset, KeyInit, Mac};
use universal_hash::UniversalHash;

use crate::{IV, KEY, message};

/// The tag of a message in two pieces, and what verifies and what does not.
fn check<M: Mac>(name: &str, fresh: impl Fn() -> M, expected: impl Fn(&[u8]) -> Vec<u8>) {
    for len in [0, 1, 15, 16, 17, 64, 1000] {
        let data = message(len);
        let (head, tail) = data.split_at(len / 3);
        let mac = || fresh().chain_update(head).chain_update(tail);
        let tag = mac().finalize().into_bytes();
        assert_eq!(tag[..], expected(&data), "{name}, {len} bytes");
        mac().verify(&tag).expect("its own tag");
        mac().verify_slice(&tag).expect("its own tag");
        mac().verify_truncated_left(&tag[..8]).expect("its own tag");
        let mut wrong = tag.clone();
        wrong[7] ^= 0x40;
        assert!(mac().verify(&wrong).is_err(), "{name}, {len} bytes");
        assert!(mac().verify_truncated_left(&wrong[..8]).is_err(), "{name}, {len} bytes");
        assert!(mac().chain_update([0]).verify(&tag).is_err(), "{name}, {len} bytes and one more");
    }
}

/// Two messages one after the other from one object.
fn check_reset<M: Mac + FixedOutputReset + Clone>(name: &str, fresh: &M) {
    let expected = fresh.clone().chain_update(b"second").finalize().into_bytes();
    let mut mac = fresh.clone();
    Mac::update(&mut mac, b"first");
    mac.finalize_reset();
    Mac::update(&mut mac, b"second");
    assert_eq!(mac.finalize_reset().into_bytes(), expected, "{name} after an end");
    Mac::update(&mut mac, b"forgotten");
    Mac::reset(&mut mac);
    Mac::update(&mut mac, b"second");
    mac.verify_reset(&expected).expect("the tag of the second message");
}

fn tag_by(mac: &mut dyn cipherlane::Mac, data: &[u8]) -> Vec<u8> {
    let mut tag = vec![0; 16];
    mac.update(data).unwrap();
    mac.finish(&mut tag).unwrap();
    tag
}

#[test]
fn cmac_gmac_and_cbc_mac() {
    let (sm4, aes) = (Sm4::new(&KEY).unwrap(), Aes128::new(&KEY).unwrap());
    let ours = |data: &[u8]| tag_by(&mut Cmac::new(sm4.clone()).unwrap(), data);
    let cmac = <Cmac<Sm4> as KeyInit>::new(&KEY.into());
    check("CMAC", || cmac.clone(), ours);
    check_reset("CMAC", &cmac);
    let nonce = [3; 12];
    let ours = |data: &[u8]| tag_by(&mut Gmac::new(aes.clone(), &nonce).unwrap(), data);
    check("GMAC", || <Gmac<Aes128> as KeyIvInit>::new(&KEY.into(), &nonce.into()), ours);
    let emac = || CbcMac::emac(sm4.clone(), Sm4::new(&IV).unwrap(), Padding::Method2).unwrap();
    check("EMAC", emac, |data| tag_by(&mut emac(), data));
    check_reset("EMAC", &emac());
}

/// The family's own CMAC over our cipher is our CMAC.
#[test]
fn the_cmac_crate_over_our_ciphers_equals_our_cmac() {
    for len in [0, 1, 16, 33, 4096, 5000] {
        let data = message(len);
        let theirs = <cmac::Cmac<Aes128> as KeyInit>::new(&KEY.into()).chain_update(&data);
        let mut ours = Cmac::new(Aes128::new(&KEY).unwrap()).unwrap();
        assert_eq!(theirs.finalize().into_bytes()[..], tag_by(&mut ours, &data), "{len} bytes");
    }
}

fn hash<H: UniversalHash + KeyInit>(data: &[u8]) -> Vec<u8> {
    let mut hash = H::new_from_slice(&KEY).expect("a key of sixteen bytes");
    hash.update_padded(data);
    hash.finalize().to_vec()
}

#[test]
fn ghash_and_polyval() {
    // Past the backend's blocks at once, and not whole blocks.
    for len in [0, 1, 16, 17, 2047, 2048, 2049, 5000] {
        let data = message(len);
        let (mut ghash, mut polyval) = (Ghash::new(&KEY).unwrap(), Polyval::new(&KEY).unwrap());
        ghash.update(&data);
        polyval.update(&data);
        assert_eq!(hash::<Ghash>(&data), ghash.finish(), "{len} bytes");
        assert_eq!(hash::<Polyval>(&data), polyval.finish(), "{len} bytes");
    }
}
