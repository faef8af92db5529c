//! Files in pieces: however they are cut, and the same faults are found.

use container::{Error, HEADER, Header, Kdf, MasterKey, Opening, Sealing, Suite, TAG};

const CHUNK: usize = 4096;

fn key() -> MasterKey {
    MasterKey::from_bytes([0x3c; 32])
}

fn plain(len: usize) -> Vec<u8> {
    (0..len).map(|i| (i * 11 + i / 253) as u8).collect()
}

fn seal(plain: &[u8], piece: usize) -> Vec<u8> {
    let header = Header::new(Suite::Sm4Gcm, 12, Kdf::Key, [9; 32]).unwrap();
    let (mut file, mut sealing) = Sealing::new(&header, &key()).unwrap();
    for piece in plain.chunks(piece) {
        sealing.update(piece, &mut file).unwrap();
    }
    sealing.finish(&mut file).unwrap();
    file
}

fn open(file: &[u8], piece: usize) -> Result<Vec<u8>, Error> {
    let (head, rest) = file.split_at(HEADER);
    let mut opening = Opening::new(Header::read(head)?, &key())?;
    let mut plain = Vec::new();
    for piece in rest.chunks(piece) {
        opening.update(piece, &mut plain)?;
    }
    opening.finish(&mut plain)?;
    Ok(plain)
}

#[test]
fn any_pieces_give_the_same_file() {
    for len in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 3 * CHUNK + 5] {
        let plain = plain(len);
        let whole = seal(&plain, len.max(1));
        for piece in [1, 15, CHUNK, CHUNK + TAG, 2 * CHUNK + 1] {
            assert_eq!(seal(&plain, piece), whole, "{len} bytes in pieces of {piece}");
            assert_eq!(open(&whole, piece).as_ref(), Ok(&plain), "{len} bytes by {piece}");
        }
    }
}

#[test]
fn what_is_held_is_told_by_its_length_alone() {
    let header = Header::new(Suite::Sm4Gcm, 12, Kdf::Key, [9; 32]).unwrap();
    let (_, mut sealing) = Sealing::new(&header, &key()).unwrap();
    sealing.update(&[0xb7; 5], &mut Vec::new()).unwrap();
    let shown = format!("{sealing:?}");
    assert!(shown.contains("Held(5 bytes)") && !shown.contains("183"), "{shown}");
}

#[test]
fn every_truncation_and_extension_is_found() {
    let mut file = seal(&plain(2 * CHUNK + 9), 1000);
    for len in HEADER..file.len() {
        assert!(open(&file[..len], 777).is_err(), "{len} bytes");
    }
    // What ends inside a tag says how long it was.
    let last = HEADER + 2 * (CHUNK + TAG);
    for len in [HEADER, HEADER + TAG - 1, last + 1, last + TAG - 1] {
        assert_eq!(open(&file[..len], 777), Err(Error::CutOff { got: len as u64 }));
    }
    file.push(0);
    assert!(open(&file, 777).is_err());
}

#[test]
fn behind_a_broken_chunk_nothing_is_given() {
    let good = seal(&plain(3 * CHUNK), 4096);
    let mut forged = good.clone();
    forged[HEADER + 5] ^= 1;
    let (head, rest) = forged.split_at(HEADER);
    let mut opening = Opening::new(Header::read(head).unwrap(), &key()).unwrap();
    let mut out = Vec::new();
    assert_eq!(opening.update(rest, &mut out), Err(Error::Chunk { index: 0 }));
    // Not even the right one, come too late.
    assert!(opening.update(&good[HEADER..], &mut out).is_err());
    assert!(opening.finish(&mut out).is_err());
    assert_eq!(out, []);
}
