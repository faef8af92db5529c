//! Quartiles.

use super::median;

/// The three quartiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// A quarter of the samples lies below.
    pub first: f64,
    /// The median.
    pub median: f64,
    /// A quarter of the samples lies above.
    pub third: f64,
}

/// The quartiles by Tukey's hinges: the medians of the lower and the upper half, the middle
/// sample of an odd number belonging to both; `None` without samples.
///
/// ```
/// let q = lab::stats::quartiles(&[1.0, 2.0, 3.0, 4.0, 5.0]).expect("samples");
/// assert_eq!((q.first, q.median, q.third), (2.0, 3.0, 4.0));
/// ```
#[must_use]
pub fn quartiles(samples: &[f64]) -> Option<Quartiles> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len().div_ceil(2);
    Some(Quartiles {
        first: median(&sorted[..half])?,
        median: median(&sorted)?,
        third: median(&sorted[sorted.len() - half..])?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let of = |samples: &[f64]| quartiles(samples).map(|q| (q.first, q.median, q.third));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[4.0]), Some((4.0, 4.0, 4.0)));
        assert_eq!(of(&[4.0, 2.0]), Some((2.0, 3.0, 4.0)));
        assert_eq!(of(&[6.0, 1.0, 5.0, 2.0, 4.0, 3.0]), Some((2.0, 3.5, 5.0)));
        // Tukey's own example shape: 9 numbers, the middle one in both halves.
        let nine: Vec<f64> = (1..=9).map(f64::from).collect();
        assert_eq!(of(&nine), Some((3.0, 5.0, 7.0)));
    }

    #[test]
    fn one_wild_sample_moves_nothing() {
        let calm: Vec<f64> = (0..21).map(|i| 100.0 + f64::from(i)).collect();
        let mut wild = calm.clone();
        wild[20] = 1e12;
        assert_eq!(quartiles(&calm), quartiles(&wild));
    }
}
