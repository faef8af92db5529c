//! Which formulation of AES runs: by what the level can do and by length, here
//! and, for blocks under keys of their own, at the head of `lane_keys`.
//!
//! Where one instruction does a round on a whole register, whole registers go
//! that way and what is left goes block by block in 128-bit registers; where the
//! instructions take only 128 bits, all of it does. Measured in
//! `docs/notes/aes-lanes.md`.

use lanes::{InOut, Isa};

use super::kept_keys::Kept;
use super::round_keys::RoundKeys;
use super::{
    Aes, BLOCK, bit_sliced, ccm, cfb8, chains, counter, feedback, galois, register_blocks, tweaked,
};
use crate::block::chains as schedule;
use crate::secret::Secret;
use crate::traits::block::{Chain, ChainData, KeyedChain, WholeMode};
#[cfg(feature = "alloc")]
use crate::traits::whole::GcmMessages;
use crate::traits::whole::{CcmMessage, GcmMessage};

/// `out = cipher(in ⊕ pre) ⊕ post` for whole blocks.
#[inline(always)]
pub(super) fn blocks<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &RoundKeys,
    io: InOut<'_>,
    pre: Option<&[u8]>,
    post: Option<&[u8]>,
) {
    if const { I::AES_BYTES == 0 } {
        return bit_sliced::blocks::<I, DECRYPT>(isa, keys, io, pre, post);
    }
    let keys = if DECRYPT { keys.decryption() } else { keys.encryption() };
    if const { I::AES_BYTES == 16 } {
        return register_blocks::blocks::<I::Narrow, DECRYPT>(isa.narrow(), keys, io, pre, post);
    }
    let registers = io.len() / I::BYTES * I::BYTES;
    if registers == 0 {
        return register_blocks::fewer_blocks::<I::Narrow, DECRYPT>(
            isa.narrow(),
            keys,
            io,
            pre,
            post,
        );
    }
    let (head, tail) = io.split_at(registers);
    let (pre, pre_tail) = pre.map(|pre| pre.split_at(registers)).unzip();
    let (post, post_tail) = post.map(|post| post.split_at(registers)).unzip();
    register_blocks::blocks::<I, DECRYPT>(isa, keys, head, pre, post);
    register_blocks::fewer_blocks::<I::Narrow, DECRYPT>(
        isa.narrow(),
        keys,
        tail,
        pre_tail,
        post_tail,
    );
}

/// Xors the data with the encrypted counters, which are moved on.
#[inline(always)]
pub(super) fn ctr<I: Isa>(isa: I, keys: &RoundKeys, io: InOut<'_>, counter: &mut [u8; 16]) {
    if const { I::AES_BYTES == 0 } {
        bit_sliced::ctr(isa, keys, io, counter);
    } else if io.len() == 16 {
        counter::few_blocks::<_, 1>(isa.narrow(), keys.encryption(), io, counter);
    } else if const { I::BYTES > 32 } && io.len() == 32 {
        counter::few_blocks::<_, 2>(isa.narrow(), keys.encryption(), io, counter);
    } else if const { I::BYTES > 32 } && io.len() == 48 {
        counter::few_blocks::<_, 3>(isa.narrow(), keys.encryption(), io, counter);
    } else if const { I::AES_BYTES == 16 } {
        counter::apply(isa.narrow(), keys.encryption(), io, counter);
    } else {
        counter::apply(isa, keys.encryption(), io, counter);
    }
}

/// The same of blocks that are numbered in another way, where a round is an instruction; nothing
/// is done otherwise.
#[inline(always)]
pub(super) fn numbered<I: Isa>(
    isa: I,
    keys: &RoundKeys,
    how: WholeMode,
    io: &mut InOut<'_>,
    first: &[u8; 16],
) -> bool {
    let (keys, io) = (keys.encryption(), io.reborrow());
    match const { I::AES_BYTES } {
        0 => return false,
        16 => counter::numbered(isa.narrow(), keys, how, io, first),
        // A register that is cut short is slow to load again.
        64 if io.len() <= 32 => counter::numbered(isa.narrow(), keys, how, io, first),
        _ => counter::numbered(isa, keys, how, io, first),
    }
    true
}

/// Where a round is an instruction; otherwise blocks are sliced, many or one.
#[inline(always)]
pub(super) fn single_is_cheap<I: Isa>(_: I) -> bool {
    const { I::AES_BYTES != 0 }
}

/// Whole blocks of ECB, where a round is an instruction; nothing is done otherwise.
#[inline(always)]
pub(super) fn ecb<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &RoundKeys,
    io: &mut InOut<'_>,
) -> bool {
    if const { I::AES_BYTES != 0 } {
        blocks::<I, DECRYPT>(isa, keys, io.reborrow(), None, None);
    }
    const { I::AES_BYTES != 0 }
}

/// The same of CBC encryption.
#[inline(always)]
pub(super) fn cbc<I: Isa>(
    isa: I,
    keys: &RoundKeys,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) -> bool {
    if const { I::AES_BYTES != 0 } {
        let mut chain = Chain { value, data: ChainData::Encrypt(io.reborrow()) };
        chains::serial(isa.narrow(), keys.encryption(), &mut chain, 0);
    }
    const { I::AES_BYTES != 0 }
}

