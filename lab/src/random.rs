//! Runs of random messages: what differential tests ask of engines.
//!
//! A `check` with the key `random` is about that many messages whose lengths differ. All of a
//! message follows from the request: key, IV, data and associated data from the generator of
//! [`crate::input`] under the message's number, and what else there is from three words of
//! kind 6, each 8 bytes of `bytes(seed, 6, number, 24)` with the lowest first:
//!
//! ```text
//! length    = least + granule * (word0 mod ((size - least) / granule + 1))
//! aad bytes = 0 if word1 mod 4 = 0, else (word1 / 4) mod (aad_bytes + 1)
//! placement = in-place if word2 is even, else disjoint
//! ```
//!
//! with `size`, `aad_bytes`, `least` and `granule` of the request. What can be placed in one
//! way only is placed so. The answer is the digest over all outputs in order, tags appended;
//! the models `packet`, `message` and `batch` give the same.

use crate::input::{Kind, bytes};
use crate::{Cell, Placement, Shape};

/// The bounds of a run of random messages, besides those of the [cell](Cell): `size` and
/// `aad_bytes` are its longest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Draw {
    /// How many messages.
    pub messages: u32,
    /// The least length of a message in bytes.
    pub least: u64,
    /// Lengths are `least` and a multiple of so many bytes.
    pub granule: u32,
}

/// The most messages of a run.
pub const MAX_MESSAGES: u32 = 10_000;

/// One random message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Bytes of data.
    pub length: u64,
    /// Bytes of associated data.
    pub aad_bytes: u32,
    /// Where the output goes.
    pub placement: Placement,
}

impl Draw {
    /// The message of that number, of an operation of that shape.
    #[must_use]
    pub fn message(&self, cell: &Cell, seed: u64, shape: Shape, number: u64) -> Drawn {
        let text = bytes(seed, Kind::Draw, number, 24);
        let word = |place: usize| {
            let chunk = text.as_chunks::<8>().0[place];
            u64::from_le_bytes(chunk)
        };
        let granule = u64::from(self.granule.max(1));
        let units = cell.size.saturating_sub(self.least) / granule;
        let drawn =
            if word(2).is_multiple_of(2) { Placement::InPlace } else { Placement::Disjoint };
        let aad = match word(1) % 4 {
            0 => 0,
            _ => word(1) / 4 % (u64::from(cell.aad_bytes) + 1),
        };
        Drawn {
            length: self.least + granule * (word(0) % (units + 1)),
            aad_bytes: u32::try_from(aad).unwrap_or(cell.aad_bytes),
            placement: shape.only().unwrap_or(drawn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;

    #[test]
    fn messages_stay_within_their_bounds_and_reach_them() {
        let draw = Draw { messages: 2000, least: 16, granule: 16 };
        let cell = Cell { aad_bytes: 3, ..Cell::new("sm4", "gcm-seal", Model::Packet, 64) };
        let mut seen = [[0; 5], [0; 5], [0; 5]];
        for number in 0..2000 {
            let drawn = draw.message(&cell, 5, Shape::Seal, number);
            assert!((16..=64).contains(&drawn.length) && drawn.length.is_multiple_of(16));
            assert!(drawn.aad_bytes <= 3);
            seen[0][drawn.length as usize / 16] += 1;
            seen[1][drawn.aad_bytes as usize] += 1;
            seen[2][drawn.placement as usize] += 1;
            let opened = draw.message(&cell, 5, Shape::Open, number);
            assert_eq!(opened, Drawn { placement: Placement::Disjoint, ..drawn });
        }
        assert!(seen[0][1..].iter().all(|count| *count > 400), "{seen:?}");
        assert!(seen[1][..4].iter().all(|count| *count > 200), "{seen:?}");
        assert!(seen[2][..2].iter().all(|count| *count > 800), "{seen:?}");
    }

    // Computed by a second writing of the lines above, in Python.
    #[test]
    fn the_draws_are_the_documented_ones() {
        let draw = Draw { messages: 3, least: 1, granule: 1 };
        let cell = Cell { aad_bytes: 300, ..Cell::new("sm4", "gcm-seal", Model::Packet, 600) };
        let drawn: Vec<(u64, u32, Placement)> = (0..4)
            .map(|number| draw.message(&cell, 9, Shape::Seal, number))
            .map(|drawn| (drawn.length, drawn.aad_bytes, drawn.placement))
            .collect();
        let expected = [
            (398, 132, Placement::Disjoint),
            (466, 84, Placement::Disjoint),
            (69, 219, Placement::Disjoint),
            (322, 100, Placement::Disjoint),
        ];
        assert_eq!(drawn, expected);
    }
}
