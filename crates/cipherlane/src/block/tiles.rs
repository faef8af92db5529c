//! Loops over blocks of a few words each: tiles of registers that hold many blocks, and
//! block by block where a register holds too few or the level has no lanes for the words.
//!
//! A cipher gives its rounds twice, over lanes and over numbers; the rest is here.

use lanes::{InOut, Isa};

use super::chains::{self, Link};
use super::number::Number;
use super::side_by_side::Under;
use super::{Chain, ChainData, Feedback};

/// A cipher under one key, encryption and (`BACK`) decryption.
pub(crate) trait TileCipher {
    /// A block.
    type Block: Number;

    /// Words of a block.
    const WORDS: usize;

    /// One block.
    fn one<const BACK: bool>(&self, block: Self::Block) -> Self::Block;

    /// Two blocks.
    #[inline(always)]
    fn two<const BACK: bool>(&self, [a, b]: [Self::Block; 2]) -> [Self::Block; 2] {
        [self.one::<BACK>(a), self.one::<BACK>(b)]
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
    fn rounds<I: Isa, K: LaneKeys<I>, const G: usize, const BACK: bool>(
        isa: I,
        keys: K,
        state: &mut [[I::V; 4]; G],
    );

    /// How many key words the rounds take.
    fn key_words(&self) -> usize;

    /// A key word in every lane.
    fn key_word<I: Isa, const BACK: bool>(&self, isa: I, number: usize) -> I::V;

    /// How many key words the keys of sets have.
    const USUAL: usize;

    /// The key words as bytes, each word's lowest first, and what fills them up to pieces of
    /// two blocks.
    fn key_bytes<const BACK: bool>(&self) -> &[u8];

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
pub(crate) struct Common<'k, C, const BACK: bool>(pub(crate) &'k C);

impl<C, const BACK: bool> Copy for Common<'_, C, BACK> {}

impl<C, const BACK: bool> Clone for Common<'_, C, BACK> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa, C: TileCipher, const BACK: bool> LaneKeys<I> for Common<'_, C, BACK> {
    #[inline(always)]
    fn count(self) -> usize {
        self.0.key_words()
    }

    #[inline(always)]
    fn word(self, isa: I, number: usize, _: usize, _: bool) -> I::V {
        self.0.key_word::<I, BACK>(isa, number)
    }

    #[inline(always)]
    fn chosen(self, isa: I, index: I::V, _: usize) -> I::V {
        self.0.chosen_key_word(isa, index)
    }
}

/// Groups of blocks as they lie in memory, under one key.
#[inline(always)]
fn many<I: Isa, C: TileCipher, const G: usize, const BACK: bool>(
    isa: I,
    cipher: &C,
    state: &mut [[I::V; 4]; G],
) {
    for g in 0..G {
        state[g] = C::enter(isa, state[g]);
    }
    C::rounds::<I, _, G, BACK>(isa, Common::<C, BACK>(cipher), state);
    for g in 0..G {
        state[g] = C::leave(isa, state[g]);
    }
}

/// The length of a block.
const fn block_bytes<C: TileCipher>() -> usize {
    size_of::<C::Block>()
}

/// `out = cipher(in ⊕ pre) ⊕ post` in tiles of `G` groups; more than one block.
#[inline(always)]
pub(crate) fn blocks<I: Isa, C: TileCipher, const G: usize, const BACK: bool>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let tile = const { 4 * G * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= tile {
        let range = offset..offset + tile;
        let (pre, post) = (pre.map(|s| &s[range.clone()]), post.map(|s| &s[range.clone()]));
        cross::<I, C, G, BACK, true>(isa, cipher, io.part(offset, tile), pre, post);
        offset += tile;
    }
    let (_, io) = io.split_at(offset);
    let (pre, post) = (pre.map(|s| &s[offset..]), post.map(|s| &s[offset..]));
    match io.len().div_ceil(const { 4 * I::BYTES }) {
        0 => {}
        1 => cross::<I, C, 1, BACK, false>(isa, cipher, io, pre, post),
        _ => cross::<I, C, G, BACK, false>(isa, cipher, io, pre, post),
    }
}

/// One tile, whole or in part.
#[inline(always)]
fn cross<I: Isa, C: TileCipher, const G: usize, const BACK: bool, const WHOLE: bool>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let mut state = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if WHOLE {
                state[g][i] = io.load(isa, offset);
                if let Some(pre) = pre {
                    state[g][i] = isa.xor(state[g][i], isa.load(&pre[offset..]));
                }
            } else if offset < io.len() {
                state[g][i] = io.load_part(isa, offset);
                if let Some(pre) = pre {
                    state[g][i] = isa.xor(state[g][i], isa.load_part(&pre[offset..]));
                }
            }
        }
    }
    many::<I, C, G, BACK>(isa, cipher, &mut state);
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if WHOLE {
                if let Some(post) = post {
                    state[g][i] = isa.xor(state[g][i], isa.load(&post[offset..]));
                }
                io.store(isa, offset, state[g][i]);
            } else if offset < io.len() {
                if let Some(post) = post {
                    state[g][i] = isa.xor(state[g][i], isa.load_part(&post[offset..]));
                }
                io.store_part(isa, offset, state[g][i]);
            }
        }
    }
}

