//! Where our own kernels spend their time, by perf: stacks folded to one line each.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use lab::record::Fact;
use recipes::Tool;

/// What brings perf.
const PERF: Tool = Tool::named(
    "perf",
    "`apt-get install linux-perf` brings it on Debian, `linux-tools-generic` on Ubuntu",
);

/// Samples a second: a prime, so that they don't keep step with anything.
const HERTZ: &str = "499";

/// How long the work is sampled, in microseconds.
const MICROSECONDS: u32 = 1_000_000;

/// Samples one operation of our library at its best level: `flame-graph/ALGORITHM/OPERATION` says
/// how, or why not, and `folded/ALGORITHM/OPERATION` has the stacks, outermost function first,
/// with `;` between functions and the number of samples behind a space.
#[must_use]
pub fn flame(program: &Path, algorithm: &str, operation: &str, level: &str) -> Vec<Fact> {
    let name = format!("flame-graph/{algorithm}/{operation}");
    let request = format!(
        "measure algorithm={algorithm} operation={operation} model=message size=65536 \
         level={level} samples=10001 budget_us={MICROSECONDS}\n"
    );
    match sampled(program, &request).map(|text| folded(&text)) {
        Err(why) => vec![Fact::unknown(name, why)],
        Ok(stacks) if stacks.is_empty() => {
            vec![Fact::unknown(name, "perf took no sample of the library's functions")]
        }
        Ok(stacks) => {
            let samples: u64 = stacks.values().sum();
            let lines = stacks.iter().map(|(stack, count)| format!("{stack} {count}"));
            let text = lines.collect::<Vec<_>>().join("\n");
            vec![
                Fact::words(name, format!("{samples} samples at {level}, by perf: see the figure")),
                Fact::words(format!("folded/{algorithm}/{operation}"), text),
            ]
        }
    }
}

/// What `perf script` says of the engine at work on a request.
fn sampled(program: &Path, request: &str) -> Result<String, String> {
    if !PERF.is_there() {
        return Err(format!("`perf` is not on the PATH; {}", PERF.remedy));
    }
    let file = std::env::temp_dir().join(format!("cipherlane-perf-{}.data", std::process::id()));
    let said = record(program, request, &file).and_then(|()| {
        let mut script = Command::new(PERF.program);
        script.args(["script", "-F", "ip,sym", "-i"]).arg(&file).stderr(Stdio::null());
        let said = script.output().map_err(|error| format!("`perf script`: {error}"))?;
        Ok(String::from_utf8_lossy(&said.stdout).into_owned())
    });
    // What is left there is of no use to anybody.
    let _ = fs::remove_file(&file);
    said
}

fn record(program: &Path, request: &str, file: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("`perf record`: {error}");
    let mut perf = Command::new(PERF.program);
    // The clock is there where the counters of the CPU are not, and of the user's own work alone
    // it may be asked by anybody.
    perf.args(["record", "-q", "-e", "cpu-clock:u", "-F", HERTZ]);
    perf.args(["--call-graph", "dwarf,16384", "-o"]).arg(file);
    perf.arg("--").arg(program).args(["engine", "cipherlane"]);
    perf.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = perf.spawn().map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(request.as_bytes()).map_err(failed)?;
    }
    let said = child.wait_with_output().map_err(failed)?;
    if said.status.success() {
        return Ok(());
    }
    let words = String::from_utf8_lossy(&said.stderr);
    let why = words.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("no reason");
    Err(format!("`perf record` is not allowed or failed: {why}"))
}

/// The stacks of `perf script` with their numbers of samples: what the library's outermost
/// function called, and nothing above it.
fn folded(text: &str) -> BTreeMap<String, u64> {
    let mut stacks = BTreeMap::new();
    for sample in text.split("\n\n") {
        // The innermost function stands first.
        let frames: Vec<String> = sample.lines().filter_map(function).collect();
        let own = |name: &String| name.starts_with("cipherlane::") && name != "cipherlane::main";
        let Some(outermost) = frames.iter().rposition(own) else { continue };
        let names: Vec<&str> = frames[..=outermost].iter().rev().map(|it| short(it)).collect();
        *stacks.entry(names.join(";")).or_default() += 1;
    }
    stacks
}

/// The function of a frame, `ADDRESS NAME (inlined)`, without the parameters of its types.
fn function(line: &str) -> Option<String> {
    let (_, name) = line.trim().split_once(' ')?;
    let mut depth = 0_usize;
    let mut plain = String::new();
    for c in name.trim_end_matches(" (inlined)").chars() {
        match c {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    Some(plain.replace(';', ","))
}

/// The last two parts of a path.
fn short(name: &str) -> &str {
    let mut ends = name.rmatch_indices("::").map(|(place, _)| place);
    ends.nth(1).map_or(name, |place| &name[place + 2..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCRIPT: &str = "\
\t95ba5b lanes::x86::avx512::Avx512::enter::door
\t95ba5b round<lanes::x86::avx512::Avx512> (inlined)
\t95ba5b rounds<lanes::x86::avx512::Avx512, 2> (inlined)
\tc8aef0 cipherlane::sm4::Sm4::blocks
\t4b988a lab::serve::serve
\t3d7eb9 cipherlane::main

\t95ba5c round<lanes::x86::avx512::Avx512> (inlined)
\t95ba5c rounds<lanes::x86::avx512::Avx512, 2> (inlined)
\tc8aef0 cipherlane::sm4::Sm4::blocks

\t16d800 __memmove_avx512_unaligned_erms
\t6709f6 lab::ring::Ring::generate
\t3d7eb9 cipherlane::main
";

    #[test]
    fn stacks_begin_with_the_library_and_end_with_what_ran() {
        let stacks = folded(SCRIPT);
        let wanted = [("Sm4::blocks;rounds;round", 1), ("Sm4::blocks;rounds;round;enter::door", 1)];
        let found: Vec<(&str, u64)> = stacks.iter().map(|(a, n)| (a.as_str(), *n)).collect();
        assert_eq!(found, wanted);
    }

    #[test]
    fn what_cannot_be_sampled_has_a_reason() {
        let facts = flame(Path::new("/no/such/program"), "sm4", "ecb-encrypt", "portable");
        assert_eq!(facts.len(), 1, "{facts:?}");
        assert!(facts[0].text.is_empty() && !facts[0].remark.is_empty());
    }
}
