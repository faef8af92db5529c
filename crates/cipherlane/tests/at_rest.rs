//! The recipe of `docs/recipes/encrypted_env.md`: files in counter mode, at any offset.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;

use model::random::SplitMix64;

#[expect(unreachable_pub, reason = "a store's own module, from which others import")]
#[path = "../../../docs/recipes/encrypted_env.rs"]
mod encrypted_env;

use encrypted_env::{EncryptedFile, PREFIX};

/// A folder of this process, gone at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("cipherlane-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What the whole file must be, by the standards' transcription.
fn expected(name: &str, key: &[u8], iv: [u8; 16], data: &[u8]) -> Vec<u8> {
    let algorithm = name.strip_suffix("-CTR").unwrap().to_lowercase();
    let cipher = model::ciphers::block_cipher(&algorithm, key).unwrap();
    model::ciphers::operation("ctr", &cipher, &iv, data).unwrap()
}

#[test]
fn what_is_written_in_pieces_is_one_stream_and_is_read_anywhere() {
    let folder = Folder::new("env");
    let mut random = SplitMix64::new(23);
    for (name, key) in [("SM4-CTR", 16), ("AES-128-CTR", 16), ("AES-256-CTR", 32)] {
        // The second counter wraps after three blocks.
        for (turn, top) in [0x11, 0xff].into_iter().enumerate() {
            let (key, data) = (random.bytes(key), random.bytes(70_001));
            let mut iv = [top; 16];
            iv[15] = 0xfd;
            let path = folder.0.join(format!("{name}{turn}"));
            let file = EncryptedFile::create(&path, name, &key, iv).unwrap();
            let mut at = 0;
            while at < data.len() {
                let mut piece = data[at..data.len().min(at + 1 + random.below(5000))].to_vec();
                file.write_at(at as u64, &mut piece).unwrap();
                at += piece.len();
            }
            let written = fs::read(&path).unwrap();
            assert_eq!(written[PREFIX..], expected(name, &key, iv, &data), "{name}");
            let file = EncryptedFile::open(&path, &key).unwrap();
            for _ in 0..500 {
                let at = random.below(data.len() + 100);
                let mut part = vec![0; random.below(9000)];
                let read = file.read_at(at as u64, &mut part).unwrap();
                let there = &data[at.min(data.len())..data.len().min(at + part.len())];
                assert_eq!(part[..read], *there, "{name}, {at}");
            }
            assert!(EncryptedFile::create(&path, name, &key, iv).is_err(), "it is there");
            for far in [u64::MAX, u64::MAX - PREFIX as u64, i64::MAX as u64 - PREFIX as u64] {
                let mut part = [7];
                assert!(file.read_at(far, &mut part).is_err() && part == [7], "{far}");
                assert!(file.write_at(far, &mut part).is_err() && part == [7], "{far}");
            }
        }
    }
}

#[test]
fn what_is_no_such_file_or_key_is_refused() {
    let folder = Folder::new("env-refused");
    let path = folder.0.join("file");
    let create = |name, key: &[u8]| EncryptedFile::create(&path, name, key, [0; 16]).map(drop);
    for (name, key) in [("SM4-CBC", 16), ("SM4-CTR", 15), ("AES-256-CTR", 16)] {
        assert!(create(name, &vec![0; key]).is_err(), "{name}");
        assert!(!path.exists(), "{name}");
    }
    create("AES-256-CTR", &[1; 32]).unwrap();
    assert!(EncryptedFile::open(&path, &[1; 16]).is_err());
    let whole = fs::read(&path).unwrap();
    for (place, byte) in [(0, b'x'), (8, b'x'), (12, 0xff)] {
        let mut other = whole.clone();
        other[place] = byte;
        fs::write(&path, other).unwrap();
        assert!(EncryptedFile::open(&path, &[1; 32]).is_err(), "{place}");
    }
    fs::write(&path, &whole[..PREFIX - 1]).unwrap();
    assert!(EncryptedFile::open(&path, &[1; 32]).is_err());
    fs::write(&path, &whole).unwrap();
    assert!(EncryptedFile::open(&path, &[1; 32]).is_ok());
}
