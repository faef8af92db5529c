//! `Debug` output carries no secret: not the key, and nothing that depends on it.
#![cfg(feature = "sm4")]

use std::fmt::Debug;

use cipherlane::aead::ccm::Ccm;
use cipherlane::mac::{cbc_mac, cmac};
use cipherlane::modes::xts::Xts;
use cipherlane::modes::{Buffered, Padding, bc, cbc, cfb, cfb1, cfb8, ctr, ecb, ofb, ofbnlf};
use cipherlane::{Mac, Sm4, StreamCipher};
use model::random::SplitMix64;

/// The `Debug` forms of what `make` makes of two keys, plain and spread over lines, which name
/// `own`.
fn silent_as<T: Debug>(name: &str, own: &str, make: impl Fn(&[u8]) -> T) {
    let texts = |seed| {
        let object = make(&SplitMix64::new(seed).bytes(64));
        [format!("{object:?}"), format!("{object:#?}")]
    };
    let texts = [texts(1), texts(2)];
    assert_eq!(texts[0], texts[1], "{name} prints something that depends on the key");
    assert!(texts[0][0].contains(own), "{name} prints `{}`, not its name {own}", texts[0][0]);
}

/// The same of what prints its type's name.
fn silent<T: Debug>(name: &str, make: impl Fn(&[u8]) -> T) {
    let path = std::any::type_name::<T>().split('<').next().unwrap_or_default();
    // `CtrMode` is `Ctr` to those who use it.
    let own = path.rsplit("::").next().unwrap_or_default().trim_end_matches("Mode");
    silent_as(name, own, make);
}

/// A cipher under a key, to hand to modes.
fn sm4(key: &[u8]) -> Sm4 {
    Sm4::new(&key[..16]).unwrap()
}

