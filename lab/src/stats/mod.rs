//! Statistics of samples, each in a file of its own.

mod bootstrap;
mod median;
mod quartiles;
mod slope;
mod sums;

pub use bootstrap::{Interval, Paired, ratio_interval};
pub use median::median;
pub use quartiles::{Quartiles, quartiles};
pub use slope::{Line, slope};
pub use sums::sums_interval;
