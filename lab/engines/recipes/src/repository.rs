//! The repository of this project, for engines that are made of its bindings.

use std::env;
use std::path::{Path, PathBuf};

use crate::sources::{self, Places};
use crate::{RecipeError, Workshop};

/// The repository that a folder lies in, told by a file of it.
fn above(folder: &Path, file: &str) -> Option<PathBuf> {
    folder.ancestors().find(|root| root.join(file).is_file()).map(Path::to_path_buf)
}

impl Workshop<'_> {
    /// The root of the repository that the program runs in, which has that file.
    ///
    /// # Errors
    /// [`RecipeError::NoRepository`] if it runs elsewhere.
    pub(crate) fn repository(&self, file: &'static str) -> Result<PathBuf, RecipeError> {
        let here = env::current_dir().ok();
        let missing = RecipeError::NoRepository { engine: self.engine(), file };
        here.and_then(|here| above(&here, file)).ok_or(missing)
    }

    /// Refuses to build from sources other than those of this program, whose hash is given: the
    /// engine would be kept and measured as of a version that it is not.
    ///
    /// # Errors
    /// [`RecipeError::Changed`], or [`RecipeError::Io`] if the sources can't be read.
    pub(crate) fn unchanged(
        &self,
        root: &Path,
        places: Places,
        hash: &str,
    ) -> Result<(), RecipeError> {
        let found = sources::hash(root, places).map_err(RecipeError::io("read", root))?;
        if found == hash { Ok(()) } else { Err(RecipeError::Changed { engine: self.engine() }) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_found_from_below_and_not_from_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let deep = folder.path().join("a/b");
        std::fs::create_dir_all(&deep).expect("folders");
        assert_eq!(above(&deep, "mark-of-nobody"), None);
        std::fs::write(folder.path().join("mark-of-nobody"), "").expect("written");
        assert_eq!(above(&deep, "mark-of-nobody").as_deref(), Some(folder.path()));
    }
}
