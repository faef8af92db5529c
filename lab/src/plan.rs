//! The plan of a run: which engine measures which cell at which level.

use std::collections::BTreeSet;

use crate::record::Missing;
use crate::reply::{Description, Offer};
use crate::study::{BEST, Selection, Study};
use crate::{Cell, LabError, Model};

mod cells;

/// One cell and all who measure it; their digests must agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The cell, at no particular level.
    pub cell: Cell,
    /// Who measures it: the number of the engine and the level.
    pub members: Vec<Member>,
}

/// One engine at one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// The number of the engine among those given to [`plan`].
    pub engine: usize,
    /// The level, or `"-"`.
    pub level: String,
    /// Whether it is the second of an A/A pair.
    pub again: bool,
}

/// What is to be measured, and what can't be.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The groups, in the order of the study.
    pub groups: Vec<Group>,
    /// What was asked for and can't be measured.
    pub missing: Vec<Missing>,
}

/// Plans a study for engines that describe themselves so.
///
/// # Errors
/// [`LabError::UnknownFilter`], [`LabError::Value`] for a level that no engine has, and
/// [`LabError::NothingToMeasure`].
pub fn plan(study: &Study, engines: &[Description]) -> Result<Plan, LabError> {
    let mut plan = Plan::default();
    for selection in &study.selections {
        // What an engine that is not here would have measured is told in the report, and is no
        // mistake of whoever runs a study.
        if selection.engines.is_none() {
            check_filters(selection, engines)?;
            check_levels(selection, engines)?;
        }
        select(selection, engines, &mut plan);
    }
    if plan.groups.is_empty() {
        let why = match plan.missing.first() {
            Some(missing) => missing.reason.clone(),
            None => "no engine offers any of it; `engines` lists what they offer".to_owned(),
        };
        return Err(LabError::NothingToMeasure { why });
    }
    if let Some(again) = &study.again {
        for group in &mut plan.groups {
            if takes(&again.selection, &group.cell) {
                pair(group, &again.engine, engines);
            }
        }
    }
    Ok(plan)
}

/// Whether a selection holds a cell.
fn takes(selection: &Selection, cell: &Cell) -> bool {
    let named = |filters: &[crate::study::Filter]| {
        filters.iter().any(|filter| filter.selects(&cell.algorithm, &cell.operation))
    };
    named(&selection.filters)
        && selection.models.contains(&cell.model)
        && (cell.model.is_setup() || selection.sizes.contains(&cell.size))
        && (cell.model != Model::Batch || selection.messages.contains(&cell.messages))
        && selection.placements.contains(&cell.placement)
        && selection.threads.contains(&cell.threads)
}

/// Adds, beside each member of that engine, its twin.
fn pair(group: &mut Group, engine: &str, engines: &[Description]) {
    let twin = |member: &Member| {
        let twin = Member { again: true, ..member.clone() };
        (!member.again && engines[member.engine].engine == engine).then_some(twin)
    };
    let members = std::mem::take(&mut group.members);
    let with_twins = members.into_iter().flat_map(|member| {
        let twin = twin(&member);
        std::iter::once(member).chain(twin)
    });
    group.members = with_twins.collect();
}

fn check_filters(selection: &Selection, engines: &[Description]) -> Result<(), LabError> {
    let offers = || engines.iter().flat_map(|engine| &engine.offers);
    for filter in &selection.filters {
        if offers().any(|offer| filter.selects(&offer.algorithm, &offer.operation)) {
            continue;
        }
        let operations: BTreeSet<String> = offers()
            .filter(|offer| offer.algorithm == filter.algorithm)
            .map(|offer| format!("{}/{}", offer.algorithm, offer.operation))
            .collect();
        let algorithms = offers().map(|offer| offer.algorithm.clone()).collect();
        let known = if operations.is_empty() { algorithms } else { operations };
        let known = known.into_iter().collect::<Vec<_>>().join(", ");
        return Err(LabError::UnknownFilter { filter: filter.to_string(), known });
    }
    Ok(())
}

fn check_levels(selection: &Selection, engines: &[Description]) -> Result<(), LabError> {
    let known = levels(engines);
    let asked = selection.levels.iter().flatten();
    match asked.into_iter().find(|level| *level != BEST && !known.contains(level)) {
        None => Ok(()),
        Some(level) => Err(LabError::Value {
            field: "level",
            value: level.clone(),
            allowed: if known.is_empty() {
                "none, as the engines that were chosen choose their own level; leave it out, or \
                 add an engine that has levels"
                    .to_owned()
            } else {
                format!("{} on this CPU", known.join(", "))
            },
        }),
    }
}

