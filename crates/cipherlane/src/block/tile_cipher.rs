//! What a cipher of a few words a block gives for tiles: its rounds, over lanes and over numbers,
//! and its keys.

use lanes::Isa;

use super::number::Number;

/// A cipher under one key, encryption and (`DECRYPT`) decryption.
pub(crate) trait TileCipher {
    /// A block.
    type Block: Number;
    /// A block that one link of a chain hands to the next: words, where putting them together and taking
    /// them apart would stand in the chain's way.
    type Link: Number;

    /// Words of a block.
    const WORDS: usize;

    /// One block.
    fn one<const DECRYPT: bool>(&self, block: Self::Block) -> Self::Block;

    /// One block of a chain, encrypted.
    fn link(&self, block: Self::Link) -> Self::Link;

    /// Two blocks.
    #[inline(always)]
    fn two<const DECRYPT: bool>(&self, [a, b]: [Self::Block; 2]) -> [Self::Block; 2] {
        [self.one::<DECRYPT>(a), self.one::<DECRYPT>(b)]
    }

    /// From four registers of blocks whose words are numbers to four registers of words.
    fn words<I: Isa>(isa: I, blocks: [I::V; 4]) -> [I::V; 4];

    /// The same for blocks as they lie in memory.
    #[inline(always)]
    fn enter<I: Isa>(isa: I, blocks: [I::V; 4]) -> [I::V; 4] {
        Self::words(isa, blocks)
    }

    /// Back from [`enter`](Self::enter).
    fn leave<I: Isa>(isa: I, words: [I::V; 4]) -> [I::V; 4];

    /// The rounds of groups of words.
    fn rounds<I: Isa, K: LaneKeys<I>, const G: usize, const DECRYPT: bool>(
        isa: I,
        keys: K,
        state: &mut [[I::V; 4]; G],
    );

    /// How many key words the rounds take.
    fn key_words(&self) -> usize;

    /// A key word in every lane.
    fn key_word<I: Isa, const DECRYPT: bool>(&self, isa: I, number: usize) -> I::V;

    /// How many key words the keys of sets have.
    const USUAL: usize;

    /// The key words as bytes, each word's lowest first, and what fills them up to pieces of
    /// two blocks.
    fn key_bytes<const DECRYPT: bool>(&self) -> &[u8];

    /// For each lane the key word that its low bits choose.
    #[inline(always)]
    fn chosen_key_word<I: Isa>(&self, _: I, _: I::V) -> I::V {
        unreachable!("only RC2 chooses key words by data")
    }
}

/// The keys that lanes of groups have.
pub(crate) trait LaneKeys<I: Isa>: Copy {
    /// How many words there are.
    fn count(self) -> usize;

    /// A word for lanes of a group, in the order of its first two registers or of the others
    /// where these are not the same.
    fn word(self, isa: I, number: usize, group: usize, other: bool) -> I::V;

    /// For each lane of a group the word of its key that its low six bits choose.
    fn chosen(self, isa: I, index: I::V, group: usize) -> I::V;
}

/// One key for all lanes.
pub(crate) struct Common<'k, C, const DECRYPT: bool>(pub(crate) &'k C);

impl<C, const DECRYPT: bool> Copy for Common<'_, C, DECRYPT> {}

impl<C, const DECRYPT: bool> Clone for Common<'_, C, DECRYPT> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa, C: TileCipher, const DECRYPT: bool> LaneKeys<I> for Common<'_, C, DECRYPT> {
    #[inline(always)]
    fn count(self) -> usize {
        self.0.key_words()
    }

    #[inline(always)]
    fn word(self, isa: I, number: usize, _: usize, _: bool) -> I::V {
        self.0.key_word::<I, DECRYPT>(isa, number)
    }

    #[inline(always)]
    fn chosen(self, isa: I, index: I::V, _: usize) -> I::V {
        self.0.chosen_key_word(isa, index)
    }
}

/// The length of a block.
pub(super) const fn block_bytes<C: TileCipher>() -> usize {
    size_of::<C::Block>()
}

/// A cipher object and its expanded key.
#[cfg(feature = "_small_blocks")]
pub(crate) trait Under {
    /// The expanded key.
    type Keys: TileCipher<Block = u64>;

    /// That of the object.
    fn keys(&self) -> &Self::Keys;
}
