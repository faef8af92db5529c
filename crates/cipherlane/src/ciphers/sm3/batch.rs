//! Many messages side by side, each in a lane: lanes that end take the next message.

use lanes::{Isa, Level, dispatch_plain};

use super::compress;
use super::{BLOCK, DIGEST, Padding, Value, bytes_of};
use crate::secret::{Depth, Secret, Trace};

/// The most messages side by side: the 32-bit lanes of the widest register.
const LANES: usize = 16;

/// The fewest messages that are faster in lanes than one after another: on a Zen 5 a block in all lanes takes
/// as long as 1.9 (`avx512`) to 2.6 blocks alone (`avx2`, `aesni`; `docs/notes/sm3.md`).
const FEWEST: usize = 3;

/// How deep operations go on the stack.
const STACK: Depth = Depth::of(8 << 10);

/// A message of which some blocks have been read.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    /// The value that they have left, or the initial one.
    pub(super) value: &'a Value,
    /// How many bytes they had.
    pub(super) before: u64,
    pub(super) data: &'a [u8],
}

/// A message in a lane.
struct Lane<'a> {
    /// Where its digest belongs.
    index: usize,
    data: &'a [u8],
    padding: Padding,
    /// How many blocks have been read.
    read: usize,
}

impl Lane<'_> {
    fn blocks(&self) -> usize {
        self.data.len() / BLOCK + self.padding.used().len()
    }

    /// Copies the next block.
    fn next(&mut self, to: &mut [u8; BLOCK]) {
        let whole = self.data.as_chunks::<BLOCK>().0;
        match whole.get(self.read) {
            Some(block) => *to = *block,
            None => *to = self.padding.used()[self.read - whole.len()],
        }
        self.read += 1;
    }
}

/// How many messages run side by side at a level; 1 where lanes are no gain.
pub(super) fn lanes(level: Level) -> usize {
    dispatch_plain!(level, isa => lanes_of(isa))
}

#[inline(always)]
fn lanes_of<I: Isa>(_: I) -> usize {
    if const { I::LANES_NATIVE } { I::BYTES / 4 } else { 1 }
}

fn many(level: Level, value: &mut [[u8; 64]; 8], blocks: &[[u8; BLOCK]; LANES]) {
    dispatch_plain!(level, isa => compress::many(isa, value, blocks));
}

/// The digests of messages that `job` names, each given to `take`.
pub(super) fn digests<'a>(
    level: Level,
    count: usize,
    job: impl Fn(usize) -> Job<'a>,
    mut take: impl FnMut(usize, [u8; DIGEST]),
) {
    let _trace = Trace::of(level, STACK);
    // Not at the level with half the lanes where these are enough: it may lack rotations.
    let width = lanes(level);
    if width < FEWEST {
        for index in 0..count {
            take(index, alone(level, job(index)));
        }
        return;
    }
    let mut rows = Secret([[0; 64]; 8]);
    let mut blocks = Secret([[0; BLOCK]; LANES]);
    let mut held: [Option<Lane<'a>>; LANES] = [const { None }; LANES];
    let mut next = 0;
    loop {
        for (at, lane) in held[..width].iter_mut().enumerate() {
            if lane.is_none() && next < count {
                *lane = Some(start(&job(next), next, at, &mut rows.0));
                next += 1;
            }
        }
        let busy = held.iter().flatten().count();
        if busy < FEWEST {
            break;
        }
        // Nobody ends before as many blocks.
        let least = held.iter().flatten().map(|it| it.blocks() - it.read).min().unwrap_or(0);
        for _ in 0..least {
            for (lane, block) in held.iter_mut().zip(&mut blocks.0) {
                if let Some(lane) = lane {
                    lane.next(block);
                }
            }
            many(level, &mut rows.0, &blocks.0);
        }
        for (at, place) in held.iter_mut().enumerate() {
            if let Some(lane) = place.take_if(|it| it.read == it.blocks()) {
                take(lane.index, bytes_of(&column(&rows.0, at).0));
            }
        }
    }
    // The last ones alone.
    for (at, lane) in held.iter_mut().enumerate() {
        if let Some(lane) = lane {
            let mut value = column(&rows.0, at);
            let mut block = Secret([0; BLOCK]);
            while lane.read < lane.blocks() {
                lane.next(&mut block.0);
                super::absorb(level, &mut value, core::slice::from_ref(&block.0));
            }
            take(lane.index, bytes_of(&value.0));
        }
    }
}

/// A message whose value takes a column of the rows.
fn start<'a>(job: &Job<'a>, index: usize, at: usize, rows: &mut [[u8; 64]; 8]) -> Lane<'a> {
    for (row, word) in rows.iter_mut().zip(job.value.0) {
        row[4 * at..4 * at + 4].copy_from_slice(&word.to_le_bytes());
    }
    let rest = job.data.as_chunks::<BLOCK>().1;
    let padding = Padding::new(rest, job.before + job.data.len() as u64);
    Lane { index, data: job.data, padding, read: 0 }
}

/// The value in a lane.
fn column(rows: &[[u8; 64]; 8], at: usize) -> Value {
    let mut value = Secret([0; 8]);
    for (word, row) in value.0.iter_mut().zip(rows) {
        *word = u32::from_le_bytes(row.as_chunks().0[at]);
    }
    value
}

fn alone(level: Level, job: Job<'_>) -> [u8; DIGEST] {
    let mut value = job.value.clone();
    let (whole, rest) = job.data.as_chunks();
    super::absorb(level, &mut value, whole);
    let padding = Padding::new(rest, job.before + job.data.len() as u64);
    super::absorb(level, &mut value, padding.used());
    bytes_of(&value.0)
}
