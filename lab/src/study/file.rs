//! Study files as they are written.

use serde::Deserialize;

use super::claim::FileClaim;
use super::conclusion::Conclusion;
use super::figure::Figure;
use super::selection::{Threads, checked_sizes};
use super::sheet::{Sheet, View};
use super::text::Text;
use super::{Again, Choice, Claim, Filter, Selection, Study, default_models, published};
use crate::{KeySetup, LabError, Mix, Model, Placement};

/// `studies/*.toml`, as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: Text,
    engines: Option<Vec<String>>,
    #[serde(default)]
    wants: Vec<String>,
    published: Option<String>,
    select: Vec<FileSelection>,
    again: Option<FileAgain>,
    #[serde(default)]
    claim: Vec<FileClaim>,
    #[serde(default)]
    view: Vec<View>,
    #[serde(default)]
    sheet: Vec<Sheet>,
    #[serde(default)]
    figure: Vec<Figure>,
    #[serde(default)]
    contradiction: Vec<Contradiction>,
    #[serde(default)]
    conclusion: Vec<Conclusion>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileSelection {
    what: Vec<String>,
    engines: Option<Vec<String>>,
    #[serde(default)]
    without: Vec<String>,
    levels: Option<Vec<String>>,
    models: Option<Vec<Model>>,
    sizes: Option<Vec<u64>>,
    placements: Option<Vec<Placement>>,
    messages: Option<Vec<u32>>,
    keys: Option<Vec<KeySetup>>,
    mix: Option<Mix>,
    threads: Option<Threads>,
    aad_bytes: Option<Vec<u32>>,
    unaligned: Option<u32>,
    cold: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileAgain {
    engine: String,
    what: Vec<String>,
    models: Option<Vec<Model>>,
    sizes: Option<Vec<u64>>,
}

/// Where a publication contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contradiction {
    /// The pointer to where the published file says so.
    pub published: Option<String>,
    /// What contradicts what.
    pub text: Text,
}

fn filters(what: &[String]) -> Result<Vec<Filter>, LabError> {
    what.iter().map(|text| text.parse()).collect()
}

impl Study {
    /// Reads a study file.
    ///
    /// # Errors
    /// [`LabError::Study`] naming line and field, [`LabError::Value`] for a filter or size
    /// that can't be.
    pub fn from_toml(text: &str) -> Result<Self, LabError> {
        let file: File = toml::from_str(text)
            .map_err(|error| LabError::Study { why: one_line(&error.to_string()) })?;
        let selections = file.select.into_iter().map(|select| {
            let choice = Choice {
                engines: select.engines,
                levels: select.levels,
                sizes: select.sizes,
                placements: select.placements,
                messages: select.messages,
                keys: select.keys,
                mix: select.mix,
                threads: select.threads.map(Threads::here),
                aad_bytes: select.aad_bytes,
                unaligned: select.unaligned,
                cold: select.cold,
                ..Choice::default()
            };
            let models = select.models.unwrap_or_else(default_models);
            let mut selection =
                Selection { filters: filters(&select.what)?, ..Selection::of_models(models) };
            selection.engines.clone_from(&choice.engines);
            selection.without = select.without;
            choice.checked()?.apply(&mut selection);
            Ok(selection)
        });
        let selections: Vec<Selection> = selections.collect::<Result<_, LabError>>()?;
        if selections.is_empty() {
            return Err(LabError::Study { why: "it has no [[select]]".to_owned() });
        }
        let again = match file.again {
            Some(again) => Some(Again {
                engine: again.engine,
                selection: Selection {
                    filters: filters(&again.what)?,
                    sizes: checked_sizes(again.sizes)?,
                    ..Selection::of_models(again.models.unwrap_or_else(default_models))
                },
            }),
            None => None,
        };
        let claims = file.claim.into_iter().map(|claim| Claim::from_file(claim, &selections));
        let claims: Vec<Claim> = claims.collect::<Result<_, LabError>>()?;
        for (i, claim) in claims.iter().enumerate() {
            if claims[..i].iter().any(|other| other.name == claim.name) {
                let why = format!("two claims are called `{}`", claim.name);
                return Err(LabError::Study { why });
            }
        }
        let study = Self {
            name: None,
            title: file.title,
            selections,
            engines: file.engines,
            again,
            claims,
            wants: file.wants,
            published: file.published,
            views: file.view,
            sheets: file.sheet,
            figures: file.figure,
            contradictions: file.contradiction,
            conclusions: file.conclusion,
        };
        study.check()?;
        Ok(study)
    }

    /// Refuses sheets and figures that can't be made.
    fn check(&self) -> Result<(), LabError> {
        let mut ids: Vec<&str> = self.sheets.iter().map(|it| it.id.as_str()).collect();
        ids.extend(self.figures.iter().map(|it| it.id.as_str()));
        ids.extend(self.conclusions.iter().map(|it| it.id.as_str()));
        if let Some(twice) =
            ids.iter().enumerate().find_map(|(i, id)| ids[..i].contains(id).then_some(*id))
        {
            return Err(LabError::Study { why: format!("two parts are called `{twice}`") });
        }
        self.conclusions.iter().try_for_each(|it| it.check(&self.claims))?;
        let names: Vec<&String> = self.conclusions.iter().flat_map(Conclusion::all).collect();
        if let Some(twice) =
            names.iter().enumerate().find_map(|(i, it)| names[..i].contains(it).then_some(*it))
        {
            let why = format!("claim `{twice}` stands on two conclusions");
            return Err(LabError::Study { why });
        }
        if let Some(name) = &self.published {
            published::of(name)?;
        }
        self.sheets.iter().try_for_each(|sheet| sheet.check(&self.views))?;
        self.figures.iter().try_for_each(|figure| figure.check(&self.sheets))
    }
}

/// A message of several lines as one.
fn one_line(text: &str) -> String {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}
