//! Engines that are programs of their own and speak the protocol themselves: those of languages
//! with a run time that no other process should share.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use lab::LabError;
use lab::engine::Process;
use lab::reply::Description;

/// An engine that a recipe builds as a program.
#[derive(Clone, Copy)]
pub(crate) struct Built {
    /// The engine's name.
    pub(crate) engine: &'static str,
    /// The command that runs what was built, with its first arguments; none if that is itself
    /// a program.
    pub(crate) runner: &'static [&'static str],
    /// What brings it.
    pub(crate) how_to_get: &'static str,
}

/// Such a program, ready to be started.
pub(crate) struct Program {
    built: Built,
    pub(crate) path: PathBuf,
}

/// A program of which nothing is heard for so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

impl Built {
    /// Finds the program: that of this path, or the one in the cache.
    ///
    /// # Errors
    /// [`LabError::EngineMissing`] with what brings it.
    pub(crate) fn find(self, lib: Option<&Path>) -> Result<Program, LabError> {
        let (path, why) = match lib {
            Some(path) => {
                (Some(path.to_path_buf()), format!("{} is no program of it", path.display()))
            }
            None => (recipes::library(self.engine), "it has not been built".to_owned()),
        };
        match path.filter(|path| path.is_file()) {
            Some(path) => Ok(Program { built: self, path }),
            None => Err(self.missing(&why)),
        }
    }

    /// The error of a program that isn't there or can't be used.
    pub(crate) fn missing(&self, why: &str) -> LabError {
        LabError::EngineMissing {
            engine: self.engine.to_owned(),
            how_to_get: format!("{why}; {}", self.how_to_get),
        }
    }
}

impl Program {
    /// What starts it.
    pub(crate) fn command(&self) -> Command {
        let Some((program, arguments)) = self.built.runner.split_first() else {
            return Command::new(&self.path);
        };
        let mut command = Command::new(program);
        command.args(arguments).arg(&self.path);
        command
    }

    /// Who it says it is and what it offers.
    ///
    /// # Errors
    /// As [`Process::describe`].
    pub(crate) fn describe(&self) -> Result<Description, LabError> {
        Process::spawn(self.command(), self.built.engine, PATIENCE)?.describe()
    }

    /// Lets it serve on the standard input and output of this process, which it replaces where
    /// the system can do that.
    ///
    /// # Errors
    /// [`LabError::EngineMissing`] if it can't be started or ends with an error.
    pub(crate) fn serve(&self) -> Result<(), LabError> {
        let mut command = self.command();
        let program = command.get_program().to_string_lossy().into_owned();
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt as _;
            // It returns only if there is no such program.
            let error = command.exec();
            Err(self.built.missing(&format!("`{program}` can't be started: {error}")))
        }
        #[cfg(not(unix))]
        match command.status() {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(self.built.missing(&format!("`{program}` ended: {status}"))),
            Err(error) => {
                Err(self.built.missing(&format!("`{program}` can't be started: {error}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOY: Built = Built { engine: "toy", runner: &[], how_to_get: "nothing brings it" };

    #[test]
    fn a_program_that_is_not_there_names_what_brings_it() {
        let error = TOY.find(Some(Path::new("/no/such/program"))).err().expect("absent");
        let text = error.to_string();
        assert!(text.contains("/no/such/program is no program of it; nothing brings it"), "{text}");
        let error = TOY.find(None).err().expect("no recipe").to_string();
        assert!(error.contains("it has not been built; nothing brings it"), "{error}");
    }

    #[test]
    fn a_runner_is_given_the_program() {
        let own = std::env::current_exe().expect("this test");
        let java = Built { runner: &["java", "-jar"], ..TOY };
        let command = java.find(Some(&own)).expect("there").command();
        assert_eq!(command.get_program(), "java");
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["-jar".as_ref(), own.as_os_str()]);
        let command = TOY.find(Some(&own)).expect("there").command();
        assert_eq!((command.get_program(), command.get_args().len()), (own.as_os_str(), 0));
    }

    #[test]
    fn what_answers_nothing_is_missing() {
        let mute = Built { runner: &["no-such-runner-of-anyone"], ..TOY };
        let own = std::env::current_exe().expect("this test");
        let error = mute.find(Some(&own)).expect("there").describe().expect_err("mute");
        assert!(error.to_string().contains("no-such-runner-of-anyone"), "{error}");
    }
}
