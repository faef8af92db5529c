//! Keystream made in whole blocks and given out in pieces of any length.

use lanes::InOut;

use crate::secret::Secret;

/// What is left of the last block of keystream, `N` bytes at most.
#[derive(Clone)]
pub(crate) struct Leftover<const N: usize> {
    block: Secret<[u8; N]>,
    /// The last `unused` bytes of the block have not been given out.
    unused: usize,
}

/// For kernels that make words.
impl<const N: usize> Leftover<N> {
    pub(crate) const fn new() -> Self {
        Self { block: Secret([0; N]), unused: 0 }
    }

    /// Forgets what is left.
    pub(crate) fn clear(&mut self) {
        self.unused = 0;
    }

    /// Xors keystream into data: what is left, then what `generate` makes. It takes data of any
    /// length but none, leaves at the end of the array what the data does not use, and returns how many
    /// bytes those are.
    #[inline]
    pub(crate) fn apply_words(
        &mut self,
        io: InOut<'_>,
        generate: impl FnOnce(InOut<'_>, &mut [u8; N]) -> usize,
    ) {
        let body = self.use_up(io);
        if !body.is_empty() {
            self.unused = generate(body, &mut self.block.0);
        }
    }

    /// Xors what is left into data, and gives back the data behind.
    fn use_up<'a>(&mut self, io: InOut<'a>) -> InOut<'a> {
        let at_hand = self.unused.min(io.len());
        let (mut head, body) = io.split_at(at_hand);
        head.xor(&self.block.0[N - self.unused..][..at_hand]);
        self.unused -= at_hand;
        body
    }
}

/// For kernels that make whole blocks, and keystreams with a place to go to.
#[cfg(feature = "_whole_blocks")]
impl<const N: usize> Leftover<N> {
    /// How many bytes are left.
    pub(crate) fn len(&self) -> usize {
        self.unused
    }

    /// Xors keystream into data: what is left, then what `generate` makes of whole blocks.
    #[inline]
    pub(crate) fn apply(&mut self, io: InOut<'_>, mut generate: impl FnMut(InOut<'_>)) {
        let body = self.use_up(io);
        let whole = body.len() / N * N;
        let (blocks, mut tail) = body.split_at(whole);
        if !blocks.is_empty() {
            generate(blocks);
        }
        if !tail.is_empty() {
            self.fill(&mut generate);
            let used = tail.len();
            tail.xor(&self.block.0[..used]);
            self.unused = N - used;
        }
    }

    /// Xors keystream into data: what is left, then what `generate` makes. It takes data of any
    /// length but none, and leaves the last block of keystream, whole, in the array where the data
    /// ends within a block.
    #[inline]
    pub(crate) fn apply_to_the_end(
        &mut self,
        io: InOut<'_>,
        generate: impl FnOnce(InOut<'_>, &mut [u8; N]),
    ) {
        let body = match self.unused {
            0 => io,
            _ => self.use_up(io),
        };
        if !body.is_empty() {
            self.unused = body.len().next_multiple_of(N) - body.len();
            generate(body, &mut self.block.0);
        }
    }

    /// Makes a block and counts its first `used` bytes, fewer than `N`, as given out.
    pub(crate) fn skip_into(&mut self, used: usize, mut generate: impl FnMut(InOut<'_>)) {
        self.fill(&mut generate);
        self.unused = N - used;
    }

    #[inline]
    fn fill(&mut self, generate: &mut impl FnMut(InOut<'_>)) {
        self.block.0 = [0; N];
        generate(self.block.0.as_mut_slice().into());
    }
}
