//! The lengths of the messages of a batch: all equal, or a mix as networks see it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::LabError;
use crate::input::{Kind, bytes};

/// The lengths of a batch's messages.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Mix {
    /// Every message has the cell's size.
    #[default]
    Equal,
    /// The simple Internet mix: of every twelve messages seven of 40 bytes, four of 576 and
    /// one of 1500, in an order drawn from the seed; where an operation takes whole blocks,
    /// each rounded up to them. The cell's size is the mean, rounded to the nearest byte.
    Imix,
}

/// Twelve messages of the Internet mix, in bytes.
const IMIX: [u64; 12] = [40, 40, 40, 40, 40, 40, 40, 576, 576, 576, 576, 1500];

/// The blocks that lengths may be rounded up to, in bytes; the rounded means differ, so that
/// a cell's size tells which.
const GRANULES: [u64; 3] = [1, 8, 16];

impl Mix {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Equal, Self::Imix];

    /// `"equal"` or `"imix"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Imix => "imix",
        }
    }

    /// The mix of that name.
    ///
    /// # Errors
    /// [`LabError::Value`] naming both.
    pub fn by_name(name: &str) -> Result<Self, LabError> {
        Self::ALL.into_iter().find(|mix| mix.name() == name).ok_or_else(|| LabError::Value {
            field: "mix",
            value: name.to_owned(),
            allowed: Self::ALL.map(Self::name).join(", "),
        })
    }

    /// The size of a cell of this mix in whole blocks of `granule` bytes; none if the lengths
    /// are not the mix's own.
    #[must_use]
    pub fn size(self, granule: u32) -> Option<u64> {
        match self {
            Self::Equal => None,
            Self::Imix => GRANULES.contains(&granule.into()).then(|| imix_size(granule.into())),
        }
    }

    /// The mean length of the messages of a cell of that size, in bytes, not rounded.
    #[must_use]
    pub fn mean(self, size: u64) -> f64 {
        match self {
            Self::Equal => size as f64,
            Self::Imix => granule(size).map_or(size as f64, |it| imix_total(it) as f64 / 12.0),
        }
    }

    /// The lengths of messages 0 to `count` − 1 of a cell of that size; none if no blocks
    /// make the mix's mean that size.
    #[must_use]
    pub fn lengths(self, seed: u64, size: u64, count: usize) -> Option<Vec<u64>> {
        match self {
            Self::Equal => Some(vec![size; count]),
            Self::Imix => {
                let granule = granule(size)?;
                let dozens = (0..count.div_ceil(IMIX.len()) as u64).flat_map(|it| dozen(seed, it));
                Some(dozens.take(count).map(|length| length.next_multiple_of(granule)).collect())
            }
        }
    }

    /// After so many messages the lengths have their exact mean.
    #[must_use]
    pub const fn period(self) -> usize {
        match self {
            Self::Equal => 1,
            Self::Imix => IMIX.len(),
        }
    }
}

fn imix_total(granule: u64) -> u64 {
    IMIX.iter().map(|length| length.next_multiple_of(granule)).sum()
}

fn imix_size(granule: u64) -> u64 {
    (imix_total(granule) + 6) / 12
}

fn granule(size: u64) -> Option<u64> {
    GRANULES.into_iter().find(|granule| imix_size(*granule) == size)
}

/// Twelve lengths in the order of that dozen: Fisher and Yates, from the last place down, with
/// one word of the generator a place.
fn dozen(seed: u64, number: u64) -> [u64; 12] {
    let mut lengths = IMIX;
    let words = bytes(seed, Kind::Length, number, 8 * (IMIX.len() - 1));
    for (place, word) in (1..IMIX.len()).rev().zip(words.as_chunks::<8>().0) {
        let other = u64::from_le_bytes(*word) % (place as u64 + 1);
        lengths.swap(place, usize::try_from(other).expect("below twelve"));
    }
    lengths
}

impl fmt::Display for Mix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dozen_of_the_internet_mix_is_complete_and_its_order_follows_the_seed() {
        let mut orders = Vec::new();
        for seed in 0..20 {
            let lengths = Mix::Imix.lengths(seed, 340, 24).expect("bytes");
            for dozen in lengths.chunks(12) {
                let mut sorted = dozen.to_vec();
                sorted.sort_unstable();
                assert_eq!(sorted, IMIX);
                orders.push(dozen.to_vec());
            }
        }
        orders.sort();
        orders.dedup();
        assert!(orders.len() > 35, "{} of 40 orders differ", orders.len());
    }

    #[test]
    fn the_size_tells_the_blocks() {
        for (granule, size, total) in [(1, 340, 4084), (8, 341, 4088), (16, 345, 4144)] {
            assert_eq!(Mix::Imix.size(granule), Some(size));
            let lengths = Mix::Imix.lengths(7, size, 12).expect("a size of the mix");
            assert!(lengths.iter().all(|length| length.is_multiple_of(granule.into())));
            assert_eq!(lengths.iter().sum::<u64>(), total);
            assert!((Mix::Imix.mean(size) * 12.0 - total as f64).abs() < 1e-9);
        }
        assert_eq!(Mix::Imix.size(3), None);
        assert_eq!(Mix::Imix.lengths(1, 1000, 12), None);
        assert_eq!(Mix::Equal.lengths(1, 1000, 2), Some(vec![1000, 1000]));
    }

    #[test]
    fn a_longer_run_begins_with_a_shorter_one() {
        let long = Mix::Imix.lengths(3, 345, 64).expect("blocks");
        assert_eq!(Mix::Imix.lengths(3, 345, 17).expect("blocks"), long[..17]);
    }

    // Computed by a second writing of the documented shuffle, in Python.
    #[test]
    fn the_order_is_the_documented_one() {
        assert_eq!(dozen(1, 0), [576, 576, 40, 40, 40, 576, 40, 1500, 576, 40, 40, 40]);
        assert_eq!(dozen(1, 1), [40, 576, 40, 40, 40, 576, 576, 40, 576, 1500, 40, 40]);
    }
}
