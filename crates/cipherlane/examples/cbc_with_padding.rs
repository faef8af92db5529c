//! CBC with the padding of PKCS#7, as old formats have it. It authenticates nothing.
use cipherlane::modes::{Buffered, Padding, cbc};
use cipherlane::{Error, Sm4};

fn main() -> Result<(), Error> {
    let (sm4, iv) = (Sm4::new(&[7; 16])?, [1; 16]);
    let mut sealed = [0; 32];
    let mut encryptor = Buffered::new(cbc::Encryptor::new(&sm4, &iv)?, Padding::Pkcs7);
    let done = encryptor.update(b"a message of 21 bytes", &mut sealed)?;
    let length = done + encryptor.finish(&mut sealed[done..])?;
    let mut opened = [0; 48];
    let mut decryptor = Buffered::new(cbc::Decryptor::new(&sm4, &iv)?, Padding::Pkcs7);
    let done = decryptor.update(&sealed[..length], &mut opened)?;
    let length = done + decryptor.finish(&mut opened[done..])?;
    assert_eq!(&opened[..length], b"a message of 21 bytes");
    Ok(())
}
