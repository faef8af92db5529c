//! Where a recipe works: steps, commands, files, and what is kept.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::{Progress, Recipe, RecipeError, Source};

/// Settings of the user that would make another library than the recipe describes.
const FOREIGN: [&str; 6] = ["CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL"];

/// The SHA-256 that a fetched file of that name must have. A file without a pin is one of
/// another architecture or a later revision; its SHA-256 is only told.
#[derive(Clone, Copy, Debug)]
pub struct Pin {
    /// The file's name.
    pub file: &'static str,
    /// Its SHA-256 in hexadecimal.
    pub sha256: &'static str,
}

/// Where one engine is made: a folder for work, one for what is kept, and a log.
pub struct Workshop<'p> {
    recipe: &'static Recipe,
    work: PathBuf,
    product: PathBuf,
    log: PathBuf,
    progress: &'p mut dyn Progress,
    sources: Vec<Source>,
    commands: Vec<String>,
}

impl<'p> Workshop<'p> {
    /// A workshop in an empty folder.
    pub(crate) fn open(
        recipe: &'static Recipe,
        folder: &Path,
        log: &Path,
        progress: &'p mut dyn Progress,
    ) -> Result<Self, RecipeError> {
        let [work, product] = ["work", "product"].map(|name| folder.join(name));
        for folder in [&work, &product] {
            fs::create_dir(folder).map_err(RecipeError::io("make the folder", folder))?;
        }
        File::create(log).map_err(RecipeError::io("write", log))?;
        let log = log.to_path_buf();
        let (sources, commands) = (Vec::new(), Vec::new());
        Ok(Self { recipe, work, product, log, progress, sources, commands })
    }

    /// What was kept, fetched and run, once every library is there.
    pub(crate) fn close(self) -> Result<(PathBuf, Vec<Source>, Vec<String>), RecipeError> {
        match self.recipe.libraries.iter().find(|name| !self.product.join(name).is_file()) {
            Some(name) => Err(self.not_made(name, "the recipe")),
            None => Ok((self.product, self.sources, self.commands)),
        }
    }

