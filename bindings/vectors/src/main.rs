//! Prints the published vectors as lines, which the tests of every language can read.
//!
//! It stands among the bindings and not beside the vectors because what they all stand on is
//! compiled once for their workspaces: here it is not compiled again.
#![forbid(unsafe_code)]

fn main() -> Result<(), vectors::Error> {
    print!("{}", vectors::verify::lines(&vectors::all()?));
    Ok(())
}
