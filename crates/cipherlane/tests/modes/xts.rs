//! XTS in both standards: vectors, the model, sectors, streaming and misuse.

use crate::reference::{Candidate, candidates, for_vectors};
use cipherlane::modes::BlockMode;
use cipherlane::modes::xts::{Gb17964, Ieee1619, Standard, Xts, XtsGb, XtsMode};
use cipherlane::registry::{self, New};
use cipherlane::{BlockCipher, Error, InOut, Level, Sizes};
use model::modes::xts;
use model::random::SplitMix64;

type Boxed = Box<dyn BlockCipher>;

/// Encrypts or decrypts one unit in place and buffer to buffer, which must agree.
fn unit<S: Standard>(
    xts: &XtsMode<Boxed, S>,
    decrypt: bool,
    tweak: &[u8],
    data: &[u8],
) -> Result<Vec<u8>, Error> {
    let run = |io: InOut<'_>| match decrypt {
        false => xts.encrypt(tweak, io),
        true => xts.decrypt(tweak, io),
    };
    let mut in_place = data.to_vec();
    run(in_place.as_mut_slice().into())?;
    let mut output = vec![0xa5; data.len()];
    run(InOut::disjoint(data, &mut output).unwrap())?;
    assert_eq!(in_place, output, "in place and buffer to buffer differ");
    Ok(output)
}

fn vectors_of<S: Standard>(mode: &str) -> usize {
    let mut count = 0;
    for file in vectors::all().unwrap() {
        for group in file.groups.iter().filter(|group| group.mode == mode) {
            for test in &group.tests {
                let key = test.key.as_ref().unwrap();
                let plaintext = test.plaintext.as_ref().unwrap();
                let ciphertext = test.ciphertext.as_ref().unwrap();
                // A shorter tweak is a sector number: zeros follow.
                let mut tweak = test.iv.clone().unwrap();
                tweak.resize(16, 0);
                for candidate in for_vectors(&file.algorithm, key.len() / 2) {
                    let place = format!("{} {}, {}", file.name, test.id, candidate.name);
                    let xts = XtsMode::<_, S>::from_key(key, &candidate.new);
                    // The first example of IEEE 1619-2007 has equal keys, which later
                    // standards forbid.
                    if key[..key.len() / 2] == key[key.len() / 2..] {
                        assert_eq!(xts.err(), Some(Error::EqualKeys), "{place}");
                        continue;
                    }
                    let xts = xts.unwrap_or_else(|error| panic!("{place}: {error}"));
                    assert_eq!(
                        unit(&xts, false, &tweak, plaintext).unwrap(),
                        *ciphertext,
                        "{place}"
                    );
                    assert_eq!(
                        unit(&xts, true, &tweak, ciphertext).unwrap(),
                        *plaintext,
                        "{place}"
                    );
                    count += 1;
                }
            }
        }
    }
    count
}

#[test]
fn every_vector_passes_in_both_directions() {
    let levels = Level::available().count();
    let (ieee, gb) = (vectors_of::<Ieee1619>("xts-ieee"), vectors_of::<Gb17964>("xts-gb"));
    let least = if cfg!(feature = "aes") { 170 } else { 13 };
    assert!(ieee >= least * levels && gb >= 13 * levels, "{ieee} and {gb} tests ran");
}

/// Calls `check` for both standards with every cipher of 16-byte blocks.
fn both(check: impl Fn(&Candidate, &mut SplitMix64, &dyn Fn(&[u8]) -> Pair)) {
    for candidate in candidates().into_iter().filter(|candidate| candidate.block == 16) {
        let make = |key: &[u8]| Pair {
            ieee: Xts::from_key(key, &candidate.new).unwrap(),
            gb: XtsGb::from_key(key, &candidate.new).unwrap(),
        };
        check(&candidate, &mut SplitMix64::new(11), &make);
    }
}

struct Pair {
    ieee: Xts<Boxed>,
    gb: XtsGb<Boxed>,
}

