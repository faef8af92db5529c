//! ZUC-256 as the keystream of 256-NEA6, 256-NIA6 and 256-NCA6.

use lanes::Level;

use super::Zuc256Of2023;
use crate::air256::hash::Head;
use crate::air256::{Family, Source};
use crate::error::Error;
use crate::first_use::admit;
use crate::traits::stream::StreamCipher;

/// ZUC-256 (2023) as a family of the air interface.
#[derive(Clone, Copy, Debug)]
pub enum OfZuc256 {}

impl Family for OfZuc256 {}

impl Source for OfZuc256 {
    const NAMES: [&'static str; 3] = ["Nea6", "Nia6", "Nca6"];

    type Stream = Zuc256Of2023;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &super::ANSWER)
    }

    fn stream(key: &[u8], iv: &[u8], level: Level) -> Result<Zuc256Of2023, Error> {
        Zuc256Of2023::with_level(key, iv, level)
    }

    fn start(key: &[u8], iv: &[u8], level: Level, head: &mut Head) -> Result<Zuc256Of2023, Error> {
        let mut stream = Zuc256Of2023::within(key, iv, level)?;
        stream.keystream(head.as_flattened_mut())?;
        Ok(stream)
    }

    fn restart(stream: &mut Zuc256Of2023, iv: &[u8], head: &mut Head) -> Result<(), Error> {
        stream.reset(iv)?;
        stream.keystream(head.as_flattened_mut())
    }

    fn fork(stream: &Zuc256Of2023) -> Zuc256Of2023 {
        stream.clone_under_the_same_iv()
    }
}
