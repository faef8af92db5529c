//! Faults that other libraries had, each by the number of its report: none of them here, at any
//! level, along any way of calling.
//!
//! Others that were reported elsewhere stand with their kind: counters that wrap in
//! `counter_wrap`, plaintext behind a wrong tag in `misuse` and the vectors, associated data that
//! lies in the output in the C interface's `misuse.c` (a borrow forbids it here).
#![cfg(all(feature = "zuc", feature = "sm4", feature = "aes"))]

use cipherlane::batch::Packet;
use cipherlane::modes::xts::{Xts, XtsGb};
use cipherlane::modes::{Buffered, Padding, cbc};
use cipherlane::zuc::batch::{FrameBatch, FramePacket, ZucBatch};
use cipherlane::zuc::mac::{Zuc128Mac, Zuc256Mac, Zuc256MacOf2023};
use cipherlane::zuc::{Eea3, Eia3, Frame, Key256Of2018, Zuc256};
use cipherlane::{Aes, BatchCipher, BlockCipher, Error, InOut, Level, Mac, Sm4, StreamCipher};
use model::modes::xts::Order;
use model::random::SplitMix64;
use model::zuc256::Version;
use model::{aes, eia3, sm4, zuc128, zuc256};

/// intel-ipsec-mb issue 144: the published C code of ZUC forgets that a new cell of 0 becomes
/// 2³¹ − 1 (ETSI/SAGE document 2 §3.2). One key and COUNT in 2³¹ or so shows it; this one does.
#[test]
fn ipsec_mb_144_a_cell_of_zero() {
    let key: [u8; 16] = core::array::from_fn(|i| i as u8);
    let (count, bearer, direction) = (3_478_155_851, 0, 0);
    let iv = eia3::eea3_iv(count, bearer, direction);
    let mut reference = zuc128::start(&key, &iv);
    let words: Vec<u8> = (0..300).flat_map(|_| reference.word().to_be_bytes()).collect();
    assert!(reference.replaced() > 0, "this input does not test what it is here for");
    let frame = Frame::from_numbers(count, bearer, direction).unwrap();
    let iv = eia3::eia3_iv(count, bearer, direction);
    let tag = eia3::mac(&key, &iv, &words, 8 * words.len());
    for level in Level::available() {
        for len in [33, 36, 37, 64, 300, 1200] {
            let mut data = vec![0; len];
            let eea3 = Eea3::with_level(&key, frame, level).unwrap();
            eea3.apply(data.as_mut_slice().into(), 8 * len as u64).unwrap();
            assert_eq!(data, words[..len], "{level}, {len} bytes");
        }
        let eia3 = Eia3::with_level(&key, frame, level).unwrap();
        assert_eq!(eia3.mac(&words, 8 * words.len() as u64).unwrap(), tag, "{level}");
        // In every lane, among frames that do not show it.
        let mut batch = FrameBatch::with_level(level);
        for place in 0..2 * batch.lanes() {
            let mut data = vec![vec![0; 256]; 2 * batch.lanes()];
            let other = |i: usize| Frame::from_numbers(count ^ (i as u32 + 1), 1, 1).unwrap();
            let packets = data.iter_mut().enumerate().map(|(i, data)| {
                let frame = if i == place { frame } else { other(i) };
                FramePacket::new(&key, frame, data.as_mut_slice().into(), 8 * 256)
            });
            batch.eea3(&mut packets.collect::<Vec<_>>()).unwrap();
            assert_eq!(data[place], words[..256], "{level}, message {place}");
        }
    }
}

