//! What stepping has seen, and where two recordings part.

/// What was seen, instruction by instruction.
pub struct Trace {
    pub(super) words: Vec<u64>,
    /// Where in `words` each instruction begins.
    pub(super) starts: Vec<u32>,
    pub(super) widest: usize,
    pub(super) full: bool,
}

impl core::fmt::Debug for Trace {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Trace({} steps)", self.starts.len())
    }
}

impl Trace {
    /// Room for so many steps of a run that others are compared with.
    #[must_use]
    pub fn first(steps: usize) -> Self {
        let (words, starts) = (Vec::with_capacity(4 * steps), Vec::with_capacity(steps));
        Self { words, starts, widest: 0, full: false }
    }

    /// Of a run that is compared with the first.
    #[must_use]
    pub fn other(steps: usize) -> Self {
        Self::first(steps)
    }

    /// How many instructions were run.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.starts.len()
    }

    /// The width in bytes of the widest vector register that this program's own code named;
    /// 0 for none.
    #[must_use]
    pub fn widest(&self) -> usize {
        self.widest
    }

    /// Whether the room was used up before the end.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.full
    }

    pub(super) fn clear(&mut self) {
        self.words.clear();
        self.starts.clear();
        (self.widest, self.full) = (0, false);
    }

    pub(super) fn step(&self, number: usize) -> Option<&[u64]> {
        let start = *self.starts.get(number)? as usize;
        let end = self.starts.get(number + 1).map_or(self.words.len(), |&end| end as usize);
        self.words.get(start..end)
    }

    /// The addresses of all instructions, in the order they were run.
    pub(crate) fn addresses(&self) -> impl Iterator<Item = u64> {
        self.starts.iter().map(|&start| self.words[start as usize])
    }

    /// The first step at which two traces part: its number, and the address of the instruction
    /// that did so. None if they are equal.
    #[must_use]
    pub fn parting(&self, other: &Self) -> Option<(usize, u64)> {
        if self.words == other.words {
            return None;
        }
        let steps = self.steps().max(other.steps());
        let first = (0..steps).find(|&n| self.step(n) != other.step(n))?;
        // Where the ways part, the branch before is what did it.
        let address = |trace: &Self, n| trace.step(n).map(|step| step[0]);
        let same_place = address(self, first) == address(other, first);
        let culprit = if same_place { first } else { first.saturating_sub(1) };
        Some((first, address(self, culprit).unwrap_or(0)))
    }
}
