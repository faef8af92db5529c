//! Traces: what is stepped through, and what came of it.

use super::{Effort, Record, cells};
use crate::calls::{Call, Way, calls};
use crate::functions::Functions;
use crate::leaks::Leak;
use crate::share::{Share, claims};
use crate::step::SEES_DIVISIONS;
use crate::traces::{Cell, Tracer, Verdict};
use crate::unpadding::Unpadding;
use cipherlane::Level;
use cipherlane::modes::Padding;
use cipherlane::registry::{self, ALGORITHMS, Algorithm, Constructor, Kind, operations};

/// One message, and three of a batch.
const SHORT: [usize; 1] = [100];
/// The same at the portable level, whose blocks take thousands of steps each: more than one
/// where a mode takes parts of blocks.
const SHORTER: [usize; 1] = [17];
const BATCH: [usize; 3] = [16, 100, 67];
const SMALL_BATCH: [usize; 2] = [16, 40];
/// In lanes: as many messages as fill a register of most levels, none short enough for a chain of its own.
const NINE: [usize; 9] = lengths();
/// As many as it takes before MICKEY's bit-planes are worth a pass, and more than a register of 64 bytes has
/// lanes: of stream ciphers, and at the best level of blocks of 8 bytes.
const MANY: [usize; 33] = lengths();
/// A sealed message with no associated data beside it.
const SEALED: [usize; 1] = [48];

/// Lengths beyond 64 bytes, in turn; one is whole blocks.
const fn lengths<const N: usize>() -> [usize; N] {
    let (mut lengths, mut i) = ([0; N], 0);
    while i < N {
        lengths[i] = [100, 67, 80][i % 3];
        i += 1;
    }
    lengths
}
/// More than the widest tile of any level.
const LONG: [usize; 1] = [1040];
/// What a full run adds; at the portable level, [`LESS`].
const MORE: [&[usize]; 2] = [&[0], &[17]];
const LESS: [usize; 1] = [40];
/// An operation whose short message takes more steps than this has no long one in a quick
/// run: it goes block by block, and its kernel was seen.
const FEW: usize = 12_000;

/// The secrets of each comparison.
const fn secrets(effort: Effort) -> usize {
    match effort {
        Effort::Quick => 2,
        Effort::Full => 3,
    }
}

fn record(record: Record, verdict: Result<Verdict, String>) -> Record {
    match verdict {
        Err(fault) => Record { fault: Some(fault), ..record },
        Ok(Verdict { steps, widest, parting }) => {
            let fault = parting.map(|it| {
                let (secret, step) = (it.secret, it.step);
                format!("secret {secret} parts at step {step}, program+{:#x}", it.instruction)
            });
            Record { count: steps, widest, fault, ..record }
        }
    }
}

