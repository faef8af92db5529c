//! Where two figures are close: how the samples of both lie, one strip over the other.

use serde::Serialize;

use super::label;
use crate::record::Row;
use crate::stats::median;

/// Two strips over one axis.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Spread {
    pub(in crate::report) title: String,
    /// What the ratio's interval says.
    pub(in crate::report) text: String,
    /// What stands at the axis' ends and at its middle.
    pub(in crate::report) ticks: Vec<String>,
    pub(in crate::report) strips: Vec<Strip>,
}

/// The samples of one row.
#[derive(Clone, Debug, Serialize)]
pub(in crate::report) struct Strip {
    pub(in crate::report) name: String,
    /// How many samples lie in each part of the axis, in percent of the fullest part.
    pub(in crate::report) bins: Vec<u32>,
    /// Where the figure itself lies, in percent of the axis.
    pub(in crate::report) median: f64,
    /// How many samples lie beyond its ends, in words.
    pub(in crate::report) beyond: String,
    pub(in crate::report) class: &'static str,
}

/// Parts of the axis.
const BINS: usize = 48;

/// The strips of our row and another, as times of which our figure is 1; none without samples.
pub(in crate::report) fn spread(title: String, text: String, rows: [&Row; 2]) -> Option<Spread> {
    let samples = rows.map(|row| row.passes.iter().flatten().copied().collect::<Vec<f64>>());
    let mut all: Vec<f64> = samples.concat();
    all.sort_by(f64::total_cmp);
    let unit = rows[0].median_cycles;
    // An axis to the slowest sample of a disturbed pass would leave one bar of all others: it ends
    // at twice the 90th percentile's distance from the least, and what lies beyond is counted.
    let least = *all.first()?;
    let most = least + 2.0 * (all[(all.len() - 1) * 9 / 10] - least);
    let most = most.min(*all.last()?).max(least * 1.001);
    let share = |value: f64| (value - least) / (most - least);
    let strip = |row: &Row, samples: &[f64], class| {
        let mut counts = [0_u32; BINS];
        let inside = samples.iter().filter(|value| **value <= most);
        inside.for_each(|it| counts[((share(*it) * BINS as f64) as usize).min(BINS - 1)] += 1);
        let beyond = samples.iter().filter(|value| **value > most).count();
        let fullest = counts.iter().copied().max().unwrap_or(1).max(1);
        let middle = median(samples).unwrap_or(least).min(row.median_cycles);
        Strip {
            name: label(&row.engine, &row.cell.level),
            bins: counts.iter().map(|count| count * 100 / fullest).collect(),
            median: (share(middle).clamp(0.0, 1.0) * 1000.0).round() / 10.0,
            beyond: match beyond {
                0 => String::new(),
                count => format!("{count} of {} samples lie beyond", samples.len()),
            },
            class,
        }
    };
    let percent = |value: f64| format!("{:+.1} %", (value / unit - 1.0) * 100.0);
    Some(Spread {
        title,
        text,
        ticks: [least, f64::midpoint(least, most), most].map(percent).to_vec(),
        strips: vec![strip(rows[0], &samples[0], "own"), strip(rows[1], &samples[1], "peer")],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixture::results;

    #[test]
    fn every_sample_is_in_a_bin_or_counted_beyond() {
        let results = results();
        let mut slow = results.rows[2].clone();
        slow.passes = vec![vec![100.0, 101.0, 102.0, 103.0], vec![101.0, 102.0, 103.0, 900.0]];
        slow.median_cycles = 101.0;
        let made = spread(String::new(), String::new(), [&slow, &slow]).expect("samples");
        let strip = &made.strips[0];
        // Seven of eight, the fullest bins holding two.
        assert_eq!(strip.bins.iter().sum::<u32>(), 50 + 3 * 100);
        assert_eq!(strip.beyond, "1 of 8 samples lie beyond");
        assert_eq!(made.ticks[0], "-1.0 %");
        let none = Row { passes: Vec::new(), ..slow.clone() };
        assert!(spread(String::new(), String::new(), [&none, &none]).is_none());
    }
}
