//! How the figures were made, told from the file itself.

use std::collections::HashMap;

use super::figure::{self, count};
use super::{conditions, conversion, zh};
use crate::compare::{self, Comparison};
use crate::record::{Results, Row};
use crate::stats::Paired;
use crate::study::Lang;
use crate::{KeySetup, Mix, Model};

/// The models of `docs/METHOD.md`: name and what is inside the clock.
const MODELS: &[(&str, &str, &str)] = &[
    (
        "init",
        "key set-up and IV set-up, no data; figures are of a set-up",
        "密钥与 IV 装载，不含数据；数值按每次初始化计",
    ),
    ("key", "the key schedule alone; figures are of a set-up", "仅密钥编排；数值按每次计"),
    ("stream", "a long message, set-up outside the clock", "长消息，初始化不计时"),
    (
        "packet",
        "key set-up, IV set-up and data of one message, a fresh random key and IV each",
        "一条消息的密钥装载、IV 装载与数据处理，每条使用新的随机密钥和 IV",
    ),
    (
        "message",
        "IV set-up and data of one message; the key is ready",
        "一条消息的 IV 装载与数据处理；密钥已就绪",
    ),
    (
        "batch",
        "many independent messages in one call, each with its own key and IV; fresh keys are set \
         up inside the clock, ready ones before",
        "一次调用处理多条独立消息，各有密钥和 IV；fresh 的密钥装载计时，ready 的不计时",
    ),
    (
        "latency",
        "one block at a time, each input depending on the last output",
        "逐块处理，每块输入依赖上一块输出",
    ),
];

/// What a flag means.
const FLAGS: &[(&str, &str, &str)] = &[
    (
        "canary",
        "the machine was disturbed while this was measured, and again when it was repeated",
        "测量时机器受到干扰，重测时亦然",
    ),
    (
        "quick",
        "measured in quick mode: fewer samples over a shorter buffer",
        "快速模式：样本较少，缓冲区较短",
    ),
    (
        "few samples",
        "each call takes long, so the row's time allows fewer samples",
        "单次调用耗时长，限时内样本较少",
    ),
    (
        "outside the specification",
        "more data under one key and IV than the standard allows; for comparison only",
        "单个密钥与 IV 处理的数据超出标准上限；仅供比较",
    ),
];

/// The models that occur, with what is inside the clock.
pub(super) fn models(results: &Results, lang: Lang) -> Vec<(&'static str, &'static str)> {
    let occurs = |name: &str| results.rows.iter().any(|row| row.cell.model.name() == name);
    let known = MODELS.iter().filter(|(name, ..)| occurs(name));
    known.map(|(name, en, zh)| (*name, lang.pick(en, zh))).collect()
}

/// A flag in words; an unknown one speaks for itself.
pub(super) fn flag(name: &str, lang: Lang) -> String {
    match FLAGS.iter().find(|(known, ..)| *known == name) {
        Some((_, _, zh)) if lang == Lang::Zh => (*zh).to_owned(),
        Some((_, en, _)) => format!("{name}: {en}"),
        None if lang == Lang::Zh => zh::told(name),
        None => name.to_owned(),
    }
}

/// Sentences on samples, passes, canaries and outputs.
pub(super) fn run(results: &Results, lang: Lang) -> Vec<String> {
    let run = &results.run;
    let mut lines = match lang {
        Lang::En => vec![samples(results), disturbances(results)],
        Lang::Zh => vec![
            format!(
                "每个数值是至多 {} 遍干净测量（共 {}）中最快一遍的 {} 个样本的中位数；四分位数取自同一遍。\
                 results.json 保存全部样本。",
                run.passes,
                figure::duration(run.seconds),
                run.samples,
            ),
            format!(
                "共测 {} 组；{} 组因监测循环偏离超过 5 % 或被打断而舍弃，为此重测 {} 组；{} 个数值的干净遍数不足并已标注。",
                run.series, run.dropped, run.repeated, run.flagged,
            ),
        ],
    };
    if run.partial {
        lines.push(
            lang.pick(
                "The run was stopped before its end; `--resume` goes on with it.",
                "本次运行被提前中止；可用 `--resume` 继续。",
            )
            .to_owned(),
        );
    }
    lines.push(outputs(results, lang));
    lines.extend(chance(results, lang));
    lines.push(conversion::sentence(results, lang));
    lines
}

fn samples(results: &Results) -> String {
    let run = &results.run;
    format!(
        "Each figure is the median of {} in the fastest of the clean passes, of up to {} spread over \
         the run ({}); quartiles are those of that pass. results.json keeps every sample of every \
         pass, those that were dropped too.",
        count(run.samples.into(), "sample", "samples"),
        count(run.passes.into(), "pass", "passes"),
        figure::duration(run.seconds),
    )
}

fn disturbances(results: &Results) -> String {
    let run = &results.run;
    format!(
        "{} measured; {} dropped because a canary (a chain of additions before and after, and a \
         throughput loop at the row's own level) was off by more than 5 % or other processes ran in \
         between more often than every fourth sample, {} measured in their place; {} with too few \
         clean passes, and flagged.",
        count(run.series, "series was", "series were"),
        run.dropped,
        run.repeated,
        count(run.flagged, "figure is", "figures are"),
    )
}

/// One engine measured twice in the same run.
pub(super) struct Chance<'r> {
    engine: &'r str,
    /// The least ratio of the second figure to the first.
    pub(super) low: f64,
    /// The greatest.
    pub(super) high: f64,
    /// How many cells were measured twice.
    pub(super) cells: usize,
    /// Of how many of them the ratio's interval holds 1.
    pub(super) holding: usize,
}

