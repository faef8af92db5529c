//! How many streams run side by side, by how many messages there are.
//!
//! | width | lanes | a clock takes |
//! |---|---|---|
//! | half a register, at the level that has those | half of a register's | at most one of a register |
//! | a register | 4 bytes each | 1 |
//! | two registers, where there are enough | twice as many | 4/3 to 2 |
//!
//! A clock takes what it takes however many of its lanes are idle, so messages that fit into the
//! next smaller width are never slower there; `docs/notes/lanes-by-number.md`.

use lanes::Level;

/// Streams side by side at a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Width {
    pub(super) level: Level,
    pub(super) streams: usize,
}

/// The widths of a level, the smallest first; those that it lacks are the next one once more.
#[derive(Clone, Copy)]
pub(super) struct Widths([Width; 3]);

impl Widths {
    /// `streams` says how many run side by side in one register of a level and in as many as it
    /// has room for.
    pub(super) fn new(level: Level, streams: impl Fn(Level) -> [usize; 2]) -> Self {
        let [one, two] = streams(level).map(|streams| Width { level, streams });
        let half = level.halved().map(|level| Width { level, streams: streams(level)[0] });
        Self([half.unwrap_or(one), one, two])
    }

    /// The most streams side by side.
    pub(super) const fn most(&self) -> usize {
        self.0[2].streams
    }

    /// The smallest width in which so many messages have a lane each.
    pub(super) fn fitting(&self, messages: usize) -> Option<Width> {
        self.0.into_iter().find(|width| messages <= width.streams)
    }

    /// The width for messages that want so many sixteens of bytes, all together and the longest.
    pub(super) fn of(&self, messages: usize, total: usize, longest: usize) -> Width {
        let [half, one, two] = self.0;
        let time = |width: Width| longest.max(total.div_ceil(width.streams));
        // A clock of two registers takes 4/3 of the time of one, or more where long registers are
        // worked on in halves.
        let one_is_enough = messages <= one.streams || 3 * time(one) <= 4 * time(two);
        match (messages <= half.streams, one_is_enough) {
            (true, _) => half,
            (false, true) => one,
            (false, false) => two,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As at a level whose registers hold 16 lanes, of whatever level the CPU has.
    fn streams(level: Level) -> [usize; 2] {
        if level == Level::best() && level.halved().is_some() { [16, 32] } else { [8, 8] }
    }

    #[test]
    fn few_messages_take_the_smallest_width_that_holds_them() {
        let level = Level::best();
        let widths = Widths::new(level, streams);
        let half = level.halved().unwrap_or(level);
        for count in 1..=600 {
            // Equally long: a block each.
            let width = widths.of(count, 4 * count, 4);
            let expected = match (level.halved().is_some(), count) {
                (_, ..=8) => (half, 8),
                (true, ..=16) => (level, 16),
                // Nothing is gained where the second register would be half empty.
                (true, 17..=20) => (level, 16),
                (true, _) => (level, 32),
                (false, _) => (level, 8),
            };
            assert_eq!((width.level, width.streams), expected, "{count} messages");
            let fitting = widths.fitting(count).map_or(0, |width| width.streams);
            assert!(fitting == 0 || fitting >= count, "{count} messages in {fitting}");
            assert_eq!(fitting == 0, count > widths.most(), "{count} messages");
        }
    }

    #[test]
    fn one_long_message_among_short_ones_takes_no_second_register() {
        let widths = Widths::new(Level::best(), streams);
        assert!(widths.of(20, 1000 + 19, 1000).streams <= 16);
    }
}
