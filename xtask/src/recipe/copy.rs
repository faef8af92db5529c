//! A copy of the checkout, as it lies there, to which patches are applied.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::touched::State;
use crate::outcome::Outcome;
use crate::workspace;

/// A copy, and where all that is built in it goes: what recipes share is built once, and where tests
/// alone are, with what others have built for two levels.
pub(crate) struct Copy {
    pub(crate) folder: PathBuf,
    pub(crate) target: PathBuf,
}

impl Copy {
    pub(super) fn new(tests_alone: bool) -> Self {
        let folder = workspace::scratch("recipe").join("checkout");
        // Never the program: it would be taken for the checkout's.
        let own = || workspace::scratch("recipe").join("target");
        Self { folder, target: if tests_alone { workspace::target() } else { own() } }
    }

    /// One of a chore of that name, with a folder of its own for what is built.
    pub(crate) fn called(name: &str) -> Self {
        let folder = workspace::scratch(name);
        Self { folder: folder.join("checkout"), target: folder.join("target") }
    }

    /// Makes the copy what the checkout is. Files that are so already keep their times, by which
    /// cargo knows what it has built.
    pub(crate) fn renew(&self) -> Outcome {
        let root = workspace::root();
        let wanted = checkout(&root)?;
        if self.folder.is_dir() {
            for name in self.state()?.keys().filter(|name| !wanted.contains(*name)) {
                fs::remove_file(self.folder.join(name)).map_err(|error| told(name, &error))?;
            }
        }
        for name in &wanted {
            let (from, to) = (root.join(name), self.folder.join(name));
            let content = fs::read(&from).map_err(|error| told(name, &error))?;
            if fs::read(&to).is_ok_and(|there| there == content) {
                continue;
            }
            let folder = to.parent().unwrap_or(&self.folder);
            fs::create_dir_all(folder).map_err(|error| told(name, &error))?;
            fs::write(&to, content).map_err(|error| told(name, &error))?;
        }
        Ok(())
    }

    /// All files of the copy.
    pub(super) fn state(&self) -> Result<State, String> {
        let (mut state, mut folders) = (State::new(), vec![self.folder.clone()]);
        while let Some(folder) = folders.pop() {
            let name = folder.display().to_string();
            for entry in fs::read_dir(&folder).map_err(|error| told(&name, &error))? {
                let entry = entry.map_err(|error| told(&name, &error))?;
                let (path, kind) = (entry.path(), entry.file_type());
                let kind = kind.map_err(|error| told(&name, &error))?;
                if kind.is_dir() {
                    folders.push(path);
                    continue;
                }
                // A link is itself, not what it leads to: a program's report has one to a folder.
                let content = if kind.is_symlink() {
                    fs::read_link(&path).map(|to| to.display().to_string().into_bytes())
                } else {
                    fs::read(&path)
                };
                let content = content.map_err(|error| told(&name, &error))?;
                let relative = path.strip_prefix(&self.folder).unwrap_or(&path);
                let parts = relative.components().map(|part| part.as_os_str().to_string_lossy());
                state.insert(parts.collect::<Vec<_>>().join("/"), content);
            }
        }
        Ok(state)
    }

    /// Applies a patch. The copy lies inside of a repository, which is none of git's business here.
    pub(super) fn apply(&self, patch: &Path) -> Outcome {
        let mut git = Command::new("git");
        git.args(["apply", "-C1", "--whitespace=nowarn"]).arg(patch).current_dir(&self.folder);
        git.env("GIT_CEILING_DIRECTORIES", self.folder.parent().unwrap_or(&self.folder));
        let remedy = "CONTRIBUTING.md says how a patch is made anew";
        workspace::output(&mut git).map(drop).map_err(|error| format!("{error}; {remedy}"))
    }
}

/// The files of the checkout that git has or would take, and that are there.
fn checkout(root: &Path) -> Result<BTreeSet<String>, String> {
    let mut git = Command::new("git");
    git.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).current_dir(root);
    let names = workspace::output(&mut git)?;
    let names = names.split('\0').filter(|name| root.join(name).is_file());
    Ok(names.map(str::to_owned).collect())
}

fn told(name: &str, error: &std::io::Error) -> String {
    format!("{name}: {error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_taken_away_and_not_followed() {
        let own = std::env::temp_dir().join(format!("xtask-copy-{}", std::process::id()));
        let copy = Copy { folder: own.join("copy"), target: own.join("target") };
        copy.renew().unwrap();
        let made = copy.state().unwrap().len();
        let report = copy.folder.join("report");
        fs::create_dir_all(report.join("today")).unwrap();
        fs::write(report.join("today/page"), "figures").unwrap();
        std::os::unix::fs::symlink("today", report.join("latest")).unwrap();
        let state = copy.state().unwrap();
        assert_eq!(state.len(), made + 2);
        assert_eq!(state["report/latest"], b"today");
        copy.renew().unwrap();
        assert_eq!(copy.state().unwrap().len(), made);
        fs::remove_dir_all(&own).unwrap();
    }
}
