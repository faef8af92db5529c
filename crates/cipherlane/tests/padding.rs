//! Padding and the end of a buffered message: what is wrong is refused, with
//! nothing written and nothing said about why.
#![cfg(feature = "sm4")]

use cipherlane::modes::{Buffered, Padding, cbc, ecb};
use cipherlane::{Error, Sm4};
use model::random::SplitMix64;

const BLOCK: usize = 16;

fn sm4() -> Sm4 {
    Sm4::new(&SplitMix64::new(1).bytes(16)).unwrap()
}

/// The ciphertext of whole blocks, as they are.
fn encrypted(sm4: &Sm4, blocks: &[u8]) -> Vec<u8> {
    let mut out = vec![0; blocks.len()];
    let mut mode = Buffered::new(cbc::Encryptor::new(sm4, &[9; 16]).unwrap(), Padding::None);
    mode.update(blocks, &mut out).unwrap();
    out
}

/// Decrypts with PKCS#7 padding: what came out, and what the end said.
fn opened(sm4: &Sm4, data: &[u8]) -> (Vec<u8>, Result<usize, Error>) {
    opened_with(sm4, Padding::Pkcs7, data)
}

fn opened_with(sm4: &Sm4, padding: Padding, data: &[u8]) -> (Vec<u8>, Result<usize, Error>) {
    let mut mode = Buffered::new(cbc::Decryptor::new(sm4, &[9; 16]).unwrap(), padding);
    let mut out = vec![0xee; data.len()];
    let n = mode.update(data, &mut out).unwrap();
    let end = mode.finish(&mut out[n..]);
    (out, end)
}

#[test]
fn every_wrong_last_byte_is_refused() {
    let sm4 = sm4();
    for last in 0..=255_u8 {
        let mut blocks = [0; 2 * BLOCK];
        blocks[2 * BLOCK - 1] = last;
        let (out, end) = opened(&sm4, &encrypted(&sm4, &blocks));
        let expected = if last == 1 { Ok(BLOCK - 1) } else { Err(Error::Padding) };
        assert_eq!(end, expected, "last byte {last}");
        assert_eq!(out[..BLOCK], [0; BLOCK]);
        if end.is_err() {
            assert_eq!(out[BLOCK..], [0xee; BLOCK], "last byte {last}: a bad block was written");
        }
    }
}

#[test]
fn every_changed_byte_of_a_padding_is_refused() {
    let sm4 = sm4();
    for n in 1..=BLOCK {
        let mut block = [0; BLOCK];
        block[BLOCK - n..].fill(n as u8);
        assert_eq!(opened(&sm4, &encrypted(&sm4, &block)).1, Ok(BLOCK - n));
        for place in BLOCK - n..BLOCK - 1 {
            let mut changed = block;
            changed[place] ^= 0x10;
            let (out, end) = opened(&sm4, &encrypted(&sm4, &changed));
            assert_eq!(end, Err(Error::Padding), "{n} bytes of padding, byte {place} changed");
            assert_eq!(out, [0xee; BLOCK]);
        }
    }
}

#[test]
fn iso_7816_padding_is_a_mark_and_zeros_and_anything_else_is_refused() {
    let sm4 = sm4();
    let padding = Padding::Iso7816;
    for len in 0..=2 * BLOCK {
        // Data that looks like padding itself.
        let data: Vec<u8> = [0x80, 0, 0].into_iter().cycle().take(len).collect();
        let mut expected = [&data[..], &[0x80]].concat();
        expected.resize(expected.len().next_multiple_of(BLOCK), 0);
        let mut mode = Buffered::new(cbc::Encryptor::new(&sm4, &[9; 16]).unwrap(), padding);
        let mut out = vec![0; expected.len()];
        let n = mode.update(&data, &mut out).unwrap();
        assert_eq!(mode.finish(&mut out[n..]), Ok(BLOCK));
        assert_eq!(out, encrypted(&sm4, &expected), "{len} bytes");

        let (opened, end) = opened_with(&sm4, padding, &out);
        let last = (len / BLOCK) * BLOCK;
        assert_eq!(end, Ok(len - last), "{len} bytes");
        assert_eq!(opened[..len], data, "{len} bytes");
    }
    for place in 0..BLOCK {
        for byte in (0..=255).filter(|&byte| byte != 0x80) {
            let mut block = [0; BLOCK];
            block[place] = byte;
            let (out, end) = opened_with(&sm4, padding, &encrypted(&sm4, &block));
            assert_eq!(end, Err(Error::Padding), "byte {place} is {byte:02x}");
            assert_eq!(out, [0xee; BLOCK], "a bad block was written");
        }
    }
}

