//! Nothing secret is left in memory that was given back: an operation is run under different
//! keys and data, and what its allocations hold when all objects are gone must be equal. So
//! whatever depends on a secret, round keys, states and keystream included, was overwritten.

use crate::arena::{Asked, asked_by, remains};
use crate::calls::{Call, Way, calls};
use crate::traces::{Cell, Filled, Subject};
use crate::work::{Record, Share, cells};

const SHORT: [usize; 1] = [100];
const BATCH: [usize; 3] = [16, 100, 67];
const SECRETS: usize = 3;

/// How many bytes an operation leaves; an error where some depend on the secret.
fn check(cell: &Cell<'_>, forget: bool) -> Result<usize, String> {
    let mut filled = Filled::new(cell);
    // Whatever is made at the first use, is made here.
    filled.fill(0)?;
    filled.once()?;
    let mut first: Option<Vec<u8>> = None;
    for secret in 0..SECRETS {
        filled.fill(secret)?;
        let work = |filled: &mut Filled<'_, '_>| {
            filled.once()?;
            if forget {
                drop(std::hint::black_box(filled.parts[0].key.clone()));
            }
            Ok::<(), String>(())
        };
        let mut result = Ok(());
        let left = remains(&mut || result = work(&mut filled));
        let left = left.map_err(|error| error.to_string())?;
        result?;
        match &first {
            None => first = Some(left),
            Some(first) if *first == left => {}
            Some(first) => {
                let differ = first.iter().zip(&left).filter(|(a, b)| a != b).count();
                let at = first.iter().zip(&left).position(|(a, b)| a != b).unwrap_or(0);
                filled.fill(secret)?;
                // It went well a moment ago.
                let asked = asked_by(at, &mut || drop(work(&mut filled)));
                let whose = asked.map_or_else(|| "gaps".into(), |it| whose(&it));
                return Err(format!("{differ} bytes left depend on secrets, the first in {whose}"));
            }
        }
    }
    Ok(first.map_or(0, |left| left.len()))
}

/// The lines of ours that asked for a place, innermost first, as far as this crate's.
fn whose(Asked { len, at, stack }: &Asked) -> String {
    let lines = stack.lines().filter_map(|line| line.trim().strip_prefix("at ./"));
    let lines = lines.skip_while(|line| line.starts_with("prove/"));
    let ours: Vec<&str> = lines.take_while(|line| !line.starts_with("prove/")).take(3).collect();
    format!("byte {at} of {len} for {}", ours.join(" < "))
}

/// Checks every operation at every level in every way, and that a forgotten key is found.
pub fn run(share: Share, tell: &mut dyn FnMut(Record)) {
    let calls = calls(|_| true);
    let cell = |call, way, level| {
        let lengths: &[usize] = if way == Way::Alone { &SHORT } else { &BATCH };
        Cell { call, way, level, lengths, wrong: false, leak: None }
    };
    for (call, level) in share.of(cells(&calls)) {
        for way in Way::ALL {
            let record = Record::of("remains", call, way.name(), level);
            match check(&cell(call, way, level), false) {
                Ok(count) => tell(Record { count, ..record }),
                Err(fault) => tell(Record { fault: Some(fault), ..record }),
            }
        }
    }
    let one: &[Call] = &calls[..calls.len().min(1)];
    for (call, level) in share.of(cells(one)) {
        let found = check(&cell(call, Way::Alone, level), true).is_err();
        let fault = (!found).then(|| "was not found".to_owned());
        let record = Record::of("remains", call, "a forgotten key that must be found", level);
        tell(Record { fault, ..record });
    }
}

#[cfg(test)]
mod tests {
    use cipherlane::Level;

    use super::*;

    #[test]
    fn a_forgotten_key_is_found_and_an_overwritten_one_is_not() {
        let calls = calls(|it| it.name == "sm4");
        let level = Level::best();
        for way in [Way::Alone, Way::Fresh] {
            let call = &calls[0];
            let cell = Cell { call, way, level, lengths: &SHORT, wrong: false, leak: None };
            assert!(check(&cell, false).unwrap() > 0);
            let found = check(&cell, true).unwrap_err();
            assert!(found.contains(" of 16 for"), "{found}");
        }
    }
}
