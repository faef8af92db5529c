//! Keystreams: what stream ciphers share.
//!
//! Generators whose state is all there is are Trivium, Grain, MICKEY and Enocoro: [`Keystream`]
//! is one stream, [`KeystreamBatch`] many messages in lanes; the parameter `G`
//! names the generator. The ciphers' modules give both their names, e.g.
//! [`Trivium`](crate::ciphers::trivium::Trivium).

#[cfg(all(
    feature = "alloc",
    any(
        feature = "enocoro",
        feature = "grain",
        feature = "hc128",
        feature = "mickey",
        feature = "trivium"
    )
))]
pub(crate) mod batch;
#[cfg(all(
    feature = "alloc",
    any(feature = "enocoro", feature = "grain", feature = "mickey", feature = "trivium")
))]
mod entry;
#[cfg(any(
    feature = "enocoro",
    feature = "grain",
    feature = "hc128",
    feature = "mickey",
    feature = "trivium"
))]
pub(crate) mod generator;
#[cfg(any(feature = "rabbit", feature = "salsa20", feature = "sosemanuk"))]
pub(crate) mod lane_rows;
#[cfg(any(feature = "hc128", feature = "rabbit", feature = "salsa20", feature = "sosemanuk"))]
pub(crate) mod leftover;
#[cfg(any(
    feature = "enocoro",
    feature = "grain",
    feature = "hc128",
    feature = "mickey",
    feature = "trivium"
))]
pub(crate) mod passes;
#[cfg(any(feature = "rabbit", feature = "sosemanuk"))]
pub(crate) mod scheduler;
#[cfg(any(
    feature = "enocoro",
    feature = "grain",
    feature = "hc128",
    feature = "mickey",
    feature = "trivium"
))]
#[cfg_attr(
    not(any(feature = "enocoro", feature = "grain", feature = "mickey", feature = "trivium")),
    expect(dead_code, reason = "HC-128 takes whole words only")
)]
pub(crate) mod transpose;

#[cfg(all(
    feature = "alloc",
    any(
        feature = "enocoro",
        feature = "grain",
        feature = "hc128",
        feature = "mickey",
        feature = "trivium"
    )
))]
pub use batch::KeystreamBatch;
#[cfg(all(
    feature = "alloc",
    any(feature = "enocoro", feature = "grain", feature = "mickey", feature = "trivium")
))]
pub(crate) use entry::new;
#[cfg(any(
    feature = "enocoro",
    feature = "grain",
    feature = "hc128",
    feature = "mickey",
    feature = "trivium"
))]
pub use generator::{Generator, Keystream};
