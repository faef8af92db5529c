//! Multiples of a tweak of XTS by powers of α = x in `GF(2)[x]/(x¹²⁸ + x⁷ + x² + x + 1)`,
//! in bulk: kernels of their own, because one multiplication after the other takes
//! twice the time of AES.
//!
//! In both orders of [`Order`] a multiplication by α³² moves a tweak's bytes up by
//! four, and adds those that fall out at the end, times x⁷ + x² + x + 1, at the
//! start. A register of tweaks is thus made of the one 32 places before in two
//! shuffles and three shifts, with no chain between them.

use lanes::{Isa, Level, dispatch};

mod leap;

/// How the bytes of a tweak are read as an element of the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Little-endian: bit 0 of byte 0 is the coefficient of x⁰ (IEEE 1619).
    Little,
    /// Bit 7 of byte 0 is the coefficient of x⁰, as in GHASH (GB/T 17964-2021).
    Reflected,
}

/// The length of a tweak in bytes.
const TWEAK: usize = 16;
/// The tweaks of a ring.
pub(crate) const RING: usize = 128;
/// How far apart a tweak and the one it is made of are.
pub(crate) const STRIDE: usize = 32;

impl Order {
    /// A tweak times α, one step of the chain.
    pub(crate) fn times_alpha(self, tweak: [u8; TWEAK]) -> [u8; TWEAK] {
        match self {
            Self::Little => {
                let value = u128::from_le_bytes(tweak);
                (value << 1 ^ (value >> 127).wrapping_neg() & 0x87).to_le_bytes()
            }
            Self::Reflected => {
                let value = u128::from_be_bytes(tweak);
                (value >> 1 ^ (value & 1).wrapping_neg() & 0xe1 << 120).to_be_bytes()
            }
        }
    }

    /// Fills `tweaks` with `first`, `first·α`, `first·α²`, …, one after the other;
    /// returns what comes next.
    pub(crate) fn fill(self, tweaks: &mut [[u8; TWEAK]], first: [u8; TWEAK]) -> [u8; TWEAK] {
        let mut next = first;
        for tweak in tweaks {
            *tweak = next;
            next = self.times_alpha(next);
        }
        next
    }
}

/// Makes the tweaks `from..to` of a ring of consecutive ones, of which those before
/// `from` are there (at 0, those of the last round): at least [`STRIDE`], and `from` a
/// multiple of that. What lies behind `to` is lost.
pub(crate) fn extend(
    level: Level,
    order: Order,
    ring: &mut [[u8; TWEAK]; RING],
    from: usize,
    to: usize,
) {
    dispatch!(level, isa => match order {
        Order::Little => kernel::<_, false>(isa, ring, from, to),
        Order::Reflected => kernel::<_, true>(isa, ring, from, to),
    });
}

#[inline(always)]
fn kernel<I: Isa, const REFLECTED: bool>(
    isa: I,
    ring: &mut [[u8; TWEAK]; RING],
    from: usize,
    to: usize,
) {
    // One tweak a register takes more instructions than the chain does.
    if const { I::BYTES == TWEAK } {
        let order = if REFLECTED { Order::Reflected } else { Order::Little };
        let first = order.times_alpha(ring[(from + RING - 1) % RING]);
        order.fill(&mut ring[from..to], first);
        return;
    }
    let up = isa.splat128(&[128, 128, 128, 128, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    let ring = ring.as_flattened_mut();
    let all = const { RING * TWEAK };
    for at in (from * TWEAK..to * TWEAK).step_by(I::BYTES) {
        let before = isa.load(&ring[(at + all - STRIDE * TWEAK) % all..]);
        let out = reduced::<I, REFLECTED>(isa, before);
        isa.store(isa.xor(isa.shuffle8(before, up), out), &mut ring[at..]);
    }
}

/// What the bytes that fall out become, in its place.
#[inline(always)]
fn reduced<I: Isa, const REFLECTED: bool>(isa: I, tweaks: I::V) -> I::V {
    const NONE: u8 = 128;
    if REFLECTED {
        // As a number whose highest bit is the coefficient of x⁰, and back.
        let index = [
            NONE, NONE, NONE, NONE, 15, 14, 13, 12, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
        ];
        let c = isa.shuffle8(tweaks, isa.splat128(&index));
        let sum = isa.xor3(c, isa.shr64::<1>(c), isa.xor(isa.shr64::<2>(c), isa.shr64::<7>(c)));
        let index = [7, 6, 5, 4, 3, 2, 1, 0, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE];
        isa.shuffle8(sum, isa.splat128(&index))
    } else {
        let index = [
            12, 13, 14, 15, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
        ];
        let c = isa.shuffle8(tweaks, isa.splat128(&index));
        isa.xor3(c, isa.shl64::<1>(c), isa.xor(isa.shl64::<2>(c), isa.shl64::<7>(c)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// α¹²⁸ is x⁷ + x² + x + 1, and α²⁵⁶ its square; `bit` is the bit of a byte for a power.
    fn reduces(order: Order, bit: fn(usize) -> u8) {
        let element = |powers: &[usize]| {
            let mut bytes = [0; TWEAK];
            powers.iter().for_each(|power| bytes[power / 8] |= bit(power % 8));
            bytes
        };
        let mut tweaks = [[0; TWEAK]; 256];
        let next = order.fill(&mut tweaks, element(&[0]));
        for (power, tweak) in tweaks.iter().enumerate().take(128) {
            assert_eq!(*tweak, element(&[power]), "α to the power of {power}");
        }
        assert_eq!(tweaks[128], element(&[7, 2, 1, 0]));
        assert_eq!(next, element(&[14, 4, 2, 0]));
    }

    #[test]
    fn the_polynomial_is_that_of_the_standards() {
        reduces(Order::Little, |power| 1 << power);
        reduces(Order::Reflected, |power| 0x80 >> power);
    }

    #[test]
    fn rings_equal_the_chain_at_every_level() {
        let first = 0x9123_4567_89ab_cdef_fedc_ba98_7654_3211_u128.to_be_bytes();
        for order in [Order::Little, Order::Reflected] {
            let mut expected = [[0; TWEAK]; 3 * RING];
            order.fill(&mut expected, first);
            for level in Level::available() {
                let mut ring = [[0; TWEAK]; RING];
                ring[..STRIDE].copy_from_slice(&expected[..STRIDE]);
                extend(level, order, &mut ring, STRIDE, RING);
                assert_eq!(ring, expected[..RING], "{order:?}, {level}");
                extend(level, order, &mut ring, 0, RING);
                assert_eq!(ring, expected[RING..2 * RING], "{order:?}, {level}, second round");
                for to in 0..=RING {
                    let mut ring = ring;
                    extend(level, order, &mut ring, 0, to);
                    let third = &expected[2 * RING..2 * RING + to];
                    assert_eq!(ring[..to], *third, "{order:?}, {level}, {to} of the third");
                }
            }
        }
    }
}
