//! The object identifiers of the registry belong to what is registered, each to one thing.

use std::collections::BTreeSet;

use cipherlane::registry::{ALGORITHMS, operations};

#[test]
fn every_identifier_belongs_to_an_operation() {
    let mut all = BTreeSet::new();
    for algorithm in ALGORITHMS {
        let found: BTreeSet<&str> = operations(algorithm).filter_map(|it| it.oid()).collect();
        for (mode, oid) in algorithm.oids {
            let place = format!("{}/{mode}: {oid}", algorithm.name);
            assert!(found.contains(oid), "{place}: no such operation");
            assert!(all.insert(*oid), "{place}: twice");
            let arcs: Vec<u32> = oid.split('.').map(|arc| arc.parse().expect(&place)).collect();
            assert!(arcs.len() > 5 && arcs[0] <= 2, "{place}");
        }
    }
}

/// Spot checks against RFC 3565, RFC 5084, RFC 9044 and GM/T 0006.
#[test]
fn some_identifiers() {
    let oid = |algorithm, operation| {
        cipherlane::registry::algorithm(algorithm).expect("registered").oid(operation)
    };
    assert_eq!(oid("aes-128", "cbc-encrypt"), Some("2.16.840.1.101.3.4.1.2"));
    assert_eq!(oid("aes-192", "gcm-open"), Some("2.16.840.1.101.3.4.1.26"));
    assert_eq!(oid("aes-256", "gmac"), Some("2.16.840.1.101.3.4.1.49"));
    assert_eq!(oid("aes-256", "ctr"), None);
    assert_eq!(oid("aes-192", "xts-encrypt"), None);
    assert_eq!(oid("sm4", "cbc-decrypt"), Some("1.2.156.10197.1.104.2"));
    assert_eq!(oid("sm4", "xts-encrypt"), None);
    assert_eq!(oid("sm4", "xts-gb-encrypt"), Some("1.2.156.10197.1.104.10"));
}
