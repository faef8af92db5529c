//! A packet of LTE by 128-EEA3, and its tag by 128-EIA3 (TS 35.221).
use cipherlane::Error;
use cipherlane::air::{Bearer, Count, Direction};
use cipherlane::zuc::{Eea3, Eia3};

fn main() -> Result<(), Error> {
    let (key, tag_key) = ([7; 16], [8; 16]);
    let (count, bearer, direction) = (Count(0x6603_5492), Bearer::new(15)?, Direction::Uplink);
    let mut packet = *b"a packet";
    let tag = Eia3::new(&tag_key, count, bearer, direction)?.mac(&packet, 64)?;
    for _ in 0..2 {
        Eea3::new(&key, count, bearer, direction)?.apply(packet.as_mut_slice().into(), 64)?;
    }
    assert_eq!(&packet, b"a packet");
    Eia3::new(&tag_key, count, bearer, direction)?.verify(&packet, 64, &tag)
}
