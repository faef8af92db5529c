//! Two runs, compared word by word.

use core::fmt;

/// Marks the word of an instruction: no program has code in the upper half of addresses.
const INSTRUCTION: u64 = 1 << 63;
/// More words than the longest run has: half a gigabyte.
const ROOM: usize = 1 << 26;

/// What has been seen.
#[derive(Debug, Default)]
pub struct Watch {
    /// The first run: addresses of instructions, marked, and behind each those of its accesses.
    first: Vec<u64>,
    /// None between runs.
    run: Option<Run>,
}

#[derive(Debug)]
struct Run {
    is_first: bool,
    /// Instructions of this run.
    steps: u64,
    /// Words of this run.
    words: usize,
    full: bool,
    /// The word at which it parts from the first.
    parts: Option<usize>,
}

/// What came of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// How many instructions were run.
    pub steps: u64,
    /// Whether there was no room for all.
    pub full: bool,
    /// The step at which the run parts from the first, and the instruction that made it so.
    pub parting: Option<(u64, u64)>,
}

/// Two numbers, or four if the runs part.
impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.steps, u8::from(self.full))?;
        match self.parting {
            None => Ok(()),
            Some((step, place)) => write!(f, " {step} {place}"),
        }
    }
}

impl Watch {
    /// A run begins: the first, or one to be compared with it.
    pub fn begin(&mut self, is_first: bool) {
        if is_first {
            self.first.clear();
        }
        self.run = Some(Run { is_first, steps: 0, words: 0, full: false, parts: None });
    }

    /// An instruction is about to run.
    #[inline]
    pub fn instruction(&mut self, address: u64) {
        if let Some(run) = &mut self.run {
            run.steps += 1;
            self.word(address | INSTRUCTION);
        }
    }

    /// It accesses memory.
    #[inline]
    pub fn access(&mut self, address: u64) {
        if self.run.is_some() {
            self.word(address & !INSTRUCTION);
        }
    }

    fn word(&mut self, word: u64) {
        let Some(run) = &mut self.run else { return };
        if run.is_first {
            run.full |= self.first.len() == ROOM;
            if !run.full {
                self.first.push(word);
            }
        } else if run.parts.is_none() && self.first.get(run.words) != Some(&word) {
            run.parts = Some(run.words);
        }
        run.words += 1;
    }

    /// The run ends; none if none was begun.
    pub fn end(&mut self) -> Option<Ended> {
        let run = self.run.take()?;
        // It may be shorter, and the same as far as it goes.
        let shorter = (!run.is_first && run.words < self.first.len()).then_some(run.words);
        let parting = run.parts.or(shorter).map(|at| self.place(at));
        Some(Ended { steps: run.steps, full: run.full, parting })
    }

    /// Of a word of the first run: the number of its step, and the instruction that made another word of it. Where
    /// an access parts it is the one that accesses; where the ways part, the branch before.
    fn place(&self, at: usize) -> (u64, u64) {
        let before = &self.first[..at.min(self.first.len())];
        let step = before.iter().filter(|word| *word & INSTRUCTION != 0).count() as u64;
        let culprit = before.iter().rev().find(|word| *word & INSTRUCTION != 0);
        (step.saturating_sub(1), culprit.map_or(0, |word| word & !INSTRUCTION))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions, each with its accesses.
    type Steps<'a> = &'a [(u64, &'a [u64])];

    fn run(watch: &mut Watch, is_first: bool, steps: Steps<'_>) -> Ended {
        watch.begin(is_first);
        for (instruction, accesses) in steps {
            watch.instruction(*instruction);
            accesses.iter().for_each(|&address| watch.access(address));
        }
        watch.end().unwrap()
    }

    #[test]
    fn equal_runs_do_not_part_and_all_others_do() {
        let first: Steps<'_> = &[(16, &[]), (20, &[100, 108]), (24, &[]), (28, &[200])];
        let mut watch = Watch::default();
        // Of no run.
        watch.instruction(1);
        watch.access(2);
        assert_eq!(watch.end(), None);
        let ended = run(&mut watch, true, first);
        assert_eq!(ended, Ended { steps: 4, full: false, parting: None });
        assert_eq!(ended.to_string(), "4 0");
        assert_eq!(run(&mut watch, false, first).parting, None);
        let others: [(Steps<'_>, (u64, u64)); 6] = [
            // Another address of an access.
            (&[(16, &[]), (20, &[100, 109]), (24, &[]), (28, &[200])], (1, 20)),
            // One access less, and one more.
            (&[(16, &[]), (20, &[100]), (24, &[]), (28, &[200])], (1, 20)),
            (&[(16, &[]), (20, &[100, 108, 1]), (24, &[]), (28, &[200])], (1, 20)),
            // A branch.
            (&[(16, &[]), (20, &[100, 108]), (24, &[]), (32, &[200])], (2, 24)),
            // An early end, and a late one.
            (&[(16, &[]), (20, &[100, 108])], (1, 20)),
            (&[(16, &[]), (20, &[100, 108]), (24, &[]), (28, &[200]), (32, &[])], (3, 28)),
        ];
        for (other, parting) in others {
            assert_eq!(run(&mut watch, false, other).parting, Some(parting), "{other:?}");
            // The first stays.
            assert_eq!(run(&mut watch, false, first).parting, None);
        }
        let other = run(&mut watch, false, &[(16, &[])]);
        assert_eq!(other.to_string(), "1 0 0 16");
        // A new first.
        assert_eq!(run(&mut watch, true, &[(4, &[])]).steps, 1);
        assert_eq!(run(&mut watch, false, &[(4, &[])]).parting, None);
    }

    #[test]
    fn an_access_at_the_place_of_an_instruction_is_none() {
        let mut watch = Watch::default();
        run(&mut watch, true, &[(16, &[20])]);
        assert!(run(&mut watch, false, &[(16, &[]), (20, &[])]).parting.is_some());
    }
}
