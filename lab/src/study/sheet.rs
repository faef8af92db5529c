//! Sheets: the tables of a published study, each cell bound to what is measured.
//!
//! A sheet is a product of lines and columns. A cell takes the [`Pick`]s of its view, column,
//! line and sheet, the first named winning, and has
//!
//! - a published value, where its line or column names one: the JSON pointers of sheet, line
//!   and column, one after the other, lead to it in the published file;
//! - for each view a measured value: the row picked, in the unit `show`; with `over` that row
//!   set against another, with `over_fact` its speed against what a probe found; with `fact`
//!   what a probe found; or a `reason` why there is none.

use serde::Deserialize;

use super::pick::Pick;
use super::text::Text;
use super::why::Why;
use crate::LabError;

/// What a cell shows of the rows picked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Show {
    /// Core cycles a message or set-up.
    #[default]
    Cycles,
    /// Core cycles a byte.
    CyclesPerByte,
    /// 10^6 bits a second.
    Mbps,
    /// 10^3 bytes a second.
    #[serde(rename = "kb-per-s")]
    KbPerS,
    /// 10^9 bytes a second.
    #[serde(rename = "gb-per-s")]
    GbPerS,
    /// Cores for 20·10^9 bits a second, if each does as much as the one that was measured.
    #[serde(rename = "cores-for-20-gbps")]
    CoresFor20Gbps,
    /// Nanoseconds a message.
    Ns,
    /// Microseconds a message.
    Us,
    /// Seconds a message.
    Seconds,
    /// The bits of the IV.
    IvBits,
    /// Core cycles a byte by the line of least squares through the times of `sizes`.
    LinePerByte,
    /// Core cycles a call by that line.
    LinePerCall,
    /// A share in percent, which only a fact can be.
    Percent,
    /// How often, which only a fact can be.
    Count,
    /// The speed where that of `over` is 1.
    Ratio,
    /// The speed beyond that of `over`, in percent of it.
    Improvement,
}

impl Show {
    /// Whether it is told in cycles.
    #[must_use]
    pub const fn is_cycles(self) -> bool {
        matches!(self, Self::Cycles | Self::CyclesPerByte | Self::LinePerByte | Self::LinePerCall)
    }
}

/// Columns of measured figures beside the published one.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct View {
    /// Its name in the study file.
    pub name: String,
    /// Its heading.
    pub title: Text,
    /// What it adds to every cell.
    #[serde(default)]
    pub pick: Pick,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sheet {
    /// Its name, e.g. `table-3`.
    pub id: String,
    /// Its heading.
    pub title: Text,
    /// Whether it stands for a table that the publication numbers.
    #[serde(default)]
    pub table: Option<u32>,
    /// The views, by name; one that adds nothing if absent.
    #[serde(default)]
    pub views: Vec<String>,
    /// What stands below it.
    #[serde(default)]
    pub notes: Vec<Text>,
    /// What all of its cells have in common.
    #[serde(flatten)]
    pub common: Part,
    /// Its lines.
    #[serde(rename = "line")]
    pub lines: Vec<Named>,
    /// Its columns.
    #[serde(rename = "column")]
    pub columns: Vec<Named>,
    /// What is different in single cells.
    #[serde(default, rename = "cell")]
    pub cells: Vec<Single>,
}

/// What a line or column says of its cells.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Part {
    /// A JSON pointer, or the next piece of one.
    pub published: Option<String>,
    /// The row.
    pub pick: Pick,
    /// The row that it is set against; gaps are filled from the cell's own pick.
    pub over: Option<Pick>,
    /// The fact that the row is set against, instead of a row.
    pub over_fact: Option<String>,
    /// What is shown.
    pub show: Option<Show>,
    /// A fact by name, with `{algorithm}`, `{operation}`, `{engine}`, `{level}` filled in.
    pub fact: Option<String>,
    /// The value itself, where it is no measurement.
    pub words: Option<Text>,
    /// Why there is no measured value.
    pub reason: Option<Text>,
    /// What a reader must know of the value.
    pub remark: Option<Text>,
    /// The published words in both languages, where they are words.
    pub said: Option<Text>,
    /// What the publication prints in a cell whose published value is mended or made again.
    pub prints: Option<Text>,
    /// What makes the values what they are, where figures of the run support it; of a sheet,
    /// what stands below it.
    pub why: Vec<Why>,
}

/// A line or a column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Named {
    /// Its heading.
    pub name: Text,
    /// Its cells.
    #[serde(flatten)]
    pub part: Part,
}

/// One cell, by the English names of its line and column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Single {
    /// The line.
    pub line: String,
    /// The column.
    pub column: String,
    /// What is different.
    #[serde(flatten)]
    pub part: Part,
}

/// A cell as all parts together make it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bound {
    /// The pointer to its published value.
    pub pointer: Option<String>,
    /// The row.
    pub pick: Pick,
    /// The row that it is set against.
    pub over: Option<Pick>,
    /// The fact that it is set against, its gaps filled in.
    pub over_fact: Option<String>,
    /// What is shown.
    pub show: Show,
    /// A fact, its gaps filled in.
    pub fact: Option<String>,
    /// The value itself, where it is no measurement.
    pub words: Option<Text>,
    /// Why there is no measured value.
    pub reason: Option<Text>,
    /// What a reader must know.
    pub remarks: Vec<Text>,
    /// The published words, where they are words.
    pub said: Option<Text>,
    /// What the publication prints, where its value is another.
    pub prints: Option<Text>,
    /// What is told where figures of the run support it.
    pub whys: Vec<Why>,
}

