//! Sub-keys that are made when they are first asked for; without the standard library, which
//! has the lock for it, when the key is set.

use crate::secret::Wipe;

/// Words that are there already or not yet.
#[cfg(feature = "std")]
#[derive(Clone)]
pub(super) struct Later<const N: usize>(std::sync::OnceLock<[u16; N]>);

/// Words that are there once a key is set.
#[cfg(not(feature = "std"))]
#[derive(Clone)]
pub(super) struct Later<const N: usize>(Option<[u16; N]>);

impl<const N: usize> Later<N> {
    /// None yet.
    pub(super) const fn none() -> Self {
        #[cfg(feature = "std")]
        return Self(std::sync::OnceLock::new());
        #[cfg(not(feature = "std"))]
        return Self(None);
    }

    /// The words, if they are there.
    #[inline(always)]
    pub(super) fn get(&self) -> Option<&[u16; N]> {
        #[cfg(feature = "std")]
        return self.0.get();
        #[cfg(not(feature = "std"))]
        return self.0.as_ref();
    }

    /// Keeps words, unless another thread was sooner, whose words are the same.
    #[cfg(feature = "std")]
    pub(super) fn set(&self, words: &[u16; N]) {
        if let Err(mut copy) = self.0.set(*words) {
            copy.wipe();
        }
    }

    /// Keeps words.
    #[cfg(not(feature = "std"))]
    pub(super) fn set(&mut self, words: &[u16; N]) {
        self.0 = Some(*words);
    }
}

impl<const N: usize> Wipe for Later<N> {
    /// Wipes the words and forgets them.
    #[inline(always)]
    fn wipe(&mut self) {
        #[cfg(feature = "std")]
        let there = self.0.get_mut();
        #[cfg(not(feature = "std"))]
        let there = self.0.as_mut();
        if let Some(words) = there {
            words.wipe();
            *self = Self::none();
        }
    }
}
