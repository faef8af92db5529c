//! IVs of the 3GPP algorithms, made of what a packet is known by.

use ciphers::air::{Bearer, Count, Direction, Frame};
use ciphers::registry::{self, Constructor, Operation};
use ciphers::{Error, Sizes};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::buffer::array;
use crate::failures::{Outcome, raise_error};

/// COUNT, BEARER and DIRECTION of a packet.
#[wasm_bindgen]
pub struct Packet(Frame);

#[wasm_bindgen]
impl Packet {
    /// COUNT of 32 bits, BEARER of 5, and DIRECTION, 0 for uplink and 1 for downlink. The wrapper
    /// lets only whole numbers through.
    ///
    /// # Errors
    /// Numbers of more bits.
    #[wasm_bindgen(constructor)]
    pub fn new(count: f64, bearer: f64, direction: f64) -> Outcome<Self> {
        let max = u64::from(u32::MAX);
        let range = Error::Value { field: "COUNT", got: count as u64, min: 0, max };
        let count = u32::try_from(count as u64).map_err(|_| raise_error(range))?;
        // What is above 255 is as much too large as 255.
        let small = |number: f64| number.min(255.0) as u8;
        let bearer = Bearer::new(small(bearer)).map_err(raise_error)?;
        let direction = Direction::new(small(direction)).map_err(raise_error)?;
        Ok(Self(Frame::new(Count(count), bearer, direction)))
    }

    /// The IV of that operation, with tags of so many bytes where it depends on them (0: 16); none
    /// where nothing is known of it.
    ///
    /// # Errors
    /// A length that no tag has, or one where the IV tells none.
    pub fn iv(&self, operation: &str, tag: usize) -> Outcome<Option<Uint8Array>> {
        // Both directions of an AEAD have one nonce.
        let Some(found) = all(self.0).find(|it| it.name == operation || it.mode() == operation)
        else {
            return Ok(None);
        };
        let told = found.tag.min < found.tag.max;
        let found = match tag {
            0 => found,
            _ if told || found.tag.allow(tag) => found.with_tag_len(tag).map_err(raise_error)?,
            got => {
                let allowed = Sizes::exactly(0);
                return Err(raise_error(Error::Length { field: "tag", got, allowed }));
            }
        };
        let iv = found.air_iv(self.0).transpose().map_err(raise_error)?;
        Ok(iv.map(|iv| array(&iv)))
    }

    /// The names of all operations that have such an IV.
    pub fn operations() -> Vec<String> {
        let any = Frame::from_numbers(0, 0, 0).map(all).into_iter().flatten();
        let mut names: Vec<String> = any.map(|it| it.mode().to_owned()).collect();
        names.dedup();
        names
    }
}

/// Every operation of 3GPP but those of two algorithms at once, which are no AEADs and none here.
fn all(frame: Frame) -> impl Iterator<Item = Operation> {
    let all = registry::ALGORITHMS.iter().flat_map(registry::operations);
    all.filter(move |it| it.air_iv(frame).is_some() && !matches!(it.new, Constructor::Pdu(_)))
}
