//! Where outputs go: what is no regular file is written into and never replaced, and files are
//! as public as they were asked to be.
#![cfg(unix)]

use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _};
use std::path::Path;
use std::process::{Command, Stdio};

use predicates::prelude::*;
use predicates::str::contains;

use crate::folder::Folder;
use crate::{cipherlane, stdout};

const PLAIN: &[u8] = b"some plaintext";

fn folder() -> Folder {
    let folder = Folder::new();
    fs::write(folder.path("plain"), PLAIN).unwrap();
    fs::write(folder.path("raw.key"), "00112233445566778899aabbccddeeff").unwrap();
    folder.run(&["encrypt", "-k", "key", "plain"]).success();
    let raw = ["raw", "encrypt", "sm4-gcm", "--raw-key", "raw.key", "--iv-in-front", "plain"];
    folder.run(&[&raw[..], &["-o", "raw"]].concat()).success();
    folder
}

/// Everything that writes a file, but for its output.
const VERBS: [&[&str]; 5] = [
    &["encrypt", "-k", "key", "plain"],
    &["decrypt", "-k", "key", "plain.clane"],
    &["raw", "encrypt", "sm4-gcm", "--raw-key", "raw.key", "--iv-in-front", "plain"],
    &["raw", "decrypt", "sm4-gcm", "--raw-key", "raw.key", "--iv-in-front", "raw"],
    &["keygen"],
];

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_fifo_is_written_into_and_stays() {
    let folder = folder();
    make_fifo(&folder.path("fifo"));
    std::os::unix::fs::symlink("fifo", folder.path("link")).unwrap();
    for verb in VERBS {
        for output in ["fifo", "link"] {
            for force in [false, true] {
                let fifo = folder.path("fifo");
                let reader = std::thread::spawn(move || {
                    let mut bytes = Vec::new();
                    File::open(fifo).unwrap().read_to_end(&mut bytes).unwrap();
                    bytes
                });
                let force = force && verb[0] != "keygen";
                let more: &[&str] = if force { &["-o", output, "-f"] } else { &["-o", output] };
                folder.run(&[verb, more].concat()).success();
                let read = reader.join().unwrap();
                if verb.contains(&"decrypt") {
                    assert_eq!(read, PLAIN);
                }
                assert!(!read.is_empty());
                let left = fs::symlink_metadata(folder.path("fifo")).unwrap();
                assert!(left.file_type().is_fifo(), "{verb:?} {output}");
                let left = fs::symlink_metadata(folder.path("link")).unwrap();
                assert!(left.file_type().is_symlink(), "{verb:?} {output}");
            }
        }
    }
}

#[test]
fn devices_stay_devices() {
    let folder = folder();
    std::os::unix::fs::symlink("/dev/null", folder.path("link")).unwrap();
    let node = folder.path("node");
    let made =
        Command::new("mknod").arg(&node).args(["c", "1", "3"]).stderr(Stdio::null()).status();
    let made = made.is_ok_and(|status| status.success());
    if !made {
        crate::skip("a device of its own (only root can make one)");
    }
    let outputs = ["/dev/null", "link", "node"];
    for verb in VERBS {
        for output in &outputs[..if made { 3 } else { 2 }] {
            folder.run(&[verb, &["-o", output]].concat()).success();
            if verb[0] != "keygen" {
                folder.run(&[verb, &["-o", output, "-f"]].concat()).success();
            }
            let is_device = |path: &Path| path.metadata().unwrap().file_type().is_char_device();
            assert!(is_device(Path::new("/dev/null")) && is_device(&folder.path("link")));
            assert!(!made || is_device(&node), "{verb:?}");
        }
        folder
            .run(&[verb, &["-o", "/dev/full"]].concat())
            .code(3)
            .stderr(contains("can't write to /dev/full"));
    }
}

