//! The ladder in Java, where Java is there: building it holds every rung against the published
//! vectors.

#[path = "../../skip.rs"]
mod skip;

use std::fs;

use recipes::{Progress, build, recipe};
use skip::skip;

struct Silent;

impl Progress for Silent {
    fn step(&mut self, _: &str, _: &str) {}
}

#[test]
fn every_rung_is_compiled_and_gives_the_published_vectors() {
    let recipe = recipe("ladder-java-int").expect("one recipe for both");
    assert_eq!(recipe.engine, "ladder-java");
    if let Some(tool) = recipe.needs.iter().find(|tool| !tool.is_there()) {
        skip(&format!("{} is not on the PATH; {}", tool.program, tool.remedy));
        return;
    }
    let cache = tempfile::tempdir().expect("a folder");
    let built = build(recipe, cache.path(), false, &mut Silent).expect("built");
    let log = fs::read_to_string(built.library.with_file_name("build.log")).expect("a log");
    let said = log.lines().find(|line| line.contains("those of the vectors")).expect("tested");
    let held: u32 = said.split(' ').next().and_then(|word| word.parse().ok()).expect("a number");
    let rungs = fs::read_to_string(built.library.with_file_name("class-bytes.txt")).expect("there");
    let of = |name: &str| {
        let line = rungs.lines().find(|line| line.starts_with(name)).expect("a rung");
        line.rsplit(' ').next().and_then(|word| word.parse::<u32>().ok()).expect("a number")
    };
    // Some ciphers have two vectors.
    assert!(held > rungs.lines().count() as u32, "{held}");
    assert!(of("idea optimised") > of("idea loop"), "what is unrolled is longer");
    assert!(!log.contains("warning"), "{log}");
}
