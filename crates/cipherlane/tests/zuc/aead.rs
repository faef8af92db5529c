//! GXM, MUR, 256-NCA6 and 256-NIA6 against the model, and misused.

use cipherlane::aead::gxm::Gxm;
use cipherlane::aead::mur::Mur;
use cipherlane::zuc::{Nca6, Nia6};
use cipherlane::{Aead, Error, Level, Mac};
use model::random::SplitMix64;
use model::zuc_aead;

/// Seals and opens in every way, and must refuse what is spoilt.
fn agree(
    place: &str,
    random: &mut SplitMix64,
    aead: &mut dyn Aead,
    (nonce, aad, data): (&[u8], &[u8], &[u8]),
    (ciphertext, tag): &(Vec<u8>, Vec<u8>),
) {
    aead.set_tag_len(tag.len()).unwrap();
    let (mut in_place, mut computed) = (data.to_vec(), vec![0; tag.len()]);
    aead.seal(nonce, aad, in_place.as_mut_slice().into(), &mut computed).unwrap();
    assert_eq!((&in_place, &computed), (ciphertext, tag), "{place}");
    aead.open(nonce, aad, in_place.as_mut_slice().into(), tag).unwrap();
    assert_eq!(in_place, data, "{place}");
    let mut sealed = vec![0; data.len() + tag.len()];
    aead.seal_attached(nonce, aad, data, &mut sealed).unwrap();
    assert_eq!(sealed, [ciphertext.as_slice(), tag].concat(), "{place}");
    let mut opened = vec![0xa5; data.len()];
    aead.open_attached(nonce, aad, &sealed, &mut opened).unwrap();
    assert_eq!(opened, data, "{place}");

    let refuse = |sealed: &[u8], nonce: &[u8], aad: &[u8], what: &str| {
        let mut opened = vec![0xa5; data.len()];
        let got = aead.open_attached(nonce, aad, sealed, &mut opened);
        assert_eq!(got, Err(Error::Authentication), "{place}, {what}");
        assert_eq!(opened, vec![0; data.len()], "{place}, {what}");
    };
    let mut spoilt = sealed.clone();
    spoilt[random.below(sealed.len())] ^= 1 << random.below(8);
    refuse(&spoilt, nonce, aad, "ciphertext or tag");
    let mut other = nonce.to_vec();
    other[random.below(nonce.len())] ^= 1 << random.below(8);
    refuse(&sealed, &other, aad, "nonce");
    refuse(&sealed, nonce, &[aad, &[0]].concat(), "associated data");
}

#[test]
fn gxm_and_mur_equal_the_model() {
    for seed in 0..240 {
        let mut random = SplitMix64::new(seed);
        let len = if seed < 130 { seed as usize } else { random.below(2000) };
        let (master, nonce, data) = (random.bytes(16), random.bytes(16), random.bytes(len));
        let aad = random.below(50);
        let aad = random.bytes(aad);
        let tag = 8 + seed as usize % 9;
        let iv = nonce.as_slice().try_into().unwrap();
        let [h, k1, k2] = zuc_aead::subkeys(master.as_slice().try_into().unwrap());
        let gxm = zuc_aead::gxm([&h, &k1], iv, &aad, &data, tag);
        let mur = zuc_aead::mur([&h, &k1, &k2], iv, &aad, &data, tag);
        for level in Level::available() {
            let place = format!("{level}, {len} bytes, tag of {tag}, seed {seed}");
            let input = (&*nonce, &*aad, &*data);
            let mut aeads: [(Box<dyn Aead>, _); 4] = [
                (Box::new(Gxm::with_level(&master, level).unwrap()), &gxm),
                (Box::new(Gxm::with_subkeys(&h, &k1, level).unwrap()), &gxm),
                (Box::new(Mur::with_level(&master, level).unwrap()), &mur),
                (Box::new(Mur::with_subkeys(&h, &k1, &k2, level).unwrap()), &mur),
            ];
            for (i, (aead, expected)) in aeads.iter_mut().enumerate() {
                agree(&format!("{i}, {place}"), &mut random, &mut **aead, input, expected);
            }
        }
    }
}

