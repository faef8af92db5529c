//! The rungs of the ladders in C and Java compute what the standards print and what the library of
//! this workspace computes, at every level of optimisation. Skipped where there is no compiler.

#[path = "ladder/vectors.rs"]
mod vectors;

#[path = "../../skip.rs"]
mod skip;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Duration;

use lab::clock::Clock;
use lab::engine::{Answer, Process};
use lab::random::Draw;
use lab::reply::{Description, Offer};
use lab::request::{Task, Timing};
use lab::{Cell, Mix, Model, Placement};
use peers::probes::{Vector, vector_by};
use skip::skip;
use vectors::VECTORS;

/// Says nothing.
struct Silent;

impl recipes::Progress for Silent {
    fn step(&mut self, _: &str, _: &str) {}
}

/// What the recipe makes of each engine of the ladder that can be built here, built anew once for all tests.
static MADE: LazyLock<Vec<(&str, PathBuf)>> = LazyLock::new(|| {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ladder");
    if cache.exists() {
        std::fs::remove_dir_all(&cache).expect("a folder of this test");
    }
    let recipes = recipes::family("ladder-c");
    assert!(recipes.len() >= 4);
    let possible = recipes.into_iter().filter(|it| it.needs.iter().all(|tool| tool.is_there()));
    let built = possible.map(|recipe| {
        let built = recipes::build(recipe, &cache, false, &mut Silent).expect("built");
        (recipe.engine, built.library)
    });
    let built: Vec<_> = built.collect();
    if built.is_empty() {
        skip("no C compiler is on the PATH");
    }
    built
});

fn started(mut process: Process) -> (Process, Description) {
    let description = process.describe().expect("a description");
    (process, description)
}

fn ours() -> (Process, Description) {
    let program = Path::new(env!("CARGO_BIN_EXE_peers-engine"));
    let patience = Duration::from_secs(60);
    started(Process::start(program, "cipherlane", None, patience).expect("built in"))
}

fn ladder(engine: &str, made: &Path) -> (Process, Description) {
    let program = Path::new(env!("CARGO_BIN_EXE_peers-engine"));
    let patience = Duration::from_secs(60);
    started(Process::start(program, engine, Some(made), patience).expect("started"))
}

fn task(offer: &Offer, level: &str, model: Model, size: u64) -> Task {
    let size = if model.is_setup() { 0 } else { size };
    let cell = Cell {
        nonce_bytes: offer.nonce_bytes[0],
        level: level.to_owned(),
        ..Cell::new(&offer.algorithm, &offer.operation, model, size)
    };
    Task { cell, seed: 23, buffer: None }
}

fn done<T>(answer: Result<Answer<T>, lab::LabError>) -> Option<T> {
    match answer.expect("an answer") {
        Answer::Done(it) => Some(it),
        Answer::Refused(why) => {
            assert!(why.contains("CPU"), "{why}");
            skip(&why);
            None
        }
    }
}

/// Holds every rung of an engine against the library.
fn agrees(engine: &str, (mut process, description): (Process, Description)) {
    let (mut ours, own) = ours();
    assert_eq!(description.engine, engine);
    for offer in &description.offers {
        let mine = own.offer(&offer.algorithm, &offer.operation).expect("registered");
        assert_eq!(mine.key_bytes, offer.key_bytes);
        let best = mine.levels.last().expect("a level");
        for level in &offer.levels {
            let what = format!("{engine} {}/{} {level}", offer.algorithm, offer.operation);
            for model in [Model::Packet, Model::Message] {
                let granule = offer.granule.max(mine.granule);
                let draw = Draw { messages: 40, least: u64::from(granule), granule };
                let theirs = task(offer, level, model, 640);
                let twin = task(offer, best, model, 640);
                let Some(theirs) = done(process.random(&theirs, draw)) else { continue };
                assert_eq!(Some(theirs), done(ours.random(&twin, draw)), "{what} {model}");
            }
            for (model, size) in
                [(Model::Init, 0), (Model::Key, 0), (Model::Stream, 4096), (Model::Batch, 64)]
            {
                if !mine.models.contains(&model) {
                    continue;
                }
                let theirs = done(process.check(&task(offer, level, model, size)));
                let Some(theirs) = theirs else { continue };
                let twin = done(ours.check(&task(offer, best, model, size)));
                assert_eq!(Some(theirs), twin, "{what} {model}");
            }
            // The mean of the mix, with lengths in whole blocks.
            let mean = [(1, 340), (8, 341), (16, 345)].into_iter().find(|it| it.0 == offer.granule);
            let mixed = |level: &str| {
                let mut task = task(offer, level, Model::Batch, mean.expect("a block").1);
                (task.cell.mix, task.cell.messages) = (Mix::Imix, 12);
                task
            };
            if mine.granule == offer.granule
                && let Some(theirs) = done(process.check(&mixed(level)))
            {
                assert_eq!(Some(theirs), done(ours.check(&mixed(best))), "{what}, a mix");
            }
        }
    }
}

#[test]
fn every_rung_computes_what_the_library_computes() {
    for (engine, program) in MADE.iter() {
        agrees(engine, ladder(engine, program));
    }
}

/// Its rungs are held against the vectors when it is built.
#[test]
fn every_rung_in_java_computes_what_the_library_computes() {
    let recipe = recipes::recipe("ladder-java").expect("a recipe");
    if let Some(tool) = recipe.needs.iter().find(|tool| !tool.is_there()) {
        skip(&format!("{} is not on the PATH; {}", tool.program, tool.remedy));
        return;
    }
    let cache = tempfile::tempdir().expect("a folder");
    let built = recipes::build(recipe, cache.path(), false, &mut Silent).expect("built");
    for (engine, options) in [("ladder-java", &[][..]), ("ladder-java-int", &["-Xint"])] {
        let mut command = Command::new("java");
        command.args(options).arg("-jar").arg(&built.library);
        let patience = Duration::from_secs(60);
        agrees(engine, started(Process::spawn(command, engine, patience).expect("started")));
    }
}

