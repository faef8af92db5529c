//! SM4-CTR as a user calls it; prints the level and nanoseconds per byte.
#![forbid(unsafe_code)]

use std::hint::black_box;
use std::time::Instant;

use cipherlane::modes::ctr::Ctr;
use cipherlane::{BlockCipher, Error, Sm4, StreamCipher};

/// Bytes of one message.
const SIZE: usize = 8192;
/// Messages of one sample.
const REPEATS: usize = 64;
/// Samples, of which the fastest counts.
const SAMPLES: usize = 41;

fn main() -> Result<(), Error> {
    let sm4 = Sm4::new(b"sixteen byte key")?;
    let mut data = vec![0x5a; SIZE];
    let mut fastest = f64::INFINITY;
    for _ in 0..SAMPLES {
        let start = Instant::now();
        for message in 0..REPEATS as u128 {
            let mut ctr = Ctr::new(&sm4, &message.to_be_bytes())?;
            ctr.apply(black_box(&mut data))?;
        }
        let nanoseconds = start.elapsed().as_secs_f64() * 1e9;
        fastest = fastest.min(nanoseconds / (REPEATS * SIZE) as f64);
    }
    println!("{} {fastest}", sm4.level());
    Ok(())
}
