//! GHASH (NIST SP 800-38D §6.4) and POLYVAL (RFC 8452 §3), the universal hashes
//! of GCM and GCM-SIV.
//!
//! Under both the modes that seal and the MACs; users find them in [`crate::mac::ghash`].

use core::fmt;
use core::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "aes")]
use lanes::Isa;
use lanes::{Level, dispatch_aes};

use crate::error::{Error, check_length};
use crate::first_use::{admit, answer};
use crate::secret::{Depth, Secret, Trace};
use crate::sizes::Sizes;

#[cfg(test)]
mod equivalence;
mod field;
mod kernel;
mod powers;
mod running;
mod shuffled;
#[cfg(test)]
mod tests;

#[cfg(feature = "aes")]
pub(crate) use field::Sum;
#[cfg(feature = "aes")]
pub(crate) use kernel::wholes;
#[cfg(feature = "aes")]
pub(crate) use powers::{View, early_depth};
pub(crate) use running::Running;

/// The length of a block, a key and a hash in bytes.
pub const BLOCK: usize = 16;

/// Blocks of the shortest calls, whose powers fill one register.
pub(crate) const FEW: usize = 4;

/// How many blocks repay the powers that are not made with the key: they cost as much as some five
/// reductions, of which eight powers take one for eight blocks, and all one for 16 or 32.
const REPAID: usize = 64;

/// How many blocks of one message repay twice as many powers as a key for any messages has, made at once.
const ONE_REPAYS_SOME: usize = 4 * powers::EARLY + 1;

/// How many blocks of one message are as soon done in the longest registers where these are worked on in
/// halves (docs/notes/ghash.md).
const ONE_FILLS_LONGEST: usize = 80;

/// How many blocks of one message repay all powers.
const ONE_REPAYS_ALL: usize = 128;

/// A hash key, ready for use. `REVERSED` tells GHASH from POLYVAL.
pub(crate) struct Key<const REVERSED: bool> {
    /// Where calls run once all powers are there, or one or two alone.
    level: Level,
    /// That of half the registers where the CPU works on the longest in halves, which few powers would
    /// leave half empty; else the same. Asked with the first key.
    half: Option<Level>,
    /// Where the first powers were made, and blocks are absorbed until there are all.
    first: Level,
    /// How many blocks may share a reduction.
    ready: usize,
    /// How many blocks of longer messages there were, until they have repaid all powers.
    seen: AtomicUsize,
    powers: Secret<powers::Powers>,
}

impl<const REVERSED: bool> Clone for Key<REVERSED> {
    fn clone(&self) -> Self {
        // In the place that is returned: moved, powers would leave a copy behind.
        let mut clone = Self {
            level: self.level,
            half: self.half,
            first: self.first,
            ready: self.ready,
            seen: AtomicUsize::new(self.seen.load(Ordering::Relaxed)),
            powers: self.powers.clone(),
        };
        // Another thread may be about to make powers that this clone has not got.
        if clone.ready == usize::MAX && clone.powers.0.more().is_none() {
            let seen = clone.seen.get_mut();
            *seen = (*seen).min(REPAID - 1);
        }
        clone
    }
}

/// A value between two blocks, as the kernels keep it.
pub(crate) type State = Secret<[u8; BLOCK]>;

impl<const REVERSED: bool> Key<REVERSED> {
    /// A place for a key.
    pub(crate) const fn unset(level: Level) -> Self {
        let powers = Secret(powers::Powers::zero());
        Self { level, half: None, first: level, ready: 0, seen: AtomicUsize::new(REPAID), powers }
    }

    /// Makes this the place for a key at another level.
    pub(crate) const fn at(&mut self, level: Level) {
        self.level = level;
        self.half = None;
    }

    /// Computes powers of `h` for calls of any length; more will be made when there was enough
    /// for them.
    pub(crate) fn set(&mut self, h: &[u8; BLOCK]) {
        self.set_for(h, usize::MAX);
    }

