//! Keystream and multiplications in one loop: a product waits for nothing that the
//! generator waits for, so it fills the gaps of the generator's chain.

use lanes::Isa;

use super::multiply::Sums;
use crate::ciphers::zuc::clock::{Machine, State};
use crate::secret::Wipe;

/// Bytes of message that one step of the generator's four words serves.
pub(super) const BLOCK: usize = 16;

/// A generator before its first message bit.
#[derive(Clone)]
pub(super) struct Start {
    pub(super) state: State,
    /// The keystream words before those of the message; in ZUC-256 they mask the tag.
    pub(super) mask: [u32; 4],
}

impl Wipe for Start {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.state);
        lanes::wipe::wipe(&mut self.mask);
    }
}

/// A message under way.
#[derive(Clone)]
pub(super) struct Running {
    pub(super) state: State,
    pub(super) sums: [[u8; 16]; 3],
    /// Keystream of the next block, in the order in which it is stored.
    pub(super) ahead: [u8; 16],
    /// 0 until something was absorbed; nothing else here counts then. As wide as its neighbours:
    /// see `Level`.
    pub(super) begun: usize,
}

impl Running {
    pub(super) const NEW: Self =
        Self { state: [0; 18], sums: [[0; 16]; 3], ahead: [0; 16], begun: 0 };

    /// Forgets the message.
    pub(super) fn restart(&mut self) {
        self.begun = 0;
    }
}

impl Wipe for Running {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.state);
        lanes::wipe::wipe(&mut self.sums);
        lanes::wipe::wipe(&mut self.ahead);
    }
}

/// What a message ends with.
pub(super) struct Last {
    /// The last block, a 1 behind its last bit: that is the standards' last window.
    pub(super) bytes: [u8; 2 * BLOCK],
    /// How many keystream words from the block's first bit on are needed.
    pub(super) words: usize,
    /// Whether the tag has more than 64 bits.
    pub(super) wide: bool,
}

/// The initialisation, and the first `mask` keystream words.
#[inline(always)]
pub(super) fn start<I: Isa>(isa: I, cells: &[u32; 16], rounds: usize, mask: usize) -> Start {
    let isa = isa.narrow();
    let mut machine = Machine::start(isa, cells, rounds);
    let mut words = [0; 4];
    for word in &mut words[..mask] {
        *word = machine.one(isa);
    }
    Start { state: machine.state(isa), mask: words }
}

/// Whether sums go in the level's own registers, not in narrow ones.
pub(super) const fn sums_wide<I: Isa>() -> bool {
    I::CLMUL_WIDE
}

/// Absorbs segments, each whole blocks.
#[inline(always)]
pub(super) fn absorb<I: Isa>(
    isa: I,
    start: &Start,
    running: &mut Running,
    segments: [&[u8]; 2],
    wide: bool,
) {
    if const { sums_wide::<I>() } {
        absorb_on(isa.narrow(), isa, start, running, segments, wide);
    } else {
        absorb_on(isa.narrow(), isa.narrow(), start, running, segments, wide);
    }
}

/// The generator on a narrow register, the sums on another.
#[inline(always)]
fn absorb_on<N: Isa, I: Isa>(
    narrow: N,
    isa: I,
    start: &Start,
    running: &mut Running,
    segments: [&[u8]; 2],
    wide: bool,
) {
    let (mut machine, mut sums) = resume(narrow, isa, start, running);
    let mut z = Window::new();
    if running.begun != 0 {
        z.0[..16].copy_from_slice(&running.ahead);
    } else {
        z.put(0, machine.four(narrow));
    }
    for data in segments {
        let (chunks, blocks) = data.split_at(data.len() / 64 * 64);
        for chunk in chunks.chunks_exact(64) {
            for block in 0..4 {
                z.put(4 + 4 * block, machine.four(narrow));
            }
            for at in (0..64).step_by(I::BYTES) {
                sums.add(isa, isa.load(&chunk[at..]), z.at(isa, at), wide);
            }
            z.0.copy_within(64..80, 0);
        }
        for block in blocks.as_chunks().0 {
            z.put(4, machine.four(narrow));
            sums.add(isa, isa.load128(block), z.at(isa, 0), wide);
            z.0.copy_within(16..32, 0);
        }
    }
    running.state = machine.state(narrow);
    sums.store(isa, &mut running.sums);
    running.ahead.copy_from_slice(&z.0[..16]);
    running.begun = 1;
}

/// Ends a message: the sum of its windows and the last keystream word of `last`.
#[inline(always)]
pub(super) fn finish<I: Isa>(
    isa: I,
    start: &Start,
    running: &Running,
    last: &Last,
) -> ([u64; 2], u32) {
    finish_on(isa.narrow(), start, running, last)
}

#[inline(always)]
fn finish_on<I: Isa>(isa: I, start: &Start, running: &Running, last: &Last) -> ([u64; 2], u32) {
    let (mut machine, mut sums) = resume(isa, isa, start, running);
    let mut z = Window::new();
    let mut at = 0;
    if running.begun != 0 {
        z.0[..16].copy_from_slice(&running.ahead);
        at = 4;
    }
    while last.words >= at + 4 {
        z.put(at, machine.four(isa));
        at += 4;
    }
    while last.words > at {
        z.put(at, [machine.one(isa)]);
        at += 1;
    }
    for at in (0..2 * BLOCK).step_by(I::BYTES) {
        sums.add(isa, isa.load_part(&last.bytes[at..]), z.at(isa, at), last.wide);
    }
    (sums.tag(isa), z.word(last.words - 1))
}

#[inline(always)]
fn resume<N: Isa, I: Isa>(
    narrow: N,
    isa: I,
    start: &Start,
    running: &Running,
) -> (Machine<N>, Sums<I>) {
    if running.begun != 0 {
        (Machine::resume(narrow, &running.state), Sums::load(isa, &running.sums))
    } else {
        (Machine::resume(narrow, &start.state), Sums::zero(isa))
    }
}

/// Twenty keystream words; each two exchanged, so that 64 bits read as a little-endian
/// number have the first keystream bit highest.
pub(super) struct Window(pub(super) [u8; 80]);

impl Window {
    #[inline(always)]
    pub(super) fn new() -> Self {
        Self([0; 80])
    }

    /// Writes words from word `first` on.
    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, first: usize, words: [u32; N]) {
        for i in 0..N {
            let at = 4 * ((first + i) ^ 1);
            self.0[at..at + 4].copy_from_slice(&words[i].to_le_bytes());
        }
    }

    #[inline(always)]
    fn word(&self, index: usize) -> u32 {
        let at = 4 * (index ^ 1);
        let mut word = [0; 4];
        word.copy_from_slice(&self.0[at..at + 4]);
        u32::from_le_bytes(word)
    }

    /// What a register of message at byte `at` is multiplied by.
    #[inline(always)]
    pub(super) fn at<I: Isa>(&self, isa: I, at: usize) -> [I::V; 3] {
        [isa.load(&self.0[at..]), isa.load(&self.0[at + 8..]), isa.load(&self.0[at + 16..])]
    }
}
