//! The table of algorithms and of the operations that apply to them.
//!
//! Tests, bindings, the program and the laboratory iterate it: what is
//! registered exists everywhere. The product of ciphers and operations is formed at
//! run time by [`operations`].
//!
//! ```
//! use cipherlane::Level;
//! use cipherlane::registry::{self, Kind};
//!
//! let sm4 = registry::algorithm("sm4").expect("a build with SM4");
//! for operation in registry::operations(sm4).filter(|it| it.kind == Kind::Seal) {
//!     let aead = operation.aead(&[7; 16], Level::detect()?)?;
//!     assert_eq!(aead.tag_len(), operation.tag.max);
//! }
//! # Ok::<(), cipherlane::Error>(())
//! ```

mod batches;
mod parameters;
mod rows;

pub use parameters::{PARAMETERS, parameters};

pub use crate::entry::constructor::{
    AeadStreaming, Constructor, Mode, NewAead, NewAeadStream, NewMac, NewMessage, NewPduCipher,
    Share, Started,
};
pub use crate::entry::kind::{Kind, Split};
pub use crate::entry::known_answer::{KnownAnswer, self_test};
pub use crate::entry::operation::{KEYSTREAM, Operation};
pub use crate::entry::parameters::{
    Allowed, NewWithParameters, Parameter, ParameterEntry, Parameters,
};
pub use crate::entry::timing::Timing;
pub use crate::entry::{Algorithm, Limits, New, NewBatch, NewShared, NewStream};
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
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::SNOW_V,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::SNOW_VI,
    #[cfg(feature = "snow-v")]
    crate::ciphers::snow_v::SNOW_5G,
    #[cfg(feature = "snow3g")]
    crate::ciphers::snow3g::ALGORITHM,
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
    #[cfg(feature = "grain")]
    crate::ciphers::grain::GRAIN_128_AEAD,
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

/// The algorithm of that name.
#[must_use]
pub fn algorithm(name: &str) -> Option<&'static Algorithm> {
    ALGORITHMS.iter().find(|algorithm| algorithm.name == name)
}

/// The operations that an algorithm has.
pub fn operations(algorithm: &'static Algorithm) -> impl Iterator<Item = Operation> {
    let rows = rows::ROWS.iter().filter(|row| row.applies(algorithm));
    let rows = rows.map(move |row| Operation::new(row, algorithm, batches::BATCHES));
    Operation::keystream(algorithm).into_iter().chain(rows)
}

/// The operation of an algorithm of that name.
#[must_use]
pub fn operation(algorithm: &'static Algorithm, name: &str) -> Option<Operation> {
    if name == KEYSTREAM {
        return Operation::keystream(algorithm);
    }
    let row = rows::ROWS.iter().find(|row| row.name == name && row.applies(algorithm))?;
    Some(Operation::new(row, algorithm, batches::BATCHES))
}
