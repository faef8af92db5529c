//! Which lengths a field allows.

use core::fmt;

/// Lengths that a field allows: `min`, `min + step` … `max`, in bytes; of these only those
/// in `set`, where that is not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The smallest length in bytes.
    pub min: usize,
    /// The largest length in bytes.
    pub max: usize,
    /// The distance between two allowed lengths; 0 where there is only one.
    pub step: usize,
    /// Where the steps say too much: bit `n` tells whether `n` bytes are allowed. Else 0.
    pub set: u64,
}

impl Sizes {
    /// Exactly `bytes`.
    #[must_use]
    pub const fn exactly(bytes: usize) -> Self {
        Self::steps(bytes, bytes, 0)
    }

    /// Every length from `min` to `max`.
    #[must_use]
    pub const fn between(min: usize, max: usize) -> Self {
        Self::steps(min, max, 1)
    }

    /// `min`, `min + step` … `max`; only `min` where `step` is 0.
    #[must_use]
    pub const fn steps(min: usize, max: usize, step: usize) -> Self {
        Self { min, max, step, set: 0 }
    }

    /// Just these lengths, in rising order.
    ///
    /// ```
    /// use cipherlane::Sizes;
    ///
    /// let tags = Sizes::of([4, 8, 12, 13, 14, 15, 16]);
    /// assert!(tags.allow(8) && !tags.allow(10));
    /// assert_eq!(tags.to_string(), "4, 8, 12 to 16");
    /// ```
    ///
    /// # Panics
    /// If there are none, if they do not rise, or if one is 64 or more.
    #[must_use]
    pub const fn of<const N: usize>(lengths: [usize; N]) -> Self {
        let (min, max) = (lengths[0], lengths[N - 1]);
        assert!(max < u64::BITS as usize, "a set holds lengths below 64");
        let (mut set, mut step, mut i) = (0, 0, 0);
        while i < N {
            assert!(i == 0 || lengths[i - 1] < lengths[i], "lengths in rising order");
            set |= 1_u64 << lengths[i];
            step = greatest_common_divisor(lengths[i] - min, step);
            i += 1;
        }
        Self { min, max, step, set }
    }

    /// Whether `bytes` is one of the lengths.
    #[must_use]
    pub const fn allow(&self, bytes: usize) -> bool {
        self.min <= bytes
            && bytes <= self.max
            && (bytes == self.min
                || (self.step != 0 && (bytes - self.min).is_multiple_of(self.step)))
            && (self.set == 0 || self.set >> bytes & 1 == 1)
    }

    /// The lengths one after another, the smallest first.
    pub fn lengths(self) -> impl Iterator<Item = usize> {
        let next = move |&last: &usize| last.checked_add(self.step.max(1));
        core::iter::successors(Some(self.min), next)
            .take_while(move |&bytes| bytes <= self.max)
            .filter(move |&bytes| self.allow(bytes))
    }
}

impl Sizes {
    /// The greatest allowed length up to `wanted`, else the smallest.
    ///
    /// ```
    /// use cipherlane::Sizes;
    ///
    /// assert_eq!(Sizes::steps(16, 32, 8).nearest(31), 24);
    /// assert_eq!(Sizes::of([4, 8, 12]).nearest(7), 4);
    /// assert_eq!(Sizes::between(1, 8).nearest(0), 1);
    /// ```
    #[must_use]
    #[inline(never)]
    pub fn nearest(self, wanted: usize) -> usize {
        let above = wanted.min(self.max).saturating_sub(self.min);
        let mut bytes = self.min + above.checked_div(self.step).unwrap_or(0) * self.step;
        // Down to one of the set, which has the smallest.
        while !self.allow(bytes) {
            bytes -= self.step;
        }
        bytes
    }
}

/// That of two numbers; the other one where one is 0.
const fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

impl Sizes {
    /// The lengths that become of these, where each becomes `length` of it: a sum or a
    /// multiple.
    #[must_use]
    pub fn through(self, length: fn(usize) -> usize) -> Self {
        let min = length(self.min);
        let step = if self.step == 0 { 0 } else { length(self.min + self.step) - min };
        let set = match self.set {
            0 => 0,
            _ => self.lengths().fold(0, |set, bytes| set | 1 << length(bytes)),
        };
        Self { min, max: length(self.max), step, set }
    }

    /// Runs of neighbours, as a sentence has them.
    fn write_set(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = self.min;
        while bytes <= self.max {
            let run = (self.set >> bytes).trailing_ones() as usize;
            let separator = if bytes == self.min { "" } else { ", " };
            match run {
                0 => {}
                1 => write!(f, "{separator}{bytes}")?,
                2 => write!(f, "{separator}{bytes}, {}", bytes + 1)?,
                _ => write!(f, "{separator}{bytes} to {}", bytes + run - 1)?,
            }
            bytes += run.max(1);
        }
        Ok(())
    }
}

impl fmt::Display for Sizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.min == self.max, self.step) {
            (false, _) if self.set != 0 => self.write_set(f),
            (true, _) => write!(f, "{}", self.min),
            (false, 0 | 1) => write!(f, "{} to {}", self.min, self.max),
            (false, step) => write!(f, "{} to {} in steps of {step}", self.min, self.max),
        }
    }
}
