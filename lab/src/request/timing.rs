//! How many samples a measurement takes.

use crate::LabError;
use crate::protocol::{Line, ProtocolError};

/// How many samples a measurement takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Samples: odd, at least 3.
    pub samples: u32,
    /// Microseconds for all samples; past it, an odd number of at least 3 suffices.
    pub budget_us: Option<u64>,
    /// Whether others work at the same time.
    pub beside: Option<Beside>,
}

/// How the work goes on while others, who begin and end as they come, take their samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Microseconds of the same work before the samples, and after them.
    pub around_us: u64,
    /// Whether a sample is one call however short.
    pub single: bool,
}

/// The most of these microseconds: ten seconds.
const MAX_AROUND: u64 = 10_000_000;

/// Refuses an even number of samples and fewer than 3: a median needs a middle.
///
/// # Errors
/// [`LabError::Value`].
pub fn check_samples(samples: u32) -> Result<u32, LabError> {
    if (3..=MAX_SAMPLES).contains(&samples) && samples % 2 == 1 {
        return Ok(samples);
    }
    Err(LabError::Value {
        field: "samples",
        value: samples.to_string(),
        allowed: format!("{SAMPLES}, so that the median is one of them"),
    })
}

const MAX_SAMPLES: u32 = 10_001;
const SAMPLES: &str = "an odd number, 3 to 10001";

/// The fields of a timing.
pub(super) fn read(line: &Line) -> Result<Timing, ProtocolError> {
    let samples = line.parse_or("samples", 21, SAMPLES)?;
    check_samples(samples).map_err(|_| ProtocolError::Value {
        key: "samples",
        value: samples.to_string(),
        allowed: SAMPLES.to_owned(),
    })?;
    let budget_us = match line.get("budget_us")? {
        Some(_) => Some(line.parse_or("budget_us", 0, "microseconds")?),
        None => None,
    };
    let beside = match line.get("around_us")? {
        None => None,
        Some(value) => {
            let allowed = format!("0 to {MAX_AROUND} microseconds");
            let around_us = line.parse_or("around_us", 0, &allowed)?;
            if around_us > MAX_AROUND {
                let value = value.to_owned();
                return Err(ProtocolError::Value { key: "around_us", value, allowed });
            }
            Some(Beside { around_us, single: line.parse_or("single", false, "true, false")? })
        }
    };
    Ok(Timing { samples, budget_us, beside })
}
