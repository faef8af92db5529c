//! A message sealed under a key and a nonce that are drawn here, and opened again.
use cipherlane::aead::named::Sm4Gcm;
use cipherlane::aead::sealer::Sealer;
use cipherlane::{Error, Key};

fn main() -> Result<(), Error> {
    let key = Key::<16>::generate()?;
    let sealer = Sealer::new(Sm4Gcm::from_key(key.bytes())?)?;
    let sealed = sealer.seal(b"for whom", b"a message")?;
    assert_eq!(sealer.open(b"for whom", &sealed)?, b"a message");
    assert_eq!(sealer.open(b"for others", &sealed), Err(Error::Authentication));
    Ok(())
}
