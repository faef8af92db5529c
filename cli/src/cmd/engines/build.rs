//! `engines build`: brings engines from public registries into the cache.

use std::path::{Path, PathBuf};
use std::time::Duration;

use recipes::{Built, RECIPES, Recipe, RecipeError, Source};
use serde::Serialize;

use crate::args::{Json, help};
use crate::failure::{Exit, Failure};
use crate::filter;
use crate::output::Output;
use crate::progress::Steps;

/// Fetch engines from public registries and build them, into a cache folder
#[derive(Debug, clap::Args)]
#[command(
    long_about = "Fetch engines from public registries and build them, into a cache folder\n\n\
        Nothing is installed and no rights are needed beyond that folder. Each engine has an \
        exact version; what is fetched is checked against its SHA-256. `cipherlane engines` \
        lists what can be built.",
    after_help = help!(
        "  cipherlane engines build openssl4 libgcrypt
  cipherlane engines build --all --json | jq -r '.engines[].library'"
    )
)]
pub(crate) struct Args {
    /// The engines, as `cipherlane engines` lists them
    #[arg(value_name = "NAME", required_unless_present = "all", conflicts_with = "all")]
    names: Vec<String>,
    /// Every engine that can be built
    #[arg(long)]
    all: bool,
    /// The cache, instead of $CIPHERLANE_CACHE, $XDG_CACHE_HOME/cipherlane or ~/.cache/cipherlane
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Build again what is there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
struct Summary<'s> {
    schema: &'static str,
    cache: &'s Path,
    engines: Vec<Entry>,
}

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    version: &'static str,
    source: &'static str,
    /// `built`, `already built` or `failed`.
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    library: Option<PathBuf>,
    seconds: f64,
    sources: Vec<Source>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(crate) fn run(args: &Args, out: &mut Output) -> Result<Exit, Failure> {
    let chosen = if args.all { RECIPES.to_vec() } else { named(&args.names)? };
    let usual = recipes::folder();
    let cache = match &args.cache {
        Some(cache) => cache.clone(),
        None => usual.as_ref().map_err(Failure::from)?.clone(),
    };
    let mut entries = Vec::new();
    let mut failed = None;
    for recipe in chosen {
        let mut steps = Steps::new();
        let done = recipes::build(recipe, &cache, args.force, &mut steps);
        drop(steps);
        let entry = entry(recipe, &done);
        if !args.json.json {
            print(&entry, out)?;
            // What is there is of use while the next one takes minutes.
            out.finish()?;
        }
        entries.push(entry);
        if let Err(error) = done {
            // The last failure ends the program; those before it are said at once.
            if let Some(before) = failed.replace(Failure::from(&error)) {
                Failure::report(&before);
            }
        }
    }
    if args.json.json {
        let summary = Summary { schema: "cipherlane-builds/1", cache: &cache, engines: entries };
        out.json(&summary)?;
    }
    if usual.ok().is_none_or(|usual| usual != cache) {
        let (variable, cache) = (recipes::CACHE_VARIABLE, cache.display());
        crate::failure::print_note(&format!("engines are found there with {variable}={cache}"));
    }
    out.finish()?;
    failed.map_or(Ok(Exit::Done), Err)
}

/// The recipes of these names, or of these families, each once.
fn named(names: &[String]) -> Result<Vec<&'static Recipe>, Failure> {
    let mut chosen: Vec<&'static Recipe> = Vec::new();
    for name in names {
        let recipes = match recipes::recipe(name) {
            Some(recipe) => vec![recipe],
            None => recipes::family(name),
        };
        if recipes.is_empty() {
            return Err(no_recipe(name));
        }
        for recipe in recipes {
            if !chosen.iter().any(|it| it.engine == recipe.engine) {
                chosen.push(recipe);
            }
        }
    }
    Ok(chosen)
}

/// Why an engine can't be built: it need not be, or there is none.
fn no_recipe(name: &str) -> Failure {
    let buildable: Vec<&str> = RECIPES.iter().map(|recipe| recipe.engine).collect();
    match peers::catalogue::how_to_get(name) {
        Some("") => Failure::usage(
            format!("engine `{name}` is built into this program"),
            format!("there is nothing to build; allowed: {}", buildable.join(", ")),
        ),
        Some(how) => Failure::usage(format!("engine `{name}` is not built by this program"), how),
        None => filter::unknown(&format!("engine `{name}`"), name, &buildable),
    }
}

fn entry(recipe: &'static Recipe, done: &Result<Built, RecipeError>) -> Entry {
    let (state, library, time, sources) = match done {
        Ok(built) => {
            let state = if built.fresh { "built" } else { "already built" };
            (state, Some(built.library.clone()), built.time, built.manifest.sources.clone())
        }
        Err(_) => ("failed", None, Duration::ZERO, Vec::new()),
    };
    Entry {
        name: recipe.engine,
        version: recipe.version,
        source: recipe.source,
        state,
        library,
        seconds: (time.as_secs_f64() * 10.0).round() / 10.0,
        sources,
        error: done.as_ref().err().map(ToString::to_string),
    }
}

fn print(entry: &Entry, out: &mut Output) -> Result<(), Failure> {
    let Some(library) = &entry.library else { return Ok(()) };
    let (name, version, state, library) =
        (entry.name, entry.version, entry.state, library.display());
    match state {
        "built" => {
            out.wrapped(&format!("{name} {version}: built in {} s: {library}", entry.seconds), 2)
        }
        _ => out
            .wrapped(&format!("{name} {version}: {state}: {library} (--force builds it again)"), 2),
    }
}
