//! Which lines the table of the screen has, and which lengths.

use std::cmp::Ordering;

use super::{SIZES, text};
use crate::Model;
use crate::against::Contest;

/// One operation in one model, at every length that was measured.
pub(super) struct Line<'c, 'r> {
    pub(super) algorithm: &'r str,
    operation: &'r str,
    label: String,
    model: Model,
    /// What stands in front: filled in when the group's own work is known.
    pub(super) name: String,
    /// One for each length, the shortest first.
    pub(super) contests: Vec<&'c Contest<'r>>,
    /// The place among all lines.
    order: usize,
}

/// The lines that are shown, by algorithm.
pub(super) struct Shown<'c, 'r> {
    pub(super) groups: Vec<Group<'c, 'r>>,
}

/// The lines of one algorithm.
pub(super) struct Group<'c, 'r> {
    pub(super) title: String,
    /// The lengths of the columns.
    pub(super) sizes: Vec<u64>,
    pub(super) lines: Vec<&'c Line<'c, 'r>>,
}

/// The operations that readers ask for first.
const OPERATIONS: [&str; 12] = [
    "ctr",
    "keystream",
    "gcm-seal",
    "ecb-encrypt",
    "cbc-encrypt",
    "cbc-decrypt",
    "eea3",
    "eia3",
    "xts-encrypt",
    "ccm-seal",
    "mac128",
    "cmac",
];

/// The models likewise.
const MODELS: [&[Model]; 4] = [
    &[Model::Message, Model::Packet],
    &[Model::Key, Model::Batch],
    &[Model::Stream],
    &[Model::Init],
];

/// The lengths near which a line is shown: a short packet, a long one, a long message.
const NEAR: [u64; SIZES] = [64, 1500, 8192];

impl<'c, 'r> Line<'c, 'r> {
    /// The cell of a model without lengths.
    pub(super) fn setup(&self) -> Option<&'c Contest<'r>> {
        self.contests.first().copied().filter(|it| it.ours.cell.size == 0)
    }

    pub(super) fn at(&self, size: u64) -> Option<&'c Contest<'r>> {
        self.contests.iter().find(|it| it.ours.cell.size == size).copied()
    }

    /// The cell whose ratio is shown: the longest of the lengths shown that a peer has too, else
    /// the longest of all that it has.
    pub(super) fn compared(&self, sizes: &[u64]) -> Option<&'c Contest<'r>> {
        let rivalled = |it: &&'c Contest<'r>| !it.rivals.is_empty();
        let shown = sizes.iter().rev().filter_map(|size| self.at(*size));
        let all = self.contests.iter().rev().copied();
        self.setup().into_iter().chain(shown).chain(all).find(rivalled)
    }

    /// The cell that stands for a line of which none of the lengths shown was measured.
    pub(super) fn instead(&self, sizes: &[u64]) -> Option<&'c Contest<'r>> {
        let shown = sizes.iter().any(|size| self.at(*size).is_some());
        if shown { None } else { self.contests.last().copied().filter(|it| it.ours.cell.size > 0) }
    }

    /// The lengths that are shown of this line alone.
    pub(super) fn sizes(&self) -> Vec<u64> {
        near(self.contests.iter().map(|it| it.ours.cell.size).collect())
    }

    fn rank(&self) -> (usize, usize, usize) {
        let model = MODELS.iter().position(|models| models.contains(&self.model));
        let operation = OPERATIONS.iter().position(|known| *known == self.operation);
        (model.unwrap_or(MODELS.len()), operation.unwrap_or(OPERATIONS.len()), self.order)
    }
}

