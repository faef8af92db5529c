//! Kills at any time: the output is whole or not there, and a draft has a name that says so.

use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::place::{Numbers, Place};
use crate::tables::{people, read, write};

const LINE: &str = "--column name,note --dialect opengauss-sm4 --raw-key key.txt --key-text --weak --force --threads 2";

fn signal(child: &std::process::Child, name: &str) {
    let done = std::process::Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(done.unwrap().success());
}

/// Kills so many runs of a line, each at a random time of the whole that one takes, which some finish before: the
/// output is whole then, or not there, and nothing else is left but drafts.
pub(crate) fn at_random(
    place: &Place,
    (line, output): (&str, &str),
    whole: Duration,
    times: u64,
    is_whole: impl Fn() -> bool,
) {
    let before = place.names();
    assert!(!before.contains(&output.to_owned()));
    let mut numbers = Numbers(0x1c111);
    let (mut killed, mut finished, mut drafts) = (0, 0, 0);
    while killed < times {
        // Or none can be killed any more.
        assert!(finished < 5 * times, "{finished} had finished");
        let mut child = place.command(line).spawn().unwrap();
        sleep(whole.mul_f64((numbers.next() % 1050) as f64 / 1000.0));
        let _ = child.kill();
        let ended = child.wait().unwrap();
        if ended.success() {
            finished += 1
        } else {
            killed += 1
        }
        // A kill may come when all is done.
        if place.path(output).exists() {
            assert!(is_whole(), "a torn file");
            std::fs::remove_file(place.path(output)).unwrap();
        } else {
            assert!(!ended.success());
        }
        let mut names = place.names();
        names.retain(|name| {
            let draft = name.starts_with(".cipherlane-columns-") && name.ends_with(".part");
            if draft {
                drafts += 1;
                std::fs::remove_file(place.path(name)).unwrap();
            }
            !draft
        });
        assert_eq!(names, before);
    }
    println!(
        "{output}: {killed} killed, {finished} had finished, {drafts} drafts left, no torn file"
    );
    assert!(drafts > 0);
}

/// Kills of runs that encrypt, into two formats.
fn kill(times: u64, rows: usize) {
    let place = Place::new();
    write(&place.path("in.csv"), &people(rows));
    for output in ["out.parquet", "out.csv"] {
        let line = format!("encrypt in.csv -o {output} {LINE}");
        let begin = Instant::now();
        place.run(&line).code(0);
        let whole = begin.elapsed();
        std::fs::remove_file(place.path(output)).unwrap();
        at_random(&place, (&line, output), whole, times, || {
            read(&place.path(output)).len() == rows + 1
        });
    }
}

#[test]
fn five_kills_tear_no_file() {
    kill(5, 60_000);
}

#[test]
#[ignore = "long: 50 kills of 400 000 rows, twice"]
fn fifty_kills_tear_no_file() {
    kill(50, 400_000);
}

#[test]
fn a_signal_ends_it_by_that_signal_after_cleaning_up() {
    use std::os::unix::process::ExitStatusExt as _;
    let place = Place::new();
    write(&place.path("in.csv"), &people(400_000));
    place.write("out.parquet", "the old file");
    for (name, number) in [("-INT", 2), ("-TERM", 15)] {
        let line = format!("encrypt in.csv -o out.parquet {LINE}");
        let child = place.command(&line).spawn().unwrap();
        // Its draft is there when the work has begun.
        let begin = Instant::now();
        while !place.names().iter().any(|name| name.ends_with(".part")) {
            assert!(begin.elapsed() < Duration::from_secs(20), "it does not begin");
            sleep(Duration::from_millis(1));
        }
        signal(&child, name);
        let done = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.signal(), Some(number), "{name}: {said}");
        assert!(said.contains("error: stopped"), "{said}");
        assert_eq!(place.names(), ["in.csv", "key.txt", "out.parquet"]);
        assert_eq!(place.read("out.parquet"), "the old file");
    }
}
