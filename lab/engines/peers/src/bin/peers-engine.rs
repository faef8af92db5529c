//! Serves one built-in engine, as the program's verb `engine` does, for tests and examples:
//! `peers-engine engine NAME [--lib PATH]`. Without a name it serves the library itself, which is
//! how the 32-bit build of it runs.

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    // Started as `PROGRAM engine NAME …` by the laboratory: the verb is the first word.
    let mut words = std::env::args().skip(1).skip_while(|word| word == "engine");
    let name = words.next().unwrap_or_else(|| "cipherlane".to_owned());
    let lib = words.skip_while(|word| word != "--lib").nth(1).map(PathBuf::from);
    match peers::serve(&name, lib.as_deref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
