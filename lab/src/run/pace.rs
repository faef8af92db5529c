//! How long an engine takes for the calls of a cell, told by shorter calls: what would take minutes
//! is left out by name before it is asked.

use std::collections::BTreeMap;
use std::time::Duration;

use super::Options;
use crate::Model;
use crate::input::{batch_messages, messages};
use crate::request::Task;

/// The longest call, in times of what a row may take. A row has at least nine calls.
const LONGEST: u32 = 10;

/// The fewest bytes that tell a pace: below them the pipe and the set-ups take the time.
const FEWEST: u64 = 4096;

/// What was seen of one operation of an engine at a level.
#[derive(Clone, Copy, Debug)]
struct Seen {
    bytes: u64,
    seconds: f64,
}

/// What was seen of each.
#[derive(Debug, Default)]
pub(super) struct Paces(BTreeMap<(usize, String, String, String), Seen>);

impl Paces {
    /// Takes in how long a check took. Of several, that of the most bytes tells most.
    pub(super) fn learn(&mut self, engine: usize, task: &Task, took: Duration) {
        let bytes = checked(task);
        let seen = Seen { bytes, seconds: took.as_secs_f64() };
        if bytes >= FEWEST && self.of(engine, task).is_none_or(|known| known.bytes <= bytes) {
            self.0.insert(key(engine, task), seen);
        }
    }

    /// Why a cell is not asked for, if a call of it takes too long.
    pub(super) fn too_long(&self, engine: usize, task: &Task, options: &Options) -> Option<String> {
        let seen = self.of(engine, task)?;
        let call = task.call_bytes().saturating_mul(u64::from(task.cell.messages));
        if call <= seen.bytes {
            return None;
        }
        let seconds = seen.seconds / seen.bytes as f64 * call as f64;
        let times = if options.quick { 1 } else { LONGEST };
        let most = options.budget.as_secs_f64() * f64::from(times);
        (seconds > most).then(|| {
            let (call, budget) = (seconds.ceil(), options.budget.as_secs_f64());
            let enough = (call / f64::from(times)).ceil();
            format!(
                "a call takes about {call} s, too long for a row of {budget} s; `--time {enough}` \
                 measures it"
            )
        })
    }

    fn of(&self, engine: usize, task: &Task) -> Option<&Seen> {
        self.0.get(&key(engine, task))
    }
}

fn key(engine: usize, task: &Task) -> (usize, String, String, String) {
    let cell = &task.cell;
    (engine, cell.level.clone(), cell.algorithm.clone(), cell.operation.clone())
}

/// The bytes of a check: every message of the ring once.
fn checked(task: &Task) -> u64 {
    let (cell, size) = (&task.cell, task.call_bytes());
    let messages = match cell.model {
        Model::Batch => batch_messages(size, cell.messages, cell.mix),
        _ => messages(size),
    };
    size.saturating_mul(messages as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    fn task(model: Model, size: u64, messages: u32) -> Task {
        let cell = Cell { messages, ..Cell::new("toy", "cfb8-encrypt", model, size) };
        Task { cell, seed: 1, buffer: None }
    }

    #[test]
    fn what_shorter_calls_say_is_too_long_is_not_asked() {
        let mut options = Options::new("nowhere".into());
        let mut paces = Paces::default();
        let long = task(Model::Batch, 1 << 20, 16);
        assert_eq!(paces.too_long(0, &long, &options), None, "nothing is known");
        // 64 KiB in 0.1 s: 16 MiB in 25.6 s.
        paces.learn(0, &task(Model::Packet, 1024, 1), Duration::from_millis(100));
        // Too short to tell anything.
        paces.learn(0, &task(Model::Key, 0, 1), Duration::from_secs(9));
        let reason = paces.too_long(0, &long, &options).expect("10 s are the most");
        assert!(reason.contains("about 26 s") && reason.contains("`--time 3`"), "{reason}");
        options.budget = Duration::from_secs(3);
        assert_eq!(paces.too_long(0, &long, &options), None);
        options.quick = true;
        let reason = paces.too_long(0, &long, &options).expect("3 s are the most");
        assert!(reason.contains("row of 3 s; `--time 26`"), "{reason}");
        // Another engine, another level, and what is no longer than what was seen.
        assert_eq!(paces.too_long(1, &long, &options), None);
        let other = Cell { level: "avx2".into(), ..long.cell.clone() };
        assert_eq!(paces.too_long(0, &Task { cell: other, ..long }, &options), None);
        assert_eq!(paces.too_long(0, &task(Model::Message, 1024, 1), &options), None);
    }

    #[test]
    fn the_longest_check_tells_the_pace() {
        let options = Options::new("nowhere".into());
        let mut paces = Paces::default();
        let long = task(Model::Message, 1 << 30, 1);
        paces.learn(0, &task(Model::Message, 1 << 20, 1), Duration::from_millis(1));
        paces.learn(0, &task(Model::Message, 64, 1), Duration::from_secs(1));
        assert_eq!(paces.too_long(0, &long, &options), None, "a second for 1 GiB");
    }
}
