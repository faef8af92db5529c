//! Notes which sources this program is made from, for engines that are built from the same.

use std::path::Path;

#[path = "src/sources.rs"]
mod sources;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    for (name, places) in
        [("CIPHERLANE_ENGINE", sources::ENGINE), ("CIPHERLANE_BINDINGS", sources::BINDINGS)]
    {
        for place in places {
            println!("cargo::rerun-if-changed={}", root.join(place).display());
        }
        // A copy of this crate alone builds nothing from the repository.
        let hash = sources::hash(&root, places).unwrap_or_else(|_| "0".to_owned());
        println!("cargo::rustc-env={name}={hash}");
    }
}
