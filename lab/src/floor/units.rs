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
    &["xor", "shuffle8", "shl32", "affine8", "aes_round", "mullo16", "load", "store"];

/// Every unit does it.
const ALL_UNITS: &str = "xor";

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

/// Passes over the operations alone, of which the least counts: other work on the machine adds.
const PASSES: u32 = 3;

/// Measures a level.
pub fn measure(loops: &mut dyn Loops) -> Lanes {
    let names = loops.names();
    let mut kinds = [true, false].map(|narrow| alone(loops, narrow));
    latencies_of_memory(&names, &mut kinds);
    let units = [units_of(&kinds[0], &kinds[1]), units_of_wide(&names, &kinds)];
    whole_passes(&mut kinds);
    let mut lanes = Lanes::default();
    for ((kind, narrow), units) in kinds.iter_mut().zip([true, false]).zip(&units) {
        shares(loops, narrow, units, kind, &mut lanes.units);
        for (name, cost) in names.iter().zip(kind) {
            let name = if narrow { format!("{NARROW}{name}") } else { (*name).to_owned() };
            lanes.costs.insert(name, std::mem::take(cost));
        }
    }
    lanes
}

/// As many units as do one in a cycle, as `costs` tell, or where they don't, `others`.
fn units_of(costs: &[Cost], others: &[Cost]) -> Vec<f64> {
    let unit = |(cost, other): (&Cost, &Cost)| {
        let one = if cost.throughput > 0.0 { cost.throughput } else { other.throughput };
        (1.0 / one.max(0.1) + 0.45).floor().max(1.0)
    };
    costs.iter().zip(others).map(unit).collect()
}

/// The units of wide registers. They may keep each of those of narrow ones for several cycles;
/// but where they take no whole number of them, there are fewer: Intel's cores join two of
/// three for 64 bytes.
fn units_of_wide(names: &[&str], [narrow, wide]: &[Vec<Cost>; 2]) -> Vec<f64> {
    let passes = names
        .iter()
        .position(|name| *name == ALL_UNITS)
        .map(|all| wide[all].throughput / narrow[all].throughput);
    match passes {
        Some(passes) if passes.is_finite() && (passes - passes.round()).abs() > 0.15 => {
            units_of(wide, narrow)
        }
        _ => units_of(narrow, wide),
    }
}

/// A wide register takes the time of one or several narrow ones: what little more there is to it
/// is the loop's.
fn whole_passes([narrow, wide]: &mut [Vec<Cost>; 2]) {
    for (narrow, wide) in narrow.iter().zip(wide) {
        let passes = wide.throughput / narrow.throughput;
        if passes.is_finite() && passes >= passes.round() && passes < 1.1 * passes.round() {
            wide.throughput = passes.round() * narrow.throughput;
        }
    }
}

/// What the operations of one kind of registers cost, each alone.
fn alone(loops: &mut dyn Loops, narrow: bool) -> Vec<Cost> {
    let mut costs = vec![Cost::default(); loops.names().len()];
    for pass in 0..PASSES {
        for (operation, cost) in costs.iter_mut().enumerate() {
            let per = loops.per_turn(operation);
            for (chain, least) in [(false, &mut cost.throughput), (true, &mut cost.latency)] {
                let steps = [(operation, false, TURNS)];
                let turn = loops.time(narrow, chain, &steps) / f64::from(TURNS);
                let figure = if turn < NOTHING { 0.0 } else { turn / per };
                *least = if pass == 0 { figure } else { least.min(figure) };
            }
        }
    }
    costs
}

/// Finds which sets of units the operations need, and how many units the sets have.
fn shares(
    loops: &mut dyn Loops,
    narrow: bool,
    units: &[f64],
    costs: &mut [Cost],
    sizes: &mut BTreeMap<String, u32>,
) {
    let names = loops.names();
    let of = |name: &str| names.iter().position(|it| *it == name);
    let in_memory = |name: &str| READS.contains(&name) || WRITES.contains(&name);
    let all = of(ALL_UNITS);
    let least = all.map_or(0.0, |all| costs[all].throughput);
    for (operation, name) in names.iter().enumerate() {
        let cost = &mut costs[operation];
        if cost.throughput == 0.0 || *name == "splat" {
            continue;
        }
        // Whatever else is there, one unit or the other is busy with it so long.
        cost.shares.insert((*name).to_owned(), cost.throughput);
        if in_memory(name) {
            let set = if READS.contains(name) { "load" } else { "store" };
            cost.shares.insert(set.to_owned(), cost.throughput);
        } else if let Some(all) = all.filter(|_| *name != "low64") {
            // Its own units, of all there are; where they are all, the loop's own time shows.
            let own = cost.throughput;
            let share = if units[operation] >= units[all] && own < 1.2 * least {
                own.min(least)
            } else {
                own * (units[operation] / units[all]).min(1.0)
            };
            cost.shares.insert(ALL_UNITS.to_owned(), share);
        }
    }
    let mut busy: Vec<usize> = Vec::new();
    for set in SETS.iter().filter_map(|set| of(set)) {
        let size = units[set] as u32;
        // Of wide registers, which come last, where they have their own.
        sizes.insert(names[set].to_owned(), size);
        if in_memory(names[set]) || Some(set) == all {
            continue;
        }
        // Several instructions, one whose chains are too slow to fill the units, or a set that is
        // known by another name.
        let own = share(loops, narrow, set, set, costs);
        let known = busy.iter().any(|it| {
            costs[set].shares.get(names[*it]).is_some_and(|share| {
                *share > 0.75 * costs[set].throughput && units[*it] == units[set]
            })
        });
        if !(0.8..1.2).contains(&own) || known {
            continue;
        }
        busy.push(set);
        for operation in 0..names.len() {
            let cost = &costs[operation];
            // Several instructions after each other: which they are is not told apart. And what
            // more units do is not confined to these.
            let several = cost.latency >= 5.0 || units[operation] > units[set];
            let other =
                in_memory(names[operation]) || ["splat", "low64"].contains(&names[operation]);
            if cost.throughput == 0.0 || several || other || operation == set {
                continue;
            }
            let share = share(loops, narrow, set, operation, costs);
            if share >= LEAST {
                let cycles = share.min(1.0) * costs[operation].throughput;
                costs[operation].shares.insert(names[set].to_owned(), cycles);
            }
        }
    }
    for (at, &a) in busy.iter().enumerate() {
        for &b in &busy[at + 1..] {
            let limit = all.map_or(f64::INFINITY, |all| units[all]);
            together(loops, narrow, [a, b], (units, limit), costs, sizes);
        }
    }
}

