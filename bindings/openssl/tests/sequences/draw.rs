//! Numbers and bytes that a seed stands for, or a fuzzer's bytes.

/// SplitMix64: every seed is as good as the next. Given bytes come first, one or two of them for a number, so that
/// a change of one changes one thing.
pub struct Draw<'d> {
    pub state: u64,
    pub given: &'d [u8],
}

impl Draw<'static> {
    pub const fn of_seed(seed: u64) -> Self {
        Self { state: seed, given: &[] }
    }
}

impl Draw<'_> {
    fn taken(&mut self) -> Option<u64> {
        let (first, rest) = self.given.split_first()?;
        self.given = rest;
        Some((*first).into())
    }

    pub fn next(&mut self) -> u64 {
        // Who asks for a seed takes the upper bits.
        if let Some(byte) = self.taken() {
            return byte << 44;
        }
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        if let Some(byte) = self.taken() {
            let more = if end > 256 { self.taken().unwrap_or(0) << 8 } else { 0 };
            return (byte | more) as usize % end;
        }
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
    let mut draw = Draw::of_seed(seed);
    for piece in bytes.chunks_mut(8) {
        piece.copy_from_slice(&draw.next().to_le_bytes()[..piece.len()]);
    }
}
