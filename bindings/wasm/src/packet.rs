//! IVs of the 3GPP algorithms, made of what a packet is known by.

use ciphers::Error;
use ciphers::air::{Bearer, Count, Direction};
use ciphers::zuc::Frame;
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

    /// The IV of that operation, with tags of so many bytes where it depends on them; none where
    /// nothing is known of it.
    ///
    /// # Errors
    /// A length that no tag has.
    pub fn iv(&self, operation: &str, tag: usize) -> Outcome<Option<Uint8Array>> {
        let iv = match operation {
            "eea3" => Ok(self.0.eea3_iv()),
            "eia3" => Ok(self.0.eia3_iv()),
            "nea6" => Ok(self.0.assumed_nea6_iv()),
            "nia6" => self.0.assumed_nia6_iv(tag),
            "nca6" => self.0.assumed_nca6_nonce(tag),
            _ => return Ok(None),
        };
        iv.map(|iv| Some(array(&iv))).map_err(raise_error)
    }
}
