//! Reproducible test inputs: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).

/// A generator whose whole state is the seed; not for secrets.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    /// Starts at a seed; equal seeds give equal values.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 up to and without `end`; the bias is below `end / 2⁶⁴`.
    ///
    /// # Panics
    /// If `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        assert!(end > 0, "an empty range");
        (self.next_u64() % end as u64) as usize
    }

    /// One of the lengths `min`, `min + step` … `max`; `min` where `step` is 0.
    ///
    /// # Panics
    /// If `max` is less than `min`.
    pub fn length(&mut self, min: usize, max: usize, step: usize) -> usize {
        match step {
            0 => min,
            _ => min + step * self.below((max - min) / step + 1),
        }
    }

    /// The next `len` bytes.
    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut out = Vec::with_capacity(len + 7);
        while out.len() < len {
            out.extend(self.next_u64().to_le_bytes());
        }
        out.truncate(len);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_values_of_seed_1234567() {
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn all_lengths_of_a_range_come_up() {
        let mut random = SplitMix64::new(1);
        let mut seen: Vec<usize> = (0..100).map(|_| random.length(23, 27, 2)).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen, [23, 25, 27]);
        assert_eq!(random.length(16, 16, 0), 16);
    }
}
