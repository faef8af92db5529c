//! Where nonce and tag stand in files of programs that have no format: PyCryptodome's examples
//! write nonce, tag and ciphertext, others the nonce and what their library gave them.

use crate::files::doctor::shell::quoted;
use crate::files::raw::transform::{Form, Name};

/// Where the tag of an AEAD stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tag {
    /// Behind the ciphertext.
    Behind,
    /// Between nonce and ciphertext.
    AfterNonce,
    /// Before the nonce.
    First,
}

/// An arrangement that `raw` has no option for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Bytes in front of all that are passed over: the HMAC of another key.
    pub(crate) skipped: usize,
    /// Bytes of nonce in the file.
    pub(crate) nonce: usize,
    /// What goes behind the nonce to make the IV of CTR.
    pub(crate) counter: &'static [u8],
    pub(crate) tag: Tag,
}

/// A file taken apart.
pub(crate) struct Parts<'d> {
    pub(crate) iv: Vec<u8>,
    /// The ciphertext and, behind it, the tag if there is one.
    pub(crate) body: [&'d [u8]; 2],
}

const fn aead(nonce: usize, tag: Tag) -> Layout {
    Layout { skipped: 0, nonce, counter: &[], tag }
}

const fn ctr(skipped: usize, nonce: usize, counter: &'static [u8]) -> Layout {
    Layout { skipped, nonce, counter, tag: Tag::Behind }
}

/// A nonce of half a block, the counter begins at 0: PyCryptodome's CTR. With the HMAC-SHA256
/// that its documentation puts in front. GCM's counters, and those that begin at 0.
const CTR_16: &[Layout] = &[
    ctr(0, 8, &[0; 8]),
    ctr(32, 8, &[0; 8]),
    ctr(0, 12, &[0; 4]),
    ctr(0, 12, &[0, 0, 0, 1]),
    ctr(0, 12, &[0, 0, 0, 2]),
];
const CTR_8: &[Layout] = &[ctr(0, 4, &[0; 4])];

impl Layout {
    /// Those that are tried for a cipher, but for the usual one: nonce, ciphertext, tag.
    pub(crate) fn of(name: &Name) -> Vec<Self> {
        let nonces: &[usize] = match &name.form {
            Form::Plain(mode) if mode == "ctr" => {
                return if name.iv == 16 { CTR_16 } else { CTR_8 }.to_vec();
            }
            // `raw` takes the IV of these from the command line alone, as their HMAC is not over it.
            Form::Sm3Hmac(_) => return vec![aead(name.iv, Tag::Behind)],
            Form::Aead(mode) if mode == "gcm" => &[12, 16, 8],
            Form::Aead(mode) if mode == "ccm" => &[11, 12, 13],
            Form::Aead(_) => &[name.iv],
            _ => &[],
        };
        let tags = [Tag::Behind, Tag::AfterNonce, Tag::First];
        let all = nonces.iter().flat_map(|nonce| tags.map(|tag| aead(*nonce, tag)));
        all.filter(|it| *it != aead(name.iv, Tag::Behind)).collect()
    }

    /// The parts of a file with a tag of so many bytes.
    pub(crate) fn split<'d>(&self, data: &'d [u8], tag: usize) -> Option<Parts<'d>> {
        let data = data.get(self.skipped..)?;
        let front = if self.tag == Tag::Behind { 0 } else { tag };
        let (first, rest) = match self.tag {
            Tag::First => data.split_at_checked(front)?,
            _ => data.split_at_checked(0)?,
        };
        let (nonce, rest) = rest.split_at_checked(self.nonce)?;
        let (second, rest) = match self.tag {
            Tag::AfterNonce => rest.split_at_checked(front)?,
            _ => (&[][..], rest),
        };
        let moved = if second.is_empty() { first } else { second };
        Some(Parts { iv: [nonce, self.counter].concat(), body: [rest, moved] })
    }

    /// The same in words.
    pub(crate) fn sentence(&self, tag: usize) -> String {
        let nonce = format!("the nonce of {} bytes", self.nonce);
        match self.tag {
            _ if tag == 0 => {
                let skipped = match self.skipped {
                    0 => String::new(),
                    bytes => format!("{bytes} bytes that are not checked (an HMAC?), "),
                };
                let begin = self.counter.last().copied().unwrap_or_default();
                format!("{skipped}{nonce} in front of the data, the counter begins at {begin}")
            }
            Tag::Behind => format!("{nonce} in front, then data and tag"),
            Tag::AfterNonce => format!("{nonce} in front, then tag and data"),
            Tag::First => format!("the tag in front, then {nonce} and the data"),
        }
    }

    /// What a shell does to give `raw` the data and, behind it, the tag; without an end where
    /// it writes them to standard output.
    pub(crate) fn shell(&self, file: &str, tag: usize) -> String {
        let file = quoted(file);
        let from = |at: usize| format!("tail -c +{} {file}", at + 1);
        let begin = self.skipped + self.nonce;
        match self.tag {
            Tag::AfterNonce if tag > 0 => {
                let (data, tag) = (from(begin + tag), format!("{} | head -c {tag}", from(begin)));
                format!("{{ {data}; {tag}; }}")
            }
            Tag::First if tag > 0 => {
                format!("{{ {}; head -c {tag} {file}; }}", from(begin + tag))
            }
            _ => from(begin),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_put_in_order() {
        let of = |layout: Layout, tag| {
            let parts = layout.split(b"0123456789", tag)?;
            Some((parts.iv, parts.body.concat()))
        };
        assert_eq!(of(aead(3, Tag::Behind), 4), Some((b"012".to_vec(), b"3456789".to_vec())));
        assert_eq!(of(aead(3, Tag::AfterNonce), 4), Some((b"012".to_vec(), b"7893456".to_vec())));
        assert_eq!(of(aead(3, Tag::First), 4), Some((b"456".to_vec(), b"7890123".to_vec())));
        assert_eq!(of(ctr(2, 3, &[0, 1]), 0), Some((b"234\x00\x01".to_vec(), b"56789".to_vec())));
        assert_eq!(of(aead(3, Tag::First), 8), None);
        assert_eq!(of(ctr(32, 8, &[]), 0), None);
        for name in ["sm4-gcm", "aes-128-ccm", "sm4-gcm-siv", "aes-256-ctr", "idea-ctr"] {
            let Some(name) = Name::parse(name) else { continue };
            assert!(!Layout::of(&name).is_empty());
        }
    }
}
