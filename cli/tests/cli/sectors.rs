//! Sectors of disks: numbers become IVs, each sector is a message, and what is no sector is refused.
//! `docs/recipes/sectors.md` has images of an independent program.

use std::fs;

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use crate::cipherlane;
use crate::folder::Folder;

const KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// Sector by sector under `--iv`, which the published vectors hold; data is more than one piece of the
/// program's reading.
#[test]
fn each_sector_is_a_message_under_its_number() {
    let folder = Folder::new();
    fs::write(folder.path("key"), KEY).unwrap();
    fs::write(folder.path("short"), &KEY[..32]).unwrap();
    let data = folder.write("disk", (1 << 20) + 3 * 4096);
    for (cipher, key) in [
        ("sm4-xts", "key"),
        ("sm4-xts-gb", "key"),
        ("aes-128-xts", "key"),
        ("sm4-cbc", "short"),
        ("aes-128-cbc-cts", "short"),
    ] {
        for (first, size, large, numbers) in [
            ("8", 4096, false, [8, 8 + 8 * 256]),
            ("8", 4096, true, [1, 257]),
            ("1000", 512, false, [1000, 1000 + 2048]),
        ] {
            let sectors =
                ["--sector", first, "--sector-size", &size.to_string()].map(str::to_owned);
            let mut sectors: Vec<&str> = sectors.iter().map(String::as_str).collect();
            sectors.extend(large.then_some("--iv-large-sectors"));
            let raw = |verb, more: &[&str], from: &str, to: &str| {
                let args =
                    [&["raw", verb, cipher, "--raw-key", key], more, &[from, "-f", "-o", to]];
                folder.run(&args.concat()).success();
                fs::read(folder.path(to)).unwrap()
            };
            let sealed = raw("encrypt", &sectors, "disk", "sealed");
            assert_eq!(sealed.len(), data.len());
            assert_eq!(raw("decrypt", &sectors, "sealed", "opened"), data, "{cipher} {sectors:?}");
            for (place, number) in [0, 1 << 20].into_iter().zip(numbers) {
                fs::write(folder.path("one"), &data[place..place + size]).unwrap();
                let iv = hex::encode(u128::to_le_bytes(number));
                let mut more = vec!["--iv", &*iv];
                more.extend((cipher == "sm4-cbc").then_some("--no-padding"));
                let one = raw("encrypt", &more, "one", "other");
                assert_eq!(sealed[place..place + size], one, "{cipher} {sectors:?} {number}");
            }
        }
    }
}

#[test]
fn what_is_no_sector_of_a_disk_is_refused() {
    let folder = Folder::new();
    fs::write(folder.path("key"), &KEY[..32]).unwrap();
    fs::write(folder.path("pass"), "a passphrase\n").unwrap();
    folder.write("disk", 4096 + 100);
    let raw = ["raw", "decrypt"];
    for (args, error) in [
        (&["sm4-ctr", "--raw-key", "key", "--sector", "0"][..], "--sector with sm4-ctr"),
        (&["sm4-gcm", "--raw-key", "key", "--sector", "0"], "--sector with sm4-gcm"),
        (&["idea-cbc", "--raw-key", "key", "--sector", "0"], "--sector with idea-cbc"),
        (&["sm4-cbc", "--passphrase-file", "pass", "--sector", "0"], "with a passphrase"),
        (&["sm4-cbc", "--raw-key", "key", "--sector", "x"], "--sector is `x`"),
        (
            &["sm4-cbc", "--raw-key", "key", "--sector", "4", "--sector-size", "4096"],
            "--sector is `4`",
        ),
        (
            &["sm4-cbc", "--raw-key", "key", "--sector", "0", "--sector-size", "1000"],
            "--sector-size is `1000`",
        ),
        (&["sm4-cbc", "--raw-key", "key", "--sector-size", "512"], "--sector"),
        (&["sm4-cbc", "--raw-key", "key", "--sector", "0", "--iv", "00"], "--iv"),
        (&["sm4-cbc-ctx", "--raw-key", "key", "--sector", "0"], "sm4-cbc-cts"),
    ] {
        let args = [&raw, args, &["disk", "-o", "out"]].concat();
        folder.run(&args).code(2).stderr(contains(error));
        assert!(!folder.path("out").exists(), "{args:?}");
    }
    // Two keys of XTS that are one, and a key of half the length.
    for (key, error) in [
        ("000102030405060708090a0b0c0d0e0f".repeat(2), "the two keys are equal"),
        (KEY[..32].to_owned(), "key of 16 bytes; allowed: 32"),
    ] {
        fs::write(folder.path("key"), key).unwrap();
        let args = ["sm4-xts", "--raw-key", "key", "--sector", "0", "disk", "-o", "out"];
        folder.run(&[&raw, &args[..]].concat()).code(2).stderr(contains(error));
        assert!(!folder.path("out").exists(), "{error}");
    }
}

