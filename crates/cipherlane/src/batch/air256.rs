//! 256-NIA5 and 256-NCA5 of many messages: what serves their tags in lanes, then message by message
//! data and hash.

use core::marker::PhantomData;

use lanes::Level;

use super::adapt::{Beside, ManyKeys, entry};
use super::lockstep::BLOCK;
use super::parallel_modes::{BLOCKS_OF_FEW, Window};
use crate::air256::IV;
use crate::air256::hash::{Hash, Head, TAGS, check_lengths};
use crate::ct;
use crate::entry::batch::BatchEntry;
use crate::error::{Error, check_length};
use crate::modes::ctr::xor32;
use crate::modes::nea5::first_counter;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::batch::Job;
use crate::traits::keys::{KeySet, NewKeys};

/// `nia5`.
pub(crate) const NIA5: BatchEntry = entry::<Messages<Authenticate>>("nia5", &[BLOCK]);
/// `nca5-seal`.
pub(crate) const NCA5_SEAL: BatchEntry = entry::<Messages<Seal>>("nca5-seal", &[BLOCK]);
/// `nca5-open`.
pub(crate) const NCA5_OPEN: BatchEntry = entry::<Messages<Open>>("nca5-open", &[BLOCK]);

/// What is done.
trait Way: Send + 'static {
    /// Whether there is data beside what is authenticated.
    const DATA: bool = true;

    /// Data and tag of a job under H, Q and P, which are in the hash; `cipher` xors the keystream.
    fn process(
        job: &mut Job<'_>,
        hash: &mut Hash,
        cipher: impl FnOnce(&mut Job<'_>) -> Result<(), Error>,
    ) -> Result<(), Error>;
}

/// A tag of associated data.
struct Authenticate;

impl Way for Authenticate {
    const DATA: bool = false;

    fn process(
        job: &mut Job<'_>,
        hash: &mut Hash,
        _: impl FnOnce(&mut Job<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let whole = hash.of([job.aad, &[]]);
        job.tag.copy_from_slice(&whole[..job.tag.len()]);
        Ok(())
    }
}

/// Encryption, and the tag of what is sent.
struct Seal;

impl Way for Seal {
    fn process(
        job: &mut Job<'_>,
        hash: &mut Hash,
        cipher: impl FnOnce(&mut Job<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        cipher(job)?;
        let whole = hash.of([job.aad, job.io.output()]);
        job.tag.copy_from_slice(&whole[..job.tag.len()]);
        Ok(())
    }
}

/// Decryption of what has the right tag.
struct Open;

impl Way for Open {
    fn process(
        job: &mut Job<'_>,
        hash: &mut Hash,
        cipher: impl FnOnce(&mut Job<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let computed = Secret(hash.of([job.aad, job.io.input()]));
        if ct::equal(&computed.0[..job.tag.len()], job.tag) {
            return cipher(job);
        }
        job.io.output().fill(0);
        Err(Error::Authentication)
    }
}

/// Messages under many keys of AES-256.
struct Messages<W> {
    level: Level,
    way: PhantomData<W>,
}

impl<W> Beside for Messages<W> {
    fn with_room(_: NewKeys, _: Sizes, _: usize, level: Level) -> Result<Self, Error> {
        Ok(Self { level, way: PhantomData })
    }
}

impl<W: Way> ManyKeys for Messages<W> {
    fn check(&self, _: &dyn KeySet, job: &Job<'_>) -> Result<(), Error> {
        check_length(if W::DATA { "nonce" } else { "iv" }, job.iv.len(), IV)?;
        check_length("tag", job.tag.len(), TAGS)?;
        if !W::DATA {
            check_length("data", job.io.len(), Sizes::exactly(0))?;
        }
        check_lengths(job.aad.len(), job.io.len())
    }

    fn run(&self, keys: &dyn KeySet, jobs: &mut [Job<'_>]) -> Result<(), Error> {
        /// H, Q and P.
        const HEAD: usize = 3;
        let (mut window, mut hash) = (Window::<BLOCKS_OF_FEW>::new(), Hash::unset(self.level));
        let mut result = Ok(());
        for jobs in jobs.chunks_mut(BLOCKS_OF_FEW / HEAD) {
            for job in &*jobs {
                let first = u128::from_be_bytes(first_counter(job.iv, Some(1))?);
                let Some(places) = window.take(job.key, HEAD) else { unreachable!("it has room") };
                for (place, counter) in places.iter_mut().zip(first..) {
                    *place = counter.to_be_bytes();
                }
            }
            window.encrypt(keys);
            let (heads, _) = window.drain().as_chunks::<HEAD>();
            for (job, head) in jobs.iter_mut().zip(heads) {
                let head: &Head = head;
                hash.set(head);
                let outcome = W::process(job, &mut hash, |job| {
                    let mut counter = first_counter(job.iv, Some(0))?;
                    xor32(keys.one(job.key), job.io.reborrow(), &mut counter);
                    Ok(())
                });
                job.failed = outcome.is_err();
                result = result.and(outcome);
            }
        }
        result
    }
}
