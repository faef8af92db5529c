//! The floor of a kernel: the least core cycles a byte that this machine's units allow for the
//! operations it asks for.
//!
//! Three things come together: how often a kernel asks for each lane operation ([`table`], counted
//! beforehand), what each costs on this machine ([`units`], measured now), and the least time that
//! follows ([`bound`]). `docs/notes/floor.md` says what the model is and what it leaves out.

pub mod bound;
mod quiet;
pub mod table;
pub mod units;

pub use bound::{Bound, Kind, floor};
pub use quiet::Quiet;
pub use table::{Counts, Row};
pub use units::{Cost, Lanes};
