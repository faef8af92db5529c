//! Base64 as `openssl enc -a` has it, in pieces of any length.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Bytes of a line of 64 characters.
const LINE: usize = 48;

/// Encodes pieces.
pub(crate) struct Encoder {
    held: Vec<u8>,
    /// Lines of 64 characters, else one line.
    lines: bool,
}

impl Encoder {
    pub(crate) const fn new(lines: bool) -> Self {
        Self { held: Vec::new(), lines }
    }

    /// Takes a piece and gives its text; with `last`, all that is left.
    pub(crate) fn piece(&mut self, bytes: &[u8], last: bool) -> String {
        self.held.extend_from_slice(bytes);
        let whole = if last { self.held.len() } else { self.held.len() / LINE * LINE };
        let mut text = String::new();
        for line in self.held[..whole].chunks(LINE) {
            STANDARD.encode_string(line, &mut text);
            if self.lines {
                text.push('\n');
            }
        }
        if last && !self.lines {
            text.push('\n');
        }
        self.held.drain(..whole);
        text
    }
}

/// Decodes pieces, whatever the line ends.
#[derive(Default)]
pub(crate) struct Decoder {
    held: Vec<u8>,
}

impl Decoder {
    /// Takes a piece of text and gives its bytes; none if it is no Base64.
    pub(crate) fn piece(&mut self, text: &[u8], last: bool) -> Option<Vec<u8>> {
        self.held.extend(text.iter().filter(|byte| !byte.is_ascii_whitespace()));
        let whole = if last { self.held.len() } else { self.held.len() / 4 * 4 };
        let bytes = STANDARD.decode(&self.held[..whole]).ok()?;
        self.held.drain(..whole);
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_any_length_give_what_the_whole_gives() {
        let bytes: Vec<u8> = (0..=255).collect();
        for lines in [true, false] {
            for step in [1, 3, 47, 48, 49, 300] {
                let mut encoder = Encoder::new(lines);
                let mut text: String =
                    bytes.chunks(step).map(|piece| encoder.piece(piece, false)).collect();
                text += &encoder.piece(&[], true);
                assert_eq!(text.lines().all(|line| line.len() <= 64), lines);
                assert_eq!(text.replace('\n', ""), STANDARD.encode(&bytes));
                let mut decoder = Decoder::default();
                let mut back = Vec::new();
                for piece in text.as_bytes().chunks(step) {
                    back.extend(decoder.piece(piece, false).unwrap());
                }
                back.extend(decoder.piece(&[], true).unwrap());
                assert_eq!(back, bytes);
            }
        }
        assert_eq!(Decoder::default().piece(b"a*bc", true), None);
    }
}
