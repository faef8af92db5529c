//! One way in which data may have been encrypted, as words for people and for `raw`.

use crate::files::doctor::layout::Layout;
use crate::files::raw::derive::{Hash, Kdf};
use crate::files::raw::padding::PaddingArg;
use crate::files::raw::transform::Name;

/// Where the salt is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Salt {
    /// Behind `Salted__`.
    Header,
    Given(String),
    None,
}

/// How the key came about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyForm {
    Digits,
    Text,
    Passphrase { kdf: Kdf, hash: Hash, iterations: u32, salt: Salt },
}

/// Where the IV is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Iv {
    /// The cipher takes none.
    None,
    Given,
    Front,
    /// In front, with a tag or a counter where `raw` has no option for it.
    Within(Layout),
    Zero,
    /// It comes out of the passphrase.
    Derived,
}

/// A way to encrypt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Variant {
    pub(crate) cipher: String,
    pub(crate) key: KeyForm,
    pub(crate) iv: Iv,
    /// Of modes that fill up the last block.
    pub(crate) padding: Option<PaddingArg>,
    pub(crate) base64: bool,
}

/// The name of a value on the command line.
pub(crate) fn named(value: impl clap::ValueEnum) -> String {
    value.to_possible_value().map_or_else(String::new, |it| it.get_name().to_owned())
}

impl Variant {
    /// The options of `raw` that say all this, but for where the key is read.
    pub(crate) fn words(&self, given: Option<&str>, iv: &[u8]) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: Option<String>| {
            words.push(option.to_owned());
            words.extend(value);
        };
        match &self.key {
            KeyForm::Digits => {}
            KeyForm::Text => add("--key-text", None),
            KeyForm::Passphrase { kdf, hash, iterations, salt } => {
                add("--kdf", Some(named(*kdf)));
                add("--hash", Some(named(*hash)));
                if *kdf == Kdf::Pbkdf2 {
                    add("--iterations", Some(iterations.to_string()));
                }
                match salt {
                    Salt::Header => {}
                    Salt::Given(salt) => add("--salt", Some(salt.clone())),
                    Salt::None => add("--no-salt", None),
                }
            }
        }
        match self.iv {
            Iv::None | Iv::Derived => {}
            Iv::Given => add("--iv", given.map(str::to_owned)),
            Iv::Front => add("--iv-in-front", None),
            Iv::Within(_) | Iv::Zero => add("--iv", Some(hex::encode(iv))),
        }
        if let Some(padding) = self.padding.filter(|it| *it != PaddingArg::Pkcs7) {
            add("--padding", Some(named(padding)));
        }
        // Where parts of the file change places, a shell has decoded it before.
        if self.base64 && !matches!(self.iv, Iv::Within(_)) {
            add("--base64", None);
        }
        words
    }

    /// The same in words.
    pub(crate) fn sentence(&self) -> String {
        let mut parts = vec![match &self.key {
            KeyForm::Digits => "the key in hexadecimal digits".to_owned(),
            KeyForm::Text => "the text itself as the key".to_owned(),
            KeyForm::Passphrase { kdf, hash, iterations, salt } => {
                let salt = match salt {
                    Salt::Header => "the salt in front",
                    Salt::Given(_) => "the salt given",
                    Salt::None => "no salt",
                };
                match kdf {
                    Kdf::Pbkdf2 => {
                        format!("PBKDF2 with {}, {iterations} iterations, {salt}", named(*hash))
                    }
                    Kdf::BytesToKey => {
                        format!("EVP_BytesToKey with {}, {salt}", named(*hash))
                    }
                }
            }
        }];
        parts.extend(match self.iv {
            Iv::None => None,
            Iv::Given => Some("the IV given".to_owned()),
            Iv::Front => Some("the IV in front of the data".to_owned()),
            Iv::Within(layout) => {
                let tag = Name::parse(&self.cipher).map_or(0, |name| name.tag());
                Some(layout.sentence(tag))
            }
            Iv::Zero => Some("an IV of zeros".to_owned()),
            Iv::Derived => Some("the IV from the passphrase too".to_owned()),
        });
        parts.extend(self.padding.map(|it| match it {
            PaddingArg::None => "no padding".to_owned(),
            other => format!("{} padding", named(other)),
        }));
        if self.base64 {
            parts.push("in Base64".to_owned());
        }
        parts.join("; ")
    }
}
