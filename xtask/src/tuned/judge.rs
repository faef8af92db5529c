//! What is behind, judged so that noise can't say it.
//!
//! A cell that seems behind is counted again, and again, in processes of their own and in another
//! order; what is behind in every count is behind. Noise must have hit the same cell in the same
//! direction each time to be taken for the truth.

use std::collections::{BTreeMap, BTreeSet};

use super::count::{Cell, Count, Runner, Times};

/// The lists that are made of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    /// The default level against every lower one.
    Default,
    /// Every level against the next lower one.
    Lower,
    /// The default level against every peer.
    Peer,
}

impl List {
    pub(super) const ALL: [Self; 3] = [Self::Default, Self::Lower, Self::Peer];

    /// By how much the other one must be faster.
    pub(super) const fn margin(self) -> f64 {
        match self {
            Self::Default => 0.05,
            Self::Lower | Self::Peer => 0.03,
        }
    }

    /// Its name in the file of reasons and in lines to be searched for.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Default => "default-not-best",
            Self::Lower => "behind-lower-level",
            Self::Peer => "behind-peer",
        }
    }
}

/// Two who did the same work.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Pair {
    pub(super) list: List,
    pub(super) cell: Cell,
    /// Who ought not to be slower.
    pub(super) ours: Runner,
    pub(super) other: Runner,
}

impl Pair {
    /// Our time in parts of the other's.
    fn ratio(&self, times: &Times) -> Option<f64> {
        let runners = times.get(&self.cell)?;
        Some(runners.get(&self.ours)? / runners.get(&self.other)?)
    }

    fn is_behind(&self, times: &Times) -> bool {
        self.ratio(times).is_some_and(|ratio| ratio > 1.0 + self.list.margin())
    }
}

/// Everything that is compared.
pub(super) fn pairs(count: &Count) -> Vec<Pair> {
    let mut pairs = Vec::new();
    let default = Runner::ours(&count.default);
    for (cell, runners) in &count.times {
        let levels: Vec<Runner> = count.levels.iter().map(|level| Runner::ours(level)).collect();
        let levels: Vec<&Runner> = levels.iter().filter(|it| runners.contains_key(it)).collect();
        let mut pair = |list, ours: &Runner, other: &Runner| {
            let (cell, ours, other) = (cell.clone(), ours.clone(), other.clone());
            pairs.push(Pair { list, cell, ours, other });
        };
        if let Some(place) = levels.iter().position(|it| **it == default) {
            levels[..place].iter().for_each(|lower| pair(List::Default, &default, lower));
            let peers = runners.keys().filter(|it| it.is_peer());
            peers.for_each(|peer| pair(List::Peer, &default, peer));
        }
        levels.windows(2).for_each(|two| pair(List::Lower, two[1], two[0]));
    }
    pairs
}

/// A cell that is behind.
#[derive(Clone, Debug)]
pub(super) struct Behind {
    /// The pair of it with the largest ratio.
    pub(super) pair: Pair,
    /// The least of all counts: the cell is behind by that at least.
    pub(super) ratio: f64,
    /// Ticks of ours and of the other, in the first count.
    pub(super) ticks: [f64; 2],
}

/// A list: what was compared and what of it is behind.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Cells that were compared; of [`List::Lower`] each of several levels.
    pub(super) compared: usize,
    /// Largest ratio first.
    pub(super) behind: Vec<Behind>,
}

