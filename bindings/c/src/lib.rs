//! The C interface of Cipherlane, `include/cipherlane.h`.
//!
//! Algorithms and operations are named by strings, those of the registry, so nothing of the
//! library is missing here and nothing is listed twice. Objects are opaque and share nothing
//! that can be written to: two threads may use two of them at the same time. Every function
//! that can fail returns a status; [`cipherlane_strerror`](status::cipherlane_strerror) names
//! it, [`cipherlane_last_error`](last_error::cipherlane_last_error) tells the details.
//!
//! # Why the pointers are sound
//! Every function is `unsafe`: its documentation says what must hold of the pointers it is
//! given. What can be checked is checked, in [`memory`]: null where something must be, lengths
//! beyond an address space, input and output that overlap in part, what is written in what else
//! is read, texts that are not UTF-8.
//! Objects are made by `…_new` as a `Box` whose pointer is handed out, lent to calls as an
//! exclusive borrow (a shared one where the type is shared), and given back to `…_free`. No
//! panic crosses: [`status::guard`] turns it into [`Status::Internal`](status::Status::Internal).
//!
//! # Where there is no memory
//! What the system refuses, the allocator takes from its [reserve](::reserve). A call at whose end some of that
//! is still in use drops what it has made, or the object that it worked on, and returns
//! [`Status::NoMemory`](status::Status::NoMemory); a call that gave all back is as good as any other.
#![expect(
    unsafe_code,
    reason = "C callers pass pointers; the contracts stand at each function, the argument above"
)]
#![expect(non_camel_case_types, reason = "types bear the names that C sees")]

// The allocator of all that is here.
#[cfg(feature = "reserve")]
use installed as _;

pub mod aead;
pub mod air;
pub mod batch;
pub mod bytes;
pub mod cipher;
mod kept;
pub mod level;
pub mod listing;
pub mod mac;
mod memory;
pub mod options;
pub mod selftest;
pub mod status;

// Behind the others: the header has its function last.
pub mod last_error;
