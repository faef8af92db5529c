//! The files of this crate can be read, are whole, and what is wrong with others is named.

use std::fs;
use std::path::{Path, PathBuf};

use vectors::{Integrity, VectorFile};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn error(content: &str) -> String {
    vectors::parse("made-up.json", content).unwrap_err().to_string()
}

/// A file with one group of one test, given as the inside of its object.
fn with_test(fields: &str) -> String {
    let group = r#""mode":"ecb","source":"nowhere""#;
    format!(r#"{{"algorithm":"x","notes":"","groups":[{{{group},"tests":[{{{fields}}}]}}]}}"#)
}

#[test]
fn the_copy_inside_is_the_folder() {
    let names = |files: &[VectorFile]| files.iter().map(|f| f.name.clone()).collect::<Vec<_>>();
    let inside = vectors::embedded().unwrap();
    assert_eq!(names(&inside), names(&vectors::load_dir(&data()).unwrap()));
    assert_eq!(names(&inside), names(&vectors::all().unwrap()));
}

#[test]
fn every_file_is_listed_and_intact() {
    for file in vectors::embedded().unwrap() {
        assert_eq!(file.integrity, Integrity::Intact, "{}", file.name);
    }
}

/// Where the numbers of a file come from.
#[test]
fn every_file_has_a_row_in_the_readme_beside_it() {
    let readme = fs::read_to_string(data().join("README.md")).unwrap();
    let row = |name: &str| readme.lines().any(|line| line.starts_with(&format!("| `{name}` |")));
    let without: Vec<String> = vectors::embedded().unwrap().into_iter().map(|it| it.name).collect();
    let without: Vec<_> = without.iter().filter(|name| !row(name)).collect();
    assert!(without.is_empty(), "{without:?}");
}

#[test]
fn every_test_carries_something_to_check() {
    for file in vectors::all().unwrap() {
        assert!(!file.notes.is_empty() && !file.groups.is_empty(), "{}", file.name);
        for group in &file.groups {
            assert!(!group.tests.is_empty() && !group.source.is_empty(), "{}", file.name);
            for test in &group.tests {
                let stream = test.keystream.is_some() || test.init_keystream.is_some();
                let output = stream || test.ciphertext.is_some() || test.tag.is_some();
                assert!(output, "{}: {}", file.name, test.id);
            }
        }
    }
}

#[test]
fn absent_and_empty_are_told_apart() {
    let file = vectors::parse("x", &with_test(r#""id":"a","aad":"","later":[1,{"x":2}]"#)).unwrap();
    let test = &file.groups[0].tests[0];
    assert_eq!((test.aad.as_deref(), &test.iv), (Some(&[][..]), &None));
    assert_eq!(file.integrity, Integrity::Unlisted);
}

#[test]
fn errors_name_file_group_test_and_field() {
    assert_eq!(
        error(&with_test(r#""id":"a","key":"0g""#)),
        "made-up.json: group 0 (ecb): test `a`: field `key`: character 'g' at place 1; \
         allowed: 0-9 and a-f"
    );
    assert_eq!(
        error(&with_test(r#""id":"a","bits":-1"#)),
        "made-up.json: group 0 (ecb): test `a`: field `bits`: is a number; \
         allowed: a whole number from 0"
    );
    assert_eq!(
        error(&with_test(r#""key":"00""#)),
        "made-up.json: group 0 (ecb): test `number 0`: field `id` is missing"
    );
    assert_eq!(
        error(&with_test(r#""id":"a","keystream":[{"offset":0}]"#)),
        "made-up.json: group 0 (ecb): test `a`: field `keystream`: field `bytes` is missing"
    );
    assert_eq!(
        error(r#"{"algorithm":"x","notes":"","groups":[{"mode":"ecb"}]}"#),
        "made-up.json: group 0: field `source` is missing"
    );
    assert_eq!(error(r#"{"algorithm":"x"}"#), "made-up.json: field `notes` is missing");
    assert!(error("{").starts_with("made-up.json: EOF"));
}

#[test]
fn an_id_is_used_once_in_a_file() {
    let twice = with_test(r#""id":"a"},{"id":"a""#);
    assert_eq!(
        error(&twice),
        "made-up.json: group 0 (ecb): test `a`: this id has been used before in the file"
    );
}

#[test]
fn folders_that_are_no_vector_folders_are_named() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let error = |folder: &Path| vectors::load_dir(folder).unwrap_err().to_string();
    assert!(error(folder.path()).ends_with("no vector files (*.json) in this folder"));
    let missing = folder.path().join("missing");
    assert!(error(&missing).starts_with(&*missing.display().to_string()));

    fs::copy(data().join("SHA256SUMS"), folder.path().join("SHA256SUMS")).unwrap();
    fs::copy(data().join("sm4.json"), folder.path().join("sm4.json")).unwrap();
    let missing = "aes128.json: missing, though SHA256SUMS lists it";
    assert_eq!(error(folder.path()), missing);
    fs::write(folder.path().join("SHA256SUMS"), "00  sm4.json\n").unwrap();
    assert!(error(folder.path()).starts_with("SHA256SUMS: line 1: allowed: 64 hex digits"));
}
