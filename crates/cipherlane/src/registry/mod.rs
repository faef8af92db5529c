//! The table of algorithms and of the operations that apply to them.
//!
//! Tests, bindings, the program and the laboratory iterate it: what is
//! registered exists everywhere. The product of ciphers and modes is formed at
//! run time by [`operations`].

mod batches;
mod of_streams;
mod parameters;

pub use batches::{BATCHES, Batch, BatchKind, batches};
pub use of_streams::{STREAM_AEADS, STREAM_MACS, STREAMS, stream_aeads, stream_macs, streams};
pub use parameters::{PARAMETERS, parameters};

pub use crate::entry::batch::{BatchEntry, NewFresh, NewReady};
pub use crate::entry::known_answer::{KnownAnswer, self_test};
pub use crate::entry::parameters::{
    Allowed, NewWithParameters, Parameter, ParameterEntry, Parameters,
};
pub use crate::entry::stream::{
    NewBatch, NewPduCipher, NewStreamAead, NewStreamMac, Sealed, StreamAeadEntry, StreamEntry,
    StreamMacEntry,
};
pub use crate::entry::timing::Timing;
pub use crate::entry::{
    AeadEntry, AeadStreaming, Algorithm, DataRule, Limits, MacEntry, MessageEntry, New, NewAead,
    NewAeadStream, NewMac, NewMessage, NewShared, NewStream, Operation, Share, Split, Started,
};
pub use crate::traits::keys::NewBlock;

/// Every algorithm of this build.
pub static ALGORITHMS: &[Algorithm] = &[
    #[cfg(feature = "sm4")]
    crate::ciphers::sm4::ALGORITHM,
    #[cfg(feature = "aes")]
    crate::ciphers::aes::AES_128,
    #[cfg(feature = "aes")]
    crate::ciphers::aes::AES_192,
    #[cfg(feature = "aes")]
    crate::ciphers::aes::AES_256,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::ZUC_128,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::ZUC_256,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::ZUC_256_OF_2021,
    #[cfg(feature = "zuc")]
    crate::ciphers::zuc::ZUC_256_OF_2023,
    #[cfg(feature = "mickey")]
    crate::ciphers::mickey::MICKEY_2,
    #[cfg(feature = "mickey")]
    crate::ciphers::mickey::MICKEY_128,
    #[cfg(feature = "trivium")]
    crate::ciphers::trivium::ALGORITHM,
    #[cfg(feature = "grain")]
    crate::ciphers::grain::GRAIN_V1,
    #[cfg(feature = "grain")]
    crate::ciphers::grain::GRAIN_128,
    #[cfg(feature = "enocoro")]
    crate::ciphers::enocoro::ALGORITHM,
    #[cfg(feature = "hc128")]
    crate::ciphers::hc128::ALGORITHM,
    #[cfg(feature = "rabbit")]
    crate::ciphers::rabbit::ALGORITHM,
    #[cfg(feature = "salsa20")]
    crate::ciphers::salsa20::SALSA20_8,
    #[cfg(feature = "salsa20")]
    crate::ciphers::salsa20::SALSA20_12,
    #[cfg(feature = "salsa20")]
    crate::ciphers::salsa20::SALSA20_20,
    #[cfg(feature = "sosemanuk")]
    crate::ciphers::sosemanuk::ALGORITHM,
    #[cfg(feature = "rc4")]
    crate::ciphers::rc4::ALGORITHM,
    #[cfg(feature = "idea")]
    crate::ciphers::idea::ALGORITHM,
    #[cfg(feature = "rc2")]
    crate::ciphers::rc2::ALGORITHM,
    #[cfg(feature = "rc5")]
    crate::ciphers::rc5::ALGORITHM,
];

