//! Many chains side by side: which chain stands in which lane, and what happens
//! when one ends.
//!
//! As many chains as there are lanes run for as many blocks as the shortest of
//! them has left. When a chain ends, the next one that waits takes its lane; when
//! none waits, the last lane moves into the gap, so that the lanes in use stay
//! together. The last chain of all is handed to code for one.
//!
//! ```text
//! used = 0
//! loop:
//!     while used < LANES and a chain waits:  lane[used] = it;  used += 1
//!     if used == LEAVE: hand the chain of lane 0 back, with what it has done (LEAVE is 1 or 0)
//!     len = the least of what is left in the lanes in use
//!     advance(values[..used], the next `len` bytes of each)   (one call of the kernel)
//!     for lane from the last to the first, if its chain is at its end:
//!         write its value back;  used -= 1;  move lane `used` into the gap
//! ```
//!
//! Beside each lane stands the number of its key, and a bit that says whether that key is another
//! one than at the last step: kernels with keys side by side gather only those.

use crate::traits::block::{Chain, ChainData, KeyedChain};
#[cfg(feature = "_numbered")]
use core::array;

/// A chain with or without the number of a key.
pub(crate) trait Link<'d> {
    /// The chain.
    fn chain(&mut self) -> &mut Chain<'d>;

    /// The number of its key; 0 where there is one key for all.
    fn key(&self) -> usize;
}

impl<'d> Link<'d> for Chain<'d> {
    #[inline(always)]
    fn chain(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn key(&self) -> usize {
        0
    }
}

impl<'d> Link<'d> for KeyedChain<'d> {
    #[inline(always)]
    fn chain(&mut self) -> &mut Chain<'d> {
        &mut self.chain
    }

    #[inline(always)]
    fn key(&self) -> usize {
        self.key
    }
}

