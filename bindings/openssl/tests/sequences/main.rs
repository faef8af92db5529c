//! Random sequences of calls on every cipher and MAC that our provider and OpenSSL's own both
//! have: both must answer the same, but for what `allowed.txt` lists with its reasons.
//!
//! `CIPHERLANE_LIBCRYPTO` names the library, `CIPHERLANE_PROVIDER` the folder of
//! `cipherlane.so`; `cargo xtask openssl` sets both. `CIPHERLANE_SEED` and `CIPHERLANE_CALLS` say
//! where to begin and how many calls are made; `CIPHERLANE_ONLY` keeps one cipher or MAC. Each
//! difference is printed as the shortest sequence that shows it.

use std::env;
use std::time::Instant;

mod allowed;
mod calls;
mod ciphers;
mod draw;
mod evp;
mod known;
mod mac_calls;
mod macs;
mod pair;
mod seek;
mod state;

use allowed::rules;
use evp::{World, world};
use seek::{Subject, Wish, seek};

/// What is made where nothing else is said: of MACs a fifth.
const CALLS: u64 = 1_000_000;

fn number(name: &str, usual: u64) -> u64 {
    env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// Makes the run and says what came of it.
fn judge<S: Subject>(world: &World, what: &str, mut subjects: Vec<S>, calls: u64) {
    if let Ok(only) = env::var("CIPHERLANE_ONLY") {
        subjects.retain(|it| it.name().eq_ignore_ascii_case(&only));
    }
    let wish = Wish { seed: number("CIPHERLANE_SEED", 1), calls };
    let (rules, begun) = (rules(include_str!("allowed.txt")), Instant::now());
    let report = seek(&subjects, &rules, &world.version, &wish);
    for (name, example) in &report.examples {
        println!("{name}: {example}");
    }
    for (rule, count) in &report.allowed {
        println!("   allowed {count} times: {}", rules[*rule].reason);
    }
    println!(
        "sequences: {} {what}, OpenSSL {}, seed {}: {} calls in {} sequences, {} ended at an \
         allowed difference, {} unexplained ({:.0} s)",
        subjects.len(),
        world.version,
        wish.seed,
        report.calls,
        report.sequences,
        report.allowed.values().sum::<u64>(),
        report.unexplained,
        begun.elapsed().as_secs_f64(),
    );
    assert_eq!(report.unexplained, 0, "differences that allowed.txt does not list");
}

#[test]
fn ciphers_answer_as_those_of_openssl() {
    let Some(world) = world() else { return };
    let found = world.ciphers();
    let names: usize = found.iter().map(|it| it.names).sum();
    println!("{} ciphers, {names} names, in both", found.len());
    assert!(found.len() > 25, "{} ciphers", found.len());
    let subjects = found.into_iter().map(|cipher| ciphers::OfCipher { world, cipher }).collect();
    judge(world, "ciphers", subjects, number("CIPHERLANE_CALLS", CALLS));
}

#[test]
fn macs_answer_as_those_of_openssl() {
    let Some(world) = world() else { return };
    let subjects = macs::all(world);
    assert!(subjects.len() > 6, "{} MACs", subjects.len());
    judge(world, "MACs", subjects, number("CIPHERLANE_CALLS", CALLS) / 5);
}
