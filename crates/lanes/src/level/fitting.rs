//! Lower levels that serve a few lanes sooner, and the class of CPU that decides it.

use super::Level;

impl Level {
    /// The level whose registers are the parts in which this one makes rounds of AES: they cost half as
    /// much there, so that what fits answers sooner.
    #[must_use]
    pub fn parted(self) -> Option<Self> {
        match self {
            #[cfg(all(
                any(target_arch = "x86", target_arch = "x86_64"),
                not(cipherlane_few_levels)
            ))]
            Self::Avx2(token) => Some(Self::Aesni(super::of(crate::Aesni::implied_by(token)))),
            _ => None,
        }
    }

    /// [`fitting`](Self::fitting) for a cipher whose kernels at levels from AVX2 up are those of
    /// [`plain`](Self::plain) levels: down to 16-byte registers, in which a few lanes are put together
    /// with fewer operations.
    #[must_use]
    #[inline]
    pub fn fitting_plainly(self, count: usize, lanes: impl Fn(Self) -> usize) -> Self {
        let level = self.fitting(count, &lanes);
        match level.plain().parted() {
            Some(parts) if count <= lanes(parts) => parts,
            _ => level,
        }
    }

    /// The [halved](Self::halved) level where this CPU works on the registers of this one in halves,
    /// each operation taking two turns: there what needs an operation more in the shorter ones still
    /// answers sooner if it fits. Elsewhere `None`, as the lower level lacks instructions, too.
    ///
    /// The class is known by vendor and family, from what stands in `docs/machines`: on a Zen 4 eight
    /// streams of 32-bit lanes with rotations take 0.74 to 0.80 times as long so, on a Zen 5 1.19 times.
    #[must_use]
    #[inline]
    pub fn split(self) -> Option<Self> {
        self.halved().filter(|_| works_in_halves())
    }

    /// From now on this CPU is taken for one that works on its longest registers in halves, or for
    /// one that doesn't, in the whole process: for tests of what depends on it, and for tools that
    /// want the kernels of a level whatever the CPU. Results are the same.
    #[doc(hidden)]
    pub fn take_cpu_for(in_halves: bool) {
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        crate::x86::take_for_in_halves(in_halves);
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let _ = in_halves;
    }

    /// The [halved](Self::halved) level if `count` lanes are enough of which it has `lanes`, else
    /// this one. Idle lanes take as long as others where a CPU works on long registers in halves,
    /// and where it doesn't, short ones are no slower.
    #[must_use]
    #[inline]
    pub fn fitting(self, count: usize, lanes: impl Fn(Self) -> usize) -> Self {
        match self.halved() {
            Some(half) if count <= lanes(half) => half,
            _ => self,
        }
    }
}

/// Whether this CPU works on its longest registers in halves.
#[inline]
fn works_in_halves() -> bool {
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    {
        crate::x86::in_halves()
    }
    #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
    {
        false
    }
}
