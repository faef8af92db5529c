//! What lane operations cost on this machine, and which of them share units.
//!
//! Nothing is known of the machine beforehand. The throughput of an operation is that of many
//! independent ones, its latency that of a chain. A set of units is found by an operation that
//! keeps it busy ([`SETS`]): what another operation adds to the time of a loop of it, is what that
//! one must do on these units. What could go elsewhere adds nothing.

use std::collections::BTreeMap;

use super::table::NARROW;

/// What an operation costs, in core cycles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// One of many independent ones.
    pub throughput: f64,
    /// One of a chain.
    pub latency: f64,
    /// What one adds to the time of a busy set of units, by the operation that keeps it busy, and
    /// under its own name to that of itself.
    pub shares: BTreeMap<String, f64>,
}

/// The costs of a level's operations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lanes {
    /// By name as in the table of counts.
    pub costs: BTreeMap<String, Cost>,
    /// How many units a set has, as far as the narrow registers tell.
    pub units: BTreeMap<String, u32>,
}

/// A step of a loop: the number of an operation, whether it runs on the registers of the second
/// set, and how many turns.
pub type Step = (usize, bool, u32);

/// Who runs loops and holds the clock.
pub trait Loops {
    /// The names of the operations.
    fn names(&self) -> Vec<&'static str>;
    /// How often one is done in a turn.
    fn per_turn(&self, operation: usize) -> f64;
    /// Core cycles of the steps, on narrow registers or the level's own, in turn or in one chain.
    fn time(&mut self, narrow: bool, chain: bool, steps: &[Step]) -> f64;
}

/// The operations that keep a set of units busy, where they are one instruction.
pub const SETS: &[&str] =
    &["xor", "unpack", "shuffle8", "shl32", "affine8", "aes_round", "mullo16", "load", "store"];

/// What reads memory and what writes it. A splat reads, too, but costs nothing here: a constant
/// stays in its register, and of a key the instruction that takes it can make one.
const READS: &[&str] = &["load", "load_part", "load_blocks"];
const WRITES: &[&str] = &["store", "store_part", "store_blocks"];

/// A turn that is shorter, in core cycles, does nothing: it is the loop's own.
const NOTHING: f64 = 2.0;

/// Less of an operation's throughput than this is no share: queues in front of the units are
/// short, so that some work waits for a unit though another one is free.
const LEAST: f64 = 0.16;

/// Turns in a row that show an operation's throughput.
const TURNS: u32 = 32;

/// Measures a level.
pub fn measure(loops: &mut dyn Loops) -> Lanes {
    let mut lanes = Lanes::default();
    for narrow in [true, false] {
        for (name, cost) in registers(loops, narrow) {
            let name = if narrow { format!("{NARROW}{name}") } else { name };
            if narrow && SETS.iter().any(|set| name[NARROW.len()..] == **set) {
                let units = (1.0 / cost.throughput.max(0.1)).round().max(1.0);
                lanes.units.insert(name[NARROW.len()..].to_owned(), units as u32);
            }
            lanes.costs.insert(name, cost);
        }
    }
    lanes
}

/// The operations of one kind of registers.
fn registers(loops: &mut dyn Loops, narrow: bool) -> Vec<(String, Cost)> {
    let names = loops.names();
    let mut costs: Vec<Cost> = Vec::new();
    for operation in 0..names.len() {
        let per = loops.per_turn(operation);
        let mut one = |chain| {
            let turn = loops.time(narrow, chain, &[(operation, false, TURNS)]) / f64::from(TURNS);
            if turn < NOTHING { 0.0 } else { turn / per }
        };
        let (throughput, latency) = (one(false), one(true));
        costs.push(Cost { throughput, latency, shares: BTreeMap::new() });
    }
    latencies_of_memory(&names, &mut costs);
    let busy: Vec<usize> =
        SETS.iter().filter_map(|set| names.iter().position(|name| name == set)).collect();
    for operation in 0..names.len() {
        let name = names[operation];
        let throughput = costs[operation].throughput;
        if throughput > 0.0 && name != "splat" {
            // Whatever else is there, one unit or the other is busy with it so long.
            costs[operation].shares.insert(name.to_owned(), throughput);
        }
        if READS.contains(&name) || WRITES.contains(&name) {
            let set = if READS.contains(&name) { "load" } else { "store" };
            costs[operation].shares.insert(set.to_owned(), throughput);
        }
    }
    for set in busy.into_iter().filter(|set| !["load", "store"].contains(&names[*set])) {
        let own = share(loops, narrow, set, set, &costs);
        // Several instructions, or one whose chains are too slow to fill the units.
        if !(0.8..1.2).contains(&own) {
            continue;
        }
        for operation in 0..names.len() {
            let name = names[operation];
            let in_memory = READS.contains(&name) || WRITES.contains(&name);
            if in_memory || name == "splat" || costs[operation].throughput == 0.0 {
                continue;
            }
            // Several instructions after each other: what they are is not told apart.
            if costs[operation].latency >= 5.0 && names[set] != "xor" {
                continue;
            }
            let share = share(loops, narrow, set, operation, &costs);
            if operation != set && share >= LEAST {
                let cycles = share.min(1.0) * costs[operation].throughput;
                costs[operation].shares.insert(names[set].to_owned(), cycles);
            }
        }
    }
    names.into_iter().map(str::to_owned).zip(costs).collect()
}

