//! XTS of IEEE 1619 with the tweaks in registers, made beside the rounds.
//!
//! The first one or two registers' tweaks are `T·xⁱ` by carry-less multiplication. A register has 1, 2
//! or 4 blocks, so the next one's are these times x, x² or x⁴, the next two's the first two's times the
//! square of that, and so on: moved up by bits, and what falls out at the end, times x⁷ + x² + x + 1,
//! added at the start. A tile has 8, 16 or 32 blocks, and the next tile's are its own times x⁸, x¹⁶ or
//! x³²: moved up by whole bytes.

use lanes::{InOut, Isa};

use super::BLOCK;
use super::register_blocks::{MOST, late_rounds, round, rounds};
use super::round_keys::Keys;
use crate::tweaks::Order;

/// The longest register in bytes.
const WIDEST: usize = 64;

/// Registers of half a tile, the most at the end of a unit: more with one that is cut short don't
/// stay in registers, and take 1.4 times as long.
const HALF: usize = MOST / 2;

/// The longest unit in bytes that a few registers hold at any level.
pub(super) const SHORT: usize = HALF * WIDEST;

/// For every block of two registers the power of x its tweak is multiplied by, in both lanes.
const POWERS: [u8; 2 * WIDEST] = {
    let mut powers = [0; 2 * WIDEST];
    let mut i = 0;
    while i < powers.len() / BLOCK {
        powers[BLOCK * i] = 1 << i;
        powers[BLOCK * i + 8] = 1 << i;
        i += 1;
    }
    powers
};

/// x⁷ + x² + x + 1, which x¹²⁸ equals.
const X128: u64 = 0x87;

/// The byte shuffles that move a block up by so many bytes, and that bring down what falls out.
const fn moves(bytes: usize) -> [[u8; BLOCK]; 2] {
    let mut moves = [[128; BLOCK]; 2];
    let mut i = 0;
    while i < BLOCK {
        if i < bytes {
            moves[1][i] = (BLOCK - bytes + i) as u8;
        } else {
            moves[0][i] = (i - bytes) as u8;
        }
        i += 1;
    }
    moves
}

/// The tweaks of `U` registers, from that of their first block, which every block of a register has.
#[inline(always)]
fn from_first<I: Isa, const U: usize>(isa: I, first: I::V) -> [I::V; U] {
    let mut tweaks = [first; U];
    // One block is there. Of few longer registers the first two don't wait for each other; of many
    // products count for more.
    let multiplied = match const { I::BYTES } {
        BLOCK => 0,
        _ if U > 1 && U <= HALF => 2,
        _ => 1,
    };
    for u in 0..multiplied {
        let power = isa.load(&POWERS[u * I::BYTES..]);
        let (low, high) = (isa.clmul_low(first, power), isa.clmul_high(first, power));
        let out = isa.clmul_high(high, isa.splat64(X128));
        tweaks[u] = isa.xor3(low, isa.unpack_low64(isa.zero(), high), out);
    }
    for u in multiplied.max(1)..U {
        tweaks[u] = match u {
            1 => times::<I, 1>(isa, tweaks[0]),
            2 | 3 => times::<I, 2>(isa, tweaks[u - 2]),
            _ => times::<I, 4>(isa, tweaks[u - 4]),
        };
    }
    tweaks
}

/// A register's tweaks so many registers later: 1, 2 or 4.
#[inline(always)]
fn times<I: Isa, const REGISTERS: usize>(isa: I, tweaks: I::V) -> I::V {
    match const { REGISTERS * I::BYTES / BLOCK } {
        1 => times_power::<I, 1, 63>(isa, tweaks),
        2 => times_power::<I, 2, 62>(isa, tweaks),
        4 => times_power::<I, 4, 60>(isa, tweaks),
        8 => times_power::<I, 8, 56>(isa, tweaks),
        _ => times_power::<I, 16, 48>(isa, tweaks),
    }
}

/// Every block times x to the power of `UP`; `DOWN` is 64 less that.
#[inline(always)]
fn times_power<I: Isa, const UP: u32, const DOWN: u32>(isa: I, tweaks: I::V) -> I::V {
    let out = isa.shr64::<DOWN>(tweaks);
    let low = isa.clmul_high(out, isa.splat64(X128));
    isa.xor3(isa.shl64::<UP>(tweaks), isa.unpack_low64(isa.zero(), out), low)
}

