//! The claims of a study, one line each, with what has become of them.

use serde::Serialize;

use crate::claims::{Tally, Verdict};
use crate::record::{ClaimRecord, Results};
use crate::report::figure::size_label;
use crate::report::zh;
use crate::study::{Expects, Lang, Study};

/// A claim and what was measured of it.
#[derive(Debug, Serialize)]
pub(in crate::report) struct ClaimView {
    pub(in crate::report) statement: String,
    pub(in crate::report) stands: String,
    pub(in crate::report) lines: Vec<VerdictView>,
}

/// What one engine at one level says of a claim.
#[derive(Debug, Serialize)]
pub(in crate::report) struct VerdictView {
    /// Engine, level and length.
    pub(in crate::report) place: String,
    pub(in crate::report) published: String,
    pub(in crate::report) measured: String,
    pub(in crate::report) interval: String,
    pub(in crate::report) verdict: String,
    /// `holds`, `weaker`, `gone`, `reversed`, `open` or `none`.
    pub(in crate::report) class: &'static str,
    pub(in crate::report) remark: String,
}

/// The claims in the order of the study.
pub(super) fn views(study: &Study, results: &Results, lang: Lang) -> Vec<ClaimView> {
    let all: Vec<&String> = study.claims.iter().map(|claim| &claim.name).collect();
    of(study, results, lang, &all)
}

/// The claims of these names, in this order.
pub(super) fn of(
    study: &Study,
    results: &Results,
    lang: Lang,
    names: &[&String],
) -> Vec<ClaimView> {
    let view = |claim: &crate::study::Claim| {
        let records = results.claims.iter().filter(|record| record.name == claim.name);
        let mut lines: Vec<VerdictView> = records.map(|record| line(record, lang)).collect();
        for line in &mut lines {
            if let Some(reason) = &claim.reason {
                reason.of(lang).clone_into(&mut line.remark);
            }
        }
        ClaimView {
            statement: claim.statement.of(lang).to_owned(),
            stands: claim.stands.of(lang).to_owned(),
            lines,
        }
    };
    let claim = |name: &&String| study.claims.iter().find(|claim| claim.name == **name);
    names.iter().filter_map(claim).map(view).collect()
}

fn line(record: &ClaimRecord, lang: Lang) -> VerdictView {
    let ratio = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.3}"));
    let size = match record.sizes.as_slice() {
        [] | [0] => String::new(),
        [size] => size_label(*size),
        sizes => match lang {
            Lang::En => format!("{} sizes", sizes.len()),
            Lang::Zh => format!("{} 个长度", sizes.len()),
        },
    };
    let parts = [record.engine.as_str(), record.level.as_str(), size.as_str()];
    let parts: Vec<&str> = parts.into_iter().filter(|it| !it.is_empty() && *it != "-").collect();
    let verdict = Verdict::ALL.into_iter().find(|it| it.name() == record.verdict);
    let (words, class) = words(verdict.unwrap_or(Verdict::NotMeasured), lang);
    VerdictView {
        place: if parts.is_empty() { "–".to_owned() } else { parts.join(" ") },
        published: match (record.published, record.expects) {
            (Some(_), _) => ratio(record.published),
            (None, Expects::Faster | Expects::Larger) => "> 1".to_owned(),
            (None, Expects::Slower) => match record.at_least {
                Some(least) => format!("{least} {} 1", lang.pick("to", "至")),
                None => "< 1".to_owned(),
            },
            (None, _) => "–".to_owned(),
        },
        measured: ratio(record.ratio),
        interval: match (record.low, record.high) {
            (Some(low), Some(high)) => {
                format!("{low:.3} {} {high:.3}", lang.pick("to", "至"))
            }
            _ => "–".to_owned(),
        },
        verdict: words.to_owned(),
        class,
        remark: match lang {
            Lang::En => record.remark.clone(),
            Lang::Zh => zh::told(&record.remark),
        },
    }
}

/// A verdict in words, and its class on the page.
pub(super) const fn words(verdict: Verdict, lang: Lang) -> (&'static str, &'static str) {
    let (zh, class) = match verdict {
        Verdict::Holds => ("成立", "holds"),
        Verdict::Weaker => ("较弱地成立", "weaker"),
        Verdict::Gone => ("不再成立", "gone"),
        Verdict::Reversed => ("相反", "reversed"),
        Verdict::CantTell => ("此处无法判定", "open"),
        Verdict::NotMeasured => ("未测", "none"),
    };
    (lang.pick(verdict.name(), zh), class)
}

/// How often each verdict was given, in the order of the verdicts: the five though they be none,
/// and what was not measured where there is such. Nothing for a study without claims.
pub(super) fn counts(claims: &[ClaimRecord], lang: Lang) -> Vec<(&'static str, usize)> {
    if claims.is_empty() {
        return Vec::new();
    }
    let name = |verdict: Verdict| lang.pick(verdict.short(), words(verdict, Lang::Zh).0);
    let told = |(verdict, count): &(Verdict, usize)| *verdict != Verdict::NotMeasured || *count > 0;
    let counts = Tally::of(claims).counts.into_iter().filter(told);
    counts.map(|(verdict, count)| (name(verdict), count)).collect()
}

/// The counts in a line, and in another how much the intervals can tell.
pub(super) fn summary(claims: &[ClaimRecord], lang: Lang) -> Vec<String> {
    let counts: Vec<String> =
        counts(claims, lang).iter().map(|(name, count)| format!("{name} {count}")).collect();
    if counts.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![match lang {
        Lang::En => format!("Verdicts: {}.", counts.join(", ")),
        Lang::Zh => format!("判定：{}。", counts.join("，")),
    }];
    let Tally { width, can_tell, intervals, .. } = Tally::of(claims);
    if let Some(width) = width {
        lines.push(match lang {
            Lang::En => format!(
                "Median interval width: {width:.1} % (by how much the upper end of a 95 % interval \
                 lies above the lower one); {can_tell} of {intervals} can tell a difference of 3 %."
            ),
            Lang::Zh => format!(
                "区间宽度的中位数：{width:.1} %（95 % 区间上端高出下端的比例）；\
                 {intervals} 个区间中有 {can_tell} 个足以分辨 3 % 的差异。"
            ),
        });
    }
    lines
}
