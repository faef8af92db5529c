//! Filters: `ALGORITHM` or `ALGORITHM/OPERATION`.

use core::fmt;
use core::str::FromStr;

/// What follows a mode's name in the names of its operations.
const DIRECTIONS: [&str; 5] = ["", "-encrypt", "-decrypt", "-seal", "-open"];

/// Chooses vectors by the registry's names: `sm4`, `sm4/ctr`, `zuc-256/keystream`.
/// A mode stands for its operations: `sm4/cbc` is `cbc-encrypt` and `cbc-decrypt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filter {
    /// The algorithm.
    pub algorithm: String,
    /// The operation; `None` for all.
    pub operation: Option<String>,
}

impl Filter {
    /// Whether it chooses a mode of an algorithm.
    pub(super) fn chooses(&self, algorithm: &str, mode: &str) -> bool {
        let of_mode = |operation: &str| {
            let direction = operation.strip_prefix(mode);
            direction.is_some_and(|direction| DIRECTIONS.contains(&direction))
        };
        self.algorithm == algorithm && self.operation.as_deref().is_none_or(of_mode)
    }
}

impl FromStr for Filter {
    type Err = FilterError;

    fn from_str(text: &str) -> Result<Self, FilterError> {
        let (algorithm, operation) = match text.split_once('/') {
            Some((algorithm, operation)) => (algorithm, Some(operation)),
            None => (text, None),
        };
        let is_name = |name: &str| {
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-+".contains(c);
            !name.is_empty() && name.chars().all(fits)
        };
        if is_name(algorithm) && operation.is_none_or(is_name) {
            Ok(Self { algorithm: algorithm.into(), operation: operation.map(String::from) })
        } else {
            Err(FilterError(text.into()))
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        self.operation.as_ref().map_or(Ok(()), |operation| write!(f, "/{operation}"))
    }
}

/// A text that is no filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterError(String);

impl fmt::Display for FilterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "filter `{}`; allowed: ALGORITHM or ALGORITHM/OPERATION in lower case, e.g. sm4/ctr",
            self.0
        )
    }
}

impl std::error::Error for FilterError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn chooses(filter: &str, algorithm: &str, mode: &str) -> bool {
        filter.parse::<Filter>().unwrap().chooses(algorithm, mode)
    }

    #[test]
    fn an_operation_belongs_to_its_mode() {
        assert!(chooses("sm4", "sm4", "cbc"));
        assert!(chooses("sm4/cbc", "sm4", "cbc"));
        assert!(chooses("sm4/cbc-decrypt", "sm4", "cbc"));
        assert!(!chooses("sm4/cbc-decrypt", "sm4", "cb"));
        assert!(!chooses("sm4/ctr", "sm4", "cbc"));
        assert!(!chooses("sm4", "aes-128", "cbc"));
        assert!(!chooses("sm4/ccm-seal", "sm4", "cbc"));
        assert!(chooses("sm4/gcm-siv-seal", "sm4", "gcm-siv"));
        assert!(!chooses("sm4/gcm-siv-seal", "sm4", "gcm"));
    }

    #[test]
    fn what_is_no_filter_is_refused() {
        for text in ["", "/", "sm4/", "/ctr", "sm4/ctr/x", "SM4"] {
            assert_eq!(text.parse::<Filter>(), Err(FilterError(text.into())));
        }
        assert_eq!("sm4/ctr".parse::<Filter>().unwrap().to_string(), "sm4/ctr");
    }
}
