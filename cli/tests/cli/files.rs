//! Encrypting and decrypting files: what comes back, what is refused, and what is left behind.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;
use crate::{cipherlane, stdout};
use predicates::str::contains;

const CHUNK: usize = 4096;

#[test]
fn files_of_every_length_come_back() {
    let folder = Folder::new();
    let suites = ["sm4-gcm", "aes-128-gcm", "aes-256-gcm", "zuc-gxm"];
    for (i, len) in
        [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 40 * CHUNK, 40 * CHUNK + 3].into_iter().enumerate()
    {
        let plain = folder.write("plain", len);
        let threads = ["1", "2", "7"][i % 3];
        let suite = suites[i % 4];
        folder
            .run(&[
                "encrypt",
                "-k",
                "key",
                "--chunk",
                "4k",
                "--suite",
                suite,
                "--threads",
                threads,
                "plain",
            ])
            .success();
        folder.run(&["decrypt", "-k", "key", "plain.clane", "-o", "out"]).success();
        assert!(fs::read(folder.path("out")).unwrap() == plain, "{len} bytes, {suite}");
        for name in ["out", "plain.clane"] {
            fs::remove_file(folder.path(name)).unwrap();
        }
    }
    assert_eq!(folder.names(), ["key", "plain"]);
}

#[test]
fn the_usual_chunk_and_the_streams() {
    let folder = Folder::new();
    let plain = folder.write("plain", (3 << 20) + 17);
    let sealed = cipherlane(&["encrypt", "-k", &folder.text("key")])
        .pipe_stdin(folder.path("plain"))
        .unwrap()
        .assert()
        .success();
    fs::write(folder.path("sealed.clane"), &sealed.get_output().stdout).unwrap();
    let opened = folder.run(&["decrypt", "-k", "key", "-o", "-", "sealed.clane"]).success();
    assert!(opened.get_output().stdout == plain);
    let text = stdout(&["inspect", "--json", &folder.text("sealed.clane")]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["plain_bytes"], plain.len());
    assert_eq!((value["chunks"].as_u64(), value["chunk_bytes"].as_u64()), (Some(4), Some(1 << 20)));
    assert_eq!((&value["suite"], &value["verified"]), (&"sm4-gcm".into(), &false.into()));
    folder.run(&["inspect", "-k", "key", "sealed.clane"]).success().stdout(contains("every chunk"));
}

#[test]
fn keys_come_from_files_variables_and_descriptors_and_passphrases() {
    let folder = Folder::new();
    let plain = folder.write("plain", 100);
    let key = fs::read_to_string(folder.path("key")).unwrap();
    fs::write(folder.path("pass"), "correct horse\nsecond line\n").unwrap();
    let ways: [&[&str]; 4] = [
        &["-k", "key"],
        &["--key-env", "THE_KEY"],
        &["--passphrase-file", "pass", "--kdf", "pbkdf2-sm3"],
        &["--passphrase-env", "THE_PASSPHRASE"],
    ];
    for way in ways {
        let run = |verb: &str, files: &[&str]| {
            let kdf = way.iter().position(|arg| *arg == "--kdf").filter(|_| verb == "decrypt");
            let way = &way[..kdf.unwrap_or(way.len())];
            let args = [&[verb], way, files].concat();
            let mut command = cipherlane(&args);
            command.env("THE_KEY", &key).env("THE_PASSPHRASE", "correct horse");
            command.current_dir(folder.path(".")).assert()
        };
        run("encrypt", &["-f", "plain"]).success();
        run("decrypt", &["-f", "-o", "out", "plain.clane"]).success();
        assert!(fs::read(folder.path("out")).unwrap() == plain, "{way:?}");
    }
    // The last was made with a passphrase.
    folder
        .run(&["decrypt", "-k", "key", "-f", "plain.clane"])
        .code(2)
        .stderr(contains("a passphrase"));
}

