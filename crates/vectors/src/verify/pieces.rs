//! Splitting a message for streaming.

use std::ops::Range;

/// The lengths, in units, that a streamed message is cut into, over and over.
pub(super) const PATTERNS: [&[usize]; 5] =
    [&[1], &[2, 1, 5], &[7, 16, 1, 33], &[0, 64, 3], &[usize::MAX]];

/// Cuts `0..len` by a pattern of lengths in units of `unit` bytes; the last
/// piece is what is left.
pub(super) fn pieces(len: usize, unit: usize, pattern: &[usize]) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for units in pattern.iter().cycle() {
        let end = start + units.saturating_mul(unit).min(len - start);
        out.push(start..end);
        start = end;
        if start == len {
            return out;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_follow_each_other_to_the_end() {
        for pattern in PATTERNS {
            for len in [0, 1, 2, 16, 17, 100] {
                let mut end = 0;
                for piece in pieces(len, 1, pattern) {
                    assert_eq!(piece.start, end);
                    end = piece.end;
                }
                assert_eq!(end, len);
            }
        }
    }

    #[test]
    fn units_stay_whole() {
        assert_eq!(pieces(64, 16, &[2, 1, 5]), [0..32, 32..48, 48..64]);
    }
}