/// A register's tweaks one tile of [`MOST`] registers later.
#[inline(always)]
fn later<I: Isa>(isa: I, tweaks: I::V) -> I::V {
    let [up, down] = const { &moves(MOST * I::BYTES / BLOCK / 8) };
    let (up, down) = (isa.splat128(up), isa.splat128(down));
    let out = isa.clmul_low(isa.shuffle8(tweaks, down), isa.splat64(X128));
    isa.xor(isa.shuffle8(tweaks, up), out)
}

/// `U` registers; `CUT` says that the last may be cut short.
#[inline(always)]
fn tile<I: Isa, const U: usize, const CUT: bool, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    tweaks: &[I::V; U],
) {
    let (first, key) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let (mut state, mut last) = ([first; U], [key; U]);
    for u in 0..U {
        let cut = CUT && u == U - 1;
        let at = u * I::BYTES;
        let data = if cut { io.load_part(isa, at) } else { io.load(isa, at) };
        state[u] = isa.xor3(data, first, tweaks[u]);
        last[u] = isa.xor(key, tweaks[u]);
    }
    rounds::<I, U, DECRYPT>(isa, keys, &mut state, &last);
    for u in 0..U {
        if CUT && u == U - 1 {
            io.store_part(isa, u * I::BYTES, state[u]);
        } else {
            io.store(isa, u * I::BYTES, state[u]);
        }
    }
}

/// A whole tile, and between its rounds the tweaks of the next: where registers hold both, units for
/// rounds and for products have work at any time, however far a CPU looks ahead.
#[inline(always)]
fn tile_beside<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    mut io: InOut<'_>,
    tweaks: &mut [I::V; MOST],
) {
    let (first, key) = (isa.splat128(keys.first), isa.splat128(keys.last));
    let (mut state, mut last) = ([first; MOST], [key; MOST]);
    for u in 0..MOST {
        state[u] = isa.xor3(io.load(isa, u * I::BYTES), first, tweaks[u]);
        last[u] = isa.xor(key, tweaks[u]);
    }
    for r in 0..MOST {
        round::<I, MOST, DECRYPT>(isa, &keys.middle[r], &mut state);
        tweaks[r] = later(isa, tweaks[r]);
    }
    round::<I, MOST, DECRYPT>(isa, &keys.middle[MOST], &mut state);
    late_rounds::<I, MOST, DECRYPT>(isa, keys, &mut state);
    for u in 0..MOST {
        let end = if DECRYPT {
            isa.aes_decrypt_last(state[u], last[u])
        } else {
            isa.aes_encrypt_last(state[u], last[u])
        };
        io.store(isa, u * I::BYTES, end);
    }
}

/// The last tile, of at most `U` registers of which all but the last are whole; leaves the
/// tweak of the block behind it.
#[inline(always)]
fn end<I: Isa, const U: usize, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    io: InOut<'_>,
    tweaks: &[I::V],
    next: &mut [u8; BLOCK],
) {
    let tweaks: &[I::V; U] = tweaks.first_chunk().expect("a tweak for each block");
    let place = (io.len() / BLOCK - 1) % const { I::BYTES / BLOCK };
    // One block is always whole.
    if const { I::BYTES == BLOCK } {
        tile::<I, U, false, DECRYPT>(isa, keys, io, tweaks);
    } else {
        tile::<I, U, true, DECRYPT>(isa, keys, io, tweaks);
    }
    let mut bytes = [0; WIDEST];
    isa.store(tweaks[U - 1], &mut bytes);
    *next = Order::Little.times_alpha(bytes.as_chunks().0[place]);
}

/// One block, whose tweak is there: nothing is multiplied before the rounds.
#[inline(always)]
fn one<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    io: InOut<'_>,
    tweak: &mut [u8; BLOCK],
) {
    let here = isa.load(tweak);
    tile::<I, 1, false, DECRYPT>(isa, keys, io, &[here]);
    *tweak = Order::Little.times_alpha(*tweak);
}

/// A unit's tweak under its own keys: each block of a register encrypts it, so that each has it.
#[inline(always)]
fn encrypted<I: Isa>(isa: I, keys: Keys<'_>, tweak: &[u8; BLOCK]) -> I::V {
    let mut first = [isa.xor(isa.splat128(tweak), isa.splat128(keys.first))];
    rounds::<I, 1, false>(isa, keys, &mut first, &[isa.splat128(keys.last)]);
    first[0]
}

