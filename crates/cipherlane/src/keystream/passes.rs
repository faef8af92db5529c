//! Which messages share a pass of the lanes, by how many there are.
//!
//! A pass takes what it takes however many of its lanes are idle. Where a level has one with half
//! the lanes beside it, a few messages run there, and what one pass there and a few messages alone
//! do sooner than a pass of all lanes is done so; `docs/notes/lanes-by-number.md`.

/// What a pass takes; all in parts of the same unit.
#[derive(Clone, Copy, Debug)]
pub struct Passes {
    /// A pass of all lanes of the level.
    pub full: usize,
    /// The same where the CPU works on long registers in halves.
    pub in_halves: usize,
    /// A pass of half as many, at the level that has those.
    pub half: usize,
    /// A message alone.
    pub alone: usize,
}

/// What is done next of the messages that are left.
#[cfg(feature = "alloc")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pass {
    /// How many messages.
    pub(super) count: usize,
    /// Whether at the level with half the lanes.
    pub(super) halved: bool,
}

#[cfg(feature = "alloc")]
impl Passes {
    /// What they are on a CPU that works on long registers in halves, or on another one.
    pub(super) const fn on(self, in_halves: bool) -> Self {
        Self { full: if in_halves { self.in_halves } else { self.full }, ..self }
    }

    /// The next pass where so many messages are `left`; `half` lanes are those of the level with
    /// shorter registers, if there is one.
    pub(super) const fn next(self, left: usize, lanes: usize, half: Option<usize>) -> Pass {
        if let Some(half) = half
            && left > half
            && 2 * self.half < self.full
        {
            return Pass { count: half, halved: true };
        }
        if let Some(half) = half
            && left < lanes
        {
            let fits = left <= half;
            let beyond = if fits { 0 } else { left - half };
            // More than a few beyond it are a second pass: that is never less than a full one.
            if self.half + beyond * self.alone < self.full {
                return Pass { count: if fits { left } else { half }, halved: true };
            }
        }
        Pass { count: if left < lanes { left } else { lanes }, halved: false }
    }
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;

    /// Every pass of so many messages.
    fn all(passes: Passes, mut left: usize, half: Option<usize>) -> impl Iterator<Item = Pass> {
        core::iter::from_fn(move || {
            let pass = passes.next(left, 16, half);
            left -= pass.count;
            (pass.count > 0).then_some(pass)
        })
    }

    #[test]
    fn no_message_is_left_out_and_no_pass_has_more_than_its_lanes() {
        let passes = Passes { full: 20, in_halves: 21, half: 10, alone: 3 };
        for count in 1..=600 {
            for half in [None, Some(8)] {
                let mut sum = 0;
                for pass in all(passes, count, half) {
                    assert!(pass.count <= if pass.halved { 8 } else { 16 }, "{count}: {pass:?}");
                    assert!(!pass.halved || half.is_some());
                    sum += pass.count;
                }
                assert_eq!(sum, count);
            }
        }
    }

    #[test]
    fn a_few_beyond_half_the_lanes_wait_for_a_pass_of_their_own() {
        let passes = Passes { full: 20, in_halves: 21, half: 10, alone: 3 };
        let first = |count| passes.next(count, 16, Some(8));
        for count in 1..=8 {
            assert_eq!(first(count), Pass { count, halved: true });
        }
        // 10 + 3 × 3 is less than 20, 10 + 4 × 3 is not.
        for count in 9..=11 {
            assert_eq!(first(count), Pass { count: 8, halved: true });
        }
        for count in 12..=16 {
            assert_eq!(first(count), Pass { count, halved: false });
        }
        assert_eq!(first(600), Pass { count: 16, halved: false });
    }

    #[test]
    fn where_a_pass_takes_more_than_two_of_half_the_lanes_all_are_halved() {
        let passes = Passes { full: 20, in_halves: 21, half: 10, alone: 3 }.on(true);
        for count in 1..=600 {
            for pass in all(passes, count, Some(8)) {
                assert!(pass.halved && pass.count <= 8, "{count}: {pass:?}");
            }
            assert!(all(passes, count, None).all(|pass| !pass.halved));
        }
    }

    #[test]
    fn whose_short_registers_lack_something_stays_in_the_long_ones() {
        let passes = Passes { full: 100, in_halves: 100, half: 105, alone: 30 };
        for count in 1..=16 {
            assert_eq!(passes.next(count, 16, Some(8)), Pass { count, halved: false });
        }
    }
}
