//! What a dialect lacks follows from its rules: no group of the vectors names a flaw that is not told.

use dialects::{Flaw, Settings, all, find};

fn names(dialect: &str, mode: &str) -> Vec<&'static str> {
    let dialect = find(dialect).unwrap();
    dialect.flaws_of(dialect.mode(Some(mode)).unwrap()).iter().map(Flaw::name).collect()
}

#[test]
fn each_mode_tells_its_own() {
    let told: &[(&str, &str, &[&str])] = &[
        ("doris-sm4", "SM4_128_ECB", &["no-integrity", "ecb", "no-key-derivation"]),
        (
            "doris-sm4",
            "SM4_128_CBC",
            &["no-integrity", "constant-iv-unless-given", "no-key-derivation"],
        ),
        ("doris-aes", "AES_256_GCM", &["constant-iv-unless-given", "no-key-derivation"]),
        ("doris-sm4-0.15", "SM4_128_CBC", &["no-integrity", "no-key-derivation", "other"]),
        ("mysql-aes", "aes-256-cbc", &["no-integrity", "no-key-derivation"]),
        ("mysql-aes", "aes-256-ofb", &["no-integrity", "given-iv", "no-key-derivation"]),
        ("mariadb-aes", "aes-256-cbc", &["no-integrity", "no-key-derivation"]),
        ("mariadb-aes", "aes-256-ctr", &["no-integrity", "given-iv", "no-key-derivation"]),
        ("opengauss-sm4", "sm4", &["no-integrity", "no-key-derivation"]),
        ("opengauss-aes128", "aes128", &["few-iterations", "mac-key-is-cipher-key"]),
        ("yashandb-sm4", "CBC", &["no-integrity"]),
        ("kingbase-sm4", "padmode=0", &["no-integrity", "ecb", "other", "zero-padding"]),
        ("shardingsphere-sm4", "CBC", &["no-integrity", "constant-iv"]),
        (
            "shardingsphere-digest",
            "SM4/CBC",
            &["no-integrity", "constant-iv", "fast-key-derivation"],
        ),
        ("hutool-sm4", "ECB", &["no-integrity", "ecb", "other"]),
        ("vastbase-hive-sm4-gcm", "GCM", &["key-as-iv"]),
        ("spark-aes", "GCM", &[]),
        ("spark-aes", "CBC", &["no-integrity"]),
        ("cipherlane-sm4", "GCM", &[]),
        ("cipherlane-sm4", "ECB", &["no-integrity", "ecb"]),
        (
            "pgcrypto-aes",
            "aes-cbc",
            &["no-integrity", "constant-iv-unless-given", "no-key-derivation"],
        ),
    ];
    for (dialect, mode, flaws) in told {
        let (mut got, mut flaws) = (names(dialect, mode), flaws.to_vec());
        got.sort_unstable();
        flaws.sort_unstable();
        assert_eq!(got, flaws, "{dialect} {mode}");
    }
}

#[test]
fn a_given_iv_takes_the_flaw_of_a_constant_one_away() {
    let settings = Settings { mode: Some("SM4_128_CBC"), ..Settings::new(b"key") };
    let of = |iv: Option<&'static [u8]>| {
        let codec = find("doris-sm4").unwrap().prepare(&Settings { iv, ..settings }).unwrap();
        codec.flaws().iter().map(Flaw::name).collect::<Vec<_>>()
    };
    assert!(of(None).contains(&"constant-iv-unless-given"));
    assert!(of(Some(b"")).contains(&"constant-iv-unless-given"));
    assert!(!of(Some(b"0123")).contains(&"constant-iv-unless-given"));
}

#[test]
fn an_iv_that_is_given_is_one_that_must_not_come_again() {
    let of = |dialect: &str, mode, key: &[u8], iv| {
        let settings = Settings { mode: Some(mode), iv, ..Settings::new(key) };
        let codec = find(dialect).unwrap().prepare(&settings).unwrap();
        codec.flaws().iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    };
    let key = b"0000111122223333";
    assert_eq!(of("spark-aes", "GCM", key, None), "");
    let told = of("spark-aes", "GCM", key, Some(&b"123456789012"[..]));
    assert!(told.contains("given twice") && told.contains("authentication key"), "{told}");
    let told = of("doris-aes", "AES_128_GCM", key, Some(b"1"));
    assert!(told.contains("given twice") && told.contains("authentication key"), "{told}");
    let told = of("doris-aes", "AES_128_GCM", key, None);
    assert!(told.contains("one IV for all") && told.contains("authentication key"), "{told}");
    let told = of("doris-sm4", "SM4_128_CFB128", key, Some(b"1"));
    assert!(told.contains("sum of the blocks"), "{told}");
    let told = of("pgcrypto-aes", "aes-cbc/pad:none", key, None);
    assert!(told.contains("equal beginnings show") && !told.contains("keystream"), "{told}");
}

#[test]
fn whoever_has_neither_tag_nor_mac_says_so() {
    let mut sealed = Vec::new();
    for dialect in all() {
        for mode in dialect.modes() {
            let has = ["tag", "MAC"].iter().any(|it| mode.layout().contains(it));
            let told = dialect.flaws_of(mode).contains(&Flaw::NoIntegrity);
            assert_eq!(has, !told, "{} {}", dialect.name(), mode.name());
            if has && !sealed.contains(&dialect.name()) {
                sealed.push(dialect.name());
            }
        }
    }
    assert_eq!(
        sealed,
        ["doris-aes", "opengauss-aes128", "vastbase-hive-sm4-gcm", "spark-aes", "cipherlane-sm4"]
    );
}
