//! Runs a study from a program's own code, with `peers-engine` as the program that serves
//! engines: `study [FILE.toml [RESULTS.json]]`.

use std::process::ExitCode;

use lab::LabError;
use lab::run::{Options, Outcome, run};
use lab::study::Study;

fn main() -> ExitCode {
    match measure() {
        Ok(outcome) => {
            for row in &outcome.results.rows {
                let figure = row.cycles_per_byte.or(row.cycles_per_setup).unwrap_or_default();
                println!(
                    "{:10} {:8} {:12} {:10} {:8} {:8} {figure:10.3} {:?}",
                    row.engine,
                    row.cell.algorithm,
                    row.cell.operation,
                    row.cell.level,
                    row.cell.model,
                    row.cell.size,
                    row.flags
                );
            }
            outcome.mismatches.iter().for_each(|mismatch| eprintln!("{mismatch}"));
            eprintln!("{:?}", outcome.results.run);
            ExitCode::from(u8::from(!outcome.mismatches.is_empty()))
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<Outcome, LabError> {
    let broken = |what: &str| {
        let what = what.to_owned();
        move |source| LabError::Io { what, source }
    };
    let study = match std::env::args().nth(1) {
        Some(file) => Study::from_toml(&std::fs::read_to_string(&file).map_err(broken(&file))?)?,
        None => Study::headline(),
    };
    let program = std::env::current_exe().map_err(broken("this program"))?;
    let folder = program.ancestors().nth(2).unwrap_or(&program);
    let mut options = Options::new(folder.join("peers-engine"));
    let all = peers::catalogue::catalogue(&options.program);
    options.engines = all.into_iter().filter(|it| it.present).map(|it| it.name).collect();
    let outcome = run(&study, &options, &mut ())?;
    if let Some(path) = std::env::args().nth(2) {
        std::fs::write(&path, outcome.results.to_json()).map_err(broken(&path))?;
    }
    Ok(outcome)
}
