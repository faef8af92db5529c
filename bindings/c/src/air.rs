//! IVs of 3GPP: made of COUNT, BEARER and DIRECTION.

use std::ffi::{c_char, c_int};

use ciphers::zuc::Frame;
use ciphers::{Error, Sizes};

use crate::memory;
use crate::status::{Outcome, Status, guard, said};

/// Makes the IV of a packet of LTE or 5G, which is that of an operation: `eea3` and `eia3` of
/// `zuc-128`, `nea6` and `nia6` of `zuc-256-2023` have IVs of 16 bytes, `nca6` of `zuc-256-2023` a
/// nonce of 16, and `eea3+eia3` of `zuc-128` the IVs of both one behind the other, 32 bytes.
/// `bearer` is from 0 to 31, `direction` 0 for uplink and 1 for downlink. COUNT never comes twice
/// under one key with the same BEARER and DIRECTION.
///
/// `tag_length` is the tag's in bytes where the IV tells it (`nia6`, `nca6`: 4 to 16; 0 for
/// 16), else 0.
///
/// The IVs of `eea3` and `eia3` are those of TS 35.221. Those of `nea6`, `nia6` and `nca6` are
/// ASSUMED: the text of TS 35.246 was not at hand, and where COUNT, BEARER and DIRECTION stand
/// was put together from published test data. Who must work together with other makers'
/// equipment compares them with the specification first.
///
/// # Safety
/// `operation` is null or ends with a zero byte; `iv` is null or valid for `iv_length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cipherlane_3gpp_iv(
    operation: *const c_char,
    count: u32,
    bearer: u32,
    direction: u32,
    tag_length: usize,
    iv: *mut u8,
    iv_length: usize,
) -> c_int {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let operation = memory::text("operation", operation)?;
        let frame = Frame::from_numbers(
            count,
            small("BEARER", bearer, 31)?,
            small("DIRECTION", direction, 1)?,
        )?;
        let made = made(operation, frame, tag_length)?;
        let (got, allowed) = (iv_length, Sizes::exactly(made.len()));
        if got != made.len() {
            return Err(Error::Length { field: "iv", got, allowed }.into());
        }
        memory::output("iv", iv, iv_length)?.copy_from_slice(&made);
        Ok(())
    })
}

/// A number that a byte holds.
fn small(field: &'static str, number: u32, max: u64) -> Result<u8, Error> {
    u8::try_from(number).map_err(|_| Error::Value { field, got: number.into(), min: 0, max })
}

fn made(operation: &str, frame: Frame, tag: usize) -> Outcome<Vec<u8>> {
    let told = ["nia6", "nca6"].contains(&operation);
    let iv = match operation {
        "eea3" => frame.eea3_iv().to_vec(),
        "eia3" => frame.eia3_iv().to_vec(),
        "eea3+eia3" => frame.nonce().to_vec(),
        "nea6" => frame.assumed_nea6_iv().to_vec(),
        "nia6" => frame.assumed_nia6_iv(if tag == 0 { 16 } else { tag })?.to_vec(),
        "nca6" => frame.assumed_nca6_nonce(if tag == 0 { 16 } else { tag })?.to_vec(),
        other => {
            let text = format!("no operation of 3GPP is called `{other}`; known: {KNOWN}");
            return Err(said(Status::UnknownOperation, text));
        }
    };
    if !told && tag != 0 {
        let text =
            format!("a tag of {tag} bytes for {operation}; allowed: 0, as its IV tells none");
        return Err(said(Status::Length, text));
    }
    Ok(iv)
}

const KNOWN: &str = "eea3, eia3, eea3+eia3, nea6, nia6, nca6";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_makes_an_iv_of_its_operation() {
        for name in KNOWN.split(", ") {
            let of = |it: &ciphers::registry::Operation| it.mode() == name;
            let mut all = ciphers::registry::ALGORITHMS.iter();
            let found = all.find_map(|it| ciphers::registry::operations(it).find(of));
            let found = found.unwrap_or_else(|| panic!("{name} is registered"));
            let frame = Frame::from_numbers(1, 2, 1).expect("in range");
            let iv = made(name, frame, 0).expect("an IV");
            assert!(found.iv.allow(iv.len()), "{name}");
            assert_eq!(iv[..4] == [0, 0, 0, 1], name.starts_with('e'), "{name}");
        }
    }
}
