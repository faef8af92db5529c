//! Many independent messages in one call; object-safe.
//!
//! A [`BatchCipher`] takes messages with their keys ([`Packet`]), a [`ReadyBatch`] has keys
//! set up beforehand, and its messages ([`Job`]) name them by number. Keys, IVs and lengths
//! may all differ within a batch. An [`Operation`](crate::registry::Operation) makes both,
//! whatever the algorithm: in lanes where there is a kernel for it, else one
//! message after another.
//!
//! A batch allocates when it is made. Operations without lanes may do so again for fresh
//! keys, as they make an object for each.
//!
//! The length of tags belongs to the batch: the longest of the operation, or what
//! [`with_tag_len`](crate::registry::Operation::with_tag_len) chose; a message with another
//! one is refused.
//!
//! All lengths are checked before the first byte is written. Opening many messages wipes the
//! output of each whose tag is wrong and no other; [`Job::failed`] tells which.
//!
//! ```
//! use cipherlane::Level;
//! use cipherlane::batch::{Job, Packet};
//! use cipherlane::registry;
//!
//! let sm4 = registry::algorithm("sm4").expect("a build with SM4");
//! let ctr = registry::operation(sm4, "ctr").expect("CTR");
//!
//! // Two keys for many messages.
//! let level = Level::detect()?;
//! let mut ready = ctr.ready(&[&[1; 16], &[2; 16]], level)?;
//! let mut data = [*b"a message under key 1", *b"a message under key 0"];
//! let [a, b] = &mut data;
//! ready.apply(&mut [
//!     Job::new(1, &[7; 16], a.as_mut_slice().into()),
//!     Job::new(0, &[8; 16], b.as_mut_slice().into()),
//! ])?;
//!
//! // A key of its own for each message.
//! let mut fresh = ctr.fresh(level)?;
//! let [a, b] = &mut data;
//! fresh.apply(&mut [
//!     Packet::new(&[2; 16], &[7; 16], a.as_mut_slice().into()),
//!     Packet::new(&[1; 16], &[8; 16], b.as_mut_slice().into()),
//! ])?;
//! assert_eq!(data, [*b"a message under key 1", *b"a message under key 0"]);
//! # Ok::<(), cipherlane::Error>(())
//! ```

#[cfg(feature = "alloc")]
pub(crate) mod adapt;
#[cfg(all(feature = "aes", feature = "alloc"))]
pub(crate) mod air256;
#[cfg(feature = "alloc")]
pub(crate) mod cbc;
#[cfg(feature = "alloc")]
pub(crate) mod ccm;
#[cfg(feature = "alloc")]
pub(crate) mod cmac;
#[cfg(feature = "alloc")]
pub(crate) mod gcm;
#[cfg(feature = "alloc")]
pub(crate) mod keystream_chains;
#[cfg(feature = "alloc")]
mod lockstep;
#[cfg(all(feature = "aes", feature = "alloc"))]
pub(crate) mod nea2_nia2;
#[cfg(all(feature = "aes", feature = "alloc"))]
pub(crate) mod nia2;
#[cfg(feature = "alloc")]
pub(crate) mod objects;
#[cfg(feature = "alloc")]
mod of_operation;
mod one_by_one;
#[cfg(feature = "alloc")]
pub(crate) mod one_tag;
#[cfg(feature = "alloc")]
pub(crate) mod parallel_modes;
#[cfg(feature = "alloc")]
pub(crate) mod stream;
#[cfg(feature = "alloc")]
pub(crate) mod traced;
#[cfg(feature = "alloc")]
pub(crate) mod xts;

pub use crate::traits::batch::{BatchCipher, Job, Packet, ReadyBatch};
pub use one_by_one::OneByOne;
