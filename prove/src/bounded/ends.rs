//! Calls at every distance up to two and a half blocks before the end of a keystream or a data unit, of every length
//! to five blocks: what fits is done, what does not is refused, and a refusal changes neither the output nor the
//! place.

use cipherlane::modes::BlockMode;
use cipherlane::modes::ctr::Ctr32;
use cipherlane::modes::xts::Xts;
use cipherlane::registry::{ALGORITHMS, New};
use cipherlane::{BlockCipher, Error, Level, StreamCipher, StreamSeek};
use model::random::SplitMix64;

/// Bytes before the end.
const NEAR: usize = 40;
const LONGEST: usize = 80;

fn ciphers(check: impl Fn(&str, &dyn Fn(&[u8]) -> Box<dyn BlockCipher>, usize)) {
    for algorithm in ALGORITHMS {
        let New::Block { new, block: 16, .. } = algorithm.new else { continue };
        for level in Level::available() {
            let name = format!("{}, {level}", algorithm.name);
            check(&name, &|key| new(key, level).expect("a key"), algorithm.key.max);
        }
    }
}

/// SP 800-38D, 6.5: 2^32 blocks are as many as a counter of 32 bits tells apart, wherever it begins.
#[test]
fn a_counter_of_32_bits() {
    const END: u128 = 16 << 32;
    ciphers(|name, new, key| {
        let cipher = new(&SplitMix64::new(1).bytes(key));
        for first in [0_u32, 1, 5, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX] {
            let mut iv = [9; 16];
            iv[12..].copy_from_slice(&first.to_be_bytes());
            for before in 0..=NEAR {
                for len in 0..=LONGEST {
                    let mut ctr = Ctr32::new(&*cipher, &iv).expect("an IV");
                    let place = END - before as u128;
                    ctr.seek(place).expect("before the end");
                    let mut data = vec![7; len];
                    let done = ctr.apply(&mut data);
                    let said =
                        format!("{name}, counter {first}, {len} bytes at {before} before the end");
                    if len <= before {
                        assert!(done.is_ok(), "{said}: {done:?}");
                        assert_eq!(ctr.position(), place + len as u128, "{said}");
                        for (i, byte) in data.iter().enumerate() {
                            let block = (place + i as u128) / 16;
                            let mut counter = iv;
                            let low = first.wrapping_add(block as u32);
                            counter[12..].copy_from_slice(&low.to_be_bytes());
                            cipher.encrypt_block(&mut counter);
                            assert_eq!(
                                *byte,
                                7 ^ counter[((place + i as u128) % 16) as usize],
                                "{said}, {i}"
                            );
                        }
                    } else {
                        let limit =
                            matches!(done, Err(Error::Limit { limit, .. }) if limit == 1 << 32);
                        assert!(limit, "{said}: {done:?}");
                        assert_eq!(ctr.position(), place, "{said}");
                        assert!(data.iter().all(|byte| *byte == 7), "{said}: written");
                    }
                }
            }
            let mut ctr = Ctr32::new(&*cipher, &iv).expect("an IV");
            for beyond in 1..=NEAR {
                assert!(ctr.seek(END + beyond as u128).is_err(), "{name}: {beyond} behind the end");
            }
            assert_eq!(ctr.position(), 0, "{name}");
        }
    });
}

/// SP 800-38E: a data unit has 2^20 blocks at most.
#[test]
fn a_data_unit() {
    const END: usize = 1 << 20;
    ciphers(|name, new, key| {
        let key = SplitMix64::new(2).bytes(2 * key);
        let xts = Xts::from_key(&key, |key| Ok::<_, Error>(new(key))).expect("a key");
        for before in 0..=NEAR {
            for blocks in 0..=LONGEST / 2 {
                let mut encryptor = xts.encryptor(&[3; 16]).expect("a tweak");
                encryptor.seek(END - before).expect("before the end");
                let mut data = vec![7; 16 * blocks];
                let done = encryptor.blocks(data.as_mut_slice().into());
                let said = format!("{name}, {blocks} blocks at {before} before the end");
                if blocks <= before {
                    assert!(done.is_ok(), "{said}: {done:?}");
                    assert_eq!(encryptor.position(), END - before + blocks, "{said}");
                    let mut decryptor = xts.decryptor(&[3; 16]).expect("a tweak");
                    decryptor.seek(END - before).expect("before the end");
                    decryptor.blocks(data.as_mut_slice().into()).expect("as far as before");
                } else {
                    assert!(matches!(done, Err(Error::Limit { limit: 0x10_0000, .. })), "{said}");
                    assert_eq!(encryptor.position(), END - before, "{said}");
                }
                assert!(data.iter().all(|byte| *byte == 7), "{said}");
            }
        }
    });
}
