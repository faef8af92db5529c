//! `cargo xtask equivalence`: which parts of kernels were shown to be the standards', on how many
//! inputs; what follows for whole rounds is in `docs/notes/equivalence.md`.

use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

const ALL: &str = "--all";
pub(crate) const OPTIONS: &[&str] = &[ALL];

/// What a line of a test begins with: part, level, cases and seconds follow, between tabulators.
const SHOWN: &str = "equivalence\t";
/// Tests that say nothing but that they passed: they go through all inputs of a function, or
/// recompute constants from the fields.
const SILENT: [&str; 7] = [
    "the_circuit_is_the_s_box_for_all_256_bytes",
    "the_circuits_are_the_s_boxes_for_all_256_bytes",
    "every_constant_follows_from_the_fields",
    "the_matrices_are_an_isomorphism_and_the_map_of_s1",
    "the_4_bit_functions_make_s0",
    "both_forms_are_the_rotations_at_every_level",
    "the_table_is_the_polynomial_of_the_standard",
];

/// A part at the levels that have it.
#[derive(Debug, PartialEq)]
struct Part {
    name: String,
    levels: Vec<String>,
    cases: u64,
    seconds: f64,
}

/// The parts in the order of their names.
fn parts(output: &str) -> Result<Vec<Part>, String> {
    let mut parts: Vec<Part> = Vec::new();
    // The harness begins a line with the test's name.
    for line in output.lines().filter_map(|line| Some(line.split_once(SHOWN)?.1)) {
        let fields: Vec<&str> = line.split('\t').collect();
        let &[name, level, cases, seconds] = &fields[..] else {
            return Err(format!("not four fields: `{line}`"));
        };
        let cases: u64 = cases.parse().map_err(|_| format!("not a number of cases: `{line}`"))?;
        let seconds: f64 = seconds.parse().map_err(|_| format!("not seconds: `{line}`"))?;
        match parts.iter_mut().find(|part| part.name == name) {
            Some(part) => {
                part.levels.push(level.to_owned());
                part.cases += cases;
                part.seconds += seconds;
            }
            None => {
                let levels = vec![level.to_owned()];
                parts.push(Part { name: name.to_owned(), levels, cases, seconds });
            }
        }
    }
    parts.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(parts)
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let all = options.iter().any(|it| it == ALL);
    let budget = Duration::from_secs(if all { 3600 } else { 300 });
    stage("parts of kernels as the standards have them", budget, || {
        let mut command = workspace::cargo(&["test", "--quiet", "--release", "-p", "cipherlane"]);
        command.args(["--lib", "--no-default-features", "--features", "std,sm4,aes,zuc,snow3g"]);
        command.args(["--", "--nocapture", "--test-threads=1", "--format=pretty", "equivalence"]);
        command.args(SILENT);
        if all {
            command.env("CIPHERLANE_EQUIVALENCE", "all");
        }
        let output = workspace::output(&mut command)?;
        let parts = parts(&output)?;
        for Part { name, levels, cases, seconds } in &parts {
            println!("   {name}: {cases} cases, {seconds:.1} s, at {}", levels.join(", "));
        }
        for name in SILENT {
            let passed = |line: &str| line.contains(name) && line.ends_with(" ok");
            if !output.lines().any(passed) {
                return Err(format!("the test {name} did not run: has it another name?"));
            }
            println!("   {}: all inputs", name.replace('_', " "));
        }
        if parts.is_empty() {
            return Err("no test printed a part".to_owned());
        }
        let cases: u64 = parts.iter().map(|part| part.cases).sum();
        println!("   {} parts, {cases} cases, 0 differ", parts.len() + SILENT.len());
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_tests_are_gathered_by_part() {
        let output = "running 2 tests\ntest a::b ... equivalence\tT\tavx2\t20\t0.50\n\
            equivalence\tT\tavx512\t22\t0.25\nok\ntest c ... equivalence\tS\tavx2\t1\t0.00\nok\n";
        let part = |name: &str, levels: &[&str], cases, seconds| {
            let levels = levels.iter().map(|it| (*it).to_owned()).collect();
            Part { name: name.to_owned(), levels, cases, seconds }
        };
        let wanted = [part("S", &["avx2"], 1, 0.0), part("T", &["avx2", "avx512"], 42, 0.75)];
        assert_eq!(parts(output).unwrap(), wanted);
        assert!(parts("equivalence\tT\tavx2\tmany\t1").is_err());
        assert!(parts("equivalence\tT\tavx2").is_err());
    }
}