/// Two sets that have units in common are one, larger set for what needs either.
fn together(
    loops: &mut dyn Loops,
    narrow: bool,
    [a, b]: [usize; 2],
    (units, limit): (&[f64], f64),
    costs: &mut [Cost],
    sizes: &mut BTreeMap<String, u32>,
) {
    let names = loops.names();
    let work = |set: usize| costs[set].throughput * units[set];
    // As long for the one as for the other.
    let turns = |set: usize| {
        let longest = costs[a].throughput.max(costs[b].throughput);
        (2.0 * longest / costs[set].throughput).round() as u32
    };
    let (turns_a, turns_b) = (turns(a), turns(b));
    let steps = [(a, false, turns_a), (b, true, turns_b)];
    let tries = (0..2 * PASSES).map(|_| loops.time(narrow, false, &steps));
    let cycles = tries.fold(f64::INFINITY, f64::min);
    let done = work(a) * f64::from(turns_a) * loops.per_turn(a)
        + work(b) * f64::from(turns_b) * loops.per_turn(b);
    // Schedulers are not perfect: a quarter of a unit idles.
    let size = (done / cycles - 0.25).ceil();
    if size <= units[a].max(units[b]) || size >= (units[a] + units[b]).min(limit) {
        return;
    }
    let name = format!("{}+{}", names[a], names[b]);
    sizes.insert(name.clone(), size as u32);
    for operation in 0..names.len() {
        let cost = &mut costs[operation];
        let needs = |set: usize| {
            units[operation] <= units[set]
                && cost.shares.get(names[set]).is_some_and(|it| *it > 0.85 * cost.throughput)
        };
        if needs(a) || needs(b) {
            let share = cost.throughput * units[operation] / size;
            cost.shares.insert(name.clone(), share);
        }
    }
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
    let (mut alone, mut both) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..PASSES {
        alone = alone.min(loops.time(narrow, false, &steps(0)));
        both = both.min(loops.time(narrow, false, &steps(1)));
    }
    (both - alone) / own
}

/// A value that is stored and loaded waits for both, which is measured as one; so does one that
/// goes to a general register and back.
fn latencies_of_memory(names: &[&str], kinds: &mut [Vec<Cost>]) {
    for costs in kinds {
        let load = names.iter().position(|it| *it == "load").map(|load| costs[load].latency);
        for (name, cost) in names.iter().zip(costs) {
            if let Some(load) = load.filter(|_| READS.contains(name)) {
                cost.latency = load;
            } else if WRITES.contains(name) || *name == "low64" {
                cost.latency = 0.0;
            }
        }
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

    /// Three units, of which two shift, for narrow registers; for wide ones two, of which one does.
    struct Joined;

    impl Loops for Joined {
        fn names(&self) -> Vec<&'static str> {
            vec!["xor", "shl32"]
        }
        fn per_turn(&self, _: usize) -> f64 {
            16.0
        }
        fn time(&mut self, narrow: bool, chain: bool, steps: &[Step]) -> f64 {
            let work = |number: usize| {
                let of = steps.iter().filter(|step| step.0 == number);
                of.map(|step| 16.0 * f64::from(step.2)).sum::<f64>()
            };
            let (xor, shift) = (work(0), work(1));
            let (all, some) = if narrow { (3.0, 2.0) } else { (2.0, 1.0) };
            if chain { xor + shift } else { ((xor + shift) / all).max(shift / some) }
        }
    }

    #[test]
    fn wide_registers_that_have_fewer_units_are_found() {
        let lanes = measure(&mut Joined);
        let share = |name: &str| lanes.costs[name].shares["xor"];
        assert_eq!((lanes.units["xor"], lanes.units["shl32"]), (2, 1));
        assert_eq!((share("xor"), share("shl32")), (0.5, 0.5));
        assert!((share("narrow.shl32") - 1.0 / 3.0).abs() < 1e-9);
    }
}
