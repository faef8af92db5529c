//! `cargo xtask files`: encrypting a large file beside what people use today: seconds, memory.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

/// The options of the verb.
pub(crate) const OPTIONS: &[&str] = &["--1g", "--4g", "--5g-round-trip"];

const GIB: u64 = 1 << 30;

/// Every program takes turns so many times; the fastest counts.
const PASSES: usize = 3;

/// A program with its arguments, run in the folder with the files.
struct Contender {
    name: &'static str,
    program: PathBuf,
    args: Vec<String>,
    best: Option<Run>,
}

/// What a run took.
#[derive(Clone, Copy, Debug)]
struct Run {
    wall: Duration,
    /// Of all its threads, in seconds.
    cpu: f64,
    /// The most memory it had, in KiB.
    peak: u64,
}

pub(crate) fn run(options: &[String]) -> Outcome {
    if !cfg!(target_os = "linux") {
        skip("files", "memory and CPU time are read from /proc: take Linux");
        return Ok(());
    }
    workspace::run(&mut workspace::cargo(&[
        "build",
        "--release",
        "--quiet",
        "-p",
        "cipherlane-cli",
    ]))?;
    let length = match options.first().map(String::as_str) {
        Some("--4g") => 4 * GIB,
        Some("--5g-round-trip") => 5 * GIB,
        _ => GIB,
    };
    let folder = place(length)?;
    let done = if length == 5 * GIB { round_trip(&folder) } else { table(&folder, length) };
    fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    done
}

/// A folder with room: in memory where there is a file system for that, so that no disk limits.
fn place(length: u64) -> Result<PathBuf, String> {
    let memory = Path::new("/dev/shm");
    let room = |path: &Path| {
        let mut df = Command::new("df");
        let text = workspace::output(df.args(["--output=avail", "-B1"]).arg(path)).ok()?;
        text.lines().last()?.trim().parse::<u64>().ok()
    };
    // Input, output, and a reserve.
    let needed = length * 2 + length / 4;
    let free = || -> Option<u64> {
        let text = fs::read_to_string("/proc/meminfo").ok()?;
        let line = text.lines().find(|line| line.starts_with("MemAvailable:"))?;
        Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
    };
    let fits = room(memory).is_some_and(|it| it > needed) && free().is_some_and(|it| it > needed);
    let base = if fits { memory.to_path_buf() } else { workspace::scratch("files") };
    fs::create_dir_all(&base).map_err(|error| format!("{}: {error}", base.display()))?;
    if !fits && room(&base).is_none_or(|it| it < needed) {
        return Err(format!("no room for {} GiB; free some disk space", needed.div_ceil(GIB)));
    }
    println!("files lie {}", if fits { "in memory (tmpfs)" } else { "on the disk of target/" });
    let folder = base.join(format!("cipherlane-files-{}", std::process::id()));
    fs::create_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// A file without a pattern: the keystream of nothing, by the program itself.
fn fill(folder: &Path, length: u64) -> Outcome {
    let fault = |error: std::io::Error| error.to_string();
    let mut file = fs::File::create(folder.join("big")).map_err(fault)?;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut piece = vec![0; 1 << 20];
    for _ in 0..length >> 20 {
        for word in piece.as_chunks_mut::<8>().0 {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *word = state.to_le_bytes();
        }
        file.write_all(&piece).map_err(fault)?;
    }
    fs::write(folder.join("digits"), "00112233445566778899aabbccddeeff").map_err(fault)?;
    fs::write(folder.join("pass"), "a passphrase of some words\n").map_err(fault)?;
    run_once(folder, &program(), &words("keygen -o key")).map(drop)
}

fn program() -> PathBuf {
    workspace::root().join("target").join("release").join("cipherlane")
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

/// Runs a program to its end and watches its memory and CPU time.
fn run_once(folder: &Path, program: &Path, args: &[String]) -> Result<Run, String> {
    let mut command = Command::new(program);
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null());
    command.env("GNUPGHOME", folder).stderr(Stdio::null());
    let begin = Instant::now();
    let mut child = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
    let (mut peak, mut cpu) = (0, 0.0);
    let status = loop {
        if let Some((memory, seconds)) = observed(child.id()) {
            (peak, cpu) = (memory.max(peak), seconds.max(cpu));
        }
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) => break status,
            None => std::thread::sleep(Duration::from_millis(2)),
        }
    };
    let wall = begin.elapsed();
    if !status.success() {
        return Err(format!("{} {} ended with {status}", program.display(), args.join(" ")));
    }
    Ok(Run { wall, cpu, peak })
}

/// Peak memory in KiB and CPU seconds of a process that still runs.
fn observed(id: u32) -> Option<(u64, f64)> {
    let status = fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let peak = line.split_whitespace().nth(1)?.parse().ok()?;
    let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
    // Behind the name, which may have blanks: fields 14 and 15, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
    Some((peak, ticks as f64 / 100.0))
}

