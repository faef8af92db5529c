//! A tag without encryption: CMAC, in pieces, and checked in constant time.
use cipherlane::mac::cmac::Cmac;
use cipherlane::{Error, Mac, Sm4};

fn main() -> Result<(), Error> {
    let mut mac = Cmac::new(Sm4::new(&[7; 16])?)?;
    let mut tag = [0; 16];
    mac.update(b"a message ")?;
    mac.update(b"in pieces")?;
    mac.finish(&mut tag)?;
    mac.update(b"a message in pieces")?;
    mac.verify(&tag)
}
