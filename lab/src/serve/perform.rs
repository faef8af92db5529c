//! Does the work of a request: once for its digest, or timed.

use super::{Denied, Server, failed};
use crate::canary;
use crate::clock::{Clock, Counter};
use crate::cold::Cold;
use crate::input::{RING, SETUP_CHECK_BYTES, batch_messages, messages};
use crate::reply::Measured;
use crate::request::{Task, Timing};
use crate::ring::{Keys, Ring};
use crate::sample::{Sampler, Series, Walk};
use crate::work::{Fault, Notes, Refusal};
use crate::{Cell, Mix, Model, Shape, shape};

impl Server<'_> {
    fn keys(&self, task: &Task) -> Result<Keys, Denied> {
        let (key_bytes, cell) = (self.offer(task)?.key_bytes as usize, &task.cell);
        let slots = match cell.model {
            Model::Batch => RING.max(batch_messages(task.call_bytes(), cell.messages, cell.mix)),
            _ => RING,
        };
        let keys = Keys::with_slots(task.seed, slots, key_bytes, cell.nonce_bytes as usize);
        Ok(keys.with_aad(task.seed, cell.aad_bytes as usize))
    }

    /// The ring of a task, for messages of `size` bytes: filled, and sealed where the
    /// operation opens.
    fn ring(&self, task: &Task, keys: &Keys, size: u64) -> Result<Ring, Denied> {
        let (offer, cell) = (self.offer(task)?, &task.cell);
        let count = match cell.model {
            Model::Batch => batch_messages(size, cell.messages, cell.mix),
            _ => messages(size),
        };
        let lengths = cell.mix.lengths(task.seed, size, count).unwrap_or_default();
        let lengths = lengths.into_iter().map(usize::try_from).collect::<Result<_, _>>();
        let lengths = lengths
            .map_err(|_| Refusal(format!("a message of {size} bytes does not fit into memory")))?;
        let ring =
            Ring::generate(task.seed, keys.clone(), lengths, cell.placement, cell.unaligned)?;
        let mut ring = ring.with_tags(offer.shape(), offer.tag_bytes as usize);
        if offer.shape() == Shape::Open
            && let Some(operation) = shape::sealing(&cell.operation)
        {
            let model = Model::Message;
            let cell = Cell { operation, model, size, threads: 1, ..cell.one_by_one() };
            let mut outcome = Err("the engine");
            self.engine.prepare(&cell, keys, &mut |work| outcome = ring.seal(work))?;
            outcome.map_err(failed)?;
        }
        Ok(ring)
    }

    pub(super) fn check(&mut self, task: &Task) -> Result<String, Denied> {
        if let Some(digest) = self.digests.get(task) {
            return Ok(digest.clone());
        }
        let keys = self.keys(task)?;
        // Set-up leaves no output: what it set up is put to work.
        let (model, size) = match task.cell.model {
            Model::Init => (Model::Packet, SETUP_CHECK_BYTES),
            Model::Key => (Model::Message, SETUP_CHECK_BYTES),
            model => (model, task.call_bytes()),
        };
        let cell = Cell { model, size, ..task.cell.clone() };
        let mut ring = self.ring(task, &keys, size)?;
        let mut outcome = Err("the engine");
        if model == Model::Batch {
            let batches = ring.batches(cell.messages as usize);
            let count = batches.len();
            self.engine.prepare_batch(&cell, &keys, batches, &mut |work| {
                outcome = (0..count).try_for_each(&mut *work);
            })?;
        } else {
            self.engine.prepare(&cell, &keys, &mut |work| {
                outcome = (0..ring.buffers())
                    .try_for_each(|index| work(ring.message(index % RING, index)));
            })?;
        }
        outcome.map_err(failed)?;
        let digest = ring.digest();
        self.digests.insert(task.clone(), digest.clone());
        Ok(digest)
    }

    pub(super) fn measure(&mut self, task: &Task, timing: Timing) -> Result<Measured, Denied> {
        let digest = self.check(task)?;
        let keys = self.keys(task)?;
        let (cell, call_bytes) = (&task.cell, task.call_bytes());
        let mut ring = self.ring(task, &keys, call_bytes)?;
        let walk = match cell.model {
            Model::Latency => Walk::OnTheSpot,
            _ if self.offer(task)?.shape() == Shape::Open => Walk::Paired,
            _ => Walk::Around,
        };
        let there = self.engine.elsewhere(cell, ring.message(0, 0))?;
        if timing.beside.is_some() && (there.is_some() || cell.cold || cell.threads > 1) {
            let why = "it is measured beside others with warm caches and one thread a process";
            return Err(Refusal::from(why).into());
        }
        if timing.beside.is_some_and(|it| it.single) && cell.mix != Mix::Equal {
            let why = "single calls are measured of equal lengths";
            return Err(Refusal::from(why).into());
        }
        if there.is_some() && (cell.unaligned > 0 || cell.cold) {
            let why = "work that another process times has buffers of its own, aligned and warm";
            return Err(Refusal::from(why).into());
        }
        let clock = if there.is_some() { Clock::Wall } else { Clock::best() };
        let sampler = *self.sampler.get_or_insert_with(|| Sampler::new(clock));
        if cell.cold && self.cold.is_none() {
            self.cold = Some(Cold::new()?);
        }
        let cold = self.cold.as_ref().filter(|_| cell.cold);
        let load_of = self.load_of;
        let load = self.loads.entry(cell.level.clone()).or_insert_with(|| load_of(&cell.level));
        let mut watched = Watched::new(sampler, load);
        // Of several threads it would count one.
        if cell.threads == 1 && there.is_none() {
            watched.counter = self.counter.as_mut();
        }
        let notes = if let Some(there) = there.as_deref() {
            let series = || sampler.elsewhere(there, timing);
            watched.take(&|| there.switches(), series);
            Notes::default()
        } else if cell.model == Model::Batch {
            let batches = ring.batches(cell.messages as usize);
            let (count, round) = (batches.len(), cell.mix != Mix::Equal);
            self.engine.prepare_batch(cell, &keys, batches, &mut |work| {
                watched.take(&canary::switches, || match cold {
                    Some(cold) => sampler.cold_batches(work, count, cold, timing),
                    None => sampler.batches(work, count, round, timing),
                });
            })?
        } else {
            self.engine.prepare(cell, &keys, &mut |work| {
                watched.take(&canary::switches, || match cold {
                    Some(cold) => sampler.cold(work, &mut ring, walk, cold, timing),
                    None => sampler.series(work, &mut ring, walk, timing),
                });
            })?
        };
        let Watched { outcome, before, after, switches, rate, .. } = watched;
        let series = outcome.map_err(failed)?;
        Ok(Measured {
            digest,
            clock: sampler.clock.name().to_owned(),
            repeats: series.repeats,
            call_bytes,
            samples: series.samples,
            chain: vec![before.0, after.0],
            load: vec![before.1, after.1],
            counter: rate,
            // Most of them fell into the time in which caches were emptied.
            switches: switches.filter(|_| cold.is_none()),
            window: series.window,
            timer: timing.beside.map(|_| sampler.overhead),
            flags: notes.flags,
            remark: notes.remark,
        })
    }
}

