//! A measured value beside the published one.

use crate::study::Show;

/// How a measured value stands to the published one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gain {
    /// So many times as fast, or so many times the published ratio.
    Times(f64),
    /// So many points more.
    Points(f64),
}

/// The measured value by the published one, turned so that above 1 is faster; the difference
/// of two improvements, which are percents already. Nothing for what is no speed, and where the
/// published value is 0.
#[must_use]
pub fn gain(show: Show, published: f64, measured: f64) -> Option<Gain> {
    let times = match show {
        Show::Cycles | Show::CyclesPerByte | Show::Ns | Show::Us | Show::Seconds => {
            published / measured
        }
        Show::Mbps | Show::KbPerS | Show::GbPerS | Show::Ratio => measured / published,
        Show::Improvement => return Some(Gain::Points(measured - published)),
        Show::IvBits | Show::Percent | Show::Count | Show::CoresFor20Gbps => return None,
        Show::LinePerByte | Show::LinePerCall => return None,
    };
    (times.is_finite() && times > 0.0).then_some(Gain::Times(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn above_one_is_faster() {
        assert_eq!(gain(Show::CyclesPerByte, 26.0, 2.0), Some(Gain::Times(13.0)));
        assert_eq!(gain(Show::Mbps, 100.0, 1300.0), Some(Gain::Times(13.0)));
        assert_eq!(gain(Show::Improvement, 35.5, 5.5), Some(Gain::Points(-30.0)));
        assert_eq!(gain(Show::IvBits, 128.0, 128.0), None);
        assert_eq!(gain(Show::Mbps, 0.0, 1.0), None);
    }
}
