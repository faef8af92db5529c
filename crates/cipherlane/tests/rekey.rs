//! Objects that take another key where they are: as fresh ones, at every level.

use std::collections::BTreeSet;
use std::sync::Arc;

use cipherlane::aead::AeadStream;
use cipherlane::aead::gcm::{Gcm, GcmStream};
use cipherlane::mac::DynMac;
use cipherlane::modes::{Direction, MessageMode};
use cipherlane::registry::{self, Constructor, New};
use cipherlane::{Aead, Aes, BlockCipher, Level, Sm4};

/// Bytes that differ with `seed`.
fn bytes(len: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    };
    (0..len).map(next).collect()
}

/// What a cipher makes of some data, in both directions, in counter mode and in chains.
fn answers(cipher: &dyn BlockCipher) -> Vec<Vec<u8>> {
    let (block, data) = (cipher.block_size(), bytes(40 * cipher.block_size(), 7));
    let (mut forth, mut back, mut ctr) = (data.clone(), data.clone(), data[1..].to_vec());
    cipher.encrypt_blocks((&mut forth[..]).into(), None, None);
    cipher.decrypt_blocks((&mut back[..]).into(), None, None);
    cipher.ctr((&mut ctr[..]).into(), &mut bytes(block, 9));
    let mut single = data[..block].to_vec();
    cipher.encrypt_block(&mut single);
    vec![forth, back, ctr, single]
}

#[test]
fn another_key_in_the_same_place_is_as_a_new_object() {
    let (mut rekeyed, mut ciphers) = (0, 0);
    for algorithm in registry::ALGORITHMS {
        let New::Block { new, shared, .. } = algorithm.new else { continue };
        ciphers += 1;
        for level in Level::available() {
            let (first, length) = (bytes(algorithm.key.max, 1), algorithm.key.max);
            let mut cipher = new(&first, level).unwrap();
            let mut several = shared(&first, level).unwrap();
            assert_eq!(answers(&*several), answers(&*cipher), "{} {level:?}", algorithm.name);
            for seed in 2..40 {
                let key = bytes(length, seed);
                let fresh = answers(&*new(&key, level).unwrap());
                if !cipher.rekey(&key) {
                    assert_ne!(answers(&*cipher), fresh, "{} changed", algorithm.name);
                    assert!(!Arc::get_mut(&mut several).unwrap().rekey(&key));
                    break;
                }
                rekeyed += 1;
                assert_eq!(answers(&*cipher), fresh, "{} {level:?}", algorithm.name);
                assert!(several.rekey(&key));
                assert_eq!(answers(&*several), fresh, "{} {level:?}, shared", algorithm.name);
                let other = Arc::clone(&several);
                assert!(!several.rekey(&first), "another owner goes on under the old key");
                assert_eq!(answers(&*other), fresh, "{} {level:?}", algorithm.name);
            }
        }
    }
    assert_eq!(rekeyed, ciphers * 38 * Level::available().count(), "all of them take keys");
    assert!(ciphers >= 4, "SM4, AES by its three names");
}

#[test]
fn a_key_of_another_length_is_refused_and_changes_nothing() {
    for level in Level::available() {
        for length in [16, 24, 32] {
            let key = bytes(length, 3);
            let mut aes = Aes::with_level(&key, level).unwrap();
            let before = answers(&aes);
            for other in (0..40).filter(|other| *other != length) {
                assert!(!aes.rekey(&bytes(other, 5)), "{length} to {other}");
            }
            assert_eq!(answers(&aes), before);
        }
        let mut sm4 = Sm4::with_level(&bytes(16, 3), level).unwrap();
        let before = answers(&sm4);
        assert!([0, 15, 17, 32].iter().all(|other| !sm4.rekey(&bytes(*other, 5))));
        assert_eq!(answers(&sm4), before);
    }
}

