//! The bootstrap interval of a ratio (Efron, *Bootstrap methods*, Ann. Statist. 7, 1979).

use super::median;

/// A ratio and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The ratio of the samples themselves.
    pub ratio: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// Its upper end, as many times the ratio as the ratio is the lower end.
    pub high: f64,
}

/// Whether pass `i` of one side belongs to pass `i` of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paired {
    /// Both sides were measured in one run, a pass of one beside the same pass of the other
    /// (A B B A …): a resample takes the same passes of both.
    Yes,
    /// The sides come from different runs.
    No,
}

pub(super) const RESAMPLES: usize = 1000;

/// The ratio of `b` to `a`, each given as passes of samples, figured by the median of its
/// fastest pass; `None` if a side has no samples.
///
/// A resample draws passes with replacement and, in each, samples with replacement, so that
/// the interval tells the scatter between passes as well as that inside one. The draws are
/// the same in every run: equal files give equal intervals.
#[must_use]
pub fn ratio_interval(a: &[Vec<f64>], b: &[Vec<f64>], paired: Paired) -> Option<Interval> {
    let ratio = figure(b)? / figure(a)?;
    let (above, below) = (Sorted::new(b), Sorted::new(a));
    let mut random = Random::new();
    let mut ratios: Vec<f64> = Vec::with_capacity(RESAMPLES);
    for _ in 0..RESAMPLES {
        let draw_a = random.draw(a.len());
        let draw_b = match paired {
            Paired::Yes if a.len() == b.len() => draw_a.clone(),
            _ => random.draw(b.len()),
        };
        let divisor = random.fastest(&below, &draw_a)?;
        ratios.push(random.fastest(&above, &draw_b)? / divisor);
    }
    Some(percentiles(ratio, ratios, a.len().min(b.len())))
}

/// The figure of a row: the median of its fastest pass.
pub(super) fn figure(passes: &[Vec<f64>]) -> Option<f64> {
    passes.iter().filter_map(|pass| median(pass)).min_by(f64::total_cmp)
}

/// A ratio and its interval by the middle 95 % of its resamples, of which there are
/// [`RESAMPLES`], drawn from so many passes.
///
/// The middle itself is too narrow, by twenty A/A pairs and their like: the fastest of few
/// passes can't be drawn faster than it was, so the resamples show one side only, draws from `n`
/// passes scatter by `(n - 1) / n` of the variance, and of a scatter that is itself known from so
/// few passes Student's t says how much farther 95 % reach than of one that is known well. So the
/// farther side counts for both, and both factors widen it (Hesterberg 2015 calls that the
/// expanded percentile interval).
pub(super) fn percentiles(ratio: f64, mut ratios: Vec<f64>, passes: usize) -> Interval {
    ratios.sort_by(f64::total_cmp);
    let at = |share: f64| ratios[(share * (RESAMPLES - 1) as f64).round() as usize];
    let far = (ratio / at(0.025)).max(at(0.975) / ratio).max(1.0);
    let n = passes.max(2) as f64;
    let far = far.powf((n / (n - 1.0)).sqrt() * student(passes) / NORMAL);
    Interval { ratio, low: ratio / far, high: ratio * far }
}

/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.960;

