//! `cargo xtask dist`: everything that users install, made into `target/dist` from a copy of the
//! sources, with licences, bills of materials and a list of checksums. `--try` installs each into a
//! place that has none of our sources and runs a program there; `--twice` makes all of it once more
//! from another copy and compares; `--short` makes it of two levels, elsewhere, to try the making.

mod crates;
mod debian;
mod identity;
mod index;
mod jar;
mod library;
mod lines;
mod list;
mod musl;
mod notices;
mod npm;
mod pack;
mod page;
mod program;
mod provider;
mod rpm;
mod shop;
mod system;
mod tools;
mod tree;
mod wheels;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

pub(super) use shop::Shop;

pub(crate) const OPTIONS: &[&str] = &["--try", "--twice", "--short", "--list", "--only="];

/// Why an artefact is not made or not tried.
#[derive(Debug)]
enum Fault {
    /// This machine lacks something: no failure.
    Missing {
        what: String,
        remedy: String,
    },
    Failed(String),
}

impl From<String> for Fault {
    fn from(error: String) -> Self {
        Self::Failed(error)
    }
}

impl From<&str> for Fault {
    fn from(error: &str) -> Self {
        Self::Failed(error.to_owned())
    }
}

impl Fault {
    fn missing(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::Missing { what: what.into(), remedy: remedy.into() }
    }
}

/// One sort of thing that users install.
struct Artefact {
    name: &'static str,
    about: &'static str,
    /// Makes its files in `Shop::out` and names them.
    make: fn(&Shop) -> Result<Vec<PathBuf>, Fault>,
    /// Installs and runs it; what ran.
    attempt: fn(&Shop) -> Result<Vec<String>, Fault>,
}

/// In the order in which they are made: what is compiled for one is there for the next.
const ARTEFACTS: &[Artefact] = &[
    Artefact {
        name: "crates",
        about: "the library as crates.io has it, and the sources of everything",
        make: crates::make,
        attempt: crates::attempt,
    },
    Artefact {
        name: "program",
        about: "the program for Linux, static, with completions and manual pages",
        make: program::make,
        attempt: program::attempt,
    },
    Artefact {
        name: "c",
        about: "the library for C, shared and static, with pkg-config and CMake",
        make: library::make,
        attempt: library::attempt,
    },
    Artefact {
        name: "wheels",
        about: "the package for Python, as wheels and sources",
        make: wheels::make,
        attempt: wheels::attempt,
    },
    Artefact {
        name: "npm",
        about: "the package for JavaScript",
        make: npm::make,
        attempt: npm::attempt,
    },
    Artefact {
        name: "jar",
        about: "the jar for Java, with its sources, documentation and pom",
        make: jar::make,
        attempt: jar::attempt,
    },
    Artefact {
        name: "provider",
        about: "the provider for OpenSSL, as a module and as a static library",
        make: provider::make,
        attempt: provider::attempt,
    },
    Artefact {
        name: "deb",
        about: "packages for Debian: program, library, headers, provider",
        make: debian::make,
        attempt: debian::attempt,
    },
    Artefact {
        name: "rpm",
        about: "the same for distributions with RPM",
        make: rpm::make,
        attempt: rpm::attempt,
    },
];

/// The artefacts that are asked for.
fn chosen(options: &[String]) -> Result<Vec<&'static Artefact>, String> {
    let mut names = Vec::new();
    for value in options.iter().filter_map(|option| option.strip_prefix("--only=")) {
        names.extend(value.split(','));
    }
    if names.is_empty() {
        return Ok(ARTEFACTS.iter().collect());
    }
    if let Some(name) = names.iter().find(|name| !ARTEFACTS.iter().any(|it| it.name == **name)) {
        let known: Vec<&str> = ARTEFACTS.iter().map(|it| it.name).collect();
        return Err(format!("unknown artefact `{name}`; known: {}", known.join(", ")));
    }
    Ok(ARTEFACTS.iter().filter(|it| names.contains(&it.name)).collect())
}

/// How many pieces of work passed and failed.
#[derive(Default)]
struct Sums {
    passed: usize,
    failed: usize,
}