    /// Computes as many powers of `h` as one call of at most `blocks` blocks wants, or [`set`](Self::set)s it for
    /// calls of any length.
    pub(crate) fn set_for(&mut self, h: &[u8; BLOCK], blocks: usize) {
        let element = if REVERSED {
            field::times_x(u128::from_be_bytes(*h))
        } else {
            u128::from_le_bytes(*h)
        };
        let powers = match blocks {
            usize::MAX => powers::EARLY,
            0..ONE_REPAYS_SOME => blocks.min(powers::EARLY),
            ONE_REPAYS_SOME..ONE_REPAYS_ALL => 2 * powers::EARLY,
            _ => powers::MOST,
        };
        self.fill(&Secret(element.to_le_bytes()).0, blocks, powers);
    }

    fn fill(&mut self, element: &[u8; BLOCK], blocks: usize, powers: usize) {
        // Two powers are made in registers of 16 bytes where there are those of 64.
        let halves = match powers {
            0..=2 | powers::MOST.. => false,
            _ => powers <= powers::EARLY || blocks < ONE_FILLS_LONGEST,
        };
        let half = *self.half.get_or_insert_with(|| self.level.split().unwrap_or(self.level));
        self.first = if halves { half } else { self.level };
        let more = fill(self.first, &mut self.powers.0, element, powers);
        if more && self.first.register_bytes() < self.level.register_bytes() {
            self.powers.0.will_be(powers::MOST);
        }
        let all = blocks >= powers::EARLY;
        self.ready = if all { usize::MAX } else { blocks };
        *self.seen.get_mut() = if all && more { 0 } else { REPAID };
    }

    /// Says that a call of so many blocks comes, before it takes the [`powers`](Self::powers): makes
    /// those that are not there if it repays them, with the calls before.
    #[inline(always)]
    pub(crate) fn expect(&self, blocks: usize) {
        if blocks > powers::EARLY {
            let seen = self.seen.load(Ordering::Relaxed);
            if seen < REPAID {
                self.count(seen.saturating_add(blocks));
            }
        }
    }

    /// The number of blocks so far. That of a thread beside this one may be lost.
    #[cold]
    fn count(&self, seen: usize) {
        self.seen.store(seen, Ordering::Relaxed);
        if seen >= REPAID {
            grow(self.level, &self.powers.0);
        }
    }

    /// Whether a kernel for whole messages does without the longest registers, which want more powers than
    /// are made with the key: as long as there are no others, for more blocks than those.
    #[cfg(feature = "aes")]
    #[inline(always)]
    pub(crate) fn wants_short_registers(&self, blocks: usize) -> bool {
        const MOST_BYTES: usize = 2 * BLOCK;
        blocks > powers::EARLY
            && self.powers.0.more().is_none()
            && self.level.register_bytes() > MOST_BYTES
    }

    /// Computes the powers that calls of so many blocks want, if they are not there.
    #[inline(always)]
    pub(crate) fn make_ready(&mut self, blocks: usize) {
        if blocks > self.ready {
            // Who wants more and more of them gets those of any key.
            let blocks = if self.ready > FEW { usize::MAX } else { blocks };
            let powers = match blocks {
                REPAID..usize::MAX => powers::MOST,
                _ => blocks.min(powers::EARLY),
            };
            self.fill(&Secret(self.powers.0.element()).0, blocks, powers);
        }
    }

    /// Whether the first powers are there, as kernels for whole messages want them.
    #[inline(always)]
    pub(crate) const fn is_full(&self) -> bool {
        self.ready == usize::MAX
    }

    /// The key that `h` gives.
    pub(crate) fn new(h: &[u8; BLOCK], level: Level) -> Self {
        let mut key = Self::unset(level);
        key.set(h);
        key
    }

