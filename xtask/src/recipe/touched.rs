//! Which files a patch touches, and whether it may.

use std::collections::BTreeMap;

use crate::outcome::Outcome;

/// The files of a checkout, from its root, with their content.
pub(super) type State = BTreeMap<String, Vec<u8>>;

/// The files that are new, gone or not what they were, in order.
pub(super) fn between(before: &State, after: &State) -> Vec<String> {
    let mut names: Vec<&String> = before.keys().chain(after.keys()).collect();
    names.sort();
    names.dedup();
    names.into_iter().filter(|name| before.get(*name) != after.get(*name)).cloned().collect()
}

/// Whether nothing is touched but what is the newcomer's own, files or folders with a slash at
/// the end, and the files elsewhere in which it has lines.
pub(super) fn judge(touched: &[String], own: &[String], lines: &[&str]) -> Outcome {
    let is_own = |file: &str| {
        own.iter().any(|it| if it.ends_with('/') { file.starts_with(it) } else { file == it })
    };
    if !touched.iter().any(|file| is_own(file)) {
        return Err("the recipe adds nothing of its own".to_owned());
    }
    let elsewhere = |file: &&String| !is_own(file) && !lines.contains(&file.as_str());
    let others: Vec<&str> = touched.iter().filter(elsewhere).map(String::as_str).collect();
    if others.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{} files are touched that the recipe does not name: {}; make them follow from the \
         registry or the table of levels",
        others.len(),
        others.join(", ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(files: &[(&str, &str)]) -> State {
        files.iter().map(|(name, text)| (name.to_string(), text.as_bytes().to_vec())).collect()
    }

    #[test]
    fn new_changed_and_deleted_files_are_touched() {
        let before = state(&[("a", "1"), ("b", "1"), ("c", "1")]);
        let after = state(&[("a", "1"), ("b", "2"), ("d/e", "1")]);
        assert_eq!(between(&before, &after), ["b", "c", "d/e"]);
        assert!(between(&before, &before).is_empty());
    }

    fn judged(touched: &[&str]) -> Outcome {
        let touched: Vec<String> = touched.iter().map(|it| it.to_string()).collect();
        let own = ["ciphers/speck/", "model/speck.rs"].map(String::from);
        judge(&touched, &own, &["lib.rs", "Cargo.toml"])
    }

    #[test]
    fn what_is_its_own_and_the_lines_it_is_allowed_pass() {
        assert_eq!(judged(&["ciphers/speck/mod.rs", "model/speck.rs", "lib.rs"]), Ok(()));
        assert_eq!(judged(&["ciphers/speck/key/a.rs"]), Ok(()));
    }

    #[test]
    fn a_file_that_the_recipe_does_not_name_is_told() {
        let told = judged(&["ciphers/speck/mod.rs", "lib.rs", "xtask/lint.rs"]).unwrap_err();
        assert!(told.starts_with("1 files") && told.contains("xtask/lint.rs"), "{told}");
        // Another cipher's folder, and a file beside the own one.
        let told = judged(&["ciphers/speck2/mod.rs", "ciphers/speck/mod.rs", "model/speck.rs.new"]);
        assert!(told.unwrap_err().starts_with("2 files"));
    }

    #[test]
    fn a_recipe_without_anything_of_its_own_is_none() {
        assert!(judged(&["lib.rs"]).is_err());
        assert!(judged(&[]).is_err());
    }
}
