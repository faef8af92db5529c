//! IVs of 3GPP: made of COUNT, BEARER and DIRECTION.

use std::ffi::{c_char, c_int};

use ciphers::air::Frame;
use ciphers::registry::{self, Operation};
use ciphers::{Error, Sizes};

use crate::memory;
use crate::status::{Outcome, Status, guard, said};

/// Makes the IV of a packet of LTE or 5G, which is that of an operation: `nea1` and `nia1` of `snow3g`,
/// `nea2` of `aes-128`, `eea3` and `eia3` of `zuc-128`, `nea4` and `nia4` of `snow-5g`, `nea5` and `nia5` of
/// `aes-256`, `nea6` and `nia6` of `zuc-256-2023` have IVs of 16 bytes, `nia2` of `aes-128` has one of 8,
/// `nca4`, `nca5` and `nca6` a nonce of 16, and `nea1+nia1`, `nea2+nia2` and `eea3+eia3` the IVs of
/// both one behind the other, 32 bytes and of `nea2+nia2` 24. `bearer` is from 0 to 31, `direction` 0
/// for uplink and 1 for downlink. COUNT never comes twice under one key with the same BEARER and DIRECTION.
///
/// `tag_length` is the tag's in bytes where the IV tells it (`nia4` to `nia6`, `nca4` to `nca6`: 4 to
/// 16; 0 for 16), else 0.
///
/// The IVs of the 128-bit algorithms are those of TS 33.501, TS 35.215 and TS 35.221. Those of `nea4` to
/// `nca6` are ASSUMED: the texts of TS 35.240, 35.244 and 35.246 were not at hand, and where COUNT, BEARER
/// and DIRECTION stand was put together from published test data. Who must work together with other
/// makers' equipment compares them with the specification first.
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

/// Every operation of 3GPP.
fn all(frame: Frame) -> impl Iterator<Item = Operation> {
    let all = registry::ALGORITHMS.iter().flat_map(registry::operations);
    all.filter(move |it| it.air_iv(frame).is_some())
}

fn made(name: &str, frame: Frame, tag: usize) -> Outcome<Vec<u8>> {
    // Both directions of an AEAD have one nonce.
    let Some(operation) = all(frame).find(|it| it.name == name || it.mode() == name) else {
        let mut known: Vec<&str> = all(frame).map(|it| it.mode()).collect();
        known.dedup();
        let text = format!("no operation of 3GPP is called `{name}`; known: {}", known.join(", "));
        return Err(said(Status::UnknownOperation, text));
    };
    let told = operation.tag.min < operation.tag.max;
    if !told && tag != 0 {
        let text = format!("a tag of {tag} bytes for {name}; allowed: 0, as its IV tells none");
        return Err(said(Status::Length, text));
    }
    let operation = if tag == 0 { operation } else { operation.with_tag_len(tag)? };
    match operation.air_iv(frame) {
        Some(iv) => Ok(iv?.to_vec()),
        None => Err(said(Status::UnknownOperation, format!("{name} has no IV of 3GPP"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_name_makes_an_iv_of_its_operation() {
        let frame = Frame::from_numbers(1, 2, 1).expect("in range");
        for name in [
            "nea1",
            "nia1",
            "nea1+nia1",
            "nea2",
            "nia2",
            "nea2+nia2",
            "eea3",
            "eia3",
            "eea3+eia3",
            "nea4",
            "nia4",
            "nca4",
            "nea5",
            "nia5",
            "nca5",
            "nea6",
            "nia6",
            "nca6",
        ] {
            let found = all(frame).find(|it| it.mode() == name);
            let found = found.unwrap_or_else(|| panic!("{name} is registered"));
            let iv = made(name, frame, 0).expect("an IV");
            assert!(found.iv.allow(iv.len()), "{name}");
            assert_eq!(iv[..4] == [0, 0, 0, 1], !found.assumes_air_iv(), "{name}");
            let told = made(name, frame, 8).is_ok();
            assert_eq!(
                told,
                name.starts_with("nca") || ["nia4", "nia5", "nia6"].contains(&name),
                "{name}"
            );
        }
        let refused = made("nea7", frame, 0);
        assert!(refused.is_err());
    }
}