#[test]
fn every_length_equals_the_model() {
    both(|candidate, random, make| {
        let key = random.bytes(2 * candidate.key);
        let pair = make(&key);
        let (one, two) = key.split_at(candidate.key);
        let one = (candidate.new)(one).unwrap();
        let two = (candidate.new)(two).unwrap();
        let apply = |crypt: &dyn Fn(&mut [u8]), block: &[u8]| {
            let mut block = block.to_vec();
            crypt(&mut block);
            block
        };
        let encrypt = |block: &[u8]| apply(&|block| one.encrypt_block(block), block);
        let decrypt = |block: &[u8]| apply(&|block| one.decrypt_block(block), block);
        let tweak_cipher = |block: &[u8]| apply(&|block| two.encrypt_block(block), block);
        for len in (16..100)
            .chain((96..=288).step_by(16))
            .chain(500..530)
            .chain([2047, 2048, 2049, 4096, 4111, 6000])
        {
            let (tweak, data) = (random.bytes(16), random.bytes(len));
            let place = format!("{}, {len} bytes", candidate.name);
            for decrypting in [false, true] {
                let function: &dyn Fn(&[u8]) -> Vec<u8> =
                    if decrypting { &decrypt } else { &encrypt };
                let model =
                    |order| xts::crypt(order, function, &tweak_cipher, decrypting, &tweak, &data);
                let out = unit(&pair.ieee, decrypting, &tweak, &data).unwrap();
                assert_eq!(out, model(xts::Order::Ieee), "{place}, IEEE, {decrypting}");
                let out = unit(&pair.gb, decrypting, &tweak, &data).unwrap();
                assert_eq!(out, model(xts::Order::Gb), "{place}, GB, {decrypting}");
            }
        }
    });
}

/// Kernels that take the keys of both ciphers are for two of one kind and level: others, one in a box
/// beside one that is not, and variants with other numbers of rounds give the same as one call
/// after the other.
#[test]
fn ciphers_that_are_not_alike_are_no_pair() {
    let boxed = |name: &str, key: &[u8], level| {
        let New::Block { new, .. } = registry::algorithm(name)?.new else { return None };
        Some(new(key, level).unwrap())
    };
    let mut random = SplitMix64::new(23);
    let kinds = [("aes-128", 16), ("aes-192", 24), ("aes-256", 32), ("sm4", 16)];
    let mut pairs = 0;
    for ((data, data_len), (tweak, tweak_len)) in
        kinds.into_iter().flat_map(|data| kinds.map(|tweak| (data, tweak)))
    {
        let (data_key, tweak_key) = (random.bytes(data_len), random.bytes(tweak_len));
        let (best, lowest) = (Level::best(), Level::portable());
        for levels in [[best, best], [best, lowest], [lowest, best]] {
            let make = |levels: [Level; 2]| {
                let (data, tweak) =
                    (boxed(data, &data_key, levels[0])?, boxed(tweak, &tweak_key, levels[1])?);
                Some(Xts::new(data, tweak).unwrap())
            };
            let (Some(xts), Some(portable)) = (make(levels), make([lowest; 2])) else { continue };
            pairs += 1;
            for len in (16..=288).step_by(16) {
                let (iv, text) = (random.bytes(16), random.bytes(len));
                for decrypting in [false, true] {
                    let place =
                        format!("{data} and {tweak}, {levels:?}, {len} bytes, {decrypting}");
                    let wanted = unit(&portable, decrypting, &iv, &text).unwrap();
                    assert_eq!(unit(&xts, decrypting, &iv, &text).unwrap(), wanted, "{place}");
                    let mut stream = wanted.clone();
                    match decrypting {
                        false => xts.decryptor(&iv).unwrap().blocks((&mut stream[..]).into()),
                        true => xts.encryptor(&iv).unwrap().blocks((&mut stream[..]).into()),
                    }
                    .unwrap();
                    assert_eq!(stream, text, "{place}, back in a stream");
                }
            }
            let mut short = [7; 32];
            let refused = xts.encrypt(&[1; 15], (&mut short[..]).into());
            assert!(matches!(refused, Err(Error::Length { field: "tweak", got: 15, .. })));
            assert_eq!(short, [7; 32]);
        }
    }
    assert!(pairs > 0, "no cipher is in this build");
}

