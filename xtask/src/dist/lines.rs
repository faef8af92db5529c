//! The lines of the README's section on installing: each block begins with the name of the artefact
//! that it installs, and runs as it stands in an empty folder.

use std::path::Path;
use std::process::Command;

use super::pack::quiet;
use super::{Fault, Shop, tree};
use crate::bindings::readme;
use crate::workspace;

/// The section.
const HEADING: &str = "\n## Installing\n";

/// Artefacts of which the section shows no lines that run: those need a system to install into.
const WITHOUT: [&str; 2] = ["deb", "rpm"];

/// The lines for an artefact.
fn block(page: &str, name: &str) -> Option<String> {
    let section = page.split(HEADING).nth(1)?.split("\n## ").next()?;
    let mut blocks = readme::blocks(section, "sh").into_iter();
    blocks.find(|block| block.lines().next() == Some(&*format!("# {name}")))
}

/// Files that the lines name: the examples of pages of bindings.
fn examples(folder: &Path) -> Result<(), Fault> {
    for (language, page, file) in [
        ("java", "bindings/java/README.md", "Example.java"),
        ("c", "bindings/c/README.md", "example.c"),
    ] {
        let blocks = readme::blocks(&workspace::read(page)?, language);
        let code = blocks.first().ok_or_else(|| format!("no example in {page}"))?;
        tree::write(&folder.join(file), code)?;
    }
    Ok(())
}

/// Runs the lines for an artefact, without a network.
pub(super) fn follow(shop: &Shop, name: &str) -> Result<(), Fault> {
    if WITHOUT.contains(&name) {
        return Ok(());
    }
    let lines = block(&workspace::read("README.md")?, name);
    let lines = lines.ok_or_else(|| format!("README.md: no lines for `{name}`"))?;
    let folder = shop.clean(&format!("lines-{name}"))?;
    if ["jar", "c"].contains(&name) {
        examples(&folder)?;
    }
    let mut shell = Command::new("bash");
    shell.args(["-eu", "-c", &lines]).current_dir(&folder).env("DIST", &shop.out);
    for variable in ["CARGO_TARGET_DIR", "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "OPENSSL_CONF"] {
        shell.env_remove(variable);
    }
    shell.env("CARGO_NET_OFFLINE", "true").env("npm_config_offline", "true");
    let said = quiet(&mut shell)?;
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    println!("   the README's lines for it: {}", last.trim());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::ARTEFACTS;

    #[test]
    fn the_readme_has_lines_for_every_artefact() {
        let page = workspace::read("README.md").unwrap();
        for artefact in ARTEFACTS.iter().filter(|it| !WITHOUT.contains(&it.name)) {
            let lines = block(&page, artefact.name).expect(artefact.name);
            assert!(lines.lines().count() > 1, "{}", artefact.name);
            // From the folder of artefacts, of the version that is made.
            assert!(lines.contains("$DIST"), "{}", artefact.name);
        }
        assert!(block(&page, "snap").is_none());
    }

    #[test]
    fn only_the_section_counts() {
        let page =
            "x\n```sh\n# a\n1\n```\n## Installing\n```sh\n# a\n2\n```\n## C\n```sh\n# b\n3\n```\n";
        assert_eq!(block(page, "a").as_deref(), Some("# a\n2\n"));
        assert_eq!(block(page, "b"), None);
    }
}
