//! What is printed of a run: the screen, or what was asked for instead.

use lab::record::Results;
use lab::report::screen::{self, standings, why};
use lab::report::{study, terminal, together};
use lab::study::Lang;

use crate::failure::Failure;
use crate::output::Output;

/// The options of `bench` and `report` that choose what is printed.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct View {
    /// Print every figure, at every level, instead of the screen
    #[arg(long)]
    table: bool,
    /// Print where another level is faster, what the marks mean, and what was not measured and
    /// why, instead of the screen
    #[arg(long)]
    why: bool,
    /// Print where the default level is ahead of this engine, or of the `best` of each cell,
    /// and where behind, instead of the screen
    #[arg(long, value_name = "PEER|best")]
    against: Option<String>,
}

impl View {
    /// The engine of `--against`.
    pub(crate) fn against(&self) -> Option<&str> {
        self.against.as_deref()
    }

    /// That of a study, which has tables or not.
    pub(crate) fn of_study(table: bool) -> Self {
        Self { table, ..Self::default() }
    }

    /// Prints a run. `report` is where its page is.
    ///
    /// # Errors
    /// A study that can't be rendered, and an engine of `--against` that shares no cell.
    pub(crate) fn show(
        &self,
        results: &Results,
        lang: Lang,
        report: Option<&str>,
        out: &mut Output,
    ) -> Result<(), Failure> {
        let style = out.style();
        let mut parts = Vec::new();
        let study = study::of(results);
        match &study {
            Some(study) if self.table => {
                parts.push(study::terminal::render(study, results, lang, style)?);
            }
            None if self.table => parts.push(terminal::render(results, style)),
            _ => {}
        }
        if self.why {
            parts.push(why::render(results, style));
        }
        if let Some(peer) = &self.against {
            parts.push(standings::render(results, peer, style)?);
        }
        if parts.is_empty() {
            match study {
                Some(study) => parts.push(study::terminal::screen(&study, results, lang, style)?),
                None if results.claims.is_empty() => {
                    out.text(&screen::render(results, style, report))?;
                    return together::render(results, style)
                        .map_or(Ok(()), |it| out.text(&format!("\n{it}")));
                }
                None => parts.push(terminal::render(results, style)),
            }
        }
        parts.extend(together::render(results, style));
        if let Some(report) = report {
            parts.push(format!("report: {report}\n"));
        }
        out.text(&parts.join("\n"))
    }
}
