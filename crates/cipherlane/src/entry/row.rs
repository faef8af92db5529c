//! The rows of the table of operations.

use super::constructor::{AeadStreaming, Constructor, NewAead, NewMac};
use super::kind::{Kind, Split};
use super::{Algorithm, NewBatch};
use crate::air::FrameIv;
use crate::sizes::Sizes;

/// The ciphers that an operation is defined for.
#[derive(Clone, Copy)]
pub(crate) enum Over {
    /// Block ciphers with blocks of these lengths in bytes.
    Blocks(&'static [usize]),
    /// The block cipher of that name.
    #[cfg_attr(not(feature = "aes"), expect(dead_code, reason = "AES alone has such operations"))]
    Block(&'static str),
    /// The stream cipher of that name.
    #[cfg_attr(
        not(any(feature = "grain", feature = "snow3g", feature = "snow-v", feature = "zuc")),
        expect(dead_code, reason = "other stream ciphers have no operations")
    )]
    Stream(&'static str),
}

/// An operation of every cipher that it is defined for. Lengths are in bytes and follow from the
/// cipher's block, which is 1 for a stream cipher.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) inverse: Option<&'static str>,
    pub(crate) standard: &'static str,
    pub(crate) over: Over,
    /// Whether it is defined for a cipher with keys of this length.
    pub(crate) takes_key: fn(usize) -> bool,
    /// From the cipher's key lengths to the operation's.
    pub(crate) key: fn(Sizes) -> Sizes,
    pub(crate) iv: fn(usize) -> Sizes,
    /// The IV length to take where nothing else is said; the shortest if this says nothing, too.
    pub(crate) usual_iv: Option<usize>,
    pub(crate) data: fn(usize) -> Sizes,
    pub(crate) tag: fn(usize) -> Sizes,
    pub(crate) bits: bool,
    pub(crate) split: Split,
    pub(crate) limit: Option<u64>,
    pub(crate) new: Constructor,
    /// The constructor of a batch in lanes, where the cipher is a stream cipher that has one.
    pub(crate) batch: Option<NewBatch>,
    /// How the IV is made of COUNT, BEARER and DIRECTION.
    pub(crate) air: Option<FrameIv>,
}

impl Row {
    /// Without IV and tag, on any number of bytes, of block ciphers with 8 or 16 bytes.
    pub(crate) const fn new(
        name: &'static str,
        kind: Kind,
        standard: &'static str,
        new: Constructor,
    ) -> Self {
        Self {
            name,
            kind,
            inverse: None,
            standard,
            over: Over::Blocks(&[8, 16]),
            takes_key: |_| true,
            key: |cipher| cipher,
            iv: |_| NONE,
            usual_iv: None,
            data: |_| ANY,
            tag: |_| NONE,
            bits: false,
            split: Split::Never,
            limit: None,
            new,
            batch: None,
            air: None,
        }
    }

    /// A mode that needs an IV of one block.
    pub(crate) const fn mode(
        name: &'static str,
        inverse: &'static str,
        standard: &'static str,
        new: Constructor,
    ) -> Self {
        let inverse = Some(inverse);
        Self { inverse, iv: Sizes::exactly, ..Self::new(name, Kind::Cipher, standard, new) }
    }

    /// An AEAD, by the names of the operations that seal and open, of block ciphers with 16 bytes.
    pub(crate) const fn aead(
        [seal, open]: [&'static str; 2],
        standard: &'static str,
        new: NewAead,
        streaming: AeadStreaming,
    ) -> Self {
        let (inverse, over) = (Some(open), Over::Blocks(&[16]));
        let new = Constructor::Aead { new, streaming };
        Self { inverse, over, ..Self::new(seal, Kind::Seal, standard, new) }
    }

    /// A MAC without a limit.
    pub(crate) const fn mac(name: &'static str, standard: &'static str, new: NewMac) -> Self {
        Self::new(name, Kind::Mac, standard, Constructor::Mac { new, unlimited: new })
    }

    /// What undoes this operation, by the same constructor.
    pub(crate) const fn undo(self) -> Self {
        let Some(name) = self.inverse else { panic!("it has an inverse") };
        let kind = match self.kind {
            Kind::Seal => Kind::Open,
            kind => kind,
        };
        Self { name, kind, inverse: Some(self.name), ..self }
    }

    /// Whether an algorithm has it.
    pub(crate) fn applies(&self, algorithm: &Algorithm) -> bool {
        let over = match self.over {
            Over::Blocks(blocks) => algorithm.block().is_some_and(|it| blocks.contains(&it)),
            Over::Block(name) | Over::Stream(name) => algorithm.name == name,
        };
        over && (self.takes_key)(algorithm.key.max)
    }
}

/// No bytes.
pub(crate) const NONE: Sizes = Sizes::exactly(0);
/// Any number of bytes.
pub(crate) const ANY: Sizes = Sizes::between(0, usize::MAX);

/// Whole blocks.
pub(crate) const fn whole_blocks(block: usize) -> Sizes {
    Sizes::steps(0, usize::MAX / block * block, block)
}
