//! The operations of an algorithm, of every kind the registry has.

use cipherlane::Sizes;
use cipherlane::registry::{self, Algorithm, KEYSTREAM, New};

/// What an operation makes of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// As many bytes.
    Cipher,
    /// As many bytes and a tag, or the message if its tag is right.
    Aead,
    /// A tag.
    Mac,
}

/// One operation of an algorithm.
pub(crate) struct Operation {
    /// Its name, e.g. `gcm-seal`.
    pub(crate) name: String,
    /// The standard and clause.
    pub(crate) standard: &'static str,
    pub(crate) kind: Kind,
    /// The key lengths in bytes.
    pub(crate) key: Sizes,
    /// The IV or nonce lengths in bytes; none where the algorithm says it.
    pub(crate) iv: Option<Sizes>,
}

/// The operations of an algorithm, in the registry's order.
pub(crate) fn of(algorithm: &'static Algorithm) -> Vec<Operation> {
    let key = algorithm.key;
    let New::Block { block, .. } = algorithm.new else { return of_stream(algorithm) };
    let keys = |length: fn(usize) -> usize| key.through(length);
    let mut all: Vec<Operation> = registry::operations(algorithm)
        .map(|it| Operation {
            name: it.name.to_owned(),
            standard: it.standard,
            kind: Kind::Cipher,
            key,
            iv: Some((it.iv)(block)),
        })
        .collect();
    for it in registry::messages(algorithm) {
        all.extend(["encrypt", "decrypt"].map(|direction| Operation {
            name: format!("{}-{direction}", it.name),
            standard: it.standard,
            kind: Kind::Cipher,
            key: keys(it.key),
            iv: Some((it.iv)(block)),
        }));
    }
    for it in registry::aeads(algorithm) {
        all.extend(["seal", "open"].map(|direction| Operation {
            name: format!("{}-{direction}", it.name),
            standard: it.standard,
            kind: Kind::Aead,
            key,
            iv: Some(it.nonce),
        }));
    }
    all.extend(registry::macs(algorithm).map(|it| Operation {
        name: it.name.to_owned(),
        standard: it.standard,
        kind: Kind::Mac,
        key: keys(it.key),
        iv: Some(it.iv),
    }));
    all
}

/// Those of a stream cipher.
fn of_stream(algorithm: &'static Algorithm) -> Vec<Operation> {
    let mut all = vec![Operation {
        name: KEYSTREAM.to_owned(),
        standard: algorithm.standard,
        kind: Kind::Cipher,
        key: algorithm.key,
        iv: None,
    }];
    all.extend(registry::streams(algorithm).map(|it| Operation {
        name: it.name.to_owned(),
        standard: it.standard,
        kind: Kind::Cipher,
        key: it.key,
        iv: Some(it.iv),
    }));
    for it in registry::stream_aeads(algorithm) {
        all.extend([it.seal, it.open].map(|name| Operation {
            name: name.to_owned(),
            standard: it.standard,
            kind: Kind::Aead,
            key: it.key,
            iv: Some(it.nonce),
        }));
    }
    all.extend(registry::stream_macs(algorithm).map(|it| Operation {
        name: it.name.to_owned(),
        standard: it.standard,
        kind: Kind::Mac,
        key: it.key,
        iv: Some(it.iv),
    }));
    all
}
