//! A GCM message in one pass: counters, rounds, hash and tag without a detour through
//! memory.
//!
//! What a short message costs otherwise is not work but waiting: each step would store
//! bytes that the next loads in another width, which the CPU forwards late or not at all.
//! The block that masks the tag is a register of its own, so that data need not be moved
//! by a block; the hash's sum is reduced once. In a long one the hash of a tile stands between
//! the rounds of the next, as neither needs the other; in opening, of the same.
//!
//! ```text
//! y = 0                                     the hash so far (SP 800-38D §6.4)
//! if all of the message shares one reduction: sum = AAD · powers
//! else: y = hash of the AAD, tiles by `wholes`
//! while a whole tile of 8 registers is left, and there are powers for it:
//!     32 registers (avx512): rounds of this tile, and between them the products of
//!                            the tile before (seal) or of this one (open)
//!     16 registers:          rounds of this tile, then its products; y = reduce(sum)
//! while 4 registers are left: the same with half a tile
//! end, at most 4 registers:  rounds of what is left and of J0, one call; its products
//!                            and that of the lengths; tag = reduce(sum) ⊕ E(J0)
//! ```
//!
//! Of a piece of a message there are only the tiles, from another `y` and to it: what is left of the
//! piece and the end go the way of pieces of other ciphers.

#[cfg(feature = "alloc")]
mod each;
mod pass;
mod tiles;

#[cfg(feature = "alloc")]
pub(super) use each::each;

use lanes::{InOut, Isa};

use super::register_blocks::MOST;
use super::round_keys::Keys;
use crate::ghash::{Key, Sum, View, early_depth};
use crate::traits::whole::GcmMessage;

/// Registers of the last tile at most, and of the short one before it.
const FEW: usize = 4;

/// Whether a message is one for [`message`], where as many blocks as `depth` share a reduction:
/// longer associated data want all early powers.
#[inline(always)]
pub(super) fn takes<I: Isa>(message: &GcmMessage<'_, '_>, depth: usize) -> bool {
    message.aad.len() <= 16 * depth || depth == const { early_depth::<I>() }
}

/// Blocks of a message with its associated data and lengths.
#[inline(always)]
fn blocks(message: &GcmMessage<'_, '_>) -> usize {
    message.aad.len().div_ceil(16) + message.io.len().div_ceil(16) + 1
}

/// Whether a tile wants more powers than are made with the key.
const fn grows<I: Isa>() -> bool {
    MOST * I::BYTES / 16 > early_depth::<I>()
}

/// What all tiles of a message share.
#[derive(Clone, Copy)]
struct Pass<'p, I: Isa> {
    isa: I,
    keys: Keys<'p>,
    #[cfg_attr(not(feature = "alloc"), expect(dead_code, reason = "batches use it"))]
    hash: &'p Key<true>,
    /// Those that the end of the message takes, made with the key unless it wants more, and for how
    /// many blocks they are.
    powers: View<'p>,
    depth: usize,
    /// J0 in every group, its bytes reversed: its last 32 bits are the first lane, which
    /// wraps by itself.
    mask: I::V,
    /// The same of the block before the next.
    counter: I::V,
    /// Its last byte.
    last_counter: u8,
    /// The hash so far, to be added to the next block, and a sum that is not reduced yet.
    y: I::V,
    sum: Sum<I::V>,
}