#[test]
fn the_standards_agree_in_the_first_block_only() {
    both(|candidate, random, make| {
        let pair = make(&random.bytes(2 * candidate.key));
        let (tweak, data) = (random.bytes(16), random.bytes(16 * 9));
        let ieee = unit(&pair.ieee, false, &tweak, &data).unwrap();
        let gb = unit(&pair.gb, false, &tweak, &data).unwrap();
        assert_eq!(ieee[..16], gb[..16], "{}", candidate.name);
        for block in 1..9 {
            let range = 16 * block..16 * block + 16;
            assert_ne!(ieee[range.clone()], gb[range], "{}, block {block}", candidate.name);
        }
    });
}

#[test]
fn sectors_are_units_with_consecutive_numbers() {
    fn check<S: Standard>(xts: &XtsMode<Boxed, S>, place: &str, random: &mut SplitMix64) {
        // Sizes below and above what shares a call or is worth one, whole blocks or not; counts past
        // those whose first tweaks are made together.
        for (size, count) in [
            (16, 300),
            (17, 3),
            (48, 70),
            (112, 33),
            (128, 40),
            (512, 67),
            (520, 40),
            (1040, 33),
            (2032, 3),
            (2048, 34),
            (4096, 3),
        ] {
            let first = [0, 7, u128::from(u64::MAX) - 1][random.below(3)];
            let data = random.bytes(size * count);
            let mut expected = Vec::new();
            for (i, sector) in data.chunks(size).enumerate() {
                let tweak = (first + i as u128).to_le_bytes();
                expected.extend(unit(xts, false, &tweak, sector).unwrap());
            }
            let mut out = data.clone();
            xts.encrypt_sectors(first, size, out.as_mut_slice().into()).unwrap();
            assert_eq!(out, expected, "{place}, {count} sectors of {size} bytes");
            let mut back = vec![0; out.len()];
            let io = InOut::disjoint(&out, &mut back).unwrap();
            xts.decrypt_sectors(first, size, io).unwrap();
            assert_eq!(back, data, "{place}, {count} sectors of {size} bytes, back");
        }
    }
    both(|candidate, random, make| {
        let pair = make(&random.bytes(2 * candidate.key));
        check(&pair.ieee, &candidate.name, random);
        check(&pair.gb, &candidate.name, random);
    });
}

/// A whole data unit: tweak and data.
type OneCall<'a> = &'a dyn Fn(&[u8], &[u8]) -> Vec<u8>;

#[test]
fn any_split_of_a_unit_into_blocks_equals_one_call() {
    fn check(name: &str, random: &mut SplitMix64, mode: &mut dyn BlockMode, whole: OneCall<'_>) {
        // Who cuts a unit into blocks asks for their length.
        assert_eq!(mode.block_size(), 16, "{name}");
        for _ in 0..6 {
            let (tweak, data) = (random.bytes(16), random.bytes(16 * 300));
            mode.reset(&tweak).unwrap();
            let mut out = data.clone();
            let mut start = 0;
            while start < data.len() {
                let longest = [3, 40, 200][random.below(3)];
                let blocks = random.below(longest);
                let end = data.len().min(start + 16 * blocks);
                mode.blocks((&mut out[start..end]).into()).unwrap();
                start = end;
            }
            assert_eq!(out, whole(&tweak, &data), "{name}");
        }
    }
    both(|candidate, random, make| {
        let pair = make(&random.bytes(2 * candidate.key));
        let (ieee, gb) = (&pair.ieee, &pair.gb);
        let name = &*candidate.name;
        let zero = [0; 16];
        check(name, random, &mut ieee.encryptor(&zero).unwrap(), &|tweak, data| {
            unit(ieee, false, tweak, data).unwrap()
        });
        check(name, random, &mut ieee.decryptor(&zero).unwrap(), &|tweak, data| {
            unit(ieee, true, tweak, data).unwrap()
        });
        check(name, random, &mut gb.encryptor(&zero).unwrap(), &|tweak, data| {
            unit(gb, false, tweak, data).unwrap()
        });
        check(name, random, &mut gb.decryptor(&zero).unwrap(), &|tweak, data| {
            unit(gb, true, tweak, data).unwrap()
        });
    });
}