/// Compares the traces of every operation that claims constant time, at every level; of
/// those named alone, if some are, and of these algorithms at these levels alone. Tells besides
/// which functions of the library ran.
///
/// # Errors
/// If this program's file tells no names of functions.
pub fn run(
    effort: Effort,
    share: Share,
    only: &[String],
    pairs: Option<&[(String, String)]>,
    tell: &mut dyn FnMut(Record),
) -> Result<(), String> {
    let mut tracer = Tracer::default();
    let mut sound =
        if effort == Effort::Quick && only.is_empty() { quick() } else { calls(claims) };
    let mut functions = Functions::read()?;
    let asked = |algorithm: &str, level: Level| {
        pairs.is_none_or(|it| it.iter().any(|it| it.0 == algorithm && it.1 == level.name()))
    };
    sound.retain(|call| only.is_empty() || only.contains(&call.name()));
    for algorithm in ALGORITHMS.iter().filter(|it| share.share == 0 && !claims(it)) {
        let (subject, none) = (algorithm.name.to_owned(), String::from("-"));
        let (check, level, count, widest) = ("unclaimed", "-", 0, 0);
        tell(Record { check, subject, way: none, level, count, widest, fault: None });
    }
    unpadding(&mut tracer, share, &asked, &mut functions, tell);
    let thorough = effort == Effort::Full || !only.is_empty();
    let wanted = cells(&sound)
        .filter(|(call, level)| thorough || is_quick(call, *level))
        .filter(|(call, level)| asked(call.algorithm.name, *level));
    for (call, level) in share.of(wanted) {
        let mut one = |way: Way, lengths: &[usize], wrong: bool| {
            let cell = Cell { call, way, level, lengths, wrong, leak: None };
            let what = if wrong { ", wrong tag" } else { "" };
            let name = match lengths {
                [_, _, _, _, ..] => {
                    format!("{}, {} messages of 67 to 100 bytes", way.name(), lengths.len())
                }
                _ => format!("{}, {lengths:?} bytes{what}", way.name()),
            };
            let secrets = if wrong { 2 } else { secrets(effort) };
            let verdict = tracer.compare(&cell, secrets);
            functions.saw(call.algorithm.name, level.name(), tracer.ran());
            let record = record(Record::of("trace", call, name, level), verdict);
            let steps = record.count;
            tell(record);
            steps
        };
        let (above, full) = (level != Level::portable(), effort == Effort::Full);
        let steps = one(Way::Alone, if above { &SHORT } else { &SHORTER }, false);
        // MACs compare tags by one function: its traces above the portable level will do.
        let mac = call.kind == Kind::Mac;
        if call.opens() || mac && (above || full) {
            one(Way::Alone, &[16], true);
        }
        if full && !above {
            one(Way::Alone, &LESS, false);
            continue;
        }
        if above && matches!(call.kind, Kind::Seal | Kind::Open) {
            one(Way::Alone, &SEALED, false);
        }
        if above && (full || steps < FEW) {
            one(Way::Alone, &LONG, false);
        }
        // Without lanes a batch is one message after another.
        if above && call.in_lanes() {
            one(Way::Ready, &NINE, false);
            let stream = matches!(call.new, Constructor::Stream { .. });
            let short_blocks = call.algorithm.block().is_some_and(|bytes| bytes < 16);
            if stream && leads(call) || short_blocks && level == Level::best() {
                one(Way::Ready, &MANY, false);
            }
        }
        if full {
            one(Way::Ready, &BATCH, false);
            one(Way::Fresh, &SMALL_BATCH, false);
            for lengths in MORE {
                one(Way::Alone, lengths, false);
            }
            if call.opens() {
                one(Way::Ready, &BATCH, true);
            }
        }
    }
    for (algorithm, level, name) in functions.ran() {
        let (subject, way) = (algorithm.to_owned(), name.to_owned());
        let (check, count, widest) = ("code", 0, 0);
        tell(Record { check, subject, way, level, count, widest, fault: None });
    }
    Ok(())
}

/// The operations of a quick run.
fn quick() -> Vec<Call> {
    calls(claims).into_iter().filter(|call| !left_out(call)).collect()
}

/// Whether a quick run steps through one of these at that level.
fn is_quick(call: &Call, level: Level) -> bool {
    level != Level::portable() || leads(call)
}

/// What a quick run steps through: the subjects of its records, with their levels.
#[must_use]
pub fn subjects() -> Vec<(String, Level)> {
    let calls = quick();
    let operations = cells(&calls).filter(|(call, level)| is_quick(call, *level));
    let mut all: Vec<_> = operations.map(|(call, level)| (call.name(), level)).collect();
    let none = |level| Unpadding::new(level, Padding::Pkcs7, true);
    all.extend(Level::available().filter_map(|level| Some((none(level)?.name(), level))));
    all
}

/// What a quick run leaves out: an operation that an algorithm before has too, by the same kernels,
/// e.g. AES-256's, whose key schedule and number of rounds alone are its own; but never the first
/// of a kind.
fn left_out(call: &Call) -> bool {
    let alike = |it: &Algorithm| {
        Level::available().all(|level| (it.kernel)(level) == (call.algorithm.kernel)(level))
    };
    let before = ALGORITHMS.iter().take_while(|it| it.name != call.algorithm.name);
    let mut seen = before.filter(|it| alike(it)).flat_map(operations);
    let first = operations(call.algorithm).find(|it| it.kind == call.kind);
    first.is_some_and(|first| first.name != call.0.name) && seen.any(|it| it.name == call.0.name)
}

/// What a quick run steps through at the portable level, where a block takes thousands of steps: the
/// first operation of each kind and direction. What other modes do with blocks is seen at
/// the levels above.
fn leads(call: &Call) -> bool {
    let same =
        |it: &registry::Operation| it.kind == call.kind && it.direction() == call.direction();
    operations(call.algorithm).find(same).is_some_and(|first| first.name == call.0.name)
}

#[cfg(test)]
#[test]
fn one_operation_of_each_kind_and_direction_leads() {
    let all = calls(|_| true);
    for call in &all {
        let alike = |it: &&Call| {
            it.algorithm.name == call.algorithm.name
                && it.kind == call.kind
                && it.direction() == call.direction()
        };
        assert_eq!(all.iter().filter(alike).filter(|it| leads(it)).count(), 1, "{}", call.name());
    }
    assert!(all.iter().filter(|it| leads(it)).count() < all.len() / 2);
}

