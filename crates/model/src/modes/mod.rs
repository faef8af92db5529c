//! Modes of operation over a block function, as GB/T 17964-2021 and NIST SP
//! 800-38A write them. The block functions take and return one block of any length.

pub mod bc;
pub mod cbc;
pub mod ccm;
pub mod cfb;
pub mod cfb1;
pub mod ctr;
pub mod ecb;
pub mod hctr;
pub mod ofb;
pub mod ofbnlf;
pub mod xts;

/// A block function under a fixed key: one block in, one block out.
pub type Block<'a> = &'a dyn Fn(&[u8]) -> Vec<u8>;

/// The bitwise sum of two strings of the same length.
pub(crate) fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    assert_eq!(a.len(), b.len(), "the strings to add differ in length");
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The blocks of a message that is whole blocks.
fn blocks(block: usize, data: &[u8]) -> impl Iterator<Item = &[u8]> {
    assert_eq!(data.len() % block, 0, "{} bytes are not whole blocks of {block}", data.len());
    data.chunks(block)
}
