//! The folder where built engines are kept.

use std::env;
use std::path::PathBuf;

use crate::RecipeError;

/// The environment variable that names the cache folder.
pub const CACHE_VARIABLE: &str = "CIPHERLANE_CACHE";

/// The cache: `$CIPHERLANE_CACHE`, else `$XDG_CACHE_HOME/cipherlane`, else
/// `~/.cache/cipherlane`.
///
/// # Errors
/// [`RecipeError::NoCache`] if none of these is set.
pub fn folder() -> Result<PathBuf, RecipeError> {
    choose(|name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
}

fn choose(get: impl Fn(&str) -> Option<PathBuf>) -> Result<PathBuf, RecipeError> {
    // The base directory specification has relative paths ignored.
    let base = get("XDG_CACHE_HOME").filter(|path| path.is_absolute());
    get(CACHE_VARIABLE)
        .or_else(|| base.map(|base| base.join("cipherlane")))
        .or_else(|| get("HOME").map(|home| home.join(".cache").join("cipherlane")))
        .ok_or(RecipeError::NoCache)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(set: &[(&str, &str)]) -> Option<PathBuf> {
        choose(|name| set.iter().find(|(it, _)| *it == name).map(|(_, value)| value.into())).ok()
    }

    #[test]
    fn the_nearest_variable_decides() {
        let all = [("HOME", "/h"), ("XDG_CACHE_HOME", "/x"), ("CIPHERLANE_CACHE", "c")];
        assert_eq!(chosen(&all), Some("c".into()));
        assert_eq!(chosen(&all[..2]), Some("/x/cipherlane".into()));
        assert_eq!(chosen(&all[..1]), Some("/h/.cache/cipherlane".into()));
        let relative = [("HOME", "/h"), ("XDG_CACHE_HOME", "x")];
        assert_eq!(chosen(&relative), Some("/h/.cache/cipherlane".into()));
        assert_eq!(chosen(&[]), None);
        assert!(RecipeError::NoCache.to_string().contains(CACHE_VARIABLE));
    }
}
