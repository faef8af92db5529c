//! Many files: what is left out is told, what is there is skipped or summed up, and what changes
//! meanwhile is no success.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use predicates::prelude::*;
use predicates::str::contains;

use crate::folder::Folder;

#[cfg(unix)]
#[test]
fn what_is_left_out_is_told_and_counted() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("tree/deep")).unwrap();
    fs::create_dir_all(folder.path("tree/none")).unwrap();
    folder.write("tree/a", 5);
    folder.write("tree/deep/b", 5);
    folder.write("tree/old.clane", 5);
    std::os::unix::fs::symlink("a", folder.path("tree/link")).unwrap();
    std::os::unix::fs::symlink("deep", folder.path("tree/folder")).unwrap();
    let fifo = Command::new("mkfifo").arg(folder.path("tree/fifo")).status().unwrap();
    assert!(fifo.success());
    let told = |text: &str| contains(format!("note: left out: {text}\n"));
    folder
        .run(&["encrypt", "-k", "key", "-r", "tree"])
        .success()
        .stdout("")
        .stderr(told("tree/link (link)").and(told("tree/folder (link)")))
        .stderr(told("tree/fifo (FIFO)").and(told("tree/none (empty folder)")))
        .stderr(contains(
            "note: 2 files encrypted; left out: 2 links, 1 FIFO, 1 empty folder, 1 named *.clane\n",
        ));
    fs::remove_file(folder.path("tree/a")).unwrap();
    fs::remove_file(folder.path("tree/deep/b")).unwrap();
    fs::remove_file(folder.path("tree/old.clane")).unwrap();
    folder
        .run(&["decrypt", "-k", "key", "-r", "tree"])
        .success()
        .stderr(contains("note: 2 files decrypted; left out: 2 links, 1 FIFO, 1 empty folder\n"));
}

#[test]
fn nothing_left_out_is_said_too() {
    let folder = Folder::new();
    fs::create_dir(folder.path("tree")).unwrap();
    folder.write("tree/a", 5);
    folder
        .run(&["encrypt", "-k", "key", "-r", "tree"])
        .success()
        .stderr("note: 1 file encrypted; left out: nothing\n");
    folder.run(&["encrypt", "-k", "key", "tree/a", "-f"]).success().stderr("");
}

/// Root reads every folder, so this one asks another user.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_read_does_not_keep_the_others() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    fs::create_dir_all(folder.path("tree/shut")).unwrap();
    folder.write("tree/z", 5);
    let shut = folder.path("tree/shut");
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read_dir(&shut).is_ok() {
        crate::skip("a folder that can't be read (root reads all)");
        return;
    }
    folder
        .run(&["encrypt", "-k", "key", "-r", "tree"])
        .code(3)
        .stderr(contains("can't read the folder tree/shut"))
        .stderr(contains("1 file encrypted; left out: 1 folder that can't be read"));
    fs::set_permissions(&shut, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn outputs_that_are_there_are_skipped_or_summed_up() {
    let folder = Folder::new();
    fs::create_dir(folder.path("tree")).unwrap();
    for name in ["a", "b", "c"] {
        folder.write(&format!("tree/{name}"), 5);
    }
    for name in ["a", "b"] {
        fs::write(folder.path(&format!("tree/{name}.clane")), "mine").unwrap();
    }
    folder
        .run(&["encrypt", "-k", "key", "-r", "tree"])
        .code(3)
        .stderr(contains("error:").count(1))
        .stderr(contains("2 outputs are there already, the first tree/a.clane"))
        .stderr(contains("--skip-existing").and(contains("--force")))
        .stderr(contains("1 file encrypted"));
    assert_eq!(fs::read(folder.path("tree/a.clane")).unwrap(), b"mine");
    assert!(folder.path("tree/c.clane").exists());
    folder
        .run(&["encrypt", "-k", "key", "-r", "--skip-existing", "tree"])
        .success()
        .stderr(contains("error").not())
        .stderr(contains("note: skipped: 3 files whose outputs are there"));
    assert_eq!(fs::read(folder.path("tree/a.clane")).unwrap(), b"mine");
    folder.run(&["encrypt", "-k", "key", "--skip-existing", "tree/a"]).success();
    folder.run(&["encrypt", "-k", "key", "--skip-existing", "-f", "tree/a"]).code(2);
    folder
        .run(&["encrypt", "-k", "key", "tree/a"])
        .code(3)
        .stderr("error: tree/a.clane is there already\nhelp: give --force to replace it, or another name with -o\n");
}

/// A reader that is slower than the one who writes sees a mixture.
#[cfg(unix)]
#[test]
fn a_file_that_changes_while_it_is_read_is_no_success() {
    let folder = Folder::new();
    fs::write(folder.path("raw.key"), "00112233445566778899aabbccddeeff").unwrap();
    let program = assert_cmd::cargo::cargo_bin!("cipherlane");
    let iv = ["--iv", "00000000000000000000000000000000", "-f"];
    let cases: [&[&str]; 3] = [
        &["encrypt", "-k", "key", "plain", "-o", "fifo"],
        &["raw", "encrypt", "sm4-ctr", "--raw-key", "raw.key", "plain", "-o", "fifo"],
        &["raw", "decrypt", "sm4-ctr", "--raw-key", "raw.key", "plain", "-o", "fifo"],
    ];
    assert!(Command::new("mkfifo").arg(folder.path("fifo")).status().unwrap().success());
    for case in cases {
        for grows in [true, false] {
            let len = folder.write("plain", 40 << 20).len();
            let more: &[&str] = if case[0] == "raw" { &iv } else { &[] };
            let child = Command::new(program)
                .args(case)
                .args(more)
                .current_dir(folder.path("."))
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            // Nobody takes more than a pipe holds before the file has changed.
            let mut reader = fs::File::open(folder.path("fifo")).unwrap();
            std::thread::sleep(Duration::from_millis(50));
            let mut file = fs::File::options().append(true).open(folder.path("plain")).unwrap();
            if grows {
                file.write_all(b"more").unwrap();
            } else {
                file.set_len(len as u64 - 7).unwrap();
            }
            std::io::copy(&mut reader, &mut std::io::sink()).unwrap();
            let output = child.wait_with_output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(1), "{case:?} {said}");
            assert!(said.contains("plain changed while it was read"), "{said}");
        }
    }
    // What stays as it is, is a success, whatever its length says.
    folder.run(&["encrypt", "-k", "key", "/proc/cpuinfo", "-o", "cpu.clane"]).success().stderr("");
}
