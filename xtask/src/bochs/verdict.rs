//! What the emulated machine has said on its serial port.

/// The answers that a level gave, each of which was the right one.
pub(super) type Answers = Vec<(String, usize)>;

/// How the test program ended, once it has: the answers of each level, or what failed.
///
/// `levels` are those that the CPU has, lowest first; `unit` is what answers are counted in.
pub(super) fn of(text: &str, levels: &str, unit: &str) -> Option<Result<Answers, String>> {
    if let Some(line) = text.lines().find(|line| line.contains("Kernel panic")) {
        return Some(Err(line.trim().into()));
    }
    // A last line may be in the middle of being written.
    if !text.lines().any(|line| line.trim() == "== end") {
        return None;
    }
    Some(ended(text, levels, unit))
}

fn ended(text: &str, levels: &str, unit: &str) -> Result<Answers, String> {
    if !text.lines().any(|line| line.trim() == "== passed") {
        let why = text.lines().find_map(|line| line.trim().strip_prefix("== failed: "));
        let panic = text.lines().find(|line| line.contains("panicked at"));
        let words = [why, panic].into_iter().flatten().map(str::trim).collect::<Vec<_>>();
        return Err(format!("the tests failed: {}", words.join("; ")));
    }
    let answers: Answers = text.lines().filter_map(|line| answer(line, unit)).collect();
    let found: Vec<&str> = answers.iter().map(|(level, _)| &**level).collect();
    if found != levels.split(' ').collect::<Vec<_>>() {
        return Err(format!("the levels `{levels}` must answer, and `{}` did", found.join(" ")));
    }
    let counts: Vec<usize> = answers.iter().map(|it| it.1).collect();
    if counts[0] == 0 || counts.iter().any(|count| *count != counts[0]) {
        return Err(format!("`{levels}` gave {counts:?} {unit}, not all as many"));
    }
    Ok(answers)
}

/// `answers at LEVEL: COUNT UNIT`, behind what the harness may have said in the line.
fn answer(line: &str, unit: &str) -> Option<(String, usize)> {
    let (level, rest) = line.split_once("answers at ")?.1.split_once(": ")?;
    let (count, counted) = rest.trim().split_once(' ')?;
    (counted == unit).then_some((level.to_owned(), count.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::of;

    const GOOD: &str = "[ 1.0] Failed to access perfctr msr\r\nrunning 2 tests\r\n\
                        test a ... answers at portable: 31 vectors\r\n\
                        answers at avx2: 31 vectors\r\nok\r\ntest b ... ok\r\n\
                        test result: ok. 2 passed; 0 failed\r\n== passed\r\n== end\r\n";

    fn verdict(text: &str) -> Result<Vec<(String, usize)>, String> {
        of(text, "portable avx2", "vectors").expect("it has ended")
    }

    #[test]
    fn a_machine_that_has_not_ended_has_no_verdict() {
        for len in 0..GOOD.len() - 2 {
            assert_eq!(of(&GOOD[..len], "portable avx2", "vectors"), None, "{len}");
        }
        let answers = [("portable".to_owned(), 31), ("avx2".to_owned(), 31)];
        assert_eq!(verdict(GOOD), Ok(answers.to_vec()));
    }

    #[test]
    fn what_failed_is_said() {
        let failed = GOOD.replace("== passed", "thread 'a' panicked at b.rs:1\n== failed: 101");
        let why = "the tests failed: 101; thread 'a' panicked at b.rs:1";
        assert_eq!(verdict(&failed), Err(why.into()));
        assert!(verdict(&GOOD.replace("== passed", "")).is_err());
        let panic = of("x\r\n[ 0.1] Kernel panic - not syncing: y", "portable", "vectors");
        assert!(panic.is_some_and(|it| it.is_err()));
    }

    #[test]
    fn every_level_must_answer_as_often_as_the_others() {
        for (was, is) in [
            ("at avx2: 31 vectors", "at avx2: 30 vectors"),
            ("at avx2: 31 vectors", "at avx2: 31 operations"),
            ("at avx2: 31 vectors", "at aesni: 31 vectors"),
            ("answers at avx2: 31 vectors", ""),
            ("31 vectors", "0 vectors"),
        ] {
            assert!(verdict(&GOOD.replace(was, is)).is_err(), "{is}");
        }
    }
}
