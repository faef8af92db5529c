//! 128-NIA2 of many messages: the CMAC of COUNT, BEARER, DIRECTION and zeros, which are its IV of eight
//! bytes, and the message.
//!
//! The first block of a message is made apart: what follows it are blocks of the message, taken from
//! where they lie.

use core::array;

use lanes::Level;

use super::adapt::{Beside, ManyKeys, entry};
use super::cmac::{JOBS_PER_PASS, Messages, SINGLE_BYTES};
use super::lockstep::BLOCK;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::mac::nia2::{IV, TAG};
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::Job;
use crate::traits::keys::{KeySet, NewKeys};

/// `nia2`.
pub(crate) const NIA2: BatchEntry = entry::<Nia2>("nia2", &[BLOCK]);

/// The bytes of a message that stand in the first block.
const FIRST: usize = BLOCK - IV.max;

/// NIA2 under many keys.
struct Nia2(Messages<BLOCK>);

impl Beside for Nia2 {
    fn with_room(new: NewKeys, key: Sizes, count: usize, level: Level) -> Result<Self, Error> {
        Messages::with_room(new, key, count, level).map(Self)
    }
}

impl ManyKeys for Nia2 {
    fn set(&mut self, keys: &mut dyn KeySet, new: &[&[u8]]) -> Result<(), Error> {
        self.0.set(keys, new)
    }

    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_length("iv", job.iv.len(), IV)?;
        check_length("data", job.io.len(), Sizes::exactly(0))?;
        check_length("tag", job.tag.len(), Sizes::exactly(TAG))
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        let alone = keys.single_from() == 0;
        for jobs in jobs.chunks_mut(JOBS_PER_PASS) {
            if alone && jobs.iter().all(|job| IV.max + job.aad.len() <= SINGLE_BYTES) {
                for job in jobs {
                    let mut text = Secret([0; SINGLE_BYTES]);
                    let text = front(job, &mut text.0);
                    self.0.alone(keys, &mut of_text(job.key, text, job.tag));
                }
                continue;
            }
            match jobs.len() {
                0..=16 => self.few::<16>(keys, jobs),
                _ => self.few::<JOBS_PER_PASS>(keys, jobs),
            }
        }
        Ok(())
    }
}

impl Nia2 {
    /// At most `N` messages.
    fn few<const N: usize>(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) {
        let count = jobs.len();
        let mut fronts = Secret([[0; BLOCK]; N]);
        let mut numbers = [0; N];
        for ((job, block), number) in jobs.iter().zip(&mut fronts.0).zip(&mut numbers) {
            front(job, block);
            *number = job.key;
        }
        let mut values = fronts.clone();
        keys.encrypt_each(&numbers[..count], values.0[..count].as_flattened_mut());
        let mut rest = jobs.iter_mut().zip(&fronts.0).zip(&mut values.0);
        let mut texts: [Job<'_>; N] = array::from_fn(|_| match rest.next() {
            Some(((job, block), value)) => match job.aad.get(FIRST..) {
                Some(text @ [_, ..]) => of_text(job.key, text, job.tag),
                // All of it stands in the first block, which is the last one, too.
                _ => {
                    *value = [0; BLOCK];
                    of_text(job.key, &block[..IV.max + job.aad.len()], job.tag)
                }
            },
            None => of_text(0, &[], &mut []),
        });
        self.0.few::<N>(keys, &mut texts[..count], values);
    }
}

/// The IV and as much of the message as there is room for; returns both.
fn front<'t>(job: &Job<'_>, text: &'t mut [u8]) -> &'t [u8] {
    let of_message = job.aad.len().min(text.len() - IV.max);
    text[..IV.max].copy_from_slice(job.iv);
    text[IV.max..][..of_message].copy_from_slice(&job.aad[..of_message]);
    &text[..IV.max + of_message]
}

/// A job of the CMAC.
fn of_text<'t>(key: usize, text: &'t [u8], tag: &'t mut [u8]) -> Job<'t> {
    Job::mac(key, &[], text, tag)
}
