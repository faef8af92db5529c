//! What each target does with the bytes that the fuzzer makes up. They are ordinary functions, so
//! that `cargo test` runs them over the corpora without a fuzzer.
#![deny(unsafe_code)]

mod forged;
mod input;
mod of_library;
mod of_readers;
mod of_second_reader;
mod second;
mod sequences;

pub use of_library::{batches, operations, pieces};
pub use of_readers::{container, protocol, results};
pub use of_second_reader::second_reader;
pub use openssl::fuzzed as provider;
pub use sequences::sequences;

/// All targets by name.
pub const TARGETS: [(&str, fn(&[u8])); 9] = [
    ("operations", operations),
    ("pieces", pieces),
    ("batches", batches),
    ("container", container),
    ("protocol", protocol),
    ("provider", provider),
    ("results", results),
    ("second_reader", second_reader),
    ("sequences", sequences),
];

#[cfg(test)]
mod tests {
    use super::TARGETS;

    #[test]
    fn every_corpus_runs() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
        for (name, target) in TARGETS {
            let mut files = 0;
            for entry in std::fs::read_dir(root.join(name)).unwrap() {
                target(&std::fs::read(entry.unwrap().path()).unwrap());
                files += 1;
            }
            assert!(files > 0, "{name} has no corpus");
            target(&[]);
            // And whatever this gives.
            let mut random = model::random::SplitMix64::new(1);
            for len in 0..200 {
                target(&random.bytes(len));
            }
        }
    }
}
