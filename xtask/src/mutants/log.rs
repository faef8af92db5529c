//! What came of mutants so far, and what it says of the tests.

use super::scopes::SCOPES;
use crate::outcome::Outcome;
use crate::workspace;

/// What became of mutants: a row a scope, and a row for each that lived on, with the reason.
pub(crate) const LOG: &str = "prove/mutants.tsv";

/// The first line of the file.
const HEAD: &str = "kind\tscope or mutant\tparts or reason\tviable\tcaught\n";

/// A survivor that nobody has looked at.
pub(crate) const UNEXPLAINED: &str = "not looked at";

/// How the reason begins of one whose results are those of the code that stands there.
const SAME: &str = "the same";

/// A scope's sums: which parts of how many were run, and what came of their mutants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) scope: String,
    pub(crate) parts: Vec<u32>,
    pub(crate) of: u32,
    pub(crate) viable: u32,
    pub(crate) caught: u32,
}

/// The file's contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Log {
    pub(crate) sums: Vec<Sums>,
    /// Mutants that lived on, each with the reason.
    pub(crate) alive: Vec<(String, String)>,
}

pub(crate) fn parse(text: &str) -> Result<Log, String> {
    let mut log = Log::default();
    for line in text.lines().skip(1) {
        let wrong = |text: &str| format!("{LOG}: `{text}` in `{line}`");
        let number = |text: &str| text.parse::<u32>().map_err(|_| wrong(text));
        match line.split('\t').collect::<Vec<_>>()[..] {
            ["scope", scope, parts, viable, caught] => {
                let (parts, of) = parts.split_once('/').ok_or_else(|| wrong(parts))?;
                log.sums.push(Sums {
                    scope: scope.into(),
                    parts: parts.split(',').map(number).collect::<Result<_, _>>()?,
                    of: number(of)?,
                    viable: number(viable)?,
                    caught: number(caught)?,
                });
            }
            ["alive", mutant, reason] => log.alive.push((mutant.into(), reason.into())),
            _ => return Err(wrong("no such row")),
        }
    }
    Ok(log)
}

/// The scopes of which no part was run.
pub(crate) fn untouched(log: &Log) -> Vec<&'static str> {
    let names = SCOPES.iter().map(|scope| scope.name);
    names.filter(|name| !log.sums.iter().any(|sums| sums.scope == *name)).collect()
}

/// How many survivors of a scope compute the same in another way, as their reasons say.
pub(crate) fn alternatives(log: &Log, scope: &str) -> u32 {
    let Some(scope) = SCOPES.iter().find(|it| it.name == scope) else { return 0 };
    let same = |row: &&(String, String)| row.1.starts_with(SAME) && scope.has(&row.0);
    log.alive.iter().filter(same).count() as u32
}

pub(super) fn written(log: &Log) -> String {
    let mut text = String::from(HEAD);
    for Sums { scope, parts, of, viable, caught } in &log.sums {
        let parts: Vec<_> = parts.iter().map(u32::to_string).collect();
        text += &format!("scope\t{scope}\t{}/{of}\t{viable}\t{caught}\n", parts.join(","));
    }
    for (mutant, reason) in &log.alive {
        text += &format!("alive\t{mutant}\t{reason}\n");
    }
    text
}

/// What a run of cargo-mutants says of its mutants.
pub(super) struct Outcomes {
    pub(super) caught: Vec<String>,
    pub(super) missed: Vec<String>,
    pub(super) unviable: Vec<String>,
}

impl Log {
    /// The place of a part that was not run before among the sums of its scope.
    pub(super) fn place(
        &mut self,
        scope: &str,
        (part, of): (u32, u32),
    ) -> Result<&mut Sums, String> {
        let place = self.sums.iter().position(|sums| sums.scope == scope).unwrap_or_else(|| {
            let (scope, parts) = (scope.to_owned(), Vec::new());
            self.sums.push(Sums { scope, parts, of, viable: 0, caught: 0 });
            self.sums.len() - 1
        });
        let sums = &mut self.sums[place];
        if sums.of != of || sums.parts.contains(&part) {
            return Err(format!(
                "part {part} of {of}: {LOG} has the parts {:?} of {} of {}; take another of \
                 these, or remove its row",
                sums.parts, sums.of, sums.scope
            ));
        }
        Ok(sums)
    }

