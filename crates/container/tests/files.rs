//! Whole files in memory: what is written opens, and nothing else does.

use container::{DEFAULT_CHUNK_BITS, Error, HEADER, Header, Kdf, Layout, MasterKey, Suite, TAG};

const CHUNK: usize = 4096;

fn key() -> MasterKey {
    MasterKey::from_bytes([0x5a; 32])
}

fn plain(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 7 + i / 251) as u8).collect()
}

fn write(suite: Suite, salt: u8, plain: &[u8]) -> Vec<u8> {
    let header = Header::new(suite, 12, Kdf::Key, [salt; 32]).unwrap();
    let (mut file, chunks) = header.seal(&key()).unwrap().pair();
    let layout = Layout::of_plain(plain.len() as u64, CHUNK as u64);
    for index in 0..layout.chunks() {
        let start = index as usize * CHUNK;
        let mut chunk = plain[start..plain.len().min(start + CHUNK)].to_vec();
        chunks.seal(index, layout.is_last(index), &mut chunk).unwrap();
        file.extend(chunk);
    }
    assert_eq!(file.len() as u64, layout.written());
    file
}

trait Pair {
    fn pair(self) -> (Vec<u8>, container::Chunks);
}

impl Pair for ([u8; HEADER], container::Chunks) {
    fn pair(self) -> (Vec<u8>, container::Chunks) {
        (self.0.to_vec(), self.1)
    }
}

fn read(file: &[u8]) -> Result<Vec<u8>, Error> {
    let (header, chunks) = Header::read(file)?.open(&key())?;
    let layout = header.layout(file.len() as u64)?;
    let mut plain = Vec::new();
    for index in 0..layout.chunks() {
        let (start, len) = layout.place(index);
        let mut chunk = file[start as usize..(start + len) as usize].to_vec();
        chunks.open(index, layout.is_last(index), &mut chunk)?;
        plain.extend(chunk);
    }
    Ok(plain)
}

#[test]
fn every_suite_and_length_comes_back() {
    let names = Suite::ALL.map(Suite::name);
    assert_eq!(names, ["sm4-gcm", "aes-128-gcm", "aes-256-gcm", "zuc-gxm"]);
    for suite in Suite::ALL {
        for len in [0, 1, 15, 16, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 5] {
            let plain = plain(len);
            assert_eq!(read(&write(suite, 1, &plain)).as_ref(), Ok(&plain), "{suite:?} {len}");
        }
    }
}

#[test]
fn every_flipped_bit_is_found() {
    for (suite, len) in [(Suite::Sm4Gcm, CHUNK + 40), (Suite::ZucGxm, 20), (Suite::Aes256Gcm, 0)] {
        let file = write(suite, 2, &plain(len));
        for bit in 0..file.len() * 8 {
            let mut forged = file.clone();
            forged[bit / 8] ^= 1 << (bit % 8);
            assert!(read(&forged).is_err(), "{suite:?}, bit {bit}");
        }
    }
}

/// Differences that would cancel out if they were added up instead of gathered.
#[test]
fn a_header_whose_mac_differs_twice_alike_is_refused() {
    let file = write(Suite::Sm4Gcm, 2, &plain(20));
    for (a, b) in [(1, 2), (1, 32), (31, 32)] {
        let mut forged = file.clone();
        forged[HEADER - a] ^= 0x55;
        forged[HEADER - b] ^= 0x55;
        assert_eq!(read(&forged), Err(Error::WrongKey), "bytes {a} and {b} from its end");
    }
}

#[test]
fn every_truncation_is_found() {
    let file = write(Suite::Sm4Gcm, 3, &plain(2 * CHUNK + 9));
    for len in 0..file.len() {
        assert!(read(&file[..len]).is_err(), "{len} bytes");
    }
}