/// Every operation of a mode over a block cipher.
pub static OPERATIONS: &[Operation] = &[
    crate::modes::ecb::ENCRYPT,
    crate::modes::ecb::DECRYPT,
    crate::modes::cbc::ENCRYPT,
    crate::modes::cbc::DECRYPT,
    crate::modes::ctr::APPLY,
    crate::modes::ctr::APPLY_32,
    crate::modes::cfb::ENCRYPT,
    crate::modes::cfb::DECRYPT,
    crate::modes::cfb8::ENCRYPT,
    crate::modes::cfb8::DECRYPT,
    crate::modes::ofb::APPLY,
    crate::modes::bc::ENCRYPT,
    crate::modes::bc::DECRYPT,
];

/// Every mode on whole messages.
pub static MESSAGES: &[MessageEntry] = &[
    crate::modes::xts::IEEE,
    crate::modes::xts::GB,
    crate::modes::hctr::MESSAGE,
    crate::modes::ofbnlf::MESSAGE,
];

/// Every AEAD mode over a block cipher.
pub static AEADS: &[AeadEntry] =
    &[crate::aead::gcm::AEAD, crate::aead::gcm_siv::AEAD, crate::aead::ccm::AEAD];

/// Every MAC over a block cipher.
pub static MACS: &[MacEntry] = &[
    crate::mac::cmac::MAC,
    crate::mac::gmac::MAC,
    crate::mac::cbc_mac::entries::CBC_MAC_1,
    crate::mac::cbc_mac::entries::CBC_MAC_1_PAD1,
    crate::mac::cbc_mac::entries::CBC_MAC_1_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_2,
    crate::mac::cbc_mac::entries::CBC_MAC_2_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_3,
    crate::mac::cbc_mac::entries::CBC_MAC_3_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_4,
    crate::mac::cbc_mac::entries::CBC_MAC_4_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_6,
    crate::mac::cbc_mac::entries::CBC_MAC_6_PAD3,
    crate::mac::cbc_mac::entries::CBC_MAC_7,
    crate::mac::cbc_mac::entries::CBC_MAC_8,
];

/// The operation that every stream cipher has.
pub const KEYSTREAM: &str = "keystream";

/// The algorithm of that name.
#[must_use]
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The mode operation of that name.
#[must_use]
pub fn operation(name: &str) -> Option<&'static Operation> {
    OPERATIONS.iter().find(|operation| operation.name == name)
}

/// The block length of a block cipher, in bytes.
fn block(algorithm: &Algorithm) -> Option<usize> {
    match algorithm.new {
        New::Block { block, .. } => Some(block),
        New::Stream { .. } => None,
    }
}

/// The modes on whole messages that apply to an algorithm.
pub fn messages(algorithm: &Algorithm) -> impl Iterator<Item = &'static MessageEntry> + use<> {
    let (block, key) = (block(algorithm), algorithm.key.max);
    let applies = move |entry: &&MessageEntry| {
        block.is_some_and(|b| entry.blocks.contains(&b)) && (entry.key)(key) != 0
    };
    MESSAGES.iter().filter(applies)
}

/// The AEAD modes that apply to an algorithm.
pub fn aeads(algorithm: &Algorithm) -> impl Iterator<Item = &'static AeadEntry> + use<> {
    let (block, key) = (block(algorithm), algorithm.key.max);
    let applies = move |entry: &&AeadEntry| {
        block.is_some_and(|b| entry.blocks.contains(&b)) && (entry.takes_key)(key)
    };
    AEADS.iter().filter(applies)
}

/// The MACs that apply to an algorithm.
pub fn macs(algorithm: &Algorithm) -> impl Iterator<Item = &'static MacEntry> + use<> {
    let (block, key) = (block(algorithm), algorithm.key.max);
    let applies = move |entry: &&MacEntry| {
        block.is_some_and(|b| entry.blocks.contains(&b)) && (entry.key)(key) != 0
    };
    MACS.iter().filter(applies)
}

/// The mode operations that apply to an algorithm; none for a stream cipher, whose
/// operations are [`KEYSTREAM`] and those of [`streams`], [`stream_macs`] and
/// [`stream_aeads`].
pub fn operations(algorithm: &Algorithm) -> impl Iterator<Item = &'static Operation> + use<> {
    let block = block(algorithm);
    OPERATIONS.iter().filter(move |operation| block.is_some_and(|b| operation.blocks.contains(&b)))
}
