//! Nothing secret is left in memory that was given back: an operation is run under different
//! keys and data, and what its allocations hold when all objects are gone must be equal. So
//! whatever depends on a secret, round keys, states and keystream included, was overwritten.

use cipherlane::registry::Kind;

use crate::arena::{self, Asked, asked_by, remains};
use crate::calls::{Call, Way, calls};
use crate::share::Share;
use crate::stack::{Left, paint};
use crate::traces::{Cell, Filled, Subject};
use crate::work::{Record, cells};

const SHORT: [usize; 1] = [100];
/// What goes through other kernels and through buffers of other lengths, of one message alone:
/// what the stack holds afterwards depends on that.
const OTHERS: [[usize; 1]; 2] = [[16], [1040]];
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
        // What is moved from the stack into an allocation brings along what was there between
        // its fields: that must be the operation's own.
        paint();
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

/// How deep an operation goes on the stack; an error where what it leaves there and in registers
/// depends on the secret, but for its output.
fn check_stack(cell: &Cell<'_>, left: &mut Left, forget: bool) -> Result<usize, String> {
    let mut filled = Filled::new(cell);
    filled.fill(0)?;
    filled.once()?;
    let mut first: Option<Left> = None;
    let mut depth = 0;
    for secret in 0..SECRETS {
        filled.fill(secret)?;
        let mut result = Ok(());
        // At the same addresses each time.
        let arena = arena::start();
        left.by(&mut || {
            result = filled.once();
            if forget {
                forgotten(&filled.parts[0].key);
            }
        });
        drop(arena);
        result?;
        depth = depth.max(left.depth());
        let Some(first) = &first else {
            first = Some(left.clone());
            continue;
        };
        let public: Vec<&[u8]> =
            filled.parts.iter().flat_map(|it| [&it.data[..], &it.tag[..]]).collect();
        if let Some(it) = first.difference(left, &public) {
            return Err(format!("{} bytes left depend on secrets, {}", it.bytes, it.place));
        }
    }
    Ok(depth)
}

/// Leaves a key on the stack.
#[inline(never)]
fn forgotten(key: &[u8]) {
    let mut copy = [0; 16];
    copy[..key.len().min(16)].copy_from_slice(&key[..key.len().min(16)]);
    std::hint::black_box(&copy);
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
    each("remains", &[], share, tell, &mut check);
}

/// The same of the stack and of registers.
pub fn run_stack(share: Share, tell: &mut dyn FnMut(Record)) {
    let mut left = Left::room();
    each("stack", &OTHERS, share, tell, &mut |cell, forget| check_stack(cell, &mut left, forget));
}

/// Runs a check on a cell, with a key forgotten or not.
type Check<'c> = &'c mut dyn FnMut(&Cell<'_>, bool) -> Result<usize, String>;

fn each(
    name: &'static str,
    others: &[[usize; 1]],
    share: Share,
    tell: &mut dyn FnMut(Record),
    check: Check<'_>,
) {
    let calls = calls(|_| true);
    for (call, level) in share.of(cells(&calls)) {
        let mut one = |way: Way, lengths: &[usize], wrong: bool| {
            let what = if wrong { ", wrong tag".into() } else { String::new() };
            let what = match lengths {
                [len] if *len != SHORT[0] => format!(", {len} bytes{what}"),
                _ => what,
            };
            let record = Record::of(name, call, format!("{}{what}", way.name()), level);
            match check(&Cell { call, way, level, lengths, wrong, leak: None }, false) {
                Ok(count) => tell(Record { count, ..record }),
                Err(fault) => tell(Record { fault: Some(fault), ..record }),
            }
        };
        for way in Way::ALL {
            one(way, if way == Way::Alone { &SHORT } else { &BATCH }, false);
        }
        if call.opens() || call.kind == Kind::Mac {
            one(Way::Alone, &SHORT, true);
        }
        for lengths in others {
            one(Way::Alone, lengths, false);
        }
    }
    let one: &[Call] = &calls[..calls.len().min(1)];
    for (call, level) in share.of(cells(one)) {
        let (way, lengths, wrong) = (Way::Alone, &SHORT[..], false);
        let found = check(&Cell { call, way, level, lengths, wrong, leak: None }, true).is_err();
        let fault = (!found).then(|| "was not found".to_owned());
        let record = Record::of(name, call, "a forgotten key that must be found", level);
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

    #[test]
    fn a_key_forgotten_on_the_stack_is_found() {
        let calls = calls(|it| it.name == "sm4");
        let (level, mut left) = (Level::best(), Left::room());
        let (call, way) = (&calls[0], Way::Alone);
        let cell = Cell { call, way, level, lengths: &SHORT, wrong: false, leak: None };
        assert!(check_stack(&cell, &mut left, false).unwrap() > 100);
        let found = check_stack(&cell, &mut left, true).unwrap_err();
        assert!(found.contains("bytes below the caller"), "{found}");
    }
}
