//! The verdicts on trial: studies whose true ratios are known, under noise of three kinds.
//!
//! A study is a run of six claims. Their rows are drawn, not measured, so that each verdict is
//! either right or wrong. 1 000 studies of each kind of noise are judged with what judges a real
//! run; `--nocapture` prints the counts.

use lab::claims::Verdict;
use lab::stats::{Interval, sums_interval};
use lab::study::Expects;

const STUDIES: usize = 1000;
const PASSES: usize = 9;
const SAMPLES: usize = 21;

/// Random numbers by SplitMix64, equal in every run.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Of the normal distribution, near enough: the sum of twelve numbers.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    fn chance(&mut self, share: f64) -> bool {
        self.unit() < share
    }
}

/// What disturbs a run. All of it comes on top of the scatter of a quiet machine: 0.5 % from pass
/// to pass, as every pass has a process of its own, and 1 % from sample to sample.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Noise {
    /// Nothing else.
    Scatter,
    /// A neighbour on the core: every fourth pass of a row is slow by 5 to 60 %, and no canary saw
    /// it.
    Neighbour,
    /// Slow phases of the host, up to 30 %, which take all rows of a pass together; and one sample
    /// in ten is interrupted.
    Phases,
}

const NOISES: [Noise; 3] = [Noise::Scatter, Noise::Neighbour, Noise::Phases];

/// The phases of a run: how slow the host was in each pass.
fn phases(noise: Noise, random: &mut Random) -> Vec<f64> {
    let slow = |random: &mut Random| match noise {
        Noise::Phases if random.chance(0.5) => 1.0 + 0.3 * random.unit(),
        _ => 1.0,
    };
    (0..PASSES).map(|_| slow(random)).collect()
}

/// A row that truly takes so long.
fn row(truth: f64, noise: Noise, phases: &[f64], random: &mut Random) -> Vec<Vec<f64>> {
    let pass = |phase: &f64| {
        let mut level = truth * phase * (1.0 + 0.005 * random.normal());
        if noise == Noise::Neighbour && random.chance(0.25) {
            level *= 1.05 + 0.55 * random.unit();
        }
        let mut sample = || {
            let long = noise == Noise::Phases && random.chance(0.1);
            level * (1.0 + 0.01 * random.normal()) * if long { 1.5 } else { 1.0 }
        };
        (0..SAMPLES).map(|_| sample()).collect()
    };
    phases.iter().map(pass).collect()
}

/// A claim, what is true, and the verdict that is right.
struct Known {
    expects: Expects,
    published: Option<f64>,
    truth: f64,
    right: Verdict,
}

/// Effects of 5 %, and none: published rightly, wrongly, and by its sign alone.
fn known() -> Vec<Known> {
    let of = |expects, published, truth, right| Known { expects, published, truth, right };
    vec![
        of(Expects::Ratio, Some(0.95), 0.95, Verdict::Holds),
        of(Expects::Ratio, Some(1.05), 0.95, Verdict::Reversed),
        of(Expects::Ratio, Some(0.87), 0.95, Verdict::Weaker),
        of(Expects::Ratio, Some(0.95), 1.0, Verdict::Gone),
        of(Expects::Slower, None, 0.95, Verdict::Holds),
        of(Expects::Equal, None, 1.0, Verdict::Holds),
    ]
}

/// How often each verdict fell, by claim.
fn counts(noise: Noise) -> Vec<[usize; 6]> {
    let known = known();
    let mut counts = vec![[0; 6]; known.len()];
    let mut random = Random(1);
    for _ in 0..STUDIES {
        let phases = phases(noise, &mut random);
        for (claim, counts) in known.iter().zip(&mut counts) {
            let interval = measured(claim.truth, noise, &phases, &mut random);
            let verdict = Verdict::of(&interval, claim.expects, claim.published);
            let place = Verdict::ALL.iter().position(|it| *it == verdict).expect("one of all");
            counts[place] += 1;
        }
    }
    counts
}

fn measured(truth: f64, noise: Noise, phases: &[f64], random: &mut Random) -> Interval {
    let (above, below) = (row(truth, noise, phases, random), row(1.0, noise, phases, random));
    sums_interval(&[&above], &[&below]).expect("samples")
}

fn count(counts: &[usize; 6], verdict: Verdict) -> usize {
    counts[Verdict::ALL.iter().position(|it| *it == verdict).expect("one of all")]
}

#[test]
fn true_claims_are_not_refuted_and_effects_of_five_percent_are_seen() {
    println!("{STUDIES} studies of each noise: {}", Verdict::ALL.map(Verdict::name).join(", "));
    for noise in NOISES {
        let (mut seen, mut effects) = (0, 0);
        for (claim, counts) in known().iter().zip(counts(noise)) {
            let Known { expects, published, truth, right } = claim;
            println!("{noise:?}: {expects:?} {published:?}, truly {truth}: {counts:?}");
            let refuted = count(&counts, Verdict::Gone) + count(&counts, Verdict::Reversed);
            if [Verdict::Holds, Verdict::Weaker].contains(right) {
                assert!(refuted <= STUDIES / 20, "{noise:?}: {refuted} true claims refuted");
            }
            if *truth != 1.0 {
                (seen, effects) = (seen + count(&counts, *right), effects + STUDIES);
            }
            // And claims of equality are open rather than wrong.
            let wrong = STUDIES - count(&counts, *right) - count(&counts, Verdict::CantTell);
            if *truth == 1.0 {
                assert!(wrong <= STUDIES / 20, "{noise:?}: {wrong} verdicts on equal speeds");
            }
        }
        println!("{noise:?}: {seen} of {effects} verdicts on effects of 5 % are right");
        assert!(seen * 10 >= effects * 9, "{noise:?}: {seen} of {effects}");
    }
}

#[test]
fn an_interval_of_95_percent_holds_the_truth_so_often() {
    for noise in NOISES {
        let mut random = Random(2);
        let mut widths = Vec::new();
        let held = (0..STUDIES).filter(|_| {
            let phases = phases(noise, &mut random);
            let interval = measured(0.95, noise, &phases, &mut random);
            widths.push(interval.high / interval.low - 1.0);
            (interval.low..interval.high).contains(&0.95)
        });
        let held = held.count();
        let width = lab::stats::median(&widths).expect("some");
        println!("{noise:?}: {held} of {STUDIES}, median width {:.2} %", width * 100.0);
        assert!(held >= STUDIES * 94 / 100, "{noise:?}: {held}");
        assert!(width < 0.06, "{noise:?}: {width}");
    }
}
