//! What figures are counted in and by what they were converted, in a sentence.

use super::figure::count;
use crate::record::{By, Results, Unit};
use crate::study::Lang;

/// The sentence.
pub(super) fn sentence(results: &Results, lang: Lang) -> String {
    let wall = results.rows.iter().filter(|row| row.clock == "wall").count() as u64;
    let text = match results.unit {
        Unit::CoreCycles => core(results, lang),
        Unit::Ticks => lang
            .pick(
                "Figures are ticks of the time-stamp counter, the clock's own cost subtracted: how \
                 many core cycles a tick had is unknown.",
                "数值为时间戳计数器的计数，已扣除计时本身的开销；每次计数对应的核心周期未知。",
            )
            .to_owned(),
    };
    match (wall, lang) {
        (0, _) => text,
        (_, Lang::En) => format!(
            "{text} {} measured with the wall clock and converted, and marked so.",
            count(wall, "figure was", "figures were")
        ),
        (_, Lang::Zh) => format!("{text}其中 {wall} 个数值由挂钟时间换算并已标注。"),
    }
}

fn core(results: &Results, lang: Lang) -> String {
    let canaries = || results.rows.iter().flat_map(|row| &row.canaries);
    let rates = canaries().filter_map(|it| it.core_per_tick);
    let (low, high) =
        rates.fold((f64::INFINITY, 0.0_f64), |(low, high), rate| (low.min(rate), high.max(rate)));
    if high == 0.0 {
        let rate = results.machine.core_per_tsc;
        return match lang {
            Lang::En => format!(
                "Figures are core cycles, the clock's own cost subtracted: ticks of the time-stamp \
                 counter times {rate:.3}, the one ratio of the machine that this file tells."
            ),
            Lang::Zh => format!(
                "数值为核心周期，已扣除计时本身的开销：时间戳计数乘以本文件给出的机器统一比值 {rate:.3}。"
            ),
        };
    }
    let told = |by| canaries().filter(|it| it.by == Some(by)).count();
    let ways: Vec<String> = [
        (By::Counter, "the CPU's counter of core cycles", "处理器的核心周期计数器"),
        (By::Chain, "a chain of dependent additions around the pass", "各遍前后的相依加法链"),
        (By::Laboratory, "a chain of the laboratory's own", "实验程序自身的加法链"),
    ]
    .into_iter()
    .filter_map(|(by, en, zh)| match (told(by), lang) {
        (0, _) => None,
        (passes, Lang::En) => Some(format!("{en} ({passes})")),
        (passes, Lang::Zh) => Some(format!("{zh}（{passes}）")),
    })
    .collect();
    match lang {
        Lang::En => format!(
            "Figures are core cycles, the clock's own cost subtracted: each pass is converted by the \
             core cycles that a tick of the time-stamp counter had then, {low:.3} to {high:.3}, told \
             by {} (passes).",
            ways.join(", ")
        ),
        Lang::Zh => format!(
            "数值为核心周期，已扣除计时本身的开销：各遍按当时每次时间戳计数对应的核心周期（{low:.3} 至 {high:.3}）换算，依据（遍数）：{}。",
            ways.join("、")
        ),
    }
}
