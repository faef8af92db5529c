//! OpenSSL 4.0 with its TLS and DTLS as a user would compile it: the program, both libraries and
//! the headers. The program of `openssl4.rs` has no DTLS and is not optimised, so nothing could be
//! timed with it.

use std::path::PathBuf;

use recipes::{Recipe, RecipeError, Workshop};

use crate::bindings::openssl4;

static LIBRARY: Recipe = openssl4::recipe(
    "openssl4-tls",
    "about 5 minutes",
    &["openssl", "libssl.so.4", "libcrypto.so.4", "include/openssl/ssl.h"],
    make,
);

fn make(shop: &mut Workshop<'_>) -> Result<(), RecipeError> {
    let options =
        ["no-comp no-zlib enable-ktls no-quic no-cmp no-ts no-srp no-gost", "no-ec2m no-slh-dsa"];
    let sources = openssl4::compile(shop, &options, &["libcrypto", "libssl"])?;
    shop.keep_folder(&sources.join("include"), "include")
}

/// The folder with all of it, made now unless it is there.
pub(super) fn built() -> Result<PathBuf, RecipeError> {
    openssl4::folder(&LIBRARY)
}