/// Xors the data with the encrypted counters in tiles of `G` groups; the counter is moved
/// on and wraps at the block's width.
#[inline(always)]
pub(crate) fn ctr<I: Isa, C: TileCipher, const G: usize>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    counter: &mut u128,
) {
    let tile = const { 4 * G * I::BYTES };
    let mut offset = 0;
    while io.len() - offset >= tile {
        ctr_tile::<I, C, G, true>(isa, cipher, io.part(offset, tile), *counter);
        *counter = counter.wrapping_add(const { 4 * G * I::BYTES / block_bytes::<C>() } as u128);
        offset += tile;
    }
    let (_, io) = io.split_at(offset);
    let first = *counter;
    *counter = first.wrapping_add(io.len().div_ceil(block_bytes::<C>()) as u128);
    match io.len().div_ceil(const { 4 * I::BYTES }) {
        0 => {}
        1 => ctr_tile::<I, C, 1, false>(isa, cipher, io, first),
        _ => ctr_tile::<I, C, G, false>(isa, cipher, io, first),
    }
}

/// One tile of counter mode, whole or in part.
#[inline(always)]
fn ctr_tile<I: Isa, C: TileCipher, const G: usize, const WHOLE: bool>(
    isa: I,
    cipher: &C,
    mut io: InOut<'_>,
    first: u128,
) {
    let mut state = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            let before = (4 * g + i) * const { I::BYTES / block_bytes::<C>() };
            state[g][i] = C::Block::counters(isa, first.wrapping_add(before as u128));
        }
    }
    many::<I, C, G, false>(isa, cipher, &mut state);
    for g in 0..G {
        for i in 0..4 {
            let offset = (4 * g + i) * I::BYTES;
            if WHOLE {
                io.store(isa, offset, isa.xor(state[g][i], io.load(isa, offset)));
            } else if offset < io.len() {
                io.store_part(isa, offset, isa.xor(state[g][i], io.load_part(isa, offset)));
            }
        }
    }
}

/// `out = cipher(in ⊕ pre) ⊕ post`, two blocks or one at a time.
#[inline(always)]
pub(crate) fn blocks_by_one<C: TileCipher, const BACK: bool>(
    cipher: &C,
    mut io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    let mut offset = 0;
    while io.len() - offset >= const { 2 * block_bytes::<C>() } {
        let mut blocks = [C::Block::ZERO; 2];
        for i in 0..2 {
            blocks[i] = before::<C>(&io, pre, offset + i * block_bytes::<C>());
        }
        blocks = cipher.two::<BACK>(blocks);
        for i in 0..2 {
            after::<C>(&mut io, post, offset + i * block_bytes::<C>(), blocks[i]);
        }
        offset += const { 2 * block_bytes::<C>() };
    }
    while offset < io.len() {
        let block = cipher.one::<BACK>(before::<C>(&io, pre, offset));
        after::<C>(&mut io, post, offset, block);
        offset += const { block_bytes::<C>() };
    }
}

/// The block that is encrypted.
#[inline(always)]
fn before<C: TileCipher>(io: &InOut<'_>, pre: Option<&[u8]>, offset: usize) -> C::Block {
    let block = C::Block::read(&io.input()[offset..]);
    if let Some(pre) = pre { block ^ C::Block::read(&pre[offset..]) } else { block }
}

