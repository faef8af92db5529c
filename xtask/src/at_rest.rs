//! `cargo xtask at-rest`: the recipes for data at rest. The commands of each page run as they stand,
//! with the files that `cargo xtask dist` made and with nothing of ours besides, and must print what the
//! page says. Not in CI, where these files are not made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::bindings::readme;
use crate::outcome::Outcome;
use crate::stage::skip;
use crate::workspace;

pub(crate) const OPTIONS: &[&str] = &["--only="];

/// A page, and what it needs.
struct Page {
    name: &'static str,
    /// Files of `dist`, by how their names begin and end.
    artefacts: &'static [(&'static str, &'static str)],
    /// Packages from PyPI.
    python: &'static [&'static str],
    /// Programs of others, or files of the system by their paths, with what brings them.
    programs: &'static [(&'static str, &'static str)],
    user: User,
}

/// Who runs a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum User {
    Any,
    /// Nobody where this is root: a server of PostgreSQL refuses to be that.
    Humble,
    /// Root, who mounts.
    Root,
}

/// The provider, the program and a wheel, for x86-64 alone so far; the library as crates.io has it.
const PROVIDER: (&str, &str) = ("cipherlane-openssl-", "x86_64-linux-gnu.tar.gz");
const PROGRAM: (&str, &str) = ("cipherlane-0", "x86_64-unknown-linux-musl.tar.gz");
const WHEEL: (&str, &str) = ("cipherlane-0", "manylinux_2_17_x86_64.whl");
const CRATES: [(&str, &str); 2] = [("cipherlane-0", ".crate"), ("cipherlane-lanes-0", ".crate")];

const PAGES: &[Page] = &[
    Page {
        name: "encrypted_env",
        artefacts: &[PROVIDER, CRATES[0], CRATES[1]],
        python: &[],
        programs: &[
            ("cc", "apt-get install gcc libssl-dev"),
            ("openssl", "apt-get install openssl"),
            ("cargo", "rustup"),
        ],
        user: User::Any,
    },
    Page {
        name: "postgresql",
        artefacts: &[PROVIDER],
        python: &[],
        programs: &[
            ("initdb", "apt-get install postgresql"),
            ("psql", "apt-get install postgresql"),
        ],
        user: User::Humble,
    },
    Page {
        name: "sqlite_pages",
        artefacts: &[WHEEL],
        python: &["apsw"],
        programs: &[],
        user: User::Any,
    },
    Page {
        name: "sectors",
        artefacts: &[PROGRAM],
        python: &["cryptography"],
        programs: &[],
        user: User::Any,
    },
    Page {
        name: "fscrypt",
        artefacts: &[PROGRAM],
        python: &["cryptography"],
        programs: &[
            ("mkfs.ext4", "apt-get install e2fsprogs"),
            ("debugfs", "apt-get install e2fsprogs"),
            ("losetup", "apt-get install mount"),
            ("/dev/loop-control", "a kernel with loop devices"),
            ("/sys/fs/ext4/features/encryption", "a kernel with CONFIG_FS_ENCRYPTION and ext4"),
        ],
        user: User::Root,
    },
];

/// What a page could not have.
struct Missing {
    what: String,
    remedy: String,
}

/// The newest file of `dist` whose name begins and ends so.
fn artefact((start, end): (&str, &str)) -> Option<PathBuf> {
    let folder = workspace::target().join("dist");
    let mut found: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(start) && name.ends_with(end)
        })
        .collect();
    found.sort();
    found.pop()
}

/// Folders of programs beside those of the system: where Debian puts PostgreSQL's.
fn folders() -> Vec<PathBuf> {
    let kept = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut kept: Vec<PathBuf> = kept.filter_map(|it| Some(it.ok()?.path().join("bin"))).collect();
    kept.sort();
    kept.reverse();
    let path = std::env::var_os("PATH").unwrap_or_default();
    kept.extend(std::env::split_paths(&path));
    kept
}

/// A command that must succeed.
fn quiet(command: &mut Command) -> Result<String, String> {
    workspace::output(command.stdin(Stdio::null()))
}