/// A volume that is cut off, or has more sectors than there are numbers: where that is known beforehand
/// nothing is written, else the error says what came out.
#[test]
fn what_is_no_whole_number_of_sectors_is_refused_before_it_begins() {
    let folder = Folder::new();
    fs::write(folder.path("key"), KEY).unwrap();
    let data = folder.write("disk", 3 * 4096 + 100);
    fs::write(folder.path("whole"), &data[..3 * 4096]).unwrap();
    fs::write(folder.path("empty"), "").unwrap();
    let last = "18446744073709551608";
    for verb in ["encrypt", "decrypt"] {
        let raw = ["raw", verb, "sm4-xts-gb", "--raw-key", "key", "--sector-size", "4096"];
        let run =
            |sector, more: &[&str]| folder.run(&[&raw, &["--sector", sector][..], more].concat());
        let partial = "data of 12388 bytes; allowed: a multiple of 4096 bytes";
        run("0", &["disk"]).code(2).stdout("").stderr(contains(partial));
        run("0", &["disk", "-o", "out"]).code(2).stderr(contains("take whole sectors"));
        let numbers = "sector numbers of 64 bits: the limit of 18446744073709551615";
        run(last, &["whole"]).code(2).stdout("").stderr(contains(numbers));
        assert!(!folder.path("out").exists());
        run(last, &["empty", "-o", "out"]).success();
        assert!(fs::read(folder.path("out")).unwrap().is_empty());
        fs::remove_file(folder.path("out")).unwrap();

        // From a pipe, whose length nobody knows.
        let piped = |sector: &str, bytes: &[u8]| {
            let args = [&raw, &["--sector", sector][..]].concat();
            let mut command = cipherlane(&args);
            command.current_dir(folder.path("")).write_stdin(bytes);
            command.assert()
        };
        let refused = piped("0", &data).code(2).stderr(contains(partial));
        let whole = piped("0", &data[..3 * 4096]).success();
        assert_eq!(refused.get_output().stdout, whole.get_output().stdout);
        let said = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(said.contains("what came out is incomplete"), "{said}");
        piped(last, &data[..4096]).success();
        piped(last, &data[..2 * 4096]).code(2).stdout("").stderr(contains(numbers));
    }
}

/// What is no regular file is written into from its beginning on, and never replaced.
#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_into() {
    use std::os::unix::fs::FileTypeExt as _;
    let folder = Folder::new();
    fs::write(folder.path("key"), KEY).unwrap();
    folder.write("disk", 64 * 512);
    let raw = ["raw", "encrypt", "sm4-xts", "--raw-key", "key", "--sector", "7", "disk", "-o"];
    let run = |more: &[&str]| folder.run(&[&raw, more].concat());
    run(&["out"]).success();
    let sealed = fs::read(folder.path("out")).unwrap();
    assert_eq!(run(&["/dev/stdout"]).success().get_output().stdout, sealed);
    for force in [&[][..], &["--force"]] {
        run(&[&["/dev/null"], force].concat()).success();
        let full = run(&[&["/dev/full"], force].concat()).code(3);
        full.stderr(contains("/dev/full").and(contains("what came out is incomplete")));
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }
}

/// A disk over a file, gone at its end.
#[cfg(target_os = "linux")]
struct Disk(String);

#[cfg(target_os = "linux")]
impl Disk {
    /// None where that is not allowed, or not there.
    fn over(file: &std::path::Path) -> Option<Self> {
        let mut losetup = std::process::Command::new("losetup");
        let made = losetup.args(["--find", "--show"]).arg(file).output().ok()?;
        if !made.status.success() {
            return None;
        }
        Some(Self(String::from_utf8(made.stdout).ok()?.trim().to_owned()))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = std::process::Command::new("losetup").args(["--detach", &self.0]).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn disks_are_read_and_written_and_not_over_themselves() {
    let folder = Folder::new();
    fs::write(folder.path("key"), KEY).unwrap();
    let data = folder.write("plain", 32 * 4096);
    fs::write(folder.path("under"), vec![0; data.len()]).unwrap();
    let Some(disk) = Disk::over(&folder.path("under")) else {
        crate::skip("a disk of its own (only root can make one, with losetup)");
        return;
    };
    let raw = |verb, more: &[&str]| {
        let args = ["aes-128-xts", "--raw-key", "key", "--sector", "8", "--sector-size", "4096"];
        folder.run(&[&["raw", verb], &args[..], more].concat())
    };
    raw("encrypt", &["plain", "-o", "sealed"]).success();
    let sealed = fs::read(folder.path("sealed")).unwrap();
    // Forced or not, it stays a disk, and what is on it is in the file below it.
    for force in [&[][..], &["--force"]] {
        raw("encrypt", &[&["plain", "-o", &disk.0], force].concat()).success();
        assert!(
            fs::read(&disk.0).unwrap() == sealed
                && fs::read(folder.path("under")).unwrap() == sealed
        );
    }
    raw("decrypt", &[&disk.0, "-f", "-o", "opened"]).success();
    assert_eq!(fs::read(folder.path("opened")).unwrap(), data);
    for output in [&disk.0, &folder.text("link")] {
        if *output != disk.0 {
            std::os::unix::fs::symlink(&disk.0, output).unwrap();
        }
        let itself = raw("decrypt", &[&disk.0, "-f", "-o", output]).code(2);
        itself.stderr(contains("would be written over itself"));
        assert_eq!(fs::read(&disk.0).unwrap(), sealed);
    }
    // A sector more than the disk has.
    folder.write("longer", data.len() + 4096);
    raw("encrypt", &["longer", "-o", &disk.0])
        .code(3)
        .stderr(contains("what came out is incomplete"));
}
