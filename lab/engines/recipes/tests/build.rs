//! Building, with recipes that fetch nothing.

#[path = "../../skip.rs"]
mod skip;

use std::fs;
use std::path::Path;
use std::process::Command;

use recipes::{Manifest, Progress, Recipe, RecipeError, Tool, Workshop, build};
use skip::skip;

/// Keeps what it is told.
#[derive(Default)]
struct Steps(Vec<String>);

impl Progress for Steps {
    fn step(&mut self, engine: &str, text: &str) {
        self.0.push(format!("{engine}: {text}"));
    }
}

const fn recipe(
    engine: &'static str,
    needs: &'static [Tool],
    make: fn(&mut Workshop<'_>) -> Result<(), RecipeError>,
) -> Recipe {
    let libraries: &[&str] = &["libtoy.so", "second"];
    Recipe { engine, version: "1.2", source: "a test", takes: "no time", needs, libraries, make }
}

static GOOD: Recipe = recipe("good", &[], |shop| {
    let (from, jobs) = (shop.work().join("deep/er"), shop.jobs());
    assert!(jobs >= 1);
    fs::create_dir_all(&from).expect("a folder");
    let script = "echo made $CFLAGS > libtoy.so; echo again > second";
    let mut make = Command::new("sh");
    make.args(["-c", script]).env("CFLAGS", "-O0").current_dir(&from);
    shop.run("making it", &mut make)?;
    let root = shop.work().to_path_buf();
    shop.keep_found(&root, "libtoy.so")?;
    shop.keep(&from.join("second"), "second")
});

static BROKEN: Recipe = recipe("broken", &[], |shop| {
    shop.run("breaking it", Command::new("sh").args(["-c", "echo why; exit 7"]))
});

static ABSENT: Recipe = recipe("absent", &[], |shop| {
    shop.run("starting nothing", &mut Command::new("no-such-program-of-anyone"))
});

static FORGETFUL: Recipe = recipe("forgetful", &[], |shop| {
    let file = shop.work().join("libtoy.so");
    fs::write(&file, "x").expect("written");
    shop.keep(&file, "libtoy.so")
});

static NEEDY: Recipe = recipe(
    "needy",
    &[Tool::named("no-such-program-of-anyone", "`apt-get install it` brings it")],
    |_| panic!("begun all the same"),
);

/// The files and folders in a cache.
fn names(cache: &Path) -> Vec<String> {
    let entries = fs::read_dir(cache).expect("a folder").map(|entry| entry.expect("an entry"));
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn failure(recipe: &'static Recipe, cache: &Path) -> String {
    build(recipe, cache, false, &mut Steps::default()).expect_err("it fails").to_string()
}

#[test]
fn a_built_engine_is_complete_and_is_built_once() {
    let home = tempfile::tempdir().expect("a folder");
    let cache = home.path().join("not/yet");
    let mut steps = Steps::default();
    assert_eq!(GOOD.found(&cache), None);
    let first = build(&GOOD, &cache, false, &mut steps).expect("built");
    assert_eq!(steps.0, ["good: making it"]);
    assert!(first.fresh);
    assert_eq!(GOOD.found(&cache).as_deref(), Some(&*first.library));
    // The user's flags make no other library.
    assert_eq!(fs::read_to_string(&first.library).expect("there"), "made\n");
    assert_eq!(names(&cache), ["good-1.2"]);
    let all = ["build.log", "built.json", "libtoy.so", "second"];
    assert_eq!(names(&cache.join("good-1.2")), all);
    let manifest = Manifest::read(&cache.join("good-1.2")).expect("a manifest");
    assert_eq!((manifest.engine.as_str(), manifest.version.as_str()), ("good", "1.2"));
    assert_eq!(manifest.commands.len(), 1);
    assert_eq!(manifest, first.manifest);

    let again = build(&GOOD, &cache, false, &mut steps).expect("there");
    assert!(!again.fresh && steps.0.len() == 1);
    fs::write(&first.library, "spoilt").expect("written");
    let forced = build(&GOOD, &cache, true, &mut steps).expect("built");
    assert!(forced.fresh && steps.0.len() == 2);
    assert_eq!(fs::read_to_string(&first.library).expect("there"), "made\n");
    assert_eq!(names(&cache), ["good-1.2"]);

    // A folder that lacks a file is no engine, and is built anew.
    fs::remove_file(cache.join("good-1.2/second")).expect("removed");
    assert_eq!(GOOD.found(&cache), None);
    assert!(build(&GOOD, &cache, false, &mut steps).expect("built").fresh);
}

#[test]
fn what_fails_leaves_its_log_and_nothing_else() {
    let cache = tempfile::tempdir().expect("a folder");
    let error = failure(&BROKEN, cache.path());
    assert!(error.starts_with("engine `broken`: breaking it failed: exit status: 7: why; see the"));
    assert_eq!(names(cache.path()), ["broken-1.2.log"]);
    let log = fs::read_to_string(cache.path().join("broken-1.2.log")).expect("a log");
    assert_eq!(log, "$ sh -c echo why; exit 7\nwhy\n");
    let error = failure(&ABSENT, cache.path());
    assert!(error.contains("`no-such-program-of-anyone` can't be started"), "{error}");
    let error = failure(&FORGETFUL, cache.path());
    assert!(error.contains("second is not there after the recipe; see the log"), "{error}");
    assert_eq!(FORGETFUL.found(cache.path()), None);
}

#[test]
fn a_missing_program_is_named_before_anything_is_done() {
    let home = tempfile::tempdir().expect("a folder");
    let cache = home.path().join("cache");
    let error = failure(&NEEDY, &cache);
    assert_eq!(
        error,
        "engine `needy` needs the program `no-such-program-of-anyone`, which is not on the PATH; \
         `apt-get install it` brings it"
    );
    assert!(!cache.exists());
}

static UNABLE: Recipe = recipe(
    "unable",
    &[Tool { flags: &["-m0"], ..Tool::named("gcc", "`apt-get install it` brings it") }],
    |_| panic!("begun all the same"),
);

#[test]
fn a_compiler_that_cannot_make_what_it_must_says_what_brings_that() {
    if !Tool::GCC.is_there() {
        skip(&format!("gcc is not on the PATH; {}", Tool::GCC.remedy));
        return;
    }
    let cache = tempfile::tempdir().expect("a folder");
    assert_eq!(
        failure(&UNABLE, cache.path()),
        "engine `unable`: `gcc -m0` makes no program here; `apt-get install it` brings it"
    );
}

#[test]
fn a_cache_that_cannot_be_is_an_error() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("file");
    fs::write(&file, "x").expect("written");
    let error = failure(&GOOD, &file.join("cache"));
    assert!(
        error.starts_with("can't make the folder ") && error.contains("--cache DIR"),
        "{error}"
    );
}
