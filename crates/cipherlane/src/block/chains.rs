//! Many chains side by side: which chain stands in which lane, and what happens
//! when one ends.
//!
//! Every lane holds one chaining value in a buffer of blocks. A step adds the
//! next input block of each lane to its value, enciphers the buffer and writes
//! the values out. When a chain ends, the next one that waits takes its lane;
//! when none waits, the last lane moves into the gap, so that the lanes in use
//! stay together. The values go through memory, which costs nothing extra: the
//! blocks must be collected from, and delivered to, as many places anyway.

use super::Chain;

/// A chain on its way through a lane.
#[derive(Clone, Copy)]
struct Lane {
    chain: usize,
    offset: usize,
}

/// Runs `chains` of `BLOCK`-byte blocks in at most `LANES` lanes.
///
/// `encrypt` enciphers any number of blocks in place, at most `LANES`; `serial`
/// finishes one chain from an offset on, when it is the only one left.
#[inline(always)]
pub(crate) fn run<const BLOCK: usize, const LANES: usize>(
    chains: &mut [Chain<'_>],
    mut encrypt: impl FnMut(&mut [u8]),
    mut serial: impl FnMut(&mut Chain<'_>, usize),
) {
    let mut values = [[0; BLOCK]; LANES];
    let mut lanes = [Lane { chain: 0, offset: 0 }; LANES];
    let mut used = 0;
    let mut next = 0;
    loop {
        while used < LANES && next < chains.len() {
            if !chains[next].data.is_empty() {
                lanes[used] = Lane { chain: next, offset: 0 };
                values[used].copy_from_slice(chains[next].value);
                used += 1;
            }
            next += 1;
        }
        match used {
            0 => break,
            1 => {
                let Lane { chain, offset } = lanes[0];
                chains[chain].value.copy_from_slice(&values[0]);
                serial(&mut chains[chain], offset);
                used = 0;
                continue;
            }
            _ => {}
        }
        let remaining = |lane: &Lane| chains[lane.chain].data.len() - lane.offset;
        let run = lanes[..used].iter().map(remaining).min().unwrap_or(0);
        for _ in 0..run / BLOCK {
            for (lane, value) in lanes[..used].iter().zip(&mut values) {
                let block = chains[lane.chain].data.block::<BLOCK>(lane.offset);
                for i in 0..BLOCK {
                    value[i] ^= block[i];
                }
            }
            encrypt(values[..used].as_flattened_mut());
            for (lane, value) in lanes[..used].iter_mut().zip(&values) {
                chains[lane.chain].data.put(lane.offset, value);
                lane.offset += BLOCK;
            }
        }
        let mut lane = 0;
        while lane < used {
            let Lane { chain, offset } = lanes[lane];
            if offset < chains[chain].data.len() {
                lane += 1;
                continue;
            }
            chains[chain].value.copy_from_slice(&values[lane]);
            used -= 1;
            lanes[lane] = lanes[used];
            values[lane] = values[used];
        }
    }
}
