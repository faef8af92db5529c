//! Many chains side by side: which chain stands in which lane, and what happens
//! when one ends.
//!
//! As many chains as there are lanes run for as many blocks as the shortest of
//! them has left. When a chain ends, the next one that waits takes its lane; when
//! none waits, the last lane moves into the gap, so that the lanes in use stay
//! together. The last chain of all is handed to code for one.

use super::{Chain, ChainData};

/// A chain on its way through a lane.
struct Lane<'c, 'd> {
    chain: &'c mut Chain<'d>,
    offset: usize,
}

impl Lane<'_, '_> {
    fn left(&self) -> usize {
        self.chain.data.len() - self.offset
    }
}

/// Runs `chains` of `BLOCK`-byte blocks in at most `LANES` lanes.
///
/// `advance` takes the chaining values of the lanes in use, at least two, and for
/// each a piece of its data, equally long, and moves the values on; `serial`
/// finishes one chain from an offset on, when it is the only one left.
#[inline(always)]
pub(crate) fn schedule<const BLOCK: usize, const LANES: usize>(
    chains: &mut [Chain<'_>],
    mut advance: impl FnMut(&mut [[u8; BLOCK]], &mut [ChainData<'_>]),
    mut serial: impl FnMut(&mut Chain<'_>, usize),
) {
    if let [only] = chains {
        return serial(only, 0);
    }
    let mut waiting = chains.iter_mut().filter(|chain| !chain.data.is_empty());
    let mut values = [[0; BLOCK]; LANES];
    let mut lanes: [Option<Lane<'_, '_>>; LANES] = [const { None }; LANES];
    let mut used = 0;
    loop {
        while used < LANES {
            let Some(chain) = waiting.next() else { break };
            values[used].copy_from_slice(chain.value);
            lanes[used] = Some(Lane { chain, offset: 0 });
            used += 1;
        }
        if let [Some(Lane { chain, offset })] = &mut lanes[..used] {
            chain.value.copy_from_slice(&values[0]);
            return serial(chain, *offset);
        }
        let shortest = lanes[..used].iter().flatten().map(Lane::left).min();
        let Some(len) = shortest else { return };
        {
            let mut pieces = [const { ChainData::Absorb(&[]) }; LANES];
            for (piece, lane) in pieces.iter_mut().zip(lanes.iter_mut().flatten()) {
                *piece = lane.chain.data.part(lane.offset, len);
                lane.offset += len;
            }
            advance(&mut values[..used], &mut pieces[..used]);
        }
        let mut place = 0;
        while place < used {
            match &mut lanes[place] {
                Some(lane) if lane.left() > 0 => place += 1,
                ended => {
                    if let Some(lane) = ended.take() {
                        lane.chain.value.copy_from_slice(&values[place]);
                    }
                    used -= 1;
                    lanes.swap(place, used);
                    values[place] = values[used];
                }
            }
        }
    }
}

/// [`schedule`] with the chaining values in memory between two blocks: `encrypt`
/// enciphers any number of blocks in place, at most `LANES`.
#[inline(always)]
pub(crate) fn run<const BLOCK: usize, const LANES: usize>(
    chains: &mut [Chain<'_>],
    mut encrypt: impl FnMut(&mut [u8]),
    serial: impl FnMut(&mut Chain<'_>, usize),
) {
    schedule::<BLOCK, LANES>(
        chains,
        #[inline(always)]
        |values, pieces| {
            let len = pieces.iter().map(ChainData::len).min().unwrap_or(0);
            for offset in (0..len).step_by(BLOCK) {
                for (value, piece) in values.iter_mut().zip(pieces.iter()) {
                    let block = piece.block::<BLOCK>(offset);
                    for i in 0..BLOCK {
                        value[i] ^= block[i];
                    }
                }
                encrypt(values.as_flattened_mut());
                for (value, piece) in values.iter().zip(pieces.iter_mut()) {
                    piece.put(offset, value);
                }
            }
        },
        serial,
    );
}