    /// The engine that is made.
    pub(crate) fn engine(&self) -> &'static str {
        self.recipe.engine
    }

    /// A folder for anything that is not kept.
    #[must_use]
    pub fn work(&self) -> &Path {
        &self.work
    }

    /// How many commands of a build may run at once: the number of cores.
    #[must_use]
    pub fn jobs(&self) -> usize {
        thread::available_parallelism().map_or(1, NonZero::get)
    }

    /// Says that a step begins.
    pub fn step(&mut self, text: &str) {
        self.progress.step(self.recipe.engine, text);
    }

    /// Says that a step begins and runs its command, whose output goes to the log.
    ///
    /// # Errors
    /// [`RecipeError::Command`] if it can't be started or ends with an error.
    pub fn run(&mut self, step: &str, command: &mut Command) -> Result<(), RecipeError> {
        self.step(step);
        let line = self.line(command);
        self.commands.push(line.clone());
        let log = || File::options().append(true).open(&self.log);
        let mut start = || {
            let mut head = log()?;
            writeln!(head, "$ {line}")?;
            for name in FOREIGN {
                command.env_remove(name);
            }
            command.stdin(Stdio::null()).stdout(head).stderr(log()?).status()
        };
        match start() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.failed(step, &format!("{status}: {}", self.last_words()))),
            Err(error) => {
                let program = command.get_program().to_string_lossy();
                Err(self.failed(step, &format!("`{program}` can't be started: {error}")))
            }
        }
    }

    /// The command as one would type it, with the temporary folder as `.`.
    fn line(&self, command: &Command) -> String {
        let folder = self.work.display().to_string();
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let words: Vec<String> =
            words.map(|word| word.to_string_lossy().replace(&folder, ".")).collect();
        words.join(" ")
    }

    pub(crate) fn failed(&self, step: &str, said: &str) -> RecipeError {
        let (engine, step, said) = (self.recipe.engine, step.to_owned(), said.to_owned());
        RecipeError::Command { engine, step, said, remedy: self.see_log() }
    }

    fn see_log(&self) -> String {
        format!("see the log {}", self.log.display())
    }

    /// The last line of the log that says something.
    fn last_words(&self) -> String {
        let lines = File::open(&self.log).map(|log| BufReader::new(log).split(b'\n'));
        let lines = lines.into_iter().flatten().map_while(Result::ok);
        let lines = lines.map(|line| String::from_utf8_lossy(&line).trim().to_owned());
        let last = lines.filter(|line| !line.is_empty() && !line.starts_with("$ ")).last();
        last.map_or_else(|| "it said nothing".to_owned(), |line| line.chars().take(200).collect())
    }

    fn not_made(&self, what: &str, after: &str) -> RecipeError {
        RecipeError::NotMade {
            engine: self.recipe.engine,
            what: what.to_owned(),
            after: after.to_owned(),
            remedy: self.see_log(),
        }
    }

    /// The file of that name among those that were kept.
    #[must_use]
    pub fn kept(&self, name: &str) -> PathBuf {
        self.product.join(name)
    }

    /// Keeps a file under that name beside the libraries of the engine.
    ///
    /// # Errors
    /// [`RecipeError::NotMade`] if it isn't there, [`RecipeError::Io`].
    pub fn keep(&mut self, file: &Path, name: &str) -> Result<(), RecipeError> {
        if !file.is_file() {
            return Err(self.not_made(&file.display().to_string(), "the last step"));
        }
        let to = self.product.join(name);
        fs::copy(file, &to).map(drop).map_err(RecipeError::io("write", to))
    }

    /// Keeps a folder with all that is in it.
    ///
    /// # Errors
    /// [`RecipeError::Io`].
    pub fn keep_folder(&mut self, folder: &Path, name: &str) -> Result<(), RecipeError> {
        let to = self.product.join(name);
        copy_folder(folder, &to)
    }

    /// Writes files that are part of this program, and keeps them.
    ///
    /// # Errors
    /// [`RecipeError::Io`].
    pub fn keep_texts(&mut self, texts: &[(&str, &str)]) -> Result<(), RecipeError> {
        for (name, text) in texts {
            let to = self.product.join(name);
            fs::write(&to, text).map_err(RecipeError::io("write", to))?;
        }
        Ok(())
    }

    /// Keeps the file of that name from anywhere below a folder, e.g. a library of which only
    /// the packager knows the place.
    ///
    /// # Errors
    /// As [`keep`](Self::keep).
    pub fn keep_found(&mut self, root: &Path, name: &str) -> Result<(), RecipeError> {
        let found = find(root, OsStr::new(name));
        let place = || self.not_made(name, &format!("unpacking {}", root.display()));
        let file = found.ok_or_else(place)?;
        self.keep(&file, name)
    }

    /// Notes what was fetched, after a comparison with its pin.
    pub(crate) fn fetched(
        &mut self,
        what: &str,
        sha256: String,
        pinned: Option<&str>,
    ) -> Result<(), RecipeError> {
        if let Some(pinned) = pinned.filter(|pinned| *pinned != sha256) {
            return Err(RecipeError::Checksum {
                engine: self.recipe.engine,
                what: what.to_owned(),
                found: sha256,
                pinned: pinned.to_owned(),
            });
        }
        let checked = if pinned.is_some() { "as pinned" } else { "not pinned" };
        self.step(&format!("fetched {what}, SHA-256 {sha256} ({checked})"));
        self.sources.push(Source { what: what.to_owned(), sha256, pinned: pinned.is_some() });
        Ok(())
    }
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), RecipeError> {
    fs::create_dir_all(to).map_err(RecipeError::io("make the folder", to))?;
    for entry in fs::read_dir(from).map_err(RecipeError::io("read", from))? {
        let path = entry.map_err(RecipeError::io("read", from))?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &to)?;
        } else {
            fs::copy(&path, &to).map_err(RecipeError::io("write", to))?;
        }
    }
    Ok(())
}

/// A file of that name below a folder.
pub(crate) fn find(root: &Path, name: &OsStr) -> Option<PathBuf> {
    let entries: Vec<PathBuf> =
        fs::read_dir(root).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let here = entries.iter().find(|path| path.file_name() == Some(name) && path.is_file());
    here.cloned().or_else(|| {
        let folders = entries.iter().filter(|path| path.is_dir() && !path.is_symlink());
        folders.into_iter().find_map(|folder| find(folder, name))
    })
}