#[test]
fn nothing_is_written_over_unless_it_is_forced() {
    let folder = Folder::new();
    folder.write("plain", 10);
    fs::write(folder.path("plain.clane"), "precious").unwrap();
    folder.run(&["encrypt", "-k", "key", "plain"]).code(3).stderr(contains("--force"));
    assert_eq!(fs::read(folder.path("plain.clane")).unwrap(), b"precious");
    folder.run(&["encrypt", "-k", "key", "--force", "plain"]).success();
    folder.run(&["decrypt", "-k", "key", "plain.clane"]).code(3).stderr(contains("--force"));
    folder
        .run(&["encrypt", "-k", "key", "-f", "plain", "-o", "plain"])
        .code(2)
        .stderr(contains("itself"));
    assert_eq!(folder.names(), ["key", "plain", "plain.clane"]);
}

#[test]
fn what_was_changed_or_cut_off_leaves_no_output() {
    let folder = Folder::new();
    folder.write("plain", 10 * CHUNK);
    folder.run(&["encrypt", "-k", "key", "--chunk", "4k", "plain"]).success();
    let whole = fs::read(folder.path("plain.clane")).unwrap();
    let mut forged = whole.clone();
    *forged.last_mut().unwrap() ^= 1;
    let sealed = CHUNK + 16;
    let swapped = [
        &whole[..88 + sealed],
        &whole[88 + 2 * sealed..][..sealed],
        &whole[88 + sealed..][..sealed],
        &whole[88 + 3 * sealed..],
    ]
    .concat();
    let cases =
        [forged, swapped, whole[..88 + 9 * sealed].to_vec(), whole[..whole.len() - 1].to_vec()];
    for bytes in cases {
        fs::write(folder.path("bad.clane"), bytes).unwrap();
        folder.run(&["decrypt", "-k", "key", "bad.clane"]).code(1).stderr(contains("chunk"));
        fs::write(folder.path("bad"), "old").unwrap();
        folder.run(&["decrypt", "-k", "key", "-f", "bad.clane"]).code(1);
        assert_eq!(fs::read(folder.path("bad")).unwrap(), b"old");
        fs::remove_file(folder.path("bad")).unwrap();
        assert_eq!(folder.names(), ["bad.clane", "key", "plain", "plain.clane"]);
    }
    cipherlane(&["keygen", "-o", &folder.text("other")]).assert().success();
    folder
        .run(&["decrypt", "-k", "other", "plain.clane", "-o", "out"])
        .code(1)
        .stderr(contains("this key"));
    folder
        .run(&["decrypt", "-k", "key", "plain", "-o", "out"])
        .code(2)
        .stderr(contains("signature"));
    assert!(!folder.path("out").exists());
}

#[test]
fn wrong_use_is_one_line_with_a_remedy() {
    let folder = Folder::new();
    folder.write("plain", 10);
    fs::write(folder.path("nokey"), "secret").unwrap();
    fs::create_dir(folder.path("dir")).unwrap();
    let cases: [(&[&str], i32, &str); 9] = [
        (&["encrypt", "plain"], 2, "keygen"),
        (&["encrypt", "-k", "nokey", "plain"], 2, "64 hexadecimal digits"),
        (&["encrypt", "-k", "absent", "plain"], 3, "absent"),
        (&["encrypt", "-k", "key", "absent"], 3, "absent"),
        (&["encrypt", "-k", "key", "dir"], 2, "--recursive"),
        (&["encrypt", "-k", "key", "--chunk", "5000", "plain"], 2, "power of two from 4k to 16M"),
        (&["encrypt", "-k", "key", "--suite", "des", "plain"], 2, "sm4-gcm, aes-128-gcm"),
        (&["encrypt", "-k", "key", "--threads", "0", "plain"], 2, "1 to 256"),
        (&["decrypt", "-k", "key", "plain"], 2, "cipherlane doctor"),
    ];
    for (args, code, text) in cases {
        folder.run(args).code(code).stderr(contains(text));
    }
    assert_eq!(folder.names(), ["dir", "key", "nokey", "plain"]);
}

