//! Modes that no vector has, beside the program `openssl`, where that is there.

use std::io::Write as _;
use std::process::{Command, Stdio};

use dialects::{Settings, find};

/// What `openssl enc` makes of a text.
fn openssl(cipher: &str, key: &[u8], iv: &[u8], plain: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new("openssl");
    command.args(["enc", &format!("-{cipher}"), "-K", &hex::encode(key)]);
    if !cipher.ends_with("ecb") {
        command.args(["-iv", &hex::encode(iv)]);
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    child.stdin.take()?.write_all(plain).ok()?;
    let output = child.wait_with_output().ok()?;
    output.status.success().then_some(output.stdout)
}

/// The key of MySQL's and Doris's rule.
fn folded(text: &[u8], len: usize) -> Vec<u8> {
    let mut key = vec![0; len];
    for (place, byte) in text.iter().enumerate() {
        key[place % len] ^= byte;
    }
    key
}

/// How many values of the dialect were compared; none without the program.
fn compare(name: &str) -> usize {
    let dialect = find(name).unwrap();
    let (text, iv) = (b"a key of forty-three characters, no less 123", *b"sixteen bytes iv");
    let mut compared = 0;
    for mode in dialect.modes() {
        let bits: usize = mode.name().split('-').nth(1).unwrap().parse().unwrap();
        let settings = Settings { mode: Some(mode.name()), iv: Some(&iv), ..Settings::new(text) };
        let codec = dialect.prepare(&settings).unwrap();
        // OpenSSL's plain name is that of CFB with whole blocks fed back.
        let name = mode.name().replace("cfb128", "cfb");
        for len in [0, 1, 15, 16, 17, 100] {
            let plain = vec![b'x'; len];
            let Some(expected) = openssl(&name, &folded(text, bits / 8), &iv, &plain) else {
                eprintln!("no openssl: {name} is not compared");
                return 0;
            };
            let mut stored = Vec::new();
            codec.encrypt(&plain, &mut stored).unwrap();
            assert_eq!(stored, expected, "{name} {len}");
            compared += 1;
        }
    }
    assert_eq!(compared, dialect.modes().len() * 6);
    compared
}

#[test]
fn every_mode_of_mysql_is_that_of_openssl() {
    assert!([0, 18 * 6].contains(&compare("mysql-aes")));
}

#[test]
fn every_mode_of_mariadb_is_that_of_openssl() {
    assert!([0, 9 * 6].contains(&compare("mariadb-aes")));
}