#[test]
fn nca6_and_nia6_equal_the_model() {
    for seed in 0..240 {
        let mut random = SplitMix64::new(seed);
        let len = if seed < 130 { seed as usize } else { random.below(2000) };
        let (key, nonce, data) = (random.bytes(32), random.bytes(16), random.bytes(len));
        let aad = random.below(50);
        let aad = random.bytes(aad);
        let tag = 4 + seed as usize % 13;
        let k = key.as_slice().try_into().unwrap();
        let iv = nonce.as_slice().try_into().unwrap();
        let sealed = zuc_aead::nca6(k, iv, &aad, &data, tag);
        let (_, mac) = zuc_aead::nca6(k, iv, &data, &[], tag);
        for level in Level::available() {
            let place = format!("{level}, {len} bytes, tag of {tag}, seed {seed}");
            let mut nca6 = Nca6::with_level(&key, level).unwrap();
            agree(&place, &mut random, &mut nca6, (&nonce, &aad, &data), &sealed);

            let mut nia6 = Nia6::with_level(&key, &random.bytes(16), level).unwrap();
            nia6.set_tag_len(tag).unwrap();
            nia6.update(&data).unwrap();
            nia6.reset(&nonce).unwrap();
            let cut = random.below(len + 1);
            nia6.update(&data[..cut]).unwrap();
            nia6.update(&data[cut..]).unwrap();
            nia6.verify(&mac).unwrap();
            nia6.reset(&nonce).unwrap();
            nia6.update(&data).unwrap();
            let mut wrong = mac.clone();
            wrong[random.below(tag)] ^= 0x80;
            assert_eq!(nia6.verify(&wrong), Err(Error::Authentication), "{place}");
        }
    }
}

#[test]
fn wrong_lengths_are_named_and_nothing_is_written() {
    let gxm = Gxm::new(&[1; 16]).unwrap();
    let mur = Mur::new(&[1; 16]).unwrap();
    let nca6 = Nca6::new(&[1; 32]).unwrap();
    let text = |aead: &dyn Aead, nonce: usize, tag: usize| {
        let mut data = [0x77; 20];
        let mut out = vec![0x77; tag];
        let io = (&mut data[..]).into();
        let error = aead.seal(&vec![0; nonce], &[], io, &mut out).unwrap_err();
        assert_eq!((data, &out), ([0x77; 20], &vec![0x77; tag]));
        error.to_string()
    };
    for aead in [&gxm as &dyn Aead, &mur] {
        assert_eq!(text(aead, 12, 16), "nonce of 12 bytes; allowed: 16 bytes");
        assert_eq!(text(aead, 16, 8), "tag of 8 bytes; allowed: 16 bytes");
        assert_eq!(text(aead, 16, 17), "tag of 17 bytes; allowed: 16 bytes");
    }
    assert_eq!(text(&nca6, 15, 16), "nonce of 15 bytes; allowed: 16 bytes");
    assert_eq!(text(&nca6, 16, 3), "tag of 3 bytes; allowed: 16 bytes");
    let short = |error: Error| error.to_string();
    let refused = [gxm.clone().with_tag_len(7).map(drop), mur.clone().with_tag_len(7).map(drop)];
    for refused in refused.map(Result::unwrap_err).map(short) {
        assert_eq!(refused, "tag of 7 bytes; allowed: 8 to 16 bytes");
    }
    let refused = nca6.clone().with_tag_len(3).map(drop).unwrap_err();
    assert_eq!(short(refused), "tag of 3 bytes; allowed: 4 to 16 bytes");
    let key = |result: Result<Gxm, Error>| result.unwrap_err().to_string();
    assert_eq!(key(Gxm::new(&[0; 32])), "key of 32 bytes; allowed: 16 bytes");
    let level = Level::best();
    let subkeys = Gxm::with_subkeys(&[0; 15], &[0; 16], level);
    assert_eq!(key(subkeys), "hash key of 15 bytes; allowed: 16 bytes");
    assert!(Mur::with_subkeys(&[0; 16], &[0; 16], &[0; 17], level).is_err());
    assert!(Nia6::new(&[0; 16], &[0; 16]).is_err());
    assert!(Nia6::new(&[0; 32], &[0; 12]).is_err());
}