#[test]
fn no_byte_can_be_put_behind() {
    for len in [0, 5, CHUNK, CHUNK + 5] {
        let mut file = write(Suite::Sm4Gcm, 3, &plain(len));
        for more in 0..2 * (CHUNK + TAG) {
            file.push(more as u8);
            assert!(read(&file).is_err(), "{len} bytes and {more} more");
        }
    }
}

#[test]
fn every_permutation_of_chunks_is_found() {
    let file = write(Suite::Sm4Gcm, 4, &plain(4 * CHUNK));
    let sealed = CHUNK + TAG;
    let mut found = 0;
    for order in 0..256_usize {
        // Also with chunks twice or not at all.
        let order: Vec<usize> = (0..4).map(|i| order >> (2 * i) & 3).collect();
        let mut forged = file[..HEADER].to_vec();
        for chunk in &order {
            forged.extend(&file[HEADER + chunk * sealed..][..sealed]);
        }
        if order != [0, 1, 2, 3] {
            assert!(read(&forged).is_err(), "{order:?}");
            found += 1;
        }
    }
    assert_eq!(found, 255);
}

#[test]
fn chunks_of_another_file_do_not_open() {
    let (a, b) = (write(Suite::Sm4Gcm, 5, &plain(CHUNK)), write(Suite::Sm4Gcm, 6, &plain(CHUNK)));
    let mixed = [&a[..HEADER], &b[HEADER..]].concat();
    assert_eq!(read(&mixed), Err(Error::Chunk { index: 0 }));
    let other = MasterKey::from_bytes([0x5b; 32]);
    assert_eq!(Header::read(&a).unwrap().open(&other).err(), Some(Error::WrongKey));
}

#[test]
fn a_chunk_that_does_not_open_is_empty() {
    let header = Header::new(Suite::Sm4Gcm, 12, Kdf::Key, [0; 32]).unwrap();
    let (_, chunks) = header.seal(&key()).unwrap();
    let mut chunk = vec![1; 100];
    chunks.seal(0, true, &mut chunk).unwrap();
    for (index, last) in [(1, true), (0, false)] {
        let mut moved = chunk.clone();
        assert_eq!(chunks.open(index, last, &mut moved), Err(Error::Chunk { index }));
        assert!(moved.is_empty());
    }
}

#[test]
fn chunks_of_other_lengths_are_not_sealed() {
    let header = Header::new(Suite::Sm4Gcm, 12, Kdf::Key, [0; 32]).unwrap();
    let (_, chunks) = header.seal(&key()).unwrap();
    assert_eq!(chunks.size(), CHUNK);
    let seal = |index, last, len| chunks.seal(index, last, &mut vec![7; len]);
    let length = |result: Result<(), Error>| {
        matches!(result, Err(Error::Field { field: "chunk length", .. }))
    };
    // The first and only one may be empty; none is longer than the header says.
    for (index, last, len) in [(0, true, 0), (0, true, CHUNK), (1, true, 1), (0, false, CHUNK)] {
        assert_eq!(seal(index, last, len), Ok(()), "{index} {last} {len}");
    }
    for (index, last, len) in [
        (1, true, 0),
        (0, true, CHUNK + 1),
        (1, true, CHUNK + 1),
        (0, false, CHUNK + 1),
        (0, false, CHUNK - 1),
        (0, false, 0),
    ] {
        assert!(length(seal(index, last, len)), "{index} {last} {len}");
    }
    assert_eq!(seal((1 << 32) - 1, true, 1), Ok(()));
    let number = seal(1 << 32, true, 1);
    assert!(matches!(number, Err(Error::Field { field: "chunk number", .. })), "{number:?}");
}

