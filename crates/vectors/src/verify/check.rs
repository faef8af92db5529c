//! Comparing what came out with what was published.

use std::fmt::Display;

/// `Ok`, or the path that failed and what was wrong.
pub(super) type Outcome = Result<(), (String, String)>;

/// Fails a path with what an error says.
pub(super) trait OnPath<T> {
    /// Names the path, should this be an error.
    fn on(self, path: &dyn Display) -> Result<T, (String, String)>;
}

impl<T, E: Display> OnPath<T> for Result<T, E> {
    fn on(self, path: &dyn Display) -> Result<T, (String, String)> {
        self.map_err(|error| (path.to_string(), error.to_string()))
    }
}

/// A field that the test must have to be run.
pub(super) fn need<'t, T>(field: &'t Option<T>, name: &str) -> Result<&'t T, (String, String)> {
    field.as_ref().ok_or_else(|| ("reading".into(), format!("field `{name}` is missing")))
}

/// Counts the path if both strings are equal in their first `bits`, else tells
/// where they differ first.
pub(super) fn equal(
    path: &dyn Display,
    got: &[u8],
    expected: &[u8],
    bits: Option<u64>,
    paths: &mut usize,
) -> Outcome {
    if got.len() != expected.len() {
        let what = format!("{} bytes came out; expected: {}", got.len(), expected.len());
        return Err((path.to_string(), what));
    }
    // The unused bits of a last byte that is cut short are nobody's.
    let mask = |i: usize| match bits {
        Some(bits) if i as u64 == bits / 8 => !(0xff_u8 >> (bits % 8)),
        Some(bits) if i as u64 > bits / 8 => 0,
        _ => 0xff,
    };
    match (0..got.len()).find(|&i| (got[i] ^ expected[i]) & mask(i) != 0) {
        None => {
            *paths += 1;
            Ok(())
        }
        Some(i) => {
            let (got, expected, of) = (got[i], expected[i], got.len());
            let what = format!("byte {i} of {of} is {got:02x}; expected: {expected:02x}");
            Err((path.to_string(), what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(got: &[u8], expected: &[u8], bits: Option<u64>) -> bool {
        let mut paths = 0;
        let outcome = equal(&"path", got, expected, bits, &mut paths);
        assert_eq!(paths, usize::from(outcome.is_ok()));
        outcome.is_ok()
    }

    #[test]
    fn bits_behind_the_end_do_not_count() {
        assert!(same(&[1, 0b1010_0000], &[1, 0b1011_1111], Some(11)));
        assert!(!same(&[1, 0b1010_0000], &[1, 0b1011_1111], Some(12)));
        assert!(!same(&[1, 2], &[1, 3], None));
        assert!(!same(&[1, 2], &[1, 3], Some(16)));
        assert!(!same(&[1], &[1, 2], None));
    }

    #[test]
    fn the_first_difference_is_told() {
        let (path, what) = equal(&"in place", &[1, 2, 3], &[1, 9, 9], None, &mut 0).unwrap_err();
        assert_eq!((&*path, &*what), ("in place", "byte 1 of 3 is 02; expected: 09"));
    }
}
