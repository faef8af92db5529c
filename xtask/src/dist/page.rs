//! Pages of the repository on the sites of registries, where a link into the repository needs its
//! whole address.

use std::path::{Component, Path, PathBuf};

use super::{Shop, tree};
use crate::outcome::Outcome;
use crate::workspace;

/// A relative path, from a folder, without `..`.
fn resolved(folder: &str, link: &str) -> String {
    let mut found = PathBuf::new();
    for part in Path::new(folder).join(link).components() {
        match part {
            Component::ParentDir => _ = found.pop(),
            Component::Normal(part) => found.push(part),
            _ => {}
        }
    }
    found.display().to_string()
}

/// A page with its links into the repository made whole; those to a place in the page stay.
fn whole(text: &str, folder: &str, tree: &str) -> String {
    let mut parts = text.split("](");
    let mut page = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        page += "](";
        match part.split_once(')') {
            Some((link, _)) if !link.contains("://") && !link.starts_with('#') => {
                page += &format!("{tree}/{}{}", resolved(folder, link), &part[link.len()..]);
            }
            _ => page += part,
        }
    }
    page
}

/// Does so with a page in the copy of the sources.
pub(super) fn rewrite(shop: &Shop, folder: &str, name: &str) -> Outcome {
    let text = workspace::read(&format!("{folder}/{name}"))?;
    // As the usual hosts name a file of a tag.
    let tree = format!("{}/blob/v{}", shop.identity.repository, shop.identity.version);
    tree::write(&shop.sources().join(folder).join(name), whole(&text, folder, &tree))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_into_the_repository_are_made_whole_and_others_stay() {
        let text = "[a](../../docs/A.md#b) [c](https://d.net/e) [f](#g) [h](i.md)";
        assert_eq!(
            whole(text, "bindings/python", "https://r.net/x"),
            "[a](https://r.net/x/docs/A.md#b) [c](https://d.net/e) [f](#g) \
             [h](https://r.net/x/bindings/python/i.md)"
        );
    }
}
