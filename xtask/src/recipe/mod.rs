//! `cargo xtask recipe`: the recipes of CONTRIBUTING.md, cooked. Each of `docs/recipes` is applied
//! to a copy of the checkout, may touch no more than the recipe says, and must keep the rules and work there.
//!
//! With `--short` its tests run with the features that they need; without, the program is built
//! besides and verifies and measures the newcomer at two levels.

pub(crate) mod copy;
mod touched;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::check;
use crate::outcome::Outcome;
use crate::stage::{skip, stage};
use crate::workspace;
use copy::Copy;

/// Two levels of x86 instead of six: what is tried is the recipe.
const FEW_LEVELS: &str = "--cfg=cipherlane_few_levels";

/// Whether this machine has the two levels.
const X86: bool = cfg!(target_arch = "x86_64");

/// One recipe.
struct Recipe {
    /// That of the patch in `docs/recipes`.
    name: &'static str,
    adds: Adds,
}

/// What a recipe adds.
enum Adds {
    /// A cipher: its folder, which is the feature's name, and what is measured of it.
    Cipher { folder: &'static str, bench: &'static str },
    /// A level of x86: its file.
    Level { file: &'static str },
}

const RECIPES: &[Recipe] = &[
    Recipe {
        name: "rabbit-again",
        adds: Adds::Cipher { folder: "rabbit_again", bench: "rabbit-again/keystream" },
    },
    Recipe { name: "speck-128", adds: Adds::Cipher { folder: "speck", bench: "speck-128/ctr" } },
    Recipe { name: "avx2-again", adds: Adds::Level { file: "avx2_again" } },
];

/// The files in which a cipher has its lines.
const LINES_OF_A_CIPHER: &[&str] = &[
    "crates/cipherlane/Cargo.toml",
    "crates/cipherlane/src/lib.rs",
    "crates/cipherlane/src/registry/mod.rs",
    "crates/model/src/ciphers/mod.rs",
];

/// The file in which a level has its row.
const ROW_OF_A_LEVEL: &[&str] = &["crates/lanes/src/level.rs"];

impl Recipe {
    /// Where everything is the newcomer's own: files, and folders with a slash at the end.
    fn own(&self) -> Vec<String> {
        match self.adds {
            Adds::Cipher { folder, .. } => vec![
                format!("crates/cipherlane/src/ciphers/{folder}/"),
                format!("crates/model/src/ciphers/{folder}.rs"),
                "crates/vectors/data/".to_owned(),
            ],
            Adds::Level { file } => vec![format!("crates/lanes/src/x86/{file}.rs")],
        }
    }

    /// The files elsewhere that the recipe names.
    fn lines(&self) -> &'static [&'static str] {
        match self.adds {
            Adds::Cipher { .. } => LINES_OF_A_CIPHER,
            Adds::Level { .. } => ROW_OF_A_LEVEL,
        }
    }

    /// The arguments of cargo, one run after another, that test the newcomer in a copy.
    fn tests(&self) -> Vec<Vec<String>> {
        let words = |line: String| line.split(' ').map(str::to_owned).collect();
        match self.adds {
            Adds::Cipher { folder, .. } => vec![words(format!(
                "test --quiet -p cipherlane --no-default-features --features std,{folder} --lib \
                 --test model --test self_test --test vectors --test levels_agree"
            ))],
            Adds::Level { .. } => {
                vec![words("test --quiet -p cipherlane-lanes --lib --test agree".to_owned())]
            }
        }
    }

    /// What the program is asked, in a copy, besides.
    fn questions(&self) -> Vec<Vec<&'static str>> {
        match self.adds {
            Adds::Cipher { bench, .. } => {
                let algorithm = bench.split('/').next().unwrap_or(bench);
                let levels = if X86 { "portable,avx2" } else { "portable" };
                let verify = vec!["verify", algorithm, "--level", levels];
                let models = "message,batch";
                let bench = ["bench", bench, "--level", levels, "--model", models];
                let few = ["--size", "1500", "--quick", "--engine", "cipherlane"];
                vec![verify, [&bench[..], &few[..]].concat()]
            }
            Adds::Level { .. } => {
                let levels = "avx2,avx2-again";
                let bench = ["bench", "sm4/ctr", "--level", levels, "--model", "message"];
                let few = ["--size", "1500", "--quick", "--engine", "cipherlane"];
                vec![vec!["verify", "sm4", "--level", levels], [&bench[..], &few[..]].concat()]
            }
        }
    }

    /// Whether this machine can run the newcomer.
    fn can_run(&self) -> bool {
        matches!(self.adds, Adds::Cipher { .. }) || X86
    }
}

