//! What the tests of all engines and those of the fetched ones share.

/// The words of a refusal that a limit of the library explains, in short.
const LIMITS: [&str; 11] = [
    "whole blocks",
    "bytes at a time",
    "takes data units of",
    "takes packets of",
    "Too much data",
    "from buffer to buffer only",
    "drops what is left",
    "this CPU has no",
    "ipps",
    "EVP_",
    "gcry_",
];

/// Whether an engine may refuse work that it offers, for that reason. Ours and RustCrypto's,
/// which are built in, never do.
pub(crate) fn is_limit(engine: &str, reason: &str) -> bool {
    !["cipherlane", "rustcrypto"].contains(&engine)
        && LIMITS.iter().any(|limit| reason.contains(limit))
}
