//! Tags of many messages: each keystream block is multiplied by the message bits that
//! its windows begin at.
//!
//! The MACs of the family are one sum of keystream windows, one for each bit that is 1
//! of the message as *extended*: in ZUC-256 a 1 and zeros to the length of a tag stand
//! before the message and a 1 behind it; in 128-EIA3 a 1 behind it and another one where
//! the window of the last word begins. See `docs/notes/zuc-lanes.md`.

use lanes::{Isa, Level, dispatch_aes};

use super::super::mac::multiply::Sums;
use super::work::{Seat, Source, Turn, Work};
use super::{BLOCK, STREAMS};

/// Memory for the sums of the messages under way.
pub(in super::super) type Rooms = [[[u8; 64]; 3]; STREAMS];

/// Authentication of every message.
pub(in super::super) struct Authenticate<'s> {
    pub(in super::super) source: &'s mut dyn Source,
    pub(in super::super) rooms: &'s mut Rooms,
    /// Whether the first keystream words mask the tag, as in ZUC-256, or the last one.
    pub(in super::super) masked_first: bool,
}

impl Work for Authenticate<'_> {
    /// Two words exchanged: the first keystream bit is the highest of 64.
    const ORDER: [u8; 16] = [4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11];

    fn source(&self) -> &dyn Source {
        self.source
    }

    fn bytes(&self, message: usize) -> usize {
        let (bits, tag) = self.source.lengths(message);
        Extended::new(self.masked_first, bits, tag).keystream()
    }

    fn take(&mut self, level: Level, turn: &Turn<'_>) {
        absorb(level, self.masked_first, self.source, self.rooms, turn);
    }
}

/// A message with what is put before and behind it.
#[derive(Clone, Copy)]
struct Extended {
    /// Bytes before the message.
    before: usize,
    /// The bits of the last byte that count.
    last: u8,
    /// The two bits that are 1 besides those of the message.
    ones: [u64; 2],
    /// Bits of the tag.
    tag: u64,
}

impl Extended {
    #[inline(always)]
    fn new(masked_first: bool, bits: u64, tag: usize) -> Self {
        let (before, ones) = if masked_first {
            (tag, [0, 8 * tag as u64 + bits])
        } else {
            (0, [bits, 32 * (bits.div_ceil(32) + 1)])
        };
        let last = 0xff << (bits.wrapping_neg() % 8);
        Self { before, last, ones, tag: 8 * tag as u64 }
    }

    /// How many bytes of keystream the windows reach to.
    #[inline(always)]
    fn keystream(self) -> usize {
        (self.ones[1] + self.tag).div_ceil(8) as usize
    }

    /// The second piece from 16 bytes before `at` on, if `at` is so far in it.
    #[inline(always)]
    fn inside(self, [first, second]: [&[u8]; 2], at: usize) -> &[u8] {
        let Some(begin) = at.checked_sub(self.before + first.len() + 16) else { return &[] };
        // The last byte may not be whole.
        let whole = second.len() - usize::from(self.last != 0xff && !second.is_empty());
        second[..whole].get(begin..).unwrap_or(&[])
    }

    /// The only piece that isn't empty, if its last byte is whole.
    #[inline(always)]
    fn single(self, [first, second]: [&[u8]; 2]) -> Option<&[u8]> {
        match (self.last, first.is_empty(), second.is_empty()) {
            (0xff, true, _) => Some(second),
            (0xff, _, true) => Some(first),
            _ => None,
        }
    }

    /// The same bytes, whatever they are of; without the bits that are 1 besides.
    #[inline(always)]
    fn around(self, text: [&[u8]; 2], at: usize, around: &mut [u8; AROUND]) {
        let mut place = self.before + 16;
        for piece in text {
            // Bytes of these before the piece, and of the piece before these.
            let skip = place.saturating_sub(at).min(AROUND);
            let from = at.saturating_sub(place).min(piece.len());
            let count = (AROUND - skip).min(piece.len() - from);
            around[skip..skip + count].copy_from_slice(&piece[from..from + count]);
            place += piece.len();
        }
        let last = place.wrapping_sub(at + 1);
        if last < AROUND {
            around[last] &= self.last;
        }
    }
}

/// A single bit, the first one to the last one of the middle byte.
static ONE: [[u8; 2 * AROUND + 1]; 8] = {
    let mut one = [[0; 2 * AROUND + 1]; 8];
    let mut bit = 0;
    while bit < 8 {
        one[bit][AROUND] = 0x80 >> bit;
        bit += 1;
    }
    one
};

