//! `cipherlane-counts [sm4/ctr …]`: what kernels ask of an instruction set, as a table.
//!
//! Every operation of the registry, or those named, runs at every level whose lanes count
//! ([`lanes::counting`]); the difference between a message and one of twice the length is what
//! the second half took, so nothing that is done once for a message is in it. Counts are exact:
//! they come from the code, not from a clock. Rows `path` are the operations of one message that
//! wait for each other ([`lanes::counting::path`]); they too of the second half alone.
#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;

use cipherlane::{Error, Level};
use lanes::counting::{OPERATIONS, counts, path, trace};
use prove::calls::{Call, Parts, Way, calls};

/// The message whose second half is counted is twice as long: whole tiles of every level.
const LONG: usize = 64 << 10;
/// The same where an algorithm allows no more than 2500 bytes under one IV, and where a block is
/// ciphered for every bit.
const SHORT: usize = 1 << 10;
/// Operations that cipher a block for every bit.
const BITWISE: [&str; 2] = ["/cfb1-encrypt", "/cfb1-decrypt"];
/// As many messages as the widest batches have lanes for, or whole multiples.
const MESSAGES: usize = 512;
/// The messages of a batch are so long, and twice so.
const EACH: usize = 2 << 10;

/// Counts by name, without zeros.
type Counts = BTreeMap<&'static str, u64>;

/// What one call asks for: all of it, or the operations that wait for each other.
fn asked(
    call: &Call,
    way: Way,
    level: Level,
    parts: &mut [Parts],
    waiting: bool,
) -> Result<Counts, Error> {
    if let Some(sealing) = call.sealing().filter(|_| call.opens()) {
        let mut packets: Vec<_> = parts.iter_mut().map(Parts::packet).collect();
        sealing.run(Way::Alone, Level::best(), &mut packets)?;
    }
    let mut packets: Vec<_> = parts.iter_mut().map(Parts::packet).collect();
    if waiting {
        trace();
    }
    let before = counts();
    call.run(way, level, &mut packets)?;
    let after = if waiting { path() } else { counts() };
    let before = if waiting { [0; OPERATIONS.len()] } else { before };
    let grown = OPERATIONS.iter().zip(after.iter().zip(before));
    Ok(grown.map(|(&name, (after, before))| (name, after - before)).filter(|it| it.1 > 0).collect())
}

/// Packets of messages under keys of their own.
fn packets(call: &Call, count: usize, len: usize) -> Vec<Parts> {
    let one = |number: usize| {
        let mut parts = Parts::zeros(&call.0, len, 0);
        for (place, byte) in parts.key.iter_mut().enumerate() {
            *byte = (number >> (8 * (place % 2))) as u8 ^ place as u8;
        }
        parts
    };
    (0..count).map(one).collect()
}

/// The bytes of a packet's message.
fn bytes(parts: &Parts) -> usize {
    parts.data.len() + parts.aad.len()
}

/// What the second half of messages takes and how many bytes it has; none where the operation
/// allows no such messages.
fn slope(
    call: &Call,
    way: Way,
    level: Level,
    (count, len): (usize, usize),
    waiting: bool,
) -> Result<Option<(usize, Counts)>, Error> {
    let [mut half, mut whole] = [len, 2 * len].map(|len| packets(call, count, len));
    let grown = bytes(&whole[0]) - bytes(&half[0]);
    if grown != len {
        return Ok(None);
    }
    let half = asked(call, way, level, &mut half, waiting)?;
    let mut whole = asked(call, way, level, &mut whole, waiting)?;
    for (name, count) in half {
        let whole = whole.entry(name).or_default();
        *whole = whole.saturating_sub(count);
    }
    whole.retain(|_, count| *count > 0);
    Ok(Some((grown * count, whole)))
}

fn run(only: &[String]) -> Result<String, String> {
    let mut table = String::from("operation\tlevel\twhat\tbytes\tcounts\n");
    for call in calls(|_| true) {
        let name = call.name();
        if !only.is_empty() && !only.contains(&name) {
            continue;
        }
        for level in Level::available().filter(|&it| it != Level::portable()) {
            let one = if BITWISE.iter().any(|it| name.ends_with(it)) { SHORT } else { LONG };
            let mut ways = vec![("long", Way::Alone, 1, one), ("path", Way::Alone, 1, one)];
            if call.in_lanes() {
                ways.push(("batch", Way::Ready, MESSAGES, EACH));
            }
            for (what, way, count, len) in ways {
                let slope = match slope(&call, way, level, (count, len), what == "path") {
                    Err(Error::Limit { .. }) => {
                        slope(&call, way, level, (count, SHORT), what == "path")
                    }
                    other => other,
                };
                let slope = slope.map_err(|error| format!("{name} at {level}: {error}"))?;
                let Some((bytes, counts)) = slope else { continue };
                if counts.is_empty() && what == "path" {
                    continue;
                }
                let counts: Vec<String> =
                    counts.iter().map(|(name, count)| format!("{name}={count}")).collect();
                let counts = counts.join(" ");
                let _ = writeln!(table, "{name}\t{level}\t{what}\t{bytes}\t{counts}");
            }
        }
    }
    Ok(table)
}

fn main() -> ExitCode {
    // The kernels of a level, whatever this CPU takes in their place.
    Level::take_cpu_for(false);
    let only: Vec<String> = std::env::args().skip(1).collect();
    match run(&only) {
        Ok(table) => {
            print!("{table}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("cipherlane-counts: {error}");
            ExitCode::FAILURE
        }
    }
}
