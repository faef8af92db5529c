//! OpenSSL's own test of EVP with the provider in it: the C file and the recipes of a release,
//! from Debian's archive, in the libcrypto that is tested.
//!
//! Twice. With the property `provider=cipherlane` nothing else can answer, so every stanza about
//! a cipher or MAC that is offered must pass. By the README's configuration every recipe must pass
//! that passes with the default provider alone.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Tally, readme, write};
use crate::stage::skip;

mod release;

use release::Release;

/// What is in a folder, by name.
fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?;
    let mut paths = entries.map(|it| Ok(it?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// A library under test: its program, its version, and the library itself, if it is not the
/// system's.
pub(super) struct Tested<'t> {
    pub(super) program: &'t Path,
    pub(super) version: &'t str,
    pub(super) library: Option<&'t Path>,
    /// Where `cipherlane.so` is, and files of this run may be.
    pub(super) folder: &'t Path,
}

/// How a run of one or more recipes ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    run: usize,
    failed: usize,
    skipped: usize,
}

/// Both parts, or a line that says why not.
pub(super) fn run(tally: &mut Tally, tested: &Tested<'_>) {
    let version = tested.version;
    let (release, runner) = match tested.runner() {
        Ok(runner) => runner,
        Err(why) => return skip(&format!("evp_test in OpenSSL {version}"), &why),
    };
    let name = format!("evp_test of {} in OpenSSL {version}", release.recipe.version);
    match tested.alone(&runner) {
        Ok((count, said)) => {
            let Count { run, failed, .. } = count;
            let passed = run - failed;
            let line =
                format!("{name}, provider=cipherlane: {run} run, {passed} pass, {failed} fail");
            tally.check(&line, if failed == 0 && run > 0 { Ok(()) } else { Err(said) });
        }
        Err(why) => _ = tally.check(&format!("{name}, provider=cipherlane"), Err(why)),
    }
    match tested.beside(&runner) {
        Ok((recipes, count, said)) => {
            let Count { run, skipped, .. } = count;
            let line = format!(
                "{name}, the README's configuration: {recipes} recipes that pass with the default \
                 provider alone, {run} run, {skipped} skipped"
            );
            tally.check(&line, if said.is_empty() && recipes > 0 { Ok(()) } else { Err(said) });
        }
        Err(why) => _ = tally.check(&format!("{name}, the README's configuration"), Err(why)),
    }
}

/// The linked test, and where its recipes are.
struct Runner {
    program: PathBuf,
    recipes: Vec<PathBuf>,
}

