//! Prints the vectors as lines for the tests of the bindings.
#![forbid(unsafe_code)]

fn main() -> Result<(), vectors::Error> {
    print!("{}", vectors::verify::lines(&vectors::all()?));
    Ok(())
}