/// The bytes around `at` of a message that is 0 but for one bit.
#[inline(always)]
fn around_one(one: u64, at: usize) -> &'static [u8] {
    let place = (one / 8 + 16).wrapping_sub(at as u64).min(AROUND as u64) as usize;
    &ONE[(one % 8) as usize][AROUND - place..][..AROUND]
}

/// Bytes of message that 64 of keystream are multiplied by.
const AROUND: usize = 16 + BLOCK;

fn absorb(
    level: Level,
    masked_first: bool,
    source: &mut dyn Source,
    rooms: &mut Rooms,
    turn: &Turn<'_>,
) {
    dispatch_aes!(level, isa => absorb_widths(isa, masked_first, source, rooms, turn));
}

#[inline(always)]
fn absorb_widths<I: Isa>(
    isa: I,
    masked_first: bool,
    source: &mut dyn Source,
    rooms: &mut Rooms,
    turn: &Turn<'_>,
) {
    if const { I::CLMUL_WIDE } {
        absorb_all(isa, masked_first, source, rooms, turn);
    } else {
        absorb_all(isa.narrow(), masked_first, source, rooms, turn);
    }
}

#[inline(always)]
fn absorb_all<I: Isa>(
    isa: I,
    masked_first: bool,
    source: &mut dyn Source,
    rooms: &mut Rooms,
    turn: &Turn<'_>,
) {
    for seat in turn.seats {
        if seat.left == 0 {
            continue;
        }
        let (bits, tag) = source.lengths(seat.message);
        let text = source.text(seat.message);
        let extended = Extended::new(masked_first, bits, tag);
        let Some(room) = rooms.get_mut(seat.room) else { continue };
        let mut sums = if seat.done == 0 { Sums::zero(isa) } else { Sums::load_whole(isa, room) };
        let ends = seat.left <= turn.quads;
        let mut edges = Sums::zero(isa.narrow());
        let [inside, at_edges] = add_blocks(isa, &mut sums, &mut edges, extended, text, seat, turn);
        if const { !I::LOAD_AT_NATIVE } {
            if ends && seat.done == 0 && !inside {
                put_tag(&whole(edges.tag(isa.narrow())), source.tag(seat.message));
                continue;
            }
            if at_edges {
                sums.take_in(isa, &edges);
            }
        }
        if ends {
            put_tag(&whole(sums.tag(isa)), source.tag(seat.message));
        } else {
            sums.store_whole(isa, room);
        }
    }
}

#[inline(always)]
fn whole([first, second]: [u64; 2]) -> [u8; 16] {
    (u128::from(first) << 64 | u128::from(second)).to_be_bytes()
}

/// Writes the first bytes of a tag; the usual lengths without a call.
#[inline(always)]
fn put_tag(whole: &[u8; 16], out: &mut [u8]) {
    match out.len() {
        4 => out.copy_from_slice(&whole[..4]),
        8 => out.copy_from_slice(&whole[..8]),
        16 => out.copy_from_slice(whole),
        n => out.copy_from_slice(&whole[..n]),
    }
}

/// Adds the keystream of a turn. Where a register that reaches beyond the message is loaded through
/// memory, blocks at the message's ends go by sixteen bytes, to sums of their own. Tells whether there
/// were blocks inside the message, and such.
#[inline(always)]
fn add_blocks<I: Isa>(
    isa: I,
    sums: &mut Sums<I>,
    edges: &mut Sums<I::Narrow>,
    extended: Extended,
    text: [&[u8]; 2],
    seat: &Seat,
    turn: &Turn<'_>,
) -> [bool; 2] {
    let wide = extended.tag > 64;
    let quads = turn.quads.min(seat.left);
    let (blocks, stride) = (quads.div_ceil(4), turn.streams * BLOCK);
    let (mut block, mut inner, mut outer) = (0, false, false);
    while block < blocks {
        let z = &turn.keystream[block * stride + seat.stream * BLOCK..];
        let at = seat.done + block * BLOCK;
        let inside = extended.inside(text, at);
        let count = (inside.len().saturating_sub(16) / BLOCK).min(blocks - block);
        if count > 0 {
            if wide {
                add_inside::<I, true>(isa, sums, z, stride, &inside[..16 + count * BLOCK]);
            } else {
                add_inside::<I, false>(isa, sums, z, stride, &inside[..16 + count * BLOCK]);
            }
            (block, inner) = (block + count, true);
            continue;
        }
        let (single, mut copied) = (extended.single(text), [0; AROUND]);
        let (around, start) = if let Some(single) = single {
            (single, at.cast_signed() - (extended.before + 16).cast_signed())
        } else {
            extended.around(text, at, &mut copied);
            (&copied[..], 0)
        };
        let ones = [around_one(extended.ones[0], at), around_one(extended.ones[1], at)];
        let groups = (quads - 4 * block).min(4);
        if const { I::LOAD_AT_NATIVE } {
            add_end(isa, sums, z, (around, start), ones, wide);
        } else if wide {
            add_groups::<_, true>(isa.narrow(), edges, z, (around, start), ones, groups);
        } else {
            add_groups::<_, false>(isa.narrow(), edges, z, (around, start), ones, groups);
        }
        (block, outer) = (block + 1, true);
    }
    [inner, outer]
}

