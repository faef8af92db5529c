//! What there is, as text: one line an operation, fields separated by tabs.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use std::fmt::Write as _;

use cipherlane::registry::Constructor;
use cipherlane::{Level, Sizes};
use jni_sys::{JNIEnv, jbyteArray, jclass};

use crate::jvm::{Env, Trouble, method};

/// A reference that may be nothing.
struct Array(jbyteArray);

impl Default for Array {
    fn default() -> Self {
        Self(std::ptr::null_mut())
    }
}

fn text(env: Env, text: &str) -> Result<Array, Trouble> {
    Ok(Array(env.array(text.as_bytes())?))
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_listing(
    env: *mut JNIEnv,
    _: jclass,
) -> jbyteArray {
    method(env, |env| {
        let mut lines = String::new();
        for operation in objects::listing() {
            // It has a tag and is no AEAD, which a `Cipher` with a tag is taken for.
            if matches!(operation.new, Constructor::Pdu(_)) {
                continue;
            }
            let algorithm = operation.algorithm;
            let Sizes { min, max, step, .. } = operation.key;
            let oid = operation.oid().unwrap_or_default();
            // Writing to a string can't fail.
            let _ = writeln!(
                lines,
                "{}\t{}\t{}\t{}\t{min}\t{max}\t{step}\t{}\t{}\t{oid}\t{}",
                algorithm.name,
                operation.name,
                operation.kind.name(),
                algorithm.block().unwrap_or(0),
                operation.usual_iv,
                operation.tag.max,
                algorithm.title,
            );
        }
        text(env, &lines)
    })
    .0
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_level(
    env: *mut JNIEnv,
    _: jclass,
) -> jbyteArray {
    method(env, |env| text(env, Level::detect()?.name())).0
}