/// What a turn of an operation adds to a loop that keeps a set of units busy, in terms of its own
/// throughput.
fn share(loops: &mut dyn Loops, narrow: bool, set: usize, operation: usize, costs: &[Cost]) -> f64 {
    let turn = |operation: usize| costs[operation].throughput * loops.per_turn(operation);
    let (own, other) = (turn(operation), turn(set));
    if own == 0.0 || other == 0.0 {
        return 0.0;
    }
    let turns = (6.0 * own / other).round().max(if other < 6.0 { 12.0 } else { 8.0 }) as u32;
    let (before, after) = (turns / 2, turns - turns / 2);
    let steps = |count| [(set, false, before), (operation, true, count), (set, false, after)];
    let (alone, both) =
        (loops.time(narrow, false, &steps(0)), loops.time(narrow, false, &steps(1)));
    (both - alone) / own
}

/// A value that is stored and loaded waits for both, which is measured as one; so does one that
/// goes to a general register and back.
fn latencies_of_memory(names: &[&str], costs: &mut [Cost]) {
    let of = |name: &str| names.iter().position(|it| *it == name);
    if let Some(load) = of("load").map(|load| costs[load].latency) {
        for name in READS {
            of(name).into_iter().for_each(|it| costs[it].latency = load);
        }
    }
    for name in WRITES.iter().chain(&["low64"]) {
        of(name).into_iter().for_each(|it| costs[it].latency = 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A made-up machine without queues: two units, of which both do `xor` and the second one
    /// alone `shuffle8`; latencies 1 and 2.
    struct Two;

    impl Loops for Two {
        fn names(&self) -> Vec<&'static str> {
            vec!["xor", "shuffle8", "store", "splat"]
        }
        fn per_turn(&self, _: usize) -> f64 {
            16.0
        }
        fn time(&mut self, _: bool, chain: bool, steps: &[Step]) -> f64 {
            let work = |number: usize| {
                let of = steps.iter().filter(|step| step.0 == number);
                of.map(|step| 16.0 * f64::from(step.2)).sum::<f64>()
            };
            let (xor, shuffle, store, splat) = (work(0), work(1), work(2), work(3));
            if chain {
                return xor + 2.0 * shuffle + store + splat;
            }
            ((xor + shuffle) / 2.0).max(shuffle).max(store).max(splat / 2.0)
        }
    }

    #[test]
    fn units_of_a_known_machine_are_found() {
        let lanes = measure(&mut Two);
        let share = |name: &str, set: &str| lanes.costs[name].shares.get(set).copied();
        assert_eq!(lanes.costs["xor"].throughput, 0.5);
        assert_eq!((lanes.costs["xor"].latency, lanes.costs["shuffle8"].latency), (1.0, 2.0));
        assert_eq!((lanes.units["xor"], lanes.units["shuffle8"]), (2, 1));
        // Half of what keeps both busy; all of what keeps the second one busy.
        assert_eq!(share("shuffle8", "xor"), Some(0.5));
        assert_eq!(share("shuffle8", "shuffle8"), Some(1.0));
        assert_eq!(share("xor", "xor"), Some(0.5));
        assert_eq!(share("xor", "shuffle8"), None);
        assert_eq!(share("store", "store"), Some(1.0));
        assert!(lanes.costs["splat"].shares.is_empty());
        assert_eq!(lanes.costs["narrow.shuffle8"], lanes.costs["shuffle8"]);
    }
}
