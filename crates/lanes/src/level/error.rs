//! Why a level can't be had.

use core::fmt;

use super::Level;

/// A level can't be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LevelError {
    /// No level has this name.
    Unknown(LevelName),
    /// The level exists, but not on this CPU.
    Absent(&'static str),
}

impl fmt::Display for LevelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, names: &mut dyn Iterator<Item = &'static str>| {
            for (i, name) in names.enumerate() {
                write!(f, "{}{name}", if i == 0 { "" } else { ", " })?;
            }
            Ok(())
        };
        match self {
            Self::Unknown(name) => {
                write!(f, "unknown level `{name}`; known: ")?;
                list(f, &mut Level::names())
            }
            Self::Absent(name) => {
                write!(f, "this CPU lacks level `{name}`; it has: ")?;
                list(f, &mut Level::available().map(Level::name))
            }
        }
    }
}

impl core::error::Error for LevelError {}

/// The text somebody gave for a level, cut to 32 bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LevelName {
    bytes: [u8; 32],
    len: usize,
}

impl LevelName {
    pub(super) fn new(name: &str) -> Self {
        let mut len = name.len().min(32);
        while !name.is_char_boundary(len) {
            len -= 1;
        }
        let mut bytes = [0; 32];
        bytes[..len].copy_from_slice(&name.as_bytes()[..len]);
        Self { bytes, len }
    }
}

impl fmt::Display for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(core::str::from_utf8(&self.bytes[..self.len]).unwrap_or("?"))
    }
}

impl fmt::Debug for LevelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn a_long_name_is_cut_at_a_character() {
        let name = "ä".repeat(40);
        assert_eq!(LevelName::new(&name).to_string(), "ä".repeat(16));
        assert_eq!(std::format!("{:?}", LevelName::new("avx1")), "\"avx1\"");
    }
}
