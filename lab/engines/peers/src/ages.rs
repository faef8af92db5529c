//! How old the library behind an engine is, by the table `releases.tsv`.
//!
//! The year is that of the series' first release: what comes after in a series mends faults and
//! brings no new kernels.

use std::num::ParseIntError;

/// The table: engine, series and year, parted by tabs, the newest series of an engine last.
const TABLE: &str = include_str!("../releases.tsv");

/// Engines that open the same library as another.
const SAME_LIBRARY: [(&str, &str); 2] = [("openssl4", "openssl"), ("openssl-provider", "openssl")];

/// The age of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// The year in which its series came out.
    pub released: u16,
    /// The newest series, if it is another.
    pub current: Option<&'static str>,
}

/// The age of a version of the library behind an engine; `None` if the table doesn't know it.
#[must_use]
pub fn age(engine: &str, version: &str) -> Option<Age> {
    let same = SAME_LIBRARY.iter().find(|(name, _)| *name == engine);
    let engine = same.map_or(engine, |(_, library)| library);
    let found = parts(lab::record::number(version)?).ok()?;
    let series = || lines().filter(|line| line.0 == engine);
    let (_, ours, released) = series()
        .find(|(_, series, _)| parts(series).is_ok_and(|series| found.starts_with(&series)))?;
    let current = series().last().map(|(_, newest, _)| newest);
    Some(Age { released, current: current.filter(|newest| *newest != ours) })
}

fn lines() -> impl Iterator<Item = (&'static str, &'static str, u16)> {
    TABLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| {
        let mut fields = line.split('\t');
        Some((fields.next()?, fields.next()?, fields.next()?.parse().ok()?))
    })
}

fn parts(number: &str) -> Result<Vec<u32>, ParseIntError> {
    number.split('.').map(str::parse).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn every_line_of_the_table_has_its_form() {
        let text = TABLE.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(text.count(), lines().count(), "a line is not: engine, series, year");
        let mut before: BTreeMap<&str, (Vec<u32>, u16)> = BTreeMap::new();
        for (engine, series, year) in lines() {
            assert!(crate::catalogue::names().any(|name| name == engine), "{engine}");
            assert!((1990..2100).contains(&year), "{engine} {series}: {year}");
            let series = parts(series).expect("numbers between points");
            assert!(series.len() >= 2, "{engine} {series:?}");
            if let Some((older, then)) = before.insert(engine, (series.clone(), year)) {
                assert!(older < series && then <= year, "{engine} {series:?}: an order");
            }
        }
        for (engine, library) in SAME_LIBRARY {
            assert!(crate::catalogue::names().any(|name| name == engine), "{engine}");
            assert!(before.contains_key(library), "{library}");
        }
    }

    #[test]
    fn what_the_recipes_build_has_an_age() {
        for engine in lines().map(|(engine, ..)| engine) {
            let Some(recipe) = recipes::recipe(engine) else { continue };
            // The recipe of `ipp` names a wheel, whose number is not the library's.
            let found = age(engine, recipe.version).is_some();
            assert!(found || engine == "ipp", "{engine} {}", recipe.version);
        }
    }

    #[test]
    fn a_version_has_the_year_of_its_series() {
        let old = Age { released: 2022, current: Some("1.12") };
        assert_eq!(age("libgcrypt", "libgcrypt 1.10.1"), Some(old));
        let new = Age { released: 2026, current: None };
        assert_eq!(age("libgcrypt", "libgcrypt 1.12.4"), Some(new));
        // 1.1 is no beginning of 1.12, and what is unknown is not guessed at.
        assert_eq!(age("openssl", "OpenSSL 1.12.0"), None);
        assert_eq!(age("libgcrypt", "libgcrypt 1.13.0"), None);
        assert_eq!(age("libgcrypt", "unknown"), None);
        assert_eq!(age("memory", "1.0"), None);
        let system = age("openssl", "OpenSSL 3.0.19 27 Jan 2026").expect("known");
        assert_eq!(system.released, 2021);
        assert_eq!(age("openssl4", "OpenSSL 4.0.3 29 Sep 2026"), Some(new));
        let debian = age("ipsec-mb", "v1.3.0 (AVX-512 with GFNI)").expect("known");
        assert_eq!(debian.released, 2022);
    }
}
