//! Bytes as texts of hexadecimal digits.

use std::fmt::Write as _;

/// The text of bytes.
pub(crate) fn text(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        // A string takes any text.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of a text; none if it is no such text.
pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| {
        let digits = pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit);
        u8::from_str_radix(str::from_utf8(pair).ok().filter(|_| digits)?, 16).ok()
    };
    pairs.map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gives_its_bytes_or_none() {
        assert_eq!(bytes(&text(&[0, 0x1f, 0xff])), Some(vec![0, 0x1f, 0xff]));
        assert_eq!((text(&[10, 11]), bytes("")), ("0a0b".to_owned(), Some(Vec::new())));
        assert_eq!([bytes("1"), bytes("0x"), bytes("+1"), bytes("é")], [None, None, None, None]);
    }
}
