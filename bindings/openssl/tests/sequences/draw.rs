//! Numbers and bytes that a seed stands for.

/// SplitMix64: every seed is as good as the next.
pub struct Draw(pub u64);

impl Draw {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// With a chance of one in so many.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Fills a buffer with the bytes of a seed; seed 0 stands for bytes that are all equal.
pub fn fill(seed: u64, bytes: &mut [u8]) {
    if seed == 0 {
        bytes.fill(0x5a);
        return;
    }
    let mut draw = Draw(seed);
    for piece in bytes.chunks_mut(8) {
        piece.copy_from_slice(&draw.next().to_le_bytes()[..piece.len()]);
    }
}
