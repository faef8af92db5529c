//! How much the intervals of a run can tell. That they hold the truth is one half of what is asked
//! of them; the other is that they are narrow.

use crate::against::{Contest, Standing, contests, standing};
use crate::claims::MARGIN;
use crate::record::{Power, Results};
use crate::stats::median;

impl Power {
    /// The power of these results; none where nothing can be set against anything.
    #[must_use]
    pub fn of(results: &Results) -> Option<Self> {
        let all = contests(results);
        let standings: Vec<Standing> = all.iter().filter_map(of_cell).collect();
        let widths: Vec<f64> =
            standings.iter().map(|it| (it.high / it.low - 1.0) * 100.0).collect();
        let median_width = (median(&widths)? * 100.0).round() / 100.0;
        let can_tell = standings.iter().filter(|it| can_tell(it)).count() as u64;
        Some(Self { intervals: standings.len() as u64, median_width, can_tell })
    }
}

fn of_cell(contest: &Contest<'_>) -> Option<Standing> {
    let other = contest.next_best().or_else(|| contest.levels.first().copied())?;
    standing(contest.ours, other).filter(|it| it.low.is_finite() && it.low > 0.0)
}

/// Whether a ratio of 1 and one 3 % away from it would not lie in one interval.
fn can_tell(it: &Standing) -> bool {
    it.times / it.low < 1.0 + MARGIN && it.high / it.times < 1.0 + MARGIN
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Verdict;

    #[test]
    fn a_wide_side_alone_takes_away_the_power_to_tell_three_percent() {
        for (low, high, tells) in [(0.98, 1.02, true), (0.98, 1.04, false), (0.96, 1.02, false)] {
            let it = Standing { times: 1.0, low, high, verdict: Verdict::Tied };
            assert_eq!(can_tell(&it), tells, "{low} {high}");
        }
    }
}
