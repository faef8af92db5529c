//! The engines of a run.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::{Options, Progress};
use crate::LabError;
use crate::engine::{Answer, Process};
use crate::plan::Plan;
use crate::record::EngineRecord;
use crate::reply::Description;
use crate::request::Task;
use crate::study::Study;

/// The engines of a run: those that are there, some of them twice.
pub(super) struct EnginePool {
    descriptions: Vec<Description>,
    /// By number of the engine; none where it was lost.
    first: Vec<Option<Process>>,
    /// The second process of an A/A pair.
    second: Vec<Option<Process>>,
    /// How often each gave no answer in time.
    silent: Vec<u32>,
    /// Which check in every process, whatever another one has computed.
    doubting: Vec<bool>,
    /// Whether the user asked for the engines by name: then losing one ends the run.
    named: bool,
}

/// The time that an engine which nobody named gives no answer and is lost; the times before cost it the
/// cell alone.
const PATIENCE: u32 = 3;

impl EnginePool {
    /// Starts the engines and has them describe themselves.
    pub(super) fn assemble(
        study: &Study,
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<Self, LabError> {
        let mut names = study.engines.clone().unwrap_or_else(|| options.engines.clone());
        let mut seen = Vec::new();
        names.retain(|name| !seen.contains(name) && (seen.push(name.clone()), true).1);
        let named = study.engines.is_some();
        let (first, second, silent) = (Vec::new(), Vec::new(), Vec::new());
        let (descriptions, doubting) = (Vec::new(), Vec::new());
        let mut pool = Self { descriptions, first, second, silent, doubting, named };
        for name in names {
            match enlist(&name, options) {
                Ok((process, description)) => {
                    pool.first.push(Some(process));
                    pool.second.push(None);
                    pool.silent.push(0);
                    pool.doubting.push(false);
                    pool.descriptions.push(Description { engine: name, ..description });
                }
                Err(error) if named => return Err(error),
                Err(error) => progress.note(&error.to_string()),
            }
        }
        if pool.descriptions.is_empty() {
            let why = "no engine is present; `engines` says what brings one".to_owned();
            return Err(LabError::NothingToMeasure { why });
        }
        Ok(pool)
    }

    /// Starts the second processes of A/A pairs.
    pub(super) fn pair_up(
        &mut self,
        plan: &Plan,
        options: &Options,
        progress: &mut dyn Progress,
    ) -> Result<(), LabError> {
        for member in plan.groups.iter().flat_map(|group| &group.members) {
            if member.again && self.second[member.engine].is_none() {
                match enlist(&self.descriptions[member.engine].engine, options) {
                    Ok((process, _)) => self.second[member.engine] = Some(process),
                    Err(error) if self.named => return Err(error),
                    Err(error) => progress.note(&error.to_string()),
                }
            }
        }
        Ok(())
    }

    /// Starts every process of these engines anew. Where a process puts its code and its buffers is chance,
    /// which favours some rows and hurts others for as long as it lives: passes by different
    /// processes leave that out of the fastest one. A process that can't be had is no loss,
    /// the old one goes on.
    pub(super) fn renew(&mut self, engines: &BTreeSet<usize>, options: &Options) {
        let names = self.descriptions.iter().map(|description| &description.engine);
        let processes = names.zip(&mut self.first).zip(&mut self.second).enumerate();
        for (engine, ((name, first), second)) in processes {
            for place in [first, second] {
                if engines.contains(&engine)
                    && place.is_some()
                    && let Ok((process, _)) = enlist(name, options)
                {
                    *place = Some(process);
                }
            }
        }
    }

    pub(super) fn descriptions(&self) -> &[Description] {
        &self.descriptions
    }

    pub(super) fn name(&self, engine: usize) -> &str {
        &self.descriptions[engine].engine
    }

    pub(super) fn records(&self) -> Vec<EngineRecord> {
        let record = |it: &Description| EngineRecord {
            name: it.engine.clone(),
            version: it.version.clone(),
            build: it.build.clone(),
            path: it.path.clone(),
            released: None,
            current: None,
        };
        self.descriptions.iter().map(record).collect()
    }

    /// Tells one engine a digest that an earlier process of it has computed, if it takes that. What
    /// goes wrong here goes wrong again when it is asked for the figure, and is told then.
    pub(super) fn tell(&mut self, (engine, again): (usize, bool), task: &Task, digest: &str) {
        let place = if again { &mut self.second[engine] } else { &mut self.first[engine] };
        if let Some(process) = place
            && !self.doubting[engine]
        {
            self.doubting[engine] = !matches!(process.known(task, digest), Ok(true));
        }
    }

    /// Asks one engine. An answer that loses the engine, or a failure, ends the run if the
    /// engines were named; else it is noted and comes back as the reason. One that gave no answer
    /// in time is started anew for the other cells, until the [`PATIENCE`]th time.
    pub(super) fn ask<T>(
        &mut self,
        (engine, again): (usize, bool),
        options: &Options,
        progress: &mut dyn Progress,
        ask: impl FnOnce(&mut Process) -> Result<Answer<T>, LabError>,
    ) -> Result<Result<T, String>, LabError> {
        let place = if again { &mut self.second[engine] } else { &mut self.first[engine] };
        let Some(process) = place else {
            return Ok(Err(format!("engine `{}` was lost", self.descriptions[engine].engine)));
        };
        match ask(process) {
            Ok(Answer::Done(done)) => Ok(Ok(done)),
            Ok(Answer::Refused(reason)) => Ok(Err(reason)),
            Err(error) if self.named => Err(error),
            Err(error) => {
                if Process::is_lost(&error) {
                    *place = None;
                }
                let mut note = error.to_string();
                if let LabError::Hang { engine: name, request, seconds } = &error {
                    self.silent[engine] += 1;
                    if self.silent[engine] < PATIENCE
                        && let Ok((process, _)) = enlist(name, options)
                    {
                        *place = Some(process);
                        note = format!(
                            "engine `{name}` gave no answer in {seconds} s and is started anew; \
                             what it was asked is left out: `{request}`"
                        );
                    }
                }
                progress.note(&note);
                Ok(Err(error.to_string()))
            }
        }
    }
}

pub(super) fn enlist(name: &str, options: &Options) -> Result<(Process, Description), LabError> {
    let lib: Option<&PathBuf> = options.engine_libs.get(name);
    let lib = lib.map(PathBuf::as_path);
    let mut process = Process::start(&options.program, name, lib, options.timeout)?;
    let description = process.describe()?;
    Ok((process, description))
}
