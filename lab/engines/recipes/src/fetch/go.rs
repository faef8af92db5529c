//! Modules of Go, by `go mod download` of a program that requires them.

use std::path::Path;
use std::process::Command;

use super::sha256;
use crate::{RecipeError, Workshop};

impl Workshop<'_> {
    /// `go` in the folder of a program, with a module cache that this build alone uses.
    #[must_use]
    pub fn go(&self, project: &Path) -> Command {
        let mut command = Command::new("go");
        command.current_dir(project).env("GOMODCACHE", self.work().join("modules"));
        // The cache goes with the folder of this build; another toolchain would be fetched.
        command.env("GOFLAGS", "-modcacherw -mod=mod").env("GOTOOLCHAIN", "local");
        command.env("GOWORK", "off");
        command
    }

    /// Fetches the one module that a program requires; `go` compares it with the program's
    /// `go.sum` besides.
    ///
    /// # Errors
    /// [`RecipeError::Command`] if Go can't get it, [`RecipeError::Checksum`].
    pub fn go_module(
        &mut self,
        project: &Path,
        module: &str,
        version: &str,
        pin: &str,
    ) -> Result<(), RecipeError> {
        let mut fetch = self.go(project);
        fetch.args(["mod", "download", "-x", module]);
        self.run(&format!("fetching Go module {module} {version}"), &mut fetch)?;
        let archive = format!("modules/cache/download/{module}/@v/{version}.zip");
        let found = sha256(&self.work().join(archive))?;
        self.fetched(&format!("Go module {module} {version}"), found, Some(pin))
    }
}
