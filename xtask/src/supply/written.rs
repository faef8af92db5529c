//! `docs/DEPENDENCIES.md`: why each crate from outside is there, compared with what cargo says.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata::Crates;

/// Where the page is, from the root.
pub(super) const PLACE: &str = "docs/DEPENDENCIES.md";
/// What stands above the crates that nobody names.
const ALONG: &str = "## Brought along";

/// What the page says: the direct crates with their users, and those brought along.
struct Page<'p> {
    direct: BTreeMap<&'p str, BTreeSet<&'p str>>,
    indirect: BTreeSet<&'p str>,
}

fn parse(page: &str) -> Result<Page<'_>, String> {
    let (above, along) =
        page.split_once(ALONG).ok_or_else(|| format!("{PLACE} has no `{ALONG}`"))?;
    let mut direct = BTreeMap::new();
    for row in above.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [name, users, why] = cells[..] else {
            return Err(format!("{PLACE}: `{row}` has no three cells"));
        };
        let name = name.trim_matches('`');
        if why.is_empty() {
            return Err(format!("{PLACE} says no reason for `{name}`"));
        }
        if direct.insert(name, users.split(", ").collect()).is_some() {
            return Err(format!("{PLACE} has `{name}` twice"));
        }
    }
    // Every second part lies between back-ticks.
    let quoted = along.split('`').skip(1).step_by(2);
    // A command is quoted too.
    let indirect = quoted.filter(|text| !text.contains(' ')).collect();
    Ok(Page { direct, indirect })
}

/// Everything that the page has too much or too little.
pub(super) fn faults(page: &str, crates: &Crates) -> Result<Vec<String>, String> {
    let page = parse(page)?;
    let mut faults = Vec::new();
    for (name, users) in &crates.direct {
        let users: BTreeSet<&str> = users.iter().map(String::as_str).collect();
        let listed: Vec<&str> = users.iter().copied().collect();
        match page.direct.get(name.as_str()) {
            None => faults.push(format!("`{name}` of {} is not there", listed.join(", "))),
            Some(said) if *said != users => {
                faults.push(format!("`{name}` is used by {}", listed.join(", ")));
            }
            Some(_) => {}
        }
    }
    let gone = page.direct.keys().filter(|name| !crates.direct.contains_key(**name));
    faults.extend(gone.map(|name| format!("nobody names `{name}` any more")));
    let indirect = crates.indirect();
    let new = indirect.difference(&page.indirect);
    faults.extend(new.map(|name| format!("`{name}` is brought along and not there")));
    let gone = page.indirect.difference(&indirect);
    faults.extend(gone.map(|name| format!("`{name}` is brought along no more")));
    Ok(faults)
}

/// The page with the crates brought along as they are; reasons are for people to write.
pub(super) fn with_indirect(page: &str, crates: &Crates) -> Result<String, String> {
    let (above, _) = page.split_once(ALONG).ok_or_else(|| format!("{PLACE} has no `{ALONG}`"))?;
    let names: Vec<String> = crates.indirect().iter().map(|name| format!("`{name}`")).collect();
    let mut text = format!(
        "{above}{ALONG}\n\nNamed by none of our manifests, written by `cargo xtask supply --write`:\n"
    );
    let mut width = usize::MAX;
    for (i, name) in names.iter().enumerate() {
        let end = if i + 1 == names.len() { "." } else { "," };
        if width.saturating_add(name.len()) > 96 {
            text.push('\n');
            width = 0;
        } else {
            text.push(' ');
        }
        text += name;
        text += end;
        width += name.len() + 2;
    }
    Ok(text + "\n")
}

#[cfg(test)]
mod tests {
    use super::super::metadata::{self, Crates, MANIFESTS};
    use super::*;
    use crate::workspace;

    fn small() -> Crates {
        let mut crates = Crates::default();
        let near = ("near".to_owned(), BTreeSet::from(["ours".to_owned()]));
        crates.direct.extend([near]);
        let foreign = |name: &str| metadata::Foreign {
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT".into(),
        };
        crates.all.extend([foreign("near"), foreign("far")]);
        crates
    }

    #[test]
    fn every_slip_of_the_page_is_named() {
        let page = "| crate | used by | why |\n|---|---|---|\n| `near` | ours | it is near |\n\n\
                    ## Brought along\n\n`far`.\n";
        assert_eq!(faults(page, &small()), Ok(vec![]));
        let told = |page: &str| faults(page, &small()).unwrap().join("; ");
        assert_eq!(told(&page.replace("ours", "theirs")), "`near` is used by ours");
        assert_eq!(
            told(&page.replace("`near`", "`old`")),
            "`near` of ours is not there; nobody names `old` any more"
        );
        assert_eq!(told(&page.replace("`far`", "")), "`far` is brought along and not there");
        assert_eq!(told(&page.replace("`far`", "`far`, `out`")), "`out` is brought along no more");
        assert!(faults(&page.replace("it is near", ""), &small()).is_err());
        assert!(faults("nothing", &small()).is_err());
        let again = with_indirect(&page.replace("`far`", "`off`"), &small()).unwrap();
        assert_eq!(faults(&again, &small()), Ok(vec![]));
    }

    #[test]
    fn the_page_names_every_crate_of_this_workspace() {
        let mut crates = Crates::default();
        crates.add(&metadata::of(MANIFESTS[0]).unwrap());
        let page = workspace::read(PLACE).unwrap();
        // What only other workspaces have is on the page too: `cargo xtask supply` looks at all.
        let page = parse(&page).unwrap();
        for (name, users) in &crates.direct {
            let said = page.direct.get(name.as_str());
            let said = said.unwrap_or_else(|| panic!("{PLACE} does not say why `{name}` is there"));
            for user in users {
                assert!(said.contains(user.as_str()), "{PLACE}: `{name}` is used by {user}");
            }
        }
    }
}
