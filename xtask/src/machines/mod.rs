//! `cargo xtask machines`: docs/MACHINES.md and the table of README.md against the records of
//! docs/machines, or anew. `cipherlane bench --record` makes the records.

mod page;
mod read;
mod readme;

#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// The page, from the root of the checkout.
const PAGE: &str = "docs/MACHINES.md";
const README: &str = "README.md";
const FOLDER: &str = "docs/machines";

/// A file that is made, or in which a part is: its name, and its text as it must be.
type Made = (&'static str, String);

/// What the records of a checkout make of its pages.
fn made(root: &Path) -> Result<[Made; 2], String> {
    let machines = read::all(&root.join(FOLDER))?;
    let readme = fs::read_to_string(root.join(README))
        .map_err(|error| format!("cannot read {README}: {error}"))?;
    Ok([(PAGE, page::text(&machines)), (README, readme::replaced(&readme, &machines)?)])
}

/// Whether the pages of a checkout are as its records say.
fn check(root: &Path) -> Outcome {
    for (name, text) in made(root)? {
        if fs::read_to_string(root.join(name)).unwrap_or_default() != text {
            return Err(format!(
                "{name} is not what {FOLDER} says: run `cargo xtask machines --write`"
            ));
        }
    }
    println!("   {PAGE} and the table of {README} are as {FOLDER} says");
    Ok(())
}

/// Makes the pages anew, each whole or not at all.
fn write(root: &Path) -> Outcome {
    for (name, text) in made(root)? {
        let (file, beside) = (root.join(name), root.join(format!("{name}.new")));
        let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, &file));
        written.map_err(|error| format!("cannot write {name}: {error}"))?;
        println!("   {name} is written");
    }
    Ok(())
}

/// The check, as `cargo xtask docs` runs it.
pub(crate) fn checked() -> Outcome {
    stage("records of machines", Duration::from_secs(5), || check(&workspace::root()))
}

pub(crate) fn run(options: &[String]) -> Outcome {
    if options.iter().any(|it| it == "--write") { write(&workspace::root()) } else { checked() }
}