/// Chains that are taken together under one key as if it were the only one of a set: so the
/// kernels are there once.
#[cfg(feature = "_numbered")]
pub(crate) fn with_number(chains: &mut [Chain<'_>], mut run: impl FnMut(&mut [KeyedChain<'_>])) {
    /// As many as the most lanes of a level.
    const CHAINS_PER_PASS: usize = 64;
    let run: &mut dyn FnMut(&mut [KeyedChain<'_>]) = &mut run;
    // A few don't wait for a long list.
    match chains.len() {
        0..=4 => with_numbers::<4>(chains, run),
        5..=16 => with_numbers::<16>(chains, run),
        _ => chains
            .chunks_mut(CHAINS_PER_PASS)
            .for_each(|chains| with_numbers::<CHAINS_PER_PASS>(chains, run)),
    }
}

/// At most `N` chains.
#[cfg(feature = "_numbered")]
fn with_numbers<const N: usize>(
    chains: &mut [Chain<'_>],
    run: &mut dyn FnMut(&mut [KeyedChain<'_>]),
) {
    let count = chains.len();
    let mut rest = chains.iter_mut();
    let mut keyed: [KeyedChain<'_>; N] = array::from_fn(|_| {
        let chain = match rest.next() {
            Some(Chain { value, data }) => {
                let len = data.len();
                Chain { value, data: data.part(0, len) }
            }
            None => Chain { value: &mut [], data: ChainData::Absorb(&[]) },
        };
        KeyedChain { key: 0, chain }
    });
    run(&mut keyed[..count]);
}

/// A chain on its way through a lane.
struct Lane<'c, 'd> {
    chain: &'c mut Chain<'d>,
    offset: usize,
}

impl Lane<'_, '_> {
    #[inline(always)]
    fn left(&self) -> usize {
        self.chain.data.len() - self.offset
    }
}

/// The keys of the lanes in use.
pub(crate) struct LaneKeys<'k> {
    /// The number of each lane's key.
    pub(crate) numbers: &'k [usize],
    /// The lanes whose key is not the one they had at the last step, a bit each.
    pub(crate) changed: u128,
}

/// Runs `chains` of `BLOCK`-byte blocks in at most `LANES` lanes, 128 or fewer.
///
/// `advance` takes the chaining values of the lanes in use, at least two, and for
/// each a piece of its data, equally long, and moves the values on; `serial`
/// finishes one chain from an offset on, when it is the only one left.
#[cfg(feature = "_chains")]
#[inline(always)]
pub(crate) fn schedule<'d, L: Link<'d>, const BLOCK: usize, const LANES: usize>(
    chains: &mut [L],
    advance: impl FnMut(&mut [[u8; BLOCK]], &mut [ChainData<'_>], LaneKeys<'_>),
    mut serial: impl FnMut(&mut Chain<'_>, usize, usize),
) {
    let last = if let [only] = chains {
        let key = only.key();
        Some(Last { chain: only.chain(), offset: 0, key })
    } else {
        together::<L, BLOCK, LANES, 1>(chains, advance)
    };
    if let Some(Last { chain, offset, key }) = last {
        serial(chain, offset, key);
    }
}

/// The only chain that is left.
pub(crate) struct Last<'c, 'd> {
    pub(crate) chain: &'c mut Chain<'d>,
    /// What of it is done.
    pub(crate) offset: usize,
    /// The number of its key.
    pub(crate) key: usize,
}

/// [`schedule`] until `LEAVE` chains are left, 1 or 0, if their end does not fall on that of
/// others.
#[inline(always)]
pub(crate) fn together<
    'c,
    'd,
    L: Link<'d>,
    const BLOCK: usize,
    const LANES: usize,
    const LEAVE: usize,
>(
    chains: &'c mut [L],
    mut advance: impl FnMut(&mut [[u8; BLOCK]], &mut [ChainData<'_>], LaneKeys<'_>),
) -> Option<Last<'c, 'd>> {
    const { assert!(LANES <= 128, "a bit for each lane") };
    let mut waiting = chains.iter_mut();
    let mut values = [[0; BLOCK]; LANES];
    let mut numbers = [0; LANES];
    let mut changed = 0;
    let mut lanes: [Option<Lane<'c, 'd>>; LANES] = [const { None }; LANES];
    let mut used = 0;
    loop {
        while used < LANES {
            let Some(link) = waiting.next() else { break };
            let key = link.key();
            let chain = link.chain();
            if chain.data.is_empty() {
                continue;
            }
            values[used].copy_from_slice(chain.value);
            numbers[used] = key;
            changed |= 1 << used;
            lanes[used] = Some(Lane { chain, offset: 0 });
            used += 1;
        }
        if used == LEAVE {
            let Lane { chain, offset } = lanes[0].take()?;
            chain.value.copy_from_slice(&values[0]);
            return Some(Last { chain, offset, key: numbers[0] });
        }
        if used == 0 {
            return None;
        }
        let mut len = usize::MAX;
        for lane in lanes[..used].iter().flatten() {
            len = len.min(lane.left());
        }
        {
            let mut pieces = [const { ChainData::Absorb(&[]) }; LANES];
            for (piece, lane) in pieces.iter_mut().zip(lanes[..used].iter_mut().flatten()) {
                *piece = lane.chain.data.part(lane.offset, len);
                lane.offset += len;
            }
            let keys = LaneKeys { numbers: &numbers[..used], changed };
            advance(&mut values[..used], &mut pieces[..used], keys);
            changed = 0;
        }
        // From the last lane on: where all chains end together, none moves.
        for place in (0..used).rev() {
            match &mut lanes[place] {
                Some(lane) if lane.left() > 0 => continue,
                Some(lane) => lane.chain.value.copy_from_slice(&values[place]),
                None => {}
            }
            used -= 1;
            if place < used {
                lanes[place] = lanes[used].take();
                values[place] = values[used];
                changed |= u128::from(numbers[place] != numbers[used]) << place;
                numbers[place] = numbers[used];
            }
        }
    }
}

/// [`schedule`] with the chaining values in memory between two blocks: `encrypt`
/// enciphers any number of blocks in place, at most `LANES`, given the numbers of their keys.
#[cfg(feature = "_tiles")]
#[inline(always)]
pub(crate) fn run<'d, L: Link<'d>, const BLOCK: usize, const LANES: usize>(
    chains: &mut [L],
    mut encrypt: impl FnMut(&mut [u8], &[usize]),
    mut serial: impl FnMut(&mut Chain<'_>, usize, usize),
) {
    schedule::<L, BLOCK, LANES>(
        chains,
        #[inline(always)]
        |values, pieces, keys| step(values, pieces, keys, &mut encrypt),
        #[inline(always)]
        |chain, offset, key| serial(chain, offset, key),
    );
}

/// The same where one chain takes as long as several.
#[cfg(any(feature = "sm4", feature = "aes"))]
#[inline(always)]
pub(crate) fn run_all<'d, L: Link<'d>, const BLOCK: usize, const LANES: usize>(
    chains: &mut [L],
    mut encrypt: impl FnMut(&mut [u8], &[usize]),
) {
    together::<L, BLOCK, LANES, 0>(
        chains,
        #[inline(always)]
        |values, pieces, keys| step(values, pieces, keys, &mut encrypt),
    );
}

/// Moves chaining values on by equally long pieces.
#[inline(always)]
fn step<const BLOCK: usize>(
    values: &mut [[u8; BLOCK]],
    pieces: &mut [ChainData<'_>],
    keys: LaneKeys<'_>,
    encrypt: &mut impl FnMut(&mut [u8], &[usize]),
) {
    let len = pieces.iter().map(ChainData::len).min().unwrap_or(0);
    for offset in (0..len).step_by(BLOCK) {
        for (value, piece) in values.iter_mut().zip(pieces.iter()) {
            let block = piece.block::<BLOCK>(offset);
            for i in 0..BLOCK {
                value[i] ^= block[i];
            }
        }
        encrypt(values.as_flattened_mut(), keys.numbers);
        for (value, piece) in values.iter().zip(pieces.iter_mut()) {
            piece.put(offset, value);
        }
    }
}
