//! The vectors for other programs: files written by `cipherlane encrypt`, which a reader written
//! after docs/FORMAT.md in another language opens too.

use container::{Header, Kdf, MasterKey};
use serde_json::Value;

fn bytes(test: &Value, field: &str) -> Vec<u8> {
    hex::decode(test[field].as_str().unwrap_or_default()).unwrap()
}

#[test]
fn every_published_file_opens() {
    let document: Value = serde_json::from_str(include_str!("files.json")).unwrap();
    let tests = document["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 11);
    for test in tests {
        let (id, file) = (test["id"].as_str().unwrap(), bytes(test, "file"));
        let read = Header::read(&file).unwrap();
        let (kdf, salt) = (read.claimed().kdf(), read.claimed().salt());
        let key = match kdf {
            Kdf::Key => MasterKey::from_bytes(bytes(test, "key").try_into().unwrap()),
            _ => MasterKey::from_passphrase(&bytes(test, "passphrase"), kdf, salt).unwrap(),
        };
        let (header, chunks) = read.open(&key).unwrap();
        let layout = header.layout(file.len() as u64).unwrap();
        let mut plain = Vec::new();
        for index in 0..layout.chunks() {
            let (start, len) = layout.place(index);
            let mut chunk = file[start as usize..(start + len) as usize].to_vec();
            chunks.open(index, layout.is_last(index), &mut chunk).unwrap();
            plain.extend(chunk);
        }
        assert_eq!(plain, bytes(test, "plain"), "{id}");
    }
}