/// Adds a block of keystream times the message from `start` on, which has 16 bytes before it.
#[inline(always)]
fn add_end<I: Isa>(
    isa: I,
    sums: &mut Sums<I>,
    z: &[u8],
    (around, start): (&[u8], isize),
    ones: [&[u8]; 2],
    wide: bool,
) {
    for piece in (0..BLOCK).step_by(I::BYTES) {
        let mut messages = [isa.zero(); 3];
        for i in 0..3 {
            if i == 2 && !wide {
                continue;
            }
            let from = 8 * (2 - i) + piece;
            let message = isa.load_at(around, start + from.cast_signed());
            messages[i] = isa.xor3(message, isa.load(&ones[0][from..]), isa.load(&ones[1][from..]));
        }
        sums.add_behind(isa, isa.load(&z[piece..]), messages, wide);
    }
}

/// Adds groups of keystream times those of a message from `start` on, which has 16 bytes before them.
#[inline(always)]
fn add_groups<I: Isa, const WIDE: bool>(
    isa: I,
    sums: &mut Sums<I>,
    z: &[u8],
    message: (&[u8], isize),
    ones: [&[u8]; 2],
    groups: usize,
) {
    let mut before = group(isa, message, ones, 0);
    for i in 0..groups {
        let now = group(isa, message, ones, i + 1);
        let messages = [now, isa.align8::<8>(now, before), before];
        sums.add_reversed(isa, isa.load(&z[16 * i..]), messages, WIDE);
        before = now;
    }
}

/// Group `i` of a message from `start` on, with the bits that are 1 besides, its bytes reversed.
#[inline(always)]
fn group<I: Isa>(isa: I, (message, start): (&[u8], isize), ones: [&[u8]; 2], i: usize) -> I::V {
    let bytes = part(isa, message, start + (16 * i).cast_signed());
    let [first, second] = ones.map(|one| isa.load(&one[16 * i..]));
    Sums::<I>::reversed(isa, isa.xor3(bytes, first, second))
}

/// Sixteen bytes from `from` on, with zeros where there are none.
#[inline(always)]
fn part<I: Isa>(isa: I, bytes: &[u8], from: isize) -> I::V {
    match usize::try_from(from) {
        Ok(from) => match bytes.get(from..).unwrap_or(&[]) {
            [] => isa.zero(),
            rest if rest.len() >= 16 => isa.load(rest),
            rest => isa.load_part(rest),
        },
        Err(_) if from <= -16 => isa.zero(),
        Err(_) => isa.load_at(bytes, from),
    }
}

/// Adds whole blocks: their message with the 16 bytes before it, and their keystream, a
/// `stride` from one to the next.
#[inline(always)]
fn add_inside<I: Isa, const WIDE: bool>(
    isa: I,
    sums: &mut Sums<I>,
    z: &[u8],
    stride: usize,
    message: &[u8],
) {
    for block in 0..(message.len() - 16) / BLOCK {
        let z = &z[block * stride..][..BLOCK];
        let around = &message[block * BLOCK..][..AROUND];
        for piece in (0..BLOCK).step_by(I::BYTES) {
            let messages = [
                isa.load(&around[16 + piece..]),
                isa.load(&around[8 + piece..]),
                isa.load(&around[piece..]),
            ];
            sums.add_behind(isa, isa.load(&z[piece..]), messages, WIDE);
        }
    }
}