/// What chance alone does, where an engine was measured twice.
pub(super) fn pairs(results: &Results) -> Option<Chance<'_>> {
    let ratio = |again: &Row| {
        let same = |row: &&Row| {
            row.engine == again.engine
                && row.cell.algorithm == again.cell.algorithm
                && row.cell.operation == again.cell.operation
                && row.cell.level == again.cell.level
                && conditions(row) == conditions(again)
        };
        compare::ratio(results.rows.iter().find(same)?, again, Paired::Yes)
    };
    let pairs: Vec<Comparison> = results.again.iter().filter_map(ratio).collect();
    let (low, high) = pairs
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(l, h), pair| (l.min(pair.ratio), h.max(pair.ratio)));
    let holding = pairs.iter().filter(|pair| pair.low <= 1.0 && 1.0 <= pair.high).count();
    let engine = &results.again.first()?.engine;
    (!pairs.is_empty()).then_some(Chance { engine, low, high, cells: pairs.len(), holding })
}

/// What chance alone does, in a sentence.
fn chance(results: &Results, lang: Lang) -> Option<String> {
    let Chance { engine, low, high, cells, holding } = pairs(results)?;
    Some(match lang {
        Lang::Zh => format!(
            "为显示偶然误差，{engine} 由另一个进程再测一次：{cells} 格中第二次为第一次的 {low:.3} 至 {high:.3} 倍，其中 {holding} 格之比的 95 % 区间包含 1。"
        ),
        Lang::En => format!(
            "To show what chance alone does, {engine} was measured a second time by a process of \
             its own: over {} the second figure was {low:.3} to {high:.3} times the first; \
             {holding} of {cells} intervals (95 %) of that ratio hold 1.",
            count(cells as u64, "cell", "cells")
        ),
    })
}

/// Whether rows that did the same work made the same bytes.
fn outputs(results: &Results, lang: Lang) -> String {
    let (together, disagree) = agreement(results);
    if lang == Lang::Zh {
        match disagree {
            0 => format!("{together} 格由多个引擎或级别计算，全部输出的 SHA-256 均相同。"),
            _ => format!("{together} 格中有 {disagree} 格的输出不一致：这些数值不可信。"),
        }
    } else if disagree == 0 {
        format!(
            "{} computed by more than one engine or level, and the SHA-256 over all outputs is \
             the same in each.",
            count(together, "cell was", "cells were")
        )
    } else {
        format!(
            "In {disagree} of {together} cells that more than one engine or level computed, the \
             outputs differ: do not trust those figures."
        )
    }
}

/// Cells with at least two rows, and those among them whose digests differ.
fn agreement(results: &Results) -> (u64, u64) {
    let cells = cells(results);
    let together = cells.values().filter(|rows| rows.len() > 1);
    let differ = together.clone().filter(|rows| rows.iter().any(|row| row.1 != rows[0].1));
    (together.count() as u64, differ.count() as u64)
}

/// Who computed the cells of a run.
pub(super) struct Computed {
    /// Cells of two engines or more.
    pub(super) together: u64,
    /// Cells of one engine, at however many levels.
    pub(super) alone: u64,
    /// Cells whose outputs differ.
    pub(super) differ: u64,
}

/// How many cells several engines computed, and how many one alone.
pub(super) fn computed(results: &Results) -> Computed {
    let cells = cells(results);
    let several = |rows: &&Vec<(&str, &str)>| rows.iter().any(|row| row.0 != rows[0].0);
    let together = cells.values().filter(several).count() as u64;
    Computed { together, alone: cells.len() as u64 - together, differ: agreement(results).1 }
}

type Cell<'r> = (&'r str, &'r str, Model, u64, (u32, KeySetup, Mix, u32, u32, u32));

/// Engines and digests of every cell.
fn cells(results: &Results) -> HashMap<Cell<'_>, Vec<(&str, &str)>> {
    fn cell(row: &Row) -> Cell<'_> {
        let lengths = (row.cell.nonce_bytes, row.cell.aad_bytes, row.tag_bytes);
        let conditions =
            (row.cell.messages, row.cell.keys, row.cell.mix, lengths.0, lengths.1, lengths.2);
        (&row.cell.algorithm, &row.cell.operation, row.cell.model, row.cell.size, conditions)
    }
    let mut cells: HashMap<Cell<'_>, Vec<(&str, &str)>> = HashMap::new();
    for row in results.rows.iter().filter(|row| !row.digest.is_empty()) {
        cells.entry(cell(row)).or_default().push((&row.engine, &row.digest));
    }
    cells
}

/// Facts of the machine in order of display.
pub(super) fn machine(results: &Results, lang: Lang) -> Vec<(String, String)> {
    let machine = &results.machine;
    let name = |en: &str, zh: &str| lang.pick(en, zh).to_owned();
    let mut facts = vec![
        (name("CPU", "处理器"), machine.cpu.clone()),
        (name("Levels", "级别"), machine.levels.join(", ")),
        (name("Logical cores", "逻辑核数"), machine.cores.to_string()),
        (
            name("Clock", "时钟"),
            format!(
                "time-stamp counter at {:.3} GHz; at most {:.3} core cycles a tick",
                machine.tsc_hz / 1e9,
                machine.core_per_tsc
            ),
        ),
        (name("Kernel", "内核"), machine.kernel.clone()),
        (
            name("Stolen by the host", "被宿主占用"),
            machine.steal.map_or("unknown".to_owned(), |share| format!("{:.2} %", share * 100.0)),
        ),
    ];
    facts.extend(machine.facts.iter().cloned());
    if lang == Lang::Zh {
        facts
            .iter_mut()
            .for_each(|(name, value)| (*name, *value) = (zh::told(name), zh::told(value)));
    }
    facts
}
