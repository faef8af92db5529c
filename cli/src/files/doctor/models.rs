//! What plaintexts are made of, as probabilities: each model tells how probable the next byte is
//! after those before it, so that its sum over all files of a length is at most 1. Of bytes
//! without a pattern it can reach `n` bits more than 8 a byte only once in 2ⁿ files (Markov's
//! inequality), wherever the reading stops (Ville's). Evidence is that and nothing else.

use std::sync::LazyLock;

/// How many models there are, with that of bytes without a pattern.
const MODELS: f64 = 8.0;

/// Bytes after which, again and again, it is asked whether reading on is of use.
pub(crate) const STEP: usize = 512;

/// No model comes back from so many bits below nothing.
const LOST: f64 = -24.0;

/// Bytes that count from what was seen, over a mean known before.
struct Model {
    /// How often each byte was as good as seen before the first.
    start: [f32; 256],
    /// Whether the bytes that follow the first of a character in UTF-8 are known as such.
    characters: bool,
    /// Each so many bytes have frequencies of their own: numbers of four bytes.
    columns: usize,
    /// How probable it is that a byte is that before it.
    again: f64,
}

/// Letters of English, the most frequent first, in thousandths.
const LETTERS: [(u8, f32); 26] = [
    (b'e', 127.0),
    (b't', 91.0),
    (b'a', 82.0),
    (b'o', 75.0),
    (b'i', 70.0),
    (b'n', 67.0),
    (b's', 63.0),
    (b'h', 61.0),
    (b'r', 60.0),
    (b'd', 43.0),
    (b'l', 40.0),
    (b'c', 28.0),
    (b'u', 28.0),
    (b'm', 24.0),
    (b'w', 24.0),
    (b'f', 22.0),
    (b'g', 20.0),
    (b'y', 20.0),
    (b'p', 19.0),
    (b'b', 15.0),
    (b'v', 10.0),
    (b'k', 8.0),
    (b'j', 2.0),
    (b'x', 2.0),
    (b'q', 1.0),
    (b'z', 1.0),
];

/// A mean, given by shares of classes of bytes, with a little left for all bytes, that counts as
/// much as so many bytes seen.
fn mean(weight: f32, shares: &[(&dyn Fn(u8) -> bool, f32)], letters: f32) -> [f32; 256] {
    let mut start = [0.005 / 256.0; 256];
    for (class, share) in shares {
        let members: Vec<u8> = (0..=255).filter(|byte| class(*byte)).collect();
        for byte in &members {
            start[usize::from(*byte)] += share / members.len() as f32;
        }
    }
    for (letter, share) in LETTERS {
        start[usize::from(letter)] += letters * share / 1103.0;
    }
    let all: f32 = start.iter().sum();
    start.map(|it| weight * it / all)
}

static KNOWN: LazyLock<[Model; 7]> = LazyLock::new(|| {
    let printable = |it: u8| matches!(it, b' '..=b'~' | b'\n');
    let line_end = |it: u8| it == b'\n';
    let space = |it: u8| it == b' ';
    let digit = |it: u8| it.is_ascii_digit();
    let upper = |it: u8| it.is_ascii_uppercase();
    let sign = |it: u8| it.is_ascii_punctuation() || it == b'\t' || it == b'\r';
    let leads = |it: u8| matches!(it, 0xC3..=0xEF);
    let far_east = |it: u8| matches!(it, 0xE3..=0xE9 | 0xEF);
    let any = |_: u8| true;
    let zero = |it: u8| it == 0;
    let prose: [f32; 256] = mean(
        48.0,
        &[
            (&space, 0.15),
            (&line_end, 0.02),
            (&digit, 0.06),
            (&upper, 0.05),
            (&sign, 0.07),
            (&leads, 0.03),
        ],
        0.62,
    );
    let lists =
        mean(24.0, &[(&printable, 0.6), (&digit, 0.2), (&line_end, 0.05), (&space, 0.05)], 0.1);
    let far =
        mean(32.0, &[(&far_east, 0.7), (&printable, 0.2), (&space, 0.04), (&line_end, 0.04)], 0.0);
    let flat = mean(48.0, &[(&any, 1.0)], 0.0);
    let zeros = mean(16.0, &[(&zero, 0.7), (&any, 0.3)], 0.0);
    let one = |start, characters, columns| Model { start, characters, columns, again: 0.0 };
    [
        one(prose, true, 1),
        one(lists, true, 1),
        one(far, true, 1),
        one(flat, false, 1),
        one(zeros, false, 1),
        one(zeros, false, 4),
        Model { again: 0.8, ..one(flat, false, 1) },
    ]
});

