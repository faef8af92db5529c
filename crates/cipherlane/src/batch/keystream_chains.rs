//! CFB encryption and OFB of many messages: a chain each, over a buffer that becomes the keystream.
//!
//! The keystream of CFB is itself a chain `v ← E(v ⊕ block)`: from the IV over a zero block and then
//! the plaintext, because `Kᵢ₊₁ = E(Pᵢ ⊕ Kᵢ)`. That of OFB is one over zeros only.

use core::array;

use super::adapt::{ManyKeys, entry};
use super::lockstep;
use super::parallel_modes::xor;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::modes::ofb::Ofb;
use crate::modes::{cfb, in_kernel};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{Job, check_plain};
use crate::traits::block::{Chain, ChainData, KeyedChain, WholeMode};
use crate::traits::keys::KeySet;
use crate::traits::lockstep::Lockstep;
use crate::traits::stream::StreamCipher;

/// `cfb-encrypt` over blocks of `B` bytes.
pub(crate) const fn cfb_encrypt<const B: usize>() -> BatchEntry {
    entry::<Serial<false, B>>("cfb-encrypt", &[B])
}

/// `ofb` over blocks of `B` bytes.
pub(crate) const fn ofb<const B: usize>() -> BatchEntry {
    entry::<Serial<true, B>>("ofb", &[B])
}

/// Messages that are handed to the scheduler together.
const JOBS_PER_PASS: usize = 64;
/// Messages of a small batch.
const JOBS_OF_FEW: usize = 16;
/// Blocks of each message that are ciphered in one call.
const PIECE: usize = 32;
/// The same for short messages, which should not pay for clearing the long ones' places.
const SHORT_PIECE: usize = 4;

/// One of the two modes under many keys, of blocks of `B` bytes.
#[derive(Default)]
struct Serial<const OFB: bool, const B: usize>;

impl<const OFB: bool, const B: usize> ManyKeys for Serial<OFB, B> {
    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_plain(job.aad, job.tag)?;
        check_length("iv", job.iv.len(), Sizes::exactly(B))
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let mode = if OFB { Lockstep::Ofb } else { Lockstep::CfbEncrypt };
        let jobs = lockstep::lead(keys, jobs, usize::MAX, lockstep::data, |jobs| {
            lockstep::ragged(keys, mode, jobs, lockstep::values(jobs));
        });
        let mode = if OFB { WholeMode::Ofb } else { WholeMode::CfbEncrypt };
        let alone = keys.single_from() == 0;
        for jobs in jobs.chunks_mut(JOBS_PER_PASS) {
            let longest = jobs.iter().map(|job| job.io.len()).max().unwrap_or(0);
            if alone && longest <= SHORT_PIECE * B {
                for job in jobs {
                    let cipher = keys.one(job.key);
                    if in_kernel(cipher, mode, job.iv, &mut job.io) {
                        continue;
                    }
                    let io = job.io.reborrow();
                    if OFB {
                        Ofb::new(cipher, job.iv)?.apply_inout(io)?;
                    } else {
                        cfb::Encryptor::new(cipher, job.iv)?.apply_inout(io)?;
                    }
                }
                continue;
            }
            // Only AES has such chains: without it their callers aren't there, either.
            let done = cfg!(feature = "aes")
                && match jobs.len() {
                    0..=JOBS_OF_FEW => chains::<JOBS_OF_FEW, B>(keys, mode, jobs),
                    _ => chains::<JOBS_PER_PASS, B>(keys, mode, jobs),
                };
            if done {
                continue;
            }
            match (jobs.len() <= JOBS_OF_FEW, longest <= SHORT_PIECE * B) {
                (true, true) => together::<JOBS_OF_FEW, SHORT_PIECE, B>(keys, OFB, jobs, longest),
                (true, false) => together::<JOBS_OF_FEW, PIECE, B>(keys, OFB, jobs, longest),
                (false, true) => {
                    together::<JOBS_PER_PASS, SHORT_PIECE, B>(keys, OFB, jobs, longest)
                }
                (false, false) => together::<JOBS_PER_PASS, PIECE, B>(keys, OFB, jobs, longest),
            }
        }
        Ok(())
    }
}

