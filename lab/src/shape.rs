//! What an operation takes and leaves, told by its name and its tag.

use crate::Placement;

/// The shape of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Data in, as much data out: no tag.
    Cipher,
    /// Data in, as much data and a tag out: `-seal`, or a cipher and a MAC, `A+B`.
    Seal,
    /// Sealed data and its tag in, the data out: `-open`.
    Open,
    /// Data in, a tag out: any other operation with a tag.
    Mac,
}

impl Shape {
    /// The shape of an operation whose tag has so many bytes.
    #[must_use]
    pub fn of(operation: &str, tag_bytes: u32) -> Self {
        match tag_bytes {
            0 => Self::Cipher,
            _ if operation.ends_with("-seal") => Self::Seal,
            _ if operation.ends_with("-open") => Self::Open,
            _ if operation.contains('+') => Self::Seal,
            _ => Self::Mac,
        }
    }

    /// Whether it takes associated data.
    #[must_use]
    pub const fn takes_aad(self) -> bool {
        matches!(self, Self::Seal | Self::Open)
    }

    /// The one placement it can be measured in, if there is but one: opened in place, a
    /// sealed message would be there for one call only, and a tag lies over no data.
    #[must_use]
    pub const fn only(self) -> Option<Placement> {
        match self {
            Self::Cipher | Self::Seal => None,
            Self::Open => Some(Placement::Disjoint),
            Self::Mac => Some(Placement::InPlace),
        }
    }
}

/// The operation that makes what an `-open` operation takes.
pub(crate) fn sealing(open: &str) -> Option<String> {
    let mode = open.strip_suffix("-open")?;
    Some(if mode.contains('+') { mode.to_owned() } else { format!("{mode}-seal") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_and_a_tag_tell_the_shape() {
        assert_eq!(Shape::of("ctr", 0), Shape::Cipher);
        assert_eq!(Shape::of("gcm-seal", 16), Shape::Seal);
        assert_eq!(Shape::of("gcm-open", 16), Shape::Open);
        assert_eq!(Shape::of("cmac", 16), Shape::Mac);
        assert_eq!(sealing("gcm-siv-open").as_deref(), Some("gcm-siv-seal"));
        assert_eq!(sealing("gcm-seal"), None);
        assert_eq!(Shape::of("eea3+eia3", 4), Shape::Seal);
        assert_eq!(Shape::of("eea3+eia3-open", 4), Shape::Open);
        assert_eq!(sealing("eea3+eia3-open").as_deref(), Some("eea3+eia3"));
    }
}
