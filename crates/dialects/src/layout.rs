//! The pieces of a stored value in their order.

use core::fmt;
use core::ops::Range;

use serde::Deserialize;

/// What a piece is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    Salt,
    Iv,
    Ciphertext,
    Tag,
    Mac,
}

impl Part {
    const ALL: [(Self, &'static str); 5] = [
        (Self::Salt, "salt"),
        (Self::Iv, "iv"),
        (Self::Ciphertext, "ciphertext"),
        (Self::Tag, "tag"),
        (Self::Mac, "mac"),
    ];
}

/// The pieces before the ciphertext and those behind it, each with its length in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub(crate) struct Layout(Vec<(Part, usize)>);

/// The longest piece beside the ciphertext: a digest of 64 bytes.
pub(crate) const LONGEST: usize = 64;

impl TryFrom<Vec<String>> for Layout {
    type Error = String;

    /// Reads words such as `iv 16`, and `ciphertext`, which is there once.
    fn try_from(words: Vec<String>) -> Result<Self, String> {
        let piece = |word: &String| {
            let (name, len) = word.split_once(' ').unwrap_or((word, "0"));
            let part = Part::ALL.iter().find(|(_, known)| *known == name);
            let len = len.parse::<usize>().ok().filter(|len| *len <= LONGEST);
            let sized = |(part, len)| (part == Part::Ciphertext) == (len == 0);
            let piece = part.map(|(part, _)| *part).zip(len).filter(|piece| sized(*piece));
            piece.ok_or_else(|| format!("piece `{word}`"))
        };
        let pieces: Vec<(Part, usize)> = words.iter().map(piece).collect::<Result<_, _>>()?;
        let once = |(part, _): &(Part, usize)| {
            pieces.iter().filter(|(other, _)| other == part).count() == 1
        };
        let has = pieces.iter().any(|(part, _)| *part == Part::Ciphertext);
        if has && pieces.iter().all(once) { Ok(Self(pieces)) } else { Err("pieces".into()) }
    }
}

impl Layout {
    /// The length of a piece, if there is one.
    pub(crate) fn len(&self, part: Part) -> Option<usize> {
        self.0.iter().find(|(other, _)| *other == part).map(|(_, len)| *len)
    }

    /// Bytes beside the ciphertext.
    pub(crate) fn around(&self) -> usize {
        self.0.iter().map(|(_, len)| len).sum()
    }

    /// Cuts a value whose ciphertext has `body` bytes into its pieces.
    pub(crate) fn split<'b>(
        &self,
        mut bytes: &'b mut [u8],
        body: usize,
        mut each: impl FnMut(Part, &'b mut [u8]),
    ) {
        for (part, len) in &self.0 {
            let len = if *part == Part::Ciphertext { body } else { *len };
            let (piece, rest) = bytes.split_at_mut(len);
            each(*part, piece);
            bytes = rest;
        }
    }

    /// Where a piece is in a value whose ciphertext has `body` bytes.
    pub(crate) fn place(&self, part: Part, body: usize) -> Option<Range<usize>> {
        let mut start = 0;
        for (other, len) in &self.0 {
            let len = if *other == Part::Ciphertext { body } else { *len };
            if *other == part {
                return Some(start..start + len);
            }
            start += len;
        }
        None
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (part, len)) in self.0.iter().enumerate() {
            let name = match part {
                Part::Salt => "salt",
                Part::Iv => "IV",
                Part::Ciphertext => "ciphertext",
                Part::Tag => "tag",
                Part::Mac => "MAC",
            };
            f.write_str(if index > 0 { " ‖ " } else { "" })?;
            f.write_str(name)?;
            if *len > 0 {
                write!(f, "({len})")?;
            }
        }
        Ok(())
    }
}
