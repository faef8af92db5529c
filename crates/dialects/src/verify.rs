//! The tests of a file of dialects' vectors, for those who have read its JSON.
//!
//! A file has groups, one a dialect, and tests with the arguments of the engine's function and the
//! value that it stores; or what it gives instead of one.

mod lines;

use serde::Deserialize;

pub use self::lines::lines;
use crate::codec::Drawn;
use crate::coding::Coding;
use crate::error::Error;
use crate::form::Form;
use crate::hash::Hash;
use crate::settings::{Outcome, Settings};
use crate::{Codec, Dialect, find};
use cipherlane::Level;

/// What such a file calls its algorithm.
pub const ALGORITHM: &str = "dialects";

/// A file of vectors.
#[derive(Debug, Deserialize)]
pub struct File {
    /// The groups.
    pub groups: Vec<Group>,
}

/// The tests of one dialect.
#[derive(Debug, Deserialize)]
pub struct Group {
    /// The dialect.
    pub mode: String,
    /// Where rules and values are from.
    pub source: String,
    output_encoding: Option<String>,
    /// The tests.
    pub tests: Vec<Test>,
}

/// A call of an engine's function. Bytes are hexadecimal digits; `key_text` and `iv_text` are what
/// the function takes where that is no bytes.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Test {
    /// Its name in the file.
    pub id: String,
    /// `published` or `computed`.
    pub origin: String,
    mode: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    cipher: Option<String>,
    md: Option<String>,
    padmode: Option<u8>,
    key_form: Option<Form>,
    key: Option<String>,
    key_text: Option<String>,
    iv: Option<String>,
    iv_text: Option<String>,
    salt: Option<String>,
    aad: Option<String>,
    plaintext: Option<String>,
    stored: Option<String>,
    output_encoding: Option<String>,
    /// `null` or `error` instead of a value.
    expect: Option<String>,
    operation: Option<String>,
    plaintext_null: bool,
    key_null: bool,
    iv_null: bool,
}

impl Group {
    /// The dialect, if there is one of that name.
    #[must_use]
    pub fn dialect(&self) -> Option<&'static Dialect> {
        find(&self.mode).ok()
    }

    /// Runs a test at a level: how many ways gave what they should.
    ///
    /// # Errors
    /// The way that did not, and what it gave.
    pub fn run(&self, test: &Test, level: Level) -> Result<usize, (&'static str, String)> {
        let dialect = find(&self.mode).map_err(|error| ("set-up", error.to_string()))?;
        let read = Read::of(self, test).map_err(|what| ("set-up", what))?;
        match test.expect.as_deref() {
            None => read.value(dialect, level),
            Some("null") => read.null(dialect, level),
            Some("error") => read.error(dialect, level),
            Some(other) => Err(("set-up", format!("field `expect`: `{other}`"))),
        }
    }
}

/// A test whose fields are read.
struct Read<'t> {
    test: &'t Test,
    mode: Option<String>,
    key: Vec<u8>,
    iv: Option<Vec<u8>>,
    salt: Vec<u8>,
    aad: Vec<u8>,
    hash: Option<Hash>,
    plain: Vec<u8>,
    stored: &'t str,
    coding: Option<Coding>,
}

/// What hexadecimal digits stand for.
fn bytes(field: &str, digits: &str) -> Result<Vec<u8>, String> {
    hex::decode(digits).map_err(|error| format!("field `{field}`: {error}"))
}

impl<'t> Read<'t> {
    fn of(group: &'t Group, test: &'t Test) -> Result<Self, String> {
        let hex = |field, value: &Option<String>| {
            value.as_deref().map(|digits| bytes(field, digits)).transpose()
        };
        let text = |value: &Option<String>| value.as_ref().map(|text| text.clone().into_bytes());
        let named = test.mode.as_ref().or(test.kind.as_ref());
        let mode = match (&test.cipher, test.padmode) {
            (Some(cipher), _) => named.map(|mode| format!("{cipher}/{mode}")),
            (None, Some(padmode)) => Some(format!("padmode={padmode}")),
            (None, None) => named.cloned(),
        };
        let hash = test.md.as_deref().map(|name| Hash::named(name).ok_or(name)).transpose();
        let coding = test.output_encoding.as_ref().or(group.output_encoding.as_ref());
        let words = coding.map(|words| words.to_lowercase()).unwrap_or_default();
        let of_key = words.contains("when the key");
        let coding =
            [("base64", Coding::Base64), ("upper", Coding::HexUpper), ("hex", Coding::Hex)];
        let coding = coding.into_iter().find(|(word, _)| words.contains(word) && !of_key);
        Ok(Self {
            mode,
            key: hex("key", &test.key)?.or_else(|| text(&test.key_text)).unwrap_or_default(),
            iv: hex("iv", &test.iv)?.or_else(|| text(&test.iv_text)),
            salt: hex("salt", &test.salt)?.unwrap_or_default(),
            aad: hex("aad", &test.aad)?.unwrap_or_default(),
            hash: hash.map_err(|name| format!("field `md`: `{name}`"))?,
            plain: hex("plaintext", &test.plaintext)?.unwrap_or_default(),
            stored: test.stored.as_deref().unwrap_or_default(),
            coding: coding.map(|(_, coding)| coding),
            test,
        })
    }