impl Tested<'_> {
    /// Builds the test of this version, else of the series.
    fn runner(&self) -> Result<(&'static Release, Runner), String> {
        let (release, folder) = release::built(self.version)?;
        Ok((release, self.link(&folder)?))
    }

    fn link(&self, folder: &Path) -> Result<Runner, String> {
        let program = self.folder.join(format!("evp_test-{}", self.version));
        let mut link = Command::new("gcc");
        link.arg(folder.join("evp_test.o")).arg(folder.join("libtestutil.a"));
        match self.library {
            Some(library) => link.arg(library),
            None => link.arg("-l:libcrypto.so.3"),
        };
        super::quiet(link.arg("-pthread").arg("-o").arg(&program))?;
        let mut recipes = files(&folder.join("recipes")).map_err(|error| error.to_string())?;
        recipes.retain(|path| path.extension().is_some_and(|kind| kind == "txt"));
        Ok(Runner { program, recipes })
    }

    /// Runs recipes by a configuration; what the program said of failures.
    fn recipe(
        &self,
        runner: &Runner,
        configuration: &Path,
        recipe: &Path,
        properties: Option<&str>,
    ) -> Result<(Count, bool, String), String> {
        let mut command = Command::new(&runner.program);
        if let Some(properties) = properties {
            command.args(["-propquery", properties]);
        }
        command.arg("-config").arg(configuration).arg(recipe).env_remove("OPENSSL_CONF");
        if let Some(folder) = self.library.and_then(Path::parent) {
            command.env("LD_LIBRARY_PATH", folder);
        }
        let output = command.output().map_err(|error| error.to_string())?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        Ok((counted(&said), output.status.success(), said))
    }

    /// Every stanza about what is offered, where nothing else can answer.
    fn alone(&self, runner: &Runner) -> Result<(Count, String), String> {
        let configuration = self.folder.join(format!("alone-{}.cnf", self.version));
        // Later tests want random numbers in their library context, and have a query of their own.
        let asks = !self.version.starts_with("3.0.");
        write(&configuration, &alone(&self.folder.join("cipherlane.so"), !asks))?;
        let properties = asks.then_some("provider=cipherlane");
        let list = |what: &str| {
            let mut command = Command::new(self.program);
            super::quiet(command.args(["list", what]).env("OPENSSL_CONF", &configuration))
        };
        let names = |text: &str| -> Vec<String> {
            let ours = text.lines().filter(|line| line.trim_end().ends_with("@ cipherlane"));
            let words = ours.flat_map(|line| line.split([' ', ',', '{', '}', '@']));
            words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        };
        let (ciphers, macs) =
            (names(&list("-cipher-algorithms")?), names(&list("-mac-algorithms")?));
        let (mut total, mut wrong) = (Count::default(), String::new());
        for recipe in &runner.recipes {
            let text = std::fs::read(recipe).map_err(|error| error.to_string())?;
            let (stanzas, text) = offered(&String::from_utf8_lossy(&text), &ciphers, &macs);
            if stanzas == 0 {
                continue;
            }
            let name = recipe.file_name().unwrap_or_default().to_string_lossy();
            let part = self.folder.join(&*name);
            write(&part, &text)?;
            let (count, _, said) = self.recipe(runner, &configuration, &part, properties)?;
            // A stanza that cannot begin ends the run: those behind it failed, too.
            let lost = stanzas.saturating_sub(count.run + count.skipped);
            total.run += count.run + lost;
            total.failed += count.failed.max(usize::from(lost > 0)) + lost.saturating_sub(1);
            if count.failed + lost > 0 {
                wrong.push_str(&format!("{name}:\n{}", faults(&said)));
            }
        }
        Ok((total, wrong))
    }

    /// Every recipe that passes without the provider, with it.
    fn beside(&self, runner: &Runner) -> Result<(usize, Count, String), String> {
        let ours = self.folder.join(format!("readme-{}.cnf", self.version));
        write(&ours, &readme::configuration(&self.folder.join("cipherlane.so"))?)?;
        let default = self.folder.join(format!("default-{}.cnf", self.version));
        write(&default, DEFAULT)?;
        let (mut recipes, mut total, mut wrong) = (0, Count::default(), String::new());
        for recipe in &runner.recipes {
            let (_, passes, _) = self.recipe(runner, &default, recipe, None)?;
            if !passes {
                continue;
            }
            recipes += 1;
            let (count, passes, said) = self.recipe(runner, &ours, recipe, None)?;
            total.run += count.run;
            total.skipped += count.skipped;
            if !passes {
                let name = recipe.file_name().unwrap_or_default().to_string_lossy();
                wrong.push_str(&format!("{name}:\n{}", faults(&said)));
            }
        }
        Ok((recipes, total, wrong))
    }
}

/// Only the default provider.
const DEFAULT: &str = "config_diagnostics = 1\nopenssl_conf = all\n[all]\nproviders = list\n\
                       [list]\ndefault = theirs\n[theirs]\nactivate = 1\n";

/// Both providers; of which only ours may answer, if it is `only` that.
fn alone(module: &Path, only: bool) -> String {
    let properties = "[algorithms]\ndefault_properties = provider=cipherlane\n";
    format!(
        "config_diagnostics = 1\nopenssl_conf = all\n[all]\nproviders = list\n{}\
         [list]\ncipherlane = ours\ndefault = theirs\n\
         [ours]\nmodule = {}\nactivate = 1\nlegacy = yes\n[theirs]\nactivate = 1\n{}",
        if only { "alg_section = algorithms\n" } else { "" },
        module.display(),
        if only { properties } else { "" },
    )
}