/// Writes what was encrypted.
#[inline(always)]
fn after<C: TileCipher>(
    io: &mut InOut<'_>,
    post: Option<&[u8]>,
    offset: usize,
    mut block: C::Block,
) {
    if let Some(post) = post {
        block = block ^ C::Block::read(&post[offset..]);
    }
    block.write(&mut io.output()[offset..]);
}

/// Counter mode, block by block.
#[inline(always)]
pub(crate) fn ctr_by_one<C: TileCipher>(cipher: &C, mut io: InOut<'_>, counter: &mut u128) {
    let mut offset = 0;
    while io.len() - offset >= const { 2 * block_bytes::<C>() } {
        let counters = [*counter, counter.wrapping_add(1)];
        let mut blocks = [C::Block::ZERO; 2];
        for i in 0..2 {
            blocks[i] = C::Block::counter(counters[i]);
        }
        blocks = cipher.two::<false>(blocks);
        for i in 0..2 {
            let at = offset + i * block_bytes::<C>();
            let block = blocks[i] ^ C::Block::read(&io.input()[at..]);
            block.write(&mut io.output()[at..]);
        }
        *counter = counter.wrapping_add(2);
        offset += const { 2 * block_bytes::<C>() };
    }
    while offset < io.len() {
        let block = cipher.one::<false>(C::Block::counter(*counter));
        *counter = counter.wrapping_add(1);
        if io.len() - offset >= const { block_bytes::<C>() } {
            let block = block ^ C::Block::read(&io.input()[offset..]);
            block.write(&mut io.output()[offset..]);
        } else {
            let mut keystream = [0; 16];
            block.write(&mut keystream);
            for (i, mask) in keystream.iter().enumerate().take(io.len() - offset) {
                let byte = io.input()[offset + i] ^ mask;
                io.output()[offset + i] = byte;
            }
            lanes::wipe::wipe(&mut keystream);
        }
        offset += const { block_bytes::<C>() };
    }
}

/// Chains side by side in lanes.
#[inline(always)]
pub(crate) fn chains<'d, I: Isa, C: TileCipher, L: Link<'d>, const BLOCK: usize, const G: usize>(
    isa: I,
    cipher: &C,
    all: &mut [L],
) {
    chains::run::<L, BLOCK, 64>(
        all,
        #[inline(always)]
        |values, _| few::<I, C, G>(isa, cipher, values.into()),
        #[inline(always)]
        |chain, offset, _| serial(cipher, chain, offset),
    );
}

/// Blocks in place, in tiles of any fill.
#[inline(always)]
fn few<I: Isa, C: TileCipher, const G: usize>(isa: I, cipher: &C, mut io: InOut<'_>) {
    let mut offset = 0;
    while offset < io.len() {
        let n = const { 4 * G * I::BYTES }.min(io.len() - offset);
        let part = io.part(offset, n);
        if n <= const { 4 * I::BYTES } {
            cross::<I, C, 1, false, false>(isa, cipher, part, None, None);
        } else {
            cross::<I, C, G, false, false>(isa, cipher, part, None, None);
        }
        offset += n;
    }
}

/// Chains, each under its key, whose blocks the CPU overlaps by itself.
#[inline(always)]
pub(crate) fn chains_by_one<'d, T: Under, L: Link<'d>>(keys: &[T], all: &mut [L]) {
    chains::run::<L, 8, 8>(
        all,
        #[inline(always)]
        |values, numbers| {
            for (value, &number) in values.as_chunks_mut::<8>().0.iter_mut().zip(numbers) {
                let block = u64::from_le_bytes(*value);
                *value = keys[number].keys().one::<false>(block).to_le_bytes();
            }
        },
        #[inline(always)]
        |chain, offset, number| serial(keys[number].keys(), chain, offset),
    );
}

/// Chains under one key whose blocks the CPU overlaps by itself.
#[inline(always)]
pub(crate) fn chains_of_one<'d, C: TileCipher, L: Link<'d>, const BLOCK: usize>(
    cipher: &C,
    all: &mut [L],
) {
    chains::run::<L, BLOCK, 8>(
        all,
        #[inline(always)]
        |values, _| blocks_by_one::<C, false>(cipher, values.into(), None, None),
        #[inline(always)]
        |chain, offset, _| serial(cipher, chain, offset),
    );
}

