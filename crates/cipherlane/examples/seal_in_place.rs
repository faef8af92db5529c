//! A message sealed where it lies, without an allocation; the tag stands by itself.
use cipherlane::aead::named::Sm4GcmSiv;
use cipherlane::{Aead, Error};

fn main() -> Result<(), Error> {
    let siv = Sm4GcmSiv::from_key(&[7; 16])?;
    let (mut data, mut tag) = (*b"a message", [0; 16]);
    siv.seal(&[1; 12], b"", data.as_mut_slice().into(), &mut tag)?;
    assert_ne!(&data, b"a message");
    siv.open(&[1; 12], b"", data.as_mut_slice().into(), &tag)?;
    assert_eq!(&data, b"a message");
    Ok(())
}
