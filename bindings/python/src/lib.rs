//! The native half of the package `cipherlane` for Python: classes over the objects of the
//! registry. The names that users see are in `python/cipherlane`.
#![deny(unsafe_code)]

mod aead;
mod aead_context;
mod air;
mod batch;
mod buffers;
mod cipher;
mod column;
mod dialects;
mod failures;
mod listing;
mod mac;

/// The module `cipherlane._native`.
#[pyo3::pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use super::aead::Aead;
    #[pymodule_export]
    use super::aead_context::AeadContext;
    #[pymodule_export]
    use super::air::{air_iv, eea3_bits};
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::cipher::CipherContext;
    #[pymodule_export]
    use super::column::{pack_column, unpack_column};
    #[pymodule_export]
    use super::dialects::{DialectCodec, dialect_name, dialect_rows};
    #[pymodule_export]
    use super::failures::{
        AlreadyFinalized, AlreadyUpdated, CipherlaneError, InvalidSignature, InvalidTag,
        NotYetFinalized, UnsupportedAlgorithm,
    };
    #[pymodule_export]
    use super::listing::{level, levels, registry};
    #[pymodule_export]
    use super::mac::Mac;
}
