//! The paper of 1999 in Java: RC2, RC4, RC5 and IDEA, each idea a class of its own.
//!
//! Java has neither macros nor names for types, so each cipher is one template, from which
//! the classes of its rungs are made before they are compiled.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::str;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value, context};

use super::ladder_c::{START, fnv, version};
use crate::java::{self, File};
use crate::{Recipe, RecipeError, Workshop};

/// The program that the engine starts.
const PROGRAM: &str = "ladder-engine.jar";

/// The files that are no templates.
const FILES: &[File<'static>] = &[
    ("Rc2Key.java", include_str!("../../../ladder-java/Rc2Key.java")),
    ("Vectors.java", include_str!("../../../ladder-java/Vectors.java")),
];

/// The templates: the list of all rungs, and a cipher each.
const TEMPLATES: &[File<'static>] = &[
    ("Catalogue", include_str!("../../../ladder-java/Catalogue.java.in")),
    ("Rc2", include_str!("../../../ladder-java/Rc2.java.in")),
    ("Rc4", include_str!("../../../ladder-java/Rc4.java.in")),
    ("Rc5", include_str!("../../../ladder-java/Rc5.java.in")),
    ("Idea", include_str!("../../../ladder-java/Idea.java.in")),
];

/// A version that changes with the files: an engine built from others is not taken for it.
const VERSION: &str = {
    const TEXT: [u8; 18] = version(fnv(fnv(fnv(START, FILES), TEMPLATES), java::SHARED));
    match str::from_utf8(&TEXT) {
        Ok(text) => text,
        Err(_) => panic!("hexadecimal digits are text"),
    }
};

/// The file beside the program that tells how long the classes are.
const LENGTHS: &str = "class-bytes.txt";

pub(super) static RECIPE: Recipe = Recipe {
    engine: "ladder-java",
    version: VERSION,
    source: "lab/engines/ladder-java of this project",
    takes: "a few seconds",
    needs: &[java::NEEDS[0], java::NEEDS[1], java::JAVA],
    libraries: &[PROGRAM, LENGTHS],
    make,
};

/// A cipher, and what its rungs change in the template of that class.
struct Cipher {
    algorithm: &'static str,
    operation: &'static str,
    class: &'static str,
    /// The width that its specification gives its variables.
    narrow: &'static str,
    rungs: &'static [Rung],
}

/// A rung: what differs from the rung `optimised`.
struct Rung {
    name: &'static str,
    ideas: &'static [Idea],
}