/// A model at work.
struct Reading {
    model: &'static Model,
    seen: Vec<[f32; 256]>,
    all: Vec<f32>,
    /// Bytes of a character that are still to come.
    open: u8,
    /// The byte before.
    last: Option<u8>,
    /// Bits so far, and a factor that is not in them yet.
    bits: f64,
    factor: f64,
}

impl Reading {
    fn new(model: &'static Model) -> Self {
        let all = model.start.iter().sum();
        let (seen, all) = (vec![model.start; model.columns], vec![all; model.columns]);
        Self { model, seen, all, open: 0, last: None, bits: 0.0, factor: 1.0 }
    }

    fn read(&mut self, at: usize, byte: u8, counts: bool) {
        let follows = byte & 0xC0 == 0x80;
        let last = self.last.replace(byte);
        if self.model.characters && self.open > 0 {
            let odds = if follows { 0.98 * 256.0 / 64.0 } else { 0.02 * 256.0 / 192.0 };
            self.factor *= if counts { odds } else { 1.0 };
            if follows {
                self.open -= 1;
                return;
            }
        } else if counts {
            let column = at % self.model.columns;
            let seen = &mut self.seen[column][usize::from(byte)];
            let again = if last.is_some() { self.model.again } else { 0.0 };
            let same = if last == Some(byte) { 256.0 * again } else { 0.0 };
            self.factor *= same + (1.0 - again) * f64::from(256.0 * *seen / self.all[column]);
            *seen += 1.0;
            self.all[column] += 1.0;
        }
        self.open = match byte {
            0xC2..=0xDF => 1,
            0xE0..=0xEF => 2,
            0xF0..=0xF4 => 3,
            _ => 0,
        };
    }

    fn bits(&mut self) -> f64 {
        self.bits += self.factor.log2();
        self.factor = 1.0;
        self.bits
    }
}

/// Bits by which bytes look more like plaintext than like none.
pub(crate) struct Score {
    pub(crate) bits: f64,
    /// Whether more bytes would not help either.
    pub(crate) lost: bool,
}

/// Reads bytes, of which those count that are `fresh`: the others follow from bytes before them
/// whatever the key is.
pub(crate) fn score(plain: &[u8], fresh: impl Fn(usize) -> bool) -> Score {
    let mut readings: Vec<Reading> = KNOWN.iter().map(Reading::new).collect();
    let mut lost = false;
    // So short that no factor leaves the range of a number.
    for (number, piece) in plain.chunks(16).enumerate() {
        let at = 16 * number;
        if at > 0 && at.is_multiple_of(STEP) {
            lost = readings.iter().all(|it| it.bits < LOST);
            if lost {
                break;
            }
        }
        for reading in &mut readings {
            for (i, byte) in piece.iter().enumerate() {
                reading.read(at + i, *byte, fresh(at + i));
            }
            reading.bits();
        }
    }
    lost = lost || plain.len() >= STEP && readings.iter().all(|it| it.bits < LOST);
    // One of them, each as probable as the others; bytes without a pattern have no bits.
    let best = readings.iter().fold(0.0_f64, |best, it| best.max(it.bits));
    let sum: f64 = readings.iter().map(|it| (it.bits - best).exp2()).sum();
    Score { bits: best + ((sum + (-best).exp2()) / MODELS).log2(), lost }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_model_is_a_probability() {
        for (number, model) in KNOWN.iter().enumerate() {
            for before in [&b""[..], b"abc", "国".as_bytes(), b"\xe5", b"\xc3", &[0; 40]] {
                let sum: f64 = (0..=255)
                    .map(|byte| {
                        let mut reading = Reading::new(model);
                        for (at, byte) in before.iter().enumerate() {
                            reading.read(at, *byte, true);
                        }
                        reading.bits();
                        reading.read(before.len(), byte, true);
                        reading.factor / 256.0
                    })
                    .sum();
                assert!((sum - 1.0).abs() < 1e-4, "{number} after {before:?}: {sum}");
            }
        }
    }

    #[test]
    fn bytes_that_are_not_fresh_say_nothing() {
        let text = b"the same again. the same again. ".repeat(20);
        assert!(score(&text, |_| true).bits > 1000.0);
        let once = score(&text, |at| at < 16).bits;
        assert!((30.0..60.0).contains(&once), "{once}");
        assert!(score(&text, |_| false).bits.abs() < 1e-9);
    }
}
