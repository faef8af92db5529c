//! `self-test`: known answers of every algorithm at every level, with the time they take.

use std::time::Instant;

use cipherlane::registry::ALGORITHMS;
use cipherlane::self_test;
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::level;
use crate::output::Output;

/// Test every kernel at every level with known answers
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Test every kernel at every level with known answers\n\n\
        Takes milliseconds and reads no file. Each line is one algorithm at one level: the kernel \
        that ran, how many operations answered, and the time. `verify` checks the published \
        vectors, which takes longer.",
    after_help = help!(
        "  cipherlane self-test
  cipherlane self-test --level avx2
  cipherlane self-test --json | jq '.tests[] | select(.passed | not)'"
    )
)]
pub(crate) struct Args {
    /// Only these levels
    #[arg(long, value_name = "L,…", value_delimiter = ',')]
    level: Vec<String>,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Document {
    schema: &'static str,
    passed: usize,
    failed: usize,
    tests: Vec<Test>,
}

#[derive(Serialize)]
struct Test {
    level: &'static str,
    algorithm: &'static str,
    kernel: &'static str,
    passed: bool,
    /// Operations that answered right.
    operations: usize,
    milliseconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let mut tests = Vec::new();
    for level in level::chosen(&args.level)? {
        for algorithm in ALGORITHMS {
            let began = Instant::now();
            let result = self_test::algorithm(algorithm, level);
            let milliseconds = began.elapsed().as_secs_f64() * 1e3;
            tests.push(Test {
                level: level.name(),
                algorithm: algorithm.name,
                kernel: (algorithm.kernel)(level),
                passed: result.is_ok(),
                operations: result.unwrap_or(0),
                milliseconds,
                error: result.err().map(|error| error.to_string()),
            });
        }
    }
    let failed = tests.iter().filter(|test| !test.passed).count();
    let passed = tests.len() - failed;
    let document = Document { schema: "cipherlane-self-test/1", passed, failed, tests };
    if args.json.json {
        out.json(&document)?
    } else {
        print(&document, out)?
    }
    Ok(if failed == 0 { Exit::Done } else { Exit::Failed })
}

fn print(document: &Document, out: &mut Output) -> Result<(), Failure> {
    let mut level = "";
    for test in &document.tests {
        if test.level != level {
            level = test.level;
            let of_level = document.tests.iter().filter(|it| it.level == level);
            let sum: f64 = of_level.map(|it| it.milliseconds).sum();
            out.heading(&format!("{level}  {sum:.1} ms"))?;
        }
        let verdict = match &test.error {
            None => format!("ok {:>3} operations", test.operations),
            Some(error) => format!("FAILED: {error}"),
        };
        let Test { algorithm, kernel, milliseconds, .. } = test;
        let text = format!("  {algorithm:<14} {milliseconds:>7.3} ms  {verdict}  {kernel}");
        out.wrapped(&text, 28)?;
    }
    out.line(&format!("{} passed, {} failed", document.passed, document.failed))
}
