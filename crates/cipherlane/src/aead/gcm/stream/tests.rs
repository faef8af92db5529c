//! The limits of a message.

use super::*;
use crate::aead::gcm::check_limits;
use crate::ciphers::sm4::Sm4;

/// Too long for a test that really encrypts so much, so the object is told
/// that it has.
#[test]
fn limits_hold_to_the_byte() {
    let gcm = Gcm::new(Sm4::new(&[7; 16]).unwrap()).unwrap();
    let mut stream = GcmStream::new(&gcm, Direction::Encrypt, &[1; 12]).unwrap();
    stream.lengths = (AAD - 5, MESSAGE - 5);
    let limit =
        |limit| move |result| matches!(result, Err(Error::Limit { limit: l, .. }) if l == limit);
    assert!(limit((1 << 61) - 1)(stream.aad(&[0; 6])));
    stream.aad(&[0; 5]).unwrap();
    let mut data = [9; 6];
    assert!(limit(((1 << 32) - 2) * 16)(stream.update((&mut data[..]).into())));
    assert_eq!(data, [9; 6]);
    stream.update((&mut data[..5]).into()).unwrap();
    assert!(limit(((1 << 32) - 2) * 16)(stream.update((&mut data[..1]).into())));

    assert_eq!(check_limits(AAD, MESSAGE), Ok(()));
    assert!(limit(AAD)(check_limits(AAD + 1, 0)));
    assert!(limit(MESSAGE)(check_limits(0, MESSAGE + 1)));
}
