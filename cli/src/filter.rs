//! Filters: `ALGORITHM` or `ALGORITHM/OPERATION`, checked against what there is.

use cipherlane::registry;

use crate::failure::Failure;

/// What follows a mode's name in the names of its two operations.
const DIRECTIONS: [&str; 4] = ["-encrypt", "-decrypt", "-seal", "-open"];

/// Everything a filter can name: algorithms, then operations by algorithm.
pub(crate) struct Known {
    names: Vec<(String, Vec<String>)>,
}

impl Known {
    /// What the registry has.
    pub(crate) fn registry() -> Self {
        let names = registry::ALGORITHMS.iter().map(|algorithm| {
            let operations = registry::operations(algorithm).map(|it| it.name.to_owned()).collect();
            (algorithm.name.to_owned(), operations)
        });
        Self { names: names.collect() }
    }

    /// The filters that a text stands for: itself, or both directions of a mode
    /// (`sm4/cbc` is `sm4/cbc-encrypt` and `sm4/cbc-decrypt`).
    ///
    /// # Errors
    /// A name that nothing has, with the nearest one and the list.
    pub(crate) fn expand(&self, text: &str) -> Result<Vec<String>, Failure> {
        let (algorithm, operation) = match text.split_once('/') {
            Some((algorithm, operation)) => (algorithm, Some(operation)),
            None => (text, None),
        };
        let Some((_, operations)) = self.names.iter().find(|(name, _)| name == algorithm) else {
            let names: Vec<&str> = self.names.iter().map(|(name, _)| name.as_str()).collect();
            return Err(unknown(&format!("algorithm `{algorithm}`"), algorithm, &names));
        };
        let Some(operation) = operation else { return Ok(vec![text.to_owned()]) };
        let of_mode = |name: &&String| {
            *name == operation
                || name
                    .strip_prefix(operation)
                    .is_some_and(|rest| matches!(rest, "-encrypt" | "-decrypt" | "-seal" | "-open"))
        };
        let meant: Vec<String> = operations
            .iter()
            .filter(of_mode)
            .map(|operation| format!("{algorithm}/{operation}"))
            .collect();
        if meant.is_empty() {
            let names: Vec<&str> = operations.iter().map(String::as_str).collect();
            return Err(unknown(
                &format!("operation `{operation}` of {algorithm}"),
                operation,
                &names,
            ));
        }
        Ok(meant)
    }
}

/// An error that lists the known names, the nearest first if one is near.
pub(crate) fn unknown(what: &str, given: &str, known: &[&str]) -> Failure {
    let given = given.to_lowercase();
    // A mode without its direction is a name too: `cbd` is near `cbc`, not near `cbc-encrypt`.
    let mode = |name: &str| DIRECTIONS.iter().find_map(|end| name.strip_suffix(end)).map(str::len);
    let near = known
        .iter()
        .flat_map(|name| [*name, &name[..mode(name).unwrap_or(name.len())]])
        .map(|name| (strsim::damerau_levenshtein(&given, name), name))
        .min()
        .filter(|(distance, name)| *distance <= name.len().div_ceil(3));
    let list = known.join(", ");
    let help = match near {
        Some((_, near)) => format!("did you mean `{near}`? known: {list}"),
        None => format!("known: {list}"),
    };
    Failure::usage(format!("unknown {what}"), help)
}
