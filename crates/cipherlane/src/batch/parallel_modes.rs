//! Short messages whose blocks do not wait for each other: the blocks of many messages,
//! each under its message's key, fill the lanes together. A message that fills them alone
//! goes the way of single messages. Blocks have 8 or 16 bytes.

use core::marker::PhantomData;

use lanes::InOut;

use super::adapt::{ManyKeys, entry};
use super::lockstep::{self, BLOCK};
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::modes::{cbc, cfb, check_whole, ctr, in_kernel};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::{Job, check_plain};
use crate::traits::block::{BlockCipher, WholeMode};
use crate::traits::keys::KeySet;
use crate::traits::lockstep::Lockstep;
use crate::traits::mode::BlockMode;
use crate::traits::stream::StreamCipher;

/// Blocks that are ciphered together: 16 messages of 256 bytes and a block in front of each.
pub(super) const BLOCKS_PER_PASS: usize = 288;
/// The same where there are few: clearing and wiping places that stay empty costs more than
/// ciphering these.
pub(super) const BLOCKS_OF_FEW: usize = 32;
/// The same between the two.
const SOME: usize = 96;

/// At most `N` blocks of 16 bytes.
pub(super) type Window<const N: usize> = Blocks<N, BLOCK>;

/// Blocks of several messages, and the number of each one's key.
pub(super) struct Blocks<const N: usize, const B: usize> {
    blocks: Secret<[[u8; B]; N]>,
    numbers: [usize; N],
    used: usize,
}

impl<const N: usize, const B: usize> Blocks<N, B> {
    pub(super) fn new() -> Self {
        Self { blocks: Secret([[0; B]; N]), numbers: [0; N], used: 0 }
    }

    /// Places for blocks under a key, if there are enough left.
    pub(super) fn take(&mut self, key: usize, blocks: usize) -> Option<&mut [[u8; B]]> {
        let range = self.used..self.used + blocks;
        let numbers = self.numbers.get_mut(range.clone())?;
        numbers.fill(key);
        self.used = range.end;
        Some(&mut self.blocks.0[range])
    }

    /// Encrypts all blocks.
    pub(super) fn encrypt(&mut self, keys: &dyn KeySet) {
        let blocks = self.blocks.0[..self.used].as_flattened_mut();
        keys.encrypt_each(&self.numbers[..self.used], blocks);
    }

    /// Decrypts all blocks.
    pub(super) fn decrypt(&mut self, keys: &dyn KeySet) {
        let blocks = self.blocks.0[..self.used].as_flattened_mut();
        keys.decrypt_each(&self.numbers[..self.used], blocks);
    }

    /// All blocks, in the order in which they were taken; the window is empty then.
    pub(super) fn drain(&mut self) -> &mut [[u8; B]] {
        let used = core::mem::take(&mut self.used);
        &mut self.blocks.0[..used]
    }
}

/// From how many blocks on a message goes alone; asked once for all messages, as the answer takes a
/// call through the level's door.
pub(super) fn long(keys: &dyn KeySet) -> usize {
    keys.single_from().min(BLOCKS_PER_PASS / 2)
}