    /// The codec, and what it draws: an IV that the engine draws itself comes in that way.
    fn codec(&self, dialect: &'static Dialect, level: Level) -> Result<Codec, Error> {
        let drawn = dialect.mode(self.mode.as_deref())?.draws();
        // Where a dialect's coding follows the key, its own choice must give that of the test.
        let own = dialect.codings()[0] == Coding::AsKey;
        dialect.prepare(&Settings {
            key_form: self.test.key_form,
            mode: self.mode.as_deref(),
            iv: self.iv.as_deref().filter(|_| !drawn),
            hash: self.hash,
            aad: &self.aad,
            coding: self.coding.filter(|_| !own),
            level: Some(level),
            ..Settings::new(&self.key)
        })
    }

    fn encrypt(&self, codec: &Codec, out: &mut Vec<u8>) -> Result<Outcome, Error> {
        codec.encrypt_with(&self.plain, out, &mut |drawn, bytes| {
            let given = match drawn {
                Drawn::Salt => &self.salt[..],
                Drawn::Iv => self.iv.as_deref().unwrap_or_default(),
            };
            let missing = || Error::Random(format!("the test has no {drawn:?} of that length"));
            if given.len() == bytes.len() {
                bytes.copy_from_slice(given)
            } else {
                return Err(missing());
            }
            Ok(())
        })
    }

    fn value(
        &self,
        dialect: &'static Dialect,
        level: Level,
    ) -> Result<usize, (&'static str, String)> {
        let codec = self.codec(dialect, level).map_err(|error| ("set-up", error.to_string()))?;
        let same = |way, out: &[u8], outcome: Result<Outcome, Error>, expected: &[u8]| match outcome
        {
            Ok(Outcome::Value) if out.split_first() == Some((&b'>', expected)) => Ok(()),
            Ok(Outcome::Value) => Err((way, "other bytes than those of the test".to_owned())),
            Ok(Outcome::Null) => Err((way, "NULL".to_owned())),
            Err(error) => Err((way, error.to_string())),
        };
        // What stands before it in the output is to stay.
        let mut out = b">".to_vec();
        let outcome = self.encrypt(&codec, &mut out);
        same("encrypt", &out, outcome, self.stored.as_bytes())?;
        let mut out = b">".to_vec();
        let outcome = codec.decrypt(self.stored.as_bytes(), &mut out);
        same("decrypt", &out, outcome, &self.plain)?;
        Ok(2)
    }

    fn null(
        &self,
        dialect: &'static Dialect,
        level: Level,
    ) -> Result<usize, (&'static str, String)> {
        let test = self.test;
        let outcome = if test.plaintext_null || test.key_null || test.iv_null {
            dialect.null()
        } else {
            self.codec(dialect, level).and_then(|codec| self.encrypt(&codec, &mut Vec::new()))
        };
        match outcome {
            Ok(Outcome::Null) => Ok(1),
            Err(error) if error.gives_null() => Ok(1),
            Ok(Outcome::Value) => Err(("encrypt", "a value instead of NULL".to_owned())),
            Err(error) => Err(("encrypt", error.to_string())),
        }
    }

    fn error(
        &self,
        dialect: &'static Dialect,
        level: Level,
    ) -> Result<usize, (&'static str, String)> {
        let decrypts = self.test.operation.as_deref() == Some("decrypt");
        let mut out = b">".to_vec();
        let outcome = match self.codec(dialect, level) {
            // A value that is to be refused is refused for itself, not for its key.
            Err(error) if decrypts => return Err(("set-up", error.to_string())),
            Err(error) => Err(error),
            Ok(codec) if decrypts => codec.decrypt(self.stored.as_bytes(), &mut out),
            Ok(codec) => self.encrypt(&codec, &mut out),
        };
        let way = if decrypts { "decrypt" } else { "encrypt" };
        match outcome {
            Err(_) if out == b">" => Ok(1),
            Err(_) => Err((way, "an error that left something in the output".to_owned())),
            Ok(_) => Err((way, "accepted".to_owned())),
        }
    }
}