    /// The powers for so many blocks that share a reduction, if they are there, for a kernel at this
    /// key's level: up to 8 are.
    #[cfg(feature = "aes")]
    #[inline(always)]
    pub(crate) fn powers(&self, blocks: usize) -> Option<View<'_>> {
        if blocks <= powers::EARLY {
            return Some(self.early());
        }
        self.powers.0.more().filter(|(_, there)| blocks <= *there).map(|(view, _)| view)
    }

    /// The powers that are made with the key.
    #[cfg(feature = "aes")]
    #[inline(always)]
    pub(crate) fn early(&self) -> View<'_> {
        self.powers.0.early()
    }

    /// How many of the early powers blocks may share, of as many as the level has.
    #[cfg(feature = "aes")]
    #[inline(always)]
    pub(crate) fn depth<I: Isa>(&self) -> usize {
        self.ready.min(const { early_depth::<I>() })
    }

    /// The state before the first block.
    pub(crate) const fn start() -> State {
        Secret([0; BLOCK])
    }

    /// Where the first powers were made.
    #[cfg(feature = "_air256")]
    pub(crate) const fn first_level(&self) -> Level {
        self.first
    }

    /// Absorbs segments, each filled up with zeros to whole blocks.
    pub(crate) fn absorb(&self, state: &mut State, segments: &[&[u8]]) {
        self.expect(segments.iter().map(|segment| segment.len() / BLOCK).sum());
        let all = self.powers.0.more().is_some_and(|(_, there)| there == powers::MOST);
        let level = if all { self.level } else { self.first };
        if REVERSED {
            absorb_ghash(level, (&self.powers.0, self.ready), &mut state.0, segments);
        } else {
            absorb_polyval(level, (&self.powers.0, self.ready), &mut state.0, segments);
        }
    }

    /// What a state becomes by so many blocks of zeros, without going through them: with
    /// the hash of a part that was absorbed apart, added, the state of both together.
    #[cfg(feature = "parallel")]
    pub(crate) fn leap(&self, state: &mut State, blocks: u64) {
        leap(self.level, &self.powers.0, &mut state.0, blocks);
    }

    /// The hash, in the standard's order of bytes.
    pub(crate) fn hash(state: &State) -> [u8; BLOCK] {
        let mut hash = state.0;
        if REVERSED {
            hash.reverse();
        }
        hash
    }
}

fn fill(level: Level, powers: &mut powers::Powers, h: &[u8; BLOCK], blocks: usize) -> bool {
    dispatch_aes!(level, isa => powers.fill(isa, h, blocks))
}

fn grow(level: Level, powers: &powers::Powers) {
    dispatch_aes!(level, isa => powers.grow(isa));
}

#[cfg(feature = "parallel")]
fn leap(level: Level, powers: &powers::Powers, state: &mut [u8; BLOCK], blocks: u64) {
    dispatch_aes!(level, isa => powers.early().leap(isa, state, blocks));
}

fn absorb_ghash(
    level: Level,
    (powers, ready): (&powers::Powers, usize),
    state: &mut [u8; BLOCK],
    segments: &[&[u8]],
) {
    dispatch_aes!(level, isa => kernel::absorb::<_, true>(isa, powers, ready, state, segments));
}

fn absorb_polyval(
    level: Level,
    (powers, ready): (&powers::Powers, usize),
    state: &mut [u8; BLOCK],
    segments: &[&[u8]],
) {
    dispatch_aes!(level, isa => kernel::absorb::<_, false>(isa, powers, ready, state, segments));
}

/// The product of RFC 8452 §3, of little-endian field elements.
#[cfg(feature = "_air256")]
pub(crate) fn dot(level: Level, a: &[u8; BLOCK], b: &[u8; BLOCK]) -> [u8; BLOCK] {
    dispatch_aes!(level, isa => kernel::dot(isa, a, b))
}

/// GHASH (NIST SP 800-38D §6.4): blocks and key as strings of bits, the first
/// bit the coefficient of x^0.
pub type Ghash = UniversalHash<true>;

/// POLYVAL (RFC 8452 §3): blocks and key as little-endian integers.
pub type Polyval = UniversalHash<false>;

answer!(known_answer);