#[cfg(test)]
#[test]
fn the_subjects_of_a_quick_run_are_those_it_tells_of() {
    let (algorithm, level) = ("trivium", Level::best());
    let (mut told, one) = (Vec::new(), Share { share: 0, shares: 1 });
    let pairs = [(algorithm.to_owned(), level.name().to_owned())];
    run(Effort::Quick, one, &[], Some(&pairs), &mut |record| told.push(record)).unwrap();
    let mut told: Vec<String> =
        told.into_iter().filter(|it| it.check == "trace").map(|it| it.subject).collect();
    told.dedup();
    let is_asked = |it: &(String, Level)| it.0.starts_with("trivium/") && it.1 == level;
    let expected: Vec<String> = subjects().into_iter().filter(is_asked).map(|it| it.0).collect();
    assert!(!told.is_empty());
    assert_eq!(told, expected);
}

#[cfg(test)]
#[test]
fn a_quick_run_steps_through_every_operation_of_every_set_of_kernels() {
    let kernels = |it: &Algorithm| Level::available().map(it.kernel).collect::<Vec<_>>();
    let (out, kept): (Vec<Call>, Vec<Call>) = calls(|_| true).into_iter().partition(left_out);
    assert!(out.len() > 10 && kept.len() > out.len());
    for call in &out {
        let same = |it: &&Call| kernels(it.algorithm) == kernels(call.algorithm);
        let stands = |it: &Call| it.0.name == call.0.name;
        assert!(kept.iter().filter(same).any(stands), "{}", call.name());
        let own = |it: &&Call| it.algorithm.name == call.algorithm.name;
        let kind = |it: &Call| it.kind == call.kind;
        assert!(kept.iter().filter(own).any(kind), "{}", call.name());
    }
}

/// Compares the traces of taking padding off.
fn unpadding(
    tracer: &mut Tracer,
    share: Share,
    asked: &dyn Fn(&str, Level) -> bool,
    functions: &mut Functions,
    tell: &mut dyn FnMut(Record),
) {
    let all = Level::available().flat_map(|level| {
        [Padding::Pkcs7, Padding::Iso7816]
            .into_iter()
            .flat_map(move |padding| [true, false].map(|valid| (level, padding, valid)))
    });
    for (level, padding, valid) in share.of(all) {
        let Some(mut subject) = Unpadding::new(level, padding, valid) else { return };
        let (check, name) = ("trace", subject.name());
        let algorithm = name.split('/').next().unwrap_or_default();
        if !asked(algorithm, level) {
            continue;
        }
        let verdict = tracer.runs(&mut subject, 4);
        functions.saw(algorithm, level.name(), tracer.ran());
        let subject = name.clone();
        let way = format!("{padding:?}, {}", if valid { "right" } else { "wrong" });
        let (level, count, widest) = (level.name(), 0, 0);
        let new = Record { check, subject, way, level, count, widest, fault: None };
        tell(record(new, verdict));
    }
}

/// Picks the first operation of each algorithm.
fn first() -> impl FnMut(&Call) -> bool {
    let mut last = "";
    move |call| std::mem::replace(&mut last, call.algorithm.name) != call.algorithm.name
}

/// Checks the checker: seeded leaks, and algorithms that claim nothing, must part.
pub fn seeded(share: Share, tell: &mut dyn FnMut(Record)) {
    let mut tracer = Tracer::default();
    let mut must_part = |record: Record, cell: &Cell<'_>| {
        let verdict = tracer.compare(cell, 2);
        let fault = match &verdict {
            Ok(verdict) if verdict.parting.is_some() => None,
            Ok(_) => Some("was not found".to_owned()),
            Err(error) => Some(error.clone()),
        };
        tell(Record { count: verdict.map_or(0, |it| it.steps), fault, ..record });
    };
    let (sound, leaky) = (calls(claims), calls(|it| !claims(it)));
    let sound: Vec<_> = sound.into_iter().take(1).collect();
    for (call, level) in share.of(cells(&sound)) {
        for leak in Leak::ALL.into_iter().filter(|&it| SEES_DIVISIONS || it != Leak::Division) {
            let (way, lengths, leak) = (Way::Alone, &SHORT[..], Some(leak));
            let cell = Cell { call, way, level, lengths, wrong: false, leak };
            let what = format!("leak {:?}", cell.leak.unwrap_or(Leak::Table));
            must_part(Record::of("seeded", call, what, level), &cell);
        }
    }
    let leaky: Vec<_> = leaky.into_iter().filter(first()).collect();
    for (call, level) in share.of(cells(&leaky)) {
        let (way, lengths, wrong, leak) = (Way::Alone, &SHORT[..], false, None);
        let cell = Cell { call, way, level, lengths, wrong, leak };
        must_part(Record::of("seeded", call, "table of its own", level), &cell);
    }
}
