//! Short messages of a batch, one after another behind one door.
//!
//! A message of 64 bytes alone is some 85 instructions of rounds and hash with three times as many
//! around them: the door, the calls to it, what is told apart by length and associated data. A CPU looks
//! ahead a certain number of instructions, so with fewer of them more messages are under way at a time.

use lanes::Isa;

use super::super::register_blocks::MOST;
use super::super::{Aes, BLOCK};
use super::{FEW, Pass};
use crate::ghash::early_depth;
use crate::traits::batch::Job;
use crate::traits::whole::GcmMessages;

/// The messages from the first on that [`one`] takes; returns how many.
#[inline(always)]
pub(in super::super) fn each<I: Isa, const OPEN: bool>(
    isa: I,
    keys: &[Aes],
    messages: &mut GcmMessages<'_, '_>,
) -> usize {
    let mut done = 0;
    for job in &mut *messages.jobs {
        let (Some(aes), Some(hash)) = (keys.get(job.key), messages.hashes.get(job.key)) else {
            break;
        };
        let keys = aes.keys.0.encryption();
        // The counter is made of the nonce. A block that is cut short is slow to load into a short
        // register.
        let taken = hash.is_full()
            && if const { I::BYTES > BLOCK } && job.io.len() == BLOCK {
                one_block::<_, OPEN>(Pass::from(isa.narrow(), keys, hash, 0), job)
                    || one::<I, OPEN>(Pass::from(isa, keys, hash, 0), job)
            } else {
                one::<I, OPEN>(Pass::from(isa, keys, hash, 0), job)
            };
        if !taken {
            break;
        }
        done += 1;
    }
    done
}

/// One message with a nonce of 12 bytes and a whole tag that takes one reduction; false, and nothing done, for
/// any other.
#[inline(always)]
fn one<I: Isa, const OPEN: bool>(mut pass: Pass<'_, I>, job: &mut Job<'_>) -> bool {
    let isa = pass.isa;
    let (Ok(nonce), Ok(tag)) = (job.iv.try_into(), <&mut [u8; 16]>::try_from(&mut *job.tag)) else {
        return false;
    };
    let (len, aad) = (job.io.len(), job.aad);
    let behind = len.div_ceil(16) + 1;
    let blocks = aad.len().div_ceil(16) + behind;
    if blocks > const { early_depth::<I>() } {
        // There are more powers where longer messages have brought them.
        let all = const { MOST * I::BYTES / 16 };
        let Some(powers) = pass.hash.powers(all).filter(|_| blocks <= all) else { return false };
        (pass.powers, pass.depth) = (powers, all);
    }
    if !aad.is_empty() {
        if aad.len() > I::BYTES {
            return false;
        }
        pass.aad(aad, behind);
    }
    let lengths = (aad.len(), len);
    let io = &mut job.io;
    let made = if len == I::BYTES {
        let state = pass.counters_of::<2>(nonce);
        pass.end_from::<2, true, OPEN, true, true>(state, io, lengths)
    } else if len == 0 {
        return false;
    } else if len < I::BYTES {
        let state = pass.counters_of::<2>(nonce);
        pass.end_from::<2, false, OPEN, true, true>(state, io, lengths)
    } else if len <= const { 2 * I::BYTES } {
        let state = pass.counters_of::<3>(nonce);
        pass.end_from::<3, false, OPEN, true, true>(state, io, lengths)
    } else if len <= const { 3 * I::BYTES } {
        let state = pass.counters_of::<4>(nonce);
        pass.end_from::<4, false, OPEN, true, true>(state, io, lengths)
    } else if len <= const { FEW * I::BYTES } {
        let state = pass.counters_of::<{ FEW + 1 }>(nonce);
        pass.end_from::<{ FEW + 1 }, false, OPEN, true, true>(state, io, lengths)
    } else {
        return false;
    };
    conclude::<I, OPEN>(isa, made, tag, &mut job.failed);
    true
}

/// The same of a message of one block with few whole blocks of associated data.
#[inline(always)]
fn one_block<I: Isa, const OPEN: bool>(mut pass: Pass<'_, I>, job: &mut Job<'_>) -> bool {
    let isa = pass.isa;
    let (Ok(nonce), Ok(tag)) = (job.iv.try_into(), <&mut [u8; 16]>::try_from(&mut *job.tag)) else {
        return false;
    };
    let aad = job.aad;
    if !aad.len().is_multiple_of(BLOCK) || aad.len() / BLOCK + 2 > const { early_depth::<I>() } {
        return false;
    }
    pass.aad(aad, 2);
    let state = pass.counters_of::<2>(nonce);
    let made = pass.end_from::<2, true, OPEN, true, true>(state, &mut job.io, (aad.len(), BLOCK));
    conclude::<I, OPEN>(isa, made, tag, &mut job.failed);
    true
}

/// Compares the tag that was made, or else writes it.
#[inline(always)]
fn conclude<I: Isa, const OPEN: bool>(isa: I, made: I::V, tag: &mut [u8; 16], failed: &mut bool) {
    if OPEN {
        let differs = isa.xor(made, isa.load128(tag));
        let differs = isa.low64(differs) | isa.low64(isa.swap64(differs));
        // Only whether it is right may show.
        *failed = core::hint::black_box(differs) != 0;
    } else {
        isa.store128(made, tag);
    }
}
