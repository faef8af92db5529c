//! Which chains under 8-byte blocks share a pass, and at which level, by how many there are;
//! `docs/notes/lanes-by-number.md`.

use lanes::Level;

use super::chains::Link;

/// How many chains a group of registers of a level holds.
pub(crate) fn chains_of_group(level: Level) -> usize {
    level.register_bytes() / 2
}

/// All of so many bytes are done next, at the level itself: what ciphers say that take every length
/// alike.
#[cfg(any(feature = "rc2", feature = "rc5"))]
#[inline(always)]
pub(crate) fn whole(level: Level, len: usize) -> (usize, Level) {
    (len, level)
}

/// The level at which so many chains run, if there is a kernel for them in `short` registers.
pub(super) fn of_chains(level: Level, count: usize, short: bool) -> Level {
    if short {
        level.fitting_plainly(count, chains_of_group)
    } else {
        level.fitting(count, chains_of_group)
    }
}

/// Runs chains in passes, each at the level that fits its number: `run` is told which. `short` says
/// whether there is a kernel in 16-byte registers.
///
/// Where chains are not equally long all go into one pass, in which the next takes the lane of one
/// that has ended.
pub(crate) fn in_passes<'d, L: Link<'d>>(
    level: Level,
    short: bool,
    chains: &mut [L],
    mut run: impl FnMut(Level, &mut [L]),
) {
    let first = chains.first_mut().map_or(0, |link| link.chain().data.len());
    let equal = chains.iter_mut().all(|link| link.chain().data.len() == first);
    let mut left = chains;
    while !left.is_empty() {
        let count = if equal { pass(left.len(), chains_of_group(level)) } else { left.len() };
        let (now, rest) = left.split_at_mut(count);
        run(of_chains(level, count, short), now);
        left = rest;
    }
}

/// How many of so many equally long chains are run next, where a group of registers holds `group`.
///
/// Two groups take the same time whether the second is full or holds one chain, so what is left
/// over by pairs of groups is a pass of its own, and one beyond a group goes alone.
const fn pass(left: usize, group: usize) -> usize {
    match left / (2 * group) {
        0 if left == group + 1 => group,
        0 => left,
        pairs => pairs * 2 * group,
    }
}

#[cfg(test)]
mod tests {
    use super::pass;

    #[test]
    fn equally_long_chains_go_in_whole_pairs_of_groups_and_what_is_left() {
        for group in [8, 16, 32] {
            for count in 1..=600 {
                let (mut left, mut passes, mut half_empty) = (count, 0, 0);
                while left > 0 {
                    let now = pass(left, group);
                    assert!(now > 0 && now <= left, "{now} of {left}");
                    let rest = now % (2 * group);
                    half_empty += usize::from(rest == group + 1);
                    passes += 1;
                    left -= now;
                }
                // All pairs, what is left over, and one alone.
                assert!(passes <= 3, "{count} in {passes}");
                assert_eq!(half_empty, 0, "{count}: a second group for one chain");
            }
        }
    }
}
