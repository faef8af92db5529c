//! The studies that are built in, by name.

use super::Study;
use crate::LabError;

/// A built-in study.
struct Known {
    name: &'static str,
    text: &'static str,
}

/// In the order in which they are listed.
const KNOWN: [Known; 5] = [
    Known { name: "headline", text: include_str!("../../studies/headline.toml") },
    Known { name: "zuc-report", text: include_str!("../../studies/zuc-report.toml") },
    Known { name: "jilin-1999", text: include_str!("../../studies/jilin-1999.toml") },
    Known { name: "sm4-lab", text: include_str!("../../studies/sm4-lab.toml") },
    Known { name: "air-interface", text: include_str!("../../studies/air-interface.toml") },
];

impl Study {
    /// The names of the built-in studies.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        KNOWN.iter().map(|known| known.name).collect()
    }

    /// The built-in study of that name.
    ///
    /// # Errors
    /// [`LabError::Value`] listing the names there are.
    ///
    /// ```
    /// use lab::study::Study;
    ///
    /// assert!(!Study::named("zuc-report")?.claims.is_empty());
    /// let error = Study::named("zuc").unwrap_err().to_string();
    /// assert!(error.contains("`zuc`") && error.contains("zuc-report"));
    /// # Ok::<(), lab::LabError>(())
    /// ```
    pub fn named(name: &str) -> Result<Self, LabError> {
        match KNOWN.iter().find(|known| known.name == name) {
            Some(known) => {
                let study = Self::from_toml(known.text)?;
                Ok(Self { name: Some(name.to_owned()), ..study })
            }
            None => Err(LabError::Value {
                field: "study",
                value: name.to_owned(),
                allowed: Self::names().join(", "),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_study_that_is_built_in_can_be_read() {
        for name in Study::names() {
            let study = Study::named(name).expect(name);
            assert!(!study.title.to_string().is_empty() && !study.selections.is_empty());
        }
    }
}