/// All lines in the order of the rows.
pub(super) fn lines<'c, 'r>(all: &'c [Contest<'r>]) -> Vec<Line<'c, 'r>> {
    let mut lines: Vec<Line<'c, 'r>> = Vec::new();
    for contest in all {
        let row = contest.ours;
        let label = text::label(row);
        let same = |line: &&mut Line<'_, '_>| {
            line.algorithm == row.cell.algorithm
                && line.operation == row.cell.operation
                && line.label == label
        };
        match lines.iter_mut().find(same) {
            Some(line) => line.contests.push(contest),
            None => lines.push(Line {
                algorithm: &row.cell.algorithm,
                operation: &row.cell.operation,
                label,
                model: row.cell.model,
                name: String::new(),
                contests: vec![contest],
                order: lines.len(),
            }),
        }
    }
    for line in &mut lines {
        line.contests.sort_by_key(|it| it.ours.cell.size);
    }
    let heads: Vec<(&str, String)> =
        by_rank(&lines).map(|line| (line.algorithm, line.label.clone())).collect();
    for line in &mut lines {
        let head = heads.iter().find(|(algorithm, _)| *algorithm == line.algorithm);
        line.name = match head {
            Some((_, label)) if *label == line.label => line.operation.to_owned(),
            _ => format!("{}, {}", line.operation, line.label),
        };
    }
    lines
}

/// The lines, those first that readers ask for first; algorithms as they come.
pub(super) fn by_rank<'l, 'c, 'r>(
    lines: &'l [Line<'c, 'r>],
) -> impl Iterator<Item = &'l Line<'c, 'r>> {
    let mut algorithms: Vec<&str> = Vec::new();
    for line in lines {
        if !algorithms.contains(&line.algorithm) {
            algorithms.push(line.algorithm);
        }
    }
    let place = move |line: &Line<'_, '_>| algorithms.iter().position(|it| *it == line.algorithm);
    let mut sorted: Vec<&'l Line<'c, 'r>> = lines.iter().collect();
    let order = |a: &&Line<'_, '_>, b: &&Line<'_, '_>| -> Ordering {
        place(a).cmp(&place(b)).then_with(|| a.rank().cmp(&b.rank()))
    };
    sorted.sort_by(order);
    sorted.into_iter()
}

/// As many lines as there is room for: of every algorithm its first, then of each its second, and
/// so on. A group takes a blank line and a heading besides.
pub(super) fn choose<'c, 'r>(lines: &'c [Line<'c, 'r>], room: usize) -> Shown<'c, 'r> {
    let mut queues: Vec<(&str, Vec<&'c Line<'c, 'r>>)> = Vec::new();
    for line in by_rank(lines) {
        match queues.iter_mut().find(|(algorithm, _)| *algorithm == line.algorithm) {
            Some((_, queue)) => queue.push(line),
            None => queues.push((line.algorithm, vec![line])),
        }
    }
    let mut taken: Vec<usize> = vec![0; queues.len()];
    let mut left = room;
    for turn in 0..lines.len() {
        for (place, (_, queue)) in queues.iter().enumerate() {
            let cost = if turn == 0 { 3 } else { 1 };
            if turn < queue.len() && taken[place] == turn && cost <= left {
                taken[place] += 1;
                left -= cost;
            }
        }
    }
    let group = |((_, queue), count): (&(&str, Vec<&'c Line<'c, 'r>>), &usize)| {
        let mut lines = queue[..*count].to_vec();
        let first = *lines.first()?;
        lines.sort_by_key(|line| line.order);
        let of_lines =
            lines.iter().flat_map(|line| line.contests.iter().map(|it| it.ours.cell.size));
        let mut sizes: Vec<u64> = of_lines.filter(|size| *size > 0).collect();
        // The lengths of the first line are those that others are measured at as well.
        let own: Vec<u64> =
            first.contests.iter().map(|it| it.ours.cell.size).filter(|size| *size > 0).collect();
        if own.len() >= SIZES {
            sizes = own;
        }
        Some(Group {
            title: format!("{}, {}", first.algorithm, first.label),
            sizes: near(sizes),
            lines,
        })
    };
    Shown { groups: queues.iter().zip(&taken).filter_map(group).collect() }
}

/// Of these lengths those that come nearest to [`NEAR`], each once.
fn near(mut sizes: Vec<u64>) -> Vec<u64> {
    sizes.sort_unstable();
    sizes.dedup();
    let far = |size: u64, target: u64| (size as f64 / target as f64).ln().abs();
    let mut chosen: Vec<u64> = Vec::new();
    for target in NEAR {
        let free = sizes.iter().copied().filter(|size| *size > 0 && !chosen.contains(size));
        chosen.extend(free.min_by(|a, b| far(*a, target).total_cmp(&far(*b, target))));
    }
    chosen.sort_unstable();
    chosen
}