/// GHASH gives the hash of the GCM specification's test case 2, POLYVAL that of RFC 8452 (§7 and
/// appendix A); and many blocks at once the hash of one after another.
#[cfg(feature = "self-test")]
fn known_answer(level: Level) -> Result<(), Error> {
    let ghash = (
        0x66e9_4bd4_ef8a_2c3b_884c_fa59_ca34_2b2e,
        [0x0388_dace_60b6_a392_f328_c2b9_71b2_fe78, 0x80],
        0xf38c_bb1a_d692_23dc_c345_7ae5_b6b0_f885,
    );
    let polyval = (
        0x2562_9347_5892_4276_1d31_f826_ba4b_757b,
        [0x4f4f_9566_8c83_dfb6_4017_62bb_2d01_a262, 0xd1a2_4ddd_2721_d006_bbe4_5f20_d3c9_f362],
        0xf7a3_b47b_8461_19fa_e5b7_866c_f5e5_b77e,
    );
    answers::<true>("ghash", level, ghash)?;
    answers::<false>("polyval", level, polyval)
}

/// Compares with key, blocks and hash, as big-endian numbers.
#[cfg(feature = "self-test")]
fn answers<const REVERSED: bool>(
    algorithm: &'static str,
    level: Level,
    (key, blocks, hash): (u128, [u128; 2], u128),
) -> Result<(), Error> {
    let wrong = |operation| Err(Error::SelfTest { algorithm, operation });
    let new = || UniversalHash::<REVERSED>::with_level(&key.to_be_bytes(), level);
    let mut short = new()?;
    blocks.iter().for_each(|block| short.update(&block.to_be_bytes()));
    if u128::from_be_bytes(short.finish()) != hash {
        return wrong("(answer of the standard)");
    }
    let (mut at_once, mut one_by_one) = (new()?, new()?);
    let many = core::array::from_fn::<u8, { 75 * BLOCK }, _>(|i| i as u8);
    at_once.update(&many);
    many.chunks(BLOCK).for_each(|block| one_by_one.update(block));
    if at_once.finish() == one_by_one.finish() { Ok(()) } else { wrong("(many blocks)") }
}

/// How deep the hash goes on the stack.
const STACK: Depth = Depth::of(4 << 10);

/// [`Ghash`] or [`Polyval`] of a message in pieces of any length.
#[derive(Clone)]
pub struct UniversalHash<const REVERSED: bool> {
    _trace: Trace,
    key: Key<REVERSED>,
    running: Running<REVERSED>,
}

impl<const REVERSED: bool> fmt::Debug for UniversalHash<REVERSED> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if REVERSED { "Ghash" } else { "Polyval" };
        f.debug_struct(name).field("level", &self.key.level.name()).finish_non_exhaustive()
    }
}

impl<const REVERSED: bool> UniversalHash<REVERSED> {
    /// Under a hash key of 16 bytes, at the best level of this CPU.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes; [`Error::Level`] if
    /// `CIPHERLANE_LEVEL` names no level.
    pub fn new(key: &[u8]) -> Result<Self, Error> {
        Self::with_level(key, Level::detect()?)
    }

    /// Under a hash key of 16 bytes, at a given level.
    ///
    /// # Errors
    /// [`Error::Length`] if the key is not 16 bytes.
    pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        check_length("key", key.len(), Sizes::exactly(BLOCK))?;
        let mut h = Secret([0; BLOCK]);
        h.0.copy_from_slice(key);
        Ok(Self {
            _trace: Trace::of(level, STACK),
            key: Key::new(&h.0, level),
            running: Running::new(),
        })
    }

    /// The level this object runs at.
    #[must_use]
    pub fn level(&self) -> Level {
        self.key.level
    }

    /// More of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.running.update(&self.key, data);
    }

    /// The hash of the message, whose last block is filled up with zeros; another
    /// message may follow.
    pub fn finish(&mut self) -> [u8; BLOCK] {
        self.running.pad(&self.key);
        let hash = self.running.hash();
        self.running = Running::new();
        hash
    }
}