/// Cargo in a copy.
fn cargo(copy: &Copy, arguments: &[String]) -> Command {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut command = workspace::cargo(&arguments);
    command.current_dir(&copy.folder).env("CARGO_TARGET_DIR", &copy.target);
    command.env("RUSTFLAGS", FEW_LEVELS).env_remove("CARGO_ENCODED_RUSTFLAGS");
    command
}

fn cook(recipe: &Recipe, copy: &Copy, short: bool) -> Outcome {
    copy.renew()?;
    let before = copy.state()?;
    copy.apply(&workspace::root().join(format!("docs/recipes/{}.patch", recipe.name)))?;
    let touched = touched::between(&before, &copy.state()?);
    for file in &touched {
        println!("   {file}");
    }
    touched::judge(&touched, &recipe.own(), recipe.lines())?;
    check::sources_in(&copy.folder)?;
    if !recipe.can_run() {
        skip(&format!("what {} adds", recipe.name), "run it on x86-64");
        return Ok(());
    }
    for arguments in recipe.tests() {
        workspace::run(&mut cargo(copy, &arguments))?;
    }
    if !short {
        let build = ["build", "--quiet", "--release", "-p", "cipherlane-cli"].map(String::from);
        workspace::run(&mut cargo(copy, &build))?;
        for words in recipe.questions() {
            ask(copy, &words)?;
        }
    }
    Ok(())
}

/// Runs the program of a copy there.
fn ask(copy: &Copy, words: &[&str]) -> Outcome {
    let program = format!("release/cipherlane{}", std::env::consts::EXE_SUFFIX);
    let mut command = Command::new(copy.target.join(Path::new(&program)));
    workspace::run(command.current_dir(&copy.folder).args(words))
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let short = options.iter().any(|it| it == "--short");
    let only = options.iter().find_map(|it| it.strip_prefix("--only="));
    let chosen = RECIPES.iter().filter(|it| only.is_none_or(|name| name == it.name));
    let chosen: Vec<&Recipe> = chosen.collect();
    if chosen.is_empty() {
        let known: Vec<&str> = RECIPES.iter().map(|it| it.name).collect();
        return Err(format!("--only takes {}", known.join(", ")));
    }
    let copy = Copy::new(short);
    let done = chosen.into_iter().try_for_each(|recipe| {
        let budget = Duration::from_secs(if short { 60 } else { 300 });
        let name = format!("docs/recipes/{}.patch", recipe.name);
        stage(&name, budget, || cook(recipe, &copy, short))
    });
    // The copy is built into this checkout's folder; the room that writes down where its files lie
    // must not be taken for the one here.
    let clean = ["clean", "--quiet", "-p", "cipherlane-vectors"];
    let cleaned = workspace::output(&mut workspace::cargo(&clean));
    done.and(cleaned.map(drop))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_patch_is_a_recipe_and_every_recipe_has_one() {
        let mut patches = workspace::files("docs/recipes", "patch").unwrap();
        let mut known: Vec<String> =
            RECIPES.iter().map(|it| format!("docs/recipes/{}.patch", it.name)).collect();
        patches.sort();
        known.sort();
        assert_eq!(patches, known);
    }

    /// CONTRIBUTING tells what the rule allows.
    #[test]
    fn the_lines_elsewhere_are_those_that_contributing_names() {
        let told = workspace::read("CONTRIBUTING.md").unwrap();
        for file in LINES_OF_A_CIPHER.iter().chain(ROW_OF_A_LEVEL) {
            assert!(told.contains(file), "{file}");
            assert!(workspace::root().join(file).exists(), "{file}");
        }
    }
}
