//! Numbers and bytes out of what the fuzzer gives; where that ends, zeros.

use std::sync::LazyLock;

use cipherlane::registry::Kind;
use cipherlane::{Level, Sizes};
use prove::calls::{Call, Parts, calls};

/// Every operation of the registry.
static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| calls(|_| true));

/// What is left of the input.
pub(crate) struct Input<'d>(pub(crate) &'d [u8]);

impl<'d> Input<'d> {
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        let number = usize::from(self.byte());
        let more = if end > 256 { usize::from(self.byte()) << 8 } else { 0 };
        (number | more) % end
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let (taken, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        let mut bytes = taken.to_vec();
        bytes.resize(len, 0);
        bytes
    }

    /// A length that is mostly allowed, and now and then is not.
    fn length(&mut self, allowed: Sizes, usual: usize) -> usize {
        match self.byte() {
            0..=199 => allowed.nearest(usual),
            200..=239 => allowed.nearest(self.below(64)),
            _ => self.below(64),
        }
    }

    pub(crate) fn call(&mut self) -> &'static Call {
        let all: &'static [Call] = &CALLS;
        &all[self.below(all.len())]
    }

    pub(crate) fn level(&mut self) -> Level {
        let levels: Vec<Level> = Level::available().collect();
        levels[self.below(levels.len())]
    }

    /// The parts of a message of up to `longest` bytes.
    pub(crate) fn parts(&mut self, call: &Call, longest: usize) -> Parts {
        let batch = &call.0;
        let key = self.length(batch.key, 16);
        let iv = self.length(batch.iv, batch.usual_iv);
        // Who calls an operation alone gives a cipher no tag that it could refuse.
        let cipher = batch.kind == Kind::Cipher;
        let tag = if cipher { 0 } else { self.length(batch.tag, batch.tag.max) };
        let wanted = self.below(longest + 1);
        let len = if self.byte() < 240 { batch.data.nearest(wanted) } else { wanted };
        let (aad, data) = match batch.kind {
            Kind::Cipher => (0, len),
            Kind::Mac => (len, 0),
            Kind::Seal | Kind::Open => (self.below(64), len),
        };
        let [key, iv] = [key, iv].map(|len| self.bytes(len));
        let tag = vec![0; tag];
        Parts { key, iv, aad: self.bytes(aad), data: self.bytes(data), tag }
    }
}
