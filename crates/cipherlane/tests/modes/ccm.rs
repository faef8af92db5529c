//! CCM: vectors, the model, limits, misuse.

use std::sync::Arc;

use cipherlane::aead::ccm::Ccm;
use cipherlane::{Aead, BlockCipher, Error, InOut, Level, Sizes};
use model::random::SplitMix64;
use vectors::Verdict;

use crate::reference::{Candidate, candidates, for_vectors};

const NONCE: Sizes = Sizes::between(7, 13);
const TAG: Sizes = Sizes::steps(4, 16, 2);

type Boxed = Box<dyn BlockCipher>;
/// Shared, so that an object with tags of another length is cheap.
type Shared = Arc<Boxed>;

/// Seals in place and buffer to buffer, which must agree.
fn seal(
    ccm: &Ccm<Shared>,
    nonce: &[u8],
    aad: &[u8],
    plaintext: &[u8],
    tag: usize,
) -> (Vec<u8>, Vec<u8>) {
    let ccm = ccm.clone().with_tag_len(tag).unwrap();
    let (mut data, mut in_place) = (plaintext.to_vec(), vec![0; tag]);
    ccm.seal(nonce, aad, data.as_mut_slice().into(), &mut in_place).unwrap();
    let mut attached = vec![0xa5; plaintext.len() + tag];
    ccm.seal_attached(nonce, aad, plaintext, &mut attached).unwrap();
    assert_eq!(attached, [&data[..], &in_place].concat());
    (data, in_place)
}

/// Opens in place and buffer to buffer, which must agree; a failure leaves zeros.
fn open(
    ccm: &Ccm<Shared>,
    nonce: &[u8],
    aad: &[u8],
    ciphertext: &[u8],
    tag: &[u8],
) -> Result<Vec<u8>, Error> {
    let ccm = ccm.clone().with_tag_len(tag.len())?;
    let mut in_place = ciphertext.to_vec();
    let result = ccm.open(nonce, aad, in_place.as_mut_slice().into(), tag);
    let mut output = vec![0xa5; ciphertext.len()];
    let io = InOut::disjoint(ciphertext, &mut output).unwrap();
    assert_eq!(ccm.open(nonce, aad, io, tag), result);
    match result {
        Ok(()) => assert_eq!(in_place, output),
        Err(Error::Authentication) => {
            assert!(in_place.iter().chain(&output).all(|&byte| byte == 0), "not wiped");
        }
        Err(_) => {
            assert_eq!(in_place, ciphertext, "written");
            assert!(output.iter().all(|&byte| byte == 0xa5), "written");
        }
    }
    result.map(|()| output)
}

#[test]
fn every_vector_passes() {
    let mut count = 0;
    for file in vectors::all().unwrap() {
        for group in file.groups.iter().filter(|group| group.mode == "ccm") {
            for test in &group.tests {
                let [key, nonce, ciphertext, tag] =
                    [&test.key, &test.iv, &test.ciphertext, &test.tag]
                        .map(|field| field.as_ref().unwrap());
                let aad = test.aad.as_deref().unwrap_or(&[]);
                for candidate in for_vectors(&file.algorithm, key.len()) {
                    let place = format!("{} {}, {}", file.name, test.id, candidate.name);
                    let ccm = Ccm::new(Arc::new((candidate.new)(key).unwrap())).unwrap();
                    let opened = open(&ccm, nonce, aad, ciphertext, tag);
                    if test.verdict() == Verdict::Invalid {
                        let expected = if !NONCE.allow(nonce.len()) {
                            let (got, allowed) = (nonce.len(), NONCE);
                            Error::Length { field: "nonce", got, allowed }
                        } else if !TAG.allow(tag.len()) {
                            Error::Length { field: "tag", got: tag.len(), allowed: TAG }
                        } else {
                            Error::Authentication
                        };
                        assert_eq!(opened, Err(expected), "{place}");
                    } else {
                        let plaintext = test.plaintext.as_ref().unwrap();
                        assert_eq!(opened.as_ref(), Ok(plaintext), "{place}");
                        let sealed = seal(&ccm, nonce, aad, plaintext, tag.len());
                        assert_eq!(sealed, (ciphertext.clone(), tag.clone()), "{place}");
                    }
                    count += 1;
                }
            }
        }
    }
    let least = if cfg!(feature = "aes") { 300 } else { 150 };
    assert!(count >= least * Level::available().count(), "only {count} tests ran");
}

/// A cipher of 16-byte blocks at each level, and the block function of the same key.
fn with_model(seed: u64, check: impl Fn(&Candidate, &mut SplitMix64, &Ccm<Shared>, &Boxed)) {
    for candidate in candidates().iter().filter(|candidate| candidate.block == 16) {
        let mut random = SplitMix64::new(seed);
        let (key, cipher) = candidate.random(&mut random);
        let ccm = Ccm::new(Arc::new((candidate.new)(&key).unwrap())).unwrap();
        check(candidate, &mut random, &ccm, &cipher);
    }
}

