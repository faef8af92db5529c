//! Splitting a message for streaming.

use std::ops::Range;

/// The lengths, in units, that a streamed message is cut into, over and over.
const PATTERNS: [&[usize]; 5] = [&[1], &[2, 1, 5], &[7, 16, 1, 33], &[0, 64, 3], &[usize::MAX]];

/// How streamed messages are cut into pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cuts {
    /// In five ways.
    #[default]
    Few,
    /// In those, in two pieces in every way, and in many pieces at random. Of messages of more
    /// than 600 units only the ends are cut in every way, of more than 4096 a sample.
    Every,
}

/// Messages of up to so many units are cut in two in every way.
const SHORT: usize = 600;
/// Of longer ones so many units from both ends; of those longer than the second, a sample.
const END: usize = 280;
const LONG: usize = 4096;

impl Cuts {
    /// The patterns for a message of so many units.
    pub(super) fn patterns(self, units: usize) -> Vec<Vec<usize>> {
        let mut patterns: Vec<Vec<usize>> = PATTERNS.iter().map(|it| it.to_vec()).collect();
        if self == Self::Few {
            return patterns;
        }
        let cut = |&at: &usize| {
            if units <= SHORT {
                true
            } else if units <= LONG {
                at <= END || units - at <= END || at.is_multiple_of(97)
            } else {
                at % (units / 12) == 11
            }
        };
        patterns.extend((1..units).filter(cut).map(|at| vec![at, usize::MAX]));
        let mut state = units as u64;
        let mut below = |end: usize| {
            // Knuth's multiplier: the upper bits look random, and no more is asked for.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % end
        };
        for longest in [3, 9, 20, 70, 300] {
            patterns.push((0..17).map(|_| below(longest)).chain([1]).collect());
        }
        patterns
    }
}

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
        for len in [0, 1, 2, 16, 17, 100, 700, 5000] {
            for pattern in Cuts::Every.patterns(len) {
                let mut end = 0;
                for piece in pieces(len, 1, &pattern) {
                    assert_eq!(piece.start, end);
                    end = piece.end;
                }
                assert_eq!(end, len);
            }
        }
    }

    #[test]
    fn every_way_into_two_pieces_is_there() {
        let few = Cuts::Few.patterns(100);
        assert_eq!(few.len(), PATTERNS.len());
        let every = Cuts::Every.patterns(100);
        assert!((1..100).all(|at| every.contains(&vec![at, usize::MAX])));
        assert_eq!(every.len(), few.len() + 99 + 5);
        assert!(Cuts::Every.patterns(5000).len() < 50);
    }

    #[test]
    fn units_stay_whole() {
        assert_eq!(pieces(64, 16, &[2, 1, 5]), [0..32, 32..48, 48..64]);
    }
}