/// A series between its canaries.
struct Watched<'l> {
    sampler: Sampler,
    load: &'l mut canary::Load,
    outcome: Result<Series, Fault>,
    before: (f64, f64),
    after: (f64, f64),
    switches: Option<u64>,
    counter: Option<&'l mut Counter>,
    /// Core cycles a tick by that counter.
    rate: Option<f64>,
}

impl<'l> Watched<'l> {
    fn new(sampler: Sampler, load: &'l mut canary::Load) -> Self {
        Self {
            sampler,
            load,
            outcome: Err("the engine"),
            before: (0.0, 0.0),
            after: (0.0, 0.0),
            switches: None,
            counter: None,
            rate: None,
        }
    }

    fn take(
        &mut self,
        switches: &dyn Fn() -> Option<u64>,
        series: impl FnOnce() -> Result<Series, Fault>,
    ) {
        self.before = self.canaries();
        let turns = switches();
        let (cycles, start) = (self.cycles(), self.sampler.clock.ticks());
        self.outcome = series();
        let ticks = self.sampler.clock.ticks().saturating_sub(start);
        let cycles = cycles.zip(self.cycles()).map(|(from, to)| to.saturating_sub(from));
        self.rate = cycles.map(|it| it as f64 / ticks.max(1) as f64).filter(|rate| *rate > 0.0);
        self.switches = turns.zip(switches()).map(|(from, to)| to.saturating_sub(from));
        self.after = self.canaries();
    }

    fn cycles(&mut self) -> Option<u64> {
        self.counter.as_mut()?.cycles()
    }

    fn canaries(&mut self) -> (f64, f64) {
        let Sampler { clock, overhead, .. } = self.sampler;
        (canary::chain(clock, overhead), canary::load(clock, overhead, self.load))
    }
}
