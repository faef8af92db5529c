//! Messages under nonces that the protocol counts, as in a channel.
use cipherlane::aead::named::Aes256Gcm;
use cipherlane::{Aead, Error};

fn main() -> Result<(), Error> {
    let gcm = Aes256Gcm::from_key(&[7; 32])?;
    for count in 0_u64..3 {
        let nonce = [&[0; 4][..], &count.to_be_bytes()].concat();
        let sealed = gcm.seal_to_vec(&nonce, b"header", b"a record")?;
        assert_eq!(gcm.open_to_vec(&nonce, b"header", &sealed)?, b"a record");
    }
    Ok(())
}
