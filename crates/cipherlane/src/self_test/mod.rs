//! Known answers of every operation at any level, for those who must test a module before
//! they use it (GM/T 0028, FIPS 140-3): in milliseconds, without a file and without randomness.
//!
//! An algorithm gives the answer that its standard publishes first. Then each of its operations
//! processes three messages of different lengths under keys of their own in one batch, and block
//! ciphers also a long message, so that every formulation of the level runs: one block, some in
//! lanes, many sliced. What comes out is summed up in 64 bits and compared with
//! [the sums of the portable level](registry::KnownAnswer::sums), which the vectors of the
//! standards vouch for. The sum finds errors; it is no hash that an attacker could not meet.
//!
//! With the feature `self-test` the library asks each algorithm by itself for the first of these,
//! the answer of its standard, before its first object is made at a level; a wrong one, or a test
//! that panics, condemns the level: each constructor there, of whatever cipher, says
//! [`Error::SelfTest`] from then on. Who must test all operations calls [`all`] at the beginning.
//!
//! ```
//! use cipherlane::{Level, registry, self_test};
//!
//! let level = Level::detect()?;
//! for algorithm in registry::ALGORITHMS {
//!     assert!(self_test::algorithm(algorithm, level)? > 0);
//! }
//! # Ok::<(), cipherlane::Error>(())
//! ```

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use lanes::Level;

use crate::entry::Algorithm;
use crate::error::Error;
use crate::registry;
use crate::registry::{ALGORITHMS, Constructor, Kind, Operation};
use crate::traits::batch::Job;

/// Wanted lengths of the messages of a batch, in bytes; each operation takes the nearest that
/// it allows.
const LENGTHS: [usize; 3] = [16, 200, 67];

/// Blocks of the long message of a block cipher: more than the widest tile of any level, and
/// a rest for every narrower one.
const LONG_BLOCKS: usize = 64 + 31;

/// Tests all algorithms of this build at a level and returns how many answers were right.
///
/// # Errors
/// [`Error::SelfTest`] for the first answer that is wrong.
pub fn all(level: Level) -> Result<usize, Error> {
    ALGORITHMS.iter().map(|it| algorithm(it, level)).sum()
}

/// Refuses a level from now on, as a wrong answer would: to see what a program does then.
#[cfg(feature = "self-test")]
pub fn condemn(level: Level) {
    crate::first_use::condemn(level);
}

/// Tests one algorithm at a level and returns how many answers were right.
///
/// # Errors
/// [`Error::SelfTest`] for the first answer that is wrong.
pub fn algorithm(algorithm: &'static Algorithm, level: Level) -> Result<usize, Error> {
    registry::self_test(algorithm, level)?;
    judge(algorithm.name, algorithm.answer.sums, &answers(algorithm, level)?)
}

/// Compares answers with those that must be.
fn judge(
    algorithm: &'static str,
    sums: &'static str,
    answers: &[(String, u64)],
) -> Result<usize, Error> {
    for (operation, sum) in answers {
        match known(algorithm, sums, operation) {
            Some((_, known)) if u64::from_str_radix(known, 16) == Ok(*sum) => {}
            Some((operation, _)) => return Err(Error::SelfTest { algorithm, operation }),
            None => return Err(Error::SelfTest { algorithm, operation: "(no known answer)" }),
        }
    }
    Ok(answers.len())
}

/// The operation's name and its sum, as an algorithm's `sums` have them.
fn known(
    algorithm: &str,
    sums: &'static str,
    operation: &str,
) -> Option<(&'static str, &'static str)> {
    sums.lines().find_map(|line| {
        let of_algorithm = line.strip_prefix(algorithm)?.strip_prefix('/')?;
        of_algorithm.split_once(' ').filter(|(name, _)| *name == operation)
    })
}

/// The answers of an algorithm at a level, by operation: what its `sums` are made of.
///
/// # Errors
/// None that a right library has.
pub fn answers(algorithm: &'static Algorithm, level: Level) -> Result<Vec<(String, u64)>, Error> {
    let mut answers = Vec::new();
    for operation in registry::operations(algorithm) {
        let mut messages = messages(&operation, level)?;
        apply(&operation, &mut messages, level)?;
        let mut sum = Sum::new();
        for message in &messages {
            sum.add(&message.data);
            sum.add(&message.tag);
        }
        long(&operation, level, &mut sum)?;
        answers.push((operation.name.into(), sum.0));
    }
    Ok(answers)
}

