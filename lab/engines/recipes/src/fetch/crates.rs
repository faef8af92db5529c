//! Sources that a crate carries, by `cargo vendor` of a project that depends on it.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::{RecipeError, Workshop};

/// What `cargo vendor` writes beside the sources of a crate.
#[derive(Deserialize)]
struct Checksums {
    /// The SHA-256 of the crate's archive, which cargo has checked.
    package: String,
}

impl Workshop<'_> {
    /// Fetches a crate; the folder of its sources.
    ///
    /// # Errors
    /// [`RecipeError::Command`] if cargo can't get it, [`RecipeError::Checksum`].
    pub fn crate_sources(
        &mut self,
        name: &str,
        version: &str,
        sha256: &str,
    ) -> Result<PathBuf, RecipeError> {
        let project = self.work().join(format!("fetch-{name}"));
        let write = |file: &str, text: &str| {
            let path = project.join(file);
            let parent = path.parent().unwrap_or(&project);
            let done = fs::create_dir_all(parent).and_then(|()| fs::write(&path, text));
            done.map_err(RecipeError::io("write", path))
        };
        // A workspace of its own, whatever the cache lies in.
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"fetch\"\nversion = \"0.0.0\"\nedition = \"2021\"\n\n\
                 [dependencies]\n{name} = \"={version}\"\n\n[workspace]\n"
            ),
        )?;
        write("src/lib.rs", "")?;
        let mut command = Command::new("cargo");
        command.args(["vendor", "--versioned-dirs", "--respect-source-config", "vendor"]);
        self.run(&format!("fetching crate {name} {version}"), command.current_dir(&project))?;
        let sources = project.join("vendor").join(format!("{name}-{version}"));
        let checksums = sources.join(".cargo-checksum.json");
        let text = fs::read(&checksums).map_err(RecipeError::io("read", &checksums))?;
        let checksums: Checksums = serde_json::from_slice(&text)
            .map_err(|error| RecipeError::io("read", checksums)(error.into()))?;
        self.fetched(&format!("crate {name} {version}"), checksums.package, Some(sha256))?;
        Ok(sources)
    }
}