/// Every level that some engine has, from the lowest to the highest: in an order that is that of
/// each operation's own list.
#[must_use]
pub fn levels(engines: &[Description]) -> Vec<String> {
    let mut levels: Vec<String> = Vec::new();
    for offer in engines.iter().flat_map(|engine| &engine.offers) {
        // Each offer lists its own from lowest to highest. A level that is new stands before the
        // next one of its offer that is known.
        let mut next = levels.len();
        for level in offer.levels.iter().rev().filter(|level| *level != Cell::OWN_LEVEL) {
            match levels.iter().position(|known| known == level) {
                Some(place) => next = place,
                None => levels.insert(next, level.clone()),
            }
        }
    }
    levels
}

/// Every selected operation, in the order in which engines offer them.
fn operations<'e>(selection: &Selection, engines: &'e [Description]) -> Vec<&'e Offer> {
    let mut found: Vec<&Offer> = Vec::new();
    for offer in engines.iter().flat_map(|engine| &engine.offers) {
        let (algorithm, operation) = (&offer.algorithm, &offer.operation);
        let selected = selection.filters.is_empty()
            || selection.filters.iter().any(|filter| filter.selects(algorithm, operation));
        let new = !found.iter().any(|it| it.algorithm == *algorithm && it.operation == *operation);
        if selected && new {
            found.push(offer);
        }
    }
    found
}

fn select(selection: &Selection, engines: &[Description], plan: &mut Plan) {
    for first in operations(selection, engines) {
        for &model in &selection.models {
            for (number, engine) in engines.iter().enumerate() {
                if !selection.takes(&engine.engine) {
                    continue;
                }
                if let Err(reason) = can(engine, first, model) {
                    plan.miss(engine, first, model, reason);
                    continue;
                }
                let Some(offer) = engine.offer(&first.algorithm, &first.operation) else {
                    continue;
                };
                let (cells, left_out) = cells::of(selection, engines, offer, first, model);
                if let Some(reason) = left_out {
                    plan.miss(engine, first, model, reason);
                }
                for cell in cells {
                    plan.add(cell, number, offer, selection);
                }
            }
        }
    }
}

/// Whether an engine can measure that operation in that model, or why not.
fn can(engine: &Description, wanted: &Offer, model: Model) -> Result<(), String> {
    let (algorithm, operation) = (&wanted.algorithm, &wanted.operation);
    let name = &engine.engine;
    let wrong = engine
        .known_wrong
        .iter()
        .find(|wrong| wrong.algorithm == *algorithm && wrong.operation == *operation);
    if let Some(wrong) = wrong {
        return Err(wrong.reason.clone());
    }
    match engine.offer(algorithm, operation) {
        None => Err(format!("{name} offers no {algorithm}/{operation}")),
        Some(offer) if offer.models.contains(&model) => Ok(()),
        Some(_) => Err(format!("{algorithm}/{operation} of {name} has no model {model}")),
    }
}

impl Plan {
    fn miss(&mut self, engine: &Description, offer: &Offer, model: Model, reason: String) {
        let missing = Missing {
            engine: engine.engine.clone(),
            algorithm: offer.algorithm.clone(),
            operation: offer.operation.clone(),
            level: Cell::OWN_LEVEL.to_owned(),
            model: model.name().to_owned(),
            reason,
        };
        if !self.missing.contains(&missing) {
            self.missing.push(missing);
        }
    }

