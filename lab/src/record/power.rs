//! How much the intervals of a run can tell, as its results keep it.

use serde::{Deserialize, Serialize};

/// The power of a run: of the 95 % intervals of our default level's ratio to the best peer of each
/// cell, or to another level where no peer did the same work.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Power {
    /// How many intervals there are.
    pub intervals: u64,
    /// Their median width in percent: by how much the upper end lies above the lower one.
    pub median_width: f64,
    /// How many are narrow enough to tell a difference of 3 % from none.
    pub can_tell: u64,
}
