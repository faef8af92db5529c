//! Families of ciphers, of whose members the table of algorithms has the usual one.

use crate::entry::parameters::ParameterEntry;

/// Every family.
pub static PARAMETERS: &[ParameterEntry] = &[
    #[cfg(feature = "rc2")]
    crate::ciphers::rc2::PARAMETERS,
    #[cfg(feature = "rc5")]
    crate::ciphers::rc5::PARAMETERS,
];

/// The family of the algorithm of that name.
#[must_use]
pub fn parameters(algorithm: &str) -> Option<&'static ParameterEntry> {
    PARAMETERS.iter().find(|entry| entry.algorithm == algorithm)
}
