//! The tables of features that users read have what `Cargo.toml` has.

/// The features that are told in a table: the names in backquotes of its first column.
fn told(page: &str) -> Vec<&str> {
    let rows = page.lines().map(|line| line.trim_start_matches("//! "));
    let rows = rows.skip_while(|line| !line.starts_with("| feature |")).skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .flat_map(|line| line.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn every_feature_is_told_and_no_other() {
    let manifest = include_str!("../Cargo.toml");
    let section =
        manifest.split("[features]").nth(1).and_then(|it| it.split("\n[").next()).unwrap();
    let names = section.lines().filter_map(|line| line.split_once(" = ")).map(|it| it.0);
    // Those with a line in front are for the manifest alone.
    let mut features: Vec<&str> =
        names.filter(|name| *name != "default" && !name.starts_with('_')).collect();
    features.sort_unstable();
    assert!(features.contains(&"sm4") && features.len() > 20, "{features:?}");
    for (name, page) in [
        ("README.md", include_str!("../../../README.md")),
        ("lib.rs", include_str!("../src/lib.rs")),
    ] {
        let mut told = told(page);
        told.sort_unstable();
        assert_eq!(told, features, "the table of features in {name}");
    }
}
