//! Calls of the system that go wrong, each in turn: no torn output, nothing left over, an error that
//! says what to do. `faults/tracer.c` lets them fail, and takes away what a power cut would.
#![cfg(all(target_os = "linux", target_arch = "x86_64"))]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::folder::Folder;

/// Larger than two chunks, and no whole number of them.
const LEN: usize = 9001;
const OLD: &[u8] = b"what was there before";

/// The tracer, compiled for this test into a folder; none where it can't be, or may trace nobody.
fn tracer(beside: &Path) -> Option<PathBuf> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/tracer.c");
    let program = beside.join("tracer");
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-Wall", "-Wextra", "-Werror", "-o"]).arg(&program).arg(source);
    if compile.status().is_err() {
        crate::skip("calls that go wrong (there is no C compiler: apt-get install gcc)");
        return None;
    }
    assert!(program.exists(), "the tracer does not compile");
    let mut tried = Command::new(&program);
    tried.args(["fail", "1", "5"]).arg(beside.join("log")).arg("/bin/true");
    if !tried.current_dir(beside).stderr(Stdio::null()).status().unwrap().success() {
        crate::skip("calls that go wrong (this machine lets no program trace another one)");
        return None;
    }
    Some(program)
}

/// One command, and what it makes.
struct Case {
    args: &'static [&'static str],
    outputs: &'static [&'static str],
    /// Whether the outputs are there before, and give way.
    replaces: bool,
    /// How an output becomes the plain file again; none where it is the plain file, or a key.
    back: Option<&'static [&'static str]>,
}

const BACK: Option<&[&str]> = Some(&["decrypt", "-k", "key", "-o", "-"]);
const RAW: [&str; 5] = ["--raw-key", "hex", "--iv", "ffeeddccbbaa99887766554433221100", "-o"];

const CASES: [Case; 7] = [
    Case {
        args: &["encrypt", "-k", "key", "--chunk", "4k", "--threads", "2", "plain"],
        outputs: &["plain.clane"],
        replaces: false,
        back: BACK,
    },
    Case {
        args: &["encrypt", "-f", "-k", "key", "--chunk", "4k", "--threads", "1", "plain"],
        outputs: &["plain.clane"],
        replaces: true,
        back: BACK,
    },
    Case {
        args: &["decrypt", "-k", "key", "--threads", "1", "sealed", "-o", "out"],
        outputs: &["out"],
        replaces: false,
        back: None,
    },
    Case {
        args: &["decrypt", "-f", "-k", "key", "--threads", "2", "sealed", "-o", "out"],
        outputs: &["out"],
        replaces: true,
        back: None,
    },
    Case {
        args: &["encrypt", "-k", "key", "-r", "both"],
        outputs: &["both/a.clane", "both/b.clane"],
        replaces: false,
        back: BACK,
    },
    Case {
        args: &[
            "raw", "encrypt", "sm4-ctr", RAW[0], RAW[1], RAW[2], RAW[3], RAW[4], "out", "plain",
        ],
        outputs: &["out"],
        replaces: false,
        back: Some(&["raw", "decrypt", "sm4-ctr", RAW[0], RAW[1], RAW[2], RAW[3], RAW[4], "-"]),
    },
    Case { args: &["keygen", "-o", "new"], outputs: &["new"], replaces: false, back: None },
];

/// What goes wrong at the nth call: the tracer's word and the error's number.
type Fault = (&'static str, &'static str);
const ERROR: Fault = ("fail", "5");
const INTERRUPTED: Fault = ("fail", "4");
const FULL: Fault = ("stay", "28");
const SHORT: Fault = ("short", "0");
const CUT: Fault = ("cut", "0");

/// All files in the folder and those below, by name.
fn files(root: &Path) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for entry in walkdir::WalkDir::new(root) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let name = entry.path().strip_prefix(root).unwrap();
            names.insert(name.to_str().unwrap().to_owned());
        }
    }
    names
}

