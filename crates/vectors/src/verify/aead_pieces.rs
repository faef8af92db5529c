//! Vectors of AEADs in pieces, for the modes that take a message so.

use cipherlane::aead::AeadStream;
use cipherlane::modes::Direction;
use cipherlane::registry::{NewAeadStream, Operation};
use cipherlane::{Error, InOut, Level};

use super::check::{OnPath, Outcome, equal};
use super::pieces::{Cuts, pieces};

/// One test of an AEAD, all of whose fields are there.
pub(super) struct Sealed<'t> {
    pub(super) key: &'t [u8],
    pub(super) nonce: &'t [u8],
    pub(super) aad: &'t [u8],
    pub(super) ciphertext: &'t [u8],
    pub(super) tag: &'t [u8],
    /// The length of the tags that the object is made for.
    pub(super) object_tag: usize,
    pub(super) level: Level,
}

/// The object that takes a test's message in pieces, if the mode has one.
struct Streamed<'t> {
    test: &'t Sealed<'t>,
    operation: &'t Operation,
    new: NewAeadStream,
}

impl<'t> Sealed<'t> {
    fn streamed(&'t self, operation: &'t Operation) -> Option<Streamed<'t>> {
        let new = operation.streaming()?.constructor()?;
        Some(Streamed { test: self, operation, new })
    }

    /// Seals and opens the message in pieces of every pattern, each time also after a reset.
    pub(super) fn agrees(
        &self,
        operation: &Operation,
        plaintext: &[u8],
        cuts: Cuts,
        paths: &mut usize,
    ) -> Outcome {
        let Some(streamed) = self.streamed(operation) else { return Ok(()) };
        // One pattern cuts both.
        for pattern in &cuts.patterns(plaintext.len().max(self.aad.len())) {
            streamed.seals(plaintext, pattern, paths)?;
            streamed.opens(plaintext, pattern, paths)?;
        }
        Ok(())
    }

    /// A message that has to be refused somewhere on the way to the end of its last piece.
    pub(super) fn is_refused(
        &self,
        operation: &Operation,
        cuts: Cuts,
        paths: &mut usize,
    ) -> Outcome {
        let Some(streamed) = self.streamed(operation) else { return Ok(()) };
        for pattern in &cuts.patterns(self.ciphertext.len().max(self.aad.len())) {
            let mut output = vec![0; self.ciphertext.len()];
            let accepted = streamed.start(Direction::Decrypt).and_then(|mut stream| {
                streamed.message(&mut *stream, self.ciphertext, pattern, &mut output)?;
                stream.verify(self.tag)
            });
            if accepted.is_ok() {
                let path = streamed.path("open", pattern);
                return Err((path, "accepted; expected: an error".into()));
            }
            *paths += 1;
        }
        Ok(())
    }
}

impl Streamed<'_> {
    fn path(&self, verb: &str, pattern: &[usize]) -> String {
        format!("{}-{verb}, in pieces of {pattern:?}", self.operation.mode())
    }

    fn start(&self, direction: Direction) -> Result<Box<dyn AeadStream>, Error> {
        let Sealed { key, nonce, level, object_tag, .. } = *self.test;
        let mut stream = (self.new)(self.operation.algorithm, key, level, direction, nonce)?;
        stream.set_tag_len(object_tag)?;
        Ok(stream)
    }

    fn seals(&self, plaintext: &[u8], pattern: &[usize], paths: &mut usize) -> Outcome {
        let Sealed { nonce, ciphertext, tag, .. } = *self.test;
        let mut path = self.path("seal", pattern);
        let mut stream = self.start(Direction::Encrypt).on(&path)?;
        for reset in [false, true] {
            if reset {
                path.push_str(", again after a reset");
                stream.reset(nonce).on(&path)?;
            }
            let (mut output, mut computed) = (vec![0xa5; plaintext.len()], vec![0xa5; tag.len()]);
            self.message(&mut *stream, plaintext, pattern, &mut output).on(&path)?;
            stream.finish(&mut computed).on(&path)?;
            equal(&path, &output, ciphertext, None, &mut 0)?;
            equal(&format!("{path}, tag"), &computed, tag, None, paths)?;
        }
        Ok(())
    }

    fn opens(&self, plaintext: &[u8], pattern: &[usize], paths: &mut usize) -> Outcome {
        let Sealed { nonce, ciphertext, tag, .. } = *self.test;
        let mut path = self.path("open", pattern);
        let mut stream = self.start(Direction::Decrypt).on(&path)?;
        for spoilt in [false, true] {
            let mut tag = tag.to_vec();
            if spoilt {
                path.push_str(", changed tag after a reset");
                stream.reset(nonce).on(&path)?;
                tag[0] ^= 1;
            }
            let mut output = vec![0xa5; ciphertext.len()];
            self.message(&mut *stream, ciphertext, pattern, &mut output).on(&path)?;
            match (stream.verify(&tag), spoilt) {
                (Ok(()), false) | (Err(Error::Authentication), true) => {}
                (Ok(()), true) => return Err((path, "a changed tag is accepted".into())),
                (Err(error), _) => return Err((path, error.to_string())),
            }
            equal(&path, &output, plaintext, None, paths)?;
        }
        Ok(())
    }

    /// Associated data and message, every other piece of it in place.
    fn message(
        &self,
        stream: &mut dyn AeadStream,
        input: &[u8],
        pattern: &[usize],
        output: &mut [u8],
    ) -> Result<(), Error> {
        let Sealed { aad, object_tag, .. } = *self.test;
        stream.announce(aad.len() as u64, input.len() as u64, object_tag)?;
        for piece in pieces(aad.len(), 1, pattern) {
            stream.aad(&aad[piece])?;
        }
        for (number, piece) in pieces(input.len(), 1, pattern).into_iter().enumerate() {
            let (input, output) = (&input[piece.clone()], &mut output[piece]);
            if number % 2 == 0 {
                output.copy_from_slice(input);
                stream.update(output.into())?;
            } else {
                let (got, needed) = (output.len(), input.len());
                let io = InOut::disjoint(input, output);
                stream.update(io.ok_or(Error::OutputLength { got, needed })?)?;
            }
        }
        Ok(())
    }
}
