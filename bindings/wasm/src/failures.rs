//! Errors of JavaScript: named `CipherlaneError`, with a `code` that programs can ask for.

use ciphers::{Level, LevelError};
use js_sys::{Error, Reflect};
use objects::{Failure, Kind};
use wasm_bindgen::JsValue;

/// What a function returns.
pub(crate) type Outcome<T> = Result<T, JsValue>;

/// An error with this code.
pub(crate) fn error(code: &str, text: &str) -> JsValue {
    let error = Error::new(text);
    error.set_name("CipherlaneError");
    // An object that was just made takes a property.
    let _ = Reflect::set(&error, &"code".into(), &code.into());
    error.into()
}

/// The error that tells a failure.
#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` asks for")]
pub(crate) fn raise(failure: Failure) -> JsValue {
    let code = match failure.kind() {
        Kind::Unknown => "unknown",
        Kind::Value => "value",
        Kind::Key => "key",
        Kind::Block => "block",
        Kind::Output => "output",
        Kind::Tag => "tag",
        Kind::Padding => "padding",
        Kind::State => "state",
    };
    error(code, &failure.to_string())
}

/// The same of an error of the library.
pub(crate) fn raise_error(cause: ciphers::Error) -> JsValue {
    raise(cause.into())
}

/// The error that tells what is wrong with a file.
#[expect(clippy::needless_pass_by_value, reason = "the shape that `map_err` asks for")]
pub(crate) fn raise_file(cause: container::Error) -> JsValue {
    use container::Error;
    let fault = match cause {
        Error::Signature => "foreign",
        Error::Field { .. } => "header",
        Error::ShortHeader { .. } | Error::CutOff { .. } => "cut-off",
        Error::Chunk { .. } => "changed",
        Error::KeyKind { made: "a key" } => "needs-key",
        Error::KeyKind { .. } => "needs-passphrase",
        _ => "",
    };
    file_error(&cause, fault)
}

/// The same at the end of a file: whether its last chunk was changed or ends too early, its tag
/// can't tell.
pub(crate) fn raise_end(cause: container::Error) -> JsValue {
    match cause {
        container::Error::Chunk { .. } => file_error(&cause, "end"),
        _ => raise_file(cause),
    }
}

/// With `fault`, if any, which tells the errors of one code apart.
fn file_error(cause: &container::Error, fault: &str) -> JsValue {
    use container::Error;
    let code = match cause {
        Error::WrongKey | Error::KeyKind { .. } => "key",
        Error::Derivation(_) => "memory",
        _ => "file",
    };
    let error = error(code, &cause.to_string());
    if !fault.is_empty() {
        // As with the code itself.
        let _ = Reflect::set(&error, &"fault".into(), &fault.into());
    }
    error
}

/// The level of that name; none is for the best.
pub(crate) fn level(name: Option<String>) -> Outcome<Option<Level>> {
    let level = name.map(|name| Level::by_name(&name)).transpose();
    level.map_err(|cause: LevelError| raise(cause.into()))
}