/// One message of a stream, in pieces; of every other piece the stream is not told before.
fn streamed(
    stream: &mut GcmStream<Box<dyn BlockCipher>>,
    (aad, message): (&[u8], &[u8]),
    piece: usize,
) -> (Vec<u8>, [u8; 16]) {
    let (mut data, mut tag) = (message.to_vec(), [0; 16]);
    stream.restart(Direction::Encrypt, &[7; 12]).unwrap();
    stream.aad(aad).unwrap();
    for (number, part) in data.chunks_mut(piece).enumerate() {
        if number % 2 == 0 {
            stream.make_ready(part.len());
        }
        stream.update(part.into()).unwrap();
    }
    stream.finish(&mut tag).unwrap();
    let mut back = data.clone();
    stream.restart(Direction::Decrypt, &[7; 12]).unwrap();
    stream.aad(aad).unwrap();
    for part in back.chunks_mut(piece) {
        stream.update(part.into()).unwrap();
    }
    stream.verify(&tag).unwrap();
    assert_eq!(back, message);
    (data, tag)
}

#[test]
fn a_stream_of_gcm_under_one_key_after_another_is_gcm() {
    for (name, length) in [("aes-128", 16), ("aes-256", 32), ("sm4", 16)] {
        let algorithm = registry::algorithm(name).unwrap();
        let New::Block { new, .. } = algorithm.new else { panic!("a block cipher") };
        for level in Level::available() {
            let first = new(&bytes(length, 1), level).unwrap();
            let mut stream = GcmStream::boxed(first).unwrap();
            let state = stream.update((&mut [0; 3][..]).into());
            assert!(matches!(state, Err(cipherlane::Error::State(_))), "no message has begun");
            for (seed, size) in [(2, 0), (3, 1), (4, 16), (5, 63), (6, 64), (7, 700), (8, 9001)] {
                let key = bytes(length, seed);
                assert!(stream.rekey(&key));
                assert!(stream.update((&mut [0; 3][..]).into()).is_err(), "the old nonce ended");
                let (aad, message) = (bytes(size / 3, 11), bytes(size, seed));
                let gcm = Gcm::new(new(&key, level).unwrap()).unwrap();
                let (mut data, mut tag) = (message.clone(), [0; 16]);
                gcm.seal(&[7; 12], &aad, (&mut data[..]).into(), &mut tag).unwrap();
                for piece in [16_384, 512, 33] {
                    let found = streamed(&mut stream, (&aad, &message), piece);
                    assert_eq!(found, (data.clone(), tag), "{name} {level:?} {size} by {piece}");
                    // Whole messages under the same object, whatever powers there are.
                    let (mut whole, mut again) = (message.clone(), [0; 16]);
                    stream.gcm().seal(&[7; 12], &aad, (&mut whole[..]).into(), &mut again).unwrap();
                    assert_eq!((whole, again), (data.clone(), tag), "{name} {level:?} {size}");
                }
            }
            let begun = stream.restart(Direction::Encrypt, &[]);
            assert!(begun.is_err(), "a nonce of no bytes");
        }
    }
}

/// What an operation on whole messages makes of a message, in both directions.
trait Answers {
    fn answers(&mut self, iv: &[u8]) -> Vec<Vec<u8>>;
    fn take(&mut self, key: &[u8]) -> bool;
}

impl Answers for Box<dyn Aead> {
    fn answers(&mut self, iv: &[u8]) -> Vec<Vec<u8>> {
        let aad = bytes(21, 3);
        let messages = [0, 1, 16, 100, 700].map(|len| {
            let (mut data, mut tag) = (bytes(len, 4), vec![0; self.tag_len()]);
            self.seal(iv, &aad, (&mut data[..]).into(), &mut tag).unwrap();
            let mut opened = data.clone();
            self.open(iv, &aad, (&mut opened[..]).into(), &tag).unwrap();
            [data, tag, opened].concat()
        });
        messages.to_vec()
    }
    fn take(&mut self, key: &[u8]) -> bool {
        self.take_key(key)
    }
}

impl Answers for Box<dyn MessageMode> {
    fn answers(&mut self, iv: &[u8]) -> Vec<Vec<u8>> {
        // Some take whole blocks only, of 8 or of 16 bytes.
        let messages = [16, 33, 704].map(|len| {
            let (mut forth, mut back) = (bytes(len, 4), bytes(len, 5));
            let done = [
                self.encrypt(iv, (&mut forth[..]).into()),
                self.decrypt(iv, (&mut back[..]).into()),
            ];
            assert!(done == [Ok(()); 2] || len == 33, "{len} bytes: {done:?}");
            [forth, back].concat()
        });
        messages.to_vec()
    }
    fn take(&mut self, key: &[u8]) -> bool {
        self.take_key(key)
    }
}

