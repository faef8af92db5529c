//! Many values in one call give what they give one by one.

mod common;

use cipherlane::Level;
use common::{Numbers, settings};
use dialects::{Batch, Codec, Coding, Dialect, Drawn, Error, Mode, Outcome, Settings, all, find};

/// What came of a value: its bytes, NULL, or why not.
type Done = Result<Option<Vec<u8>>, Error>;

/// What is drawn, the same for both ways: now and then there is nothing.
fn source(seed: u64, faults: bool) -> impl FnMut(Drawn, &mut [u8]) -> Result<(), Error> + Clone {
    let mut numbers = Numbers(seed);
    move |_, bytes| {
        if faults && numbers.next() >> 59 == 0 {
            return Err(Error::Random("nothing left".into()));
        }
        bytes.copy_from_slice(&numbers.bytes(bytes.len()));
        Ok(())
    }
}

fn one(outcome: Result<Outcome, Error>, bytes: Vec<u8>) -> Done {
    match outcome {
        Ok(Outcome::Value) => Ok(Some(bytes)),
        Ok(Outcome::Null) => Ok(None),
        Err(error) => Err(error),
    }
}

/// In the order of their numbers, each once.
fn collect(run: impl FnOnce(&mut dialects::Each<'_>)) -> Vec<Done> {
    let mut all: Vec<Done> = Vec::new();
    run(&mut |number, value| {
        assert_eq!(number, all.len());
        all.push(value.map(|it| it.map(<[u8]>::to_vec)));
    });
    all
}

fn slices(values: &[Vec<u8>]) -> Vec<&[u8]> {
    values.iter().map(Vec::as_slice).collect()
}

/// Plaintexts of random lengths, empty ones and some that a dialect may not store.
fn plaintexts(mode: &Mode, count: usize, numbers: &mut Numbers) -> Vec<Vec<u8>> {
    let blocks = mode.padding() == "none" && ["ecb", "cbc"].contains(&mode.operation());
    let one = |_| {
        let len = match numbers.next() >> 60 {
            0 => 0,
            1..=9 => 64,
            10 => 200 + (numbers.next() >> 54) as usize,
            _ => (numbers.next() >> 57) as usize,
        };
        // Sometimes with a block that is not whole, or a byte 0.
        let odd = numbers.next() >> 60 == 0;
        let len = if blocks && !odd { len / 16 * 16 } else { len };
        let mut plain = numbers.bytes(len);
        plain.iter_mut().filter(|_| !odd).for_each(|byte| *byte = (*byte).max(1));
        plain
    };
    (0..count).map(one).collect()
}

/// Damages about a value in four.
fn damage(value: &mut Vec<u8>, numbers: &mut Numbers) {
    if value.is_empty() {
        return;
    }
    let at = numbers.next() as usize % value.len();
    match numbers.next() >> 60 {
        0 => value.truncate(at),
        1 => value[at] ^= 1 << (numbers.next() >> 61),
        2 => value.insert(at, numbers.next() as u8),
        3 => *value = numbers.bytes(at),
        _ => {}
    }
}

/// Both ways on the same values, some of which were written under the other codec's key; how many were
/// read well, and how many not.
fn compare(
    codec: &Codec,
    other: &Codec,
    batch: &mut Batch<'_>,
    count: usize,
    seed: u64,
) -> [usize; 2] {
    let mut numbers = Numbers(seed);
    let plain = plaintexts(codec.mode(), count, &mut numbers);
    let what = |number| (codec.dialect().name(), codec.mode().name(), codec.coding(), number);
    let faults = numbers.next() >> 63 == 0;
    let (mut draw, mut again) = (source(seed, faults), source(seed, faults));
    let written = collect(|each| batch.encrypt(&slices(&plain), &mut draw, each));
    assert_eq!(written.len(), plain.len());
    let mut stored = Vec::new();
    for (number, (got, plain)) in written.into_iter().zip(&plain).enumerate() {
        let mut out = Vec::new();
        let outcome = codec.encrypt_with(plain, &mut out, &mut again);
        assert_eq!(got, one(outcome, out), "{:?}", what(number));
        let mut value = got.ok().flatten().unwrap_or_default();
        if numbers.next() >> 60 == 0 {
            value.clear();
            let _ = other.encrypt_with(plain, &mut value, &mut again.clone());
        }
        damage(&mut value, &mut numbers);
        stored.push(value);
    }
    let read = collect(|each| batch.decrypt(&slices(&stored), each));
    assert_eq!(read.len(), stored.len());
    let mut counts = [0; 2];
    for (number, (got, stored)) in read.into_iter().zip(&stored).enumerate() {
        let mut out = Vec::new();
        let outcome = codec.decrypt(stored, &mut out);
        counts[usize::from(got.is_err())] += 1;
        assert_eq!(got, one(outcome, out), "{:?}", what(number));
    }
    counts
}

/// A codec under a key of its own; `more` chooses an IV where the dialect draws one else, and
/// associated data where it has such.
fn codec(
    dialect: &'static Dialect,
    mode: &'static Mode,
    coding: Coding,
    more: bool,
    seed: u64,
) -> Codec {
    let mut numbers = Numbers(seed);
    let given = settings(dialect, mode, &mut numbers);
    let levels: Vec<Level> = Level::available().collect();
    let level = Some(levels[numbers.next() as usize % levels.len()]);
    let plain = Settings { coding: Some(coding), level, ..given.settings(mode) };
    if more {
        let (iv, aad) = (numbers.bytes(16), numbers.bytes(21));
        for iv in [Some(&iv[..12]), Some(&iv[..]), plain.iv] {
            for aad in [&aad[..], &[]] {
                let chosen = dialect.prepare(&Settings { iv, aad, ..plain });
                if let Ok(codec) = chosen {
                    return codec;
                }
            }
        }
    }
    dialect.prepare(&plain).unwrap()
}

#[test]
fn every_dialect_mode_and_coding_gives_what_it_gives_value_by_value() {
    let (mut seed, mut lanes, mut sum) = (22, [0; 2], [0; 2]);
    for dialect in all() {
        for mode in dialect.modes() {
            for (round, &coding) in dialect.codings().iter().enumerate() {
                for more in [false, true] {
                    seed += 1;
                    let [codec, other] =
                        [seed, !seed].map(|seed| codec(dialect, mode, coding, more, seed));
                    let mut batch = codec.batch().unwrap();
                    if round == 0 && !more {
                        let [read, write] = batch.in_lanes();
                        lanes = [lanes[0] + usize::from(read), lanes[1] + usize::from(write)];
                    }
                    // More than one pass, and the same batch again for fewer.
                    let many = if codec.derives_each() { [9, 3] } else { [300, 17] };
                    for count in [many[0], 0, 1, many[1]] {
                        seed += 1;
                        let counts = compare(&codec, &other, &mut batch, count, seed);
                        sum = [sum[0] + counts[0], sum[1] + counts[1]];
                    }
                }
            }
        }
    }
    // All 83 but twelve of cfb1 and cfb8, and the one that derives a key for each value.
    assert_eq!(lanes, [70, 70], "modes in lanes, read and written");
    assert!(sum[0] > 50_000 && sum[1] > 10_000, "{sum:?}");
}

#[test]
fn an_error_is_of_its_value_alone() {
    for (name, mode) in
        [("cipherlane-sm4", "GCM"), ("cipherlane-sm4", "CBC"), ("mysql-aes", "aes-128-ecb")]
    {
        let dialect = find(name).unwrap();
        let mode = dialect.modes().iter().find(|it| it.name() == mode).unwrap();
        let codec = codec(dialect, mode, Coding::Raw, false, 3);
        let mut batch = codec.batch().unwrap();
        let mut numbers = Numbers(17);
        // Lengths up to 1600 bytes, and more values than go together.
        let plain: Vec<Vec<u8>> = (0..600).map(|it| numbers.bytes(it * 7 % 1601)).collect();
        let written = collect(|each| batch.encrypt(&slices(&plain), &mut source(4, false), each));
        let mut stored: Vec<Vec<u8>> = written.into_iter().map(|it| it.unwrap().unwrap()).collect();
        let bad = [0, 1, 255, 256, 300, 599];
        for at in bad {
            let value = &mut stored[at];
            let len = value.len();
            if codec.authenticates() { value[len - 1] ^= 1 } else { value.truncate(len - 1) }
        }
        let read = collect(|each| batch.decrypt(&slices(&stored), each));
        for (at, (read, plain)) in read.into_iter().zip(plain).enumerate() {
            match (bad.contains(&at), codec.authenticates()) {
                (false, _) => assert_eq!(read, Ok(Some(plain)), "{name} {at}"),
                (true, true) => assert!(matches!(read, Err(Error::Authentication { .. })), "{at}"),
                (true, false) => assert!(matches!(read, Err(Error::Stored { .. })), "{at}"),
            }
        }
    }
}

#[test]
fn long_values_go_through_as_well() {
    for name in ["opengauss-sm4", "spark-aes", "doris-sm4", "cipherlane-sm4"] {
        let dialect = find(name).unwrap();
        for mode in dialect.modes() {
            let codec = codec(dialect, mode, dialect.codings()[0], false, 5);
            let mut batch = codec.batch().unwrap();
            let mut numbers = Numbers(9);
            // Some are longer than all that goes together otherwise.
            let lens = [70_000, 16, 65_536, 0, 4096, 100_000, 64, 32, 65_520];
            let plain: Vec<Vec<u8>> = lens
                .iter()
                .map(|&len| numbers.bytes(len).into_iter().map(|byte| byte.max(1)).collect())
                .collect();
            let mut draw = source(1, false);
            let written = collect(|each| batch.encrypt(&slices(&plain), &mut draw, each));
            let stored: Vec<Vec<u8>> =
                written.into_iter().map(|it| it.unwrap().unwrap_or_default()).collect();
            let read = collect(|each| batch.decrypt(&slices(&stored), each));
            for ((read, plain), stored) in read.into_iter().zip(plain).zip(&stored) {
                let mut out = Vec::new();
                let outcome = codec.decrypt(stored, &mut out);
                assert_eq!(read, one(outcome, out));
                assert_eq!(read.unwrap().unwrap_or_default(), plain, "{name} {}", mode.name());
            }
        }
    }
}
