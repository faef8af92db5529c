//! Seeking: any place of a keystream or a data unit is what a run from the start gives
//! there, and the ends are where the standards put them.

use cipherlane::modes::BlockMode;
use cipherlane::modes::ctr::{Counter, Ctr, Ctr32, CtrMode, WholeBlock};
use cipherlane::modes::xts::{Standard, Xts, XtsGb, XtsMode};
use cipherlane::registry::{ALGORITHMS, New};
use cipherlane::{BlockCipher, Error, Level, StreamCipher, StreamSeek};
use model::modes::ctr as counting;
use model::random::SplitMix64;

/// Calls `check` with every block cipher at every level.
fn block_ciphers(check: impl Fn(&str, &dyn BlockCipher)) {
    for algorithm in ALGORITHMS {
        let New::Block { new, .. } = algorithm.new else { continue };
        for level in Level::available() {
            let cipher = new(&SplitMix64::new(4).bytes(algorithm.key.max), level).unwrap();
            check(&format!("{}, {level}", algorithm.name), &*cipher);
        }
    }
}

fn seeks_to_every_place<W: Counter>(name: &str, cipher: &dyn BlockCipher) {
    // The low 32 bits, and in the second half all of them, wrap after 37 blocks.
    for iv in [[0x11; 16], [0xff; 16]] {
        let mut iv = iv[..cipher.block_size()].to_vec();
        let at = iv.len() - 4;
        iv[at..].copy_from_slice(&(u32::MAX - 37).to_be_bytes());
        let mut whole = vec![0; 3000];
        CtrMode::<_, W>::new(cipher, &iv).unwrap().keystream(&mut whole).unwrap();
        let mut random = SplitMix64::new(1);
        let mut ctr = CtrMode::<_, W>::new(cipher, &iv).unwrap();
        assert_eq!(ctr.position(), 0, "{name}");
        let far: Vec<usize> = (0..500).map(|_| random.below(2900)).collect();
        for place in (0..300).chain(far) {
            ctr.seek(place as u128).unwrap();
            assert_eq!(ctr.position(), place as u128, "{name}");
            let mut out = vec![0; random.below(60)];
            let cut = random.below(60).min(out.len());
            let (head, tail) = out.split_at_mut(cut);
            ctr.keystream(head).unwrap();
            assert_eq!(ctr.position(), (place + head.len()) as u128, "{name}");
            ctr.keystream(tail).unwrap();
            assert_eq!(out, whole[place..place + out.len()], "{name}, {place}");
        }
    }
}

#[test]
fn ctr_seeks_to_every_place() {
    block_ciphers(|name, cipher| {
        seeks_to_every_place::<WholeBlock>(name, cipher);
        seeks_to_every_place::<cipherlane::modes::ctr::Low32>(name, cipher);
    });
}

/// Far away places are reached by the counter that the model counts to.
#[test]
fn ctr_seeks_far() {
    block_ciphers(|name, cipher| {
        let block = cipher.block_size() as u128;
        // The counter is written out for blocks of 16 bytes.
        if block != 16 {
            return;
        }
        let iv = [0xfe; 16];
        for blocks in [1 << 31, 1 << 32, (1 << 64) - 1, 1 << 64, (1 << 100) + 5] {
            let mut ctr = Ctr::new(cipher, &iv).unwrap();
            ctr.seek(blocks * block + 3).unwrap();
            let mut got = [0; 13];
            ctr.keystream(&mut got).unwrap();
            let mut expected = u128::from_be_bytes(iv).wrapping_add(blocks).to_be_bytes();
            cipher.encrypt_block(&mut expected);
            assert_eq!(got, expected[3..], "{name}, block {blocks}");
        }
    });
}

/// The last place that a number can name is reached, and told.
#[test]
fn ctr_seeks_to_the_end() {
    block_ciphers(|name, cipher| {
        if cipher.block_size() != 16 {
            return;
        }
        let mut ctr = Ctr::new(cipher, &[0xfe; 16]).unwrap();
        ctr.seek(u128::MAX).unwrap();
        assert_eq!(ctr.position(), u128::MAX, "{name}");
        let mut got = [0; 1];
        ctr.keystream(&mut got).unwrap();
        let mut expected = u128::from_be_bytes([0xfe; 16]).wrapping_add(u128::MAX / 16);
        let mut block = expected.to_be_bytes();
        cipher.encrypt_block(&mut block);
        expected = u128::from_be_bytes(block);
        assert_eq!(got[0], expected as u8, "{name}");
        ctr.seek(u128::MAX - 16).unwrap();
        assert_eq!(ctr.position(), u128::MAX - 16, "{name}");
    });
}

