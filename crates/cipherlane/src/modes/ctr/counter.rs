//! How wide a counter is: the whole block, or its last 32 bits.

use lanes::InOut;

use crate::traits::block::{BlockCipher, MAX_BLOCK};

mod sealed {
    pub trait Sealed {}
}

/// Which bits of a block count: [`WholeBlock`] or [`Low32`], and nothing else.
pub trait Counter: sealed::Sealed {
    /// How many bytes of a block count, at its end; the block's own length if it is less.
    #[doc(hidden)]
    const BYTES: usize;
}

/// All bits of the block count.
#[derive(Clone, Copy, Debug)]
pub struct WholeBlock;

/// The last 32 bits of the block count, as in GCM (SP 800-38D §6.2).
#[derive(Clone, Copy, Debug)]
pub struct Low32;

impl sealed::Sealed for WholeBlock {}
impl Counter for WholeBlock {
    const BYTES: usize = MAX_BLOCK;
}

impl sealed::Sealed for Low32 {}
impl Counter for Low32 {
    const BYTES: usize = 4;
}

/// How many blocks there are before a counter repeats; `None` if that is more than a
/// position in bytes can tell. A whole block of 64 bits gives away the last one.
pub(super) fn blocks<W: Counter>(block: usize) -> Option<u64> {
    match W::BYTES.min(block) {
        width @ 0..8 => Some(1 << (8 * width)),
        8 => Some(u64::MAX),
        _ => None,
    }
}

/// Adds `blocks` to a counter, which wraps in its own width.
pub(crate) fn advance<W: Counter>(counter: &mut [u8], blocks: u128) {
    let width = W::BYTES.min(counter.len());
    let at = counter.len() - width;
    let mut value = [0; MAX_BLOCK];
    value[MAX_BLOCK - width..].copy_from_slice(&counter[at..]);
    let sum = u128::from_be_bytes(value).wrapping_add(blocks).to_be_bytes();
    counter[at..].copy_from_slice(&sum[MAX_BLOCK - width..]);
}

/// Xors the data with the encrypted counters, which are moved on in their own width.
pub(super) fn xor<W: Counter>(cipher: &dyn BlockCipher, io: InOut<'_>, counter: &mut [u8]) {
    if W::BYTES < counter.len() { xor32(cipher, io, counter) } else { cipher.ctr(io, counter) }
}

/// Counter mode with a counter of the last 32 bits, which wraps by itself (SP 800-38D §6.5).
pub(crate) fn xor32(cipher: &dyn BlockCipher, io: InOut<'_>, counter: &mut [u8]) {
    let next = u32::from_be_bytes(*counter.last_chunk().expect("a counter of 4 bytes"));
    let blocks = io.len().div_ceil(counter.len()) as u64;
    if blocks < (1 << 32) - u64::from(next) {
        cipher.ctr(io, counter);
    } else {
        with_wraps(cipher, io, counter, next);
    }
}

#[cold]
fn with_wraps(cipher: &dyn BlockCipher, mut io: InOut<'_>, counter: &mut [u8], next: u32) {
    let block = counter.len();
    let mut kept = [0; MAX_BLOCK];
    kept[..block].copy_from_slice(counter);
    let mut before_wrap = ((1 << 32) - u64::from(next)) * block as u64;
    while !io.is_empty() {
        let n = usize::try_from(before_wrap).unwrap_or(usize::MAX).min(io.len());
        let (head, rest) = io.split_at(n);
        cipher.ctr(head, counter);
        // A carry into the fixed part is taken back.
        counter[..block - 4].copy_from_slice(&kept[..block - 4]);
        before_wrap = (1 << 32) * block as u64;
        io = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_wrap_in_their_own_width() {
        let mut counter = [0xff; 16];
        advance::<WholeBlock>(&mut counter, 3);
        assert_eq!(counter, 2_u128.to_be_bytes());
        let mut counter = [0xff; 16];
        advance::<Low32>(&mut counter, (1 << 32) + 3);
        assert_eq!(counter, (u128::MAX << 32 | 2).to_be_bytes());
        let mut counter = [0xff; 8];
        advance::<WholeBlock>(&mut counter, 3);
        assert_eq!(counter, 2_u64.to_be_bytes());
        let mut counter = [0xff; 8];
        advance::<Low32>(&mut counter, 3);
        assert_eq!(counter, (u64::MAX << 32 | 2).to_be_bytes());
    }

    /// Sums with carries into and out of every bit.
    #[test]
    fn counters_move_as_sums_of_integers_do() {
        let edges = || {
            let powers = (0..128).map(|bit| 1_u128 << bit);
            powers.flat_map(|it| [it - 1, it, it.wrapping_neg(), !it])
        };
        for start in edges() {
            for by in edges() {
                let mut counter = start.to_be_bytes();
                advance::<WholeBlock>(&mut counter, by);
                assert_eq!(u128::from_be_bytes(counter), start.wrapping_add(by));
                let mut counter = start.to_be_bytes();
                advance::<Low32>(&mut counter, by);
                let low = u128::from((start as u32).wrapping_add(by as u32));
                assert_eq!(u128::from_be_bytes(counter), start >> 32 << 32 | low);
                let mut counter = (start as u64).to_be_bytes();
                advance::<WholeBlock>(&mut counter, by);
                assert_eq!(u64::from_be_bytes(counter), (start as u64).wrapping_add(by as u64));
            }
        }
    }

    /// Every counter of 32 bits and its next one, with `CIPHERLANE_TEST_INPUTS=65536`; else every 65537th
    /// and the last ones.
    #[test]
    fn every_counter_of_32_bits_moves_on() {
        let all = std::env::var("CIPHERLANE_TEST_INPUTS").is_ok_and(|it| it == "65536");
        let step = if all { 1 } else { 65537 };
        let fixed = u128::MAX << 32;
        for next in (0..1_u64 << 32).step_by(step).chain((1 << 32) - 300..1 << 32) {
            let mut counter = (fixed | u128::from(next)).to_be_bytes();
            advance::<Low32>(&mut counter, 1);
            let wanted = fixed | u128::from((next as u32).wrapping_add(1));
            assert_eq!(u128::from_be_bytes(counter), wanted);
        }
    }

    #[test]
    fn as_many_blocks_as_there_are_counters() {
        assert_eq!(blocks::<Low32>(16), Some(1 << 32));
        assert_eq!(blocks::<Low32>(8), Some(1 << 32));
        assert_eq!(blocks::<WholeBlock>(8), Some(u64::MAX));
        assert_eq!(blocks::<WholeBlock>(16), None);
    }
}
