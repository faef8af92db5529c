//! A signal ends the program by that very signal, so that a shell's loop ends too.
#![cfg(unix)]

use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::folder::Folder;

fn kill(signal: &str, who: &str) {
    // After `--` a number that begins with a minus sign is a process group.
    let sent = Command::new("kill").args([&format!("-{signal}"), "--", who]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn every_signal_that_asks_for_an_end_is_how_it_ends() {
    let folder = Folder::new();
    std::fs::write(folder.path("raw.key"), "00112233445566778899aabbccddeeff").unwrap();
    let verbs: [&[&str]; 3] = [
        &["encrypt", "-k", "key", "-o", "out"],
        &["raw", "encrypt", "sm4-gcm", "--raw-key", "raw.key", "--iv-in-front", "-o", "out"],
        &["mac", "sm4/cmac", "--raw-key", "raw.key"],
    ];
    // What these tests are run by may have a signal ignored, as `nohup` has.
    let ignored = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = ignored.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        if ignored >> (number - 1) & 1 == 1 {
            crate::skip(&format!("{signal} (whoever runs this test ignores it)"));
            continue;
        }
        for verb in verbs {
            // It waits for its input, and is to end all the same.
            let mut child = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"))
                .args(verb)
                .current_dir(folder.path("."))
                .stdin(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let input = child.stdin.take();
            std::thread::sleep(Duration::from_millis(500));
            let began = Instant::now();
            kill(signal, &child.id().to_string());
            let output = child.wait_with_output().unwrap();
            assert!(began.elapsed() < Duration::from_secs(20));
            drop(input);
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.signal(), Some(number), "{verb:?} {said}");
            assert!(said.contains("stopped"), "{verb:?} {said}");
            assert!(!folder.path("out").exists());
        }
    }
    assert_eq!(folder.names(), ["key", "raw.key"]);
}

/// As a terminal does: everybody in the foreground gets it.
#[test]
fn a_loop_of_a_shell_ends_with_it() {
    let line =
        r#"for i in 1 2 3; do echo LOOP $i; "$0" encrypt -k key -o out.$i; done; echo AFTER"#;
    // Tests that a shell runs in the background have Ctrl-C ignored, and bash keeps it so.
    let shell = ["--default-signal=INT", "bash", "-c"];
    let tried = Command::new("env").args(shell).arg("true").stderr(Stdio::null()).status();
    if !tried.is_ok_and(|it| it.success()) {
        crate::skip("a loop of bash (there is none, or no `env --default-signal`)");
        return;
    }
    let folder = Folder::new();
    let mut child = Command::new("env")
        .args(shell)
        .arg(line)
        .arg(assert_cmd::cargo::cargo_bin!("cipherlane"))
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .unwrap();
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(700));
    kill("INT", &format!("-{}", child.id()));
    // A loop that goes on all the same is to come to its end.
    std::thread::sleep(Duration::from_secs(2));
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "LOOP 1\n");
    assert_eq!(output.status.signal(), Some(2));
    assert_eq!(folder.names(), ["key"]);
}

/// `nohup` asks for what a closed terminal would end otherwise.
#[cfg(target_os = "linux")]
#[test]
fn hang_ups_that_are_ignored_stay_ignored() {
    use std::io::Write as _;

    let folder = Folder::new();
    let mut child = Command::new("sh")
        .args(["-c", r#"trap '' HUP; exec "$0" encrypt -k key -o out"#])
        .arg(assert_cmd::cargo::cargo_bin!("cipherlane"))
        .current_dir(folder.path("."))
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(Duration::from_millis(500));
    kill("HUP", &child.id().to_string());
    std::thread::sleep(Duration::from_millis(600));
    child.stdin.take().unwrap().write_all(b"text").unwrap();
    assert!(child.wait().unwrap().success());
    assert!(folder.path("out").exists());
}