/// intel-ipsec-mb issue 102: of an IV of 23 bytes for ZUC-256 the last six were expanded wrongly
/// to eight of 6 bits.
#[test]
fn ipsec_mb_102_ivs_of_23_bytes() {
    for seed in 0..100 {
        let mut random = SplitMix64::new(seed);
        let key: [u8; 32] = random.bytes(32).try_into().unwrap();
        let packed: [u8; 23] = random.bytes(23).try_into().unwrap();
        let unpacked = zuc256::unpack_iv(&packed);
        assert!(unpacked[17..].iter().all(|six| *six < 64));
        let expected = zuc256::keystream(Version::Y2018, &key, &unpacked, 100);
        for level in Level::available() {
            for iv in [&packed[..], &unpacked] {
                let mut data = [0; 100];
                Zuc256::with_level(&key, iv, level).unwrap().apply(&mut data).unwrap();
                assert_eq!(data[..], expected, "{level}, seed {seed}, IV of {} bytes", iv.len());
                let mut mac = Zuc256Mac::with_level(&key, iv, 8, level).unwrap();
                mac.update(&expected).unwrap();
                let tag = zuc256::mac(Version::Y2018, &key, &unpacked, (&expected, 800), 64);
                mac.verify(&tag).unwrap();
            }
            let mut data = vec![[0; 100]; 40];
            let packets = data.iter_mut().enumerate().map(|(i, data)| {
                let iv = if i % 2 == 0 { &packed[..] } else { &unpacked };
                Packet::new(&key, iv, data.as_mut_slice().into())
            });
            let mut batch = ZucBatch::<Key256Of2018>::with_level(level);
            batch.apply(&mut packets.collect::<Vec<_>>()).unwrap();
            assert!(data.iter().all(|data| data[..] == expected), "{level}, seed {seed}");
        }
    }
}

/// GmSSL pull request 1415: the last word of a message of 193 bits was masked wrongly, so bits
/// behind the end counted.
#[test]
fn gmssl_1415_messages_of_193_bits() {
    for seed in 0..50 {
        let mut random = SplitMix64::new(seed);
        let (key, message) = (random.bytes(32), random.bytes(25));
        let (short, iv) = (&key[..16].try_into().unwrap(), random.bytes(16));
        let long = &key[..].try_into().unwrap();
        let frame = Frame::from_numbers(random.next_u64() as u32, 3, 1).unwrap();
        // What follows the 193rd bit is nobody's.
        for garbage in [0, 0x7f, 0x55] {
            let mut given = message.clone();
            given[24] = message[24] & 0x80 | garbage;
            for bits in [193, 185, 192, 197] {
                let kept = eia3::mac(short, &iv[..].try_into().unwrap(), &given, bits);
                let of_2023 = zuc256::mac(Version::Y2023, long, &iv, (&given, bits), 128);
                let framed = eia3::mac(short, &frame.eia3_iv(), &given, bits);
                for level in Level::available() {
                    let place = format!("{level}, seed {seed}, {bits} bits");
                    let mut mac = Zuc128Mac::with_level(short, &iv, 4, level).unwrap();
                    mac.update_bits(&given, bits as u64).unwrap();
                    mac.verify(&kept).expect(&place);
                    let mut mac = Zuc256MacOf2023::with_level(long, &iv, 16, level).unwrap();
                    mac.update_bits(&given, bits as u64).unwrap();
                    mac.verify(&of_2023).expect(&place);
                    let given = &mut given[..bits.div_ceil(8)];
                    let mut copies: Vec<Vec<u8>> = vec![given.to_vec(); 19];
                    let packets = copies.iter_mut().map(|data| {
                        FramePacket::new(short, frame, data.as_mut_slice().into(), bits as u64)
                    });
                    let mut packets: Vec<_> = packets.collect();
                    FrameBatch::with_level(level).eia3(&mut packets).unwrap();
                    assert!(packets.iter().all(|packet| packet.tag == framed), "{place}");
                }
            }
        }
    }
}