#[test]
fn folders_are_walked_and_modes_and_times_kept() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("tree/deep")).unwrap();
    let a = folder.write("tree/a", 5);
    let b = folder.write("tree/deep/b", CHUNK);
    let old = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = fs::File::options().write(true).open(folder.path("tree/a")).unwrap();
    file.set_modified(old).unwrap();
    folder.run(&["encrypt", "-k", "key", "-r", "--preserve", "tree"]).success();
    for (name, plain) in [("tree/a", a), ("tree/deep/b", b)] {
        fs::remove_file(folder.path(name)).unwrap();
        assert!(
            fs::metadata(folder.path(&format!("{name}.clane"))).unwrap().len() > plain.len() as u64
        );
    }
    folder.run(&["decrypt", "-k", "key", "-r", "--preserve", "tree"]).success();
    assert_eq!(fs::read(folder.path("tree/a")).unwrap().len(), 5);
    assert_eq!(fs::read(folder.path("tree/deep/b")).unwrap().len(), CHUNK);
    assert_eq!(fs::metadata(folder.path("tree/a")).unwrap().modified().unwrap(), old);
}

#[cfg(unix)]
#[test]
fn a_key_file_is_only_for_its_owner() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    assert_eq!(fs::metadata(folder.path("key")).unwrap().permissions().mode() & 0o777, 0o600);
}

/// Runs as many as the variable `CIPHERLANE_KILLS` says, else a few.
#[cfg(unix)]
#[test]
fn a_program_that_is_killed_leaves_no_torn_file() {
    let runs = std::env::var("CIPHERLANE_KILLS").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let folder = Folder::new();
    let plain = folder.write("plain", 24 << 20);
    folder.run(&["encrypt", "-k", "key", "plain", "-o", "whole.clane"]).success();
    let began = Instant::now();
    folder.run(&["decrypt", "-k", "key", "whole.clane", "-o", "out"]).success();
    let takes = began.elapsed();
    fs::remove_file(folder.path("out")).unwrap();
    let mut finished = 0;
    for run in 0..runs {
        let encrypts = run % 2 == 0;
        let args: &[&str] = if encrypts {
            &["encrypt", "-k", "key", "plain", "-o", "out"]
        } else {
            &["decrypt", "-k", "key", "whole.clane", "-o", "out"]
        };
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"))
            .args(args)
            .current_dir(folder.path("."))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // All moments from the start to a little past the end, in no order.
        std::thread::sleep(takes.mul_f64(f64::from(run * 7919 % 100) / 90.0));
        child.kill().unwrap();
        child.wait().unwrap();
        if folder.path("out").exists() {
            finished += 1;
            if encrypts {
                folder.run(&["decrypt", "-k", "key", "out", "-o", "again"]).success();
                fs::rename(folder.path("again"), folder.path("out")).unwrap();
            }
            assert!(fs::read(folder.path("out")).unwrap() == plain, "run {run}: a torn file");
            fs::remove_file(folder.path("out")).unwrap();
        }
        assert_eq!(folder.names(), ["key", "plain", "whole.clane"], "run {run} left something");
    }
    println!("{runs} runs were killed, {finished} of them after their end");
}