/// At most `N` messages in the cipher's own chains, if it has such chains for the mode.
fn chains<const N: usize, const B: usize>(
    keys: &dyn KeySet,
    mode: WholeMode,
    jobs: &mut [Job<'_>],
) -> bool {
    let count = jobs.len();
    let mut values = Secret([[0; B]; N]);
    let mut places = jobs.iter_mut().zip(&mut values.0);
    let mut chains: [KeyedChain<'_>; N] = array::from_fn(|_| match places.next() {
        Some((job, value)) => {
            value.copy_from_slice(job.iv);
            let data = ChainData::Encrypt(job.io.part(0, job.io.len() / B * B));
            KeyedChain { key: job.key, chain: Chain { value, data } }
        }
        None => {
            let data = ChainData::Absorb(&[]);
            KeyedChain { key: 0, chain: Chain { value: &mut [], data } }
        }
    });
    if !keys.keystream_chains(mode, &mut chains[..count]) {
        return false;
    }
    for (job, value) in jobs.iter_mut().zip(&mut values.0) {
        let len = job.io.len();
        let left = len % B;
        if left > 0 {
            keys.one(job.key).encrypt_blocks(value.as_mut_slice().into(), None, None);
            job.io.part(len - left, left).xor(&value[..left]);
        }
    }
    true
}

/// At most `N` messages, `P` blocks of each at a time.
fn together<const N: usize, const P: usize, const B: usize>(
    keys: &dyn KeySet,
    ofb: bool,
    jobs: &mut [Job<'_>],
    longest: usize,
) {
    let mut values = Secret([[0; B]; N]);
    for (value, job) in values.0.iter_mut().zip(&*jobs) {
        value.copy_from_slice(job.iv);
    }
    let mut keystreams = Secret([[[0; B]; P]; N]);
    for offset in (0..longest).step_by(P * B) {
        let places = values.0.iter_mut().zip(&mut keystreams.0);
        let mut places = jobs.iter_mut().zip(places);
        let mut chains: [KeyedChain<'_>; N] = array::from_fn(|_| match places.next() {
            Some((job, (value, keystream))) => {
                let len = piece::<P, B>(job, offset);
                let keystream = &mut keystream[..len.div_ceil(B)];
                fill(ofb, keystream, &job.io.input()[job.io.len().min(offset)..]);
                let data = ChainData::Encrypt(keystream.as_flattened_mut().into());
                KeyedChain { key: job.key, chain: Chain { value, data } }
            }
            None => {
                let data = ChainData::Absorb(&[]);
                KeyedChain { key: 0, chain: Chain { value: &mut [], data } }
            }
        });
        keys.encrypt_chains(&mut chains[..jobs.len()]);
        let places = values.0.iter_mut().zip(&keystreams.0);
        for (job, (value, keystream)) in jobs.iter_mut().zip(places) {
            let len = piece::<P, B>(job, offset);
            let mut io = job.io.part(offset.min(job.io.len()), len);
            xor(&mut io, keystream);
            if let (false, Some(last)) = (ofb, io.output().last_chunk()) {
                *value = *last;
            }
        }
    }
}

/// How many bytes of a message lie in the piece at `offset`.
fn piece<const P: usize, const B: usize>(job: &Job<'_>, offset: usize) -> usize {
    job.io.len().saturating_sub(offset).min(P * B)
}

/// The data of the chain that gives the keystream.
fn fill<const B: usize>(ofb: bool, blocks: &mut [[u8; B]], input: &[u8]) {
    if ofb {
        blocks.as_flattened_mut().fill(0);
    } else if let Some((first, late)) = blocks.split_first_mut() {
        *first = [0; B];
        let late = late.as_flattened_mut();
        late.copy_from_slice(&input[..late.len()]);
    }
}
