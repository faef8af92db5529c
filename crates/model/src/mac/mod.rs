//! MACs made of a block function.

pub mod cbc_mac;
pub mod cmac;
