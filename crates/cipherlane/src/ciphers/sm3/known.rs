//! Known answers, for modules that must test themselves before use.

use lanes::Level;

use super::batch::{self, Job};
use super::hmac::HmacSm3;
use super::{DIGEST, HkdfSm3, INITIAL, Sm3};
use crate::error::Error;
use crate::secret::Secret;
use crate::traits::mac::Mac as _;

/// GB/T 32905-2016, A.1 and A.2: of `abc`, and of sixteen times `abcd`.
const DIGESTS: [[u8; DIGEST]; 2] = [
    [
        0x66, 0xc7, 0xf0, 0xf4, 0x62, 0xee, 0xed, 0xd9, 0xd1, 0xf2, 0xd4, 0x6b, 0xdc, 0x10, 0xe4,
        0xe2, 0x41, 0x67, 0xc4, 0x87, 0x5c, 0xf2, 0xf7, 0xa2, 0x29, 0x7d, 0xa0, 0x2b, 0x8f, 0x4b,
        0xa8, 0xe0,
    ],
    [
        0xde, 0xbe, 0x9f, 0xf9, 0x22, 0x75, 0xb8, 0xa1, 0x38, 0x60, 0x48, 0x89, 0xc1, 0x8e, 0x5a,
        0x4d, 0x6f, 0xdb, 0x70, 0xe5, 0x38, 0x7e, 0x57, 0x65, 0x29, 0x3d, 0xcb, 0xa3, 0x9c, 0x0c,
        0x57, 0x32,
    ],
];

/// Under the key of RFC 4231, 4.2, `Hi There`; by OpenSSL 3.0.19.
const TAG: [u8; DIGEST] = [
    0x51, 0xb0, 0x0d, 0x1f, 0xb4, 0x98, 0x32, 0xbf, 0xb0, 0x1c, 0x3c, 0xe2, 0x78, 0x48, 0xe5, 0x9f,
    0x87, 0x1d, 0x9b, 0xa9, 0x38, 0xdc, 0x56, 0x3b, 0x33, 0x8c, 0xa9, 0x64, 0x75, 0x5c, 0xce, 0x70,
];

/// Of the inputs of RFC 5869, A.1; by OpenSSL 3.0.19.
const DERIVED: [u8; 42] = [
    0xc6, 0x9f, 0xe9, 0x1b, 0x7a, 0xae, 0xe2, 0xdd, 0x57, 0x18, 0xd7, 0x2d, 0xca, 0xee, 0x0c, 0xce,
    0x93, 0xf1, 0xb8, 0xe4, 0x1f, 0x79, 0x2d, 0xa5, 0x12, 0x61, 0xb6, 0xa5, 0x17, 0xe6, 0x8b, 0x36,
    0xed, 0x2c, 0x59, 0x55, 0x72, 0xb0, 0x1d, 0xfa, 0x35, 0x9b,
];

/// Published answers of SM3, of one message and of many side by side, and answers of another library for
/// HMAC-SM3 and HKDF-SM3, at a level. With the feature `self-test` this happens before the first object
/// there.
///
/// # Errors
/// [`Error::SelfTest`] names what gave a wrong answer.
pub fn self_test(level: Level) -> Result<(), Error> {
    hashes(level)?;
    let wrong = |algorithm| Err(Error::SelfTest { algorithm, operation: "mac" });
    let mut mac = HmacSm3::with_level(&[0x0b; 20], level)?;
    mac.update(b"Hi There")?;
    if mac.end().0 != TAG {
        return wrong("hmac-sm3");
    }
    let numbers = |from: u8| {
        let mut bytes = [0; 13];
        for (byte, number) in bytes.iter_mut().zip(from..) {
            *byte = number;
        }
        bytes
    };
    let hkdf = HkdfSm3::extract_with_level(&numbers(0), &[0x0b; 22], level)?;
    let mut derived = [0; 42];
    hkdf.expand(&[&numbers(0xf0)[..10]], &mut derived)?;
    if derived == DERIVED {
        return Ok(());
    }
    Err(Error::SelfTest { algorithm: "hkdf-sm3", operation: "derive" })
}

/// Those of the hash, alone and in every lane.
fn hashes(level: Level) -> Result<(), Error> {
    let initial = Secret(INITIAL);
    let long = [*b"abcd"; 16];
    let messages: [&[u8]; 2] = [b"abc", long.as_flattened()];
    let mut right = true;
    for (message, digest) in messages.iter().zip(DIGESTS) {
        let mut sm3 = Sm3::resume(level, &initial, 0);
        sm3.update(message);
        right &= sm3.end() == digest;
    }
    let mut count = 0;
    batch::digests(
        level,
        LANES,
        |index| Job { value: &initial, before: 0, data: messages[index % 2] },
        |index, digest| {
            right &= digest == DIGESTS[index % 2];
            count += 1;
        },
    );
    if right && count == LANES {
        return Ok(());
    }
    Err(Error::SelfTest { algorithm: "sm3", operation: "hash" })
}

/// More messages than the widest register has lanes, so that some are taken over.
const LANES: usize = 19;