/// What an output is: not there, as before, or whole. Anything else is torn.
#[derive(Debug, PartialEq)]
enum Is {
    Absent,
    Old,
    Whole,
}

fn look(folder: &Folder, case: &Case, output: &str, plain: &[u8]) -> Is {
    let Ok(bytes) = fs::read(folder.path(output)) else { return Is::Absent };
    if bytes == OLD {
        return Is::Old;
    }
    let came = match case.back {
        Some(words) => {
            let run = folder.run(&[words, &[output]].concat());
            let ran = run.get_output();
            assert!(ran.status.success(), "{:?}: {output} is torn: {ran:?}", case.args);
            ran.stdout.clone()
        }
        None if case.args[0] == "keygen" => {
            // A key that is used is one.
            let key = ["encrypt", "-k", output, "-o", "-", "plain"];
            folder.run(&key).success();
            return Is::Whole;
        }
        None => bytes,
    };
    assert!(came == plain, "{:?}: {output} is not what it should be", case.args);
    Is::Whole
}

/// One run with a fault at a call, and everything that must hold after it. Whether there was such a
/// call.
fn run(folder: &Folder, tracer: &Path, case: &Case, fault: Fault, at: usize) -> bool {
    let before = files(&folder.path(""));
    if case.replaces {
        case.outputs.iter().for_each(|name| fs::write(folder.path(name), OLD).unwrap());
    }
    let log = tracer.with_file_name("log");
    let ran = Command::new(tracer)
        .args([fault.0, &at.to_string(), fault.1])
        .arg(&log)
        .arg(assert_cmd::cargo::cargo_bin!("cipherlane"))
        .args(case.args)
        .env("NO_COLOR", "1")
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let told = fs::read_to_string(&log).unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    let which = format!("{:?}, {fault:?} at call {at}, {told}{said}", case.args);
    let status = ran.status.code().unwrap();
    let plain = fs::read(folder.path("plain")).unwrap();
    let outputs: Vec<Is> =
        case.outputs.iter().map(|name| look(folder, case, name, &plain)).collect();
    for is in &outputs {
        let untouched = if case.replaces { Is::Old } else { Is::Absent };
        assert!(*is == untouched || *is == Is::Whole, "{which}: {is:?}");
    }
    match (status, fault.0) {
        (99, "cut") => {}
        (0, _) => {
            assert!(outputs.iter().all(|is| *is == Is::Whole), "{which}: {outputs:?}");
            // The last of the words is how many files had bytes that no sync followed, and whether
            // a name had none. A sync that failed is an error, so there are none at the end.
            assert!(told.trim().ends_with(" 0"), "{which}: ended well, and not all is on the disk");
        }
        (1..=3, "fail" | "stay") => {
            // Where it can't be seen any more whether the input changed, it is told as if it had.
            let changed = status == 1 && said.contains("changed while it was read");
            assert!(changed || said.contains("error: ") && said.contains("help: "), "{which}");
        }
        _ => panic!("{which}: status {status}"),
    }
    // A cut may leave a file of a temporary name: nobody was there to remove it.
    let after = files(&folder.path(""));
    for name in after.difference(&before) {
        let temporary = name.rsplit('/').next().unwrap().starts_with(".cipherlane-");
        let known = case.outputs.contains(&name.as_str()) || (status == 99 && temporary);
        assert!(known, "{which}: {name} was left");
        fs::remove_file(folder.path(name)).unwrap();
    }
    assert!(before.is_subset(&after), "{which}: a file is gone");
    !told.contains(" nothing ")
}

/// A folder with what the cases want.
fn prepared() -> Folder {
    let folder = Folder::new();
    let plain = folder.write("plain", LEN);
    fs::write(folder.path("hex"), "000102030405060708090a0b0c0d0e0f").unwrap();
    folder.run(&["encrypt", "-k", "key", "--chunk", "4k", "plain", "-o", "sealed"]).success();
    fs::create_dir(folder.path("both")).unwrap();
    for name in ["both/a", "both/b"] {
        fs::write(folder.path(name), &plain).unwrap();
    }
    folder
}

