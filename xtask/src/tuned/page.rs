//! The lists as text: for a terminal, and as the record of a machine.

use std::collections::BTreeMap;

use super::count::Count;
use super::floor::{Floors, PERCENT};
use super::judge::{Behind, Found, List};
use super::reasons::{Case, Reasons};

/// The list of what is below its floor, by name.
const FLOOR: &str = "below-floor";

/// All four lists.
pub(super) struct Lists {
    pub(super) found: BTreeMap<List, Found>,
    /// Why there is none, where there is none.
    pub(super) floors: Result<Floors, String>,
    /// How many counts decided.
    pub(super) counts: usize,
}

/// What the figures are of.
pub(super) fn head(count: &Count, counts: usize) -> String {
    let peers = if count.peers.is_empty() { "none".to_owned() } else { count.peers.join(", ") };
    format!(
        "cpu: {}\nlevels: {}; a caller gets {}\ncommit: {}\npeers: {peers}\n\
         cells: {}, counted {counts} times where something seems behind; least ticks of all passes\n",
        count.cpu,
        count.levels.join(" "),
        count.default,
        count.commit,
        count.times.len(),
    )
}

impl Lists {
    /// The lists, longest shortfall first.
    pub(super) fn text(&self, reasons: &Reasons) -> String {
        let mut text = String::new();
        for (list, found) in &self.found {
            let percent = 100.0 * list.margin();
            text += &match list {
                List::Default => {
                    format!(
                        "\nA lower level is faster than the default by more than {percent} %:\n"
                    )
                }
                List::Lower => {
                    format!("\nA level is behind the next lower one by more than {percent} %:\n")
                }
                List::Peer => {
                    format!("\nA peer is faster than the default level by more than {percent} %:\n")
                }
            };
            text += &lines(found.behind.iter().map(|it| line(*list, it, reasons)));
        }
        text += &format!("\nBelow {PERCENT} % of the floor:\n");
        match &self.floors {
            Err(why) => text += &format!("   not known: {why}\n"),
            Ok(floors) => {
                for doubt in &floors.doubts {
                    text += &format!("   doubtful: {doubt}\n");
                }
                text += &lines(floors.below.iter().map(|it| {
                    let (operation, model) = (it.operation.as_str(), it.what.as_str());
                    let case = Case { list: FLOOR, operation, model, size: 0, against: &it.level };
                    let what = format!("{operation} {model} at {}", it.level);
                    let line = format!("{:5.1} %  {what:<44} {}", it.percent, it.binds);
                    with_reason(line, reasons.of(&case))
                }));
            }
        }
        text + "\n" + &self.sums(reasons)
    }

    /// A line a list, to be searched for.
    fn sums(&self, reasons: &Reasons) -> String {
        let mut text = String::new();
        for (list, found) in &self.found {
            let known = found.behind.iter().filter(|it| reason(*list, it, reasons).is_some());
            let (name, behind) = (list.name(), found.behind.len());
            text += &sum(name, behind, found.compared, known.count());
        }
        text + &match &self.floors {
            Err(_) => format!("tuned: {FLOOR} unknown\n"),
            Ok(floors) => {
                let known = floors.below.iter().filter(|it| {
                    let (operation, model, against) = (&*it.operation, &*it.what, &*it.level);
                    reasons.of(&Case { list: FLOOR, operation, model, size: 0, against }).is_some()
                });
                sum(FLOOR, floors.below.len(), floors.compared, known.count())
            }
        }
    }
}

fn sum(name: &str, behind: usize, compared: usize, known: usize) -> String {
    let known = if behind > 0 { format!(", {known} with a known reason") } else { String::new() };
    format!("tuned: {name} {behind} of {compared}{known}\n")
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    let text: String = lines.map(|line| format!("   {}\n", line.trim_end())).collect();
    if text.is_empty() { "   nothing\n".to_owned() } else { text }
}

fn line(list: List, behind: &Behind, reasons: &Reasons) -> String {
    let [ours, other] =
        behind.ticks.map(|it| if it < 1000.0 { format!("{it:.1}") } else { format!("{it:.0}") });
    let pair = &behind.pair;
    let cell = pair.cell.to_string();
    let what = format!("{cell:<44} {} {ours}, {} {other}", pair.ours, pair.other);
    with_reason(format!("{:5.2}  {what}", behind.ratio), reason(list, behind, reasons))
}

fn reason<'r>(list: List, behind: &Behind, reasons: &'r Reasons) -> Option<&'r str> {
    let cell = &behind.pair.cell;
    reasons.of(&Case {
        list: list.name(),
        operation: &cell.operation,
        model: &cell.model,
        size: cell.size,
        against: &behind.pair.other.to_string(),
    })
}

fn with_reason(line: String, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{line}  ({reason})"),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::super::count::{Cell, Runner};
    use super::super::floor::Floor;
    use super::super::judge::Pair;
    use super::*;

    #[test]
    fn the_lists_end_with_lines_to_be_searched_for() {
        let cell = Cell {
            operation: "a/x".to_owned(),
            model: "message".to_owned(),
            size: 64,
            messages: 1,
            keys: "ready".to_owned(),
        };
        let (ours, other) = (Runner::ours("avx2"), Runner::ours("portable"));
        let pair = Pair { list: List::Default, cell, ours, other };
        let behind = vec![Behind { pair, ratio: 1.25, ticks: [1250.4, 999.96] }];
        let found = [
            (List::Default, Found { compared: 7, behind }),
            (List::Lower, Found { compared: 9, behind: Vec::new() }),
        ];
        let floors = Floors {
            compared: 2,
            below: vec![Floor {
                operation: "a/x".to_owned(),
                level: "avx2".to_owned(),
                what: "long".to_owned(),
                percent: 53.21,
                binds: "port 0".to_owned(),
            }],
            doubts: vec!["avx2: busy".to_owned()],
        };
        let mut lists = Lists { found: found.into(), floors: Ok(floors), counts: 4 };
        let table = "list\toperation\tmodel\tsize\tagainst\treason\n\
                     below-floor\ta/*\tlong\t0\tavx2\tspills\n";
        let reasons = Reasons::parse(table).unwrap();
        let text = lists.text(&reasons);
        let words: Vec<&str> = text.split_whitespace().collect();
        let line = "1.25 a/x message 64 B avx2 1250, portable 1000.0";
        assert!(words.join(" ").contains(line), "{text}");
        assert!(words.join(" ").contains("doubtful: avx2: busy 53.2 %"), "{text}");
        assert!(words.join(" ").contains("53.2 % a/x long at avx2 port 0 (spills)"), "{text}");
        let sums = "tuned: default-not-best 1 of 7, 0 with a known reason\n\
                    tuned: behind-lower-level 0 of 9\n\
                    tuned: below-floor 1 of 2, 1 with a known reason\n";
        assert!(text.ends_with(sums), "{text}");
        lists.floors = Err("no such verb".to_owned());
        let text = lists.text(&reasons);
        assert!(
            text.contains("not known: no such verb") && text.ends_with("below-floor unknown\n")
        );
    }
}
