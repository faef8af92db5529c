//! Encryption and decryption in pieces.

use core::fmt;
use std::sync::Arc;

use cipherlane::modes::{BlockMode, Buffered, Direction, MessageMode, Padding};
use cipherlane::registry::{
    self, Algorithm, Constructor, Mode, NewMessage, Operation, Parameters, Started,
};
use cipherlane::{BlockCipher, Error, InOut, Level, StreamCipher};

use crate::{Failure, Query};

/// What a [`Context`] is made of.
#[derive(Clone, Copy)]
pub struct Spec<'a> {
    /// The algorithm's name in the registry, e.g. `"sm4"`.
    pub algorithm: &'a str,
    /// The operation's, e.g. `"cbc-encrypt"`.
    pub operation: &'a str,
    /// The key in bytes.
    pub key: &'a [u8],
    /// The IV in bytes; empty where there is none.
    pub iv: &'a [u8],
    /// The padding of modes that take whole blocks.
    pub padding: Padding,
    /// The member of a family.
    pub parameters: Parameters,
    /// The level; none for the best there is.
    pub level: Option<Level>,
}

impl fmt::Debug for Spec<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { algorithm, operation, padding, .. } = self;
        write!(f, "Spec({algorithm}/{operation}, {padding:?})")
    }
}

impl<'a> Spec<'a> {
    /// Without an IV, without padding, at the best level.
    #[must_use]
    pub fn new(algorithm: &'a str, operation: &'a str, key: &'a [u8]) -> Self {
        let (padding, parameters) = (Padding::None, Parameters::default());
        Self { algorithm, operation, key, iv: &[], padding, parameters, level: None }
    }
}

enum Work {
    Stream(Box<dyn StreamCipher>),
    Blocks(Buffered<Box<dyn BlockMode>>),
    Message { mode: Box<dyn MessageMode>, decrypt: bool, iv: Vec<u8>, used: bool },
}

/// A cipher under one key that takes data in pieces of any length. Modes on whole messages
/// (XTS, HCTR, OFBNLF) take the message in one piece.
pub struct Context {
    work: Work,
    /// What takes a whole message under the key at once, where a mode is cut into pieces.
    whole: Whole,
    finished: bool,
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("finished", &self.finished).finish_non_exhaustive()
    }
}

const FINISHED: Error = Error::State("the message is finished");
const WHOLE: Error = Error::State("this mode takes the whole message in one call");

impl Context {
    /// From a specification.
    ///
    /// # Errors
    /// [`Failure::Unknown`] for names that nothing has, or what the library says of key and IV.
    pub fn new(spec: &Spec<'_>) -> Result<Self, Failure> {
        let algorithm = algorithm(spec.algorithm)?;
        let level = level(spec.level)?;
        let operation = operation(algorithm, spec.operation)?;
        let (work, whole) = match operation.new {
            Constructor::Mode(mode) => under_cipher(algorithm, mode, spec, level)?,
            _ if spec.parameters != Parameters::default() => return Err(Failure::NoParameters),
            Constructor::Stream { new, .. } => (Work::Stream(new(spec.key, spec.iv, level)?), None),
            Constructor::Message(new) => (message(&operation, new, spec, level)?, None),
            Constructor::Aead { .. } | Constructor::Pdu(_) | Constructor::Mac { .. } => {
                return Err(no_operation(algorithm, spec.operation));
            }
        };
        if spec.padding != Padding::None && !matches!(work, Work::Blocks(_)) {
            let what = Query::Padding(format!("{}/{}", spec.algorithm, spec.operation));
            return Err(Failure::unknown(what, padding_name(spec.padding)));
        }
        Ok(Self { work, whole, finished: false })
    }

    /// Processes a whole message under another IV, without padding: as many bytes go out as come
    /// in. It ends a message in pieces.
    ///
    /// # Errors
    /// What the library says.
    #[inline]
    pub fn message(&mut self, iv: &[u8], io: InOut<'_>) -> Result<(), Failure> {
        self.finished = true;
        match (&self.whole, &mut self.work) {
            (Some((cipher, mode)), _) => (mode.message)(&**cipher, iv, io)?,
            (None, Work::Stream(stream)) => {
                stream.reset(iv)?;
                stream.apply_inout(io)?;
            }
            (None, Work::Message { mode, decrypt: true, .. }) => mode.decrypt(iv, io)?,
            (None, Work::Message { mode, decrypt: false, .. }) => mode.encrypt(iv, io)?,
            (None, Work::Blocks(_)) => unreachable!("made with its cipher"),
        }
        Ok(())
    }

    /// How many bytes an update with `input` more bytes writes.
    #[must_use]
    pub fn update_len(&self, input: usize) -> usize {
        match &self.work {
            Work::Blocks(mode) => mode.update_len(input),
            Work::Stream(_) | Work::Message { .. } => input,
        }
    }

    /// Takes more data and writes what is ready to the head of `output`; returns its length.
    ///
    /// # Errors
    /// What the library says; [`Error::State`] after the end, [`Error::OutputLength`] for an
    /// output shorter than [`update_len`](Self::update_len); nothing is written then.
    pub fn update(&mut self, input: &[u8], output: &mut [u8]) -> Result<usize, Failure> {
        if let Work::Blocks(mode) = &mut self.work {
            going_on(self.finished)?;
            return Ok(mode.update(input, output)?);
        }
        let (got, needed) = (output.len(), input.len());
        let short = Error::OutputLength { got, needed };
        let output = output.get_mut(..needed).ok_or(short)?;
        self.apply(InOut::disjoint(input, output).ok_or(short)?)
    }

