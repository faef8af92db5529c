//! Self-tests: every algorithm against an answer that its standard publishes.

use alloc::vec::Vec;

use lanes::{InOut, Level};

use super::{Algorithm, Limits, New};
use crate::error::Error;
use crate::traits::batch::Packet;

/// A key, an input and the output they must give, in hexadecimal.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct KnownAnswer {
    /// The key.
    pub key: &'static str,
    /// The IV of a stream cipher; empty where there is none.
    pub iv: &'static str,
    /// One block of a block cipher; empty for a stream cipher.
    pub input: &'static str,
    /// The encrypted block, or the first bytes of keystream.
    pub output: &'static str,
    /// What each operation gives in the [tests before use](crate::self_test), summed up: a line of
    /// `ALGORITHM/OPERATION SUM` each, of this algorithm and of those beside it in its folder.
    pub sums: &'static str,
}

impl KnownAnswer {
    /// One block under a key.
    #[must_use]
    pub const fn block(key: &'static str, input: &'static str, output: &'static str) -> Self {
        Self { key, iv: "", input, output, sums: "" }
    }

    /// The first bytes of keystream under a key and an IV.
    #[must_use]
    pub const fn keystream(key: &'static str, iv: &'static str, output: &'static str) -> Self {
        Self { key, iv, input: "", output, sums: "" }
    }

    /// The same with the sums of all operations, which the test `self_test` prints where they are
    /// missing.
    #[must_use]
    pub const fn with_sums(self, sums: &'static str) -> Self {
        Self { sums, ..self }
    }
}

/// So many copies of a block, or packets, that every width of a kernel takes part.
const COPIES: usize = 75;

const fn failed(algorithm: &Algorithm) -> Error {
    Error::SelfTest { algorithm: algorithm.name, operation: "(answer of the standard)" }
}

/// Compares an algorithm at a level with its known answer: one block and many, encrypted and
/// decrypted; the keystream of one stream and of many side by side. What
/// [`self_test::algorithm`](crate::self_test::algorithm) begins with, which goes through all
/// operations.
///
/// ```
/// use cipherlane::Level;
/// use cipherlane::registry::{ALGORITHMS, self_test};
///
/// for algorithm in ALGORITHMS {
///     self_test(algorithm, Level::detect()?)?;
/// }
/// # Ok::<(), cipherlane::Error>(())
/// ```
///
/// # Errors
/// [`Error::SelfTest`] if an answer differs. Then nothing of this process should be trusted.
pub fn self_test(algorithm: &Algorithm, level: Level) -> Result<(), Error> {
    let KnownAnswer { key, iv, input, output, .. } = algorithm.answer;
    let [key, iv, input, output] = [key, iv, input, output].map(bytes);
    let equal = |data: &[u8]| if data == output { Ok(()) } else { Err(failed(algorithm)) };
    match algorithm.new {
        New::Block { new, .. } => {
            let cipher = new(&key, level)?;
            let mut block = input.clone();
            cipher.encrypt_block(&mut block);
            equal(&block)?;
            let (plain, mut data) = (input.repeat(COPIES), input.repeat(COPIES));
            cipher.encrypt_blocks(data.as_mut_slice().into(), None, None);
            data.chunks(output.len()).try_for_each(equal)?;
            cipher.decrypt_blocks(data.as_mut_slice().into(), None, None);
            if data == plain { Ok(()) } else { Err(failed(algorithm)) }
        }
        New::Stream { new, batch, .. } => {
            let mut stream = new(&key, &iv, level)?;
            let mut data = alloc::vec![0; output.len()];
            stream.apply(&mut data)?;
            equal(&data)?;
            let mut all = alloc::vec![0; COPIES * output.len()];
            let packets = all.chunks_mut(output.len());
            let mut packets: Vec<_> =
                packets.map(|data| Packet::new(&key, &iv, InOut::from(data))).collect();
            batch(Limits::Enforced, level).apply(&mut packets)?;
            all.chunks(output.len()).try_for_each(equal)
        }
    }
}

/// The answers of a cipher's folder, one algorithm after another; see
/// [`first_use`](crate::first_use).
#[cfg(feature = "self-test")]
pub(crate) fn all(algorithms: &[&Algorithm], level: Level) -> Result<(), Error> {
    algorithms.iter().try_for_each(|algorithm| self_test(algorithm, level))
}

/// The bytes of digits in hexadecimal, of which the registry holds whole pairs. Out of line, as
/// nobody waits for it.
#[inline(never)]
fn bytes(hex: &str) -> Vec<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0) as u8;
    hex.as_bytes().chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}
