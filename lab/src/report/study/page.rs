//! The report of a study as one self-contained page: no script, nothing fetched.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment};
use serde::Serialize;

use super::View;
use super::cards::Card;
use super::claims::summary;
use super::sheet::SheetView;
use crate::record::{EngineRecord, Results};
use crate::report::chart::{self, Chart};
use crate::report::missing::{self, Gap};
use crate::report::{ReportError, figure, method};
use crate::study::{Lang, Study};

/// What the template sees.
#[derive(Serialize)]
struct Page<'r> {
    lang: &'static str,
    style: &'static str,
    study_style: &'static str,
    title: &'r str,
    cpu: &'r str,
    created: &'r str,
    command: &'r str,
    sheets: &'r [SheetView],
    figures: Vec<Chart>,
    sizes: Vec<Chart>,
    cards: &'r [Card],
    summary: Vec<String>,
    contradictions: &'r [String],
    run: Vec<String>,
    models: Vec<(&'static str, &'static str)>,
    gaps: Vec<Gap>,
    machine: Vec<(String, String)>,
    /// What a figure of a byte is in.
    per_byte: &'static str,
    engines: &'r [EngineRecord],
}

/// The page, in one language.
///
/// # Errors
/// [`ReportError::Render`].
pub fn render(study: &Study, results: &Results, lang: Lang) -> Result<String, ReportError> {
    let failed =
        |error: minijinja::Error| ReportError::Render { part: "page", reason: error.to_string() };
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let syntax =
        SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(failed)?;
    environment.set_syntax(syntax);
    // Every word of the template stands there in both languages.
    environment.add_function("w", move |en: String, zh: String| match lang {
        Lang::En => en,
        Lang::Zh => zh,
    });
    environment
        .add_template(
            "study.html",
            concat!(
                include_str!("../templates/parts.html"),
                include_str!("../templates/study.html")
            ),
        )
        .map_err(failed)?;
    let shown = figure::shown(results);
    let results = shown.as_ref();
    let view = View::new(study, results, lang)?;
    let page = Page {
        lang: lang.pick("en", "zh-CN"),
        style: include_str!("../templates/style.css"),
        study_style: include_str!("../templates/study.css"),
        title: &view.title,
        cpu: &results.machine.cpu,
        created: &results.created,
        command: &results.command,
        sheets: &view.sheets,
        figures: view.figures()?,
        sizes: chart::sizes(results, lang)?,
        cards: &view.cards,
        summary: summary(&results.claims, lang),
        contradictions: &view.contradictions,
        run: method::run(results, lang),
        models: method::models(results, lang),
        gaps: missing::gaps(results, lang),
        machine: method::machine(results, lang),
        per_byte: figure::per_byte_unit(results, lang),
        engines: &results.engines,
    };
    let template = environment.get_template("study.html").map_err(failed)?;
    template.render(Serde(&page)).map_err(failed)
}
