//! Messages of one length under sixteen neighbouring keys: a message a lane.
//!
//! A tile is a register of each message. Transposed, the bytes of one block of all sixteen stand
//! side by side in a 128-bit group, so that the keys of all groups are the same sixteen bytes.
//! Messages shorter than a register, and modes whose blocks wait for each other, go word-sliced.

use lanes::{Isa, Streams, transpose};

use super::byte_rounds::{self, Group as Bytes};
use super::byte_sliced;
use super::lockstep_keys::{InBytes, InWords, LockstepKeys, Row, no_use};
use super::round_keys::{DECRYPT, ENCRYPT};
use super::word_sliced::{self, Group, rounds};
use super::{BLOCK, tweak_planes};
use crate::secret::Secret;
use crate::traits::lockstep::{LOCKSTEP, Lockstep};
use crate::traits::mode::Direction;

/// Modes whose blocks do not wait for each other.
#[inline(always)]
pub(super) fn parallel<I: Isa>(
    isa: I,
    keys: &LockstepKeys,
    mode: Lockstep,
    values: &mut Row,
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    if const { no_use::<I>() } {
        return;
    }
    let blocks = messages.len() / BLOCK;
    match (const { I::BYTES / BLOCK }, blocks) {
        (4, 1) => few::<I, 1>(isa, keys, mode, values, messages),
        (4, 2) => few::<I, 2>(isa, keys, mode, values, messages),
        (2, 1) => few::<I, 2>(isa, keys, mode, values, messages),
        _ => tiles(isa, keys, mode, values, messages),
    }
}

/// The order in which a mode takes round keys.
#[inline(always)]
const fn flip(mode: Lockstep) -> usize {
    match mode {
        Lockstep::Decrypt
        | Lockstep::CbcDecrypt
        | Lockstep::Xts { direction: Direction::Decrypt, .. } => DECRYPT,
        _ => ENCRYPT,
    }
}

/// Byte-sliced tiles of a register of each message.
#[inline(always)]
fn tiles<I: Isa>(
    isa: I,
    keys: &LockstepKeys,
    mode: Lockstep,
    values: &mut Row,
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    let tiles = messages.len().div_ceil(I::BYTES);
    let keys = InBytes { keys, flip: flip(mode) };
    // In place, a block of these is the value of the one behind it.
    let from_end = matches!(mode, Lockstep::CbcDecrypt | Lockstep::CfbDecrypt);
    let mut planes = [isa.zero(); BLOCK];
    let mut carries = 4;
    match mode {
        Lockstep::Ctr => {
            let blocks = (messages.len() / BLOCK) as u64 + 4;
            for value in &*values {
                let [.., a, b, c, d] = *value;
                // The counters are public.
                if u64::from(u32::from_be_bytes([a, b, c, d])) + blocks > 1 << 32 {
                    carries = BLOCK;
                }
            }
            planes = first_counters(isa, values, carries);
        }
        Lockstep::Xts { reflected, .. } => planes = tweak_planes::first(isa, reflected, values),
        _ => {}
    }
    for tile in 0..tiles {
        let offset = if from_end { tiles - 1 - tile } else { tile } * I::BYTES;
        let mut r = [isa.zero(); BLOCK];
        match mode {
            Lockstep::Ctr => r = planes,
            Lockstep::CfbDecrypt => {
                for i in 0..LOCKSTEP {
                    r[i] = before(isa, messages, values, i, offset);
                }
                r = transpose::bytes(isa, r);
            }
            _ => {
                for i in 0..LOCKSTEP {
                    r[i] = messages.load(isa, i, offset);
                }
                r = transpose::bytes(isa, r);
            }
        }
        let mut group: [Bytes<I::V>; 1] = [byte_sliced::enter(isa, r)];
        if let Lockstep::Xts { .. } = mode {
            for j in 0..BLOCK {
                group[0][j / 4][j % 4] = isa.xor(group[0][j / 4][j % 4], planes[j]);
            }
        }
        group[0] = byte_rounds::mixed(isa, group[0]);
        byte_rounds::rounds(isa, &mut group, keys);
        group[0] = byte_rounds::mixed(isa, group[0]);
        if let Lockstep::Xts { reflected, .. } = mode {
            // Words leave in reverse order.
            for j in 0..BLOCK {
                group[0][3 - j / 4][j % 4] = isa.xor(group[0][3 - j / 4][j % 4], planes[j]);
            }
            if offset + I::BYTES <= messages.len() {
                tweak_planes::next(isa, reflected, &mut planes);
            }
        }
        let r = byte_sliced::leave(isa, group[0]);
        match mode {
            Lockstep::CbcDecrypt => {
                for i in 0..LOCKSTEP {
                    let value = before(isa, messages, values, i, offset);
                    messages.store(isa, i, offset, isa.xor(r[i], value));
                }
            }
            Lockstep::CfbDecrypt | Lockstep::Ctr => {
                for i in 0..LOCKSTEP {
                    let data = messages.load(isa, i, offset);
                    messages.store(isa, i, offset, isa.xor(r[i], data));
                }
                if mode == Lockstep::Ctr && tile + 1 < tiles {
                    let step = isa.splat8(const { (I::BYTES / BLOCK) as u8 });
                    count(isa, &mut planes, step, carries);
                }
            }
            _ => {
                for i in 0..LOCKSTEP {
                    messages.store(isa, i, offset, r[i]);
                }
            }
        }
    }
    if let Lockstep::Xts { reflected, .. } = mode {
        let left = messages.len() % I::BYTES / BLOCK;
        tweak_planes::last(isa, planes, values);
        tweak_planes::move_on(reflected, values, left);
    }
}

