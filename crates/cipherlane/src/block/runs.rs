//! Blocks in the order they come, each with the number of its key: which of them go in lanes under
//! their own keys, and which are a run of one key that its cipher does by itself.

use core::iter;
use core::ops::Range;

/// The parts of `numbers` in order: runs of one number that are `alone_from` long or the last, with
/// that number; and what is between them, with none, in whole groups of `lanes` but for the last.
pub(crate) fn parts(
    numbers: &[usize],
    (lanes, alone_from): (usize, usize),
) -> impl Iterator<Item = (Option<usize>, Range<usize>)> {
    let run = |at: usize| numbers[at..].iter().take_while(|&&number| number == numbers[at]).count();
    let mut from = 0;
    iter::from_fn(move || {
        let mut at = from;
        while at < numbers.len() {
            let run = run(at);
            let long = run >= alone_from || at + run == numbers.len();
            if long && at == from {
                from += run;
                return Some((Some(numbers[at]), at..from));
            }
            if long {
                break;
            }
            at = numbers.len().min(at + lanes);
        }
        let part = from..at;
        from = at;
        (!part.is_empty()).then_some((None, part))
    })
}

#[cfg(test)]
mod tests {
    use std::string::String;
    use std::vec::Vec;

    /// What goes where, as text: groups of lanes in brackets, runs with their length.
    fn parts(numbers: &[usize], lanes: usize, alone_from: usize) -> Vec<String> {
        let text = |(number, range): (Option<usize>, core::ops::Range<usize>)| match number {
            Some(number) => std::format!("{}x{number}", range.len()),
            None => std::format!("{:?}", &numbers[range]),
        };
        super::parts(numbers, (lanes, alone_from)).map(text).collect()
    }

    #[test]
    fn long_runs_and_the_last_one_go_alone() {
        assert_eq!(parts(&[], 4, 4), [""; 0]);
        assert_eq!(parts(&[7], 4, 4), ["1x7"]);
        assert_eq!(parts(&[7, 7, 7], 4, 4), ["3x7"]);
        assert_eq!(parts(&[1, 2, 3], 4, 4), ["[1, 2, 3]"]);
        assert_eq!(parts(&[1, 2, 3, 3], 2, 2), ["[1, 2]", "2x3"]);
        assert_eq!(parts(&[5, 5, 5, 5, 1, 2, 9, 9, 9, 9, 9], 4, 4), ["4x5", "[1, 2, 9, 9]", "3x9"]);
        // Where there are no lanes each run goes alone.
        assert_eq!(parts(&[1, 1, 2, 1], 1, 0), ["2x1", "1x2", "1x1"]);
    }

    #[test]
    fn nothing_is_left_out_and_nothing_comes_twice() {
        for case in 0..500_u64 {
            let mut state = case * 2_654_435_761 + 1;
            let mut random = |below: usize| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) as usize % below
            };
            let keys = 1 + random(4);
            let numbers: Vec<usize> = (0..random(70)).map(|_| random(keys)).collect();
            let (lanes, alone_from) = (1 + random(16), random(16));
            let mut next = 0;
            for (number, range) in super::parts(&numbers, (lanes, alone_from)) {
                assert!(range.start == next && !range.is_empty());
                next = range.end;
                let same = |number| numbers[range.clone()].iter().all(|it| *it == number);
                assert!(number.is_none_or(same), "a run of one key");
                let whole = range.len() % lanes == 0 || range.end == numbers.len();
                assert!(number.is_some() || whole, "whole groups");
            }
            assert_eq!(next, numbers.len());
        }
    }
}
