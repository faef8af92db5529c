//! Welch's t between the times of two classes, as dudect takes it (Reparaz, Balasch, Verbauwhede,
//! "dude, is my code constant time?", 2017): over all times, and again with the slowest left out
//! at many thresholds, as interruptions hide what is small.
//!
//! What counts as a finding must be large as well: a core's clock is not the same for every secret. On a quiet
//! core, whose calls all take the same time but for the 10 ns of its clock, single secrets are 2 ns of 920 apart
//! for a while, and t is 20. And it must be there where at least half of the times are left: where nearly all
//! take one of two ticks of the clock, leaving out most of those at the later one makes a difference of half a
//! nanosecond one of five (docs/notes/times.md).

/// Thresholds below the slowest time.
const CROPS: usize = 100;
/// Fewer times in a class say nothing.
const FEWEST: f64 = 500.0;
/// Means that are nearer to each other, as a share of themselves, are not told apart by what the code does.
pub const NEAR: f64 = 0.005;
/// Nor are those that are nearer in nanoseconds: half a step of the clock of an AMD EPYC.
pub const NEAR_NS: f64 = 5.0;

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

/// Where all times of a class are equal, and not those of the other: a slow clock on a quiet core.
const CERTAIN: f64 = 1e6;

/// Welch's t; 0 where there are too few times or all are equal.
fn t([a, b]: [Moments; 2]) -> f64 {
    let (apart, variance) = (a.mean - b.mean, a.of_mean() + b.of_mean());
    if a.n < FEWEST || b.n < FEWEST || apart == 0.0 {
        return 0.0;
    }
    (apart / variance.sqrt()).clamp(-CERTAIN, CERTAIN)
}

/// How far two classes are apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Apart {
    /// The t farthest from 0 over all thresholds.
    pub t: f64,
    /// That over those thresholds that leave at least half of the times and at which the means are at least
    /// [`NEAR`] and [`NEAR_NS`] apart; 0 where there is none.
    pub counted: f64,
    /// How many nanoseconds the means are apart there, that of the class `false` being the greater one.
    pub ns: f64,
    /// The mean of that class there.
    pub of: f64,
}

/// Whether the means are so far apart that t counts.
fn far([a, b]: [Moments; 2]) -> bool {
    (a.mean - b.mean).abs() >= (NEAR * a.mean.min(b.mean)).max(NEAR_NS)
}

/// How far times are apart by their class.
#[must_use]
pub fn apart(mut times: Vec<(u64, bool)>) -> Apart {
    times.sort_unstable_by_key(|&(time, _)| time);
    // Thresholds as dudect's: close together where the slowest are, sparse below.
    let place = |i: usize| {
        let below = 1.0 - 0.5_f64.powf(10.0 * (i + 1) as f64 / CROPS as f64);
        (below * times.len() as f64) as usize
    };
    let mut places: Vec<usize> = (0..CROPS).map(place).collect();
    places.push(times.len());
    let (mut moments, mut next, mut apart) = ([Moments::default(); 2], 0, Apart::default());
    for (count, &(time, class)) in (1..).zip(&times) {
        moments[usize::from(class)].add(time as f64);
        while places.get(next).is_some_and(|&place| place <= count) {
            let t = t(moments);
            if t.abs() > apart.t.abs() {
                apart.t = t;
            }
            if 2 * count >= times.len() && far(moments) && t.abs() > apart.counted.abs() {
                let [a, b] = moments.map(|it| it.mean);
                apart = Apart { counted: t, ns: a - b, of: a, ..apart };
            }
            next += 1;
        }
    }
    apart
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
        assert!(apart(times(0)).t.abs() < 5.0, "{:?}", apart(times(0)));
        assert!(apart(times(30)).counted.abs() > 10.0, "{:?}", apart(times(30)));
        // Without cropping it would not be.
        let mut all = [Moments::default(); 2];
        for (time, class) in times(30) {
            all[usize::from(class)].add(time as f64);
        }
        assert!(t(all).abs() < 5.0);
    }

    /// Times of a quiet core: 920 ns but for where between two ticks of 10 ns they begin.
    fn quiet(shift: f64, seed: u64) -> Vec<(u64, bool)> {
        quiet_from(920.0, shift, seed)
    }

    fn quiet_from(from: f64, shift: f64, seed: u64) -> Vec<(u64, bool)> {
        let mut random = SplitMix64::new(seed);
        let mut time = |byte: u8| {
            let class = byte & 1 == 1;
            let began = f64::from(random.bytes(1)[0]) / 25.6;
            let took = from + if class { shift } else { 0.0 };
            ((((began + took) / 10.0) as u64) * 10, class)
        };
        SplitMix64::new(seed + 1000).bytes(10_000).into_iter().map(&mut time).collect()
    }

    #[test]
    fn what_a_clock_does_is_no_finding_and_what_code_does_is() {
        for seed in 0..100 {
            assert_eq!(apart(quiet(0.0, seed)), Apart::default(), "no tick lies between");
            // 2.2 ns of 920, as were seen: far apart by t alone.
            let clock = apart(quiet(2.2, seed));
            assert!(clock.t.abs() > 10.0 && clock.counted.abs() < 10.0, "{seed}: {clock:?}");
            // One comparison or branch.
            let code = apart(quiet(10.0, seed));
            assert!(code.counted.abs() > 10.0, "{seed}: {code:?}");
            let between = apart(quiet_from(924.0, 0.0, seed));
            assert!(between.t.abs() < 6.0, "{seed}: {between:?}");
        }
    }

    #[test]
    fn what_leaving_out_times_makes_large_is_no_finding() {
        // A call of 310 ns begins somewhere between two ticks and ends at one of two.
        let [mut before, mut code] = [0, 0];
        for seed in 0..100 {
            let shifted = |shift| apart(quiet_from(311.0, shift, seed));
            let clock = shifted(0.7);
            assert!(clock.counted.abs() < 10.0, "{seed}: {clock:?}");
            before += usize::from(clock.t.abs() > 10.0);
            code += usize::from(shifted(10.0).counted.abs() > 10.0);
        }
        assert!(before > 50, "{before} would be beyond 10 by t alone");
        assert_eq!(code, 100);
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
        assert_eq!(t([of(&[1.0]), of(&[2.0])]), 0.0, "too few");
        assert_eq!(t([of(&[1.0, 1.0]), of(&[2.0, 2.0])]), -CERTAIN);
        assert_eq!(t([of(&[1.0, 1.0]), of(&[1.0, 1.0])]), 0.0);
        assert_eq!(apart(vec![]), Apart::default());
    }
}
