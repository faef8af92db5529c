//! Beside programs that share nothing with this one: Python's `cryptography`, where it is there.

use std::process::{Command, Stdio};

use crate::place::Place;
use crate::tables::read;

/// Runs a script in the folder; false where Python or the package is not there.
fn python(place: &Place, script: &str) -> bool {
    let there = Command::new("python3")
        .args(["-c", "from cryptography.hazmat.primitives.ciphers.algorithms import SM4"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !there.is_ok_and(|it| it.success()) {
        println!("SKIP: round trips against Python's cryptography (pip install cryptography)");
        return false;
    }
    let done =
        Command::new("python3").args(["-c", script]).current_dir(place.path("")).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    true
}

/// Columns of 300 random texts each, in the rules of three engines, written from their descriptions.
const WRITE: &str = r#"
import base64, csv, os, random
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives import padding
key = b"0123456789abcdef"
text = b"a longer text than the key has bytes"
folded = bytearray(16)
for i, b in enumerate(text): folded[i % 16] ^= b
def pad(data):
    p = padding.PKCS7(128).padder()
    return p.update(data) + p.finalize()
def run(cipher, data):
    e = cipher.encryptor()
    return e.update(data) + e.finalize()
random.seed(22)
letters = "abcdefghij KLMNOP 0123456789 中文字符äöü"
with open("plain.csv", "w", newline="") as p, open("stored.csv", "w", newline="") as s:
    plain, stored = csv.writer(p, lineterminator="\n"), csv.writer(s, lineterminator="\n")
    names = ["mysql", "doris", "gauss", "spark"]
    plain.writerow(names); stored.writerow(names)
    for _ in range(300):
        row = ["".join(random.choices(letters, k=random.randrange(1, 60))) for _ in names]
        data = [value.encode() for value in row]
        iv, nonce = os.urandom(16), os.urandom(12)
        counter = Cipher(algorithms.SM4(key), modes.CTR(iv))
        plain.writerow(row)
        stored.writerow([
            run(Cipher(algorithms.AES(bytes(folded)), modes.ECB()), pad(data[0])).hex(),
            base64.b64encode(run(Cipher(algorithms.SM4(bytes(folded)), modes.CBC(b"DORISDORISDORIS_")), pad(data[1]))).decode(),
            base64.b64encode(iv + run(counter, data[2])).decode(),
            (nonce + AESGCM(key).encrypt(nonce, data[3], b"aad")).hex(),
        ])
"#;

/// The other way: each column of `out.csv`, which the program wrote, against `plain.csv`.
const READ: &str = r#"
import csv
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
key = b"0123456789abcdef"
plain, out = list(csv.DictReader(open("plain.csv", newline=""))), list(csv.DictReader(open("out.csv", newline="")))
assert len(plain) == len(out) == 300
for a, b in zip(plain, out):
    value = bytes.fromhex(b["spark"])
    assert AESGCM(key).decrypt(value[:12], value[12:], b"aad") == a["spark"].encode()
    value = bytes.fromhex(b["mysql"])
    d = Cipher(algorithms.AES(key), modes.CBC(b"sixteen bytes iv")).decryptor()
    value = d.update(value) + d.finalize()
    assert value[:-value[-1]] == a["mysql"].encode()
"#;

#[test]
fn columns_of_an_independent_program_are_read_and_ours_by_it() {
    let place = Place::new();
    if !python(&place, WRITE) {
        return;
    }
    place.write("long.txt", "a longer text than the key has bytes");
    for (column, rest) in [
        ("mysql", "--dialect mysql-aes --coding hex --raw-key long.txt --key-text"),
        (
            "doris",
            "--dialect doris-sm4 --dialect-mode SM4_128_CBC --coding base64 --raw-key long.txt --key-text",
        ),
        ("gauss", "--dialect opengauss-sm4 --raw-key key.txt --key-text"),
        ("spark", "--dialect spark-aes --coding hex --aad 616164 --raw-key key.txt --key-text"),
    ] {
        place
            .run(&format!("decrypt stored.csv -o out.csv --force --column {column} {rest}"))
            .code(0);
        let (plain, out) = (read(&place.path("plain.csv")), read(&place.path("out.csv")));
        let at = plain[0].iter().position(|it| it.as_deref() == Some(column)).unwrap();
        assert_eq!(out.len(), 301);
        assert!(plain.iter().zip(&out).all(|(a, b)| a[at] == b[at]), "{column}");
    }
    place
        .run("encrypt plain.csv -o half.csv --column spark --dialect spark-aes --coding hex --aad 616164 --raw-key key.txt --key-text")
        .code(0);
    let mut command = place.command(
        "encrypt half.csv -o out.csv --force --weak --column mysql --dialect mysql-aes \
         --dialect-mode aes-128-cbc --coding hex --raw-key key.txt --key-text --iv-text",
    );
    let done = command.arg("sixteen bytes iv").output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    python(&place, READ);
}
