//! How much a slow test does: everything, or a sample where the tests run under an
//! emulator many times slower than a CPU; and how many random inputs, which may be more.

use std::sync::OnceLock;

/// The environment variable that says so.
const VARIABLE: &str = "CIPHERLANE_TEST_STRIDE";

/// The step in which a slow test goes through its cases: 1, or what the environment
/// variable `CIPHERLANE_TEST_STRIDE` says. Published vectors are never left out.
///
/// # Panics
/// If the variable is no number from 1 on.
#[must_use]
pub fn stride() -> usize {
    static STRIDE: OnceLock<usize> = OnceLock::new();
    *STRIDE.get_or_init(|| {
        parse(std::env::var(VARIABLE).ok().as_deref()).unwrap_or_else(|error| panic!("{error}"))
    })
}

/// The environment variable for more random inputs, or fewer.
const INPUTS: &str = "CIPHERLANE_TEST_INPUTS";

/// How many random inputs a test takes: `usual`, or what the environment variable
/// `CIPHERLANE_TEST_INPUTS` says.
///
/// # Panics
/// If the variable is no number from 1 on.
#[must_use]
pub fn inputs(usual: u64) -> u64 {
    let value = std::env::var(INPUTS).ok();
    let number = |value: &str| value.parse().ok().filter(|&number| number > 0);
    value.map_or(usual, |value| {
        number(&value)
            .unwrap_or_else(|| panic!("{INPUTS} is `{value}`; set a number from 1 on, or unset it"))
    })
}

fn parse(value: Option<&str>) -> Result<usize, String> {
    let Some(value) = value else { return Ok(1) };
    let number = value.parse().ok().filter(|&number| number > 0);
    number.ok_or_else(|| format!("{VARIABLE} is `{value}`; set a number from 1 on, or unset it"))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn nothing_is_left_out_unless_asked() {
        assert_eq!(parse(None), Ok(1));
        assert_eq!(parse(Some("17")), Ok(17));
    }

    #[test]
    fn no_step_at_all_is_refused() {
        for value in ["0", "", "-1", "two"] {
            let error =
                format!("CIPHERLANE_TEST_STRIDE is `{value}`; set a number from 1 on, or unset it");
            assert_eq!(parse(Some(value)), Err(error));
        }
    }
}