/// Counts again what seems behind, so many times, and keeps what is behind each time.
///
/// `again` measures pairs once more; it is told the number of the count, from 1.
pub(super) fn settle(
    first: &Count,
    counts: usize,
    mut again: impl FnMut(&[Pair], usize) -> Result<Times, String>,
) -> Result<BTreeMap<List, Found>, String> {
    let all = pairs(first);
    let mut found = BTreeMap::new();
    for list in List::ALL {
        let cells: BTreeSet<_> =
            all.iter().filter(|it| it.list == list).map(|it| (&it.cell, &it.ours)).collect();
        found.insert(list, Found { compared: cells.len(), behind: Vec::new() });
    }
    let mut left: Vec<(Pair, f64)> = Vec::new();
    for pair in all.into_iter().filter(|pair| pair.is_behind(&first.times)) {
        let ratio = pair.ratio(&first.times).unwrap_or_default();
        left.push((pair, ratio));
    }
    for number in 1..=counts {
        if left.is_empty() {
            break;
        }
        let pairs: Vec<Pair> = left.iter().map(|it| it.0.clone()).collect();
        let times = again(&pairs, number)?;
        left.retain_mut(|(pair, least)| {
            *least = pair.ratio(&times).map_or(*least, |ratio| ratio.min(*least));
            pair.is_behind(&times)
        });
    }
    // The one that is furthest ahead stands for all who are ahead in a cell.
    left.sort_by(|a, b| b.1.total_cmp(&a.1));
    let mut seen = BTreeSet::new();
    for (pair, ratio) in left {
        if seen.insert((pair.list, pair.cell.clone(), pair.ours.clone())) {
            let runners = &first.times[&pair.cell];
            let ticks = [runners[&pair.ours], runners[&pair.other]];
            let list = found.entry(pair.list).or_default();
            list.behind.push(Behind { pair, ratio, ticks });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A generator of numbers that anybody can repeat: xorshift64*.
    struct Random(u64);

    impl Random {
        /// From 0 to 1.
        fn unit(&mut self) -> f64 {
            self.0 ^= self.0 >> 12;
            self.0 ^= self.0 << 25;
            self.0 ^= self.0 >> 27;
            (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11) as f64 / (1_u64 << 53) as f64
        }

        /// A count of `truth`: where a process lies adds 1.2 % on average, whatever its samples;
        /// of three passes that are disturbed by up to 30 % now and then, the least counts.
        fn measure(&mut self, truth: f64) -> f64 {
            let place = -0.012 * (1.0 - self.unit()).ln();
            let passes = [(); 3].map(|()| {
                let disturbed = self.unit() < 0.1;
                self.unit() * if disturbed { 0.3 } else { 0.002 }
            });
            truth * (1.0 + place + passes.into_iter().fold(f64::MAX, f64::min))
        }
    }

    const LEVELS: [&str; 3] = ["low", "middle", "high"];

    fn cell(number: usize) -> Cell {
        let (model, keys) = ("message".to_owned(), "ready".to_owned());
        Cell { operation: format!("a/{number}"), model, size: 64, messages: 1, keys }
    }

    /// A machine of known truth.
    struct Machine {
        truth: Times,
        random: Random,
    }

    impl Machine {
        /// `behind` says what of a cell is behind: times of levels and of a peer, in order.
        fn new(cells: usize, truth: impl Fn(usize) -> [f64; 4]) -> Self {
            let runners = |number| {
                let peer = Runner { engine: "peer".to_owned(), level: "-".to_owned() };
                let all = LEVELS.iter().map(|it| Runner::ours(it)).chain([peer]);
                all.zip(truth(number)).collect()
            };
            let truth = (0..cells).map(|number| (cell(number), runners(number))).collect();
            Self { truth, random: Random(7) }
        }

        fn times(&mut self) -> Times {
            let Self { truth, random } = self;
            let measured = truth.iter().map(|(cell, runners)| {
                let one = |(who, truth): (&Runner, &f64)| (who.clone(), random.measure(*truth));
                (cell.clone(), runners.iter().map(one).collect())
            });
            measured.collect()
        }

        fn judge(&mut self) -> BTreeMap<List, Found> {
            let first = Count {
                levels: LEVELS.map(str::to_owned).to_vec(),
                default: "high".to_owned(),
                times: self.times(),
                ..Count::default()
            };
            settle(&first, 3, |_, _| Ok(self.times())).unwrap()
        }
    }

    #[test]
    fn noise_alone_puts_next_to_nothing_on_a_list() {
        let mut machine = Machine::new(4000, |_| [1000.0; 4]);
        let first = machine.times();
        let seem = |list| {
            let count = Count {
                levels: LEVELS.map(str::to_owned).to_vec(),
                default: "high".to_owned(),
                times: first.clone(),
                ..Count::default()
            };
            pairs(&count).iter().filter(|it| it.list == list && it.is_behind(&first)).count()
        };
        // The noise is such that one count alone would be wrong in hundreds.
        assert!(seem(List::Lower) > 200 && seem(List::Peer) > 100, "{}", seem(List::Lower));
        let found = machine.judge();
        for list in List::ALL {
            let Found { compared, behind } = &found[&list];
            assert_eq!(*compared, if list == List::Lower { 8000 } else { 4000 });
            assert!(behind.len() <= 2, "{list:?}: {} of {compared}", behind.len());
        }
    }

    #[test]
    fn ten_percent_are_found_wherever_they_are() {
        // Every tenth cell is behind: in turn the default level, the one below, and ours.
        let truth = |number: usize| match (number % 10, number / 10 % 3) {
            (0, 0) => [1000.0, 1000.0, 1100.0, 1200.0],
            (0, 1) => [1000.0, 1100.0, 1000.0, 1200.0],
            (0, 2) => [1200.0, 1100.0, 1000.0, 900.0],
            _ => [1000.0; 4],
        };
        let found = Machine::new(3000, truth).judge();
        let count = |list, which: usize| {
            let is = |it: &&Behind| {
                let number: usize = it.pair.cell.operation[2..].parse().unwrap();
                number.is_multiple_of(10) && number / 10 % 3 == which
            };
            found[&list].behind.iter().filter(is).count()
        };
        let wrong = |list, right: usize| found[&list].behind.len() - right;
        let (default, peer) = (count(List::Default, 0), count(List::Peer, 2));
        let (high, middle) = (count(List::Lower, 0), count(List::Lower, 1));
        // A hundred of each.
        assert!(default >= 92 && peer >= 97, "{default} {peer}");
        assert!(high >= 97 && middle >= 97, "{high} {middle}");
        assert!(wrong(List::Default, default) <= 1 && wrong(List::Peer, peer) <= 1);
        assert!(wrong(List::Lower, high + middle) <= 2);
    }

    #[test]
    fn the_peer_that_is_furthest_ahead_stands_for_a_cell() {
        let peer = |engine: &str| Runner { engine: engine.to_owned(), level: "-".to_owned() };
        let runners = [
            (Runner::ours("high"), 110.0),
            (peer("a"), 100.0),
            (peer("b"), 90.0),
            (peer("c"), 109.0),
        ];
        let times: Times = [(cell(1), runners.into_iter().collect())].into();
        let (levels, default) = (vec!["high".to_owned()], "high".to_owned());
        let count = Count { levels, default, times: times.clone(), ..Count::default() };
        let mut asked = Vec::new();
        let found = settle(&count, 2, |pairs, number| {
            asked.push((pairs.len(), number));
            Ok(times.clone())
        });
        let found = found.unwrap();
        assert_eq!(asked, [(2, 1), (2, 2)]);
        let Found { compared, behind } = &found[&List::Peer];
        assert_eq!((*compared, behind.len()), (1, 1));
        assert_eq!((behind[0].pair.other.engine.as_str(), behind[0].ticks), ("b", [110.0, 90.0]));
    }

    #[test]
    fn what_is_not_behind_once_more_is_behind_no_longer() {
        let of = |ours: f64| -> Times {
            let runners = [(Runner::ours("high"), ours), (Runner::ours("low"), 100.0)];
            [(cell(1), runners.into_iter().collect())].into()
        };
        let levels = vec!["low".to_owned(), "high".to_owned()];
        let times = of(140.0);
        let count = Count { levels, default: "high".to_owned(), times, ..Count::default() };
        let judged = |second: f64| {
            let found =
                settle(&count, 2, |_, number| Ok(of(if number == 1 { 107.0 } else { second })));
            let found = found.unwrap();
            found[&List::Default].behind.iter().map(|it| it.ratio).collect::<Vec<_>>()
        };
        assert_eq!(judged(106.0), [1.06]);
        assert!(judged(104.9).is_empty());
    }
}
