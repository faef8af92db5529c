//! Operations on 16-, 32- and 64-bit lanes for levels that lack them: by arithmetic
//! on wider lanes where that is short, else through memory, lane by lane.

use crate::isa::{Numbers, Numbers16};

/// Adds 16-bit lanes: the lower 15 bits can't carry into the next lane, and the top
/// bits are added without carry.
#[inline(always)]
pub(crate) fn add16<I: Numbers16>(isa: I, a: I::V, b: I::V) -> I::V {
    let low = isa.splat16(0x7fff);
    let sum = isa.add64(isa.and(a, low), isa.and(b, low));
    isa.xor(sum, isa.and(isa.xor(a, b), isa.splat16(0x8000)))
}

/// Subtracts 16-bit lanes, as `a + (2^16 − 1 − b) + 1`.
#[inline(always)]
pub(crate) fn sub16<I: Numbers16>(isa: I, a: I::V, b: I::V) -> I::V {
    let not = isa.xor(b, isa.splat64(u64::MAX));
    isa.add16(isa.add16(a, not), isa.splat16(1))
}

/// All ones where `a < b`: the borrow out of bit 15 of `a − b`.
#[inline(always)]
pub(crate) fn less16<I: Numbers16>(isa: I, a: I::V, b: I::V) -> I::V {
    let not = isa.xor(a, isa.splat64(u64::MAX));
    let kept = isa.and(isa.or(not, b), isa.sub16(a, b));
    let borrow = isa.or(isa.and(not, b), kept);
    isa.sub16(isa.zero(), isa.and(isa.shr64::<15>(borrow), isa.splat16(1)))
}

/// Rotates 16-bit lanes left by `N`.
#[inline(always)]
pub(crate) fn rol16<I: Numbers16, const N: u32>(isa: I, a: I::V) -> I::V {
    const { assert!(N > 0 && N < 16, "1 to 15") };
    let left = isa.and(isa.shl64::<N>(a), isa.splat16(const { u16::MAX << N }));
    // A count that depends on `N` can't stand as a constant argument: the lane that
    // wraps around is taken from a rotation of the lane twice over.
    let right = half(isa, a, const { 16 - N });
    isa.or(left, isa.and(right, isa.splat16(const { !(u16::MAX << N) })))
}

/// Shifts 64-bit lanes right by a count that is known when compiled.
#[inline(always)]
fn half<I: Numbers>(isa: I, a: I::V, count: u32) -> I::V {
    let a = if count & 1 != 0 { isa.shr64::<1>(a) } else { a };
    let a = if count & 2 != 0 { isa.shr64::<2>(a) } else { a };
    let a = if count & 4 != 0 { isa.shr64::<4>(a) } else { a };
    if count & 8 != 0 { isa.shr64::<8>(a) } else { a }
}

/// Rotates 16-bit lanes: each stands twice in a 32-bit lane, whose rotation has the
/// wanted one in both halves.
#[inline(always)]
pub(crate) fn rol16_by<I: Numbers16>(isa: I, a: I::V, by: I::V) -> I::V {
    let (a_high, by_high) = (isa.shr32::<16>(a), isa.shr32::<16>(by));
    let mask = isa.splat32(15);
    let low = isa.join16(isa.shl32::<16>(a), a);
    let low = isa.rol32_by(low, isa.and(by, mask));
    let high = isa.rol32_by(isa.join16(a, a_high), isa.and(by_high, mask));
    isa.join16(high, low)
}

/// Runs a loop over the lanes of one register or two in memory.
macro_rules! in_memory {
    ($isa:ident, $a:ident, $b:ident, $lane:ty, |$x:ident, $y:ident| $result:expr) => {{
        let (mut a, mut b) = ([0; 64], [0; 64]);
        $isa.store($a, &mut a);
        $isa.store($b, &mut b);
        let (lanes, _) = a.as_chunks_mut::<{ size_of::<$lane>() }>();
        let (others, _) = b.as_chunks::<{ size_of::<$lane>() }>();
        for (lane, other) in lanes.iter_mut().zip(others) {
            let ($x, $y) = (<$lane>::from_le_bytes(*lane), <$lane>::from_le_bytes(*other));
            *lane = <$lane>::to_le_bytes($result);
        }
        $isa.load(&a)
    }};
}

/// Bits `SHIFT` to `SHIFT + 15` of the products of 16-bit lanes.
#[inline(always)]
pub(crate) fn multiply16<I: Numbers16, const SHIFT: u32>(isa: I, a: I::V, b: I::V) -> I::V {
    in_memory!(isa, a, b, u16, |x, y| ((u32::from(x) * u32::from(y)) >> SHIFT) as u16)
}

/// Rotates 32-bit lanes left by other lanes.
#[inline(always)]
pub(crate) fn rol32_by<I: Numbers>(isa: I, a: I::V, by: I::V) -> I::V {
    in_memory!(isa, a, by, u32, |x, n| x.rotate_left(n & 31))
}

/// Rotates 64-bit lanes left by other lanes.
#[inline(always)]
pub(crate) fn rol64_by<I: Numbers>(isa: I, a: I::V, by: I::V) -> I::V {
    in_memory!(isa, a, by, u64, |x, n| x.rotate_left((n & 63) as u32))
}

/// Entries of a table of 64, in rows of eight, each looked up in by the places of the two
/// bytes in the table.
#[inline(always)]
pub(crate) fn lookup16<I: Numbers16>(isa: I, table: &[u16; 64], a: I::V) -> I::V {
    let wanted = isa.and(a, isa.splat16(63));
    let twice = isa.add16(wanted, wanted);
    let places = isa.or(twice, isa.add16(isa.shl64::<8>(twice), isa.splat16(0x0100)));
    let mut found = isa.zero();
    for row in 0..8 {
        let mut entries = [0; 16];
        for i in 0..8 {
            entries[2 * i..2 * i + 2].copy_from_slice(&table[8 * row + i].to_le_bytes());
        }
        // Below 16 in the lanes of this row alone; a shuffle gives 0 from 128 on.
        let index = isa.add8(isa.xor(places, isa.splat8(16 * row as u8)), isa.splat8(0x70));
        found = isa.or(found, isa.shuffle8(isa.splat128(&entries), index));
    }
    found
}

/// Lanes of the rows that the low bytes of lanes name.
#[inline(always)]
pub(crate) fn pick32<I: Numbers>(isa: I, rows: &[[u8; 64]; 256], row: I::V) -> I::V {
    let mut bytes = [0; 64];
    isa.store(row, &mut bytes);
    for lane in 0..16 {
        let row = &rows[usize::from(bytes[4 * lane])];
        bytes[4 * lane..4 * lane + 4].copy_from_slice(&row[4 * lane..4 * lane + 4]);
    }
    isa.load(&bytes)
}
