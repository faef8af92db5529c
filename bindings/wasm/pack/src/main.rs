//! Makes of a WebAssembly library what JavaScript imports: `pack IN.wasm OUT-FOLDER NAME`.
//!
//! The work of the program `wasm-bindgen`, as a program of this workspace: its version is that
//! in the lock file, and there is nothing to install.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [input, folder, name] = &arguments[..] else {
        eprintln!("usage: pack IN.wasm OUT-FOLDER NAME");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.remove_name_section(true).remove_producers_section(true);
    let made = bindgen.input_path(input).out_name(name).typescript(false).web(true);
    let made = made.and_then(|bindgen| bindgen.omit_default_module_path(true).generate(folder));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pack: {error:#}");
            ExitCode::FAILURE
        }
    }
}
