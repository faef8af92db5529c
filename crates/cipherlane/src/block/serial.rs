//! Loops over blocks of a few words each, one or two at a time in numbers: where the level has
//! no lanes for the words, where the blocks are fewer than fill a tile, and in modes each of
//! whose blocks waits for the one before.

use lanes::InOut;

use super::chains::{self, Link};
use super::number::Number;
#[cfg(feature = "_small_blocks")]
use super::tile_cipher::Under;
use super::tile_cipher::{TileCipher, block_bytes};
use crate::traits::block::{Chain, ChainData, WholeMode};

/// `out = cipher(in ⊕ pre) ⊕ post`, two blocks or one at a time.
#[inline(always)]
pub(crate) fn blocks<C: TileCipher, const DECRYPT: bool>(
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
        blocks = cipher.two::<DECRYPT>(blocks);
        for i in 0..2 {
            after::<C>(&mut io, post, offset + i * block_bytes::<C>(), blocks[i]);
        }
        offset += const { 2 * block_bytes::<C>() };
    }
    while offset < io.len() {
        let block = cipher.one::<DECRYPT>(before::<C>(&io, pre, offset));
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
pub(crate) fn ctr<C: TileCipher>(cipher: &C, mut io: InOut<'_>, counter: &mut u128) {
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

/// Chains, each under its key, whose blocks the CPU overlaps by itself.
#[cfg(feature = "_small_blocks")]
#[inline(always)]
pub(crate) fn chains<'d, T: Under, L: Link<'d>>(keys: &[T], all: &mut [L]) {
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
        |chain, offset, number| one_chain(keys[number].keys(), chain, offset),
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
        |values, _| blocks::<C, false>(cipher, values.into(), None, None),
        #[inline(always)]
        |chain, offset, _| one_chain(cipher, chain, offset),
    );
}

/// One chain from `offset` on.
#[inline(always)]
pub(crate) fn one_chain<C: TileCipher>(cipher: &C, chain: &mut Chain<'_>, offset: usize) {
    let mut value = C::Link::read(chain.value);
    let len = chain.data.len();
    for at in (offset..len).step_by(const { block_bytes::<C>() }) {
        match &mut chain.data {
            ChainData::Encrypt(io) => {
                value = cipher.link(value ^ C::Link::read(&io.input()[at..]));
                value.write(&mut io.output()[at..]);
            }
            ChainData::Absorb(data) => {
                value = cipher.link(value ^ C::Link::read(&data[at..]));
            }
        }
    }
    value.write(chain.value);
}

/// `out = cipher(in ⊕ pre) ⊕ post` for a few blocks in either direction, which take no longer
/// than a level's door.
pub(crate) fn short<C: TileCipher>(
    cipher: &C,
    back: bool,
    io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if back {
        blocks::<C, true>(cipher, io, pre, post);
    } else {
        blocks::<C, false>(cipher, io, pre, post);
    }
}

/// A mode of whole blocks in one call, where it is serial or its data at most `few` bytes, block
/// by block; CFB-8 encryption of any length. As [`BlockCipher::whole`](super::BlockCipher):
/// `false` if it did nothing.
#[inline(always)]
pub(crate) fn whole<C: TileCipher>(
    cipher: &C,
    mode: WholeMode,
    io: &mut InOut<'_>,
    value: &mut [u8],
    few: usize,
) -> bool {
    let (block, len) = (const { block_bytes::<C>() }, io.len());
    let ecb = matches!(mode, WholeMode::EcbEncrypt | WholeMode::EcbDecrypt);
    let cfb8 = mode == WholeMode::Cfb8Encrypt;
    if !(ecb || value.len() == block) || !(cfb8 || len.is_multiple_of(block)) {
        return false;
    }
    match mode {
        WholeMode::EcbEncrypt if len <= few => {
            blocks::<C, false>(cipher, io.reborrow(), None, None);
        }
        WholeMode::EcbDecrypt if len <= few => {
            blocks::<C, true>(cipher, io.reborrow(), None, None);
        }
        WholeMode::CbcEncrypt => {
            carried(
                io,
                value,
                #[inline(always)]
                |value: C::Link, data| {
                    let next = cipher.link(value ^ data);
                    (next, next)
                },
            );
        }
        WholeMode::CbcDecrypt if len <= few => late::<C, true>(cipher, io, value),
        WholeMode::CfbEncrypt => {
            carried(
                io,
                value,
                #[inline(always)]
                |value: C::Link, data| {
                    let next = cipher.link(value) ^ data;
                    (next, next)
                },
            );
        }
        WholeMode::CfbDecrypt if len <= few => late::<C, false>(cipher, io, value),
        WholeMode::Ofb => {
            carried(
                io,
                value,
                #[inline(always)]
                |value: C::Link, data| {
                    let next = cipher.link(value);
                    (next ^ data, next)
                },
            );
        }
        WholeMode::Cfb8Encrypt => {
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
fn carried<N: Number>(io: &mut InOut<'_>, value: &mut [u8], mut step: impl FnMut(N, N) -> (N, N)) {
    let mut next = N::read(value);
    for at in (0..io.len()).step_by(const { size_of::<N>() }) {
        let (output, fed_back) = step(next, N::read(&io.input()[at..]));
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
