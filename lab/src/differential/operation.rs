//! One operation of two engines: what they share, and the runs of it.

use std::thread;

use super::runs::{AAD, LITTLE_AAD, Plan, Run, models};
use super::{Compared, Difference, LONG, Options};
use crate::engine::{Answer, Process};
use crate::random::Draw;
use crate::reply::{Description, Offer};
use crate::request::{Request, Task};
use crate::{Cell, LabError, Model, Placement};

/// An operation that both engines have.
pub(super) struct Pair {
    ours: Offer,
    theirs: Offer,
    levels: Vec<String>,
    nonces: Vec<u32>,
}

/// Whether one engine could do a task.
type Done = Result<String, String>;

impl Pair {
    /// What the two share of an operation, or why they can't be compared.
    pub(super) fn new(
        ours: &Offer,
        levels: &[String],
        engine: &Description,
    ) -> Result<Self, String> {
        let (algorithm, operation, name) = (&ours.algorithm, &ours.operation, &engine.engine);
        let mut wrong = engine.known_wrong.iter();
        if let Some(wrong) =
            wrong.find(|it| it.algorithm == *algorithm && it.operation == *operation)
        {
            return Err(wrong.reason.clone());
        }
        let Some(theirs) = engine.offer(algorithm, operation) else {
            return Err(format!("{name} offers no {algorithm}/{operation}"));
        };
        let differ = |what: &str, ours: u32, theirs: u32| {
            Err(format!("its {what} has {theirs} bytes where ours has {ours}"))
        };
        if ours.key_bytes != theirs.key_bytes {
            return differ("key", ours.key_bytes, theirs.key_bytes);
        }
        if ours.tag_bytes != theirs.tag_bytes {
            return differ("tag", ours.tag_bytes, theirs.tag_bytes);
        }
        let shared = |bytes: &&u32| theirs.nonce_bytes.contains(bytes);
        let nonces: Vec<u32> = ours.nonce_bytes.iter().filter(shared).copied().collect();
        if nonces.is_empty() {
            return differ("nonce", ours.nonce_bytes[0], theirs.nonce_bytes[0]);
        }
        if models(theirs).next().is_none() {
            return Err(format!("{name} has it in none of the models packet, message and batch"));
        }
        let levels = levels.to_vec();
        Ok(Self { ours: ours.clone(), theirs: theirs.clone(), levels, nonces })
    }

    /// Takes away the levels that the engine lists but refuses on this machine, and says why
    /// each is not compared.
    pub(super) fn leave_out(&mut self, theirs: &mut Process) -> Result<Vec<String>, LabError> {
        let granule = u64::from(self.ours.granule.max(self.theirs.granule));
        let (mut levels, mut reasons) = (Vec::new(), Vec::new());
        for level in &self.theirs.levels {
            let mut refused = None;
            for size in sizes(granule) {
                refused = match theirs.check(&self.task(&self.theirs, level, size)) {
                    Ok(Answer::Refused(reason)) => Some(reason),
                    // What it fails at is found again, and told as a failure.
                    Ok(Answer::Done(_)) | Err(LabError::Failed { .. }) => None,
                    Err(error) => return Err(error),
                };
                if refused.is_none() {
                    break;
                }
            }
            match refused {
                None => levels.push(level.clone()),
                Some(reason) => reasons.push(reason),
            }
        }
        self.theirs.levels = levels;
        Ok(reasons)
    }

    /// Whether there is a level that the engine does not refuse.
    pub(super) fn can_be_compared(&self) -> bool {
        !self.theirs.levels.is_empty()
    }

    /// One length, asked of one engine at a level.
    fn task(&self, offer: &Offer, level: &str, size: u64) -> Task {
        let cell = Cell {
            placement: offer.shape().only().unwrap_or(Placement::InPlace),
            nonce_bytes: self.nonces[0],
            level: level.to_owned(),
            ..Cell::new(&offer.algorithm, &offer.operation, model(offer), size)
        };
        Task { cell, seed: 1, buffer: None }
    }

