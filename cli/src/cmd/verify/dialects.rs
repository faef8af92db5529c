//! Files of dialects' vectors, whose tests are calls of engines' functions.

use std::path::Path;

use cipherlane::Level;
use dialects::verify::{ALGORITHM, File, Group};
use vectors::VectorFile;
use vectors::verify::{self, Failure as Broken, NotImplemented, Place, Summary};

use super::Tally;
use crate::failure::Failure;

/// A file of dialects' vectors.
pub(super) struct Loaded {
    name: String,
    file: File,
    /// What is wrong with the file as a whole.
    changed: Option<Broken>,
}

/// Takes the dialects' files out of those of a folder.
///
/// # Errors
/// One that can't be read.
pub(super) fn take(
    files: Vec<VectorFile>,
    folder: &Path,
) -> Result<(Vec<VectorFile>, Vec<Loaded>), Failure> {
    let (ours, others): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.algorithm == ALGORITHM);
    let load = |file: VectorFile| {
        let path = folder.join(&file.name);
        let wrong = |what: String| {
            let error = format!("can't read the vector files: {}: {what}", path.display());
            Failure::usage(error, "restore the file, or name another folder with --vectors")
        };
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.to_string()))?;
        let read = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        Ok::<_, Failure>(Loaded { changed: verify::changed(&file), name: file.name, file: read })
    };
    Ok((others, ours.into_iter().map(load).collect::<Result<_, _>>()?))
}

/// Whether a filter names a dialect of these files, or all of them.
pub(super) fn named(loaded: &[Loaded], filter: &str) -> bool {
    let has = |group: &Group| group.mode == filter;
    loaded.iter().any(|it| filter == ALGORITHM || it.file.groups.iter().any(has))
}

/// The groups that the filters choose, all if there are none.
fn chosen<'l>(loaded: &'l Loaded, filters: &[&String]) -> impl Iterator<Item = &'l Group> {
    let all = filters.is_empty() || filters.iter().any(|filter| *filter == ALGORITHM);
    let filters: Vec<String> = filters.iter().map(|filter| (*filter).clone()).collect();
    loaded.file.groups.iter().filter(move |group| all || filters.contains(&group.mode))
}

/// How many cases there are.
pub(super) fn cases(loaded: &[Loaded], filters: &[&String], levels: usize) -> usize {
    let groups = loaded.iter().flat_map(|it| chosen(it, filters));
    groups.map(|group| group.tests.len()).sum::<usize>() * levels
}

/// Runs them and adds what comes of it to that of the others; `step` hears of each case.
pub(super) fn run(
    loaded: &[Loaded],
    filters: &[&String],
    levels: &[Level],
    summary: &mut Summary,
    tallies: &mut Vec<Tally>,
    step: &mut dyn FnMut(&str, Level),
) {
    for it in loaded {
        let file = &it.name;
        summary.failed.extend(it.changed.clone());
        for group in chosen(it, filters) {
            let Some(dialect) = group.dialect() else {
                let (file, mode) = (file.clone(), group.mode.clone());
                summary.not_implemented.push(NotImplemented {
                    file,
                    mode,
                    tests: group.tests.len(),
                });
                continue;
            };
            let algorithm = dialect.name();
            let mut tally = Tally { algorithm, file: file.clone(), passed: 0, failed: 0, paths: 0 };
            for test in &group.tests {
                summary.vectors += 1;
                for &level in levels {
                    step(algorithm, level);
                    match group.run(test, level) {
                        Ok(ways) => {
                            tally.passed += 1;
                            tally.paths += ways;
                        }
                        Err((path, what)) => {
                            tally.failed += 1;
                            summary.failed.push(Broken {
                                file: file.clone(),
                                place: Some(Place {
                                    mode: group.mode.clone(),
                                    source: group.source.clone(),
                                    id: test.id.clone(),
                                    level: level.name().into(),
                                    path: path.into(),
                                }),
                                what,
                            });
                        }
                    }
                }
            }
            summary.passed += tally.passed;
            summary.paths += tally.paths;
            tallies.push(tally);
        }
    }
}
