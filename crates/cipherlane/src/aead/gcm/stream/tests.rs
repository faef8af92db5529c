//! The limits of a message.

use super::*;
use crate::aead::gcm::check_limits;
use crate::ciphers::sm4::Sm4;

/// Counters whose last 32 bits overflow anywhere in a piece, which a kernel for messages takes or,
/// in pieces that are too short for it, counter mode: nonces of 12 bytes never come so far.
#[cfg(feature = "aes")]
#[test]
fn counters_wrap_in_pieces_of_any_length() {
    use alloc::vec;
    use lanes::Level;

    use crate::ciphers::aes::Aes;

    const LEN: usize = 2 * 4096 + 80;
    for level in Level::available() {
        for (bytes, before) in (0..80).map(|i| ([16, 24, 32][i % 3], 7 * i as u32)) {
            let key = [7; 32];
            let gcm = Gcm::new(Aes::with_level(&key[..bytes], level).unwrap()).unwrap();
            for direction in [Direction::Encrypt, Direction::Decrypt] {
                let through = |piece: usize| {
                    let mut stream = GcmStream::new(&gcm, direction, &[1; 12]).unwrap();
                    let low = u32::MAX - before;
                    stream.first[12..].copy_from_slice(&low.to_be_bytes());
                    let next = low.wrapping_add(u32::from(stream.alone));
                    stream.counter[12..].copy_from_slice(&next.to_be_bytes());
                    let mut data = vec![0xa5; LEN];
                    data.chunks_mut(piece).for_each(|it| stream.update(it.into()).unwrap());
                    let tag = stream.end(direction, BLOCK).unwrap();
                    (data, tag)
                };
                let expected = through(BLOCK);
                for piece in [256, 272, 1040, 4096, LEN] {
                    assert!(through(piece) == expected, "{level}, {before} before, {piece} each");
                }
            }
        }
    }
}

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
