//! Messages in the order of their lengths, the longest first.
//!
//! A message stands there with its length, so that what sorts asks no cipher: it is compiled once, and
//! not again for each of them.

use core::cmp::Reverse;

/// A message of those that are put in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    len: Reverse<usize>,
    message: usize,
}

impl Place {
    /// Of no message yet.
    pub(crate) const EMPTY: Self = Self::new(0, 0);

    /// A message of that number and length.
    pub(crate) const fn new(message: usize, len: usize) -> Self {
        Self { len: Reverse(len), message }
    }

    /// The message's number.
    pub(crate) const fn message(self) -> usize {
        self.message
    }
}

/// Puts messages in order, the longest first; those of one length in the order of their numbers.
#[inline(never)]
pub(crate) fn longest_first(places: &mut [Place]) {
    places.sort_unstable();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_is_first_and_equal_ones_keep_their_order() {
        let lens = [3, 0, 64, 3, usize::MAX, 1500, 64, 3];
        let mut places = [Place::EMPTY; 8];
        for (message, len) in lens.into_iter().enumerate() {
            places[message] = Place::new(message, len);
        }
        longest_first(&mut places);
        assert_eq!(places.map(Place::message), [4, 5, 2, 6, 0, 3, 7, 1]);
    }
}