#[test]
fn a_message_that_ends_inside_a_block_is_refused_and_can_be_completed() {
    let sm4 = sm4();
    let mut out = [0; 2 * BLOCK];
    for got in 1..BLOCK {
        let mut modes: [(Buffered<Box<dyn cipherlane::modes::BlockMode + '_>>, bool); 3] = [
            (Buffered::new(Box::new(ecb::Encryptor::new(&sm4)), Padding::None), false),
            (Buffered::new(Box::new(ecb::Decryptor::new(&sm4)), Padding::None), false),
            (Buffered::new(Box::new(ecb::Decryptor::new(&sm4)), Padding::Pkcs7), true),
        ];
        for (mode, padded) in &mut modes {
            assert_eq!(mode.update(&vec![1; got], &mut out), Ok(0));
            let error = Error::PartialBlock { got, block: BLOCK };
            assert_eq!(mode.finish(&mut out), Err(error), "{mode:?}");
            let n = mode.update(&vec![1; BLOCK - got], &mut out).unwrap();
            assert_eq!(n, if *padded { 0 } else { BLOCK }, "{mode:?}");
        }
    }
    let mut empty = Buffered::new(ecb::Decryptor::new(&sm4), Padding::Pkcs7);
    let error = Error::PartialBlock { got: 0, block: BLOCK };
    assert_eq!(empty.finish(&mut out), Err(error), "a padded message has a block");
}

#[test]
fn outputs_that_are_too_short_are_refused_and_nothing_is_lost() {
    let sm4 = sm4();
    let mut mode = Buffered::new(ecb::Encryptor::new(&sm4), Padding::Pkcs7);
    for (data, needed) in [(&[1; 20][..], 16), (&[1; 12], 16), (&[1; 40], 32)] {
        for got in 0..needed {
            let error = Error::OutputLength { got, needed };
            assert_eq!(mode.update(data, &mut vec![0; got]), Err(error));
        }
        assert_eq!(mode.update(data, &mut vec![0; needed]), Ok(needed));
    }
    for got in 0..BLOCK {
        let error = Error::OutputLength { got, needed: BLOCK };
        assert_eq!(mode.finish(&mut vec![0; got]), Err(error));
    }
    let mut last = [0; BLOCK];
    assert_eq!(mode.finish(&mut last), Ok(BLOCK));
    let mut expected = [8; BLOCK];
    expected[..8].fill(1);
    cipherlane::BlockCipher::encrypt_block(&sm4, &mut expected);
    assert_eq!(last, expected);
}

#[test]
fn after_the_end_only_a_reset_is_taken() {
    let sm4 = sm4();
    let mut mode = Buffered::new(cbc::Encryptor::new(&sm4, &[0; 16]).unwrap(), Padding::Pkcs7);
    let mut first = [0; BLOCK];
    assert_eq!(mode.finish(&mut first), Ok(BLOCK));
    let mut out = [0; BLOCK];
    assert!(matches!(mode.update(&[1], &mut out), Err(Error::State(_))));
    assert!(matches!(mode.finish(&mut out), Err(Error::State(_))));
    assert!(matches!(mode.reset(&[0; 15]), Err(Error::Length { field: "iv", got: 15, .. })));
    assert!(matches!(mode.finish(&mut out), Err(Error::State(_))), "the reset was refused");
    mode.reset(&[0; 16]).unwrap();
    assert_eq!(mode.finish(&mut out), Ok(BLOCK));
    assert_eq!(out, first);
}
