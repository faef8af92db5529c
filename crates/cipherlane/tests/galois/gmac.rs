use cipherlane::aead::gcm::Gcm;
use cipherlane::mac::gmac::Gmac;
use cipherlane::{Aead, Error, Level, Mac};
use model::random::SplitMix64;

use crate::{bytes, cipher, for_each_vector, lengths, pieces, refuses_length, spoilt};

#[test]
fn published_vectors() {
    let count = for_each_vector("gmac", |vector, level| {
        let test = vector.test;
        let mut gmac = Gmac::new(vector.cipher(level), bytes(&test.iv)).unwrap();
        gmac.update(bytes(&test.message)).unwrap();
        let expected = if vector.valid() { Ok(()) } else { Err(Error::Authentication) };
        assert_eq!(gmac.verify(bytes(&test.tag)), expected, "{}, {level}", test.id);
    });
    assert!(count >= 13, "{count} tests under SM4");
}

#[test]
fn any_split_is_the_tag_of_gcm_without_a_message() {
    for level in Level::available() {
        let sm4 = cipher("sm4", &[7; 16], level).unwrap();
        let gcm = Gcm::new(&sm4).unwrap();
        let mut gmac = Gmac::new(&sm4, &[9; 12]).unwrap();
        for (seed, len) in lengths().enumerate() {
            let mut random = SplitMix64::new(seed as u64);
            let iv = random.bytes(if seed % 3 == 0 { 7 } else { 12 });
            let data = random.bytes(len);
            let mut expected = [0; 16];
            gcm.seal(&iv, &data, (&mut [][..]).into(), &mut expected).unwrap();
            for _ in 0..2 {
                gmac.reset(&iv).unwrap();
                let mut rest = &data[..];
                for n in pieces(&mut random, len) {
                    let (head, tail) = rest.split_at(n);
                    gmac.update(head).unwrap();
                    rest = tail;
                }
                let mut tag = [0; 16];
                gmac.finish(&mut tag).unwrap();
                assert_eq!(tag, expected, "{len} bytes, {level}");
            }
            gmac.reset(&iv).unwrap();
            gmac.update(&data).unwrap();
            let wrong = spoilt(&expected, 7 * seed % 128);
            assert_eq!(gmac.verify(&wrong), Err(Error::Authentication));
        }
    }
}

#[test]
fn a_length_that_is_announced_changes_no_tag_right_or_wrong() {
    for level in Level::available() {
        for name in ["sm4", "aes-128"] {
            let Some(cipher) = cipher(name, &[7; 16], level) else { continue };
            let mut gmac = Gmac::new(&cipher, &[9; 12]).unwrap();
            for len in lengths() {
                let data = SplitMix64::new(len as u64).bytes(len);
                let mut tag = |announced: Option<usize>, ends: &[usize]| {
                    gmac.reset(&[9; 12]).unwrap();
                    if let Some(announced) = announced {
                        gmac.announce(announced as u64).unwrap();
                    }
                    let mut from = 0;
                    for &end in ends {
                        gmac.update(&data[from..end]).unwrap();
                        from = end;
                    }
                    let mut tag = [0; 16];
                    gmac.finish(&mut tag).unwrap();
                    tag
                };
                let expected = tag(None, &[len]);
                for announced in [0, len / 2, len, len + 1] {
                    for ends in [&[len][..], &[len, len], &[0, len], &[len / 2, len]] {
                        let place = format!("{name}, {level}, {len}, {announced}, {ends:?}");
                        assert_eq!(tag(Some(announced), ends), expected, "{place}");
                        assert_eq!(tag(None, ends), expected, "{place}, the next");
                    }
                }
            }
        }
    }
}

#[test]
fn wrong_lengths_are_refused_and_the_message_goes_on() {
    let sm4 = cipher("sm4", &[7; 16], Level::best()).unwrap();
    assert!(refuses_length(Gmac::new(&sm4, &[]), "iv", 0));
    let mut gmac = Gmac::new(&sm4, &[1; 12]).unwrap();
    let (mut expected, mut tag) = ([0; 16], [0; 16]);
    gmac.update(b"a message").unwrap();
    gmac.finish(&mut expected).unwrap();
    gmac.reset(&[1; 12]).unwrap();
    gmac.update(b"a mes").unwrap();
    for len in (0..=20).filter(|&len| len != 16) {
        assert!(refuses_length(gmac.finish(&mut vec![0; len]), "tag", len));
    }
    assert!(refuses_length(gmac.reset(&[]), "iv", 0));
    gmac.update(b"sage").unwrap();
    gmac.finish(&mut tag).unwrap();
    assert_eq!(tag, expected);
    assert_eq!(format!("{gmac:?}"), "Gmac { length: 0, .. }");
}