impl Sums {
    /// Runs one piece of work, says how it went and counts it; what cannot be had here is a line
    /// `SKIP`.
    fn count<T>(&mut self, name: &str, work: impl FnOnce() -> Result<T, Fault>) -> Option<T> {
        println!("== {name}");
        let began = Instant::now();
        let done = work();
        let took = began.elapsed().as_secs_f64();
        match done {
            Ok(value) => {
                self.passed += 1;
                println!("== {name}: ok, {took:.1} s");
                Some(value)
            }
            Err(Fault::Missing { what, remedy }) => {
                skip(&what, &remedy);
                None
            }
            Err(Fault::Failed(why)) => {
                self.failed += 1;
                println!("== {name}: FAILED, {took:.1} s: {}", why.trim());
                None
            }
        }
    }

    fn end(&self) -> Outcome {
        println!("{} passed, {} failed", self.passed, self.failed);
        match self.failed {
            0 if self.passed > 0 => Ok(()),
            0 => Err("nothing could be made here; see the lines SKIP above".into()),
            failed => Err(format!("{failed} artefacts failed; see the lines FAILED above")),
        }
    }
}

/// Makes the chosen artefacts in a shop; each with its files.
fn make(
    shop: &Shop,
    chosen: &[&'static Artefact],
    sums: &mut Sums,
) -> Vec<(&'static str, Vec<PathBuf>)> {
    let mut made = Vec::new();
    for artefact in chosen {
        let files = sums.count(artefact.name, || {
            shop.refresh()?;
            (artefact.make)(shop)
        });
        if let Some(files) = files {
            made.push((artefact.name, files));
        }
    }
    made
}

/// Makes everything again elsewhere, and compares by checksums.
fn again(first: &Shop, chosen: &[&'static Artefact], sums: &mut Sums) -> Outcome {
    println!("== everything once more, from nothing");
    let second = first.another()?;
    for (name, files) in make(&second, chosen, sums) {
        sums.count(&format!("{name}, twice the same"), || {
            for file in &files {
                let name = file.file_name().unwrap_or_default();
                let (one, other) = (first.out.join(name), file);
                list::same(&one, other)?;
            }
            println!("   {} files, byte for byte", files.len());
            Ok(())
        });
    }
    Ok(())
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let given = |name: &str| options.iter().any(|option| option == name);
    let chosen = chosen(options)?;
    if given("--list") {
        for artefact in &chosen {
            println!("  {:<12} {}", artefact.name, artefact.about);
        }
        return Ok(());
    }
    let began = Instant::now();
    let short = given("--short");
    let shop = Shop::open(if short { "short" } else { "first" }, short)?;
    println!("   {}", shop.identity.summary());
    let mut sums = Sums::default();
    let made = make(&shop, &chosen, &mut sums);
    let lines = list::write(&shop, &made)?;
    if given("--try") {
        for artefact in chosen.iter().filter(|it| made.iter().any(|(name, _)| *name == it.name)) {
            sums.count(&format!("{}, installed and run", artefact.name), || {
                let ran = (artefact.attempt)(&shop)?;
                ran.iter().for_each(|line| println!("   {line}"));
                lines::follow(&shop, artefact.name)
            });
        }
    }
    // Last: it takes as long as the first from nothing, and what was tried is known by then.
    if given("--twice") {
        again(&shop, &chosen, &mut sums)?;
        shop.back()?;
    }
    println!("\n{}: {} files", shop.out.display(), lines.len());
    lines.iter().for_each(|line| println!("  {line}"));
    let took = Duration::from_secs(began.elapsed().as_secs());
    println!("{took:?}");
    sums.end()
}

/// The folder of artefacts.
fn folder() -> PathBuf {
    workspace::target().join("dist")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(only: &str) -> Vec<String> {
        vec![format!("--only={only}")]
    }

    #[test]
    fn artefacts_are_chosen_by_name_and_unknown_ones_are_named() {
        assert_eq!(chosen(&[]).unwrap().len(), ARTEFACTS.len());
        let two = chosen(&options("program,crates")).unwrap();
        assert_eq!(two.iter().map(|it| it.name).collect::<Vec<_>>(), ["crates", "program"]);
        let error = chosen(&options("crates,snap")).map(|_| ()).unwrap_err();
        assert!(error.contains("`snap`") && error.contains("program"), "{error}");
    }

    #[test]
    fn a_failure_fails_all_and_what_is_missing_does_not() {
        let mut sums = Sums::default();
        assert!(sums.end().is_err(), "nothing was made");
        sums.count("a", || Ok(()));
        sums.count("b", || Err::<(), _>(Fault::missing("b", "get b")));
        assert!(sums.end().is_ok());
        sums.count("c", || Err::<(), _>(Fault::Failed("broken".into())));
        assert!(sums.end().is_err());
    }
}