/// The blocks of all messages that are shorter than `long`.
pub(super) fn in_lanes(long: usize, jobs: &[Job<'_>], in_front: usize) -> usize {
    blocks_in_lanes::<BLOCK>(long, jobs, in_front)
}

/// The same of blocks of `B` bytes.
fn blocks_in_lanes<const B: usize>(long: usize, jobs: &[Job<'_>], in_front: usize) -> usize {
    let blocks = jobs.iter().map(|job| in_front + job.io.len().div_ceil(B));
    blocks.filter(|&blocks| blocks < long).sum()
}

/// What a mode does with the blocks of a message.
trait Mode: Default + Send + 'static {
    /// Whether blocks are decrypted.
    const DECRYPT: bool;

    /// Whether a message may end inside a block.
    const RAGGED: bool;

    /// Whether there is an IV, one block.
    const IV: bool;

    /// The same for messages that go in lockstep.
    const LOCKSTEP: Lockstep;

    /// The blocks that go into the cipher.
    fn before<const B: usize>(job: &Job<'_>, blocks: &mut [[u8; B]]);

    /// From what the cipher gives to the output.
    fn after<const B: usize>(job: &mut Job<'_>, blocks: &mut [[u8; B]]);

    /// The cipher's own kernel for a whole message, if it has one.
    const KERNEL: Option<WholeMode>;

    /// The whole message under one key.
    fn alone(cipher: &dyn BlockCipher, job: &mut Job<'_>) -> Result<(), Error>;
}

/// A mode over many messages, of blocks of `B` bytes.
#[derive(Default)]
struct Short<M, const B: usize>(PhantomData<M>);

impl<M: Mode, const B: usize> ManyKeys for Short<M, B> {
    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_plain(job.aad, job.tag)?;
        check_length("iv", job.iv.len(), Sizes::exactly(if M::IV { B } else { 0 }))?;
        if M::RAGGED { Ok(()) } else { check_whole(job.io.len(), B) }
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let jobs = lockstep::lead(keys, jobs, lockstep::most(keys), lockstep::data, |jobs| {
            lockstep::ragged(keys, M::LOCKSTEP, jobs, lockstep::values(jobs));
        });
        if jobs.is_empty() {
            return Ok(());
        }
        let mut long = long(keys);
        // Of one message nothing is shared.
        if long == 0 || jobs.len() == 1 {
            return jobs.iter_mut().try_for_each(|job| alone::<M>(keys.one(job.key), job));
        }
        let mut blocks = blocks_in_lanes::<B>(long, jobs, 0);
        let few = keys.few();
        if blocks < few.blocks {
            long = long.min(few.single_from);
            blocks = blocks_in_lanes::<B>(long, jobs, 0);
        }
        match blocks {
            0 => jobs.iter_mut().try_for_each(|job| alone::<M>(keys.one(job.key), job)),
            1..=BLOCKS_OF_FEW => within::<M, BLOCKS_OF_FEW, B>(keys, jobs, long),
            n if n <= SOME => within::<M, SOME, B>(keys, jobs, long),
            _ => within::<M, BLOCKS_PER_PASS, B>(keys, jobs, long),
        }
    }
}

/// In windows of `N` blocks.
fn within<M: Mode, const N: usize, const B: usize>(
    keys: &dyn KeySet,
    jobs: &mut [Job<'_>],
    long: usize,
) -> Result<(), Error> {
    let mut window = Blocks::<N, B>::new();
    let mut done = 0;
    while done < jobs.len() {
        let mut end = done;
        while let Some(job) = jobs.get(end) {
            let blocks = job.io.len().div_ceil(B);
            if blocks < long {
                let Some(places) = window.take(job.key, blocks) else { break };
                M::before(job, places);
            }
            end += 1;
        }
        if M::DECRYPT {
            window.decrypt(keys)
        } else {
            window.encrypt(keys)
        }
        let mut blocks = window.drain();
        for job in &mut jobs[done..end] {
            let count = job.io.len().div_ceil(B);
            if count >= long {
                alone::<M>(keys.one(job.key), job)?;
            } else {
                let (own, rest) = blocks.split_at_mut(count);
                M::after(job, own);
                blocks = rest;
            }
        }
        done = end;
    }
    Ok(())
}

/// A whole message under one key.
fn alone<M: Mode>(cipher: &dyn BlockCipher, job: &mut Job<'_>) -> Result<(), Error> {
    if let Some(mode) = M::KERNEL {
        let iv = if M::IV { job.iv } else { &[0; BLOCK] };
        if in_kernel(cipher, mode, iv, &mut job.io) {
            return Ok(());
        }
    }
    M::alone(cipher, job)
}

/// `ecb-encrypt` over blocks of `B` bytes.
pub(crate) const fn ecb_encrypt<const B: usize>() -> BatchEntry {
    entry::<Short<Ecb<false>, B>>("ecb-encrypt", &[B])
}

/// `ecb-decrypt` over blocks of `B` bytes.
pub(crate) const fn ecb_decrypt<const B: usize>() -> BatchEntry {
    entry::<Short<Ecb<true>, B>>("ecb-decrypt", &[B])
}

/// `cbc-decrypt` over blocks of `B` bytes.
pub(crate) const fn cbc_decrypt<const B: usize>() -> BatchEntry {
    entry::<Short<CbcDecrypt, B>>("cbc-decrypt", &[B])
}

/// `cfb-decrypt` over blocks of `B` bytes.
pub(crate) const fn cfb_decrypt<const B: usize>() -> BatchEntry {
    entry::<Short<CfbDecrypt, B>>("cfb-decrypt", &[B])
}

/// `ctr` over blocks of `B` bytes.
pub(crate) const fn counter<const B: usize>() -> BatchEntry {
    entry::<Short<Ctr, B>>("ctr", &[B])
}

#[derive(Default)]
struct Ecb<const DECRYPT: bool>;

impl<const DECRYPT: bool> Mode for Ecb<DECRYPT> {
    const DECRYPT: bool = DECRYPT;
    const RAGGED: bool = false;
    const IV: bool = false;
    const KERNEL: Option<WholeMode> =
        Some(if DECRYPT { WholeMode::EcbDecrypt } else { WholeMode::EcbEncrypt });
    const LOCKSTEP: Lockstep = if DECRYPT { Lockstep::Decrypt } else { Lockstep::Encrypt };

    fn before<const B: usize>(job: &Job<'_>, blocks: &mut [[u8; B]]) {
        blocks.as_flattened_mut().copy_from_slice(job.io.input());
    }

    fn after<const B: usize>(job: &mut Job<'_>, blocks: &mut [[u8; B]]) {
        job.io.output().copy_from_slice(blocks.as_flattened());
    }

    fn alone(cipher: &dyn BlockCipher, job: &mut Job<'_>) -> Result<(), Error> {
        if DECRYPT {
            cipher.decrypt_blocks(job.io.reborrow(), None, None);
        } else {
            cipher.encrypt_blocks(job.io.reborrow(), None, None);
        }
        Ok(())
    }
}

#[derive(Default)]
struct CbcDecrypt;

impl Mode for CbcDecrypt {
    const DECRYPT: bool = true;
    const RAGGED: bool = false;
    const IV: bool = true;
    const KERNEL: Option<WholeMode> = Some(WholeMode::CbcDecrypt);
    const LOCKSTEP: Lockstep = Lockstep::CbcDecrypt;

    fn before<const B: usize>(job: &Job<'_>, blocks: &mut [[u8; B]]) {
        blocks.as_flattened_mut().copy_from_slice(job.io.input());
    }

    fn after<const B: usize>(job: &mut Job<'_>, blocks: &mut [[u8; B]]) {
        // All with what was in front of them, before that is overwritten in place.
        if let Some((first, late)) = blocks.as_flattened_mut().split_at_mut_checked(B) {
            for (byte, value) in first.iter_mut().zip(job.iv) {
                *byte ^= value;
            }
            for (byte, value) in late.iter_mut().zip(job.io.input()) {
                *byte ^= value;
            }
        }
        job.io.output().copy_from_slice(blocks.as_flattened());
    }

    fn alone(cipher: &dyn BlockCipher, job: &mut Job<'_>) -> Result<(), Error> {
        cbc::Decryptor::new(cipher, job.iv)?.blocks(job.io.reborrow())
    }
}

#[derive(Default)]
struct CfbDecrypt;

impl Mode for CfbDecrypt {
    const DECRYPT: bool = false;
    const RAGGED: bool = true;
    const IV: bool = true;
    const KERNEL: Option<WholeMode> = Some(WholeMode::CfbDecrypt);
    const LOCKSTEP: Lockstep = Lockstep::CfbDecrypt;

    fn before<const B: usize>(job: &Job<'_>, blocks: &mut [[u8; B]]) {
        let blocks = blocks.as_flattened_mut();
        if let Some((iv, late)) = blocks.split_at_mut_checked(B) {
            iv.copy_from_slice(job.iv);
            late.copy_from_slice(&job.io.input()[..late.len()]);
        }
    }

    fn after<const B: usize>(job: &mut Job<'_>, blocks: &mut [[u8; B]]) {
        xor(&mut job.io, blocks);
    }

    fn alone(cipher: &dyn BlockCipher, job: &mut Job<'_>) -> Result<(), Error> {
        cfb::Decryptor::new(cipher, job.iv)?.apply_inout(job.io.reborrow())
    }
}

#[derive(Default)]
struct Ctr;

impl Mode for Ctr {
    const DECRYPT: bool = false;
    const RAGGED: bool = true;
    const IV: bool = true;
    const KERNEL: Option<WholeMode> = None;
    const LOCKSTEP: Lockstep = Lockstep::Ctr;

    fn before<const B: usize>(job: &Job<'_>, blocks: &mut [[u8; B]]) {
        let mut first = [0; BLOCK];
        first[BLOCK - B..].copy_from_slice(job.iv);
        let mut counter = u128::from_be_bytes(first);
        for block in blocks {
            // Of a shorter block what is carried past its first byte is left out.
            block.copy_from_slice(&counter.to_be_bytes()[BLOCK - B..]);
            counter = counter.wrapping_add(1);
        }
    }

    fn after<const B: usize>(job: &mut Job<'_>, blocks: &mut [[u8; B]]) {
        xor(&mut job.io, blocks);
    }

    fn alone(cipher: &dyn BlockCipher, job: &mut Job<'_>) -> Result<(), Error> {
        ctr::apply(cipher, job.iv, job.io.reborrow())
    }
}

/// Xors a message with blocks of keystream, of which the last may be longer.
pub(super) fn xor<const B: usize>(io: &mut InOut<'_>, keystream: &[[u8; B]]) {
    let len = io.len();
    io.xor(&keystream.as_flattened()[..len]);
}
