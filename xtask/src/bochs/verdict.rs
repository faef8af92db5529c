//! What the emulated machine has said on its serial port.

/// The programs that must pass.
const PROGRAMS: [&str; 3] = ["/agree", "/self_test", "/vectors"];

/// How the tests ended, once they have: the counts of the test programs, or what failed.
pub(super) fn of(text: &str) -> Option<Result<String, String>> {
    if let Some(line) = text.lines().find(|line| line.contains("Kernel panic")) {
        return Some(Err(line.trim().into()));
    }
    // A last line may be in the middle of being written.
    if !text.lines().any(|line| line.trim() == "== end") {
        return None;
    }
    for program in PROGRAMS {
        let passed = format!("== {program} passed");
        if !text.lines().any(|line| line.trim() == passed) {
            let line = text.lines().find(|line| line.contains(&format!("== {program} ")));
            return Some(
                Err(line.map_or(format!("{program} said nothing"), |it| it.trim().into())),
            );
        }
    }
    let counts = text.lines().filter(|line| line.starts_with("test result: ok. "));
    let counts = counts.filter_map(|line| line.split(' ').nth(3)?.parse::<usize>().ok());
    let counts: Vec<usize> = counts.collect();
    if counts.len() != PROGRAMS.len() || counts.contains(&0) {
        return Some(Err(format!("the programs ran {counts:?} tests")));
    }
    Some(Ok(format!("{} tests passed", counts.iter().sum::<usize>())))
}

#[cfg(test)]
mod tests {
    use super::of;

    const GOOD: &str = "test result: ok. 16 passed; 0 failed\r\n== /agree passed\r\n\
                        test result: ok. 4 passed; 0 failed\r\n== /self_test passed\r\n\
                        test result: ok. 2 passed; 0 failed\r\n== /vectors passed\r\n== end\r\n";

    #[test]
    fn a_machine_that_has_not_ended_has_no_verdict() {
        for len in 0..GOOD.len() - 2 {
            assert_eq!(of(&GOOD[..len]), None, "{len}");
        }
        assert_eq!(of(GOOD), Some(Ok("22 tests passed".into())));
    }

    #[test]
    fn what_failed_is_said() {
        let failed = GOOD.replace("/vectors passed", "/vectors failed: exit status: 101");
        assert_eq!(of(&failed), Some(Err("== /vectors failed: exit status: 101".into())));
        let silent = GOOD.replace("== /agree passed", "");
        assert_eq!(of(&silent), Some(Err("/agree said nothing".into())));
        let none = GOOD.replace("ok. 2 passed", "ok. 0 passed");
        assert!(of(&none).is_some_and(|verdict| verdict.is_err()));
        assert!(of("x\r\n[ 0.1] Kernel panic - not syncing: y").is_some_and(|it| it.is_err()));
    }
}