    /// Runs until all messages are done or one differs.
    pub(super) fn compare(
        &self,
        ours: &mut Process,
        theirs: &mut Process,
        options: &Options,
    ) -> Result<Compared, LabError> {
        let mut compared = Compared {
            engine: theirs.name().to_owned(),
            algorithm: self.ours.algorithm.clone(),
            operation: self.ours.operation.clone(),
            levels: self.levels.clone(),
            messages: 0,
            single_lengths: false,
            difference: None,
        };
        let least = match self.least(ours, theirs)? {
            Ok(least) => least,
            Err(difference) => {
                compared.difference = Some(difference);
                return Ok(compared);
            }
        };
        let granule = self.ours.granule.max(self.theirs.granule);
        let (levels, nonces) = (&self.levels, &self.nonces);
        let long = self.takes_long(theirs)?;
        let (mine, other) = (&self.ours, &self.theirs);
        let aad = self.most_aad(theirs)?;
        let plan = Plan { ours: mine, theirs: other, levels, nonces, granule, least, long, aad };
        let mut number = 0;
        while compared.messages < u64::from(options.messages) && compared.difference.is_none() {
            let left = u64::from(options.messages) - compared.messages;
            let run = plan.run(number, left, options.seed);
            number += 1;
            if !compared.single_lengths {
                let (mine, other) = both(
                    || random(ours, &run.ours, run.draw),
                    || random(theirs, &run.theirs, run.draw),
                );
                let (mine, other) = (mine?, other?);
                if matches!(&other, Err(reason) if reason.contains("`random`")) {
                    compared.single_lengths = true;
                } else {
                    compared.messages += u64::from(run.draw.messages);
                    if mine != other || mine.is_err() {
                        compared.difference = Some(first(ours, theirs, &run, &self.ours)?);
                    }
                    continue;
                }
            }
            let (task, other, messages) = plan.single(&run);
            let (mine, other) = both(|| check(ours, &task), || check(theirs, &other));
            let (mine, other) = (mine?, other?);
            compared.messages += messages;
            if mine != other || mine.is_err() {
                let request = Request::Check(task).to_string();
                let what = verdict(&mine, &other, theirs.name());
                compared.difference = Some(Difference { request, what });
            }
        }
        compared.messages = compared.messages.min(options.messages.into());
        Ok(compared)
    }

    /// Whether the engine takes the longest messages: some libraries keep a limit of the
    /// specification.
    fn takes_long(&self, theirs: &mut Process) -> Result<bool, LabError> {
        let offer = &self.theirs;
        let granule = u64::from(self.ours.granule.max(offer.granule));
        let size = LONG.next_multiple_of(granule);
        match theirs.check(&self.task(offer, &offer.levels[0], size)) {
            Ok(Answer::Refused(_)) => Ok(false),
            Ok(Answer::Done(_)) | Err(LabError::Failed { .. }) => Ok(true),
            Err(error) => Err(error),
        }
    }

    /// How much associated data the engine is given: less to one that refuses the usual.
    fn most_aad(&self, theirs: &mut Process) -> Result<u32, LabError> {
        let offer = &self.theirs;
        let granule = u64::from(self.ours.granule.max(offer.granule));
        let mut task = self.task(offer, &offer.levels[0], granule.next_multiple_of(16));
        task.cell.aad_bytes = if offer.shape().takes_aad() { AAD } else { 0 };
        match theirs.check(&task) {
            Ok(Answer::Refused(_)) => Ok(LITTLE_AAD),
            Ok(Answer::Done(_)) | Err(LabError::Failed { .. }) => Ok(AAD),
            Err(error) => Err(error),
        }
    }

    /// Whether the engine takes messages of no bytes, as far as it can be asked.
    fn takes_nothing(&self, theirs: &mut Process, granule: u64) -> Result<bool, LabError> {
        let offer = &self.theirs;
        let task = self.task(offer, &offer.levels[0], granule);
        // Of two lengths, none and a block; all of so many messages will hardly have the same.
        let draw = Draw { messages: 64, least: 0, granule: self.ours.granule.max(offer.granule) };
        let answer = random(theirs, &task, draw)?;
        Ok(match answer {
            Ok(_) => true,
            Err(reason) => reason.contains("`random`"),
        })
    }

