//! Cold caches: what the figure of a first call is made with.
//!
//! The tables, keys and code of a library lie where the laboratory does not know. So they are driven
//! out, by reading other memory of twice the size of the last cache; what it knows of, the message,
//! is flushed besides where the CPU has an instruction for that. Predictors of branches stay as they
//! are, and pages stay mapped.

use std::hint::black_box;

use crate::clock::flush;
use crate::work::{Data, Message, Refusal};

/// Words of memory that are read one after another, one a line.
#[derive(Debug)]
pub struct Cold {
    memory: Vec<u64>,
}

/// Bytes of a line.
const LINE: usize = 64;

/// The last cache where the system does not tell: larger than that of most CPUs.
const UNKNOWN: usize = 64 << 20;

/// Bounds of what is read, in bytes.
const BOUNDS: (usize, usize) = (16 << 20, 1 << 30);

impl Cold {
    /// For the caches of this machine.
    ///
    /// # Errors
    /// A [`Refusal`] if there is not enough memory.
    pub fn new() -> Result<Self, Refusal> {
        let bytes = (2 * last_cache().unwrap_or(UNKNOWN)).clamp(BOUNDS.0, BOUNDS.1);
        let mut memory = Vec::new();
        let words = bytes / size_of::<u64>();
        memory
            .try_reserve_exact(words)
            .map_err(|_| Refusal(format!("not enough memory for {bytes} bytes to fill caches")))?;
        // Zeros could be one page many times over, which fills no cache.
        memory.resize(words, 1);
        Ok(Self { memory })
    }

    /// Drives everything else out of the caches.
    pub fn empty(&self) {
        let lines = self.memory.iter().step_by(LINE / size_of::<u64>());
        black_box(lines.fold(0_u64, |sum, word| sum.wrapping_add(*black_box(word))));
    }

    /// The same, and flushes all that a message consists of.
    pub fn empty_for(&self, message: &Message<'_>) {
        self.empty();
        [message.key, message.iv, message.aad, &*message.tag].into_iter().for_each(flush);
        match &message.data {
            Data::InPlace(data) => flush(data),
            Data::Disjoint(input, output) => {
                flush(input);
                flush(output);
            }
        }
    }
}

/// The size of the largest cache that the first CPU has, in bytes, where the system tells.
fn last_cache() -> Option<usize> {
    let size = |index: u32| {
        let file = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/size");
        bytes(std::fs::read_to_string(file).ok()?.trim())
    };
    (0..8).filter_map(size).max()
}

/// A size as the system writes it, e.g. `32768K`.
fn bytes(text: &str) -> Option<usize> {
    let (digits, shift) = match text.strip_suffix(['K', 'M', 'G']) {
        Some(digits) if text.ends_with('K') => (digits, 10),
        Some(digits) if text.ends_with('M') => (digits, 20),
        Some(digits) => (digits, 30),
        None => (text, 0),
    };
    digits.parse::<usize>().ok()?.checked_mul(1 << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;

    /// Reads a line in an order that no prefetcher guesses, and again; the ticks of it.
    fn read(table: &[u8]) -> u64 {
        let (clock, lines) = (Clock::best(), table.len() / LINE);
        let start = clock.ticks();
        let sum = (0..lines).fold(0_usize, |sum, turn| {
            let line = (turn * 1597 + (sum & 1)) % lines;
            sum + usize::from(black_box(table[line * LINE]))
        });
        black_box(sum);
        clock.ticks() - start
    }

    /// The least of several readings after `before`.
    fn least(table: &[u8], before: impl Fn()) -> u64 {
        let reading = |_| {
            before();
            read(table)
        };
        (0..9).map(reading).min().unwrap_or(0)
    }

    #[test]
    fn what_lay_in_the_caches_must_be_fetched_again() {
        let table = vec![2_u8; 128 << 10];
        let cold = Cold::new().expect("memory");
        let warm = least(&table, || ());
        let emptied = least(&table, || cold.empty());
        assert!(emptied > 2 * warm, "{emptied} ticks after it, {warm} without");
        if cfg!(target_feature = "sse2") {
            let flushed = least(&table, || flush(&table));
            assert!(flushed > 2 * warm, "{flushed} ticks after it, {warm} without");
        }
    }

    #[test]
    fn sizes_of_caches_are_read() {
        let found = ["32K", "32768K", "2M", "1G", "64", "", "K", "xK"].map(bytes);
        let known = [32 << 10, 32 << 20, 2 << 20, 1 << 30, 64].map(Some);
        assert_eq!(found, [&known[..], &[None; 3]].concat()[..]);
    }
}