impl Answers for Box<dyn DynMac> {
    fn answers(&mut self, iv: &[u8]) -> Vec<Vec<u8>> {
        let messages = [0, 1, 16, 33, 700].map(|len| {
            self.reset(iv).unwrap();
            let mut tag = vec![0; self.tag_len()];
            self.announce(len as u64).unwrap();
            self.update(&bytes(len, 4)).unwrap();
            self.finish(&mut tag).unwrap();
            tag
        });
        messages.to_vec()
    }
    fn take(&mut self, key: &[u8]) -> bool {
        // What has gone in under the old key is forgotten.
        let _ = self.update(&[1; 40]);
        self.take_key(key)
    }
}

/// One object under one key after another is as a fresh one under each; how many keys it took.
fn taken<T: Answers>(
    (name, key_len, iv): (&str, usize, &[u8]),
    make: impl Fn(&[u8]) -> Result<T, cipherlane::Error>,
) -> usize {
    let mut object = make(&bytes(key_len, 1)).unwrap();
    let mut count = 0;
    for seed in 2..12 {
        let key = bytes(key_len, seed);
        let fresh = make(&key).unwrap().answers(iv);
        for len in [key_len - 1, key_len + 1] {
            let other = bytes(len, seed);
            if object.take(&other) {
                let fresh = make(&other).unwrap().answers(iv);
                assert_eq!(object.answers(iv), fresh, "{name}: a key of {len} bytes");
            }
        }
        if !object.take(&key) {
            assert_eq!(count, 0, "{name}: a key of a length that was taken before");
            assert_eq!(object.answers(iv), make(&bytes(key_len, 1)).unwrap().answers(iv), "{name}");
            return 0;
        }
        assert_eq!(object.answers(iv), fresh, "{name}");
        count += 1;
    }
    count
}

#[test]
fn whole_messages_under_one_key_after_another_are_as_of_new_objects() {
    let mut took = BTreeSet::new();
    for it in registry::ALGORITHMS.iter().flat_map(registry::operations) {
        let algorithm = it.algorithm;
        if algorithm.block().is_none() {
            continue;
        }
        let key = it.key.max.min(it.key.min.max(16 * it.key.max / algorithm.key.max));
        let (name, iv) = (format!("{it:?}"), bytes(it.usual_iv, 2));
        for level in Level::available() {
            let what = (&*name, key, &*iv);
            let count = match it.new {
                Constructor::Stream { .. } | Constructor::Mode(_) | Constructor::Pdu(_) => 0,
                Constructor::Message(new) => taken(what, |key| new(algorithm, key, level)),
                Constructor::Aead { new, .. } => taken(what, |key| new(algorithm, key, level)),
                Constructor::Mac { new, .. } => taken(what, |key| new(algorithm, key, &iv, level)),
            };
            if count > 0 {
                took.insert(it.mode());
            }
        }
    }
    let took: Vec<&str> = took.into_iter().collect();
    assert_eq!(took, ["ccm", "cmac", "gcm", "gcm-siv", "gmac", "nia2", "xts", "xts-gb"]);
}

#[test]
fn xts_takes_no_key_of_equal_halves() {
    let sm4 = registry::algorithm("sm4").unwrap();
    for entry in registry::operations(sm4).filter(|it| it.mode().starts_with("xts")) {
        let Constructor::Message(new) = entry.new else { panic!("a whole message") };
        let mut xts = new(sm4, &bytes(32, 1), Level::best()).unwrap();
        let before = xts.answers(&[9; 16]);
        assert!(!xts.take_key(&[bytes(16, 2), bytes(16, 2)].concat()));
        assert_eq!(xts.answers(&[9; 16]), before);
    }
}