    /// The least length that both take; a failure to take any is a difference.
    fn least(
        &self,
        ours: &mut Process,
        theirs: &mut Process,
    ) -> Result<Result<u64, Difference>, LabError> {
        let granule = u64::from(self.ours.granule.max(self.theirs.granule));
        let mut last = None;
        for size in sizes(granule) {
            let mine = self.task(&self.ours, &self.levels[0], size);
            let other = self.task(&self.theirs, &self.theirs.levels[0], size);
            let outcome = (check(ours, &mine)?, check(theirs, &other)?);
            if let (Ok(_), Ok(_)) = outcome {
                // Nothing at all is a message of what has associated data or a tag, though not
                // to every library.
                let none = size == granule
                    && self.ours.tag_bytes > 0
                    && self.takes_nothing(theirs, granule)?;
                return Ok(Ok(if none { 0 } else { size }));
            }
            let what = verdict(&outcome.0, &outcome.1, theirs.name());
            last = Some(Difference { request: Request::Check(mine).to_string(), what });
        }
        Ok(Err(last.expect("three sizes were tried")))
    }
}

/// The model in which an engine is asked for one length.
fn model(offer: &Offer) -> Model {
    models(offer).next().unwrap_or(Model::Message)
}

/// The lengths that are tried before it is said that an engine can't do an operation.
fn sizes(granule: u64) -> [u64; 3] {
    [granule, granule.next_multiple_of(16).max(16), 64 * granule]
}

/// Asks both engines at the same time.
fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    thread::scope(|scope| {
        let first = scope.spawn(first);
        let second = second();
        (first.join().expect("asking does not panic"), second)
    })
}

/// A digest, or why there is none.
fn random(process: &mut Process, task: &Task, draw: Draw) -> Result<Done, LabError> {
    done(process.random(task, draw))
}

fn check(process: &mut Process, task: &Task) -> Result<Done, LabError> {
    done(process.check(task))
}

fn done(answer: Result<Answer<String>, LabError>) -> Result<Done, LabError> {
    match answer {
        Ok(Answer::Done(digest)) => Ok(Ok(digest)),
        Ok(Answer::Refused(reason)) | Err(LabError::Failed { reason, .. }) => Ok(Err(reason)),
        Err(error) => Err(error),
    }
}

/// What two answers that differ say.
fn verdict(ours: &Done, theirs: &Done, name: &str) -> String {
    match (ours, theirs) {
        (Err(reason), _) => format!("ours: {reason}"),
        (_, Err(reason)) => format!("{name}: {reason}"),
        _ => "the outputs differ".to_owned(),
    }
}

/// The first message of a run that differs: the shortest run with a difference ends in it.
fn first(
    ours: &mut Process,
    theirs: &mut Process,
    run: &Run,
    offer: &Offer,
) -> Result<Difference, LabError> {
    let mut outcome = |messages| {
        let draw = Draw { messages, ..run.draw };
        let pair = (random(ours, &run.ours, draw)?, random(theirs, &run.theirs, draw)?);
        let differ = pair.0 != pair.1 || pair.0.is_err();
        Ok::<_, LabError>((differ, pair))
    };
    let (mut same, mut differ) = (0, run.draw.messages);
    while differ - same > 1 {
        let middle = same + (differ - same) / 2;
        if outcome(middle)?.0 { differ = middle } else { same = middle }
    }
    let (_, pair) = outcome(differ)?;
    let why = verdict(&pair.0, &pair.1, theirs.name());
    let number = u64::from(differ) - 1;
    let (cell, seed) = (&run.ours.cell, run.ours.seed);
    let drawn = run.draw.message(cell, seed, offer.shape(), number);
    let what = format!(
        "{why} at message {number}: {} bytes, {} bytes of associated data, {}",
        drawn.length, drawn.aad_bytes, drawn.placement
    );
    let draw = Draw { messages: differ, ..run.draw };
    Ok(Difference { request: Request::Random(run.ours.clone(), draw).to_string(), what })
}
