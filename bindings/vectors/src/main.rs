//! Prints the published vectors as lines, which the tests of every language can read; `dialects`
//! prints those of the dialects.
//!
//! It stands among the bindings and not beside the vectors because what they all stand on is
//! compiled once for their workspaces: here it is not compiled again.
#![forbid(unsafe_code)]

const DIALECTS: &str = include_str!("../../../crates/dialects/tests/data/dialects.json");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1).as_deref() {
        None => vectors::verify::lines(&vectors::all()?),
        Some("dialects") => dialects::verify::lines(&serde_json::from_str(DIALECTS)?)?,
        Some(other) => return Err(format!("`{other}`; allowed: dialects, or nothing").into()),
    };
    print!("{text}");
    Ok(())
}
