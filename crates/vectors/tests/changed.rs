//! A changed byte in a vector file is found, and the file and the test are named.

use std::path::Path;
use std::{fs, io};

use cipherlane::Level;
use vectors::verify::{self, Summary};
use vectors::{Integrity, VectorFile};

fn data() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/data"))
}

fn run(files: &[VectorFile]) -> Summary {
    verify::run(&[], &[Level::best()], files, &mut |_| ())
}

/// The vectors of a folder without those of a million iterations, for speed.
fn load(folder: &Path) -> Vec<VectorFile> {
    let mut files = vectors::load_dir(folder).unwrap();
    for group in files.iter_mut().flat_map(|file| &mut file.groups) {
        group.tests.retain(|test| test.iterations.is_none());
    }
    files
}

/// A folder with one file of `data/`, in which the first `from` has become `to`.
fn changed(name: &str, from: &str, to: &str) -> io::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
    let content = fs::read_to_string(data().join(name))?;
    assert!(content.contains(from), "{name} holds no {from}");
    fs::write(folder.path().join(name), content.replacen(from, to, 1))?;
    let sums = fs::read_to_string(data().join("SHA256SUMS"))?;
    let line = sums.lines().find(|line| line.ends_with(name)).unwrap();
    fs::write(folder.path().join("SHA256SUMS"), line)?;
    Ok(folder)
}

#[test]
fn a_changed_result_fails_with_the_name_of_its_test() {
    for (name, id, from, to) in [
        ("sm4.json", "gbt32907-ex1", "681edf34d2", "681edf34d3"),
        ("sm4.json", "ribose-ctr-0", "ac3236cb970c", "ac3236cb970d"),
        ("zuc128.json", "3gpp-set1", "27bede74018082da", "27bede74018082db"),
        ("zuc256.json", "2018-ks-1", "58d03ad6", "58d03ad7"),
    ] {
        let folder = changed(name, from, to).unwrap();
        let mut files = load(folder.path());
        let summary = run(&files);
        let whole = &summary.failed[0];
        assert_eq!((&*whole.file, &whole.place), (name, &None));
        assert!(whole.what.starts_with("the file has been changed"), "{whole}");
        let place = summary.failed[1].place.as_ref().unwrap();
        assert_eq!((&*summary.failed[1].file, &*place.id), (name, id));
        assert!(!summary.is_success());

        // Without its digest only the tests themselves can tell.
        files[0].integrity = Integrity::Unlisted;
        let failed = run(&files).failed;
        assert_eq!(failed.len(), 1, "{failed:?}");
        assert!(failed[0].to_string().contains(id), "{}", failed[0]);
    }
}

#[test]
fn a_changed_word_of_prose_fails_with_the_name_of_the_file() {
    let folder = changed("sm4.json", "big-endian", "big_endian").unwrap();
    let summary = run(&load(folder.path()));
    assert_eq!(summary.failed.len(), 1);
    assert!(summary.failed[0].to_string().starts_with("sm4.json: the file has been changed"));
}

#[test]
fn a_changed_form_of_the_iv_fails() {
    let file = |iv: &str, unpacked: &str| {
        let content = fs::read_to_string(data().join("zuc256.json")).unwrap();
        let (zero, zero_unpacked) = ("00".repeat(23), "00".repeat(25));
        let content = content.replacen(&format!("\"{zero}\""), &format!("\"{iv}\""), 1);
        let from = format!("\"{zero_unpacked}\"");
        vectors::parse("zuc256.json", &content.replacen(&from, &format!("\"{unpacked}\""), 1))
    };
    let (zero, zero_unpacked) = ("00".repeat(23), "00".repeat(25));
    assert!(run(&[file(&zero, &zero_unpacked).unwrap()]).is_success());
    for (iv, unpacked) in [
        (format!("{}01", &zero[2..]), zero_unpacked.clone()),
        (zero.clone(), format!("{}01", &zero_unpacked[2..])),
        (zero, format!("{}ff", &zero_unpacked[2..])),
    ] {
        let summary = run(&[file(&iv, &unpacked).unwrap()]);
        assert_eq!(summary.failed.len(), 1, "{:?}", summary.failed);
        assert_eq!(summary.failed[0].place.as_ref().unwrap().id, "2018-ks-1");
    }
}
