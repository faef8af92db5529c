//! Which messages a run has, and in which model and at which level each engine does them.

use super::{LONG, RUN, SHORT};
use crate::input::messages;
use crate::random::Draw;
use crate::reply::Offer;
use crate::request::Task;
use crate::{Cell, KeySetup, Model, Placement};

/// The runs of an operation.
pub(super) struct Plan<'p> {
    pub(super) ours: &'p Offer,
    pub(super) theirs: &'p Offer,
    pub(super) levels: &'p [String],
    pub(super) nonces: &'p [u32],
    pub(super) granule: u32,
    pub(super) least: u64,
    /// Whether some runs have long messages.
    pub(super) long: bool,
    /// The most associated data of a message in bytes.
    pub(super) aad: u32,
}

/// One run: the same messages to both.
pub(super) struct Run {
    pub(super) ours: Task,
    pub(super) theirs: Task,
    pub(super) draw: Draw,
}

/// The most associated data of a message in bytes.
pub(super) const AAD: u32 = 300;

/// The same for a library that takes little of it.
pub(super) const LITTLE_AAD: u32 = 32;

/// Messages a call of the runs in model `batch`.
const CALLS: [u32; 4] = [16, 64, 7, 33];

impl Plan<'_> {
    /// The run of that number, with at most so many messages.
    pub(super) fn run(&self, number: u64, most: u64, seed: u64) -> Run {
        let turn = |among: usize, every: u64| (number / every % among as u64) as usize;
        let longest = if self.long && number % 17 == 16 { LONG } else { SHORT };
        let granule = u64::from(self.granule);
        let size = (longest / granule * granule).max(self.least);
        let base = |offer: &Offer, level: &str, model| Cell {
            placement: offer.shape().only().unwrap_or(Placement::InPlace),
            nonce_bytes: self.nonces[turn(self.nonces.len(), 1)],
            aad_bytes: if offer.shape().takes_aad() { self.aad } else { 0 },
            level: level.to_owned(),
            ..Cell::new(&offer.algorithm, &offer.operation, model, size)
        };
        // Levels change when every model has had its turn.
        let mine = with_batches(self.ours);
        let (model, keys) = mine[turn(mine.len(), 1)];
        let level = &self.levels[turn(self.levels.len(), mine.len() as u64)];
        let calls = if model == Model::Batch { CALLS[turn(CALLS.len(), 3)] } else { 1 };
        let ours = Cell { messages: calls, keys, ..base(self.ours, level, model) };
        let other: Vec<Model> = models(self.theirs).collect();
        let level = &self.theirs.levels[turn(self.theirs.levels.len(), 1)];
        let model = other[turn(other.len(), 1)];
        let calls = if model == Model::Batch { CALLS[turn(CALLS.len(), 1)] } else { 1 };
        let theirs = Cell { messages: calls, ..base(self.theirs, level, model) };
        let task = |cell| Task { cell, seed: seed.wrapping_add(number), buffer: None };
        let messages = u64::from(RUN).min(most) as u32;
        let draw = Draw { messages, least: self.least, granule: self.granule };
        Run { ours: task(ours), theirs: task(theirs), draw }
    }

    /// The same for an engine that knows no random messages: one length, that of the run's
    /// first message, and how many messages that are.
    pub(super) fn single(&self, run: &Run) -> (Task, Task, u64) {
        let (cell, seed) = (&run.ours.cell, run.ours.seed);
        let drawn = run.draw.message(cell, seed, self.ours.shape(), 0);
        let size = drawn.length.max(u64::from(self.granule));
        let one = |task: &Task| {
            let cell = task.cell.one_by_one();
            let (aad_bytes, placement) = (drawn.aad_bytes, drawn.placement);
            Task { cell: Cell { size, aad_bytes, placement, ..cell }, ..task.clone() }
        };
        (one(&run.ours), one(&run.theirs), messages(size) as u64)
    }
}

/// The models that an engine is asked in: those of single messages, and batches where it has
/// no other.
pub(super) fn models(offer: &Offer) -> impl Iterator<Item = Model> {
    let singles = [Model::Packet, Model::Message];
    let none = singles.iter().all(|model| !offer.models.contains(model));
    let batch = none.then_some(Model::Batch);
    singles.into_iter().chain(batch).filter(|model| offer.models.contains(model))
}

/// The same models, and batches with the keys of each.
fn with_batches(offer: &Offer) -> Vec<(Model, KeySetup)> {
    let batches = |model: Model| [(model, model.keys()), (Model::Batch, model.keys())];
    let batch = offer.models.contains(&Model::Batch);
    let both = models(offer).flat_map(batches);
    both.filter(|(model, _)| *model != Model::Batch || batch).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_level_meets_every_model_and_some_runs_are_long() {
        let offer = |text: &str| text.parse::<Offer>().expect("an offer");
        let ours = offer("a/ctr:x,y,z,v,w:init,packet,message,batch:16:12,16:1:0");
        let theirs = offer("a/ctr:-:packet,message:16:16,12:4:0");
        let levels = ours.levels.clone();
        let (ours, theirs, nonces) = (&ours, &theirs, &[12, 16][..]);
        let plan = Plan {
            ours,
            theirs,
            levels: &levels,
            nonces,
            granule: 4,
            least: 4,
            long: true,
            aad: AAD,
        };
        let (mut seen, mut long) = (BTreeSet::new(), BTreeSet::new());
        for number in 0..100 {
            let run = plan.run(number, 1000, 1);
            let cell = &run.ours.cell;
            assert!(cell.size.is_multiple_of(4));
            assert_eq!((run.draw.messages, run.ours.seed), (100, 1 + number));
            assert_eq!(
                (cell.size, cell.nonce_bytes),
                (run.theirs.cell.size, run.theirs.cell.nonce_bytes)
            );
            seen.insert((cell.level.clone(), cell.model, cell.keys));
            if cell.size > SHORT {
                long.insert((cell.model, cell.keys));
            }
            let (one, other, messages) = plan.single(&run);
            assert_eq!((one.cell.size, one.cell.messages), (other.cell.size, 1));
            assert!(messages > 10);
        }
        assert_eq!((seen.len(), long.len()), (5 * 4, 4));
        assert_eq!(plan.run(3, 7, 1).draw.messages, 7);
        assert!(plan.run(16, 1000, 1).ours.cell.size > SHORT);
        // An engine that has batches only is asked for batches.
        let batches = offer("a/ctr:-:batch:16:16,12:4:0");
        let only = Plan { theirs: &batches, ..plan };
        for number in 0..20 {
            let cell = only.run(number, 1000, 1).theirs.cell;
            assert!(cell.model == Model::Batch && CALLS.contains(&cell.messages), "{cell}");
        }
        let short = Plan { long: false, ..plan };
        assert!((0..100).all(|number| short.run(number, 1000, 1).ours.cell.size <= SHORT));
    }
}