/// A register of the blocks in front of those at `offset`; a message's value is in front of its
/// first block.
#[inline(always)]
fn before<I: Isa>(
    isa: I,
    messages: &Streams<'_, LOCKSTEP>,
    values: &Row,
    i: usize,
    offset: usize,
) -> I::V {
    if offset == 0 {
        messages.load_behind(isa, i, &values[i])
    } else {
        messages.load(isa, i, offset - BLOCK)
    }
}

/// The values of all messages, of which each stands in every 128-bit group, transposed.
#[inline(always)]
fn spread<I: Isa>(isa: I, values: &Row) -> [I::V; BLOCK] {
    let mut r = [isa.zero(); BLOCK];
    for i in 0..LOCKSTEP {
        r[i] = isa.splat128(&values[i]);
    }
    transpose::bytes(isa, r)
}

/// The counters of the first tile.
#[inline(always)]
fn first_counters<I: Isa>(isa: I, values: &Row, carries: usize) -> [I::V; BLOCK] {
    let mut planes = spread(isa, values);
    let mut places = [0; 64];
    for (i, place) in places.iter_mut().enumerate() {
        *place = (i / BLOCK) as u8;
    }
    count(isa, &mut planes, isa.load(&places), carries);
    planes
}

/// Adds to counters, with carries into their last bytes.
#[inline(always)]
fn count<I: Isa>(isa: I, planes: &mut [I::V; BLOCK], step: I::V, carries: usize) {
    let one = isa.splat8(1);
    let mut add = step;
    for j in 0..BLOCK {
        if j >= carries {
            break;
        }
        let plane = &mut planes[BLOCK - 1 - j];
        *plane = isa.add8(*plane, add);
        add = isa.and(isa.less8(*plane, add), one);
    }
}

/// Messages shorter than a register, in `G` groups: each block of all messages is as many
/// groups as one has parts.
#[inline(always)]
fn few<I: Isa, const G: usize>(
    isa: I,
    keys: &LockstepKeys,
    mode: Lockstep,
    values: &mut Row,
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    let parts = const { 4 * LOCKSTEP / I::BYTES };
    let n = const { I::BYTES / BLOCK };
    let keys = InWords { keys, flip: flip(mode) };
    let mut groups = [[isa.zero(); 4]; G];
    let mut masks = [[isa.zero(); 4]; G];
    let mut value = Secret(*values);
    for g in 0..G {
        let (block, part) = (g / parts, g % parts);
        if g > 0 && part == 0 {
            step(mode, &mut value.0);
        }
        for i in 0..4 {
            let first = (4 * part + i) * n;
            let input = messages.load_blocks(isa, first, block * BLOCK);
            let at_value = row(isa, &value.0, first);
            let behind = if block == 0 {
                at_value
            } else {
                messages.load_blocks(isa, first, (block - 1) * BLOCK)
            };
            (groups[g][i], masks[g][i]) = match mode {
                Lockstep::Xts { .. } => (isa.xor(input, at_value), at_value),
                Lockstep::Ctr => (at_value, input),
                Lockstep::CfbDecrypt => (behind, input),
                Lockstep::CbcDecrypt => (input, behind),
                _ => (input, isa.zero()),
            };
        }
        groups[g] = word_sliced::enter(isa, groups[g]);
    }
    rounds(isa, &mut groups, keys);
    for g in 0..G {
        let (block, part) = (g / parts, g % parts);
        let rows = word_sliced::leave(isa, groups[g]);
        for i in 0..4 {
            let out = isa.xor(rows[i], masks[g][i]);
            messages.store_blocks(isa, (4 * part + i) * n, block * BLOCK, out);
        }
    }
    if let Lockstep::Xts { .. } = mode {
        step(mode, &mut value.0);
        *values = value.0;
    }
}

