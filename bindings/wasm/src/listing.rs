//! What there is, and whether it works: `registry`, `levels`, `selfTest`.

use ciphers::registry::{self, ALGORITHMS, Constructor, New, Operation};
use ciphers::{Level, Sizes};
use js_sys::{Array, Object, Reflect};
use objects::Failure;
use wasm_bindgen::prelude::*;

use crate::failures::{Outcome, error, level, raise, raise_error};

/// An object of JavaScript in the making.
pub(crate) struct Entry(Object);

impl Entry {
    pub(crate) fn new() -> Self {
        Self(Object::new())
    }

    pub(crate) fn with(self, name: &str, value: impl Into<JsValue>) -> Self {
        // A plain object takes every property.
        let _ = Reflect::set(&self.0, &name.into(), &value.into());
        self
    }

    pub(crate) fn done(self) -> JsValue {
        self.0.into()
    }
}

/// `{ min, max, step }`; `max` is infinite where there is no most, and `set` tells them one by
/// one where the steps say too much.
fn lengths(sizes: Sizes) -> JsValue {
    let most = if sizes.max < isize::MAX as usize { sizes.max as f64 } else { f64::INFINITY };
    let entry = Entry::new().with("min", sizes.min as f64).with("max", most);
    let entry = entry.with("step", sizes.step as f64);
    if sizes.set == 0 {
        return entry.done();
    }
    let set: Array = sizes.lengths().map(|bytes| JsValue::from(bytes as f64)).collect();
    entry.with("set", set).done()
}

/// Whether there is an object for it here: what has a tag and is no AEAD is for batches, which
/// this package has not.
fn has_object(operation: &Operation) -> bool {
    !matches!(operation.new, Constructor::Pdu(_))
}

/// Every operation of every algorithm, an object each.
#[wasm_bindgen]
#[must_use]
pub fn registry() -> Array {
    let listed = objects::listing().into_iter().filter(has_object);
    let entries = listed.map(|operation| {
        let algorithm = operation.algorithm;
        let limit = match algorithm.new {
            New::Stream { limit, .. } => limit.map(|bytes| bytes as f64),
            New::Block { .. } => None,
        };
        Entry::new()
            .with("algorithm", algorithm.name)
            .with("title", algorithm.title)
            .with("standard", algorithm.standard)
            .with("timing", algorithm.timing.name())
            .with("warning", algorithm.warning)
            .with("block", algorithm.block().unwrap_or(0) as f64)
            .with("operation", operation.name)
            .with("kind", operation.kind.name())
            .with("oid", operation.oid())
            .with("key", lengths(operation.key))
            .with("iv", lengths(operation.iv))
            .with("usualIv", operation.usual_iv as f64)
            .with("data", lengths(operation.data))
            .with("tag", lengths(operation.tag))
            .with("inPieces", operation.in_pieces())
            .with("limit", limit)
            .done()
    });
    entries.collect()
}

/// The levels of this build, slowest first.
#[wasm_bindgen]
#[must_use]
pub fn levels() -> Vec<String> {
    Level::available().map(|level| level.name().to_owned()).collect()
}

/// The version.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Compares an algorithm, or all of them, with known answers; how many were compared.
///
/// # Errors
/// The first that differs.
#[wasm_bindgen(js_name = selfTest)]
pub fn self_test(algorithm: Option<String>, at: Option<String>) -> Outcome<usize> {
    let level = level(at)?;
    let test = |algorithm| registry::self_test(algorithm, level.unwrap_or_else(Level::best));
    let Some(name) = algorithm else {
        ALGORITHMS.iter().try_for_each(test).map_err(raise_error)?;
        return Ok(ALGORITHMS.len());
    };
    let Some(found) = registry::algorithm(&name) else {
        return Err(raise(unknown(&name)));
    };
    test(found).map_err(raise_error).map(|()| 1)
}

fn unknown(name: &str) -> Failure {
    Failure::Unknown { what: objects::Query::Algorithm, name: name.to_owned() }
}

/// Bytes from the browser's generator (`crypto.getRandomValues`).
pub(crate) fn random(bytes: &mut [u8]) -> Outcome<()> {
    getrandom::fill(bytes).map_err(|cause| error("random", &format!("no random bytes: {cause}")))
}
