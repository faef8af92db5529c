//! A message that comes in pieces, under one tag at its end.
use cipherlane::aead::AeadStream;
use cipherlane::aead::gcm::GcmStream;
use cipherlane::aead::named::Sm4Gcm;
use cipherlane::modes::Direction;
use cipherlane::{Aead, Error};

fn main() -> Result<(), Error> {
    let (gcm, nonce) = (Sm4Gcm::from_key(&[7; 16])?, [1; 12]);
    let (mut data, mut tag) = (*b"a message in pieces", [0; 16]);
    let mut stream = GcmStream::new(&gcm, Direction::Encrypt, &nonce)?;
    for piece in data.chunks_mut(5) {
        stream.update(piece.into())?;
    }
    stream.finish(&mut tag)?;
    assert_eq!(gcm.open_to_vec(&nonce, b"", &[&data[..], &tag].concat())?, b"a message in pieces");
    Ok(())
}
