//! Cipherlane's format for encrypted files, without any input or output of its own: the program
//! and the page in the browser both read and write files by it. `docs/FORMAT.md` is the format
//! for those who write another program.
//!
//! A file is a [header](Header), which says how the key was made and proves that it is the right
//! one, and [chunks](Chunks) of equal length, each sealed by itself. A chunk opens without those
//! before it; none opens in another place, in another file, or as the last one unless it is.
//!
//! ```
//! use container::{Header, Kdf, MasterKey, Suite};
//!
//! let key = MasterKey::from_bytes([7; 32]);
//! let header = Header::new(Suite::Sm4Gcm, 20, Kdf::Key, [1; 32])?;
//! let (written, chunks) = header.seal(&key)?;
//!
//! let mut chunk = b"the only chunk".to_vec();
//! chunks.seal(0, true, &mut chunk)?;
//!
//! let (header, chunks) = Header::read(&written)?.open(&key)?;
//! assert_eq!(header.suite(), Suite::Sm4Gcm);
//! chunks.open(0, true, &mut chunk)?;
//! assert_eq!(chunk, b"the only chunk");
//! # Ok::<(), container::Error>(())
//! ```
#![forbid(unsafe_code)]

mod chunks;
mod error;
mod header;
mod key;
mod layout;
mod pieces;
mod suite;

pub use chunks::{Chunks, TAG};
pub use error::Error;
pub use header::{CHUNK_BITS, DEFAULT_CHUNK_BITS, HEADER, Header, MAGIC, Unverified, VERSION};
pub use key::{Kdf, MasterKey};
pub use layout::Layout;
pub use pieces::{Opening, Sealing};
pub use suite::Suite;
