//! Ciphers without a tag: modes over block ciphers, keystreams, modes on whole messages.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use ciphers::modes::{BlockMode, Buffered, MessageMode};
use ciphers::registry::{self, Algorithm, KEYSTREAM, New, Operation, Parameters, Started};
use ciphers::{BlockCipher, Error, InOut, StreamCipher};

use crate::memory;
use crate::options::{Settings, cipherlane_options, settings};
use crate::status::{Outcome, Status, guard};

/// A cipher under one key, in one direction. Not for two threads at once.
#[expect(missing_debug_implementations, reason = "it holds key material")]
pub struct cipherlane_cipher {
    work: Work,
    ended: bool,
}

/// What does the work.
enum Work {
    Mode { cipher: Arc<dyn BlockCipher>, operation: &'static Operation, state: State },
    Keystream(Box<dyn StreamCipher>),
    Message { mode: Box<dyn MessageMode>, decrypt: bool, iv: Vec<u8> },
}

/// A message of a mode in pieces.
enum State {
    Stream(Box<dyn StreamCipher>),
    Blocks(Buffered<Box<dyn BlockMode>>),
}

const ENDED: Error = Error::State("the message is finished; reset starts another one");

/// Bytes that are copied out of the way where blocks are written over their own input.
const PIECE: usize = 4096;

/// The algorithm of that name.
///
/// # Safety
/// `name` is null or ends with a zero byte.
pub(crate) unsafe fn algorithm(name: *const c_char) -> Outcome<&'static Algorithm> {
    // SAFETY: the caller's promise.
    let name = unsafe { memory::text(name) }?;
    registry::algorithm(name).ok_or_else(|| Status::UnknownAlgorithm.into())
}

impl cipherlane_cipher {
    fn new(
        algorithm: &Algorithm,
        name: &str,
        settings: Settings,
        key: &[u8],
        iv: &[u8],
    ) -> Outcome<Self> {
        let Settings { level, padding, parameters } = settings;
        let usual = parameters == Parameters::default();
        let work = match algorithm.new {
            New::Stream { .. } if !usual => return Err(Status::Value.into()),
            New::Stream { new, .. } => {
                let found = registry::streams(algorithm).find(|it| it.name == name);
                let new = match found {
                    Some(entry) => entry.new,
                    None if name == KEYSTREAM => new,
                    None => return Err(Status::UnknownOperation.into()),
                };
                Work::Keystream(new(key, iv, level)?)
            }
            New::Block { new, .. } => {
                if let Some(operation) = registry::operations(algorithm).find(|it| it.name == name)
                {
                    let cipher = if usual {
                        new(key, level)?
                    } else {
                        let family = registry::parameters(algorithm.name);
                        (family.ok_or(Status::Value)?.new)(key, parameters, level)?
                    };
                    let cipher: Arc<dyn BlockCipher> = cipher.into();
                    let state = match (operation.share)(Arc::clone(&cipher), iv)? {
                        Started::Stream(stream) => State::Stream(stream),
                        Started::Blocks(mode) => State::Blocks(Buffered::new(mode, padding)),
                    };
                    Work::Mode { cipher, operation, state }
                } else {
                    let directions = [("-encrypt", false), ("-decrypt", true)];
                    let found = registry::messages(algorithm).find_map(|entry| {
                        let direction = name.strip_prefix(entry.name)?;
                        let found = directions.iter().find(|(it, _)| *it == direction)?;
                        Some((entry, found.1))
                    });
                    let (entry, decrypt) = found.ok_or(Status::UnknownOperation)?;
                    if !usual {
                        return Err(Status::Value.into());
                    }
                    let mode = (entry.new)(new, key, level)?;
                    Work::Message { mode, decrypt, iv: iv.to_vec() }
                }
            }
        };
        Ok(Self { work, ended: false })
    }

    #[inline]
    fn message(&mut self, iv: &[u8], io: InOut<'_>) -> Outcome {
        self.ended = true;
        match &mut self.work {
            Work::Mode { cipher, operation, .. } => (operation.message)(&**cipher, iv, io)?,
            Work::Keystream(stream) => {
                stream.reset(iv)?;
                stream.apply_inout(io)?;
            }
            Work::Message { mode, decrypt: false, .. } => mode.encrypt(iv, io)?,
            Work::Message { mode, decrypt: true, .. } => mode.decrypt(iv, io)?,
        }
        Ok(())
    }

