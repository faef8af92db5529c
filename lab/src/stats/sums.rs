//! The bootstrap interval of a ratio of sums.

use super::bootstrap::{Interval, RESAMPLES, Random, Sorted, figure, percentiles};

/// The ratio of the sum of `above` to the sum of `below`, each the passes of one row, figured by
/// the median of its fastest pass; `None` if a side is empty or a row has no samples.
///
/// All rows come from one run. Where they have equally many passes, a resample takes the same
/// passes of all of them, drawn with replacement: what disturbed a pass disturbed its rows
/// together. In each pass every row's samples are drawn anew. With one row a side this is
/// [`ratio_interval`](super::ratio_interval) of paired rows. The draws are the same in every
/// run.
#[must_use]
pub fn sums_interval(above: &[&[Vec<f64>]], below: &[&[Vec<f64>]]) -> Option<Interval> {
    let sum = |rows: &[&[Vec<f64>]]| rows.iter().map(|passes| figure(passes)).sum::<Option<f64>>();
    let ratio = sum(above)? / sum(below)?;
    if !ratio.is_finite() || above.is_empty() {
        return None;
    }
    let count = above.first()?.len();
    let paired = above.iter().chain(below).all(|passes| passes.len() == count);
    let sorted = |rows: &[&[Vec<f64>]]| rows.iter().map(|row| Sorted::new(row)).collect();
    let (over, under): (Vec<Sorted>, Vec<Sorted>) = (sorted(above), sorted(below));
    let mut random = Random::new();
    let mut ratios: Vec<f64> = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let shared = random.draw(count);
        let mut resampled = |rows: &[Sorted]| {
            let mut sum = 0.0;
            for passes in rows {
                let own = (!paired).then(|| random.draw(passes.len()));
                sum += random.fastest(passes, own.as_ref().unwrap_or(&shared))?;
            }
            Some(sum)
        };
        ratios.push(resampled(&over)? / resampled(&under)?);
    }
    let passes = above.iter().chain(below).map(|passes| passes.len()).min();
    Some(percentiles(ratio, ratios, passes.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Seven passes of 21 samples that scatter by 2 %; each pass is slow by its own factor.
    fn row(base: f64, slow: &[f64; 7], salt: u64) -> Vec<Vec<f64>> {
        let sample = |pass: usize, i: usize| {
            let mixed = (salt + 31 * pass as u64 + i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            base * slow[pass] * (1.0 + (mixed >> 44) as f64 / 1_048_576.0 * 0.02)
        };
        (0..7).map(|pass| (0..21).map(|i| sample(pass, i)).collect()).collect()
    }

    const QUIET: [f64; 7] = [1.0; 7];

    #[test]
    fn the_ratio_is_that_of_the_sums_and_not_the_mean_of_ratios() {
        let flat = |value: f64| vec![vec![value; 3]; 2];
        let (a, b, c, d) = (flat(1.0), flat(8.0), flat(2.0), flat(4.0));
        let interval = sums_interval(&[&a, &b], &[&c, &d]).expect("samples");
        // The mean of 1/2 and 8/4 would be 1.25.
        assert_eq!(interval, Interval { ratio: 1.5, low: 1.5, high: 1.5 });
    }

    #[test]
    fn the_interval_holds_the_true_ratio() {
        let above = [row(100.0, &QUIET, 1), row(900.0, &QUIET, 2)];
        let below = [row(125.0, &QUIET, 3), row(1000.0, &QUIET, 4)];
        let a: Vec<&[Vec<f64>]> = above.iter().map(Vec::as_slice).collect();
        let b: Vec<&[Vec<f64>]> = below.iter().map(Vec::as_slice).collect();
        let interval = sums_interval(&a, &b).expect("samples");
        let truth = 1000.0 / 1125.0;
        assert!(interval.low < truth && truth < interval.high, "{interval:?}");
        assert!(interval.high - interval.low < 0.02, "{interval:?}");
    }

    #[test]
    fn passes_that_are_slow_together_leave_a_paired_ratio_alone() {
        let slow = [1.0, 1.3, 1.3, 1.4, 1.3, 1.5, 1.3];
        let (a, b) = (row(90.0, &slow, 1), row(100.0, &slow, 2));
        let paired = sums_interval(&[&a], &[&b]).expect("samples");
        assert!(paired.high - paired.low < 0.05, "{paired:?}");
        // One pass fewer, and pass can't be set beside pass.
        let apart = sums_interval(&[&a[..6]], &[&b]).expect("samples");
        assert!(apart.high - apart.low > 0.2, "{apart:?}");
    }

    #[test]
    fn nothing_has_no_interval() {
        let row = row(1.0, &QUIET, 1);
        assert_eq!(sums_interval(&[], &[]), None);
        assert_eq!(sums_interval(&[&row], &[]), None);
        assert_eq!(sums_interval(&[], &[&row]), None);
        assert_eq!(sums_interval(&[&row], &[&[]]), None);
        assert_eq!(sums_interval(&[&row], &[&[vec![]]]), None);
    }
}