/// One message; for an AEAD that opens, what the one that seals made of it.
struct Message {
    key: Vec<u8>,
    iv: Vec<u8>,
    aad: Vec<u8>,
    data: Vec<u8>,
    tag: Vec<u8>,
}

fn messages(operation: &Operation, level: Level) -> Result<Vec<Message>, Error> {
    let mut bytes = Bytes(0);
    let tag = match operation.kind {
        Kind::Cipher => 0,
        Kind::Mac => operation.tag.nearest(4),
        Kind::Seal | Kind::Open => operation.tag.max,
    };
    let message = |wanted: usize| {
        let len = operation.data.nearest(wanted);
        let (aad, data) = match operation.kind {
            Kind::Mac => (len, 0),
            Kind::Cipher => (0, len),
            Kind::Seal | Kind::Open => (wanted / 8, len),
        };
        Message {
            key: bytes.take(operation.key.nearest(16)),
            iv: bytes.take(operation.usual_iv),
            aad: bytes.take(aad),
            data: bytes.take(data),
            tag: vec![0; tag],
        }
    };
    let mut messages: Vec<Message> = LENGTHS.into_iter().map(message).collect();
    if operation.kind == Kind::Open {
        let seal = operation.inverse.and_then(|it| registry::operation(operation.algorithm, it));
        apply(&seal.ok_or(Error::State("no operation that seals"))?, &mut messages, level)?;
    }
    Ok(messages)
}

fn apply(operation: &Operation, messages: &mut [Message], level: Level) -> Result<(), Error> {
    let keys: Vec<Vec<u8>> = messages.iter().map(|message| message.key.clone()).collect();
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let jobs = messages.iter_mut().enumerate().map(|(key, message)| {
        let Message { iv, aad, data, tag, .. } = message;
        Job::aead(key, iv, aad, data.as_mut_slice().into(), tag)
    });
    let mut jobs: Vec<Job<'_>> = jobs.collect();
    let tag = jobs.first().map_or(operation.tag_len(), |job| job.tag.len());
    operation.clone().with_tag_len(tag)?.ready(&keys, level)?.apply(&mut jobs)
}

/// A long message of a block cipher's mode, which runs in its own tiles.
fn long(operation: &Operation, level: Level, sum: &mut Sum) -> Result<(), Error> {
    let Constructor::Mode(mode) = operation.new else { return Ok(()) };
    let mut bytes = Bytes(1);
    let (key, iv) = (bytes.take(operation.key.nearest(16)), bytes.take(operation.usual_iv));
    let cipher = operation.algorithm.cipher(&key, level)?;
    let mut data = bytes.take(cipher.block_size() * LONG_BLOCKS);
    (mode.message)(&*cipher, &iv, data.as_mut_slice().into())?;
    sum.add(&data);
    Ok(())
}

/// Bytes that look random: the multiplications of SplitMix64 over a counter.
struct Bytes(u64);

impl Bytes {
    fn take(&mut self, len: usize) -> Vec<u8> {
        let byte = |_| {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            (mixed >> 56) as u8
        };
        (0..len).map(byte).collect()
    }
}

/// FNV-1a over 64 bits.
struct Sum(u64);

impl Sum {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

// No test here names the registry: a unit test that does has every cipher at every level compiled
// into this crate's tests.
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_is_named() {
        let (name, operation, sum) = ("one", "keystream", 0xc7dd_28ed_fa99_f33e);
        let sums = "one-more/keystream 2de6e4a7ab384106\none/keystream c7dd28edfa99f33e\n";
        assert_eq!(judge(name, sums, &[]), Ok(0));
        let right = (String::from(operation), sum);
        assert_eq!(judge(name, sums, core::slice::from_ref(&right)), Ok(1));
        let wrong = (right.0.clone(), sum ^ 1 << 40);
        let refused = Err(Error::SelfTest { algorithm: name, operation });
        assert_eq!(judge(name, sums, &[right, wrong]), refused);
        let unknown = Err(Error::SelfTest { algorithm: name, operation: "(no known answer)" });
        assert_eq!(judge(name, sums, &[("none-such".into(), sum)]), unknown);
    }
}