    /// Adds what came of a part.
    pub(super) fn add(&mut self, scope: &str, part: (u32, u32), outcomes: &Outcomes) -> Outcome {
        let Outcomes { caught, missed, .. } = outcomes;
        let sums = self.place(scope, part)?;
        sums.parts.push(part.0);
        sums.viable += (caught.len() + missed.len()) as u32;
        sums.caught += caught.len() as u32;
        self.alive.extend(missed.iter().map(|mutant| (mutant.clone(), UNEXPLAINED.to_owned())));
        Ok(())
    }

    /// Takes those out that were caught after all, and those that do not compile with all features:
    /// a file that few features leave out compiles in any case.
    pub(super) fn looked_at_again(&mut self, scope: &str, outcomes: &Outcomes) {
        let mut without = |gone: &[String]| {
            let before = self.alive.len();
            self.alive.retain(|row| !gone.contains(&row.0));
            (before - self.alive.len()) as u32
        };
        let (caught, unviable) = (without(&outcomes.caught), without(&outcomes.unviable));
        if let Some(sums) = self.sums.iter_mut().find(|sums| sums.scope == scope) {
            sums.caught += caught;
            sums.viable -= unviable;
        }
    }
}

/// Nobody looked at it yet, or it is said to be caught by now.
pub(super) fn worth_another(reason: &str) -> bool {
    reason == UNEXPLAINED || reason.starts_with("caught")
}

pub(super) fn read() -> Result<Log, String> {
    parse(&workspace::read(LOG)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let text = format!("{HEAD}scope\tbatches\t0,7/40\t12\t11\nalive\ta/b.rs:1:2: x\tno use\n");
        let log = parse(&text).unwrap();
        assert_eq!(log.sums[0].parts, [0, 7]);
        assert_eq!((log.sums[0].of, log.sums[0].viable, log.sums[0].caught), (40, 12, 11));
        assert_eq!(log.alive, [("a/b.rs:1:2: x".to_owned(), "no use".to_owned())]);
        assert_eq!(written(&log), text);
        assert!(parse("head\nscope\tbatches\n").is_err());
        assert!(parse("head\nscope\tbatches\t0/40\tmany\t1\n").is_err());
        assert!(parse("head\nscope\tbatches\t0\t1\t1\n").is_err());
    }

    #[test]
    fn survivors_that_compute_the_same_are_counted_by_scope() {
        let place = "crates/cipherlane/src/ciphers";
        let text = format!(
            "{HEAD}alive\t{place}/rc4/a.rs:1:2: x\tthe same blocks\n\
             alive\t{place}/rc4/a.rs:1:3: x\tno use\nalive\t{place}/idea/a.rs:1:2: x\tthe same\n"
        );
        let log = parse(&text).unwrap();
        assert_eq!(["rc4", "idea", "aes", "none"].map(|it| alternatives(&log, it)), [1, 1, 0, 0]);
    }

    #[test]
    fn what_may_be_caught_by_now_is_tried_again() {
        assert!(worth_another(UNEXPLAINED));
        assert!(worth_another("caught since: titles must differ"));
        assert!(!worth_another("the same blocks by another formulation"));
    }

    #[test]
    fn parts_add_up_and_survivors_are_caught_later() {
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let outcomes = Outcomes {
            caught: names(&["a"]),
            missed: names(&["b", "c", "d"]),
            unviable: names(&["e"]),
        };
        let mut log = Log::default();
        log.add("batches", (3, 40), &outcomes).unwrap();
        assert!(log.place("batches", (3, 40)).is_err());
        assert!(log.place("batches", (4, 50)).is_err());
        let again =
            Outcomes { caught: names(&["c"]), missed: names(&["b"]), unviable: names(&["d"]) };
        log.looked_at_again("batches", &again);
        assert_eq!((log.sums[0].viable, log.sums[0].caught, log.alive.len()), (3, 2, 1));
    }
}