/// What a rung may do otherwise.
#[derive(Clone, Copy)]
enum Idea {
    /// The rounds, or bytes, in a loop.
    Loop,
    /// Words read and written as a whole.
    Native,
    /// Variables as narrow as in the specification.
    Narrow,
    /// The whole key schedule in variables.
    Many,
    /// Divisions; by what.
    Division(&'static str),
    /// IDEA's multiplication.
    Multiply(&'static str),
}

use Idea::{Division, Loop, Many, Multiply, Narrow, Native};

const OPTIMISED: Rung = Rung { name: "optimised", ideas: &[] };
const LOOP: Rung = Rung { name: "loop", ideas: &[Loop] };
const NATIVE: Rung = Rung { name: "native-byte-order", ideas: &[Native] };
const NARROW: Rung = Rung { name: "narrow-variables", ideas: &[Narrow] };
const MANY: Rung = Rung { name: "many-variables", ideas: &[Many] };
const DIVISION: Rung = Rung { name: "division", ideas: &[Division("at-run-time")] };
const BY_CONSTANT: Rung =
    Rung { name: "division-by-a-constant", ideas: &[Division("by-a-constant")] };
const UNOPTIMISED: Rung = Rung { name: "unoptimised", ideas: &[Loop, Narrow] };

static CIPHERS: [Cipher; 4] = [
    Cipher {
        algorithm: "rc2",
        operation: "cbc-encrypt",
        class: "Rc2",
        narrow: "short",
        rungs: &[OPTIMISED, LOOP, NATIVE, NARROW, MANY, DIVISION, BY_CONSTANT, UNOPTIMISED],
    },
    Cipher {
        algorithm: "rc4",
        operation: "keystream",
        class: "Rc4",
        narrow: "byte",
        rungs: &[OPTIMISED, LOOP, NARROW, DIVISION, BY_CONSTANT, UNOPTIMISED],
    },
    Cipher {
        algorithm: "rc5",
        operation: "cbc-encrypt",
        class: "Rc5",
        narrow: "int",
        rungs: &[
            OPTIMISED,
            LOOP,
            NATIVE,
            MANY,
            DIVISION,
            BY_CONSTANT,
            Rung { name: "unoptimised", ideas: &[Loop] },
        ],
    },
    Cipher {
        algorithm: "idea",
        operation: "cbc-encrypt",
        class: "Idea",
        narrow: "short",
        rungs: &[
            OPTIMISED,
            LOOP,
            NATIVE,
            NARROW,
            MANY,
            Rung { name: "division", ideas: &[Multiply("by-division")] },
            Rung {
                name: "division-by-a-constant",
                ideas: &[Multiply("by-division-by-a-constant")],
            },
            Rung { name: "multiply-in-a-function", ideas: &[Multiply("in-a-function")] },
            Rung { name: "multiply-with-branches", ideas: &[Multiply("with-branches")] },
            Rung { name: "multiply-without-branches", ideas: &[Multiply("without-branches")] },
            Rung { name: "unoptimised", ideas: &[Loop, Narrow, Multiply("in-a-function")] },
        ],
    },
];

impl Cipher {
    /// The name of a rung's class, e.g. `IdeaManyVariables`.
    fn class(&self, rung: &Rung) -> String {
        let words = rung.name.split('-').filter_map(|word| word.split_at_checked(1));
        let words = words.map(|(first, rest)| first.to_uppercase() + rest);
        self.class.to_owned() + &words.collect::<String>()
    }

    /// What the template is told of a rung.
    fn settings(&self, rung: &Rung) -> Value {
        let (mut unrolled, mut native, mut many) = (true, false, false);
        let (mut word, mut division, mut multiply) = ("int", "", "with-one-branch");
        for idea in rung.ideas {
            match *idea {
                Loop => unrolled = false,
                Native => native = true,
                Narrow => word = self.narrow,
                Many => many = true,
                Division(how) => division = how,
                Multiply(how) => multiply = how,
            }
        }
        let class = self.class(rung);
        context! { class, rung => rung.name, word, unrolled, native, many, division, multiply }
    }

    /// What the catalogue is told of it.
    fn listed(&self) -> Value {
        let rungs = self.rungs.iter();
        let rungs = rungs.map(|rung| context! { name => rung.name, class => self.class(rung) });
        let rungs: Vec<Value> = rungs.collect();
        context! { algorithm => self.algorithm, operation => self.operation, rungs }
    }
}

/// The sources of all rungs and their catalogue.
fn sources() -> Result<Vec<(String, String)>, minijinja::Error> {
    let mut templates = Environment::new();
    templates.set_syntax(SyntaxConfig::builder().line_statement_prefix("//%").build()?);
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.set_auto_escape_callback(|_| AutoEscape::None);
    for (name, text) in TEMPLATES {
        templates.add_template(name, text)?;
    }
    let mut sources = Vec::new();
    for cipher in &CIPHERS {
        for rung in cipher.rungs {
            let text = templates.get_template(cipher.class)?.render(cipher.settings(rung))?;
            sources.push((format!("{}.java", cipher.class(rung)), text));
        }
    }
    let ciphers: Vec<Value> = CIPHERS.iter().map(Cipher::listed).collect();
    let listed = context! { ciphers, version => RECIPE.version };
    let text = templates.get_template("Catalogue")?.render(listed)?;
    sources.push(("Catalogue.java".to_owned(), text));
    Ok(sources)
}

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let made = sources().map_err(|error| shop.failed("making the classes", &error.to_string()))?;
    let files = made.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let files: Vec<File<'_>> = files.chain(FILES.iter().copied()).collect();
    java::program(shop, PROGRAM, &files, None)?;
    let mut test = Command::new("java");
    test.arg("-Xint").arg("-cp").arg(shop.kept(PROGRAM)).arg("Vectors");
    shop.run("holding its rungs against the published vectors", &mut test)?;
    let lengths = shop.work().join(LENGTHS);
    fs::write(&lengths, lengths_of(&shop.work().join(java::CLASSES))?)
        .map_err(RecipeError::io("write", &lengths))?;
    shop.keep(&lengths, LENGTHS)
}

/// A line for each rung: cipher, rung, and the length of its class in bytes.
fn lengths_of(classes: &Path) -> Result<String, RecipeError> {
    let mut text = String::new();
    for cipher in &CIPHERS {
        for rung in cipher.rungs {
            let path = classes.join(format!("{}.class", cipher.class(rung)));
            let bytes = fs::metadata(&path).map_err(RecipeError::io("read", &path))?.len();
            let _ = writeln!(text, "{} {} {bytes}", cipher.algorithm, rung.name);
        }
    }
    Ok(text)
}

/// The length in bytes of the class of each cipher's rung, where the ladder in Java has been
/// built: cipher, rung, bytes.
#[must_use]
pub fn class_bytes() -> Option<Vec<(String, String, u64)>> {
    let program = crate::library(RECIPE.engine)?;
    let text = fs::read_to_string(program.with_file_name(LENGTHS)).ok()?;
    let lengths = text.lines().filter_map(|line| {
        let mut words = line.split(' ').map(str::to_owned);
        Some((words.next()?, words.next()?, words.next()?.parse().ok()?))
    });
    Some(lengths.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rung_is_another_class() {
        let sources = sources().expect("sound templates");
        let rungs: usize = CIPHERS.iter().map(|cipher| cipher.rungs.len()).sum();
        assert_eq!(sources.len(), rungs + 1);
        for (i, (name, text)) in sources.iter().enumerate() {
            assert!(!text.contains("//%") && !text.contains("{{"), "{name}");
            assert!(sources[..i].iter().all(|(other, _)| other != name), "{name}");
        }
        let (_, catalogue) = sources.last().expect("the catalogue");
        assert!(catalogue.contains("\"idea/multiply-without-branches\" -> new Idea"));
    }
}
