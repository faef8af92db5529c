//! A soak: all operations at all levels in all ways, at random and for as long as is said. What comes
//! out must be what the portable level makes, forged tags are refused, and memory stays flat.

use std::time::{Duration, Instant};

use cipherlane::{Error, Level};
use model::random::SplitMix64;

use crate::calls::{Call, Parts, Way, calls};
use crate::guarded::of_random;
use crate::work::Record;

/// How much more memory the last third of the time may show than the first, in KiB: pages that the
/// allocator keeps for lengths that came late. A leak of one small object a call is many times that
/// after a minute.
const FLAT: usize = 4096;

/// Memory is judged from so much time on: in a shorter run every kernel's first use, a page of text and of
/// stack each, falls into any third of it.
const JUDGED: Duration = Duration::from_secs(30);

/// What is to be said of the most memory, in KiB, in each third of so much time.
fn grown(time: Duration, most: [usize; 3]) -> Option<String> {
    let grew = time >= JUDGED && most[2] > most[0] + FLAT;
    grew.then(|| format!("memory grew from {} KiB to {} KiB", most[0], most[2]))
}

/// Memory of this process in KiB.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|it| it.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}

fn below(random: &mut SplitMix64, end: usize) -> usize {
    let bytes = random.bytes(8);
    let word = bytes.iter().fold(0_u64, |word, byte| word << 8 | u64::from(*byte));
    (word % end.max(1) as u64) as usize
}

/// Mostly short, now and then longer than any tile; ZUC-256 takes 20 000 bits of keystream and no more.
fn length(random: &mut SplitMix64) -> usize {
    let most = [40, 40, 200, 200, 1200, 2400][below(random, 6)];
    below(random, most)
}

/// One call with random bytes.
fn one(call: &Call, way: Way, level: Level, random: &mut SplitMix64) -> Result<(), String> {
    let messages = if way == Way::Alone { 1 } else { 1 + below(random, 6) };
    let wanted: Vec<usize> = (0..messages).map(|_| length(random)).collect();
    let (mut inputs, outputs) = of_random(call, &wanted, random)?;
    let forged = inputs[0].clone();
    let mut packets: Vec<_> = inputs.iter_mut().map(Parts::packet).collect();
    call.run(way, level, &mut packets).map_err(|error| format!("{wanted:?}: {error}"))?;
    drop(packets);
    if inputs != outputs {
        return Err(format!("{wanted:?} bytes: wrong output"));
    }
    if call.opens() { refused(call, level, forged, random) } else { Ok(()) }
}

/// A message with one bit of its tag turned: one error, and zeros for an output.
fn refused(
    call: &Call,
    level: Level,
    mut parts: Parts,
    random: &mut SplitMix64,
) -> Result<(), String> {
    let bit = below(random, 8 * parts.tag.len());
    parts.tag[bit / 8] ^= 1 << (bit % 8);
    let result = call.run(Way::Alone, level, &mut [parts.packet()]);
    if result != Err(Error::Authentication) {
        return Err(format!("a tag with bit {bit} turned: {result:?}"));
    }
    if parts.data.iter().any(|byte| *byte != 0) {
        return Err(format!("a tag with bit {bit} turned: the output is no zeros"));
    }
    Ok(())
}

/// Runs for so long from random bytes of this seed, and tells how many calls there were; the second number is
/// the most memory, in KiB, which must stay flat in runs of half a minute and more.
pub fn run(time: Duration, seed: u64, tell: &mut dyn FnMut(Record)) {
    let (all, levels) = (calls(|_| true), Level::available().collect::<Vec<_>>());
    let mut random = SplitMix64::new(seed);
    let (began, mut count, mut fault) = (Instant::now(), 0, None);
    let mut most = [0; 3];
    while fault.is_none() && began.elapsed() < time {
        let call = &all[below(&mut random, all.len())];
        let level = levels[below(&mut random, levels.len())];
        let way = Way::ALL[below(&mut random, Way::ALL.len())];
        if let Err(error) = one(call, way, level, &mut random) {
            fault =
                Some(format!("{}, {}, {level}, call {count}: {error}", call.name(), way.name()));
        }
        if count % 256 == 0 {
            let third = 3.0 * began.elapsed().as_secs_f64() / time.as_secs_f64();
            let third = &mut most[(third as usize).min(2)];
            *third = resident().max(*third);
        }
        count += 1;
    }
    let fault = fault.or_else(|| grown(time, most));
    let (subject, way) = ("all".to_owned(), format!("{} s, seed {seed}", time.as_secs()));
    let widest = most.into_iter().max().unwrap_or(0);
    tell(Record { check: "soak", subject, way, level: "all", count, widest, fault });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_grows_is_told_where_the_time_is_enough_to_tell() {
        let minute = Duration::from_secs(60);
        assert_eq!(grown(minute, [70_000, 72_000, 74_096]), None);
        assert_eq!(grown(minute, [70_000, 80_000, 70_000]), None);
        assert!(grown(minute, [70_000, 72_000, 74_097]).is_some());
        assert!(grown(JUDGED, [70_000, 70_000, 90_000]).is_some());
        assert_eq!(grown(Duration::from_millis(300), [70_000, 70_000, 90_000]), None);
    }

    #[test]
    fn a_short_soak_passes_and_a_wrong_output_does_not() {
        let mut records = Vec::new();
        run(Duration::from_millis(300), 1, &mut |record| records.push(record));
        assert!(records.len() == 1 && records[0].fault.is_none(), "{}", records[0]);
        assert!(records[0].count > 10);
        let sm4 = calls(|it| it.name == "sm4");
        let open = sm4.iter().find(|it| it.0.name == "gcm-open").unwrap();
        let mut random = SplitMix64::new(2);
        let (inputs, _) = of_random(open, &[40], &mut random).unwrap();
        assert_eq!(refused(open, Level::best(), inputs[0].clone(), &mut random), Ok(()));
        // A tag that is turned before is right again if the same bit is turned.
        let right = (0..2000).any(|_| {
            let mut parts = inputs[0].clone();
            parts.tag[0] ^= 1;
            refused(open, Level::best(), parts, &mut random).is_err()
        });
        assert!(right, "a tag that is right must not pass for refused");
    }
}