/// An environment of Python with packages; the wheel comes from the folder of artefacts alone.
fn python(page: &Page, folder: &Path) -> Result<Option<PathBuf>, Missing> {
    if page.python.is_empty() {
        return Ok(None);
    }
    let environment = folder.join("env");
    let missing = |what: String| Missing {
        what,
        remedy: format!("python3 with venv, and {} from PyPI or a mirror", page.python.join(", ")),
    };
    quiet(Command::new("python3").args(["-m", "venv"]).arg(&environment)).map_err(missing)?;
    let programs = environment.join("bin");
    let pip = |more: &[&str]| {
        let mut pip = Command::new(programs.join("python"));
        pip.args(["-m", "pip", "--disable-pip-version-check", "install", "--quiet"]).args(more);
        pip
    };
    quiet(&mut pip(page.python)).map_err(missing)?;
    if page.artefacts.contains(&WHEEL) {
        let from = workspace::target().join("dist").display().to_string();
        let more = ["--no-index", "--only-binary=:all:", "--find-links", &from, "cipherlane"];
        quiet(&mut pip(&more)).map_err(missing)?;
    }
    Ok(Some(programs))
}

/// A folder with everything that a page needs; the environment in which its commands run.
fn prepare(page: &Page, folder: &Path) -> Result<Result<Command, Missing>, String> {
    let fault = |error: std::io::Error| format!("{}: {error}", folder.display());
    let (work, recipes) = (folder.join("work"), folder.join("recipes"));
    for folder in [&work, &recipes] {
        fs::create_dir_all(folder).map_err(fault)?;
    }
    let from = workspace::root().join("docs/recipes");
    for entry in fs::read_dir(&from).map_err(fault)? {
        let path = entry.map_err(fault)?.path();
        if path.is_file() {
            fs::copy(&path, recipes.join(path.file_name().unwrap_or_default())).map_err(fault)?;
        }
    }
    let mut path = folders();
    for (program, remedy) in page.programs {
        // A path from the root on is that one, whatever folder it is joined to.
        if !path.iter().any(|folder| folder.join(program).exists()) {
            let what = format!("{}: no {program}", page.name);
            return Ok(Err(Missing { what, remedy: (*remedy).to_owned() }));
        }
    }
    let mut modules = None;
    for wanted in page.artefacts {
        let Some(file) = artefact(*wanted) else {
            let what = format!("{}: no {}*{}", page.name, wanted.0, wanted.1);
            let remedy = "cargo xtask dist --only=crates,program,provider,wheels".to_owned();
            return Ok(Err(Missing { what, remedy }));
        };
        if *wanted == WHEEL {
            continue;
        }
        let mut tar = Command::new("tar");
        quiet(tar.arg("-xf").arg(&file).arg("-C").arg(folder))?;
        if CRATES.contains(wanted) {
            continue;
        }
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let root = folder.join(name.trim_end_matches(".tar.gz"));
        if *wanted == PROGRAM {
            path.insert(0, root);
            continue;
        }
        let lies = root.join("lib/ossl-modules");
        let settings = root.join("share/doc/cipherlane-openssl/openssl.cnf");
        fs::copy(settings, lies.join("openssl.cnf")).map_err(fault)?;
        modules = Some(lies);
    }
    match python(page, folder) {
        Ok(programs) => path.splice(0..0, programs).for_each(drop),
        Err(missing) => return Ok(Err(missing)),
    }
    let is_root = quiet(Command::new("id").arg("-u"))?.trim() == "0";
    if page.user == User::Root && !is_root {
        let what = format!("{}: not root", page.name);
        return Ok(Err(Missing { what, remedy: "run it as root, who mounts".to_owned() }));
    }
    let mut shell = if page.user == User::Humble && is_root {
        quiet(Command::new("chown").arg("-R").arg("nobody").arg(folder))?;
        let mut shell = Command::new("setpriv");
        shell.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups", "bash"]);
        shell
    } else {
        Command::new("bash")
    };
    shell.arg("-eu").current_dir(&work).env("HOME", &work).env("RECIPES", &recipes);
    // Compilers of rustup are found by the HOME that was.
    if let (None, Some(home)) = (std::env::var_os("RUSTUP_HOME"), std::env::var_os("HOME")) {
        shell.env("RUSTUP_HOME", Path::new(&home).join(".rustup"));
    }
    shell.env("CRATES", folder);
    shell.env("PATH", std::env::join_paths(path).map_err(|error| error.to_string())?);
    let ours = ["OPENSSL_CONF", "CIPHERLANE_LEVEL", "PYTHONPATH"];
    let cargos = ["CARGO_HOME", "CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"];
    for variable in ours.into_iter().chain(cargos) {
        shell.env_remove(variable);
    }
    if let Some(modules) = modules {
        shell.env("MODULES", modules);
    }
    Ok(Ok(shell))
}