/// A whole message that [`takes`] allows, or what tiles there are in a piece of one.
#[inline(always)]
pub(super) fn message<I: Isa, const OPEN: bool>(
    isa: I,
    keys: Keys<'_>,
    depth: usize,
    message: &mut GcmMessage<'_, '_>,
) {
    let mut pass = Pass::new(isa, keys, message);
    let (aad, len) = (message.aad, message.io.len());
    if message.piece.is_some() {
        pass.y = isa.load128(&message.tag);
    }
    let (behind, blocks) = (len.div_ceil(16) + 1, blocks(message));
    let mut at_once = blocks <= depth && len < const { FEW * I::BYTES };
    if !at_once && let Some(powers) = message.hash.powers(const { MOST * I::BYTES / 16 }) {
        (pass.powers, pass.depth) = (powers, const { MOST * I::BYTES / 16 });
        // A piece of a message has no end.
        let short = blocks <= pass.depth && len <= const { FEW * I::BYTES };
        at_once = const { grows::<I>() } && short && message.piece.is_none();
    }
    if at_once {
        pass.aad(aad, behind);
    } else if !aad.is_empty() {
        let most = const { early_depth::<I>() * 16 };
        let aad = if aad.len() > most { pass.long_aad(aad) } else { aad };
        if !aad.is_empty() {
            pass.aad(aad, 0);
            pass.reduce();
        }
    }
    let mut done = 0;
    if !at_once && len >= const { FEW * I::BYTES } {
        let powers = pass.powers;
        if pass.depth == const { MOST * I::BYTES / 16 } {
            done = pass.tiles::<OPEN>(powers, message.io);
        }
        // One, or all as long as there are no powers for more.
        while len - done >= const { FEW * I::BYTES } {
            let state = pass.counters();
            pass.tile::<FEW, OPEN>(powers, state, message.io, done);
            done += const { FEW * I::BYTES };
            if const { !grows::<I>() } {
                break;
            }
        }
    }
    if let Some(taken) = &mut message.piece {
        isa.store128(pass.y, &mut message.tag);
        *taken = done;
        return;
    }
    let (lengths, left) = ((aad.len(), len), len - done);
    let io = message.io.part(done, left);
    let tag = end::<I, OPEN>(pass, io, lengths);
    isa.store128(tag, &mut message.tag);
}

/// The end of a message, behind its tiles.
#[inline(always)]
fn end<I: Isa, const OPEN: bool>(
    pass: Pass<'_, I>,
    io: InOut<'_>,
    lengths: (usize, usize),
) -> I::V {
    let left = io.len();
    match left.div_ceil(I::BYTES) {
        0 => pass.end::<1, true, OPEN>(io, lengths),
        1 if left == I::BYTES => pass.end::<2, true, OPEN>(io, lengths),
        1 => pass.end::<2, false, OPEN>(io, lengths),
        2 => pass.end::<3, false, OPEN>(io, lengths),
        3 => pass.end::<4, false, OPEN>(io, lengths),
        _ if const { grows::<I>() } && left == FEW * I::BYTES => {
            pass.end::<{ FEW + 1 }, true, OPEN>(io, lengths)
        }
        _ if const { FEW * I::BYTES / 16 == early_depth::<I>() }
            && left.div_ceil(16) == pass.depth =>
        {
            pass.end_apart::<{ FEW + 1 }, false, OPEN, false>(io, lengths)
        }
        _ => pass.end::<{ FEW + 1 }, false, OPEN>(io, lengths),
    }
}

/// A message of one block.
#[inline(always)]
pub(super) fn one_block<I: Isa, const OPEN: bool>(
    isa: I,
    keys: Keys<'_>,
    message: &mut GcmMessage<'_, '_>,
) {
    let mut pass = Pass::new(isa, keys, message);
    pass.aad(message.aad, 2);
    let lengths = (message.aad.len(), message.io.len());
    let tag = pass.end::<2, true, OPEN>(message.io.reborrow(), lengths);
    isa.store128(tag, &mut message.tag);
}

/// The tag of a block of associated data.
#[inline(always)]
pub(super) fn tag_of_a_block<I: Isa>(isa: I, keys: Keys<'_>, message: &mut GcmMessage<'_, '_>) {
    let mut pass = Pass::new(isa, keys, message);
    pass.aad(message.aad, 1);
    let tag = pass.end::<1, true, false>(message.io.reborrow(), (message.aad.len(), 0));
    isa.store128(tag, &mut message.tag);
}
