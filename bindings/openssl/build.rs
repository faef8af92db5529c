//! How the library is linked.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    // It stays in the process when OpenSSL closes it: its tables and what the standard library
    // keeps for threads would be lost with each load, and be called after they are gone.
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "unix")
        && std::env::var("CARGO_CFG_TARGET_VENDOR").is_ok_and(|vendor| vendor != "apple")
    {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
