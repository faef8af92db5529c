//! The paper's bit order.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::secret::assert_silent;
use crate::traits::aead::Aead;
use crate::traits::batch::{BatchCipher, Packet};
use crate::traits::stream::StreamCipher;

#[test]
fn the_paper_prints_its_tests_in_the_other_bit_order() {
    let files = vectors::embedded().unwrap();
    let file = files.iter().find(|file| file.algorithm == "grain128").unwrap();
    let groups = file.groups.iter().filter(|group| group.mode == "keystream-msb");
    let mut tests = 0;
    for test in groups.flat_map(|group| &group.tests) {
        let (mut key, mut iv) = (test.key.clone().unwrap(), test.iv.clone().unwrap());
        convert_bit_order(&mut key);
        convert_bit_order(&mut iv);
        let published = &test.keystream.as_ref().unwrap()[0];
        for level in Level::available() {
            let mut out = published.bytes.clone();
            let mut cipher = Grain128::with_level(&key, &iv, level).unwrap();
            cipher.keystream(&mut out).unwrap();
            convert_bit_order(&mut out);
            assert_eq!(out, published.bytes, "{}, {level}", test.id);
        }
        tests += 1;
    }
    assert!(tests > 0, "no test in that order");
}

/// A message of a batch: key, nonce, associated data, text and tag.
struct Message([u8; 16], [u8; 12], Vec<u8>, Vec<u8>, [u8; 8]);

impl Message {
    fn packet(&mut self) -> Packet<'_> {
        let Self(key, nonce, aad, text, tag) = self;
        Packet::aead(key, nonce, aad, text.as_mut_slice().into(), tag)
    }
}

fn messages(count: usize) -> Vec<Message> {
    let one = |i: usize| {
        let aad = vec![i as u8; i * 53 % 151];
        Message([i as u8; 16], [(i * 7) as u8 ^ 0x3c; 12], aad, vec![7; i * 37 % 613], [0; 8])
    };
    (0..count).map(one).collect()
}

fn apply(
    batch: &mut Grain128AeadBatch,
    messages: &mut [Message],
) -> (Result<(), Error>, Vec<bool>) {
    let mut packets: Vec<_> = messages.iter_mut().map(Message::packet).collect();
    let result = batch.apply(&mut packets);
    (result, packets.iter().map(|packet| packet.failed).collect())
}

/// Messages and associated data of all lengths together, under keys and nonces of their own, against one
/// after another; then opened, with every fifth tag wrong.
#[test]
fn batches_of_the_aead_equal_single_messages_in_every_lane() {
    for level in Level::available() {
        for count in (1..20).chain([255, 256, 257, 300]) {
            let mut all = messages(count);
            let (result, _) = apply(&mut Grain128AeadBatch::with_level(false, level), &mut all);
            assert_eq!(result, Ok(()));
            for (i, Message(key, nonce, aad, sealed, tag)) in all.iter().enumerate() {
                let grain = Grain128Aead::with_level(key, level).unwrap();
                let (mut alone, mut own_tag) = (vec![7; sealed.len()], [0; 8]);
                grain.seal(nonce, aad, alone.as_mut_slice().into(), &mut own_tag).unwrap();
                assert_eq!((sealed, tag), (&alone, &own_tag), "{level}, message {i} of {count}");
            }
            for message in all.iter_mut().step_by(5) {
                message.4[3] ^= 0x10;
            }
            let (result, failed) = apply(&mut Grain128AeadBatch::with_level(true, level), &mut all);
            assert_eq!(result, Err(Error::Authentication));
            for (i, message) in all.iter().enumerate() {
                assert_eq!(failed[i], i % 5 == 0);
                let wanted = if i % 5 == 0 { 0 } else { 7 };
                assert!(message.3.iter().all(|byte| *byte == wanted), "{level}, {i} of {count}");
            }
        }
    }
}

#[test]
fn debug_shows_no_secret() {
    let level = Level::portable();
    assert_silent("Grain128AeadBatch", |_| Grain128AeadBatch::seal().unwrap());
    assert_silent("Grain128Aead", |key| Grain128Aead::with_level(&key[..16], level).unwrap());
}
