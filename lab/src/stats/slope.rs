//! Cost against length: a line through (bytes, cycles).

/// `cycles = per_byte · bytes + per_call`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Cycles a byte, what long messages cost.
    pub per_byte: f64,
    /// Cycles a call, what even the shortest message costs.
    pub per_call: f64,
}

/// The line of least squares; `None` without two different lengths.
///
/// Residuals are weighed by `1 / cycles²`, so that a percent of a time counts the same at
/// every length: unweighted, one long message would decide alone, and weighed by the bytes,
/// chance at the shortest would where most of the time is the call.
#[must_use]
pub fn slope(points: &[(f64, f64)]) -> Option<Line> {
    let weight = |cycles: f64| 1.0 / cycles.max(1.0).powi(2);
    let total: f64 = points.iter().map(|(_, y)| weight(*y)).sum();
    let mean_x = points.iter().map(|(x, y)| weight(*y) * x).sum::<f64>() / total;
    let mean_y = points.iter().map(|(_, y)| weight(*y) * y).sum::<f64>() / total;
    let spread: f64 = points.iter().map(|(x, y)| weight(*y) * (x - mean_x).powi(2)).sum();
    let along: f64 = points.iter().map(|(x, y)| weight(*y) * (x - mean_x) * (y - mean_y)).sum();
    let per_byte = along / spread;
    let line = Line { per_byte, per_call: mean_y - per_byte * mean_x };
    (line.per_byte.is_finite() && line.per_call.is_finite()).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_line_is_found() {
        let points: Vec<(f64, f64)> =
            [16.0, 64.0, 1500.0, 1_048_576.0].map(|x| (x, 0.75 * x + 120.0)).to_vec();
        let line = slope(&points).expect("a line");
        assert!((line.per_byte - 0.75).abs() < 1e-9, "{line:?}");
        assert!((line.per_call - 120.0).abs() < 1e-6, "{line:?}");
    }

    #[test]
    fn a_wrong_percent_at_a_megabyte_leaves_the_cost_of_a_call() {
        let mut points: Vec<(f64, f64)> =
            [16.0, 64.0, 256.0, 1_048_576.0].map(|x| (x, x + 100.0)).to_vec();
        points[3].1 *= 1.01;
        let line = slope(&points).expect("a line");
        assert!((line.per_call - 100.0).abs() < 2.0, "{line:?}");
    }

    #[test]
    fn chance_at_the_shortest_lengths_leaves_the_cost_of_a_byte() {
        // A set-up of 6000 cycles, and half a percent of it too much or too little.
        let points: Vec<(f64, f64)> = [(16.0, 1.005), (32.0, 0.995), (40.0, 1.0), (576.0, 1.0)]
            .into_iter()
            .chain([(1500.0, 1.0)])
            .map(|(x, off)| (x, (0.9 * x + 6000.0) * off))
            .collect();
        let line = slope(&points).expect("a line");
        assert!((line.per_byte - 0.9).abs() < 0.05, "{line:?}");
    }

    #[test]
    fn fewer_than_two_lengths_have_no_line() {
        assert_eq!(slope(&[]), None);
        assert_eq!(slope(&[(16.0, 5.0)]), None);
        assert_eq!(slope(&[(16.0, 5.0), (16.0, 7.0)]), None);
    }
}