/// Asked to end, as a system does before it shuts down.
#[cfg(unix)]
#[test]
fn a_program_that_is_asked_to_end_says_so_and_leaves_nothing() {
    use std::io::Write as _;
    use std::os::unix::process::ExitStatusExt as _;

    let folder = Folder::new();
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"))
        .args(["encrypt", "-k", "key", "-", "-o", "out"])
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // More than a pipe holds: when it is written, the program is at work.
    let mut input = child.stdin.take().unwrap();
    input.write_all(&vec![7; 8 << 20]).unwrap();
    let sent = Command::new("kill").args(["-TERM", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    std::thread::sleep(Duration::from_millis(300));
    // Nobody may be left to read it.
    let _ = input.write_all(&vec![7; 16 << 20]);
    drop(input);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.signal(), Some(15), "{said}");
    assert!(said.contains("stopped"), "{said}");
    assert_eq!(folder.names(), ["key"]);
}

/// A program at work with a key, killed by a fault, leaves no memory behind.
#[cfg(target_os = "linux")]
#[test]
fn no_core_is_dumped_where_there_are_keys() {
    use std::io::Write as _;
    use std::os::unix::process::ExitStatusExt as _;

    let folder = Folder::new();
    let program = assert_cmd::cargo::cargo_bin!("cipherlane");
    // As many dumps as the system allows, were the program not to refuse.
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -c $(ulimit -H -c); exec \"$@\"", "sh"])
        .arg(program)
        .args(["encrypt", "-k", "key", "-", "-o", "out"])
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(&vec![7; 8 << 20]).unwrap();
    // Only root may read what belongs to a process that is not to be dumped.
    if let Ok(limits) = fs::read_to_string(format!("/proc/{}/limits", child.id())) {
        let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
        let numbers: Vec<&str> = core.split_whitespace().skip(4).take(2).collect();
        assert_eq!(numbers, ["0", "0"]);
    }
    let sent = Command::new("kill").args(["-ABRT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), Some(6));
    assert!(!status.core_dumped());
    assert!(folder.names().iter().all(|name| !name.contains("core")), "{:?}", folder.names());
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_no_torn_file() {
    let folder = Folder::new();
    let disk = folder.path("disk");
    fs::create_dir(&disk).unwrap();
    let mount = |program: &str, args: &[&str]| {
        let status = Command::new(program).args(args).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    if !mount("mount", &["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk.to_str().unwrap()]) {
        crate::skip("a full disk (only root can mount one)");
        return;
    }
    folder.write("plain", 5 << 20);
    let run = folder.run(&["encrypt", "-k", "key", "plain", "-o", "disk/out"]);
    let left = fs::read_dir(&disk).unwrap().count();
    assert!(mount("umount", &[disk.to_str().unwrap()]), "the small disk stays mounted");
    run.code(3).stderr(contains("free some space"));
    assert_eq!(left, 0);
    assert!(Path::new(&disk).exists());
}

/// Under limits from too little to start with to more than is needed.
#[cfg(target_os = "linux")]
#[test]
fn a_program_without_memory_leaves_no_torn_file() {
    let folder = Folder::new();
    let plain = folder.write("plain", 9 << 20);
    folder.run(&["encrypt", "-k", "key", "plain", "-o", "whole.clane"]).success();
    let program = assert_cmd::cargo::cargo_bin!("cipherlane");
    let limited = |mebibytes: u32, args: &str| {
        let line = format!("ulimit -v {} && exec \"$0\" {args}", mebibytes << 10);
        let mut command = Command::new("sh");
        command.args(["-c", &line]).arg(program).current_dir(folder.path("."));
        // Where memory ends in the middle of a backtrace, the standard library waits for itself.
        command.env("RUST_BACKTRACE", "0");
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    };
    let (mut short, mut enough) = (0, 0);
    for mebibytes in (4..64).chain((64..400).step_by(24)) {
        for (encrypts, args) in [
            (true, "encrypt -k key --threads 2 plain -o out"),
            (false, "decrypt -k key --threads 2 whole.clane -o out"),
        ] {
            let done = limited(mebibytes, args);
            assert_eq!(folder.path("out").exists(), done, "{mebibytes} MiB, {args}");
            if done {
                if encrypts {
                    folder.run(&["decrypt", "-k", "key", "out", "-o", "again"]).success();
                    fs::rename(folder.path("again"), folder.path("out")).unwrap();
                }
                assert!(fs::read(folder.path("out")).unwrap() == plain, "{mebibytes} MiB");
                fs::remove_file(folder.path("out")).unwrap();
            }
            *(if done { &mut enough } else { &mut short }) += 1;
            assert_eq!(folder.names(), ["key", "plain", "whole.clane"], "{mebibytes} MiB, {args}");
        }
    }
    assert!(short > 10 && enough > 10, "{short} runs had too little memory, {enough} enough");
}
