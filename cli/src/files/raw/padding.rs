//! The paddings of the last block, as arguments.

use cipherlane::modes::Padding;

/// The paddings, by the names that users know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PaddingArg {
    /// PKCS#7 (RFC 5652), what `openssl enc` and most others do
    Pkcs7,
    /// A byte 80, then zeros (ISO/IEC 7816-4)
    Iso7816_4,
    /// None: whole blocks only
    None,
}

impl PaddingArg {
    pub(crate) const fn padding(self) -> Padding {
        match self {
            Self::Pkcs7 => Padding::Pkcs7,
            Self::Iso7816_4 => Padding::Iso7816,
            Self::None => Padding::None,
        }
    }
}
