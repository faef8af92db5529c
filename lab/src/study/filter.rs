//! Filters: which operations a study is about.

use std::fmt;
use std::str::FromStr;

use crate::LabError;

/// `ALGORITHM` or `ALGORITHM/OPERATION`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The algorithm.
    pub algorithm: String,
    /// The operation; all of them if absent.
    pub operation: Option<String>,
}

impl Filter {
    /// Whether it selects that operation.
    #[must_use]
    pub fn selects(&self, algorithm: &str, operation: &str) -> bool {
        self.algorithm == algorithm && self.operation.as_deref().is_none_or(|it| it == operation)
    }
}

impl FromStr for Filter {
    type Err = LabError;

    fn from_str(text: &str) -> Result<Self, LabError> {
        let word = |part: &str| {
            !part.is_empty()
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || b"-+.".contains(&b))
        };
        let (algorithm, operation) = match text.split_once('/') {
            Some((algorithm, operation)) => (algorithm, Some(operation)),
            None => (text, None),
        };
        if !word(algorithm) || !operation.is_none_or(word) {
            return Err(LabError::Value {
                field: "filter",
                value: text.to_owned(),
                allowed: "ALGORITHM or ALGORITHM/OPERATION, e.g. sm4/ctr".to_owned(),
            });
        }
        Ok(Self { algorithm: algorithm.to_owned(), operation: operation.map(str::to_owned) })
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.algorithm)?;
        self.operation.as_ref().map_or(Ok(()), |operation| write!(f, "/{operation}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_are_an_algorithm_or_an_operation() {
        let filter: Filter = "zuc-256/eea3+eia3".parse().expect("a filter");
        assert_eq!(filter.to_string(), "zuc-256/eea3+eia3");
        assert!(filter.selects("zuc-256", "eea3+eia3") && !filter.selects("zuc-256", "eea3"));
        let filter: Filter = "sm4".parse().expect("a filter");
        assert!(filter.selects("sm4", "ctr") && !filter.selects("sm", "ctr"));
        for bad in ["", "/", "sm4/", "/ctr", "a b", "a/b/c", "sm4,zuc"] {
            assert!(bad.parse::<Filter>().is_err(), "{bad}");
        }
    }
}