#[test]
fn wrong_keys_are_refused() {
    for candidate in candidates() {
        let half = SplitMix64::new(3).bytes(candidate.key);
        let equal = [&half[..], &half[..]].concat();
        let mut differs = equal.clone();
        *differs.last_mut().unwrap() ^= 1;
        let error = |key: &[u8]| Xts::from_key(key, &candidate.new).err();
        if candidate.block != 16 {
            let allowed = Sizes::exactly(16);
            let refused = Error::Length { field: "block", got: candidate.block, allowed };
            assert_eq!(error(&differs), Some(refused), "{}", candidate.name);
            continue;
        }
        assert_eq!(error(&equal), Some(Error::EqualKeys), "{}", candidate.name);
        assert_eq!(error(&differs), None, "{}", candidate.name);
        let new = |key: &[u8]| (candidate.new)(key).unwrap();
        assert_eq!(Xts::new(new(&half), new(&half)).err(), Some(Error::EqualKeys));
        let other = &differs[candidate.key..];
        assert_eq!(XtsGb::new(new(&half), new(other)).err(), None, "{}", candidate.name);
        let odd = Xts::from_key(&differs[1..], &candidate.new).err();
        assert!(matches!(odd, Some(Error::Length { field: "key", .. })), "{}", candidate.name);
        let short = Xts::from_key(&differs[2..], &candidate.new).err();
        assert!(matches!(short, Some(Error::Length { field: "key", .. })), "{}", candidate.name);
    }
}

#[test]
fn wrong_lengths_are_refused_and_nothing_is_written() {
    let candidate = candidates().pop().into_iter().chain(candidates()).find(|c| c.block == 16);
    let candidate = candidate.unwrap();
    let xts = Xts::from_key(&SplitMix64::new(3).bytes(2 * candidate.key), &candidate.new).unwrap();
    let most = 16 << 20;
    let allowed = Sizes::between(16, most);
    for got in 0..16 {
        let mut data = vec![7; got];
        let error = Err(Error::Length { field: "data", got, allowed });
        assert_eq!(xts.encrypt(&[0; 16], data.as_mut_slice().into()), error);
        assert_eq!(xts.decrypt(&[0; 16], data.as_mut_slice().into()), error);
        assert_eq!(xts.encrypt_sectors(0, got, (&mut [7; 64][..]).into()), error);
        assert_eq!(data, vec![7; got]);
        let error = Err(Error::Length { field: "tweak", got, allowed: Sizes::exactly(16) });
        let mut data = [7; 32];
        assert_eq!(xts.encrypt(&vec![0; got], data.as_mut_slice().into()), error);
        assert_eq!(xts.encryptor(&vec![0; got]).map(drop), error);
        assert_eq!(data, [7; 32]);
    }
    let mut data = [7; 100];
    let error = Err(Error::PartialBlock { got: 100, block: 32 });
    assert_eq!(xts.encrypt_sectors(0, 32, data.as_mut_slice().into()), error);
    let error = xts.encrypt_sectors(u128::MAX, 50, data.as_mut_slice().into());
    assert!(matches!(error, Err(Error::Limit { limit: 128, .. })));
    assert_eq!(data, [7; 100]);
    assert_eq!(xts.encrypt_sectors(u128::MAX, 100, data.as_mut_slice().into()), Ok(()));
}

#[test]
fn a_unit_has_at_most_two_to_the_twentieth_blocks() {
    let candidate = candidates().into_iter().find(|c| c.block == 16).unwrap();
    let xts = Xts::from_key(&SplitMix64::new(3).bytes(2 * candidate.key), &candidate.new).unwrap();
    let most = 16 << 20;
    let refused = |result| matches!(result, Err(Error::Limit { limit: 1_048_576, .. }));
    let mut data = vec![7; most + 1];
    assert!(refused(xts.encrypt(&[0; 16], data.as_mut_slice().into())));
    assert!(refused(xts.decrypt(&[0; 16], data.as_mut_slice().into())));
    assert!(data.iter().all(|&byte| byte == 7), "written past the limit");
    let mut stream = xts.encryptor(&[0; 16]).unwrap();
    stream.blocks((&mut data[..most - 16]).into()).unwrap();
    let mut more = [7; 32];
    assert!(refused(stream.blocks(more.as_mut_slice().into())));
    assert_eq!(more, [7; 32], "written past the limit");
    stream.blocks((&mut data[most - 16..most]).into()).unwrap();
    assert!(refused(stream.blocks((&mut more[..16]).into())));
    xts.decrypt(&[0; 16], (&mut data[..most]).into()).unwrap();
    assert!(data.iter().all(|&byte| byte == 7), "streaming and one call differ");
}
