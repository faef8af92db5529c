//! Keystreams: what stream ciphers share.
//!
//! Generators whose state is all there is are Trivium, Grain, MICKEY and Enocoro: [`Keystream`]
//! is one stream of them, [`KeystreamBatch`], which HC-128 has, too, many messages in lanes; the parameter `G`
//! names the generator. The ciphers' modules give both their names, e.g.
//! [`Trivium`](crate::ciphers::trivium::Trivium).

#[cfg(all(feature = "alloc", feature = "_generators"))]
pub(crate) mod batch;
pub(crate) mod constructors;
#[cfg(all(feature = "alloc", feature = "_shift_registers"))]
mod entry;
#[cfg(feature = "_generators")]
pub(crate) mod generator;
#[cfg(feature = "_lane_rows")]
pub(crate) mod lane_rows;
#[cfg(feature = "_leftover")]
pub(crate) mod leftover;
#[cfg(any(feature = "_order", all(feature = "alloc", feature = "_generators")))]
pub(crate) mod order;
#[cfg(feature = "_generators")]
pub(crate) mod passes;
#[cfg(feature = "_scheduler")]
pub(crate) mod scheduler;
#[cfg(feature = "_generators")]
#[cfg_attr(
    not(feature = "_shift_registers"),
    expect(dead_code, reason = "HC-128 takes whole words only")
)]
pub(crate) mod transpose;

#[cfg(all(feature = "alloc", feature = "_generators"))]
pub use batch::KeystreamBatch;
#[cfg(all(feature = "alloc", feature = "_shift_registers"))]
pub(crate) use entry::new;
#[cfg(feature = "_generators")]
pub use generator::{Generator, Keystream};