/// Commands of a page, each with what it prints, if the page says so.
fn steps(page: &str) -> Vec<(String, Option<String>)> {
    let blocks = readme::all(page);
    let mut steps: Vec<(String, Option<String>)> = Vec::new();
    for (at, (language, block)) in blocks.iter().enumerate() {
        match (language.as_str(), at.checked_sub(1).map(|before| blocks[before].0.as_str())) {
            ("sh", _) => steps.push((block.clone(), None)),
            ("text", Some("sh")) => {
                if let Some(step) = steps.last_mut() {
                    step.1 = Some(block.clone());
                }
            }
            _ => {}
        }
    }
    steps
}

/// Runs the commands of a page; how many.
fn follow(page: &Page, folder: &Path, shell: &Command) -> Result<usize, String> {
    let text = workspace::read(&format!("docs/recipes/{}.md", page.name))?;
    let steps = steps(&text);
    for (number, (commands, expected)) in steps.iter().enumerate() {
        let script = folder.join(format!("{number}.sh"));
        fs::write(&script, commands).map_err(|error| format!("{}: {error}", script.display()))?;
        let mut run = Command::new(shell.get_program());
        run.args(shell.get_args()).arg(&script).current_dir(folder.join("work"));
        for (name, value) in shell.get_envs() {
            match value {
                Some(value) => run.env(name, value),
                None => run.env_remove(name),
            };
        }
        let output = run.stdin(Stdio::null()).output().map_err(|error| error.to_string())?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let wrong = String::from_utf8_lossy(&output.stderr).into_owned();
        let number = number + 1;
        if !output.status.success() {
            return Err(format!("commands {number}: {}: {said}{wrong}", output.status));
        }
        if let Some(expected) = expected.as_ref().filter(|expected| **expected != said) {
            return Err(format!(
                "commands {number} printed\n{said}{wrong}and the page says\n{expected}"
            ));
        }
    }
    Ok(steps.len())
}

/// One page, from its folder to its end; none where something is missing.
fn tried(page: &Page, folder: &Path) -> Result<Option<usize>, String> {
    match prepare(page, folder)? {
        Ok(shell) => follow(page, folder, &shell).map(Some),
        Err(missing) => {
            skip(&missing.what, &missing.remedy);
            Ok(None)
        }
    }
}

pub(crate) fn run(options: &[String]) -> Outcome {
    let only = options.iter().find_map(|option| option.strip_prefix("--only="));
    if let Some(name) = only.filter(|name| !PAGES.iter().any(|page| page.name == *name)) {
        let known: Vec<&str> = PAGES.iter().map(|page| page.name).collect();
        return Err(format!("unknown page `{name}`; known: {}", known.join(", ")));
    }
    // Not under the target: whoever runs humbly must get there.
    let all = std::env::temp_dir().join(format!("cipherlane-at-rest-{}", std::process::id()));
    let (mut passed, mut failed) = (0, 0);
    for page in PAGES.iter().filter(|page| only.is_none_or(|name| page.name == name)) {
        println!("== docs/recipes/{}.md", page.name);
        let began = std::time::Instant::now();
        let folder = all.join(page.name);
        match tried(page, &folder) {
            Ok(None) => {}
            Ok(Some(steps)) => {
                passed += 1;
                // What a page measured is in no text that could be compared.
                let figures = fs::read_to_string(folder.join("work/figures"));
                figures.iter().flat_map(|it| it.lines()).for_each(|line| println!("   {line}"));
                let took = began.elapsed().as_secs_f64();
                println!("== docs/recipes/{}.md: ok, {steps} steps, {took:.1} s", page.name);
            }
            Err(error) => {
                failed += 1;
                println!("== docs/recipes/{}.md: FAILED: {error}", page.name);
            }
        }
    }
    if failed == 0 && all.exists() {
        fs::remove_dir_all(&all).map_err(|error| format!("{}: {error}", all.display()))?;
    }
    println!("{passed} passed, {failed} failed");
    if failed == 0 { Ok(()) } else { Err(format!("see {}", all.display())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_commands_print_belongs_to_the_ones_before() {
        let page =
            "```sh\na\n```\nx\n```text\nb\n```\n```sh\nc\n```\n```sql\nd\n```\n```text\ne\n```\n";
        let expected = [("a\n".to_owned(), Some("b\n".to_owned())), ("c\n".to_owned(), None)];
        assert_eq!(steps(page), expected);
    }

    #[test]
    fn every_page_has_commands_and_says_what_they_print() {
        for page in PAGES {
            let text = workspace::read(&format!("docs/recipes/{}.md", page.name)).unwrap();
            let steps = steps(&text);
            assert!(!steps.is_empty(), "{}", page.name);
            assert!(steps.iter().any(|(_, expected)| expected.is_some()), "{}", page.name);
        }
    }
}