#[test]
fn every_length_of_everything_equals_the_model() {
    with_model(41, |candidate, random, ccm, cipher| {
        let encrypt = |block: &[u8]| {
            let mut block = block.to_vec();
            cipher.encrypt_block(&mut block);
            block
        };
        let mut check = |nonce: usize, aad: usize, len: usize, tag: usize| {
            let place = format!("{}: {nonce}, {aad}, {len}, {tag} bytes", candidate.name);
            let (nonce, aad, data) = (random.bytes(nonce), random.bytes(aad), random.bytes(len));
            let expected = model::modes::ccm::seal(&encrypt, &nonce, &aad, &data, tag);
            let (ciphertext, out) = seal(ccm, &nonce, &aad, &data, tag);
            assert_eq!((&ciphertext, &out), (&expected.0, &expected.1), "{place}");
            assert_eq!(open(ccm, &nonce, &aad, &ciphertext, &out), Ok(data), "{place}");
        };
        for len in (0..50).chain(225..260).chain([1500, 8191, 8192, 8193, 8200, 20000]) {
            check(12, 20, len, 16);
        }
        for aad in (0..70).chain([300, 0xfeff, 0xff00, 0x1_0000, 0x1_0001]) {
            check(12, aad, 40, 16);
        }
        for nonce in 7..=13 {
            for tag in (4..=16).step_by(2) {
                check(nonce, 3, 100, tag);
            }
        }
    });
}

#[test]
fn any_change_is_noticed_and_the_output_wiped() {
    with_model(42, |_, random, ccm, _| {
        for len in [0, 1, 16, 40, 300] {
            let (nonce, aad, data) = (random.bytes(12), random.bytes(9), random.bytes(len));
            let (ciphertext, tag) = seal(ccm, &nonce, &aad, &data, 8);
            let parts = [&nonce[..], &aad, &ciphertext, &tag];
            for part in 0..parts.len() {
                for bit in (0..8 * parts[part].len()).step_by(5) {
                    let mut changed = parts.map(<[u8]>::to_vec);
                    changed[part][bit / 8] ^= 1 << (bit % 8);
                    let [nonce, aad, ciphertext, tag] = &changed;
                    let result = open(ccm, nonce, aad, ciphertext, tag);
                    assert_eq!(result, Err(Error::Authentication), "part {part}, bit {bit}");
                }
            }
            let shorter = open(ccm, &nonce, &aad[..8], &ciphertext, &tag);
            assert_eq!(shorter, Err(Error::Authentication));
            let shorter = open(ccm, &nonce, &aad, &ciphertext, &tag[..6]);
            assert_eq!(shorter, Err(Error::Authentication), "the tag's length is authenticated");
        }
    });
}

#[test]
fn wrong_lengths_are_refused_and_nothing_is_written() {
    let candidates = candidates();
    let idea = candidates.iter().find(|candidate| candidate.block == 8).unwrap();
    let refused = Error::Length { field: "block", got: 8, allowed: Sizes::exactly(16) };
    assert_eq!(Ccm::new((idea.new)(&[0; 16]).unwrap()).err(), Some(refused));
    with_model(43, |_, _, ccm, _| {
        assert_eq!((ccm.nonce_sizes(), ccm.tag_sizes()), (NONCE, TAG));
        for got in 0..40 {
            let (mut data, mut tag) = ([7; 20], vec![7; got]);
            if !NONCE.allow(got) {
                let error = Err(Error::Length { field: "nonce", got, allowed: NONCE });
                let io = data.as_mut_slice().into();
                assert_eq!(ccm.seal(&vec![0; got], b"", io, &mut [0; 16]), error);
                assert_eq!(open(ccm, &vec![0; got], b"", &data, &[0; 16]), error.map(|()| vec![]));
            }
            if !TAG.allow(got) {
                let error = |allowed| Err(Error::Length { field: "tag", got, allowed });
                let io = data.as_mut_slice().into();
                let sixteen = Sizes::exactly(16);
                assert_eq!(ccm.seal(&[0; 12], b"", io, &mut tag), error(sixteen));
                assert_eq!(tag, vec![7; got]);
                let error: Result<(), Error> = error(TAG);
                assert_eq!(open(ccm, &[0; 12], b"", &data, &tag), error.map(|()| vec![]));
            }
            assert_eq!(data, [7; 20], "written");
        }
    });
}

#[test]
fn a_message_is_as_long_as_its_nonce_allows() {
    with_model(44, |_, _, ccm, _| {
        let what = "bytes of a message with a nonce of this length";
        let refused = Err(Error::Limit { what, limit: 65535 });
        let mut data = vec![7; 65536];
        let mut tag = [7; 16];
        assert_eq!(ccm.seal(&[0; 13], b"", data.as_mut_slice().into(), &mut tag), refused);
        assert_eq!(open(ccm, &[0; 13], b"", &data, &tag), refused.map(|()| vec![]));
        assert!(data.iter().chain(&tag).all(|&byte| byte == 7), "written");
        let (ciphertext, tag) = seal(ccm, &[0; 13], b"", &data[1..], 16);
        assert_eq!(open(ccm, &[0; 13], b"", &ciphertext, &tag).as_deref(), Ok(&data[1..]));
        seal(ccm, &[0; 12], b"", &data, 16);
    });
}