    /// Bytes that a piece of that length makes ready.
    fn ready(&self, length: usize) -> usize {
        match &self.work {
            Work::Mode { state: State::Blocks(mode), .. } => mode.update_len(length),
            _ => length,
        }
    }

    /// # Safety
    /// `from` is null or valid for reading `length` bytes, `to` null or valid for writing
    /// [`ready`](Self::ready) bytes, at least.
    #[inline]
    unsafe fn update(&mut self, from: *const u8, length: usize, to: *mut u8) -> Outcome<usize> {
        if self.ended {
            return Err(ENDED.into());
        }
        let stream = match &mut self.work {
            Work::Mode { state: State::Stream(stream), .. } | Work::Keystream(stream) => stream,
            Work::Mode { state: State::Blocks(mode), .. } => {
                // SAFETY: the caller's promises.
                return unsafe { blocks(mode, from, length, to) };
            }
            Work::Message { mode, decrypt, iv } => {
                // SAFETY: the caller's promises; as many bytes go out as come in.
                let io = unsafe { memory::in_out(from, to, length) }?;
                let done = if *decrypt { mode.decrypt(iv, io) } else { mode.encrypt(iv, io) };
                done?;
                // A second piece would be another message under the same IV.
                self.ended = true;
                return Ok(length);
            }
        };
        // SAFETY: as above.
        stream.apply_inout(unsafe { memory::in_out(from, to, length) }?)?;
        Ok(length)
    }

    fn finish(&mut self, output: &mut [u8]) -> Outcome<usize> {
        match &mut self.work {
            // It may have ended with its one piece.
            Work::Message { .. } => {}
            _ if self.ended => return Err(ENDED.into()),
            Work::Mode { state: State::Blocks(mode), .. } => {
                let written = mode.finish(output)?;
                self.ended = true;
                return Ok(written);
            }
            _ => {}
        }
        self.ended = true;
        Ok(0)
    }

    fn reset(&mut self, iv: &[u8]) -> Outcome {
        match &mut self.work {
            Work::Mode { state: State::Stream(stream), .. } | Work::Keystream(stream) => {
                stream.reset(iv)?;
            }
            Work::Mode { state: State::Blocks(mode), .. } => mode.reset(iv)?,
            Work::Message { iv: kept, .. } => {
                kept.clear();
                kept.extend_from_slice(iv);
            }
        }
        self.ended = false;
        Ok(())
    }
}

/// A piece through a mode that takes whole blocks.
///
/// # Safety
/// As [`cipherlane_cipher::update`].
unsafe fn blocks(
    mode: &mut Buffered<Box<dyn BlockMode>>,
    from: *const u8,
    length: usize,
    to: *mut u8,
) -> Outcome<usize> {
    let ready = mode.update_len(length);
    // SAFETY: the caller's promises. Where input and output are the same, a piece is copied
    // before its place is written to: what goes out never runs ahead of what came in, and
    // the borrows of one follow those of the other. Elsewhere they are apart.
    unsafe {
        if length == 0 || ready == 0 || !memory::overlap(from, length, to, ready) {
            return Ok(mode.update(memory::input(from, length)?, memory::output(to, ready)?)?);
        }
        if !std::ptr::eq(from, to) {
            return Err(Status::Overlap.into());
        }
        let (mut piece, mut taken, mut written) = ([0; PIECE], 0, 0);
        while taken < length {
            let now = (length - taken).min(PIECE);
            piece[..now].copy_from_slice(memory::input(from.add(taken), now)?);
            taken += now;
            let room = mode.update_len(now);
            written += mode.update(&piece[..now], memory::output(to.add(written), room)?)?;
        }
        Ok(written)
    }
}

/// Makes a cipher. `operation` is one of kind `CIPHERLANE_KIND_CIPHER`, e.g. `cbc-encrypt`,
/// `ctr`, `xts-decrypt`, `keystream`. On failure `*cipher` is null.
///
/// # Safety
/// `cipher` is null or valid for writing; the texts end with a zero byte; `options` is null or
/// valid; `key` and `iv` are null or valid for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_new(
    cipher: *mut *mut cipherlane_cipher,
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        memory::hand_out(cipher, || {
            let algorithm = self::algorithm(algorithm)?;
            let (key, iv) = (memory::input(key, key_length)?, memory::input(iv, iv_length)?);
            let settings = settings(options)?;
            cipherlane_cipher::new(algorithm, memory::text(operation)?, settings, key, iv)
        })
    })
}