#[test]
fn ciphers_and_modes_print_no_secret() {
    silent("Sm4", sm4);
    silent("ecb::Encryptor", |key| ecb::Encryptor::new(sm4(key)));
    silent("ecb::Decryptor", |key| ecb::Decryptor::new(sm4(key)));
    silent("cbc::Encryptor", |key| cbc::Encryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("cbc::Decryptor", |key| cbc::Decryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("Ctr", |key| {
        let mut ctr = ctr::Ctr::new(sm4(key), &[0; 16]).unwrap();
        ctr.apply(&mut [0; 5]).unwrap();
        ctr
    });
    silent("cfb::Encryptor", |key| {
        let mut cfb = cfb::Encryptor::new(sm4(key), &[0; 16]).unwrap();
        cfb.apply(&mut [0; 5]).unwrap();
        cfb
    });
    silent("cfb::Decryptor", |key| cfb::Decryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("cfb1::Encryptor", |key| cfb1::Encryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("cfb1::Decryptor", |key| cfb1::Decryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("cfb8::Encryptor", |key| cfb8::Encryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("cfb8::Decryptor", |key| cfb8::Decryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("Ofb", |key| {
        let mut ofb = ofb::Ofb::new(sm4(key), &[0; 16]).unwrap();
        ofb.apply(&mut [0; 5]).unwrap();
        ofb
    });
    silent("bc::Encryptor", |key| bc::Encryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("bc::Decryptor", |key| bc::Decryptor::new(sm4(key), &[0; 16]).unwrap());
    silent("ofbnlf::Encryptor", |key| {
        ofbnlf::Encryptor::new(&key[..16], Sm4::new, &[0; 16]).unwrap()
    });
    silent("ofbnlf::Decryptor", |key| {
        ofbnlf::Decryptor::new(&key[..16], Sm4::new, &[0; 16]).unwrap()
    });
    let xts = |key: &[u8]| Xts::from_key(&key[..32], Sm4::new).unwrap();
    silent("Xts", xts);
    // The streams borrow it, so they are printed here.
    let [one, two] = [1, 2].map(|seed| xts(&SplitMix64::new(seed).bytes(32)));
    let text = |xts: &Xts<Sm4>| {
        let tweak = [0; 16];
        format!("{:?}{:?}", xts.encryptor(&tweak).unwrap(), xts.decryptor(&tweak).unwrap())
    };
    assert_eq!(text(&one), text(&two), "the streams of XTS print something secret");
    assert_eq!(text(&one), "Encryptor { done: 0, .. }Decryptor { done: 0, .. }");
    silent("Cmac", |key| {
        let mut cmac = cmac::Cmac::new(sm4(key)).unwrap();
        cmac.update(&key[..5]).unwrap();
        cmac
    });
    silent("CbcMac", |key| {
        let [one, two] = [sm4(key), sm4(&key[16..])];
        let mut mac = cbc_mac::CbcMac::emac(one, two, cbc_mac::Padding::Method2).unwrap();
        mac.update(&key[..5]).unwrap();
        mac
    });
    silent("Ccm", |key| Ccm::new(sm4(key)).unwrap());
    silent("Buffered", |key| {
        let mut mode = Buffered::new(ecb::Encryptor::new(sm4(key)), Padding::Pkcs7);
        // The held plaintext is a secret too.
        mode.update(&key[..5], &mut []).unwrap();
        mode
    });
}

#[cfg(feature = "aes")]
#[test]
fn aes_prints_no_secret() {
    use cipherlane::{Aes, Aes128, Aes192, Aes256};
    silent("Aes", |key| Aes::new(&key[..24]).unwrap());
    silent("Aes128", |key| Aes128::new(&key[..16]).unwrap());
    silent("Aes192", |key| Aes192::new(&key[..24]).unwrap());
    silent("Aes256", |key| Aes256::new(&key[..32]).unwrap());
}

#[cfg(feature = "aes")]
#[test]
fn algorithms_of_3gpp_over_aes_print_no_secret() {
    use cipherlane::Aes256;
    use cipherlane::air::{Bearer, Count, Direction};
    use cipherlane::mac::nia2::{Nia2, Nia2Mac};
    use cipherlane::modes::nea2::Nea2;
    use cipherlane::modes::nea5::Nea5Stream;
    let (count, bearer, up) = (Count(1), Bearer::new(2).unwrap(), Direction::Uplink);
    silent("Nea2", |key| Nea2::new(&key[..16], count, bearer, up).unwrap());
    silent("Nea5Stream", |key| {
        let mut stream = Nea5Stream::new(Aes256::new(&key[..32]).unwrap(), &[0; 16]).unwrap();
        stream.apply(&mut [0; 5]).unwrap();
        stream
    });
    silent("Nia2", |key| Nia2::new(&key[..16], count, bearer, up).unwrap());
    silent("Nia2Mac", |key| {
        let mut mac = Nia2Mac::new(&key[..16], &[0; 8]).unwrap();
        mac.update_bits(&key[..5], 37).unwrap();
        mac
    });
}

#[cfg(all(
    feature = "hc128",
    feature = "rabbit",
    feature = "rc4",
    feature = "salsa20",
    feature = "sosemanuk"
))]
#[test]
fn ciphers_of_the_studies_print_no_secret() {
    use cipherlane::hc128::Hc128;
    use cipherlane::rabbit::Rabbit;
    use cipherlane::rc4::Rc4;
    use cipherlane::salsa20::Salsa20_12;
    use cipherlane::sosemanuk::Sosemanuk;
    fn begun<S: StreamCipher>(mut cipher: S) -> S {
        cipher.apply(&mut [0; 5]).unwrap();
        cipher
    }
    silent("Hc128", |key| begun(Hc128::new(&key[..16], &[0; 16]).unwrap()));
    silent("Rabbit", |key| begun(Rabbit::new(&key[..16], &[0; 8]).unwrap()));
    silent("Rc4", |key| begun(Rc4::new(key).unwrap()));
    silent("Salsa20", |key| begun(Salsa20_12::new(&key[..32], &[0; 8]).unwrap()));
    silent("Sosemanuk", |key| begun(Sosemanuk::new(&key[..32], &[0; 16]).unwrap()));
}

#[cfg(all(feature = "idea", feature = "rc2", feature = "rc5"))]
#[test]
fn ciphers_of_small_blocks_print_no_secret() {
    use cipherlane::{Idea, Rc2, Rc5, Rc5W16, Rc5W64};
    silent("Idea", |key| Idea::new(&key[..16]).unwrap());
    silent("Rc2", |key| Rc2::new(&key[..16]).unwrap());
    silent("Rc5", |key| Rc5::new(&key[..16]).unwrap());
    silent("Rc5W16", |key| Rc5W16::new(&key[..16]).unwrap());
    silent("Rc5W64", |key| Rc5W64::new(&key[..16]).unwrap());
}

#[cfg(all(feature = "mickey", feature = "grain", feature = "enocoro"))]
#[test]
fn keystreams_of_bits_print_no_secret() {
    use cipherlane::enocoro::Enocoro128v2;
    use cipherlane::grain::GrainV1;
    use cipherlane::mickey::Mickey2;
    silent_as("Enocoro128v2", "Enocoro-128v2", |key| {
        Enocoro128v2::new(&key[..16], &[0; 8]).unwrap()
    });
    silent_as("GrainV1", "Grain v1", |key| GrainV1::new(&key[..10], &[0; 8]).unwrap());
    silent_as("Mickey2", "MICKEY 2.0", |key| Mickey2::new(&key[..10], &[0; 4]).unwrap());
}

#[cfg(feature = "zuc")]
#[test]
fn stream_ciphers_print_no_secret() {
    use cipherlane::zuc::{Zuc128, Zuc256};
    silent("Zuc128", |key| {
        let mut zuc = Zuc128::new(&key[..16], &[0; 16]).unwrap();
        zuc.apply(&mut [0; 5]).unwrap();
        zuc
    });
    silent("Zuc256", |key| {
        let mut zuc = Zuc256::new(&key[..32], &[0; 23]).unwrap();
        zuc.apply(&mut [0; 5]).unwrap();
        zuc
    });
}

#[cfg(feature = "zuc")]
#[test]
fn macs_and_aeads_of_stream_ciphers_print_no_secret() {
    use cipherlane::aead::gxm::Gxm;
    use cipherlane::aead::mur::Mur;
    use cipherlane::aead::nea2_nia2::Nea2Nia2;
    use cipherlane::air::{Bearer, Count, Direction};
    use cipherlane::zuc::mac::{Zuc128Mac, Zuc256Mac};
    use cipherlane::zuc::{Eea3, Eea3Eia3, Eia3, Nca6, Nea6, Nia6, Order};
    silent("Zuc128Mac", |key| {
        let mut mac = Zuc128Mac::new(&key[..16], &[0; 16], 4).unwrap();
        mac.update(&key[..5]).unwrap();
        mac
    });
    silent("Zuc256Mac", |key| {
        let mut mac = Zuc256Mac::new(&key[..32], &[0; 23], 16).unwrap();
        mac.update(&key[..50]).unwrap();
        mac
    });
    silent("Nia6", |key| {
        let mut mac = Nia6::new(&key[..32], &[0; 16]).unwrap();
        mac.update(&key[..50]).unwrap();
        mac
    });
    let (count, bearer) = (Count(1), Bearer::new(2).unwrap());
    let up = Direction::Uplink;
    silent("Eea3", |key| Eea3::new(&key[..16], count, bearer, up).unwrap());
    silent("Eia3", |key| Eia3::new(&key[..16], count, bearer, up).unwrap());
    silent("Nea6", |key| Nea6::new(&key[..32], &[0; 16]).unwrap());
    silent("Nea2Nia2", |key| Nea2Nia2::new(&key[..32], Order::MacThenEncrypt).unwrap());
    silent("Eea3Eia3", |key| Eea3Eia3::new(&key[..32], Order::MacThenEncrypt).unwrap());
    silent("Nca6", |key| Nca6::new(&key[..32]).unwrap());
    silent("Gxm", |key| Gxm::new(&key[..16]).unwrap());
    silent("Mur", |key| Mur::new(&key[..16]).unwrap());
}