#[test]
fn a_counter_of_32_bits_ends_before_it_repeats() {
    block_ciphers(|name, cipher| {
        let block = cipher.block_size();
        // The IV is written out for blocks of 16 bytes.
        if block != 16 {
            return;
        }
        let end = (block as u128) << 32;
        let limit = |result| matches!(result, Err(Error::Limit { limit: l, .. }) if l == 1 << 32);
        let mut iv = [9; 16];
        iv[12..].copy_from_slice(&5_u32.to_be_bytes());
        let mut ctr = Ctr32::new(cipher, &iv).unwrap();
        ctr.seek(end - 20).unwrap();
        let mut data = [7; 21];
        assert!(limit(ctr.apply(&mut data)), "{name}");
        assert_eq!(data, [7; 21], "{name}: written past the end");
        assert!(limit(ctr.seek(end + 1)), "{name}");
        assert_eq!(ctr.position(), end - 20, "{name}");
        ctr.apply(&mut data[..20]).unwrap();
        assert_eq!(ctr.position(), end, "{name}");
        assert!(limit(ctr.apply(&mut [0])), "{name}");
        ctr.apply(&mut []).unwrap();
        ctr.seek(end).unwrap();
        assert_eq!(ctr.position(), end, "{name}");
        assert!(limit(ctr.apply(&mut [0])), "{name}: a byte behind the end that was sought");
        // The last block is the one before the first, under the counter 4.
        let mut last = iv;
        last[15] = 4;
        let mut expected = [7; 16];
        let keystream = counting::crypt32(
            &|block| {
                let mut block = block.to_vec();
                cipher.encrypt_block(&mut block);
                block
            },
            &last,
            &[0; 16],
        );
        expected.iter_mut().zip(&keystream).for_each(|(byte, key)| *byte ^= key);
        assert_eq!(data[4..20], expected, "{name}");

        // A new first counter starts anew, with the same key schedule.
        ctr.reset(&[9; 16]).unwrap();
        assert_eq!(ctr.position(), 0, "{name}");
        ctr.apply(&mut data).unwrap();
    });
}

fn xts_seeks<S: Standard>(name: &str, xts: &XtsMode<Box<dyn BlockCipher>, S>) {
    let data = SplitMix64::new(6).bytes(16 * 400);
    let mut whole = data.clone();
    xts.encrypt(&1000_u128.to_le_bytes(), whole.as_mut_slice().into()).unwrap();
    let mut random = SplitMix64::new(7);
    let mut encryptor = xts.encryptor(&[3; 16]).unwrap();
    let mut decryptor = xts.decryptor(&[3; 16]).unwrap();
    encryptor.seek_sector(1000);
    decryptor.seek_sector(1000);
    let far: Vec<usize> = (0..100).map(|_| random.below(300)).collect();
    for block in (0..130).chain(far) {
        encryptor.seek(block).unwrap();
        decryptor.seek(block).unwrap();
        assert_eq!((encryptor.position(), decryptor.position()), (block, block), "{name}");
        let range = 16 * block..16 * (block + random.below(90));
        let mut out = data[range.clone()].to_vec();
        encryptor.blocks(out.as_mut_slice().into()).unwrap();
        assert!(out == whole[range.clone()], "{name}, from block {block}");
        decryptor.blocks(out.as_mut_slice().into()).unwrap();
        assert!(out == data[range], "{name}, from block {block}");
    }
    // The end of the longest unit.
    let limit = |result| matches!(result, Err(Error::Limit { limit: 0x10_0000, .. }));
    assert!(limit(encryptor.seek((1 << 20) + 1)), "{name}");
    encryptor.seek((1 << 20) - 1).unwrap();
    assert!(limit(encryptor.blocks((&mut [0; 32][..]).into())), "{name}");
    encryptor.blocks((&mut [0; 16][..]).into()).unwrap();
    assert!(limit(encryptor.blocks((&mut [0; 16][..]).into())), "{name}");
    encryptor.seek(1 << 20).unwrap();
}

#[test]
fn xts_seeks_in_a_unit_and_by_sector() {
    for algorithm in ALGORITHMS {
        let New::Block { new, block: 16, .. } = algorithm.new else { continue };
        for level in Level::available() {
            let name = format!("{}, {level}", algorithm.name);
            let key = SplitMix64::new(8).bytes(2 * algorithm.key.max);
            xts_seeks(&name, &Xts::from_key(&key, |key| new(key, level)).unwrap());
            xts_seeks(&name, &XtsGb::from_key(&key, |key| new(key, level)).unwrap());
        }
    }
}