/// Runs XTS on a copy, in place and buffer to buffer.
fn on_both_ways(data: &[u8], run: impl Fn(InOut<'_>) -> Result<(), Error>) -> Vec<u8> {
    let (mut in_place, mut output) = (data.to_vec(), vec![0xa5; data.len()]);
    run(in_place.as_mut_slice().into()).unwrap();
    run(InOut::disjoint(data, &mut output).unwrap()).unwrap();
    assert_eq!(in_place, output, "in place and buffer to buffer differ");
    output
}

/// OpenSSL issue 23316: SM4-XTS in the way of GB/T 17964 of 17 bytes, the shortest message that
/// steals ciphertext, came out wrong on some CPUs.
#[test]
fn openssl_23316_xts_of_17_bytes() {
    for seed in 0..20 {
        let mut random = SplitMix64::new(seed);
        let (key, tweak) = (random.bytes(32), random.bytes(16));
        let halves: [[u8; 16]; 2] = [0, 16].map(|at| key[at..at + 16].try_into().unwrap());
        let block = |block: &[u8]| -> [u8; 16] { block.try_into().unwrap() };
        let words = halves.map(|half| aes::key_expansion(&half));
        let of_sm4 = |half: usize, data: &[u8]| sm4::encrypt(&halves[half], &block(data)).to_vec();
        let of_aes = |half: usize, data: &[u8]| aes::cipher(&words[half], &block(data)).to_vec();
        for len in (17..=48).chain([255, 257, 4097]) {
            let data = random.bytes(len);
            for order in [Order::Gb, Order::Ieee] {
                let model = |cipher: &dyn Fn(usize, &[u8]) -> Vec<u8>| {
                    let (data_key, tweak_key) =
                        (|it: &[u8]| cipher(0, it), |it: &[u8]| cipher(1, it));
                    model::modes::xts::crypt(order, &data_key, &tweak_key, false, &tweak, &data)
                };
                let expected = [model(&of_sm4), model(&of_aes)];
                for level in Level::available() {
                    let new = |key: &[u8], aes: bool| -> Result<Box<dyn BlockCipher>, Error> {
                        Ok(match aes {
                            false => Box::new(Sm4::with_level(key, level)?),
                            true => Box::new(Aes::with_level(key, level)?),
                        })
                    };
                    for (aes, expected) in [false, true].into_iter().zip(&expected) {
                        let place = format!("{level}, {order:?}, {len} bytes, AES: {aes}");
                        let [there, back] = match order {
                            Order::Gb => {
                                let xts = XtsGb::from_key(&key, |key| new(key, aes)).unwrap();
                                let there = on_both_ways(&data, |io| xts.encrypt(&tweak, io));
                                let back = on_both_ways(&there, |io| xts.decrypt(&tweak, io));
                                [there, back]
                            }
                            Order::Ieee => {
                                let xts = Xts::from_key(&key, |key| new(key, aes)).unwrap();
                                let there = on_both_ways(&data, |io| xts.encrypt(&tweak, io));
                                let back = on_both_ways(&there, |io| xts.decrypt(&tweak, io));
                                [there, back]
                            }
                        };
                        assert!(there == *expected && back == data, "{place}");
                    }
                }
            }
        }
    }
}

/// OpenSSL issue 19858: SM4-CBC in pieces that are no whole blocks lost what was held back.
#[test]
fn openssl_19858_cbc_in_partial_pieces() {
    for seed in 0..60 {
        let mut random = SplitMix64::new(seed);
        let (key, iv) = (random.bytes(16), random.bytes(16));
        let len = if seed < 40 { seed as usize } else { random.below(3000) };
        let data = random.bytes(len);
        let k: [u8; 16] = key[..].try_into().unwrap();
        let fill = 16 - len % 16;
        let padded = [&data[..], &vec![fill as u8; fill]].concat();
        let block = |it: &[u8]| sm4::encrypt(&k, it.try_into().unwrap()).to_vec();
        let expected = model::modes::cbc::encrypt(&block, &iv, &padded);
        for level in Level::available() {
            let cipher = Sm4::with_level(&key, level).unwrap();
            for most in [1, 15, 17, 40, 700] {
                let mut cut = |len: usize| {
                    let mut cuts = Vec::new();
                    let mut at = 0;
                    while at < len {
                        let end = len.min(at + random.below(most + 1));
                        cuts.push(at..end);
                        at = end;
                    }
                    cuts
                };
                let place = format!("{level}, {len} bytes in pieces of up to {most}");
                let mode = cbc::Encryptor::new(&cipher, &iv).unwrap();
                let mut mode = Buffered::new(mode, Padding::Pkcs7);
                let (mut out, mut done) = (vec![0; padded.len()], 0);
                for piece in cut(len) {
                    done += mode.update(&data[piece], &mut out[done..]).unwrap();
                }
                done += mode.finish(&mut out[done..]).unwrap();
                assert!(done == out.len() && out == expected, "{place}");
                let mode = cbc::Decryptor::new(&cipher, &iv).unwrap();
                let mut mode = Buffered::new(mode, Padding::Pkcs7);
                let (mut back, mut done) = (vec![0; padded.len()], 0);
                for piece in cut(out.len()) {
                    done += mode.update(&out[piece], &mut back[done..]).unwrap();
                }
                done += mode.finish(&mut back[done..]).unwrap();
                assert!(back[..done] == data, "{place}");
            }
        }
    }
}
