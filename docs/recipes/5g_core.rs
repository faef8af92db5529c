//! NEA and NIA of TS 33.501 annex D behind the functions that a 5G core written in Rust has for them:
//! COUNT, BEARER, DIRECTION and a key beside the data. `docs/AIR.md` tells more.

use cipherlane::Error;
use cipherlane::air::{Bearer, Count, Direction};
use cipherlane::mac::nia2::Nia2;
use cipherlane::modes::nea2::Nea2;
use cipherlane::snow3g::{Nea1, Nia1};
use cipherlane::zuc::{Eea3, Eia3};

/// Why a message is refused.
#[derive(Debug)]
pub enum NasError {
    /// No such identity of TS 33.501 clause 5.11.1 here.
    Algorithm(u8),
    /// The library refuses a value.
    Value(Error),
}

impl From<Error> for NasError {
    fn from(error: Error) -> Self {
        Self::Value(error)
    }
}

/// Encrypts or decrypts data in place; 0 is the null algorithm.
pub fn nea(
    identity: u8,
    count: u32,
    bearer: u8,
    direction: u8,
    key: &[u8; 16],
    data: &mut [u8],
) -> Result<(), NasError> {
    let (count, bearer, direction) =
        (Count(count), Bearer::new(bearer)?, Direction::new(direction)?);
    let bits = 8 * data.len() as u64;
    if bits == 0 {
        return Ok(());
    }
    match identity {
        0 => {}
        1 => Nea1::new(key, count, bearer, direction)?.apply(data.into(), bits)?,
        2 => Nea2::new(key, count, bearer, direction)?.apply(data.into(), bits)?,
        3 => Eea3::new(key, count, bearer, direction)?.apply(data.into(), bits)?,
        other => return Err(NasError::Algorithm(other)),
    }
    Ok(())
}

/// The tag of a message.
pub fn nia(
    identity: u8,
    count: u32,
    bearer: u8,
    direction: u8,
    key: &[u8; 16],
    message: &[u8],
) -> Result<[u8; 4], NasError> {
    let (count, bearer, direction) =
        (Count(count), Bearer::new(bearer)?, Direction::new(direction)?);
    let bits = 8 * message.len() as u64;
    match identity {
        1 => Ok(Nia1::new(key, count, bearer, direction)?.mac(message, bits)?),
        2 => Ok(Nia2::new(key, count, bearer, direction)?.mac(message, bits)?),
        3 => Ok(Eia3::new(key, count, bearer, direction)?.mac(message, bits)?),
        other => Err(NasError::Algorithm(other)),
    }
}

/// Whether a tag is the message's, compared in constant time: a receiver's only right way.
pub fn is_right(
    identity: u8,
    count: u32,
    bearer: u8,
    direction: u8,
    key: &[u8; 16],
    (message, tag): (&[u8], &[u8; 4]),
) -> Result<bool, NasError> {
    let (count, bearer, direction) =
        (Count(count), Bearer::new(bearer)?, Direction::new(direction)?);
    let bits = 8 * message.len() as u64;
    let verified = match identity {
        1 => Nia1::new(key, count, bearer, direction)?.verify(message, bits, tag),
        2 => Nia2::new(key, count, bearer, direction)?.verify(message, bits, tag),
        3 => Eia3::new(key, count, bearer, direction)?.verify(message, bits, tag),
        other => return Err(NasError::Algorithm(other)),
    };
    match verified {
        Ok(()) => Ok(true),
        Err(Error::Authentication) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
