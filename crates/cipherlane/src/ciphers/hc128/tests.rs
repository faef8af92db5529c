//! The end of the keystream, which no test can reach by running there.

use super::*;

#[test]
fn nothing_is_written_past_the_limit() {
    let mut cipher = Hc128::new(&[1; 16], &[2; 16]).unwrap();
    cipher.left = 70;
    let mut data = [7; 71];
    let refused = Error::Limit { what: "keystream bytes under one key and IV", limit: 1 << 61 };
    assert_eq!(cipher.apply(&mut data), Err(refused));
    assert_eq!(data, [7; 71]);
    cipher.apply(&mut data[..70]).unwrap();
    assert_eq!(cipher.apply(&mut data[70..]), Err(refused));
    cipher.reset(&[2; 16]).unwrap();
    cipher.apply(&mut data[..70]).unwrap();
    assert_eq!(data, [7; 71]);
    assert_eq!(cipher.left, LIMIT - 70);
}