/// Wipes and frees a cipher; null is allowed.
///
/// # Safety
/// `cipher` is null, or was made by [`cipherlane_cipher_new`] and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_free(cipher: *mut cipherlane_cipher) {
    // SAFETY: the caller's promise.
    unsafe { memory::take_back(cipher) }
}

/// Processes one whole message under the key and another IV: as many bytes go out as come in,
/// without padding. Input and output are the same, or apart. It ends a message in pieces.
///
/// # Safety
/// `cipher` is null or alive and used by nobody else; the pointers are null or valid for their
/// lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_message(
    cipher: *mut cipherlane_cipher,
    iv: *const u8,
    iv_length: usize,
    input: *const u8,
    output: *mut u8,
    length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let cipher = memory::object(cipher)?;
        cipher.message(memory::input(iv, iv_length)?, memory::in_out(input, output, length)?)
    })
}

/// Processes a piece of a message. `*written` tells how many bytes went out: as many as came
/// in, or with modes that take whole blocks up to a block more or less. Modes on whole messages
/// (XTS, HCTR, OFBNLF) take the message in one piece. Input and output begin at the same byte,
/// or are apart.
///
/// # Safety
/// `cipher` is null or alive and used by nobody else; the pointers are null or valid for their
/// lengths, `written` for writing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_update(
    cipher: *mut cipherlane_cipher,
    input: *const u8,
    length: usize,
    output: *mut u8,
    output_size: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises; what will be written has room.
    guard(|| unsafe {
        let cipher = memory::object(cipher)?;
        memory::put(written, 0)?;
        if length > isize::MAX as usize {
            return Err(Status::Length.into());
        }
        let (got, needed) = (output_size, cipher.ready(length));
        if got < needed {
            return Err(Error::OutputLength { got, needed }.into());
        }
        let count = cipher.update(input, length, output)?;
        memory::put(written, count)
    })
}

/// Ends a message in pieces: pads, or checks and takes off the padding. At most a block is
/// written, none without padding.
///
/// # Safety
/// As [`cipherlane_cipher_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_final(
    cipher: *mut cipherlane_cipher,
    output: *mut u8,
    output_size: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let cipher = memory::object(cipher)?;
        memory::put(written, 0)?;
        let count = cipher.finish(memory::output(output, output_size)?)?;
        memory::put(written, count)
    })
}

/// Starts another message under the same key.
///
/// # Safety
/// `cipher` is null or alive and used by nobody else; `iv` is null or valid for its length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_reset(
    cipher: *mut cipherlane_cipher,
    iv: *const u8,
    iv_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    guard(|| unsafe { memory::object(cipher)?.reset(memory::input(iv, iv_length)?) })
}

/// One message from key and IV to the last byte, padding included.
///
/// # Safety
/// As [`cipherlane_cipher_new`] and [`cipherlane_cipher_update`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_cipher_once(
    algorithm: *const c_char,
    operation: *const c_char,
    options: *const cipherlane_options,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    input: *const u8,
    length: usize,
    output: *mut u8,
    output_size: usize,
    written: *mut usize,
) -> c_int {
    // SAFETY: the caller's promises; the object is this function's own.
    unsafe {
        let mut cipher = std::ptr::null_mut();
        let made = cipherlane_cipher_new(
            &raw mut cipher,
            algorithm,
            operation,
            options,
            key,
            key_length,
            iv,
            iv_length,
        );
        if made != Status::Ok as c_int {
            return made;
        }
        let mut done =
            cipherlane_cipher_update(cipher, input, length, output, output_size, written);
        if done == Status::Ok as c_int {
            let (taken, mut last) = (*written, 0);
            let rest = if output.is_null() { output } else { output.add(taken) };
            done = cipherlane_cipher_final(cipher, rest, output_size - taken, &raw mut last);
            *written = taken + last;
        }
        cipherlane_cipher_free(cipher);
        done
    }
}
