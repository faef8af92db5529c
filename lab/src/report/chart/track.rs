//! Ratios on one logarithmic axis with a line at 1, as HTML that any width shows: a line has its
//! name, its figure in words, and a track with a dot, the interval, and what was published.

use serde::Serialize;

/// A ratio to be drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Ratio {
    /// What it is of.
    pub(in crate::report) name: String,
    /// The figure in words.
    pub(in crate::report) text: String,
    /// `ahead`, `tied`, `behind`, or a verdict's class.
    pub(in crate::report) class: &'static str,
    /// Lower end, ratio, upper end.
    pub(in crate::report) interval: Option<(f64, f64, f64)>,
    /// What was published.
    pub(in crate::report) then: Option<f64>,
}

/// Lines over one axis; places are percents of its length.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Tracks {
    pub(in crate::report) ticks: Vec<Tick>,
    /// The place of 1.
    pub(in crate::report) one: f64,
    pub(in crate::report) groups: Vec<Group>,
}

/// Lines under one heading.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Group {
    pub(in crate::report) name: String,
    pub(in crate::report) rows: Vec<Track>,
}

#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Tick {
    pub(in crate::report) at: f64,
    pub(in crate::report) label: String,
}

#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Track {
    pub(in crate::report) name: String,
    pub(in crate::report) text: String,
    pub(in crate::report) class: &'static str,
    pub(in crate::report) dot: Option<f64>,
    /// Where the interval begins, and how long it is.
    pub(in crate::report) from: f64,
    pub(in crate::report) long: f64,
    pub(in crate::report) then: Option<f64>,
}

/// Left free at both ends of the axis, in percent: half the widest label.
const MARGIN: f64 = 7.0;

/// The least distance of two labels, in percent.
const APART: f64 = 16.0;

/// The lines over one axis, which every end of an interval and every published ratio is on.
pub(in crate::report) fn tracks(groups: Vec<(String, Vec<Ratio>)>) -> Tracks {
    let usable = |value: &f64| value.is_finite() && *value > 0.0;
    let all = groups.iter().flat_map(|(_, ratios)| ratios);
    let values = all.flat_map(|it| {
        let ends = it.interval.map_or([None; 3], |(l, r, h)| [Some(l), Some(r), Some(h)]);
        ends.into_iter().chain([it.then]).flatten()
    });
    // A quarter around 1 at least: what is nearly equal shall look so.
    let (low, high) =
        values.filter(usable).fold((0.9_f64, 1.1_f64), |(l, h), v| (l.min(v), h.max(v)));
    let (from, span) = (low.ln(), (high / low).ln());
    let at = |value: f64| {
        let share = (value.max(f64::MIN_POSITIVE).ln() - from) / span;
        round(MARGIN + share * (100.0 - 2.0 * MARGIN))
    };
    let track = |it: Ratio| {
        let interval = it.interval.filter(|(l, r, h)| [l, r, h].into_iter().all(usable));
        let (from, long) =
            interval.map_or((0.0, 0.0), |(low, _, high)| (at(low), round(at(high) - at(low))));
        Track {
            name: it.name,
            text: it.text,
            class: it.class,
            dot: interval.map(|(_, ratio, _)| at(ratio)),
            from,
            long,
            then: it.then.filter(usable).map(at),
        }
    };
    let groups = groups
        .into_iter()
        .map(|(name, ratios)| Group { name, rows: ratios.into_iter().map(track).collect() })
        .collect();
    Tracks { ticks: ticks(low, high, at), one: at(1.0), groups }
}

/// Labels that don't touch: 1 first, then powers of ten, then ever finer steps.
fn ticks(low: f64, high: f64, at: impl Fn(f64) -> f64) -> Vec<Tick> {
    let powers = (-4..7).map(|power| 10_f64.powi(power));
    let halves = (-4..7).flat_map(|power| [2.0, 5.0].map(|digit| digit * 10_f64.powi(power)));
    let fine = [0.9, 1.1, 0.95, 1.05, 0.8, 1.25, 0.7, 1.5, 0.6, 1.75, 3.0];
    let mut kept: Vec<f64> = Vec::new();
    for value in [1.0].into_iter().chain(powers).chain(halves).chain(fine) {
        let inside = (low..=high).contains(&value);
        if inside && kept.iter().all(|other| (at(value) - at(*other)).abs() >= APART) {
            kept.push(value);
        }
    }
    kept.sort_by(f64::total_cmp);
    let label = |value: f64| {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    kept.into_iter().map(|value| Tick { at: at(value), label: label(value) }).collect()
}

fn round(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(interval: (f64, f64, f64), then: Option<f64>) -> Ratio {
        Ratio { interval: Some(interval), then, ..Ratio::default() }
    }

    #[test]
    fn no_end_of_an_interval_is_cut_off() {
        let ratios = vec![
            of((0.031, 0.853, 23.65), Some(0.996)),
            of((0.99, 1.0, 1.01), Some(120.0)),
            of((1.6, 1.62, 1.64), None),
        ];
        let drawn = tracks(vec![(String::new(), ratios)]);
        for row in &drawn.groups[0].rows {
            let end = row.from + row.long;
            assert!(row.from >= MARGIN - 0.01 && end <= 100.0 - MARGIN + 0.01, "{row:?}");
            let dot = row.dot.expect("a dot");
            assert!(row.from <= dot && dot <= end + 0.01, "{row:?}");
            assert!(row.then.is_none_or(|then| (0.0..=100.0).contains(&then)), "{row:?}");
        }
        // The wide one spans nearly all that the published 120 leaves.
        assert!(drawn.groups[0].rows[0].long > 60.0);
    }

    #[test]
    fn one_is_always_on_the_axis_and_labels_keep_apart() {
        for (low, high) in [(0.99, 1.01), (1.5, 60.0), (0.001, 0.4), (0.02, 9000.0)] {
            let ratios = vec![of((low, (low * high).sqrt(), high), None)];
            let drawn = tracks(vec![(String::new(), ratios)]);
            assert!(drawn.ticks.iter().any(|tick| tick.label == "1" && tick.at == drawn.one));
            for pair in drawn.ticks.windows(2) {
                assert!(pair[1].at - pair[0].at >= APART - 0.01, "{:?}", drawn.ticks);
            }
            let ends = [drawn.ticks[0].at, drawn.ticks[drawn.ticks.len() - 1].at];
            assert!(ends[0] >= MARGIN - 0.01 && ends[1] <= 100.0 - MARGIN + 0.01);
        }
    }

    #[test]
    fn what_was_not_measured_has_no_dot() {
        let none = Ratio { then: Some(0.9), ..Ratio::default() };
        let drawn = tracks(vec![(String::new(), vec![none])]);
        assert_eq!(drawn.groups[0].rows[0].dot, None);
        assert!(drawn.groups[0].rows[0].then.is_some());
    }
}
