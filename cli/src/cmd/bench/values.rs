//! Values of options of `bench`.

use std::time::Duration;

use lab::LabError;
use lab::study::MAX_SIZE;

/// How many passes.
pub(super) fn passes(text: &str) -> Result<u32, LabError> {
    let passes = text.trim().parse().ok().filter(|it: &u32| (1..=100).contains(it));
    passes.ok_or_else(|| LabError::Value {
        field: "--passes",
        value: text.to_owned(),
        allowed: "1 to 100; of fewer than 3 no interval can be trusted".into(),
    })
}

/// A time in seconds, fractions allowed.
pub(super) fn seconds(text: &str) -> Result<Duration, LabError> {
    time(text, ("--time", "seconds"), 86_400.0).map(Duration::from_secs_f64)
}

/// A time in minutes, fractions allowed.
pub(super) fn minutes(text: &str) -> Result<Duration, LabError> {
    let minutes = time(text, ("--within", "minutes"), 100_000.0)?;
    Ok(Duration::from_secs_f64(minutes * 60.0))
}

/// A time that an option takes, in its unit.
fn time(text: &str, (field, unit): (&'static str, &str), most: f64) -> Result<f64, LabError> {
    let time = text.trim().parse().ok().filter(|it: &f64| *it > 0.0 && *it <= most);
    time.ok_or_else(|| LabError::Value {
        field,
        value: text.to_owned(),
        allowed: format!("more than 0 and at most {most} {unit}"),
    })
}

/// A message length: bytes, or with a suffix for powers of 1024.
pub(super) fn size(text: &str) -> Result<u64, LabError> {
    let lower = text.trim().to_ascii_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match lower[digits.len()..].trim_end_matches('b').trim_end_matches('i') {
        "" => Some(1_u64),
        "k" => Some(1 << 10),
        "m" => Some(1 << 20),
        "g" => Some(1 << 30),
        _ => None,
    };
    let bytes = unit.zip(digits.trim_end().parse().ok());
    let bytes = bytes.and_then(|(unit, count): (u64, u64)| count.checked_mul(unit));
    bytes.filter(|bytes| (1..=MAX_SIZE).contains(bytes)).ok_or_else(|| LabError::Value {
        field: "--size",
        value: text.to_owned(),
        allowed: format!("1 to {MAX_SIZE} bytes, also with the suffix k, M or G (1024 based)"),
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{passes, seconds, size};

    #[test]
    fn passes_and_seconds_have_bounds_that_are_told() {
        assert_eq!(passes("21").unwrap(), 21);
        for text in ["0", "101", "-3", "many", ""] {
            let error = passes(text).unwrap_err().to_string();
            assert!(error.contains("--passes") && error.contains("allowed: 1 to 100"), "{error}");
        }
        assert_eq!(seconds("0.25").unwrap(), Duration::from_millis(250));
        for text in ["0", "-1", "86401", "inf", "NaN", "soon"] {
            let error = seconds(text).unwrap_err().to_string();
            assert!(error.contains("--time") && error.contains("86400 seconds"), "{error}");
        }
    }

    #[test]
    fn sizes_take_suffixes_of_1024() {
        for (text, bytes) in [
            ("1", 1),
            ("8192", 8192),
            ("16k", 16384),
            ("8KiB", 8192),
            ("1M", 1 << 20),
            ("2gb", 2 << 30),
        ] {
            assert_eq!(size(text).unwrap(), bytes, "{text}");
        }
    }

    #[test]
    fn sizes_that_cannot_be_are_refused() {
        for text in [
            "",
            "0",
            "0k",
            "-1",
            "1.5k",
            "17G",
            "99999999999999999999",
            "1x",
            "k",
            "18446744073709551615G",
        ] {
            let error = size(text).unwrap_err().to_string();
            assert!(
                error.contains(&format!("`{text}`")) && error.contains("allowed: 1 to"),
                "{error}"
            );
        }
    }
}
