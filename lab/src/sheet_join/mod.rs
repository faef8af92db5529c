//! The sheets of a study joined with the published file and with the results of a run: every
//! cell has its published value, and for each view a measured one or the reason why not.

mod find;
mod gain;
mod value;

use serde_json::Value;

use crate::LabError;
use crate::record::{Fact, Results, Unit};
use crate::study::published::{self, Published};
use crate::study::{Bound, Sheet, Show, Study, Text, View, Why};

pub use find::{rows, why};
pub use gain::{Gain, gain};
pub use value::value_of;

/// A sheet with its values.
#[derive(Clone, Debug)]
pub struct JoinedSheet<'s> {
    /// The sheet.
    pub sheet: &'s Sheet,
    /// Its views.
    pub views: Vec<View>,
    /// Its cells, line by line.
    pub cells: Vec<JoinedCell>,
    /// Its remarks *why* that figures of the run bear out.
    pub remarks: Vec<Text>,
}

/// A cell with its values.
#[derive(Clone, Debug)]
pub struct JoinedCell {
    /// The place of its line.
    pub line: usize,
    /// The place of its column.
    pub column: usize,
    /// What it shows.
    pub show: Show,
    /// The pointer to its published value, where it has one.
    pub pointer: Option<String>,
    /// The published value.
    pub published: Option<Published>,
    /// The published words, where they are words.
    pub said: Option<Text>,
    /// What the publication prints instead.
    pub prints: Option<Text>,
    /// One for each view.
    pub measured: Vec<Measured>,
    /// What a published value is multiplied by to be in the unit of the measured ones; none where
    /// that is unknown.
    pub rate: Option<f64>,
    /// What a reader must know of it.
    pub remarks: Vec<Text>,
}

impl JoinedCell {
    /// How a measured value stands to the published one; nothing where their units have no known
    /// ratio.
    #[must_use]
    pub fn beside(&self, published: f64, measured: f64) -> Option<Gain> {
        gain(self.show, published * self.rate?, measured)
    }
}

/// What was found for a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Measured {
    /// A figure.
    Figure {
        /// It.
        value: f64,
        /// Its quartiles, or the 95 % interval of a ratio.
        range: Option<(f64, f64)>,
        /// Engine and level.
        by: String,
        /// Flags of its rows.
        flags: Vec<String>,
    },
    /// Words.
    Words(Text),
    /// Nothing, and why.
    Nothing(Text),
}

/// Joins every sheet of a study.
///
/// # Errors
/// [`LabError::Value`] for a published file that there is not.
pub fn join<'s>(study: &'s Study, results: &Results) -> Result<Vec<JoinedSheet<'s>>, LabError> {
    let file = match &study.published {
        Some(name) => published::of(name)?,
        None => Value::Null,
    };
    Ok(study.sheets.iter().map(|sheet| joined(sheet, study, &file, results)).collect())
}

fn joined<'s>(sheet: &'s Sheet, study: &Study, file: &Value, results: &Results) -> JoinedSheet<'s> {
    let views = sheet.views(&study.views);
    let mut cells = Vec::new();
    for (line, of_line) in sheet.lines.iter().enumerate() {
        for (column, of_column) in sheet.columns.iter().enumerate() {
            let bounds: Vec<Bound> =
                views.iter().map(|view| sheet.bound(of_line, of_column, view)).collect();
            let Some(first) = bounds.first() else { continue };
            let pointer = first.pointer.clone();
            let published = pointer.as_deref().and_then(|it| published::at(file, it));
            cells.push(JoinedCell {
                line,
                column,
                show: first.show,
                pointer: pointer.filter(|_| published.is_some()),
                published,
                said: first.said.clone(),
                prints: first.prints.clone(),
                rate: rate(first.show, file, results),
                remarks: [first.remarks.clone(), borne_out(&first.whys, results)].concat(),
                measured: bounds.iter().map(|bound| measured(bound, results)).collect(),
            });
        }
    }
    let whys: Vec<Why> = sheet.whys().collect();
    JoinedSheet { sheet, views, cells, remarks: borne_out(&whys, results) }
}

/// What a published value is multiplied by to be in the unit of the measured ones. Times and speeds
/// need nothing; cycles are comparable where both machines' core cycles a tick are known.
fn rate(show: Show, file: &Value, results: &Results) -> Option<f64> {
    match (show.is_cycles(), results.unit) {
        (false, _) => Some(1.0),
        (true, Unit::CoreCycles) => published::core_per_tick(file),
        (true, Unit::Ticks) => None,
    }
}

/// The remarks *why* whose ratio was measured and bears them out, each with that ratio.
fn borne_out(whys: &[Why], results: &Results) -> Vec<Text> {
    let told = |why: &Why| {
        let interval = value::ratio(&why.pick, &why.over, results)?;
        why.is_borne_out(&interval).then(|| why.with(&interval))
    };
    whys.iter().filter_map(told).collect()
}

fn measured(bound: &Bound, results: &Results) -> Measured {
    if let Some(name) = &bound.fact {
        return fact(name, bound, results);
    }
    if let Some(words) = &bound.words {
        return Measured::Words(words.clone());
    }
    if let Some(reason) = &bound.reason {
        return Measured::Nothing(reason.clone());
    }
    value::of(bound, results).unwrap_or_else(Measured::Nothing)
}

fn fact(name: &str, bound: &Bound, results: &Results) -> Measured {
    if let Some(words) = name.strip_prefix("machine/").and_then(|name| of_machine(name, results)) {
        return Measured::Words(words.into());
    }
    let Some(fact) = results.facts.iter().find(|fact| fact.name == name) else {
        return Measured::Nothing(absent(bound, results));
    };
    match fact {
        Fact { value: Some(value), remark, .. } => Measured::Figure {
            value: *value,
            range: None,
            by: String::new(),
            flags: (!remark.is_empty()).then(|| remark.clone()).into_iter().collect(),
        },
        Fact { text, .. } if !text.is_empty() => Measured::Words(text.as_str().into()),
        Fact { remark, .. } => Measured::Nothing(remark.as_str().into()),
    }
}

/// Why nothing was found out: its engine is not here, if that is known.
fn absent(bound: &Bound, results: &Results) -> Text {
    let engine = bound.pick.engine.as_deref();
    let told = results.missing.iter().find(|it| Some(it.engine.as_str()) == engine);
    let without = results.rows.iter().all(|row| Some(row.engine.as_str()) != engine);
    match told.filter(|_| without) {
        Some(missing) => missing.reason.as_str().into(),
        None => Text::new("not found out in this run", "本次运行未取得"),
    }
}

/// What the machine card says.
fn of_machine<'r>(name: &str, results: &'r Results) -> Option<&'r str> {
    let machine = &results.machine;
    match name {
        "cpu" => Some(&machine.cpu),
        "system" => Some(&machine.kernel),
        _ => machine.facts.iter().find(|(known, _)| known == name).map(|(_, it)| it.as_str()),
    }
}
