//! The checks of the program `cipherlane-prove`, and which of them a run has.

/// One check of the program `cipherlane-prove`, and its budgets in seconds.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    /// None where only the full run has it.
    pub(super) quick: Option<u64>,
    pub(super) full: u64,
    /// What would let it run where it can't.
    pub(super) remedy: &'static str,
    /// Whether valgrind must be around it.
    pub(super) watched: bool,
}

pub(super) const CHECKS: [Check; 8] = [
    Check {
        name: "published",
        about: "published vectors in pieces and in batches",
        quick: Some(20),
        full: 1800,
        remedy: "restore the vector files",
        watched: false,
    },
    Check {
        name: "seeded",
        about: "seeded leaks are found",
        quick: Some(20),
        full: 20,
        remedy: "run it on Linux on x86-64, outside of emulators that have no trap flag",
        watched: false,
    },
    Check {
        name: TRACE,
        about: "the same way for every secret",
        quick: Some(450),
        full: 4 * 3600,
        remedy: "run it on Linux on x86-64, outside of emulators that have no trap flag",
        watched: false,
    },
    Check {
        name: "memcheck",
        about: "no decision on a secret, by valgrind",
        quick: Some(60),
        full: 60,
        remedy: "apt-get install valgrind, on Linux on x86-64",
        watched: true,
    },
    Check {
        name: "remains",
        about: "nothing secret in memory given back",
        quick: Some(20),
        full: 20,
        remedy: "run it on Linux on x86-64",
        watched: false,
    },
    Check {
        name: "stack",
        about: "nothing secret on the stack and in registers when objects are gone",
        quick: Some(40),
        full: 40,
        remedy: "run it on Linux on x86-64",
        watched: false,
    },
    Check {
        name: "timing",
        about: "times under two classes of secrets are alike",
        quick: Some(60),
        full: 1800,
        remedy: "run it on Linux on x86-64",
        watched: false,
    },
    Check {
        name: "guard",
        about: "no byte beside a buffer",
        quick: Some(40),
        full: 300,
        remedy: "run it on a Unix",
        watched: false,
    },
];

/// The check whose verdicts outlive its machine.
pub(super) const TRACE: &str = "trace";

/// The checks that `--only=` names; all, if it is absent.
pub(super) fn chosen(options: &[String]) -> Result<Vec<&'static Check>, String> {
    let Some(names) = options.iter().find_map(|it| it.strip_prefix("--only=")) else {
        return Ok(CHECKS.iter().collect());
    };
    let of = |name: &str| {
        CHECKS.iter().find(|check| check.name == name).ok_or_else(|| {
            let known: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
            format!("--only={name}: no such check; known: {}", known.join(", "))
        })
    };
    names.split(',').map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_chosen_by_name() {
        let names = |options: &[&str]| {
            let options: Vec<String> = options.iter().map(|it| (*it).to_owned()).collect();
            chosen(&options).map(|checks| checks.iter().map(|it| it.name).collect::<Vec<_>>())
        };
        assert_eq!(names(&[]).unwrap().len(), CHECKS.len());
        assert_eq!(names(&["--write", "--only=guard,trace"]).unwrap(), ["guard", "trace"]);
        assert!(names(&["--only=gaurd"]).unwrap_err().contains("known: published, seeded, trace"));
    }
}