/// `/dev/stdout` goes on where standard output is, even if that is a file.
#[test]
fn descriptors_are_written_into() {
    let folder = folder();
    let program = assert_cmd::cargo::cargo_bin!("cipherlane");
    for (line, begins, ends) in [
        (r#"echo head; "$0" decrypt -k key plain.clane -o /dev/stdout"#, "head\n", ""),
        (
            r#"echo head; "$0" decrypt -k key plain.clane -f -o /dev/stdout; echo tail"#,
            "head\n",
            "tail\n",
        ),
        (
            r#"echo head; "$0" decrypt -k key plain.clane -o /dev/fd/1; echo tail"#,
            "head\n",
            "tail\n",
        ),
        (r#"exec 3>&1; echo head; "$0" decrypt -k key plain.clane -o /dev/fd/3"#, "head\n", ""),
        (r#""$0" decrypt -k key plain.clane -o /dev/stdout | cat"#, "", ""),
    ] {
        let out = File::create(folder.path("out")).unwrap();
        let status = Command::new("sh")
            .args(["-c", line])
            .arg(program)
            .current_dir(folder.path("."))
            .stdout(out)
            .status()
            .unwrap();
        assert!(status.success(), "{line}");
        let expected = [begins.as_bytes(), PLAIN, ends.as_bytes()].concat();
        assert_eq!(fs::read(folder.path("out")).unwrap(), expected, "{line}");
    }
    assert!(Path::new("/dev/stdout").symlink_metadata().unwrap().file_type().is_symlink());
}

#[test]
fn a_socket_is_refused_and_stays() {
    let folder = folder();
    let _listener = std::os::unix::net::UnixListener::bind(folder.path("socket")).unwrap();
    for verb in VERBS {
        folder.run(&[verb, &["-o", "socket"]].concat()).code(3).stderr(contains("is a socket"));
    }
    let left = fs::symlink_metadata(folder.path("socket")).unwrap();
    assert!(left.file_type().is_socket());
}

#[test]
fn the_results_of_a_bench_go_into_a_fifo() {
    let folder = Folder::new();
    fs::create_dir(folder.path("out")).unwrap();
    let readers = ["fifo", "out/results.csv"].map(|name| {
        make_fifo(&folder.path(name));
        let fifo = folder.path(name);
        (name, std::thread::spawn(move || fs::read(fifo).unwrap()))
    });
    let bench = ["bench", "sm4/ctr", "--engine", "cipherlane", "--level", "portable", "--quick"];
    let rest = ["--size", "16", "--model", "message", "--samples", "3"];
    let run = |places: &[&str]| _ = folder.run(&[&bench[..], &rest, places].concat()).success();
    run(&["--out", "out", "--json", "fifo"]);
    let [json, csv] = readers.map(|(name, reader)| {
        assert!(fs::symlink_metadata(folder.path(name)).unwrap().file_type().is_fifo(), "{name}");
        reader.join().unwrap()
    });
    assert!(lab::report::parse(&json, "fifo").is_ok());
    assert_eq!(csv.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count(), 2);
    run(&["--out", "other", "--json", "/dev/null"]);
    assert!(Path::new("/dev/null").metadata().unwrap().file_type().is_char_device());
}

#[test]
fn what_is_decrypted_is_for_its_owner_unless_told() {
    let folder = folder();
    let all = |path: &str, mode: u32| {
        fs::set_permissions(folder.path(path), fs::Permissions::from_mode(mode)).unwrap();
    };
    let umask = mode(&folder.path("plain"));
    assert_eq!(mode(&folder.path("plain.clane")), umask);
    for &verb in &VERBS[1..4] {
        folder.run(&[verb, &["-f", "-o", "out"]].concat()).success();
        let expected = if verb.contains(&"decrypt") { 0o600 } else { umask };
        assert_eq!(mode(&folder.path("out")), expected, "{verb:?}");
        folder.run(&[verb, &["-f", "-o", "out", "--mode", "640"]].concat()).success();
        assert_eq!(mode(&folder.path("out")), 0o640, "{verb:?}");
        for wrong in ["4755", "8", "rw"] {
            folder
                .run(&[verb, &["-f", "-o", "out", "--mode", wrong]].concat())
                .code(2)
                .stderr(contains("000 to 777"));
        }
    }
    // The bits that make a program run as its owner stay behind.
    all("plain", 0o6755);
    folder.run(&["encrypt", "-k", "key", "--preserve", "-f", "plain"]).success();
    assert_eq!(mode(&folder.path("plain.clane")), 0o755);
    all("plain.clane", 0o7711);
    folder.run(&["decrypt", "-k", "key", "--preserve", "-o", "tool", "plain.clane"]).success();
    assert_eq!(mode(&folder.path("tool")), 0o711);
}

#[test]
fn a_key_that_others_can_read_is_told() {
    let folder = Folder::new();
    let run = |line: &str| {
        let program = assert_cmd::cargo::cargo_bin!("cipherlane");
        let mut command = Command::new("sh");
        command.args(["-c", line]).arg(program).current_dir(folder.path("."));
        let output = command.output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(run(r#"umask 022; "$0" keygen > public"#).contains("others can read"));
    assert_eq!(run(r#"umask 077; "$0" keygen > private"#), "");
    assert_eq!(run(r#"umask 022; "$0" keygen | cat"#), "");
    assert_eq!(run(r#"umask 022; "$0" keygen -o mine"#), "");
    assert_eq!(mode(&folder.path("mine")), 0o600);
    cipherlane(&["encrypt", "-k", &folder.text("public"), &folder.text("mine")]).assert().success();
    assert!(stdout(&["keygen"]).starts_with("cipherlane-key-1:"));
}

/// What was written into a pipe before the fault was found can't be taken back.
#[test]
fn what_came_out_before_a_fault_is_called_incomplete() {
    let folder = Folder::new();
    folder.write("plain", 20 * 4096);
    folder.run(&["encrypt", "-k", "key", "--chunk", "4k", "plain"]).success();
    let whole = fs::read(folder.path("plain.clane")).unwrap();
    fs::write(folder.path("cut.clane"), &whole[..whole.len() - 5000]).unwrap();
    let incomplete = || contains("what came out is incomplete: do not use it");
    folder
        .run(&["decrypt", "-k", "key", "-o", "-", "cut.clane"])
        .code(1)
        .stderr(incomplete().and(contains("nothing was written").not()));
    folder
        .run(&["decrypt", "-k", "key", "-o", "out", "cut.clane"])
        .code(1)
        .stderr(incomplete().not().and(contains("nothing was written")));
    folder.run(&["inspect", "-k", "key", "cut.clane"]).code(1).stderr(contains("written:").not());
    fs::write(folder.path("raw.key"), "00112233445566778899aabbccddeeff").unwrap();
    let raw = ["raw", "decrypt", "sm4-cbc", "--raw-key", "raw.key"];
    let iv = ["--iv", "00000000000000000000000000000000", "plain"];
    folder.run(&[&raw[..], &iv].concat()).code(1).stderr(incomplete());
    folder
        .run(&[&raw[..], &iv, &["-o", "out"]].concat())
        .code(1)
        .stderr(contains("nothing was written"));
    assert!(!folder.path("out").exists());
}
