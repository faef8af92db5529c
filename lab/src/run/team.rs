//! The processes of one engine, one for each CPU, that work at the same time.

use std::thread;

use super::Options;
use super::engine_pool::enlist;
use crate::LabError;
use crate::engine::{Answer, Process};
use crate::reply::Measured;
use crate::request::{Task, Timing};
use crate::study::cores;

/// The processes.
pub(super) struct Team {
    pub(super) engine: usize,
    processes: Vec<Process>,
}

/// Why there is no figure.
pub(super) enum Trouble {
    /// For this reason, which another series need not share.
    Refused(String),
    /// A process failed or was lost.
    Failed(LabError),
}

impl From<LabError> for Trouble {
    fn from(error: LabError) -> Self {
        Self::Failed(error)
    }
}

impl Trouble {
    pub(super) fn refused(reason: &str) -> Self {
        Self::Refused(reason.to_owned())
    }
}

impl Team {
    /// Starts a process for each CPU.
    pub(super) fn start(engine: usize, name: &str, options: &Options) -> Result<Self, LabError> {
        let start = |_| enlist(name, options).map(|(process, _)| process);
        let processes = (0..cores()).map(start).collect::<Result<_, _>>()?;
        Ok(Self { engine, processes })
    }

    /// Has all of them do the work once; it must be what was checked before.
    pub(super) fn check(&mut self, task: &Task, digest: &str) -> Result<(), Trouble> {
        let digests = self.at_once(|process| process.check(task))?;
        if digests.iter().all(|it| it == digest) { Ok(()) } else { Err(differs()) }
    }

    /// Has one of them measure while the others wait.
    pub(super) fn one(
        &mut self,
        turn: usize,
        task: &Task,
        timing: Timing,
        digest: &str,
    ) -> Result<Measured, Trouble> {
        let place = turn % self.processes.len();
        let measured = done(self.processes[place].measure(task, timing)?)?;
        if measured.digest == digest { Ok(measured) } else { Err(differs()) }
    }

    /// Has all of them measure at once. None if some took samples while others did no work.
    pub(super) fn all(
        &mut self,
        task: &Task,
        timing: Timing,
        digest: &str,
    ) -> Result<Option<Vec<Measured>>, Trouble> {
        let all = self.at_once(|process| process.measure(task, timing))?;
        if all.iter().any(|it| it.digest != digest) {
            return Err(differs());
        }
        let around_us = timing.beside.map_or(0, |it| it.around_us);
        Ok(together(&all, around_us).then_some(all))
    }

    fn at_once<T: Send>(
        &mut self,
        ask: impl Fn(&mut Process) -> Result<Answer<T>, LabError> + Sync,
    ) -> Result<Vec<T>, Trouble> {
        let ask = &ask;
        let answers: Vec<Result<Answer<T>, LabError>> = thread::scope(|scope| {
            let asked = self.processes.iter_mut().map(|it| scope.spawn(move || ask(it)));
            let asked: Vec<_> = asked.collect();
            let join = |it: thread::ScopedJoinHandle<'_, _>| {
                it.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            asked.into_iter().map(join).collect()
        });
        answers.into_iter().map(|answer| done(answer?)).collect()
    }
}

fn done<T>(answer: Answer<T>) -> Result<T, Trouble> {
    match answer {
        Answer::Done(done) => Ok(done),
        Answer::Refused(reason) => Err(Trouble::Refused(reason)),
    }
}

fn differs() -> Trouble {
    Trouble::refused("outputs differ from those checked before")
}

/// Whether every process took its samples while all others were at work, which go on for so long
/// before and after their own.
fn together(all: &[Measured], around_us: u64) -> bool {
    let windows = all.iter().map(|it| it.window).collect::<Option<Vec<_>>>();
    let Some(windows) = windows else { return false };
    let apart = |of: fn(&(u64, u64)) -> u64| {
        let (least, most) = (windows.iter().map(of).min(), windows.iter().map(of).max());
        most.zip(least).map_or(0, |(most, least)| most - least)
    };
    apart(|it| it.0) <= around_us * 1000 && apart(|it| it.1) <= around_us * 1000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_count_only_while_all_are_at_work() {
        let of = |list: &[(u64, u64)]| {
            let one = |it: &(u64, u64)| Measured { window: Some(*it), ..Measured::default() };
            together(&list.iter().map(one).collect::<Vec<_>>(), 1)
        };
        assert!(of(&[(1, 5), (1001, 1005)]));
        assert!(!of(&[(1, 5), (1002, 1005)]));
        assert!(!of(&[(1, 5), (2, 1006)]));
        assert!(!together(&[Measured::default()], 1));
    }
}