impl Bound {
    /// Whether its value is to come from rows.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.fact.is_none() && self.words.is_none() && self.reason.is_none()
    }

    /// The picks whose rows it needs.
    pub fn picks(&self) -> impl Iterator<Item = &Pick> {
        let rest = self.whys.iter().flat_map(|why| [&why.pick, &why.over]);
        self.is_measured().then_some(&self.pick).into_iter().chain(&self.over).chain(rest)
    }
}

impl Sheet {
    /// The views it shows.
    #[must_use]
    pub fn views(&self, views: &[View]) -> Vec<View> {
        if self.views.is_empty() {
            let title = Text::new("measured", "实测");
            return vec![View { name: "measured".to_owned(), title, pick: Pick::default() }];
        }
        let named = |name: &String| views.iter().find(|view| view.name == *name).cloned();
        self.views.iter().filter_map(named).collect()
    }

    /// One cell under a view.
    #[must_use]
    pub fn bound(&self, line: &Named, column: &Named, view: &View) -> Bound {
        let single = self
            .cells
            .iter()
            .find(|it| it.line == line.name.to_string() && it.column == column.name.to_string());
        let single = single.map(|it| it.part.clone()).unwrap_or_default();
        let parts = [&single, &column.part, &line.part, &self.common];
        let pick = parts.iter().fold(view.pick.clone(), |pick, part| pick.or(&part.pick));
        let over = parts.iter().find_map(|part| part.over.clone()).map(|over| over.or(&pick));
        let pointers = [&self.common, &line.part, &column.part, &single];
        let says = parts[..3].iter().any(|part| part.published.is_some());
        let pointer = says
            .then(|| pointers.iter().filter_map(|part| part.published.clone()).collect::<String>());
        let fact = parts.iter().find_map(|part| part.fact.clone());
        let over_fact = parts.iter().find_map(|part| part.over_fact.clone());
        Bound {
            pointer,
            over_fact: over_fact.map(|name| filled(&name, &pick)),
            fact: fact.map(|name| filled(&name, &pick)),
            show: parts.iter().find_map(|part| part.show).unwrap_or_default(),
            words: parts.iter().find_map(|part| part.words.clone()),
            reason: parts.iter().find_map(|part| part.reason.clone()),
            said: parts.iter().find_map(|part| part.said.clone()),
            prints: parts.iter().find_map(|part| part.prints.clone()),
            remarks: parts.iter().filter_map(|part| part.remark.clone()).collect(),
            whys: self.whys_of(line, column, &single),
            pick,
            over,
        }
    }

    /// The remarks *why* of a cell: those of its line, its column and its own.
    fn whys_of(&self, line: &Named, column: &Named, single: &Part) -> Vec<Why> {
        let below = line.part.pick.or(&self.common.pick);
        let parts = [&line.part, &column.part, single];
        parts.iter().flat_map(|part| &part.why).map(|why| why.filled(&below)).collect()
    }

    /// The remarks *why* that stand below the table.
    pub fn whys(&self) -> impl Iterator<Item = Why> {
        self.common.why.iter().map(|why| why.filled(&self.common.pick))
    }

    /// Refuses what can't be a table.
    pub(super) fn check(&self, views: &[View]) -> Result<(), LabError> {
        let wrong = |why: String| LabError::Study { why: format!("sheet `{}`: {why}", self.id) };
        if self.lines.is_empty() || self.columns.is_empty() {
            return Err(wrong("it needs lines and columns".to_owned()));
        }
        if let Some(name) = self.views.iter().find(|name| !views.iter().any(|it| it.name == **name))
        {
            return Err(wrong(format!("no view is called `{name}`")));
        }
        let has = |list: &[Named], name: &str| list.iter().any(|it| it.name.to_string() == name);
        for single in &self.cells {
            if !has(&self.lines, &single.line) || !has(&self.columns, &single.column) {
                return Err(wrong(format!("it has no cell {}, {}", single.line, single.column)));
            }
        }
        self.whys().try_for_each(|why| why.check()).map_err(wrong)?;
        for (line, column) in
            self.lines.iter().flat_map(|line| self.columns.iter().map(move |it| (line, it)))
        {
            for view in self.views(views) {
                let cell = self.bound(line, column, &view);
                cell.whys.iter().try_for_each(Why::check).map_err(wrong)?;
                if cell.is_measured() {
                    let place = |error: LabError| {
                        wrong(format!("cell {}, {}: {error}", line.name, column.name))
                    };
                    cell.pick.operations().map_err(place)?;
                    if matches!(cell.show, Show::Percent | Show::Count) {
                        let place = format!("cell {}, {}", line.name, column.name);
                        return Err(wrong(format!("{place}: percent and count are of a `fact`")));
                    }
                    let set = matches!(cell.show, Show::Ratio | Show::Improvement);
                    if set != (cell.over.is_some() || cell.over_fact.is_some()) {
                        let place = format!("cell {}, {}", line.name, column.name);
                        return Err(wrong(format!("{place}: `over` goes with ratio, improvement")));
                    }
                }
            }
        }
        Ok(())
    }
}

fn filled(name: &str, pick: &Pick) -> String {
    let what = pick.what.clone().unwrap_or_default();
    let (algorithm, operation) = what.split_once('/').unwrap_or((what.as_str(), ""));
    name.replace("{algorithm}", algorithm)
        .replace("{operation}", operation)
        .replace("{engine}", pick.engine.as_deref().unwrap_or_default())
        .replace("{level}", pick.level.as_deref().unwrap_or_default())
}
