//! Artifacts of Maven repositories, by Maven's dependency plugin.

use std::path::PathBuf;
use std::process::Command;

use super::sha256;
use crate::{RecipeError, Workshop};

/// The plugin with its version, which would otherwise be whatever is newest.
const COPY: &str = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy";

impl Workshop<'_> {
    /// Fetches an artifact's jar, without what it depends on.
    ///
    /// # Errors
    /// [`RecipeError::Command`] if Maven can't get it, [`RecipeError::Checksum`].
    pub fn maven(
        &mut self,
        group: &str,
        artifact: &str,
        version: &str,
        pin: &str,
    ) -> Result<PathBuf, RecipeError> {
        let what = format!("{group}:{artifact}:{version}");
        let mut fetch = Command::new("mvn");
        fetch.args(["--batch-mode", "--quiet", COPY]).arg(format!("-Dartifact={what}"));
        fetch.arg(format!("-DoutputDirectory={}", self.work().display()));
        // Without a project of its own it would take one that the cache lies in.
        let folder = self.work().to_path_buf();
        self.run(&format!("fetching {what}"), fetch.current_dir(&folder))?;
        let jar = folder.join(format!("{artifact}-{version}.jar"));
        let found = sha256(&jar)?;
        self.fetched(&format!("Maven artifact {what}"), found, Some(pin))?;
        Ok(jar)
    }
}