/// That of Student's t for so many passes. Of one or two passes, which scatter by their samples
/// only, it is that of three.
fn student(passes: usize) -> f64 {
    const POINTS: [f64; 9] = [4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    // From 11 degrees of freedom on within 1 %.
    let more = || NORMAL + 2.7 / passes as f64;
    POINTS.get(passes.max(3) - 3).copied().unwrap_or_else(more)
}

/// A small generator with a fixed seed (xorshift64*), enough to draw samples.
pub(super) struct Random(u64);

impl Random {
    pub(super) const fn new() -> Self {
        Self(0x0c1e_a9e1)
    }

    /// As many numbers below `n`, drawn with replacement.
    pub(super) fn draw(&mut self, n: usize) -> Vec<usize> {
        (0..n).map(|_| self.below(n)).collect()
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        // A product of 32 by 32 bits: what remains above is below `n`, on a machine of any width.
        ((high * n as u64) >> 32) as usize
    }

    /// The median of the fastest of the drawn passes, each resampled.
    pub(super) fn fastest(&mut self, passes: &Sorted, draw: &[usize]) -> Option<f64> {
        let resampled = draw.iter().filter_map(|&i| {
            let (samples, ranks) = &passes.of[i];
            let share = self.below(1 << 30) as f64 / f64::from(1_u32 << 30);
            let rank = passes.ranks[*ranks].partition_point(|below| *below <= share);
            samples.get(rank).or(samples.last()).copied()
        });
        resampled.min_by(f64::total_cmp)
    }
}

/// Passes made ready for resampling: the samples of each in order, and how often each of them is
/// the median of a resample.
pub(super) struct Sorted {
    of: Vec<(Vec<f64>, usize)>,
    ranks: Vec<Vec<f64>>,
}

impl Sorted {
    /// How many passes.
    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    pub(super) fn new(passes: &[Vec<f64>]) -> Self {
        let mut lengths: Vec<usize> = Vec::new();
        let mut of = Vec::with_capacity(passes.len());
        for pass in passes {
            let mut samples = pass.clone();
            samples.sort_by(f64::total_cmp);
            let known = lengths.iter().position(|length| *length == samples.len());
            let place = known.unwrap_or(lengths.len());
            if known.is_none() {
                lengths.push(samples.len());
            }
            of.push((samples, place));
        }
        Self { of, ranks: lengths.into_iter().map(ranks).collect() }
    }
}

/// For each rank among `n` samples, how often the median of a resample has it or one below.
///
/// A resample draws numbers `u` of the interval 0 to 1 and takes the samples of rank `⌈n u⌉`; its
/// median is of rank `⌈n v⌉`, where `v` is the median of `n` such numbers, whose density is in
/// proportion to `(v (1 - v))^((n - 1) / 2)`. So one draw stands for `n` draws and their sorting.
/// (An even number of samples, which no engine gives, is taken by the same rule.)
fn ranks(n: usize) -> Vec<f64> {
    let exponent = n.saturating_sub(1) as f64 / 2.0;
    let density = |v: f64| (4.0 * v * (1.0 - v)).powf(exponent);
    // Simpson's rule on eight parts of each rank.
    let mut sum = 0.0;
    let mut until: Vec<f64> = (0..n)
        .map(|rank| {
            let at = |part: usize| density((rank as f64 + part as f64 / 8.0) / n as f64);
            let inner: f64 =
                (1..8).map(|part| if part % 2 == 1 { 4.0 } else { 2.0 } * at(part)).sum();
            sum += at(0) + inner + at(8);
            sum
        })
        .collect();
    until.iter_mut().for_each(|it| *it /= sum);
    until
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(base: f64, scatter: f64, seed: u64) -> Vec<Vec<f64>> {
        let mut random = Random(seed);
        let pass = |random: &mut Random| {
            (0..21).map(|_| base + scatter * (random.below(1000) as f64 / 1000.0)).collect()
        };
        (0..3).map(|_| pass(&mut random)).collect()
    }

    #[test]
    fn equal_sides_have_an_interval_around_one() {
        let interval = ratio_interval(&passes(100.0, 4.0, 1), &passes(100.0, 4.0, 2), Paired::No)
            .expect("some");
        assert!(interval.low < 1.0 && 1.0 < interval.high, "{interval:?}");
        assert!(interval.high - interval.low < 0.1, "{interval:?}");
    }

    #[test]
    fn a_clear_gain_has_an_interval_below_one() {
        let interval = ratio_interval(&passes(100.0, 4.0, 1), &passes(90.0, 4.0, 2), Paired::Yes)
            .expect("some");
        assert!((interval.ratio - 0.9).abs() < 0.02, "{interval:?}");
        assert!(interval.high < 0.95 && interval.low > 0.85, "{interval:?}");
    }

    #[test]
    fn few_passes_are_worth_less() {
        let points: Vec<f64> = [1, 3, 4, 7, 11, 12, 21, 1000].map(student).to_vec();
        let published = [4.303, 4.303, 3.182, 2.447, 2.228, 2.201, 2.086, 1.962];
        for (point, published) in points.iter().zip(published) {
            assert!((point / published - 1.0).abs() < 0.01, "{points:?}");
        }
    }

    #[test]
    fn one_draw_has_the_distribution_of_a_resamples_median() {
        for n in [3, 5, 21] {
            let pass: Vec<f64> = (0..n).map(f64::from).collect();
            let sorted = Sorted::new(std::slice::from_ref(&pass));
            let (mut random, draws) = (Random::new(), 20_000);
            let mut short = vec![0.0; pass.len()];
            let mut long = short.clone();
            for _ in 0..draws {
                short[random.fastest(&sorted, &[0]).expect("one") as usize] += 1.0;
                let again: Vec<f64> = pass.iter().map(|_| pass[random.below(pass.len())]).collect();
                long[median(&again).expect("one") as usize] += 1.0;
            }
            for (short, long) in short.iter().zip(&long) {
                let error = (f64::max(*short, 1.0) * 2.0).sqrt();
                assert!((short - long).abs() < 5.0 * error, "{n}: {short} {long}");
            }
        }
    }

    #[test]
    fn samples_without_scatter_give_a_point() {
        let point = ratio_interval(&[vec![2.0; 3]], &[vec![3.0; 3]], Paired::No).expect("some");
        assert_eq!(point, Interval { ratio: 1.5, low: 1.5, high: 1.5 });
    }

    #[test]
    fn a_pass_that_stands_apart_widens_the_interval() {
        let calm = vec![vec![100.0; 21]; 3];
        let mut uneven = calm.clone();
        uneven[1] = vec![80.0; 21];
        let interval = ratio_interval(&calm, &uneven, Paired::No).expect("some");
        assert_eq!(interval.ratio, 0.8);
        assert!(interval.low < 0.65 && interval.high > 1.0, "{interval:?}");
        assert!((interval.low * interval.high - 0.64).abs() < 1e-9, "{interval:?}");
    }

    #[test]
    fn nothing_has_no_interval() {
        assert_eq!(ratio_interval(&[], &[vec![1.0]], Paired::No), None);
        assert_eq!(ratio_interval(&[vec![1.0]], &[vec![]], Paired::No), None);
    }
}
