//! Which level's registers take how many bytes under one key.
//!
//! | bytes at a level whose groups of registers have a level of half the length beside it | run |
//! |---|---|
//! | up to half a group | at the halved level: the rest of a group would be idle |
//! | up to a group | one group |
//! | up to two groups | at the halved level: two tiles there, half a tile of four groups here |
//! | more | tiles of four groups, then what is left as above |
//!
//! A tile takes what it takes however much of it is used; where a CPU works on long registers in
//! halves, one of four groups takes as long as four tiles of the halved level, and where it
//! doesn't, as long as two. So none of these is slower anywhere; `docs/notes/lanes-by-number.md`.

use lanes::Level;

use crate::block::tiles::bytes_of_group;

/// Groups of a tile where there are 32 registers, as all levels that can be halved have.
pub(super) const GROUPS: usize = 4;

/// How many of so many bytes are done next, and at which level.
pub(super) fn next(level: Level, len: usize) -> (usize, Level) {
    match level.halved() {
        Some(half) => match part(len, bytes_of_group(level)) {
            (now, true) => (now, half),
            (now, false) => (now, level),
        },
        None => (len, level),
    }
}

/// How many of so many bytes are done next, and whether at the halved level.
const fn part(len: usize, group: usize) -> (usize, bool) {
    let tile = GROUPS * group;
    let whole = len / tile * tile;
    if whole > 0 {
        return (whole, false);
    }
    (len, 2 * len <= group || (len > group && len <= 2 * group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_leave_half_a_tile_idle_runs_in_half_registers() {
        let group = 256;
        for len in (8..=4096).step_by(8) {
            let (mut left, mut used, mut needed) = (len, 0, 0);
            while left > 0 {
                let (now, halved) = part(left, group);
                assert!(now > 0 && now <= left, "{now} of {left}");
                // Bytes of registers at work: a tile of half registers has two groups of half
                // the length.
                used += match (halved, now) {
                    (true, ..=128) => group / 2,
                    (true, _) => now.next_multiple_of(group),
                    (false, ..=256) => group,
                    (false, _) => now.next_multiple_of(GROUPS * group),
                };
                needed += now;
                left -= now;
            }
            assert_eq!(needed, len);
            assert!(used < len + 2 * group, "{len} bytes in {used}");
        }
    }
}
