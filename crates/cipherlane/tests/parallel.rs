//! Any number of threads gives the bytes of one, and the same errors.

use cipherlane::aead::gcm::Gcm;
use cipherlane::modes::xts::{Standard, Xts, XtsGb, XtsMode};
use cipherlane::parallel::Threads;
use cipherlane::registry::{ALGORITHMS, New, Split, operations};
use cipherlane::{Aead, Aes128, BlockCipher, Error, InOut, Level, Sm4};
use model::effort::stride;
use model::random::SplitMix64;
use rayon::{ThreadPool, ThreadPoolBuilder};

fn pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// Calls `check` with pools of one, two and five threads that cut at every 4 KiB, and with
/// the global one as it comes.
fn for_each_pool(check: impl Fn(Threads<'_>)) {
    for threads in [1, 2, 5] {
        check(Threads::of(&pool(threads)).pieces_from(4096));
    }
    check(Threads::global());
}

/// Lengths around one, two and many pieces.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [0, 4096, 8192, 12288, 40960];
    let around = edges.into_iter().flat_map(|edge| [0, 1, 16, 17, 32].map(|more| edge + more));
    around.step_by(stride()).chain([131_087])
}

/// Runs `work` in place and buffer to buffer; both must give `expected`.
fn both_ways(data: &[u8], expected: &[u8], place: &str, work: impl Fn(InOut<'_>)) {
    let mut in_place = data.to_vec();
    work(in_place.as_mut_slice().into());
    assert!(in_place == expected, "{place}, in place");
    let mut output = vec![0xa5; data.len()];
    work(InOut::disjoint(data, &mut output).unwrap());
    assert!(output == expected, "{place}, buffer to buffer");
}

#[test]
fn every_operation_of_the_registry_equals_one_thread() {
    for_each_pool(|threads| {
        for algorithm in ALGORITHMS {
            let New::Block { block, new, .. } = algorithm.new else { continue };
            let mut random = SplitMix64::new(1);
            let cipher = new(&random.bytes(algorithm.key.max), Level::best()).unwrap();
            for operation in operations(algorithm) {
                let Some(mode) = operation.block_mode() else { continue };
                let unit = if operation.whole_blocks() { block } else { 1 };
                // Counters that carry inside the data, in 32 bits and beyond.
                let mut iv = random.bytes(operation.iv.max);
                if iv.len() > 4 {
                    iv[4..].fill(0xff);
                }
                // A block for every bit: three pieces and what is left must do.
                let most = if operation.name.starts_with("cfb1-") { 12_320 } else { usize::MAX };
                for len in lengths().filter(|len| len % unit == 0 && *len <= most) {
                    let data = random.bytes(len);
                    let mut expected = data.clone();
                    (mode.message)(&*cipher, &iv, expected.as_mut_slice().into()).unwrap();
                    let place = format!("{}/{}, {len} bytes", algorithm.name, operation.name);
                    both_ways(&data, &expected, &place, |io| {
                        threads.operation(&operation, &*cipher, &iv, io).unwrap();
                    });
                }
            }
        }
    });
}

#[test]
fn what_can_be_cut_is_cut() {
    use Split::{Anywhere, Counter, Counter32, InputBefore};
    let ways = [
        ("ecb-encrypt", Anywhere),
        ("ecb-decrypt", Anywhere),
        ("cbc-decrypt", InputBefore),
        ("cfb-decrypt", InputBefore),
        ("cfb8-decrypt", InputBefore),
        ("cfb1-decrypt", InputBefore),
        ("ctr", Counter),
        ("nea2", Counter),
        ("ctr32", Counter32),
    ];
    for operation in ALGORITHMS.iter().flat_map(operations) {
        let way = ways.iter().find(|(name, _)| *name == operation.name);
        let expected = way.map_or(Split::Never, |(_, split)| *split);
        assert_eq!(operation.split, expected, "{}/{}", operation.algorithm.name, operation.name);
    }
}

fn xts_equals_one_thread<S: Standard>(xts: &XtsMode<Box<dyn BlockCipher>, S>) {
    let tweak = SplitMix64::new(2).bytes(16);
    for_each_pool(|threads| {
        for len in lengths().filter(|&len| len >= 16) {
            let data = SplitMix64::new(len as u64).bytes(len);
            let mut sealed = data.clone();
            xts.encrypt(&tweak, sealed.as_mut_slice().into()).unwrap();
            let place = format!("{len} bytes, {threads:?}");
            both_ways(&data, &sealed, &place, |io| threads.xts_encrypt(xts, &tweak, io).unwrap());
            both_ways(&sealed, &data, &place, |io| threads.xts_decrypt(xts, &tweak, io).unwrap());
        }
        for (size, count) in [(16, 1000), (512, 37), (520, 61), (4096, 9), (9001, 8), (50_000, 3)] {
            let data = SplitMix64::new(size as u64).bytes(size * count);
            let (mut sealed, first) = (data.clone(), u128::from(u64::MAX) - 3);
            xts.encrypt_sectors(first, size, sealed.as_mut_slice().into()).unwrap();
            let place = format!("{count} sectors of {size} bytes, {threads:?}");
            both_ways(&data, &sealed, &place, |io| {
                threads.xts_encrypt_sectors(xts, first, size, io).unwrap();
            });
            both_ways(&sealed, &data, &place, |io| {
                threads.xts_decrypt_sectors(xts, first, size, io).unwrap();
            });
        }
    });
}

#[test]
fn xts_in_both_standards_equals_one_thread() {
    let key = SplitMix64::new(3).bytes(32);
    let sm4 = |key: &[u8]| Ok(Box::new(Sm4::new(key)?) as Box<dyn BlockCipher>);
    xts_equals_one_thread(&Xts::from_key(&key, sm4).unwrap());
    xts_equals_one_thread(&XtsGb::from_key(&key, sm4).unwrap());
}

#[test]
fn gcm_equals_one_thread_at_every_level() {
    for level in Level::available() {
        let gcm = Gcm::new(Aes128::with_level(&[7; 16], level).unwrap()).unwrap();
        for_each_pool(|threads| {
            let mut random = SplitMix64::new(4);
            for (round, len) in
                lengths().step_by(if level == Level::best() { 1 } else { 3 }).enumerate()
            {
                let nonce = random.bytes(if round % 2 == 0 { 12 } else { 19 });
                let aad = random.bytes([0, 5, 16, 300][round % 4]);
                let data = random.bytes(len);
                let (mut sealed, mut tag) = (data.clone(), [0; 16]);
                gcm.seal(&nonce, &aad, sealed.as_mut_slice().into(), &mut tag).unwrap();
                let place = format!("{len} bytes, {level}, {threads:?}");
                both_ways(&data, &sealed, &place, |io| {
                    let mut got = [0; 16];
                    threads.gcm_seal(&gcm, &nonce, &aad, io, &mut got).unwrap();
                    assert_eq!(got, tag, "{place}");
                });
                let short = gcm.clone().with_tag_len(12).unwrap();
                both_ways(&sealed, &data, &place, |io| {
                    threads.gcm_open(&short, &nonce, &aad, io, &tag[..12]).unwrap();
                });
            }
        });
    }
}

#[test]
fn a_wrong_tag_leaves_zeros() {
    let gcm = Gcm::new(Sm4::new(&[7; 16]).unwrap()).unwrap();
    for_each_pool(|threads| {
        let data = SplitMix64::new(5).bytes(50_000);
        let (mut sealed, mut tag) = (data.clone(), [0; 16]);
        threads.gcm_seal(&gcm, &[1; 12], &[], sealed.as_mut_slice().into(), &mut tag).unwrap();
        // A changed byte in every piece, and in the tag.
        for at in (0..data.len()).step_by(4096).map(Some).chain([None]) {
            let (mut spoilt, mut tag) = (sealed.clone(), tag);
            match at {
                Some(at) => spoilt[at] ^= 1,
                None => tag[15] ^= 1,
            }
            let io = spoilt.as_mut_slice().into();
            let result = threads.gcm_open(&gcm, &[1; 12], &[], io, &tag);
            assert_eq!(result, Err(Error::Authentication), "{at:?}");
            assert!(spoilt.iter().all(|&byte| byte == 0), "{at:?}: plaintext left");
        }
    });
}

#[test]
fn wrong_use_is_refused_and_writes_nothing() {
    let sm4 = Sm4::new(&[7; 16]).unwrap();
    let gcm = Gcm::new(&sm4).unwrap();
    let xts = Xts::from_key(&SplitMix64::new(6).bytes(32), Sm4::new).unwrap();
    for_each_pool(|threads| {
        let untouched = vec![7; 20_001];
        let refused = |work: &dyn Fn(InOut<'_>) -> Result<(), Error>| {
            let mut data = untouched.clone();
            let error = work(data.as_mut_slice().into()).unwrap_err();
            assert!(data == untouched, "written in spite of: {error}");
            error
        };
        let partial = Error::PartialBlock { got: 20_001, block: 16 };
        assert_eq!(refused(&|io| threads.ecb_encrypt(&sm4, io)), partial);
        assert_eq!(refused(&|io| threads.ecb_decrypt(&sm4, io)), partial);
        assert_eq!(refused(&|io| threads.cbc_decrypt(&sm4, &[0; 16], io)), partial);
        let length = |error, wanted, len| matches!(error, Error::Length { field, got, .. } if field == wanted && got == len);
        assert!(length(refused(&|io| threads.ctr(&sm4, &[0; 15], io)), "iv", 15));
        assert!(length(refused(&|io| threads.ctr32(&sm4, &[0; 40], io)), "iv", 40));
        assert!(length(refused(&|io| threads.xts_encrypt(&xts, &[0; 8], io)), "tweak", 8));
        let sectors = |size| {
            move |io: InOut<'_>| {
                threads.xts_encrypt_sectors(
                    &Xts::from_key(&SplitMix64::new(6).bytes(32), Sm4::new).unwrap(),
                    0,
                    size,
                    io,
                )
            }
        };
        assert_eq!(refused(&sectors(512)), Error::PartialBlock { got: 20_001, block: 512 });
        assert!(length(refused(&sectors(15)), "data", 15));
        let seal = |nonce: usize, tag: usize| {
            let gcm = &gcm;
            move |io: InOut<'_>| threads.gcm_seal(gcm, &vec![0; nonce], &[], io, &mut vec![0; tag])
        };
        assert!(length(refused(&seal(0, 16)), "nonce", 0));
        assert!(length(refused(&seal(12, 5)), "tag", 5));
        let long = (1 << 24) + 16;
        let mut data = vec![0; long];
        let result = threads.xts_decrypt(&xts, &[0; 16], data.as_mut_slice().into());
        assert!(matches!(result, Err(Error::Limit { limit: 0x10_0000, .. })));
    });
}