/// One chain from `offset` on.
#[inline(always)]
pub(crate) fn serial<C: TileCipher>(cipher: &C, chain: &mut Chain<'_>, offset: usize) {
    let mut value = C::Block::read(chain.value);
    let len = chain.data.len();
    for at in (offset..len).step_by(const { block_bytes::<C>() }) {
        match &mut chain.data {
            ChainData::Encrypt(io) => {
                value = cipher.one::<false>(value ^ C::Block::read(&io.input()[at..]));
                value.write(&mut io.output()[at..]);
            }
            ChainData::Absorb(data) => {
                value = cipher.one::<false>(value ^ C::Block::read(&data[at..]));
            }
        }
    }
    value.write(chain.value);
}

/// A mode of whole blocks in one call, where it is serial or its data at most `few` bytes, block
/// by block; CFB-8 encryption of any length. As [`BlockCipher::feedback`](super::BlockCipher):
/// `false` if it did nothing.
#[inline(always)]
pub(crate) fn feedback<C: TileCipher>(
    cipher: &C,
    mode: Feedback,
    io: &mut InOut<'_>,
    value: &mut [u8],
    few: usize,
) -> bool {
    let (block, len) = (const { block_bytes::<C>() }, io.len());
    let ecb = matches!(mode, Feedback::EcbEncrypt | Feedback::EcbDecrypt);
    let cfb8 = mode == Feedback::Cfb8Encrypt;
    if !(ecb || value.len() == block) || !(cfb8 || len.is_multiple_of(block)) {
        return false;
    }
    match mode {
        Feedback::EcbEncrypt if len <= few => {
            blocks_by_one::<C, false>(cipher, io.reborrow(), None, None);
        }
        Feedback::EcbDecrypt if len <= few => {
            blocks_by_one::<C, true>(cipher, io.reborrow(), None, None);
        }
        Feedback::CbcEncrypt => {
            chain(
                io,
                value,
                #[inline(always)]
                |value, data| [cipher.one::<false>(value ^ data); 2],
            );
        }
        Feedback::CbcDecrypt if len <= few => late::<C, true>(cipher, io, value),
        Feedback::CfbEncrypt => {
            chain(
                io,
                value,
                #[inline(always)]
                |value, data| [cipher.one::<false>(value) ^ data; 2],
            );
        }
        Feedback::CfbDecrypt if len <= few => late::<C, false>(cipher, io, value),
        Feedback::Ofb => {
            chain(
                io,
                value,
                #[inline(always)]
                |value, data| {
                    let next = cipher.one::<false>(value);
                    [next ^ data, next]
                },
            );
        }
        Feedback::Cfb8Encrypt => {
            let mut register = C::Block::read(value);
            for i in 0..len {
                let byte = io.input()[i] ^ cipher.one::<false>(register).first_byte();
                io.output()[i] = byte;
                register = register.push(byte);
            }
            register.write(value);
        }
        _ => return false,
    }
    true
}

/// From each block and the value before it, the output and the next value.
#[inline(always)]
fn chain<N: Number>(io: &mut InOut<'_>, value: &mut [u8], mut step: impl FnMut(N, N) -> [N; 2]) {
    let mut next = N::read(value);
    for at in (0..io.len()).step_by(const { size_of::<N>() }) {
        let [output, fed_back] = step(next, N::read(&io.input()[at..]));
        output.write(&mut io.output()[at..]);
        next = fed_back;
    }
    next.write(value);
}

/// Decryption of CBC, or else of CFB, which add the ciphertext one block late.
#[inline(always)]
fn late<C: TileCipher, const CBC: bool>(cipher: &C, io: &mut InOut<'_>, value: &mut [u8]) {
    let block = const { block_bytes::<C>() };
    let mut before = C::Block::read(value);
    let mut at = 0;
    while io.len() - at >= 2 * block {
        let data = [C::Block::read(&io.input()[at..]), C::Block::read(&io.input()[at + block..])];
        let late = [before, data[0]];
        let (through, add) = if CBC { (data, late) } else { (late, data) };
        let output = cipher.two::<CBC>(through);
        for i in 0..2 {
            (output[i] ^ add[i]).write(&mut io.output()[at + i * block..]);
        }
        before = data[1];
        at += 2 * block;
    }
    if at < io.len() {
        let data = C::Block::read(&io.input()[at..]);
        let (through, add) = if CBC { (data, before) } else { (before, data) };
        (cipher.one::<CBC>(through) ^ add).write(&mut io.output()[at..]);
        before = data;
    }
    before.write(value);
}