#[test]
fn a_mac_with_an_iv_needs_another_one_after_a_key() {
    let gmac = registry::operation(registry::algorithm("sm4").unwrap(), "gmac").unwrap();
    let mut gmac = gmac.mac(&[1; 16], &[2; 12], Level::best()).unwrap();
    assert!(gmac.take_key(&[3; 16]));
    assert!(matches!(gmac.update(&[4]), Err(cipherlane::Error::State(_))));
    assert!(matches!(gmac.finish(&mut [0; 16]), Err(cipherlane::Error::State(_))));
    gmac.reset(&[5; 12]).unwrap();
    gmac.update(&[4]).unwrap();
}

#[test]
fn streams_under_one_key_after_another_are_as_new_ones() {
    let (mut took, mut streams) = (0, 0);
    for algorithm in registry::ALGORITHMS {
        let New::Stream { iv, new, .. } = algorithm.new else { continue };
        streams += 1;
        for level in Level::available() {
            let lengths = [algorithm.key.min.max(1), algorithm.key.max];
            let mut stream = new(&bytes(lengths[0], 1), &vec![1; iv.min], level).unwrap();
            for seed in 2..14 {
                let key = bytes(lengths[seed as usize % 2], seed);
                // The IV of ZUC-256 of 2018 has bytes of six bits.
                let iv: Vec<u8> = bytes(iv.max, seed).iter().map(|byte| byte & 0x3f).collect();
                // What is left of the block before must not go into what follows.
                let used = seed as usize * 7 % 40;
                stream.keystream(&mut vec![0; used]).unwrap();
                let wrong = [(&key[..], &[0; 99][..]), (&[0; 999][..], &iv[..])];
                for (key, iv) in wrong {
                    assert!(!stream.take_key(key, iv), "{}", algorithm.name);
                }
                took += usize::from(stream.take_key(&key, &iv));
                let mut fresh = new(&key, &iv, level).unwrap();
                for reset in [false, true] {
                    if reset {
                        let iv: Vec<u8> = iv.iter().map(|byte| byte ^ 0x15).collect();
                        stream.reset(&iv).unwrap();
                        fresh.reset(&iv).unwrap();
                    }
                    let (mut ours, mut theirs) = ([0; 777], [0; 777]);
                    stream.keystream(&mut ours).unwrap();
                    fresh.keystream(&mut theirs).unwrap();
                    assert!(ours == theirs, "{} {level:?} {seed}, reset: {reset}", algorithm.name);
                }
            }
        }
    }
    assert_eq!(took, streams * 12 * Level::available().count());
    assert!(streams >= 1, "ZUC at least");
}

#[cfg(all(feature = "rc2", feature = "rc4", feature = "rc5"))]
#[test]
fn parameters_of_legacy_ciphers_stay_with_another_key() {
    use cipherlane::{StreamCipher as _, rc2::Rc2, rc5::Rc5};
    for level in Level::available() {
        let (first, key) = (bytes(16, 1), bytes(16, 2));
        // 64 bits of 16 bytes: which bits count is not for a key to say.
        let mut rc2 = Rc2::with_effective_bits_and_level(&first, 64, level).unwrap();
        let before = answers(&rc2);
        assert!(!rc2.rekey(&key));
        assert_eq!(answers(&rc2), before);
        assert!(rc2.rekey(&key[..8]), "64 bits of 8 bytes are all of them");
        assert_eq!(answers(&rc2), answers(&Rc2::with_level(&key[..8], level).unwrap()));
        let mut rc5 = Rc5::with_rounds_and_level(&first, 20, level).unwrap();
        assert!(rc5.rekey(&key));
        let fresh = Rc5::with_rounds_and_level(&key, 20, level).unwrap();
        assert_eq!(answers(&rc5), answers(&fresh));
        let mut rc4 = cipherlane::rc4::Rc4::with_level(&first, 768, level).unwrap();
        assert!(rc4.take_key(&key, &[]));
        let mut fresh = cipherlane::rc4::Rc4::with_level(&key, 768, level).unwrap();
        let (mut ours, mut theirs) = ([0; 99], [0; 99]);
        rc4.keystream(&mut ours).unwrap();
        fresh.keystream(&mut theirs).unwrap();
        assert_eq!(ours, theirs, "as many bytes are dropped");
    }
}
