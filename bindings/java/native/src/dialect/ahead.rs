//! Random bytes that are read ahead: asking the system for each value's IV costs more than the
//! value.

use std::cell::RefCell;

use dialects::{Drawn, Error};
use lanes::wipe::wipe_bytes;

const AT_ONCE: usize = 4096;

struct Ahead {
    bytes: [u8; AT_ONCE],
    used: usize,
}

thread_local! {
    static AHEAD: RefCell<Ahead> =
        const { RefCell::new(Ahead { bytes: [0; AT_ONCE], used: AT_ONCE }) };
}

/// Fills bytes with random ones that nothing else gets.
pub(super) fn draw(_: Drawn, into: &mut [u8]) -> Result<(), Error> {
    AHEAD.with_borrow_mut(|ahead| {
        if into.len() > AT_ONCE - ahead.used {
            if into.len() > AT_ONCE {
                return fill(into);
            }
            // Until all are there none may be used.
            ahead.used = AT_ONCE;
            fill(&mut ahead.bytes)?;
            ahead.used = 0;
        }
        let end = ahead.used + into.len();
        let taken = &mut ahead.bytes[ahead.used..end];
        into.copy_from_slice(taken);
        wipe_bytes(taken);
        ahead.used = end;
        Ok(())
    })
}

fn fill(bytes: &mut [u8]) -> Result<(), Error> {
    getrandom::fill(bytes).map_err(|error| Error::Random(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_given_twice() {
        let mut seen = std::collections::HashSet::new();
        for _ in 0..2000 {
            let mut iv = [0; 12];
            draw(Drawn::Iv, &mut iv).unwrap_or_else(|error| panic!("{error}"));
            assert!(seen.insert(iv));
        }
        let mut long = vec![0; 3 * AT_ONCE];
        draw(Drawn::Salt, &mut long).unwrap_or_else(|error| panic!("{error}"));
        assert!(long.iter().any(|byte| *byte != 0));
    }
}
