//! A card for every conclusion of a study: what was claimed, what is measured here with its
//! interval, the verdict, why in two sentences, and one picture of the effect.

use serde::Serialize;

use super::claims::{self, ClaimView, words};
use crate::against;
use crate::cell::SUBJECT;
use crate::claims::Verdict;
use crate::record::{ClaimRecord, Results};
use crate::report::chart::track::{Ratio, Tracks, tracks};
use crate::report::figure::{self, size_label};
use crate::report::zh;
use crate::study::{Conclusion, Expects, Lang, Shown, Study, Text};

/// A card.
#[derive(Debug, Serialize)]
pub(in crate::report) struct Card {
    pub(in crate::report) id: String,
    pub(in crate::report) title: String,
    /// Where it stands in the publication.
    pub(in crate::report) stands: String,
    /// The class of its verdict: of a card whose lines differ the one that most of them have.
    pub(in crate::report) class: &'static str,
    /// The verdict, with how many of the lines it is of where they differ.
    pub(in crate::report) verdict: String,
    /// Two sentences.
    pub(in crate::report) why: Vec<String>,
    pub(in crate::report) effect: Tracks,
    /// What the lines are of.
    pub(in crate::report) place: String,
    /// Every line at every engine, level and length.
    pub(in crate::report) claims: Vec<ClaimView>,
    /// How many lines the table has.
    pub(in crate::report) lines: usize,
}

/// A line of the picture.
struct Line<'r> {
    name: String,
    record: &'r ClaimRecord,
}

/// The cards, in the order of the study. Claims that no conclusion names have cards of their own.
pub(super) fn cards(study: &Study, results: &Results, lang: Lang) -> Vec<Card> {
    let own = |claim: &crate::study::Claim| Conclusion {
        id: format!("claim-{}", claim.name.replace(|c: char| !c.is_ascii_alphanumeric(), "-")),
        title: claim.statement.clone(),
        claims: vec![Shown { claim: claim.name.clone(), label: Text::from("") }],
        folded: Vec::new(),
        engines: Vec::new(),
        because: Text::from(""),
    };
    let named = |name: &String| study.conclusions.iter().any(|it| it.all().any(|of| of == name));
    let rest: Vec<Conclusion> =
        study.claims.iter().filter(|claim| !named(&claim.name)).map(own).collect();
    study.conclusions.iter().chain(&rest).map(|it| card(it, study, results, lang)).collect()
}

fn card(of: &Conclusion, study: &Study, results: &Results, lang: Lang) -> Card {
    let lines = lines(of, results, lang);
    let (verdict, class) = verdict(&lines, lang);
    let mut why = vec![because(&lines, lang)];
    if !of.because.of(lang).is_empty() {
        why.push(of.because.of(lang).to_owned());
    }
    let claims = claims::of(study, results, lang, &of.all().collect::<Vec<_>>());
    let mut stands: Vec<&str> = Vec::new();
    for claim in study.claims.iter().filter(|it| of.claims.iter().any(|of| of.claim == it.name)) {
        let it = claim.stands.of(lang);
        if !it.is_empty() && !stands.contains(&it) {
            stands.push(it);
        }
    }
    Card {
        id: of.id.clone(),
        title: of.title.of(lang).to_owned(),
        stands: stands.join(lang.pick("; ", "；")),
        class,
        verdict,
        why,
        place: place(&lines, lang),
        effect: tracks(vec![(String::new(), lines.iter().map(|it| ratio(it, lang)).collect())]),
        lines: claims.iter().map(|claim| claim.lines.len()).sum(),
        claims,
    }
}

/// The records that the picture shows: of the engines named, or of one.
fn lines<'r>(of: &Conclusion, results: &'r Results, lang: Lang) -> Vec<Line<'r>> {
    let mut lines = Vec::new();
    for shown in &of.claims {
        let all: Vec<&ClaimRecord> =
            results.claims.iter().filter(|it| it.name == shown.claim).collect();
        let chosen = chosen(of, &all, results);
        let lengths = chosen.iter().any(|it| it.sizes != chosen[0].sizes);
        for record in chosen {
            let mut parts = vec![shown.label.of(lang).to_owned()];
            if of.engines.len() > 1 {
                parts.push(record.engine.clone());
            }
            match record.sizes.as_slice() {
                [size] if *size > 0 && (lengths || parts.iter().all(String::is_empty)) => {
                    parts.push(size_label(*size));
                }
                _ => {}
            }
            parts.retain(|part| !part.is_empty());
            lines.push(Line { name: parts.join(" · "), record });
        }
    }
    lines
}

