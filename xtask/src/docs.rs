//! `cargo xtask docs`: the documentation builds, the pages' links lead somewhere, and what is made of
//! the records of machines is as they say.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use crate::outcome::Outcome;
use crate::stage::stage;
use crate::workspace;

/// Pages that a newcomer must find.
const PAGES: &[&str] = &[
    "README.md",
    "ARCHITECTURE.md",
    "SAFETY.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
    "docs/METHOD.md",
    "docs/MACHINES.md",
    "docs/DEPENDENCIES.md",
];

/// Builds rustdoc of the workspace; a broken link inside it is an error.
pub(crate) fn rustdoc() -> Outcome {
    let mut command = workspace::cargo(&["doc", "--quiet", "--workspace", "--no-deps"]);
    // The crate `cipherlane` and the program of that name would write the same files.
    command.args(["--lib", "--document-private-items"]);
    workspace::run(command.env("RUSTDOCFLAGS", "-Dwarnings"))
}

/// A link of a page: its line and target.
#[derive(Debug, PartialEq, Eq)]
struct Link {
    line: usize,
    target: String,
}

/// The inline links and images of a Markdown page, outside of code.
fn links(page: &str) -> Vec<Link> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if fenced {
            continue;
        }
        // Every second part lies between back-ticks.
        for text in line.split('`').step_by(2) {
            for (at, _) in text.match_indices("](") {
                let rest = &text[at + 2..];
                if let Some(end) = rest.find(')') {
                    found.push(Link { line: number + 1, target: rest[..end].to_string() });
                }
            }
        }
    }
    found
}

/// The anchor that a heading gets: lower case, spaces as hyphens, no punctuation.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// The path with `.` and `..` resolved, without asking the disk.
fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = out.pop(),
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// Why a link of `page` leads nowhere, if it does.
fn broken(page: &str, text: &str, target: &str) -> Option<String> {
    if ["http://", "https://", "mailto:"].iter().any(|remote| target.starts_with(remote)) {
        return None;
    }
    let (path, fragment) = target.split_once('#').map_or((target, None), |(p, f)| (p, Some(f)));
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let file = if path.is_empty() { PathBuf::from(page) } else { normal(&folder.join(path)) };
    if !workspace::root().join(&file).exists() {
        return Some(format!("`{}` is not there", file.display()));
    }
    let fragment = fragment?;
    let other = if path.is_empty() {
        text.to_string()
    } else {
        workspace::read(&file.to_string_lossy()).ok()?
    };
    let known = anchors(&other).iter().any(|anchor| anchor == fragment);
    (!known).then(|| format!("`{}` has no heading `#{fragment}`", file.display()))
}

fn pages() -> Outcome {
    let mut faults = Vec::new();
    let files = workspace::files(".", "md")?;
    for page in PAGES.iter().filter(|page| !files.iter().any(|file| file == *page)) {
        faults.push(format!("{page} is missing"));
    }
    let mut count = 0;
    for page in &files {
        let text = workspace::read(page)?;
        for link in links(&text) {
            count += 1;
            if let Some(why) = broken(page, &text, &link.target) {
                faults.push(format!("{page}:{}: {why}", link.line));
            }
        }
    }
    println!("   {} pages, {count} links", files.len());
    faults.iter().for_each(|fault| println!("      {fault}"));
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults, listed above", faults.len())) }
}

pub(crate) fn run(_: &[String]) -> Outcome {
    stage("links of the pages", Duration::from_secs(5), pages)?;
    crate::machines::checked()?;
    stage("rustdoc", Duration::from_secs(120), rustdoc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_every_page_leads_somewhere() {
        pages().unwrap();
    }

    #[test]
    fn links_are_found_outside_of_code() {
        let page = "[a](b.md) and `[c](d.md)`\n```\n[e](f.md)\n```\n![g](h.svg)";
        let found: Vec<_> = links(page).into_iter().map(|link| (link.line, link.target)).collect();
        assert_eq!(found, [(1, "b.md".to_string()), (5, "h.svg".to_string())]);
    }

    #[test]
    fn missing_files_and_headings_are_found() {
        let text = "# The one call\n";
        assert_eq!(broken("docs/METHOD.md", text, "../README.md"), None);
        assert_eq!(broken("docs/METHOD.md", text, "#the-one-call"), None);
        assert_eq!(broken("docs/METHOD.md", text, "https://example.org/"), None);
        assert!(broken("docs/METHOD.md", text, "README.md").is_some());
        assert!(broken("docs/METHOD.md", text, "#another").is_some());
    }
}
