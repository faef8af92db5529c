//! Whether the units were this program's alone while they were measured.
//!
//! Another thread on the same core takes half of its units and leaves chains alone, so a floor measured
//! beside it is up to twice too high, and nothing in the figures shows it. A throughput loop of ordinary
//! multiplications between the measurements does: it is compared with its own least, and with what CPUs
//! take whose multiplications start one each cycle.

/// How much more than the least a reading may be.
const TOLERANCE: f64 = 1.1;

/// Core cycles a multiplication above which even a steady canary is doubted.
const SLOW: f64 = 1.35;

/// The share of readings that may be off.
const FEW: f64 = 0.1;

/// The readings of a measurement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quiet {
    readings: Vec<f64>,
}

impl Quiet {
    /// Takes the next reading, in core cycles a multiplication, and tells whether it is near the least.
    pub fn take(&mut self, reading: f64) -> bool {
        self.readings.push(reading);
        reading <= TOLERANCE * self.least()
    }

    /// The least reading; infinite before the first.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.readings.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Which share of all readings is off by what is known now.
    #[must_use]
    pub fn off(&self) -> f64 {
        let limit = TOLERANCE * self.least();
        let off = self.readings.iter().filter(|reading| **reading > limit).count();
        off as f64 / self.readings.len().max(1) as f64
    }

    /// Why the floor is not to be believed; none if nothing speaks against it.
    #[must_use]
    pub fn doubt(&self) -> Option<String> {
        let (least, off) = (self.least(), self.off());
        if off > FEW {
            let percent = 100.0 * off;
            return Some(format!(
                "another thread had a part of this core's units in {percent:.0} % of the readings"
            ));
        }
        let slow = least.is_finite() && least > SLOW;
        slow.then(|| {
            format!(
                "a multiplication took {least:.2} core cycles where most CPUs take 1.00: another \
                 thread has a part of this core's units all the time, or this CPU multiplies slowly"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Readings of a core that another thread shares in `shared` of 100 readings, with noise of 3 %.
    fn readings(alone: f64, shared: usize) -> Quiet {
        let mut quiet = Quiet::default();
        for i in 0..1000_usize {
            let noise = 1.0 + 0.03 * ((i * 7919 % 101) as f64 / 100.0);
            let busy = i * 37 % 100 < shared;
            quiet.take(alone * noise * if busy { 1.7 } else { 1.0 });
        }
        quiet
    }

    #[test]
    fn an_unquiet_minute_is_told_from_a_quiet_one() {
        for shared in 0..=100 {
            let doubt = readings(1.02, shared).doubt();
            // A few readings in a hundred are repeated and do no harm.
            assert_eq!(doubt.is_some(), shared > 10, "{shared}: {doubt:?}");
        }
        assert!(readings(1.02, 60).doubt().unwrap().contains("60 %"));
        assert!(readings(1.02, 100).doubt().unwrap().contains("all the time"));
        assert_eq!(Quiet::default().doubt(), None);
    }

    #[test]
    fn a_reading_is_measured_against_the_least_so_far() {
        let mut quiet = Quiet::default();
        assert!(quiet.take(1.5));
        assert!(quiet.take(1.0));
        assert!(!quiet.take(1.2));
        assert_eq!(quiet.off(), 2.0 / 3.0);
    }
}