/// Goes through every call of so many cases under a fault.
fn all(fault: Fault, cases: usize) {
    let folder = prepared();
    let beside = tempfile::tempdir().unwrap();
    let Some(tracer) = tracer(beside.path()) else { return };
    for case in &CASES[..cases] {
        let mut calls = 1;
        while run(&folder, &tracer, case, fault, calls) {
            calls += 1;
            assert!(calls < 1000, "{:?} makes ever more calls", case.args);
        }
        println!("{:?}, {fault:?}: {} calls", case.args, calls - 1);
        assert!(calls > 5, "{:?}: {calls}", case.args);
    }
}

#[test]
fn an_error_of_any_call_leaves_no_torn_file() {
    all(ERROR, CASES.len());
}

#[test]
fn a_full_disk_at_any_call_leaves_no_torn_file() {
    all(FULL, CASES.len());
}

#[test]
fn a_power_cut_at_any_call_leaves_no_torn_file() {
    all(CUT, CASES.len());
}

/// The rest of what is written short is written; a call that is interrupted is made again, or an error.
#[test]
fn interrupted_calls_and_short_writes_leave_no_torn_file() {
    all(INTERRUPTED, 3);
    all(SHORT, 3);
}

/// Rust ends a program that gets no memory (SECURITY.md, "Where memory runs out"): by the signal ABRT, and by no
/// other one. `faults/memory.c` counts allocations, and refuses the nth and all behind it.
#[test]
fn memory_that_runs_out_at_any_allocation_leaves_no_torn_file() {
    let folder = prepared();
    let beside = tempfile::tempdir().unwrap();
    let (shim, log) = (beside.path().join("memory.so"), beside.path().join("log"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/faults/memory.c");
    let mut compile = Command::new("cc");
    compile.args(["-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o"]);
    if compile.arg(&shim).arg(source).status().is_err() {
        crate::skip("memory that runs out (there is no C compiler: apt-get install gcc)");
        return;
    }
    assert!(shim.exists(), "the shim does not compile");
    let before = files(&folder.path(""));
    let plain = fs::read(folder.path("plain")).unwrap();
    // One case of each kind: sealing, opening, and an object of the registry.
    for case in [&CASES[0], &CASES[2], &CASES[5]] {
        let run = |at: usize| {
            let mut command = Command::new(assert_cmd::cargo::cargo_bin!("cipherlane"));
            command.args(case.args).env("LD_PRELOAD", &shim).current_dir(folder.path(""));
            command.env("CIPHERLANE_FAIL_LOG", &log).env("CIPHERLANE_FAIL_AT", at.to_string());
            command.env("NO_COLOR", "1").output().unwrap()
        };
        assert!(run(usize::MAX >> 1).status.success());
        fs::remove_file(folder.path(case.outputs[0])).unwrap();
        let count: usize = fs::read_to_string(&log).unwrap().parse().unwrap();
        assert!(count > 100, "{:?}: {count} allocations", case.args);
        let mut ended = 0;
        for at in (1..=count).step_by(3) {
            let ran = run(at);
            let which = format!("{:?}, allocation {at} of {count}: {ran:?}", case.args);
            match (ran.status.code(), ran.status.signal()) {
                (None, Some(6)) => ended += 1,
                (Some(0..=3), None) => {}
                _ => panic!("{which}"),
            }
            let is = look(&folder, case, case.outputs[0], &plain);
            assert!(is == Is::Whole || !ran.status.success(), "{which}: {is:?}");
            let after = files(&folder.path(""));
            assert!(before.is_subset(&after), "{which}: a file is gone");
            for name in after.difference(&before) {
                assert_eq!(name, case.outputs[0], "{which}: {name} was left");
                fs::remove_file(folder.path(name)).unwrap();
            }
        }
        println!("{:?}: {count} allocations, {ended} ended it", case.args);
        assert!(ended > 10, "{:?}: {ended}", case.args);
    }
}