/// The same of CFB encryption or OFB.
#[inline(always)]
pub(super) fn serial<I: Isa, const OFB: bool>(
    isa: I,
    keys: &RoundKeys,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) -> bool {
    if const { I::AES_BYTES != 0 } {
        feedback::serial::<_, OFB>(isa.narrow(), keys.encryption(), io, value);
    }
    const { I::AES_BYTES != 0 }
}

/// The same of CBC or else CFB decryption.
#[inline(always)]
pub(super) fn late<I: Isa, const CBC: bool>(
    isa: I,
    keys: &RoundKeys,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) -> bool {
    let keys = if CBC { keys.decryption() } else { keys.encryption() };
    match const { I::AES_BYTES } {
        0 => return false,
        16 => feedback::decrypt::<I::Narrow, CBC>(isa.narrow(), keys, io, value),
        _ => feedback::decrypt::<I, CBC>(isa, keys, io, value),
    }
    true
}

/// Data of any length in CFB with feedback of single bytes, or in encryption of single bits, where a
/// round is an instruction; nothing is done otherwise.
#[inline(always)]
pub(super) fn cfb8<I: Isa, const DECRYPT: bool, const BITS: bool>(
    isa: I,
    keys: &RoundKeys,
    io: &mut InOut<'_>,
    value: &mut [u8; BLOCK],
) -> bool {
    let keys = keys.encryption();
    match const { I::AES_BYTES } {
        0 => return false,
        _ if !DECRYPT => cfb8::encrypt::<_, BITS>(isa.narrow(), keys, io, value),
        16 => cfb8::decrypt::<I::Narrow>(isa.narrow(), keys, io, value),
        _ => cfb8::decrypt::<I>(isa, keys, io, value),
    }
    true
}

/// Whole blocks of XTS, where a round is an instruction; nothing is done otherwise. Given the keys of
/// tweaks, all of a unit, its tweak's encryption included: longer than one block.
#[inline(always)]
pub(super) fn xts<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &RoundKeys,
    tweak_keys: Option<&RoundKeys>,
    io: &mut InOut<'_>,
    tweak: &mut [u8; BLOCK],
) -> bool {
    if const { I::AES_BYTES == 0 } {
        return false;
    }
    let (io, tweak_keys) = (io.reborrow(), tweak_keys.map(RoundKeys::encryption));
    let keys = if DECRYPT { keys.decryption() } else { keys.encryption() };
    // A register that is cut short is slow to load again.
    if const { I::AES_BYTES == 16 } || io.len() < I::BYTES {
        tweaked::blocks::<I::Narrow, DECRYPT>(isa.narrow(), keys, tweak_keys, io, tweak);
    } else {
        tweaked::blocks::<I, DECRYPT>(isa, keys, tweak_keys, io, tweak);
    }
    true
}

/// A short unit of XTS of whole blocks, the tweak's encryption included, where a round is an
/// instruction and the unit fits; nothing is done otherwise.
#[inline(always)]
pub(super) fn xts_unit<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: &RoundKeys,
    tweak_keys: &RoundKeys,
    tweak: &[u8; BLOCK],
    io: &mut InOut<'_>,
) -> bool {
    if const { I::AES_BYTES == 0 } {
        return false;
    }
    let (io, tweak_keys) = (io.reborrow(), tweak_keys.encryption());
    let keys = if DECRYPT { keys.decryption() } else { keys.encryption() };
    // A register that is cut short is slow to load again.
    if const { I::AES_BYTES == 16 } || io.len() < I::BYTES {
        tweaked::unit::<I::Narrow, DECRYPT>(isa.narrow(), keys, tweak_keys, tweak, io)
    } else {
        tweaked::unit::<I, DECRYPT>(isa, keys, tweak_keys, tweak, io)
    }
}

/// One CCM message in one pass, where a round is an instruction; nothing is done otherwise.
#[inline(always)]
pub(super) fn ccm<I: Isa, const OPEN: bool>(
    isa: I,
    keys: &RoundKeys,
    message: &mut CcmMessage<'_, '_>,
) -> bool {
    if const { I::AES_BYTES == 0 } {
        return false;
    }
    ccm::message::<I::Narrow, OPEN>(isa.narrow(), keys.encryption(), message);
    true
}

/// One GCM message in one pass, if the level can and its associated data are short enough;
/// nothing is done otherwise.
#[inline(always)]
pub(super) fn gcm<I: Isa, const OPEN: bool>(
    isa: I,
    keys: &RoundKeys,
    message: &mut GcmMessage<'_, '_>,
) -> bool {
    if const { I::AES_BYTES == 0 } {
        return false;
    }
    let depth = message.hash.depth::<I>();
    if !galois::takes::<I>(message, depth) {
        return false;
    }
    let (keys, aad) = (keys.encryption(), message.aad.len());
    if const { I::AES_BYTES == 16 } {
        galois::message::<I::Narrow, OPEN>(isa.narrow(), keys, depth, message);
    } else if message.io.len() == BLOCK && aad.is_multiple_of(BLOCK) && aad / BLOCK + 2 <= depth {
        // A block that is cut short is slow to load into a short register.
        galois::one_block::<I::Narrow, OPEN>(isa.narrow(), keys, message);
    } else if message.io.is_empty() && aad == BLOCK {
        galois::tag_of_a_block(isa.narrow(), keys, message);
    } else {
        galois::message::<I, OPEN>(isa, keys, depth, message);
    }
    true
}