#[test]
fn a_key_gives_its_bytes_and_does_not_show_them() {
    assert_eq!(key().bytes(), &[0x5a; 32]);
    assert_eq!(format!("{:?}", key()), "MasterKey([secret])");
    let header = Header::new(Suite::Sm4Gcm, 12, Kdf::Key, [0; 32]).unwrap();
    let (_, chunks) = header.seal(&key()).unwrap();
    let shown = format!("{chunks:?}");
    assert_eq!(shown, "Chunks { suite: Sm4Gcm, size: 4096, .. }");
    // RFC 9106, section 4: 64 MiB, 3 passes, 4 lanes.
    assert_eq!(Kdf::ARGON2ID, Kdf::Argon2id { memory_kib: 65_536, passes: 3, lanes: 4 });
}

#[test]
fn headers_out_of_range_are_refused_with_the_field_and_what_is_allowed() {
    let file = write(Suite::Sm4Gcm, 7, b"x");
    let with = |place: usize, value: u8| {
        let mut file = file.clone();
        file[place] = value;
        Header::read(&file).expect_err("refused").to_string()
    };
    assert!(with(0, 0).contains("signature"));
    assert!(with(8, 2).contains("version is 2; allowed: 1"));
    assert!(with(9, 9).contains("suite is 9; allowed: 1 to 4"));
    assert!(with(10, 40).contains("is 40; allowed: 12 to 24"));
    assert!(with(11, 7).contains("KDF is 7; allowed: 0 to 2"));
    assert!(with(11, 1).contains("Argon2id memory in KiB is 0; allowed: 8192 to 2097152"));
    assert!(with(11, 2).contains("PBKDF2 iterations is 0"));
    assert!(with(15, 1).contains("first KDF number is 1; allowed: 0 with a key"));
    assert_eq!(Header::read(&[]).err(), Some(Error::Signature));
    let short = Error::ShortHeader { got: 50, needed: HEADER };
    assert_eq!(Header::read(&file[..50]).err(), Some(short));
}

#[test]
fn layouts_of_files_and_of_what_they_hold_agree() {
    let chunk = 1 << DEFAULT_CHUNK_BITS;
    let mut lengths = vec![0, 1, 2, 17, 5 << 30];
    for chunks in [1, 2, 1000] {
        lengths.extend([chunks * chunk - 1, chunks * chunk, chunks * chunk + 1]);
    }
    for len in lengths {
        let layout = Layout::of_plain(len, chunk);
        assert_eq!(layout.plain(), len);
        assert_eq!(Layout::of_file(layout.written(), chunk), Ok(layout), "{len}");
        let places: Vec<_> = (0..layout.chunks().min(3000)).map(|i| layout.place(i)).collect();
        assert!(places.windows(2).all(|pair| pair[0].0 + pair[0].1 == pair[1].0));
    }
    // What no whole file has: less than a header and a tag, or a last chunk without a byte.
    for len in (0..HEADER as u64 + 16).chain([HEADER as u64 + CHUNK as u64 + 16 + 16]) {
        assert!(Layout::of_file(len, CHUNK as u64).is_err(), "{len}");
    }
}

#[test]
fn passphrases_give_the_same_key_again_and_only_they_do() {
    let kdfs = [
        Kdf::Argon2id { memory_kib: 8192, passes: 1, lanes: 1 },
        Kdf::Pbkdf2Sm3 { iterations: 1000 },
    ];
    for kdf in kdfs {
        let header = Header::new(Suite::Sm4Gcm, 12, kdf, [9; 32]).unwrap();
        let derive = |text: &[u8]| MasterKey::from_passphrase(text, kdf, header.salt()).unwrap();
        let (written, _) = header.seal(&derive(b"correct horse")).unwrap();
        let read = Header::read(&written).unwrap();
        assert_eq!(read.claimed().kdf(), kdf);
        assert!(read.open(&derive(b"correct horse")).is_ok());
        assert_eq!(read.open(&derive(b"Correct horse")).err(), Some(Error::WrongKey));
    }
    let refused = MasterKey::from_passphrase(b"x", Kdf::Key, &[0; 32]);
    assert_eq!(refused.err(), Some(Error::KeyKind { made: "a key" }));
}
