//! Ciphers of a family whose members the registry does not list one by one.

use alloc::boxed::Box;
use core::fmt;

use lanes::Level;

use crate::error::Error;
use crate::traits::block::BlockCipher;

/// What tells a member of a family from the others; `None` is the usual.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parameters {
    /// RC2: the effective key length in bits, else that of the key.
    pub effective_key_bits: Option<u32>,
    /// RC5: the length of a word in bits, else 32.
    pub word_bits: Option<u32>,
    /// RC5: the number of rounds, else 12.
    pub rounds: Option<u32>,
}

/// Makes a block cipher from a key and parameters.
pub type NewWithParameters = fn(&[u8], Parameters, Level) -> Result<Box<dyn BlockCipher>, Error>;

/// The values that a parameter can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// All from the first to the second.
    Between(u32, u32),
    /// These.
    OneOf(&'static [u32]),
}

impl Allowed {
    /// Whether `value` is one of them.
    #[must_use]
    pub fn holds(&self, value: u32) -> bool {
        match *self {
            Self::Between(min, max) => (min..=max).contains(&value),
            Self::OneOf(values) => values.contains(&value),
        }
    }
}

impl fmt::Display for Allowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Between(min, max) => write!(f, "{min} to {max}"),
            Self::OneOf(values) => {
                for (i, value) in values.iter().enumerate() {
                    let before = match i {
                        0 => "",
                        _ if i + 1 == values.len() => " or ",
                        _ => ", ",
                    };
                    write!(f, "{before}{value}")?;
                }
                Ok(())
            }
        }
    }
}

/// A parameter of a family.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Parameter {
    /// Its name, e.g. `"rounds"`, as errors have it too.
    pub name: &'static str,
    /// The values it can have.
    pub allowed: Allowed,
    /// Its value where nothing is said; `None` where that follows from the key.
    pub usual: Option<u32>,
    /// Where it stands among the parameters.
    pub field: fn(Parameters) -> Option<u32>,
}

/// A family of block ciphers. Its usual member is in the registry.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ParameterEntry {
    /// The name of the usual member, e.g. `"rc5"`.
    pub algorithm: &'static str,
    /// What can be chosen.
    pub parameters: &'static [Parameter],
    /// The constructor; keys have any length that the usual member allows.
    pub new: NewWithParameters,
}

impl ParameterEntry {
    /// Whether there is such a member.
    #[must_use]
    pub fn takes(&self, parameters: Parameters) -> bool {
        let Parameters { effective_key_bits, word_bits, rounds } = parameters;
        let given = [effective_key_bits, word_bits, rounds].into_iter().flatten().count();
        let allowed = |it: &&Parameter| (it.field)(parameters).is_some_and(|x| it.allowed.holds(x));
        self.parameters.iter().filter(allowed).count() == given
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn values_are_told_as_one_would_say_them() {
        assert_eq!(Allowed::Between(0, 255).to_string(), "0 to 255");
        assert_eq!(Allowed::OneOf(&[16, 32, 64]).to_string(), "16, 32 or 64");
        assert!(Allowed::Between(0, 255).holds(255) && !Allowed::Between(0, 255).holds(256));
        assert!(Allowed::OneOf(&[16, 32]).holds(32) && !Allowed::OneOf(&[16, 32]).holds(24));
    }
}