    fn add(&mut self, cell: Cell, engine: usize, offer: &Offer, selection: &Selection) {
        let place = match self.groups.iter().position(|group| group.cell == cell) {
            Some(place) => place,
            None => {
                self.groups.push(Group { cell, members: Vec::new() });
                self.groups.len() - 1
            }
        };
        let group = &mut self.groups[place];
        let best = offer.levels.last();
        for level in &offer.levels {
            // A library that chooses for itself takes part whatever levels were asked for.
            let asked = level == Cell::OWN_LEVEL
                || selection.levels.as_ref().is_none_or(|levels| {
                    levels.contains(level)
                        || (Some(level) == best && levels.iter().any(|it| it == BEST))
                });
            let member = Member { engine, level: level.clone(), again: false };
            if asked && !group.members.contains(&member) {
                group.members.push(member);
            }
        }
        if group.members.is_empty() {
            self.groups.remove(place);
        }
    }

    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.groups.iter().map(|group| group.members.len() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{levels, plan};
    use crate::reply::Description;
    use crate::study::{Choice, Study};

    #[test]
    fn levels_run_from_the_lowest_to_the_highest_whatever_operation_comes_first() {
        let offer =
            |levels: &str| format!("toy/ctr:{levels}:message:16:16:1:0").parse().expect("an offer");
        let of = |lists: &[&str]| {
            let offers = lists.iter().map(|list| offer(list)).collect();
            let text = String::new;
            let (engine, version, build, path) = ("toy".to_owned(), text(), text(), text());
            let known_wrong = Vec::new();
            levels(&[Description { engine, version, build, path, offers, known_wrong }]).join(" ")
        };
        let all = "portable avx2 avx2-gfni avx2-sm4 avx512";
        // The first operations lack some: each takes its place among those of the next ones.
        assert_eq!(
            of(&["portable,avx2,avx512", "-", "portable,avx2,avx2-gfni,avx2-sm4,avx512"]),
            all
        );
        assert_eq!(of(&["portable,avx2-gfni", "portable,avx2,avx2-gfni,avx2-sm4,avx512"]), all);
        assert_eq!(
            of(&["avx512", "portable,avx512", "portable,avx2,avx512"]),
            "portable avx2 avx512"
        );
    }

    #[test]
    fn where_no_engine_has_levels_none_can_be_asked_for() {
        let refusal = |levels: &str| {
            let offers =
                vec![format!("toy/ctr:{levels}:message:16:16:1:0").parse().expect("an offer")];
            let engine = Description { engine: "toy".into(), offers, ..Description::default() };
            let choice = Choice { levels: Some(vec!["avx9".into()]), ..Choice::default() };
            let study = Study::from_options(&["toy".parse().expect("a filter")], choice);
            plan(&study.expect("a study"), &[engine]).expect_err("no such level").to_string()
        };
        assert_eq!(refusal("low,high"), "level is `avx9`; allowed: low, high on this CPU");
        assert_eq!(
            refusal("-"),
            "level is `avx9`; allowed: none, as the engines that were chosen choose their own \
             level; leave it out, or add an engine that has levels"
        );
    }

    #[test]
    fn only_data_is_unaligned() {
        let offers = vec!["toy/ctr:-:init,message:16:16:1:0".parse().expect("an offer")];
        let engine = Description { engine: "toy".into(), offers, ..Description::default() };
        let choice = Choice { sizes: Some(vec![64]), unaligned: Some(1), ..Choice::default() };
        let study = Study::from_options(&["toy".parse().expect("a filter")], choice);
        let plan = plan(&study.expect("a study"), &[engine]).expect("a plan");
        let found: Vec<String> = plan.groups.iter().map(|it| it.cell.to_string()).collect();
        assert_eq!(found, ["toy/ctr init", "toy/ctr message 64 B unaligned by 1 B"]);
    }

    #[test]
    fn lengths_of_associated_data_multiply_only_what_takes_some() {
        let offers = [
            "toy/gcm-seal:-:init,message,batch:16:12:1:16",
            "toy/gcm-open:-:message:16:12:1:16",
            "toy/gmac:-:message:16:12:1:16",
            "toy/ctr:-:message:16:16:1:0",
        ];
        let offers = offers.map(|it| it.parse().expect("an offer")).to_vec();
        let engine = Description { engine: "toy".into(), offers, ..Description::default() };
        let choice = Choice {
            sizes: Some(vec![64]),
            aad_bytes: Some(vec![13, 0, 13]),
            models: Some(vec![crate::Model::Init, crate::Model::Message]),
            ..Choice::default()
        };
        let study = Study::from_options(&["toy".parse().expect("a filter")], choice);
        let plan = plan(&study.expect("a study"), &[engine]).expect("a plan");
        let found: Vec<String> = plan.groups.iter().map(|it| it.cell.to_string()).collect();
        assert_eq!(
            found,
            [
                "toy/gcm-seal init",
                "toy/gcm-seal message 64 B",
                "toy/gcm-seal message 64 B AAD 13 B",
                "toy/gcm-open message 64 B disjoint",
                "toy/gcm-open message 64 B AAD 13 B disjoint",
                "toy/gmac message 64 B",
                "toy/ctr message 64 B",
            ]
        );
    }
}
