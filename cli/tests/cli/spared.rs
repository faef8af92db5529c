//! What no output replaces, whatever names it has: the file of the key, and what is being read.

use std::fs::{self, File};
use std::process::{Command, Output, Stdio};

use predicates::str::contains;

use crate::folder::Folder;

const HEX: &str = "000102030405060708090a0b0c0d0e0f";
const IV: &str = "ffeeddccbbaa99887766554433221100";

/// Without its key what was encrypted could never be read.
#[test]
fn no_output_replaces_the_file_of_its_key() {
    let folder = Folder::new();
    fs::write(folder.path("pass"), "a passphrase\n").unwrap();
    fs::write(folder.path("hex"), HEX).unwrap();
    folder.write("plain", 1000);
    folder.run(&["encrypt", "-k", "key", "plain"]).success();
    for key in ["key", "pass", "hex"] {
        fs::hard_link(folder.path(key), folder.path(&format!("{key}-link"))).unwrap();
    }
    // The name that an output has when none is given.
    fs::hard_link(folder.path("key"), folder.path("other.clane")).unwrap();
    folder.write("other", 10);
    let raw = ["raw", "encrypt", "sm4-ctr", "--iv", IV];
    let dialect = ["raw", "encrypt", "--dialect", "doris-sm4", "--weak", "--key-text"];
    for (words, key) in [
        (vec!["encrypt", "-k", "key", "plain", "-f", "-o", "key"], "key"),
        (vec!["encrypt", "-k", "key", "plain", "-f", "-o", "key-link"], "key"),
        (vec!["encrypt", "-k", "key", "other", "-f"], "key"),
        (vec!["decrypt", "-k", "key", "plain.clane", "-f", "-o", "key"], "key"),
        (vec!["encrypt", "--passphrase-file", "pass", "plain", "-f", "-o", "pass-link"], "pass"),
        ([&raw[..], &["--raw-key", "hex", "plain", "-f", "-o", "hex"]].concat(), "hex"),
        ([&raw[..], &["--raw-key", "hex", "plain", "-f", "-o", "hex-link"]].concat(), "hex"),
        ([&dialect[..], &["--raw-key", "hex", "plain", "-f", "-o", "hex"]].concat(), "hex"),
    ] {
        let before = fs::read(folder.path(key)).unwrap();
        folder.run(&words).code(2).stderr(contains("is the file of the key"));
        assert_eq!(fs::read(folder.path(key)).unwrap(), before, "{words:?}");
    }
}

/// Runs the program with a file as standard input and one as output, which is written from its end on.
fn between(folder: &Folder, args: &[&str], from: &str, to: &str) -> Output {
    let output = File::options().create(true).append(true).open(folder.path(to)).unwrap();
    Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"))
        .args(args)
        .current_dir(folder.path(""))
        .stdin(File::open(folder.path(from)).unwrap())
        .stdout(output)
        .stderr(Stdio::piped())
        .output()
        .unwrap()
}

/// A key that was opened under a number is a file, too.
#[cfg(target_os = "linux")]
#[test]
fn a_key_behind_a_descriptor_is_spared() {
    let folder = Folder::new();
    fs::write(folder.path("hex"), HEX).unwrap();
    folder.write("plain", 1000);
    let raw = ["raw", "encrypt", "sm4-ctr", "--iv", IV, "--raw-key-fd", "0", "plain"];
    let args = [&raw[..], &["-f", "-o", "hex"]].concat();
    let refused = between(&folder, &args, "hex", "log");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("is the file of the key"));
    assert_eq!(fs::read(folder.path("hex")).unwrap(), HEX.as_bytes());
}

/// Else a file would grow as long as it is read.
#[cfg(unix)]
#[test]
fn standard_output_is_not_written_over_what_is_read() {
    let folder = Folder::new();
    fs::write(folder.path("hex"), HEX).unwrap();
    let data = folder.write("data", 100_000);
    let raw = ["raw", "encrypt", "sm4-ctr", "--iv", IV, "--raw-key", "hex"];
    for more in [&["-"][..], &["data"], &["data", "-o", "-"]] {
        let refused = between(&folder, &[&raw[..], more].concat(), "data", "data");
        assert_eq!(refused.status.code(), Some(2), "{more:?}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("would be written over itself"));
        assert_eq!(fs::read(folder.path("data")).unwrap(), data);
    }
    assert!(between(&folder, &[&raw[..], &["-"]].concat(), "data", "out").status.success());
    assert_eq!(fs::read(folder.path("out")).unwrap().len(), data.len());
}

/// Its length is known, as that of a file with a name.
#[cfg(unix)]
#[test]
fn a_file_on_standard_input_is_whole_sectors_or_nothing_is_written() {
    let folder = Folder::new();
    fs::write(folder.path("hex"), HEX.repeat(2).replacen("00", "01", 1)).unwrap();
    folder.write("disk", (1 << 21) + 100);
    for verb in ["encrypt", "decrypt"] {
        let raw = ["raw", verb, "sm4-xts", "--raw-key", "hex", "--sector", "0", "-"];
        let refused = between(&folder, &raw, "disk", "out");
        assert_eq!(refused.status.code(), Some(2), "{verb}");
        assert!(String::from_utf8_lossy(&refused.stderr).contains("a multiple of 512 bytes"));
        assert!(fs::read(folder.path("out")).unwrap().is_empty(), "{verb}");
    }
    for option in [&["--no-padding"][..], &["--kdf", "pbkdf2"], &["--salt", "00"], &["--weak"]] {
        let raw = ["raw", "encrypt", "sm4-xts", "--raw-key", "hex", "--sector", "0", "disk"];
        folder.run(&[&raw[..], option].concat()).code(2).stderr(contains("cannot be used with"));
    }
}