/// Short GCM messages from the first on, one after another behind one door, where a round is an
/// instruction; returns how many.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn gcm_each<I: Isa, const OPEN: bool>(
    isa: I,
    keys: &[Aes],
    messages: &mut GcmMessages<'_, '_>,
) -> usize {
    match const { I::AES_BYTES } {
        0 => 0,
        16 => galois::each::<I::Narrow, OPEN>(isa.narrow(), keys, messages),
        _ => galois::each::<I, OPEN>(isa, keys, messages),
    }
}

/// Chains that a bit-sliced tile of any level holds.
const MOST_LANES: usize = 32;

/// One chain, or false where that is no other kernel than that of several.
#[inline(always)]
pub(super) fn chain<I: Isa>(isa: I, keys: &RoundKeys, chain: &mut Chain<'_>) -> bool {
    if const { I::AES_BYTES != 0 } {
        chains::serial(isa.narrow(), keys.encryption(), chain, 0);
    }
    const { I::AES_BYTES != 0 }
}

/// Runs chains under one key or under keys of a set, as many side by side as a tile holds.
#[inline(always)]
pub(super) fn chains<I: Isa>(
    isa: I,
    keys: &[Aes],
    mode: WholeMode,
    chains: &mut [KeyedChain<'_>],
) -> bool {
    match const { I::AES_BYTES } {
        0 if mode != WholeMode::CbcEncrypt => return false,
        0 => bit_sliced_chains(isa, keys, chains),
        16 => in_registers::<I::Narrow, 8>(isa.narrow(), keys, mode, chains),
        _ => in_registers::<I, { chains::LANES }>(isa, keys, mode, chains),
    }
    true
}

/// Side by side where neighbours have one key, else one after another.
#[inline(always)]
fn bit_sliced_chains<I: Isa>(isa: I, keys: &[Aes], chains: &mut [KeyedChain<'_>]) {
    for chains in chains.chunk_by_mut(|a, b| a.key == b.key) {
        let key = chains[0].key;
        let keys = &keys[key].keys.0;
        bit_sliced::chains::<I, MOST_LANES>(isa, keys, chains);
    }
}

#[inline(always)]
fn in_registers<I: Isa, const LANES: usize>(
    isa: I,
    keys: &[Aes],
    mode: WholeMode,
    chains: &mut [KeyedChain<'_>],
) {
    let Some(first) = chains.first().map(|link| link.key) else { return };
    let mut common = true;
    for link in &*chains {
        common &= link.key == first;
    }
    if common {
        let keys = keys[first].keys.0.encryption();
        schedule::schedule::<KeyedChain<'_>, BLOCK, LANES>(
            chains,
            #[inline(always)]
            |values, pieces, _| chains::advance(isa, keys, mode, values, pieces),
            #[inline(always)]
            |chain, offset, _| chains::last(isa.narrow(), keys, mode, chain, offset),
        );
    } else {
        let mut kept = Secret(Kept::empty(keys[first].keys.0.rounds()));
        schedule::schedule::<KeyedChain<'_>, BLOCK, LANES>(
            chains,
            #[inline(always)]
            |values, pieces, lanes| {
                kept.0.update::<I>(keys, lanes.numbers, lanes.changed);
                chains::advance_own(isa, &kept.0, mode, values, pieces);
            },
            #[inline(always)]
            |chain, offset, key| {
                let keys = keys[key].keys.0.encryption();
                chains::last(isa.narrow(), keys, mode, chain, offset);
            },
        );
    }
}

/// From how many blocks on a message is better ciphered alone than among others: where a round
/// is an instruction, gathering blocks and keys costs more than the rounds.
#[inline(always)]
pub(super) fn single_from<I: Isa>(_: I) -> usize {
    if const { I::AES_BYTES == 0 } { MOST_LANES + 2 } else { 0 }
}

/// For how many blocks under keys of their own callers fill a call: chains side by side, and blocks in
/// several passes (`lane_keys`).
#[inline(always)]
pub(super) fn lanes<I: Isa>(_: I) -> usize {
    match const { I::AES_BYTES } {
        0 => MOST_LANES,
        bytes => 8 * bytes / BLOCK,
    }
}

/// What runs at a level, in words.
#[cfg(feature = "alloc")]
#[inline(always)]
pub(super) fn describe<I: Isa>(_: I) -> &'static str {
    match const { I::AES_BYTES } {
        0 => "bit-sliced",
        16 => "AES instructions, one block a register",
        32 => "AES instructions, two blocks a register",
        _ => "AES instructions, four blocks a register",
    }
}