#[test]
fn threads_share_a_message_and_placements_agree() {
    let optimised = MADE.iter().find(|it| it.0 == "ladder-c-O2");
    let Some((engine, program)) = optimised else { return };
    let (mut process, description) = ladder(engine, program);
    let offer = description.offer("sm4", "ecb-encrypt").expect("offered");
    for level in &offer.levels {
        let alone = task(offer, level, Model::Message, 5008);
        let Some(digest) = done(process.check(&alone)) else { continue };
        for (threads, placement) in [(2, Placement::InPlace), (5, Placement::Disjoint)] {
            let mut shared = alone.clone();
            (shared.cell.threads, shared.cell.placement) = (threads, placement);
            assert_eq!(done(process.check(&shared)).as_ref(), Some(&digest), "{level} {threads}");
        }
    }
    let mut chain = task(
        description.offer("sm4", "cbc-encrypt").expect("offered"),
        "baseline",
        Model::Message,
        5008,
    );
    chain.cell.threads = 2;
    let Answer::Refused(why) = process.check(&chain).expect("an answer") else {
        panic!("a chain was shared")
    };
    assert!(why.contains("works on one thread"), "{why}");
}

#[test]
fn a_series_has_the_samples_asked_for() {
    // The second is timed where it is emulated.
    for (engine, clock) in [("ladder-c-O2", Clock::best()), ("ladder-c-s390x", Clock::Wall)] {
        let Some((_, made)) = MADE.iter().find(|it| it.0 == engine) else { continue };
        let (mut process, description) = ladder(engine, made);
        let offer = description.offer("sm4", "ecb-encrypt").expect("offered");
        for model in offer.models.clone() {
            let size = if model == Model::Latency { 16 } else { 4096 };
            let task = task(offer, "tables-4x1k", model, size);
            let timing = Timing { samples: 5, budget_us: Some(50_000), beside: None };
            let digest = done(process.check(&task));
            let measured = done(process.measure(&task, timing)).expect("done");
            assert_eq!((Some(measured.digest), &*measured.clock), (digest, clock.name()));
            assert_eq!((measured.samples.len(), measured.chain.len()), (5, 2), "{model}");
        }
    }
}

/// A longer message takes an emulated rung longer, and so do more messages a call.
#[test]
fn what_is_emulated_is_timed_by_its_work() {
    let engine = "ladder-c-s390x";
    let Some((_, made)) = MADE.iter().find(|it| it.0 == engine) else { return };
    let (mut process, description) = ladder(engine, made);
    let offer = description.offer("idea", "cbc-encrypt").expect("offered");
    let mut least = |model, size, messages| {
        let mut task = task(offer, "optimised", model, size);
        task.cell.messages = messages;
        let timing = Timing { samples: 21, budget_us: Some(100_000), beside: None };
        let measured = done(process.measure(&task, timing)).expect("done");
        *measured.samples.iter().min().expect("samples") as f64 / measured.repeats as f64
    };
    let [short, long, batch] = [
        least(Model::Stream, 4096, 1),
        least(Model::Stream, 4 * 4096, 1),
        least(Model::Batch, 4096, 8),
    ];
    assert!((2.0..8.0).contains(&(long / short)), "{long} by {short}");
    assert!((4.0..16.0).contains(&(batch / short)), "{batch} by {short}");
}

#[test]
fn every_rung_gives_the_published_vectors() {
    for (engine, made) in MADE.iter() {
        let (_, description) = ladder(engine, made);
        for vector in VECTORS {
            let [algorithm, operation, key, iv, input, output] = vector.map(str::to_owned);
            let offer = description.offer(&algorithm, &operation).expect("offered");
            let vector = Vector { algorithm, operation, key, iv, input };
            let facts = vector_by(engine, made, &vector).expect("opened");
            assert_eq!(facts.len(), offer.levels.len(), "{engine} {vector:?}");
            for fact in facts {
                if fact.name.contains("avx2") && fact.remark.contains("AVX2") {
                    skip(&fact.remark);
                    continue;
                }
                assert_eq!(fact.text, output, "{} {}", fact.name, fact.remark);
            }
        }
    }
}

#[test]
fn a_vector_of_other_lengths_is_refused() {
    for (engine, made) in MADE.iter() {
        let [algorithm, operation, key, iv, input, _] = VECTORS[0].map(str::to_owned);
        let vector = Vector { algorithm, operation, key, iv, input };
        let wrong = [
            Vector { key: "00".to_owned(), ..vector.clone() },
            Vector { iv: "00".to_owned(), ..vector.clone() },
            Vector { input: "00".to_owned(), ..vector.clone() },
            Vector { input: "0".to_owned(), ..vector },
        ];
        for vector in wrong {
            let facts = vector_by(engine, made, &vector).expect("opened");
            assert!(!facts.is_empty() && facts.iter().all(|it| it.text.is_empty()), "{facts:?}");
        }
    }
}

#[test]
fn the_machine_code_of_rungs_is_compared() {
    for (engine, program) in MADE.iter() {
        let same = recipes::same_code(program).expect("compared");
        // One reads a table of bytes four times, the other four tables: no compiler can make
        // one of them.
        let tables = ["sm4_ecb_encrypt_table_1k", "sm4_ecb_encrypt_tables_4x1k"];
        assert!(!same.iter().any(|(a, b)| [a.as_str(), b] == tables), "{engine}");
        println!("{engine}: {same:?}");
    }
}
