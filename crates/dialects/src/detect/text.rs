//! Models of plaintexts: each gives every byte a probability that depends on what came before and on
//! nothing else. What looks like a text is more probable under one of them than bytes without a
//! pattern are.

/// How many models there are.
pub(super) const MODELS: usize = 5;
/// The model under which bytes have no pattern: what it finds is the padding's doing alone.
pub(super) const ANY: usize = 0;

/// Texts of a European alphabet, names, addresses, JSON.
fn general(byte: u8) -> f64 {
    match byte {
        b'a'..=b'z' => 0.47 / 26.0,
        b'A'..=b'Z' => 0.10 / 26.0,
        b'0'..=b'9' => 0.20 / 10.0,
        b' ' => 0.08,
        0x21..=0x7e => 0.11 / 32.0,
        b'\t' | b'\n' | b'\r' => 0.006 / 3.0,
        0x80..=0xff => 0.033 / 128.0,
        _ => 0.001 / 30.0,
    }
}

/// Numbers: of telephones, cards, amounts, dates.
fn numbers(byte: u8) -> f64 {
    match byte {
        b'0'..=b'9' => 0.90 / 10.0,
        b'.' | b',' | b'-' | b'+' | b' ' | b'/' | b':' => 0.07 / 7.0,
        _ => 0.03 / 239.0,
    }
}

/// Initials, codes, plates.
fn capitals(byte: u8) -> f64 {
    match byte {
        b'A'..=b'Z' => 0.80 / 26.0,
        b'0'..=b'9' => 0.08 / 10.0,
        b' ' | b'-' | b'_' | b'.' => 0.06 / 4.0,
        b'a'..=b'z' => 0.05 / 26.0,
        _ => 0.01 / 190.0,
    }
}

/// All models, from the beginning of a sample on.
pub(super) struct Models {
    general: [f64; 256],
    numbers: [f64; 256],
    /// What has come so far, for the model that learns.
    counts: [u32; 256],
    total: u32,
    /// Bytes of a character of UTF-8 that are still to come.
    pending: u8,
}

impl Models {
    pub(super) fn new() -> Self {
        let table = |of: fn(u8) -> f64| core::array::from_fn(|byte| of(byte as u8));
        let (general, numbers) = (table(general), table(numbers));
        Self { general, numbers, counts: [0; 256], total: 0, pending: 0 }
    }

    /// A value begins.
    pub(super) fn begin(&mut self) {
        self.pending = 0;
    }

    /// The probability of a byte under each model, in units of that of bytes without a pattern.
    pub(super) fn ratios(&self, byte: u8) -> [f64; MODELS] {
        /// How many bytes the first guess of the model that learns is worth.
        const PRIOR: f64 = 24.0;
        let index = usize::from(byte);
        let learnt = (f64::from(self.counts[index]) + PRIOR * self.general[index])
            / (f64::from(self.total) + PRIOR);
        // A rest for what was not met keeps one odd byte from being the end.
        let learnt = 0.98 * learnt + 0.02 / 256.0;
        let of =
            [1.0 / 256.0, self.general[index], self.numbers[index], learnt, self.chinese(byte)];
        of.map(|probability| probability * 256.0)
    }

    /// Chinese in UTF-8, with some ASCII between.
    fn chinese(&self, byte: u8) -> f64 {
        let rest = 0.03 / 256.0;
        rest + match (self.pending, byte) {
            (1.., 0x80..=0xbf) => 0.97 / 64.0,
            (1.., _) => 0.0,
            (0, 0xe4..=0xe9) => 0.73 / 6.0,
            (0, 0xe3 | 0xef) => 0.08 / 2.0,
            (0, b' '..=b'~') => 0.16 / 95.0,
            (0, _) => 0.0,
        }
    }

    /// A byte has come, whatever it counted for.
    pub(super) fn see(&mut self, byte: u8) {
        self.counts[usize::from(byte)] += 1;
        self.total += 1;
        self.pending = match byte {
            0x80..=0xbf => self.pending.saturating_sub(1),
            0xc2..=0xdf => 1,
            0xe0..=0xef => 2,
            0xf0..=0xf4 => 3,
            _ => 0,
        };
    }
}

/// How much more probable bytes at one place of many values are as they are than with an unknown byte
/// added to all of them: the logarithm to base 2, at most 8. Each byte that is there counts once, so
/// that what all values begin with says no more than it does once.
pub(super) fn unshifted(there: &[bool; 256]) -> f64 {
    let bytes: Vec<u8> = (0..=255u8).filter(|byte| there[usize::from(*byte)]).collect();
    let models: [fn(u8) -> f64; 4] = [general, numbers, capitals, ideographs];
    let likely = |shift: u8| {
        let of =
            models.map(|model| bytes.iter().map(|byte| model(byte ^ shift).log2()).sum::<f64>());
        log_mean(&of)
    };
    let shifted: Vec<f64> = (0..=255).map(likely).collect();
    shifted[0] - log_mean(&shifted)
}

/// Any byte of Chinese in UTF-8.
fn ideographs(byte: u8) -> f64 {
    match byte {
        0x80..=0xbf => 0.60 / 64.0,
        0xe4..=0xe9 => 0.30 / 6.0,
        0x20..=0x7e => 0.07 / 95.0,
        _ => 0.03 / 91.0,
    }
}

/// The logarithm of the mean of numbers that are given by their logarithms.
pub(super) fn log_mean(logs: &[f64]) -> f64 {
    let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    let sum: f64 = logs.iter().map(|log| (log - most).exp2()).sum();
    most + (sum / logs.len() as f64).log2()
}

#[cfg(test)]
mod tests {
    use super::{MODELS, Models, capitals, general, ideographs, log_mean, numbers, unshifted};

    #[test]
    fn no_model_gives_more_than_all_probability() {
        for model in [general, numbers, capitals, ideographs] {
            let sum: f64 = (0..=255).map(model).sum();
            assert!(sum <= 1.0 + 1e-9, "{sum}");
        }
        let mut models = Models::new();
        for byte in "手机 13800138000, Zürich\n".bytes() {
            let mut sums = [0.0; MODELS];
            for byte in 0..=255 {
                models.ratios(byte).iter().zip(&mut sums).for_each(|(it, sum)| *sum += it / 256.0);
            }
            assert!(sums.iter().all(|sum| *sum <= 1.0 + 1e-9), "{sums:?}");
            models.see(byte);
        }
    }

    #[test]
    fn a_mean_of_logarithms_is_that() {
        assert!((log_mean(&[3.0, 3.0]) - 3.0).abs() < 1e-12);
        assert!((log_mean(&[2.0, f64::NEG_INFINITY]) - 1.0).abs() < 1e-12);
        assert_eq!(log_mean(&[f64::NEG_INFINITY]), f64::NEG_INFINITY);
    }

    #[test]
    fn digits_are_found_unshifted_and_letters_for_digits_are_not() {
        let of = |shift: u8| {
            let mut there = [false; 256];
            b"0123456789".iter().for_each(|byte| there[usize::from(byte ^ shift)] = true);
            unshifted(&there)
        };
        assert!(of(0) > 3.0, "{}", of(0));
        assert!(of(0x74) < -10.0, "{}", of(0x74));
    }
}
