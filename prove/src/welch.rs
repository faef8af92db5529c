//! Welch's t between the times of two classes, as dudect takes it (Reparaz, Balasch, Verbauwhede,
//! "dude, is my code constant time?", 2017): over all times, and again with the slowest left out
//! at many thresholds, as interruptions hide what is small.

/// Thresholds below the slowest time.
const CROPS: usize = 100;
/// Fewer times in a class say nothing.
const FEWEST: f64 = 500.0;

/// Number, mean and sum of squared distances from it.
#[derive(Clone, Copy, Default)]
struct Moments {
    n: f64,
    mean: f64,
    squares: f64,
}

impl Moments {
    fn add(&mut self, value: f64) {
        self.n += 1.0;
        let distance = value - self.mean;
        self.mean += distance / self.n;
        self.squares += distance * (value - self.mean);
    }

    /// The variance of the mean.
    fn of_mean(&self) -> f64 {
        self.squares / (self.n - 1.0) / self.n
    }
}

/// Welch's t; 0 where there are too few times or all are equal.
fn t([a, b]: [Moments; 2]) -> f64 {
    let variance = a.of_mean() + b.of_mean();
    if a.n < FEWEST || b.n < FEWEST || variance <= 0.0 {
        return 0.0;
    }
    (a.mean - b.mean) / variance.sqrt()
}

/// The t farthest from 0 over all thresholds, of times with their class.
#[must_use]
pub fn farthest(mut times: Vec<(u64, bool)>) -> f64 {
    times.sort_unstable_by_key(|&(time, _)| time);
    // Thresholds as dudect's: close together where the slowest are, sparse below.
    let place = |i: usize| {
        let below = 1.0 - 0.5_f64.powf(10.0 * (i + 1) as f64 / CROPS as f64);
        (below * times.len() as f64) as usize
    };
    let mut places: Vec<usize> = (0..CROPS).map(place).collect();
    places.push(times.len());
    let (mut moments, mut next, mut farthest) = ([Moments::default(); 2], 0, 0.0_f64);
    for (count, &(time, class)) in (1..).zip(&times) {
        moments[usize::from(class)].add(time as f64);
        while places.get(next).is_some_and(|&place| place <= count) {
            let t = t(moments);
            if t.abs() > farthest.abs() {
                farthest = t;
            }
            next += 1;
        }
    }
    farthest
}

/// The mean of the middle half of times, which what is slow now and then does not move; 0 of none.
#[must_use]
pub fn middle(mut times: Vec<u64>) -> f64 {
    times.sort_unstable();
    let half = &times[times.len() / 4..times.len() - times.len() / 4];
    half.iter().sum::<u64>() as f64 / half.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use model::random::SplitMix64;

    use super::*;

    /// Times around 1000 with some interruptions, those of one class later by `shift`.
    fn times(shift: u64) -> Vec<(u64, bool)> {
        let mut random = SplitMix64::new(7);
        let mut time = |i: usize| {
            let bytes = random.bytes(3);
            let late = if bytes[0] < 5 { 20_000 * u64::from(bytes[1]) } else { 0 };
            let class = i % 2 == 1;
            let shift = if class { shift } else { 0 };
            (1000 + u64::from(bytes[2]) + late + shift, class)
        };
        (0..10_000).map(&mut time).collect()
    }

    #[test]
    fn a_shift_hidden_by_interruptions_is_seen_and_none_is_not() {
        assert!(farthest(times(0)).abs() < 5.0, "{}", farthest(times(0)));
        assert!(farthest(times(30)).abs() > 10.0, "{}", farthest(times(30)));
        // Without cropping it would not be.
        let mut all = [Moments::default(); 2];
        for (time, class) in times(30) {
            all[usize::from(class)].add(time as f64);
        }
        assert!(t(all).abs() < 5.0);
    }

    #[test]
    fn the_middle_half_does_not_heed_the_rest() {
        assert_eq!(middle(vec![1_000_000, 10, 12, 14, 16, 0, 13, 13]), 13.0);
        assert_eq!(middle(vec![]), 0.0);
    }

    #[test]
    fn t_is_that_of_the_textbook() {
        let of = |values: &[f64]| {
            let mut moments = Moments::default();
            // Often enough to count.
            for &value in values.iter().cycle().take(250 * values.len()) {
                moments.add(value);
            }
            moments
        };
        // Means 2 and 3; squared distances 250 · 2 in each of 750.
        let expected = -1.0 / (2.0 * 500.0 / 749.0 / 750.0_f64).sqrt();
        let got = t([of(&[1.0, 2.0, 3.0]), of(&[2.0, 3.0, 4.0])]);
        assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        assert_eq!(t([of(&[1.0]), of(&[2.0])]), 0.0);
        assert_eq!(farthest(vec![]), 0.0);
    }
}
