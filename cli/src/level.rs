//! Instruction-set levels: named on the command line, or all up to the environment's cap.

use cipherlane::{Level, LevelError};

use crate::failure::Failure;

/// The levels of this CPU up to what `CIPHERLANE_LEVEL` allows, lowest first.
///
/// # Errors
/// An unknown name in the variable.
pub(crate) fn usable() -> Result<Vec<Level>, Failure> {
    let top = Level::detect().map_err(|error: LevelError| {
        let text = error.to_string();
        let text = text.split_once("; ").map_or(text.as_str(), |(error, _)| error);
        let names: Vec<&str> = Level::names().collect();
        let help = format!("unset it, or set one of: {}", names.join(", "));
        Failure::usage(format!("CIPHERLANE_LEVEL: {text}"), help)
    })?;
    let mut levels: Vec<Level> = Level::available().collect();
    let end = levels.iter().position(|level| *level == top).map_or(levels.len(), |at| at + 1);
    levels.truncate(end);
    Ok(levels)
}

/// The levels of these names, each once; without names all that are [usable].
///
/// # Errors
/// A name that is unknown, or a level that this CPU lacks.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<Level>, Failure> {
    let usable = usable()?;
    if names.is_empty() {
        return Ok(usable);
    }
    let mut levels: Vec<Level> = Vec::new();
    for name in names {
        let level = Level::by_name(name)?;
        if !levels.contains(&level) {
            levels.push(level);
        }
    }
    Ok(levels)
}

/// The name of the level that a caller of the library gets here.
pub(crate) fn default_name() -> Option<String> {
    Level::detect().ok().map(|level| level.name().to_owned())
}