/// The stanzas of a recipe that are about these ciphers and MACs, in lower case, and how many
/// they are.
fn offered(text: &str, ciphers: &[String], macs: &[String]) -> (usize, String) {
    let (mut count, mut kept) = (0, String::new());
    let mut stanza: Vec<&str> = Vec::new();
    for line in text.lines().chain([""]) {
        if !line.trim().is_empty() {
            if !line.starts_with('#') {
                stanza.push(line);
            }
            continue;
        }
        let value = |key: &str| {
            let pairs = stanza.iter().filter_map(|line| line.split_once('='));
            pairs.map(|(name, value)| (name.trim(), value.trim())).find(|it| it.0 == key)
        };
        let is_in = |key: &str, list: &[String]| {
            value(key).is_some_and(|(_, value)| list.contains(&value.to_lowercase()))
        };
        let mac = is_in("MAC", macs) && is_in("Algorithm", ciphers);
        // Generators and derivations take ciphers, too; and what only the validated provider does
        // is not ours to do.
        let other = ["RAND", "KDF"].iter().any(|key| value(key).is_some());
        let fips = value("Availablein").is_some_and(|(_, value)| value == "fips");
        if (is_in("Cipher", ciphers) || mac) && !other && !fips {
            count += 1;
            for line in &stanza {
                // Here the provider is ours, whichever else has the cipher, too.
                if !line.starts_with("Availablein") {
                    kept.push_str(line);
                    kept.push('\n');
                }
            }
            kept.push('\n');
        }
        stanza.clear();
    }
    (count, kept)
}

/// The numbers of the last line `Completed … tests with … errors and … skipped`.
fn counted(said: &str) -> Count {
    let line = said.lines().rev().find(|line| line.contains("Completed "));
    let numbers = line.into_iter().flat_map(str::split_whitespace);
    let numbers: Vec<usize> = numbers.filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [run, failed, skipped] => Count { run, failed, skipped },
        _ => Count::default(),
    }
}

/// The lines that tell where something failed.
fn faults(said: &str) -> String {
    let lines = said.lines().filter(|line| line.contains("ERROR") || line.contains("error:"));
    lines.take(12).map(|line| format!("      {}\n", line.trim())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_stanzas_of_what_is_offered_are_kept() {
        let text = "# a comment\nTitle = a title\n\nCipher = SM4-ECB\nKey = 00\n\n\
                    Availablein = legacy\nCipher = DES-ECB\n\n\
                    Availablein = fips\nCipher = sm4-ctr\nKey = 02\n\n\
                    Availablein = default\nCipher = sm4-ctr\nKey = 01\n\n\
                    MAC = CMAC\nAlgorithm = SM4-CBC\n\nMAC = CMAC\nAlgorithm = DES-CBC\n\n\
                    RAND = CTR-DRBG\nCipher = SM4-CTR\n";
        let names = |all: &[&str]| all.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let ciphers = names(&["sm4-ecb", "sm4-ctr", "sm4-cbc"]);
        let (count, kept) = offered(text, &ciphers, &names(&["cmac"]));
        assert_eq!(count, 3);
        assert_eq!(
            kept,
            "Cipher = SM4-ECB\nKey = 00\n\nCipher = sm4-ctr\nKey = 01\n\n\
             MAC = CMAC\nAlgorithm = SM4-CBC\n\n"
        );
    }

    #[test]
    fn what_the_program_counts_is_read() {
        let said = "x\n    # Completed 961 tests with 2 errors and 3 skipped\nok 1\n";
        assert_eq!(counted(said), Count { run: 961, failed: 2, skipped: 3 });
        assert_eq!(counted("Segmentation fault"), Count::default());
    }
}