/// A unit of whole blocks in at most [`HALF`] registers, its tweak encrypted under keys of its own: in a
/// register, where another call would leave it in memory. Longer ones are not touched: `false`.
#[inline(always)]
pub(super) fn unit<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    tweak_keys: Keys<'_>,
    tweak: &[u8; BLOCK],
    io: InOut<'_>,
) -> bool {
    if io.len() > const { HALF * I::BYTES } {
        return false;
    }
    let first = encrypted(isa, tweak_keys, tweak);
    match io.len().div_ceil(I::BYTES) {
        1 if const { I::BYTES == BLOCK } => {
            tile::<I, 1, false, DECRYPT>(isa, keys, io, &[first]);
        }
        // Other whole registers are not worth their code once more.
        1 if io.len() == I::BYTES => {
            tile::<I, 1, false, DECRYPT>(isa, keys, io, &from_first(isa, first));
        }
        1 => tile::<I, 1, true, DECRYPT>(isa, keys, io, &from_first(isa, first)),
        2 => tile::<I, 2, true, DECRYPT>(isa, keys, io, &from_first(isa, first)),
        3 => tile::<I, 3, true, DECRYPT>(isa, keys, io, &from_first(isa, first)),
        _ => tile::<I, HALF, true, DECRYPT>(isa, keys, io, &from_first(isa, first)),
    }
    true
}

/// Whole blocks from `tweak` on, which becomes that of the block behind them; given the keys of a unit's
/// tweak, `tweak` is encrypted first, and there is more than one block.
#[inline(always)]
pub(super) fn blocks<I: Isa, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    tweak_keys: Option<Keys<'_>>,
    mut io: InOut<'_>,
    tweak: &mut [u8; BLOCK],
) {
    let first = match tweak_keys {
        Some(tweak_keys) => encrypted(isa, tweak_keys, tweak),
        None if io.len() == BLOCK => return one::<_, DECRYPT>(isa.narrow(), keys, io, tweak),
        None => isa.splat128(tweak),
    };
    // A short unit does not pay for tweaks it has no blocks for.
    match io.len().div_ceil(I::BYTES) {
        0 => return,
        1 => return end::<I, 1, DECRYPT>(isa, keys, io, &from_first::<I, 1>(isa, first), tweak),
        2 => return end::<I, 2, DECRYPT>(isa, keys, io, &from_first::<I, 2>(isa, first), tweak),
        3 => return end::<I, 3, DECRYPT>(isa, keys, io, &from_first::<I, 3>(isa, first), tweak),
        HALF => {
            let tweaks = from_first::<I, HALF>(isa, first);
            return end::<I, HALF, DECRYPT>(isa, keys, io, &tweaks, tweak);
        }
        _ => {}
    }
    let mut tweaks = from_first::<I, MOST>(isa, first);
    let mut offset = 0;
    while io.len() - offset >= const { MOST * I::BYTES } {
        let part = io.part(offset, const { MOST * I::BYTES });
        offset += const { MOST * I::BYTES };
        if const { I::REGISTERS >= 32 } {
            tile_beside::<I, DECRYPT>(isa, keys, part, &mut tweaks);
            if offset == io.len() {
                return isa.store128(tweaks[0], tweak);
            }
            continue;
        }
        tile::<I, MOST, false, DECRYPT>(isa, keys, part, &tweaks);
        if offset == io.len() {
            return isa.store128(later(isa, tweaks[0]), tweak);
        }
        for u in 0..MOST {
            tweaks[u] = later(isa, tweaks[u]);
        }
    }
    let (_, mut io) = io.split_at(offset);
    if io.len() <= const { HALF * I::BYTES } {
        return ends::<I, 0, DECRYPT>(isa, keys, io, &tweaks, tweak);
    }
    let (first, _) = tweaks.split_first_chunk().expect("half of the tweaks");
    let head = io.part(0, const { HALF * I::BYTES });
    tile::<I, HALF, false, DECRYPT>(isa, keys, head, first);
    let (_, rest) = io.split_at(const { HALF * I::BYTES });
    ends::<I, HALF, DECRYPT>(isa, keys, rest, &tweaks, tweak);
}

/// At most [`HALF`] registers, from the tweaks at `FROM` on.
#[inline(always)]
fn ends<I: Isa, const FROM: usize, const DECRYPT: bool>(
    isa: I,
    keys: Keys<'_>,
    io: InOut<'_>,
    tweaks: &[I::V; MOST],
    next: &mut [u8; BLOCK],
) {
    let (_, tweaks) = tweaks.split_at(FROM);
    match io.len().div_ceil(I::BYTES) {
        1 => end::<I, 1, DECRYPT>(isa, keys, io, tweaks, next),
        2 => end::<I, 2, DECRYPT>(isa, keys, io, tweaks, next),
        3 => end::<I, 3, DECRYPT>(isa, keys, io, tweaks, next),
        _ => end::<I, HALF, DECRYPT>(isa, keys, io, tweaks, next),
    }
}