fn contenders(folder: &Path) -> Vec<Contender> {
    let own = program();
    let mut list = Vec::new();
    let mut add = |name, program: &Path, args: Vec<String>| {
        list.push(Contender { name, program: program.to_path_buf(), args, best: None });
    };
    add("cat", Path::new("sh"), vec!["-c".into(), "exec cat big > copy".into()]);
    add("cipherlane encrypt", &own, words("encrypt -f -k key big -o sealed"));
    add(
        "cipherlane encrypt --threads 1",
        &own,
        words("encrypt -f --threads 1 -k key big -o sealed"),
    );
    add("cipherlane decrypt", &own, words("decrypt -f -k key sealed -o copy"));
    add(
        "cipherlane raw sm4-ctr",
        &own,
        words(
            "raw encrypt sm4-ctr -f --raw-key digits --iv 000102030405060708090a0b0c0d0e0f big -o copy",
        ),
    );
    if has("openssl", "version") {
        let key =
            "enc -sm4-ctr -K 00112233445566778899aabbccddeeff -iv 000102030405060708090a0b0c0d0e0f";
        add(
            "openssl enc -sm4-ctr",
            Path::new("openssl"),
            words(&format!("{key} -in big -out copy")),
        );
    } else {
        skip("openssl enc", "apt-get install openssl");
    }
    match age(folder) {
        Some(recipient) => {
            add("age", Path::new("age"), words(&format!("-r {recipient} -o copy big")));
        }
        None => skip("age", "apt-get install age"),
    }
    if has("gpg", "--version") {
        let options = "--batch --yes --quiet --pinentry-mode loopback --passphrase-file pass";
        let how = "--symmetric --cipher-algo AES256 --compress-algo none -o copy big";
        add("gpg --symmetric, AES-256", Path::new("gpg"), words(&format!("{options} {how}")));
    } else {
        skip("gpg", "apt-get install gpg");
    }
    list
}

fn has(program: &str, argument: &str) -> bool {
    let mut command = Command::new(program);
    command.arg(argument).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// The recipient of a key of age that is made for this.
fn age(folder: &Path) -> Option<String> {
    let mut keygen = Command::new("age-keygen");
    keygen.args(["-o", "age.key"]).current_dir(folder).stderr(Stdio::null());
    keygen.status().ok().filter(|status| status.success())?;
    let text = fs::read_to_string(folder.join("age.key")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("# public key: "))?;
    Some(line.to_owned())
}

fn table(folder: &Path, length: u64) -> Outcome {
    fill(folder, length)?;
    let mut list = contenders(folder);
    for _ in 0..PASSES {
        for contender in &mut list {
            // Every run makes a new file: what is there is not written over.
            let _ = fs::remove_file(folder.join("copy"));
            let run = run_once(folder, &contender.program, &contender.args)?;
            let best = contender.best.get_or_insert(run);
            if run.wall < best.wall {
                *best = run;
            }
        }
    }
    println!("\n{} GiB, the fastest of {PASSES} runs that took turns\n", length / GIB);
    println!("| program | seconds | GB/s | CPU seconds | GB/s and core | peak memory |");
    println!("|---|---|---|---|---|---|");
    for contender in &list {
        let Some(run) = contender.best else { continue };
        let (bytes, wall) = (length as f64 / 1e9, run.wall.as_secs_f64());
        println!(
            "| {} | {wall:.2} | {:.2} | {:.2} | {:.2} | {:.0} MiB |",
            contender.name,
            bytes / wall,
            run.cpu,
            bytes / run.cpu.max(0.01),
            run.peak as f64 / 1024.0
        );
    }
    let own = list.iter().filter(|it| it.name.starts_with("cipherlane encrypt"));
    let peak = own.filter_map(|it| it.best).map(|run| run.peak).max().unwrap_or(0);
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get) as u64;
    let most = (64 + 4 * threads) << 10;
    if peak > most {
        return Err(format!("encrypt took {peak} KiB; allowed: {most} KiB"));
    }
    Ok(())
}

/// Five GiB there and back, with one thread and with all: what comes back is what was there.
fn round_trip(folder: &Path) -> Outcome {
    fill(folder, 5 * GIB)?;
    let own = program();
    for threads in ["", "--threads 1"] {
        // Both ways cross: what one writes, the other reads.
        let other = if threads.is_empty() { "--threads 1" } else { "" };
        run_once(folder, &own, &words(&format!("encrypt -f {threads} -k key big")))?;
        run_once(folder, &own, &words("inspect -k key big.clane"))?;
        let original = digest(folder, "big")?;
        fs::remove_file(folder.join("big")).map_err(|error| error.to_string())?;
        run_once(folder, &own, &words(&format!("decrypt {other} -k key big.clane -o big")))?;
        if digest(folder, "big")? != original {
            return Err(format!("5 GiB come back different, {threads}"));
        }
        println!("ok: 5 GiB come back; encrypted {threads:?}, decrypted {other:?}");
    }
    println!("2 passed, 0 failed");
    Ok(())
}

fn digest(folder: &Path, name: &str) -> Result<String, String> {
    workspace::output(Command::new("sha256sum").arg(name).current_dir(folder))
}
