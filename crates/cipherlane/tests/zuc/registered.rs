//! The entries of the registry.

use cipherlane::Level;
use cipherlane::registry::{self, New};

#[test]
fn each_member_has_its_keystream_and_its_limit() {
    for (name, wanted) in [
        ("zuc-128", [0x27, 0xbe, 0xde]),
        ("zuc-256", [0x58, 0xd0, 0x3a]),
        ("zuc-256-2021", [0xe4, 0x57, 0xe2]),
        ("zuc-256-2023", [0x02, 0x34, 0xe9]),
    ] {
        let algorithm = registry::algorithm(name).unwrap();
        let New::Stream { iv, new, unlimited, limit, .. } = algorithm.new else {
            panic!("a stream")
        };
        let (key, iv, mut keystream) = (vec![0; algorithm.key.min], vec![0; iv.max], [0; 3]);
        for level in Level::available() {
            new(&key, &iv, level).unwrap().keystream(&mut keystream).unwrap();
            assert_eq!(keystream, wanted, "{name} at {level}");
            let mut long = vec![0; 2501];
            assert_eq!(new(&key, &iv, level).unwrap().apply(&mut long).is_err(), limit.is_some());
            unlimited(&key, &iv, level).unwrap().apply(&mut long).unwrap();
            let words = (algorithm.kernel)(level);
            assert_ne!(words.contains("in lanes"), words.contains("bit-sliced"), "{words}");
            assert!(level != Level::portable() || words.contains("bit-sliced"), "{words}");
        }
    }
}
