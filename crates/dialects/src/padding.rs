//! How the last block is filled up, with the one that the library has not.

use cipherlane::modes;
use serde::Deserialize;

/// The padding of a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Padding {
    /// Not at all.
    None,
    /// PKCS#7.
    Pkcs7,
    /// ISO/IEC 7816-4: a byte `80`, then zeros; always at least the one byte.
    Iso7816,
    /// Zeros up to the end of the block, none where the data ends there. What it ends with
    /// in zeros itself is lost.
    Zero,
}

impl Padding {
    /// Its name in a table.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Pkcs7 => "PKCS#7",
            Self::Iso7816 => "80 00 … (ISO/IEC 7816-4)",
            Self::Zero => "zeros",
        }
    }

    /// Bytes that follow `len` bytes of data in blocks of `block`.
    pub(crate) const fn added(self, len: usize, block: usize) -> usize {
        let open = block - len % block;
        match self {
            Self::None => 0,
            Self::Zero => open % block,
            Self::Pkcs7 | Self::Iso7816 => open,
        }
    }

    /// Whether each value has at least a byte of it.
    pub(crate) const fn always(self) -> bool {
        matches!(self, Self::Pkcs7 | Self::Iso7816)
    }

    /// Writes it.
    pub(crate) fn fill(self, added: &mut [u8]) {
        match self {
            Self::None => {}
            // At most a block, which has less than 256 bytes.
            Self::Pkcs7 => added.fill(added.len() as u8),
            Self::Iso7816 | Self::Zero => added.fill(0),
        }
        if let (Self::Iso7816, Some(first)) = (self, added.first_mut()) {
            *first = 0x80;
        }
    }

    /// The length of the data in whole blocks that were padded so, if they were. The verdict on
    /// PKCS#7 and ISO/IEC 7816-4 takes the same time for all data.
    pub(crate) fn len_without(self, data: &[u8], block: usize) -> Option<usize> {
        let of_library = |padding: modes::Padding| {
            let before = data.len().checked_sub(block)?;
            Some(before + padding.unpad(&data[before..])?)
        };
        match self {
            Self::None => Some(data.len()),
            Self::Pkcs7 => of_library(modes::Padding::Pkcs7),
            Self::Iso7816 => of_library(modes::Padding::Iso7816),
            // Zeros of the last block alone: a block of zeros only would not have been added.
            Self::Zero => {
                let before = data.len().saturating_sub(block);
                let last = data[before..].iter().rposition(|byte| *byte != 0);
                Some(last.map_or(before, |last| before + last + 1))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Padding;

    #[test]
    fn what_was_filled_up_is_found_again_at_every_length() {
        for padding in [Padding::Pkcs7, Padding::Iso7816, Padding::Zero] {
            for len in 0..=64 {
                let mut data = vec![0xa5; len];
                let added = padding.added(len, 16);
                assert!((len + added).is_multiple_of(16) && added <= 16, "{padding:?} {len}");
                assert_eq!(added == 0, !padding.always() && len % 16 == 0, "{padding:?} {len}");
                data.resize(len + added, 0xff);
                padding.fill(&mut data[len..]);
                assert_eq!(padding.len_without(&data, 16), Some(len), "{padding:?} {len}");
            }
        }
    }

    #[test]
    fn no_block_is_no_padding() {
        for padding in [Padding::Pkcs7, Padding::Iso7816] {
            assert_eq!(padding.len_without(&[], 16), None);
            assert_eq!(padding.len_without(&[0; 16], 16), None);
        }
        assert_eq!(Padding::Zero.len_without(&[], 16), Some(0));
        assert_eq!(Padding::None.len_without(&[0; 5], 16), Some(5));
    }
}