/// From a block's values to the next one's.
#[inline(always)]
fn step(mode: Lockstep, values: &mut Row) {
    match mode {
        Lockstep::Ctr => {
            for value in values {
                *value = u128::from_be_bytes(*value).wrapping_add(1).to_be_bytes();
            }
        }
        Lockstep::Xts { reflected, .. } => tweak_planes::move_on(reflected, values, 1),
        _ => {}
    }
}

/// A register of the values from `first` on.
#[inline(always)]
fn row<I: Isa>(isa: I, values: &Row, first: usize) -> I::V {
    let last = const { I::BYTES / BLOCK } - 1;
    // Those behind a short register are not used.
    let (second, third) = (last.min(1), last.min(2));
    isa.load_blocks([
        &values[first % LOCKSTEP],
        &values[(first + second) % LOCKSTEP],
        &values[(first + third) % LOCKSTEP],
        &values[(first + last) % LOCKSTEP],
    ])
}

/// Modes in which each block waits for the one before.
#[inline(always)]
pub(super) fn serial<I: Isa>(
    isa: I,
    keys: &LockstepKeys,
    mode: Lockstep,
    values: &mut Row,
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    if const { no_use::<I>() } {
        return;
    }
    match const { I::BYTES } {
        16 => chains::<I, 4>(isa, keys, mode, values, messages),
        32 => chains::<I, 2>(isa, keys, mode, values, messages),
        _ => chains::<I, 1>(isa, keys, mode, values, messages),
    }
}

/// The chains of all messages in `G` groups.
#[inline(always)]
fn chains<I: Isa, const G: usize>(
    isa: I,
    keys: &LockstepKeys,
    mode: Lockstep,
    values: &mut Row,
    messages: &mut Streams<'_, LOCKSTEP>,
) {
    let n = const { I::BYTES / BLOCK };
    let keys = InWords { keys, flip: ENCRYPT };
    let mut state: [Group<I::V>; G] = [[isa.zero(); 4]; G];
    for g in 0..G {
        for i in 0..4 {
            state[g][i] = row(isa, values, (4 * g + i) * n);
        }
        state[g] = word_sliced::enter(isa, state[g]);
    }
    for offset in (0..messages.len()).step_by(BLOCK) {
        let mut input = [[isa.zero(); 4]; G];
        for g in 0..G {
            for i in 0..4 {
                input[g][i] = messages.load_blocks(isa, (4 * g + i) * n, offset);
            }
            if mode == Lockstep::CbcEncrypt {
                add(isa, &mut state[g], word_sliced::enter(isa, input[g]));
            }
        }
        rounds(isa, &mut state, keys);
        for g in 0..G {
            let mut rows = word_sliced::leave(isa, state[g]);
            // What the rounds leave is the value in reverse order (§6.1).
            state[g].reverse();
            if mode != Lockstep::CbcEncrypt {
                add(isa, &mut rows, input[g]);
            }
            if mode == Lockstep::CfbEncrypt {
                add(isa, &mut state[g], word_sliced::enter(isa, input[g]));
            }
            for i in 0..4 {
                messages.store_blocks(isa, (4 * g + i) * n, offset, rows[i]);
            }
        }
    }
    for g in 0..G {
        state[g].reverse();
        let rows = word_sliced::leave(isa, state[g]);
        let mut to = values[4 * g * n..].chunks_exact_mut(n);
        for i in 0..4 {
            if let Some(to) = to.next() {
                isa.store(rows[i], to.as_flattened_mut());
            }
        }
    }
}

/// Adds four registers to four others.
#[inline(always)]
fn add<I: Isa>(isa: I, to: &mut Group<I::V>, by: Group<I::V>) {
    for i in 0..4 {
        to[i] = isa.xor(to[i], by[i]);
    }
}
