//! What there is, as text: one line an operation, fields separated by tabs.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use std::fmt::Write as _;

use cipherlane::registry::{self, Algorithm};
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

/// Whether an operation has a tag and is no AEAD, which a `Cipher` with a tag is taken for.
fn is_no_aead(algorithm: &Algorithm, operation: &str) -> bool {
    registry::stream_aeads(algorithm)
        .any(|it| [it.seal, it.open].contains(&operation) && it.new.aead().is_none())
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_listing(
    env: *mut JNIEnv,
    _: jclass,
) -> jbyteArray {
    method(env, |env| {
        let mut lines = String::new();
        for listed in objects::listing() {
            let (algorithm, operation) = (listed.algorithm, &listed.operation);
            if is_no_aead(algorithm, &operation.operation) {
                continue;
            }
            let Sizes { min, max, step, .. } = operation.key;
            let oid = algorithm.oid(&operation.operation).unwrap_or_default();
            // Writing to a string can't fail.
            let _ = writeln!(
                lines,
                "{}\t{}\t{}\t{}\t{min}\t{max}\t{step}\t{}\t{}\t{oid}\t{}",
                algorithm.name,
                operation.operation,
                listed.kind(),
                listed.block,
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
