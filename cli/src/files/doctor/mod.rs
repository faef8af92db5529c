//! Which variant opens data of which nobody has written down how it was encrypted.

#[cfg(test)]
mod calibration;
pub(crate) mod evidence;
mod fresh;
mod layout;
mod models;
pub(crate) mod rank;
#[cfg(test)]
mod samples;
pub(crate) mod search;
pub(crate) mod shell;
mod signature;
pub(crate) mod variant;
