//! The least time of a mixture of operations.
//!
//! The least time in which units can do a mixture is a linear programme: how much of each
//! operation goes to which unit, so that the busiest one is done soonest. By its dual that is the
//! greatest over all sets of units of the work that no other unit can take over, divided by the
//! set's speed. A [share](Cost::shares) is this work, already divided: what one operation adds to
//! the time of a set of units that is busy throughout. So the bound is a maximum of sums.

use std::collections::BTreeMap;

use super::table::Counts;
use super::units::{Cost, Lanes};

/// Which bound it is that binds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Units are busy all the time.
    Throughput,
    /// One operation waits for the other.
    Latency,
}

impl Kind {
    /// `"throughput"` or `"latency"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Latency => "latency",
        }
    }
}

/// A floor.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The least core cycles.
    pub cycles: f64,
    /// By which bound.
    pub kind: Kind,
    /// What binds, in words.
    pub binds: String,
}

/// The least core cycles of operations, of which those of `path` wait for each other. `None`
/// where nothing is asked for, or something whose cost is unknown is all there is.
#[must_use]
pub fn floor(counts: &Counts, path: Option<&Counts>, lanes: &Lanes) -> Option<Bound> {
    let mut sets: BTreeMap<&str, f64> = BTreeMap::new();
    for (cost, count) in costs(counts, lanes) {
        for (set, share) in &cost.shares {
            *sets.entry(set).or_default() += count * share;
        }
    }
    let busiest = sets.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let throughput = busiest.filter(|it| it.1 > 0.0).map(|(set, cycles)| {
        let binds = match lanes.units.get(set) {
            Some(1) => format!("{set}: 1 unit"),
            Some(units) => format!("{set}: {units} units"),
            None => format!("{set} alone"),
        };
        Bound { cycles, kind: Kind::Throughput, binds }
    });
    let latency = path.map(|path| {
        let cycles = costs(path, lanes).map(|(cost, count)| count * cost.latency).sum();
        Bound { cycles, kind: Kind::Latency, binds: "latency".to_owned() }
    });
    [throughput, latency].into_iter().flatten().max_by(|a, b| a.cycles.total_cmp(&b.cycles))
}

/// What is known of the operations asked for.
fn costs<'l>(counts: &'l Counts, lanes: &'l Lanes) -> impl Iterator<Item = (&'l Cost, f64)> {
    counts.iter().filter_map(|(name, count)| Some((lanes.costs.get(name)?, *count as f64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(throughput: f64, latency: f64, shares: &[(&str, f64)]) -> Cost {
        let shares = shares.iter().map(|(set, share)| ((*set).to_owned(), *share)).collect();
        Cost { throughput, latency, shares }
    }

    /// Two units: both add, the second one alone multiplies.
    fn two() -> Lanes {
        let costs = [
            ("add", cost(0.5, 1.0, &[("add", 0.5)])),
            ("mul", cost(1.0, 3.0, &[("add", 0.5), ("mul", 1.0)])),
        ];
        Lanes {
            costs: costs.map(|(name, cost)| (name.to_owned(), cost)).into(),
            units: [("add".to_owned(), 2), ("mul".to_owned(), 1)].into(),
        }
    }

    fn counts(list: &[(&str, u64)]) -> Counts {
        list.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
    }

    #[test]
    fn what_others_can_take_over_does_not_bind() {
        // Both units share the additions: (6 + 2) / 2.
        let bound = floor(&counts(&[("add", 6), ("mul", 2)]), None, &two()).unwrap();
        assert_eq!((bound.cycles, bound.binds.as_str()), (4.0, "add: 2 units"));
        // The second unit multiplies all the time, the first one adds beside it.
        let bound = floor(&counts(&[("add", 2), ("mul", 6)]), None, &two()).unwrap();
        assert_eq!((bound.cycles, bound.binds.as_str()), (6.0, "mul: 1 unit"));
        assert_eq!(bound.kind.name(), "throughput");
    }

    #[test]
    fn it_is_the_optimum_of_the_programme() {
        // Brute force: x of the additions on the first unit, the rest and all products on the
        // second.
        for (add, mul) in [(0, 3), (1, 1), (5, 2), (9, 3), (4, 9)] {
            let best = (0..=2 * add).map(|x| (f64::from(x) / 2.0, f64::from(add + mul)));
            let best = best.map(|(first, all)| first.max(all - first)).fold(f64::MAX, f64::min);
            let counts = counts(&[("add", add as u64), ("mul", mul as u64)]);
            assert_eq!(floor(&counts, None, &two()).unwrap().cycles, best, "{add} {mul}");
        }
    }

    #[test]
    fn a_chain_binds_where_it_is_longer() {
        let both = counts(&[("add", 4), ("mul", 4)]);
        let bound = floor(&both, Some(&both), &two()).unwrap();
        assert_eq!((bound.cycles, bound.kind), (16.0, Kind::Latency));
        let bound = floor(&both, Some(&counts(&[("add", 1)])), &two()).unwrap();
        assert_eq!((bound.cycles, bound.kind), (4.0, Kind::Throughput));
    }

    #[test]
    fn nothing_asked_for_has_no_floor() {
        assert_eq!(floor(&Counts::new(), None, &two()), None);
        assert_eq!(floor(&counts(&[("nobody knows", 3)]), None, &two()), None);
    }
}
