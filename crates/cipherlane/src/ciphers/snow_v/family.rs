//! SNOW 5G as the keystream of 256-NEA4, 256-NIA4 and 256-NCA4.

use lanes::Level;

use super::{ANSWER, NO_NAMES, OfSnow5g, Snow5g};
use crate::air256::hash::Head;
use crate::air256::{Family, Source};
use crate::error::Error;
use crate::first_use::admit;

impl Family for OfSnow5g {}

impl Source for OfSnow5g {
    const NAMES: [&'static str; 3] = ["Nea4", "Nia4", "Nca4"];

    type Stream = Snow5g;

    fn admit(level: Level) -> Result<(), Error> {
        admit(level, &ANSWER)
    }

    fn stream(key: &[u8], iv: &[u8], level: Level) -> Result<Snow5g, Error> {
        Snow5g::with_level(key, iv, level)
    }

    fn start(key: &[u8], iv: &[u8], level: Level, head: &mut Head) -> Result<Snow5g, Error> {
        Snow5g::within(key, iv, level, &NO_NAMES, head)
    }

    fn restart(stream: &mut Snow5g, iv: &[u8], head: &mut Head) -> Result<(), Error> {
        stream.restart(iv, Some(head))
    }

    fn fork(stream: &Snow5g) -> Snow5g {
        stream.clone_under_the_same_iv()
    }
}
