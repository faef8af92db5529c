//! Vectors of a mode over a block cipher: key, IV, plaintext, ciphertext.

use cipherlane::registry::{self, Mode, Operation, Parameters, Started};
use cipherlane::{BlockCipher, InOut, Level};

use super::check::{OnPath, Outcome, equal, need};
use super::pieces::{Cuts, pieces};
use crate::{Test, Verdict};

/// A mode, by its operation that encrypts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block<'o>(pub(super) &'o Operation);

/// One direction of one test.
struct Run<'t> {
    cipher: &'t dyn BlockCipher,
    name: &'static str,
    mode: Mode,
    iv: &'t [u8],
    input: &'t [u8],
    expected: &'t [u8],
    bits: Option<u64>,
}

impl Block<'_> {
    /// The operation that decrypts, and the mode in both directions.
    fn both(&self) -> Option<(Operation, [Mode; 2])> {
        let backward = registry::operation(self.0.algorithm, self.0.inverse?)?;
        let modes = [self.0.block_mode()?, backward.block_mode()?];
        Some((backward, modes))
    }

    /// Runs one test at a level along all paths, counting those that pass.
    pub(super) fn run(&self, test: &Test, level: Level, cuts: Cuts, paths: &mut usize) -> Outcome {
        let (backward, modes) = self.both().ok_or("no mode of block ciphers").on(&"set-up")?;
        let iv = test.iv.as_deref().unwrap_or(&[]);
        let key = need(&test.key, "key")?;
        let ciphertext = need(&test.ciphertext, "ciphertext")?;
        if test.verdict() == Verdict::Invalid {
            // It has to be refused somewhere on the way to its plaintext.
            let mut data = ciphertext.clone();
            let accepted = self
                .make(test, key, level)
                .and_then(|cipher| (modes[1].message)(&*cipher, iv, data.as_mut_slice().into()));
            *paths += usize::from(accepted.is_err());
            let told = || (backward.name.into(), "accepted; expected: an error".into());
            return accepted.map_or(Ok(()), |()| Err(told()));
        }
        let plaintext = need(&test.plaintext, "plaintext")?;
        let cipher = self.make(test, key, level).on(&"set-up")?;
        let cipher = &*cipher;
        let counts = test.ciphertext_iterated.iter().flatten().map(|(n, block)| (*n, block));
        for (count, block) in counts.chain(test.iterations.map(|n| (n, ciphertext))) {
            iterate(cipher, self.0.name, plaintext, block, count, paths)?;
        }
        if test.iterations.is_some() {
            return Ok(());
        }
        let bits = test.bits;
        let (input, expected) = (plaintext, ciphertext);
        let (name, mode) = (self.0.name, modes[0]);
        Run { cipher, name, mode, iv, input, expected, bits }.all(cuts, paths)?;
        let (input, expected) = (ciphertext, plaintext);
        let (name, mode) = (backward.name, modes[1]);
        Run { cipher, name, mode, iv, input, expected, bits }.all(cuts, paths)
    }

    /// The cipher with the parameters of the test.
    fn make(
        &self,
        test: &Test,
        key: &[u8],
        level: Level,
    ) -> Result<Box<dyn BlockCipher>, cipherlane::Error> {
        let parameters = parameters(test);
        match registry::parameters(self.0.algorithm.name) {
            Some(family) if parameters != Parameters::default() => {
                (family.new)(key, parameters, level)
            }
            _ => self.0.algorithm.cipher(key, level),
        }
    }
}

/// What the test says of the cipher; a number out of all range stays out of range.
pub(super) fn parameters(test: &Test) -> Parameters {
    let number = |field: Option<u64>| field.map(|x| u32::try_from(x).unwrap_or(u32::MAX));
    Parameters {
        effective_key_bits: number(test.effective_key_bits),
        word_bits: number(test.word_bits),
        rounds: number(test.rounds),
    }
}

/// Encrypts a block `count` times, output fed back as input.
fn iterate(
    cipher: &dyn BlockCipher,
    operation: &str,
    input: &[u8],
    expected: &[u8],
    count: u64,
    paths: &mut usize,
) -> Outcome {
    let path = format!("{operation}, {count} iterations");
    if operation != "ecb-encrypt" || input.len() != cipher.block_size() {
        return Err((path, "iterations are defined for one block in ECB only".into()));
    }
    let mut block = input.to_vec();
    for _ in 0..count {
        cipher.encrypt_block(&mut block);
    }
    equal(&path, &block, expected, None, paths)
}

impl Run<'_> {
    fn all(&self, cuts: Cuts, paths: &mut usize) -> Outcome {
        let name = self.name;
        let mut check = |path: &str, got: &[u8]| {
            equal(&format_args!("{name}, {path}"), got, self.expected, self.bits, paths)
        };
        let on = |path: &str| format!("{name}, {path}");

        let mut data = self.input.to_vec();
        let io = data.as_mut_slice().into();
        (self.mode.message)(self.cipher, self.iv, io).on(&on("in place"))?;
        check("in place", &data)?;

        let mut output = vec![0xa5; self.input.len()];
        let io = InOut::disjoint(self.input, &mut output).ok_or("lengths differ");
        let io = io.on(&on("buffer to buffer"))?;
        (self.mode.message)(self.cipher, self.iv, io).on(&on("buffer to buffer"))?;
        check("buffer to buffer", &output)?;

        let started = (self.mode.start)(self.cipher, self.iv).on(&on("streamed"))?;
        for pattern in &cuts.patterns(self.input.len() / unit(&started)) {
            let path = format!("streamed in pieces of {pattern:?}");
            let mut started = (self.mode.start)(self.cipher, self.iv).on(&on(&path))?;
            output.fill(0xa5);
            self.stream(&mut started, pattern, &mut output).on(&on(&path))?;
            check(&path, &output)?;
            let path = format!("{path}, again after a reset");
            output.fill(0xa5);
            reset(&mut started, self.iv).on(&on(&path))?;
            self.stream(&mut started, pattern, &mut output).on(&on(&path))?;
            check(&path, &output)?;
        }
        Ok(())
    }

    /// Streams the input to the output, every other piece in place.
    fn stream(
        &self,
        started: &mut Started<'_>,
        pattern: &[usize],
        output: &mut [u8],
    ) -> Result<(), cipherlane::Error> {
        let unit = unit(started);
        for (i, piece) in pieces(self.input.len(), unit, pattern).into_iter().enumerate() {
            let (input, output) = (&self.input[piece.clone()], &mut output[piece]);
            let io = if i % 2 == 0 {
                output.copy_from_slice(input);
                output.into()
            } else {
                let (got, needed) = (output.len(), input.len());
                let io = InOut::disjoint(input, output);
                io.ok_or(cipherlane::Error::OutputLength { got, needed })?
            };
            match started {
                Started::Stream(stream) => stream.apply_inout(io)?,
                Started::Blocks(mode) => mode.blocks(io)?,
            }
        }
        Ok(())
    }
}

/// What a message of the mode may be cut into, in bytes.
fn unit(started: &Started<'_>) -> usize {
    match started {
        Started::Stream(_) => 1,
        Started::Blocks(mode) => mode.block_size(),
    }
}

fn reset(started: &mut Started<'_>, iv: &[u8]) -> Result<(), cipherlane::Error> {
    match started {
        Started::Stream(stream) => stream.reset(iv),
        Started::Blocks(mode) => mode.reset(iv),
    }
}