    /// The same in place.
    ///
    /// # Errors
    /// As [`update`](Self::update).
    pub fn update_in_place(&mut self, data: &mut [u8]) -> Result<usize, Failure> {
        match &mut self.work {
            Work::Blocks(mode) => {
                going_on(self.finished)?;
                Ok(mode.update_in_place(data)?)
            }
            _ => self.apply(data.into()),
        }
    }

    fn apply(&mut self, io: InOut<'_>) -> Result<usize, Failure> {
        going_on(self.finished)?;
        let length = io.len();
        match &mut self.work {
            Work::Stream(stream) => stream.apply_inout(io)?,
            Work::Message { used, .. } if *used => return Err(WHOLE.into()),
            Work::Message { mode, decrypt: true, iv, used } => {
                mode.decrypt(iv, io)?;
                *used = true;
            }
            Work::Message { mode, decrypt: false, iv, used } => {
                mode.encrypt(iv, io)?;
                *used = true;
            }
            Work::Blocks(_) => unreachable!("handled by the callers"),
        }
        Ok(length)
    }

    /// The most bytes that [`finish`](Self::finish) writes.
    #[must_use]
    pub fn finish_len(&self) -> usize {
        match &self.work {
            Work::Blocks(_) => 16,
            Work::Stream(_) | Work::Message { .. } => 0,
        }
    }

    /// Ends the message and writes what was held back to the head of `output`, which has
    /// [`finish_len`](Self::finish_len) bytes; returns its length.
    ///
    /// # Errors
    /// What the library says: data that is not whole blocks, wrong padding, a second end.
    pub fn finish(&mut self, output: &mut [u8]) -> Result<usize, Failure> {
        going_on(self.finished)?;
        let written = match &mut self.work {
            Work::Blocks(mode) => mode.finish(output)?,
            _ => 0,
        };
        self.finished = true;
        Ok(written)
    }

    /// Starts another message with another IV under the same key.
    ///
    /// # Errors
    /// [`Error::Length`] if the IV's length is not allowed.
    pub fn reset(&mut self, fresh: &[u8]) -> Result<(), Failure> {
        match &mut self.work {
            Work::Stream(stream) => stream.reset(fresh)?,
            Work::Blocks(mode) => mode.reset(fresh)?,
            Work::Message { iv, used, .. } => {
                fresh.clone_into(iv);
                *used = false;
            }
        }
        self.finished = false;
        Ok(())
    }
}

/// The name that bindings give a padding.
fn padding_name(padding: Padding) -> &'static str {
    match padding {
        Padding::None => "none",
        Padding::Pkcs7 => "pkcs7",
        Padding::Iso7816 => "iso7816",
    }
}

fn going_on(finished: bool) -> Result<(), Failure> {
    if finished { Err(FINISHED.into()) } else { Ok(()) }
}

type Whole = Option<(Arc<dyn BlockCipher>, Mode)>;

fn under_cipher(
    algorithm: &'static Algorithm,
    mode: Mode,
    spec: &Spec<'_>,
    level: Level,
) -> Result<(Work, Whole), Failure> {
    let Spec { key, iv, parameters, .. } = *spec;
    // Keys of the usual length need no family, and most ciphers have none.
    // Not `Arc::from`, which copies the expanded key and frees the first one as it is.
    let cipher: Arc<dyn BlockCipher> = Arc::new(match registry::parameters(algorithm.name) {
        Some(family) => (family.new)(key, parameters, level)?,
        None if parameters == Parameters::default() => algorithm.cipher(key, level)?,
        None => return Err(Failure::NoParameters),
    });
    let work = match (mode.share)(Arc::clone(&cipher), iv)? {
        Started::Stream(stream) => Work::Stream(stream),
        Started::Blocks(mode) => Work::Blocks(Buffered::new(mode, spec.padding)),
    };
    Ok((work, Some((cipher, mode))))
}

fn message(
    operation: &Operation,
    new: NewMessage,
    spec: &Spec<'_>,
    level: Level,
) -> Result<Work, Failure> {
    let (iv, allowed) = (spec.iv, operation.iv);
    if !allowed.allow(iv.len()) {
        return Err(Error::Length { field: "iv", got: iv.len(), allowed }.into());
    }
    let mode = new(operation.algorithm, spec.key, level)?;
    let decrypt = operation.direction() == Direction::Decrypt;
    Ok(Work::Message { mode, decrypt, iv: iv.to_vec(), used: false })
}

/// The operation of that name.
pub(crate) fn operation(algorithm: &'static Algorithm, name: &str) -> Result<Operation, Failure> {
    registry::operation(algorithm, name).ok_or_else(|| no_operation(algorithm, name))
}

pub(crate) fn algorithm(name: &str) -> Result<&'static Algorithm, Failure> {
    registry::algorithm(name).ok_or_else(|| Failure::unknown(Query::Algorithm, name))
}

pub(crate) fn no_operation(algorithm: &'static Algorithm, name: &str) -> Failure {
    Failure::unknown(Query::Operation(algorithm.name), name)
}

pub(crate) fn level(level: Option<Level>) -> Result<Level, Failure> {
    Ok(match level {
        Some(level) => level,
        None => Level::detect()?,
    })
}