fn chosen<'r>(of: &Conclusion, all: &[&'r ClaimRecord], results: &Results) -> Vec<&'r ClaimRecord> {
    let at = |engine: &str, level: Option<&str>| -> Vec<&'r ClaimRecord> {
        let same = |it: &&&ClaimRecord| it.engine == engine && level.is_none_or(|l| it.level == l);
        all.iter().filter(same).copied().collect()
    };
    let named: Vec<&ClaimRecord> = of.engines.iter().flat_map(|name| at(name, None)).collect();
    if !named.is_empty() {
        return named;
    }
    let default = at(SUBJECT, Some(against::level(results)));
    if !default.is_empty() {
        return default;
    }
    all.first().map_or_else(Vec::new, |first| at(&first.engine, Some(&first.level)))
}

/// Which engine and level the lines are of, where it is one.
fn place(lines: &[Line<'_>], lang: Lang) -> String {
    let mut places: Vec<String> = Vec::new();
    for Line { record, .. } in lines.iter().filter(|it| it.record.engine != "-") {
        // Of a rung in C or Java the level is one side of the ratio, not the place of both.
        let level = if record.engine == SUBJECT { record.level.as_str() } else { "" };
        let place = format!("{} {level}", record.engine).trim().to_owned();
        if !places.contains(&place) {
            places.push(place);
        }
    }
    match places.as_slice() {
        [] => String::new(),
        [one] => match lang {
            Lang::En => format!("measured with {one}"),
            Lang::Zh => format!("由 {one} 测得"),
        },
        _ => String::new(),
    }
}

fn ratio(line: &Line<'_>, lang: Lang) -> Ratio {
    let Line { name, record } = line;
    let (word, class) = words(verdict_of(record), lang);
    let mut title = vec![name.as_str(), word];
    title.retain(|part| !part.is_empty());
    let then = match (record.published, record.expects) {
        (Some(published), _) => {
            format!("{} {}", lang.pick("then", "原文"), figure::ratio(published))
        }
        (None, Expects::Faster | Expects::Larger) => {
            lang.pick("then above 1", "原文大于 1").to_owned()
        }
        (None, Expects::Slower) if record.at_least.is_some() => {
            lang.pick("then slightly below 1", "原文略小于 1").to_owned()
        }
        (None, Expects::Slower) => lang.pick("then below 1", "原文小于 1").to_owned(),
        (None, Expects::Equal) => lang.pick("then equal", "原文相等").to_owned(),
        (None, Expects::Ratio) => String::new(),
    };
    let interval = record.low.zip(record.ratio).zip(record.high).map(|((l, r), h)| (l, r, h));
    let here = match interval {
        Some((low, ratio, high)) => format!(
            "{} {} ({} {} {})",
            lang.pick("here", "此处"),
            precise(ratio),
            precise(low),
            lang.pick("to", "至"),
            precise(high)
        ),
        None => String::new(),
    };
    let parts: Vec<String> = [then, here].into_iter().filter(|it| !it.is_empty()).collect();
    Ratio {
        name: title.join(lang.pick(": ", "：")),
        text: parts.join(lang.pick(", ", "，")),
        class,
        interval,
        then: record.published.or_else(|| (record.expects == Expects::Equal).then_some(1.0)),
    }
}

/// A ratio with the digits that an equivalence of 3 % needs.
fn precise(value: f64) -> String {
    if (0.1..10.0).contains(&value) { format!("{value:.3}") } else { figure::ratio(value) }
}

fn verdict_of(record: &ClaimRecord) -> Verdict {
    let known = Verdict::ALL.into_iter().find(|it| it.name() == record.verdict);
    known.unwrap_or(Verdict::NotMeasured)
}

/// The verdicts that were given, the most frequent first.
fn given(lines: &[Line<'_>]) -> Vec<(Verdict, usize)> {
    let count = |verdict| lines.iter().filter(|it| verdict_of(it.record) == verdict).count();
    let mut given: Vec<(Verdict, usize)> =
        Verdict::ALL.into_iter().map(|it| (it, count(it))).filter(|(_, n)| *n > 0).collect();
    given.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    given
}

fn verdict(lines: &[Line<'_>], lang: Lang) -> (String, &'static str) {
    let given = given(lines);
    match given.as_slice() {
        [] => {
            let (word, class) = words(Verdict::NotMeasured, lang);
            (word.to_owned(), class)
        }
        [(only, _)] => {
            let (word, class) = words(*only, lang);
            (word.to_owned(), class)
        }
        [(most, _), ..] => {
            let parts: Vec<String> = given
                .iter()
                .map(|(verdict, count)| format!("{} {count}", words(*verdict, lang).0))
                .collect();
            (parts.join(lang.pick(", ", "，")), words(*most, lang).1)
        }
    }
}

/// Why the verdict is what it is, in a sentence.
fn because(lines: &[Line<'_>], lang: Lang) -> String {
    let given = given(lines);
    let reason = |verdict: Verdict| {
        let first = lines.iter().find(|it| verdict_of(it.record) == verdict);
        first.map_or_else(String::new, |it| ground(verdict, it.record, lang))
    };
    let parts: Vec<String> = match given.as_slice() {
        [] => return lang.pick("Nothing was measured of it.", "未作测量。").to_owned(),
        [(only, _)] => vec![reason(*only)],
        _ => given
            .iter()
            .map(|(verdict, count)| {
                let (word, why) = (words(*verdict, lang).0, reason(*verdict));
                match lang {
                    Lang::En => format!("{word} in {count} of {}: {why}", lines.len()),
                    Lang::Zh => format!("{} 项中 {count} 项{word}：{why}", lines.len()),
                }
            })
            .collect(),
    };
    let text = parts.join(lang.pick("; ", "；"));
    let mut letters = text.chars();
    let first = letters.next().map(|it| it.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}{}", letters.as_str(), lang.pick(".", "。"))
}

/// What an interval must be for a verdict.
fn ground(verdict: Verdict, record: &ClaimRecord, lang: Lang) -> String {
    let sign = matches!(record.expects, Expects::Faster | Expects::Slower | Expects::Larger);
    let slightly = record.at_least.is_some();
    let equal = record.expects == Expects::Equal;
    let (en, zh) = match verdict {
        Verdict::Holds if equal => {
            ("the whole interval lies within 3 % of 1", "整个区间在 1 的 3 % 以内")
        }
        Verdict::Holds if slightly => (
            "the whole interval lies below 1, and not below what is called slightly here",
            "整个区间小于 1，且未低于此处所称“略”的下限",
        ),
        Verdict::Holds if sign => {
            ("the whole interval lies on the side of 1 that was claimed", "整个区间位于所述一侧")
        }
        Verdict::Holds => (
            "the whole interval lies on the published side of 1 and comes to within 3 % of the \
             published ratio or lies beyond it",
            "整个区间位于公布值一侧，且达到公布比值的 3 % 以内或更远",
        ),
        Verdict::Weaker if slightly => (
            "the side is that which was claimed, by more than what is called slightly here, or \
             perhaps by more",
            "方向与所述一致，但超过或可能超过此处所称“略”的程度",
        ),
        Verdict::Weaker if sign => {
            ("the side is that which was claimed, by less than 3 %", "方向与所述一致，但不足 3 %")
        }
        Verdict::Weaker => (
            "the interval shows the published side of 1, and not the published size",
            "区间表明与公布值同侧，但未表明公布的大小",
        ),
        Verdict::Gone if equal => {
            ("the whole interval lies more than 3 % from 1", "整个区间距 1 超过 3 %")
        }
        Verdict::Gone if record.rule.is_of_facts() => {
            ("the whole interval lies within 3 % of 1", "整个区间在 1 的 3 % 以内")
        }
        Verdict::Gone => (
            "the whole interval lies within 3 % of 1: here the speeds are equal",
            "整个区间在 1 的 3 % 以内：此处速度相等",
        ),
        Verdict::Reversed => {
            ("the whole interval lies on the other side of 1", "整个区间位于 1 的另一侧")
        }
        Verdict::CantTell => (
            "the interval leaves both open, what was claimed and its contrary",
            "区间既不能肯定也不能否定所述",
        ),
        Verdict::NotMeasured => {
            return match lang {
                Lang::En => record.remark.clone(),
                Lang::Zh => zh::told(&record.remark),
            };
        }
    };
    lang.pick(en, zh).to_owned()
}
