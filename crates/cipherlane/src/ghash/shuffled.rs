//! Long messages where carry-less multiplication is not an instruction, but a shuffle of
//! bytes is: sixteen blocks side by side, byte `k` of each in one register, times a power
//! that all have in common, nibble by nibble through tables of sixteen entries.
//!
//! A shuffle looks its sixteen entries up inside a register: no address depends on data
//! or key. Derivation: `docs/notes/ghash.md`.

use lanes::{Isa, transpose};

use super::BLOCK;
use super::field::element;
use super::field::{Factor, multiply, square, times_x};
use super::powers::{REGISTERS, View};

/// Blocks side by side: a register's bytes.
const LANES: usize = 16;

/// The length of [`LANES`] blocks in bytes.
pub(super) const ROUND: usize = LANES * BLOCK;

/// From this length on the tables pay.
pub(super) const LEAST: usize = 2 * ROUND;

/// Sixteen registers: of blocks, or of one byte of each.
type Square<V> = [V; BLOCK];

/// Bytes of a product: entry `n` of register `j` is byte `j` of `n` times the factor.
struct Tables<V> {
    low: Square<V>,
    high: Square<V>,
}

/// The modulus without its constant term, from x^120 on, times each nibble: what is
/// added fifteen bytes above a byte when that is cleared, and sixteen.
const FOLDED: [[[u8; 16]; 2]; 2] = [fold(0), fold(4)];

const fn fold(shift: u32) -> [[u8; 16]; 2] {
    let mut parts = [[0; 16]; 2];
    let mut n = 0;
    while n < 16 {
        // x^128 + x^127 + x^126 + x^121
        let r = (n as u16) << shift;
        let product = r << 8 ^ r << 7 ^ r << 6 ^ r << 1;
        [parts[0][n], parts[1][n]] = product.to_le_bytes();
        n += 1;
    }
    parts
}

/// Of whole rounds of data what sixteen blocks are left: hashed from a state of zero, they
/// give the hash of all, `state` included.
#[inline(always)]
pub(super) fn shrink<I: Isa, const REVERSED: bool>(
    isa: I,
    powers: View<'_>,
    state: &[u8; BLOCK],
    data: &[u8],
    left: &mut [u8; ROUND],
) {
    let tables = Tables::new(isa, powers);
    let y = element::<I, REVERSED>(isa, isa.load128(state));
    let mut rounds = data.as_chunks::<ROUND>().0.iter();
    let Some(first) = rounds.next() else { return };
    let mut blocks = load(isa, first);
    blocks[0] = isa.xor(blocks[0], y);
    let mut sums = transpose::bytes(isa, blocks);
    for round in rounds {
        let more = transpose::bytes(isa, load(isa, round));
        sums = times::<I, REVERSED>(isa, &tables, &sums);
        for k in 0..BLOCK {
            sums[k] = isa.xor(sums[k], more[k]);
        }
    }
    let blocks = transpose::bytes(isa, sums);
    for k in 0..LANES {
        isa.store(blocks[k], &mut left[k * BLOCK..]);
    }
}

#[inline(always)]
fn load<I: Isa>(isa: I, round: &[u8; ROUND]) -> Square<I::V> {
    let mut blocks = [isa.zero(); LANES];
    for k in 0..LANES {
        blocks[k] = isa.load(&round[k * BLOCK..]);
    }
    blocks
}

impl<V: Copy> Tables<V> {
    /// Of H^16, less what [`times`] does not clear: a product there is divided by x^120.
    #[inline(always)]
    fn new<I: Isa<V = V>>(isa: I, powers: View<'_>) -> Self {
        let mut x120 = [0; BLOCK];
        x120[15] = 1;
        let power = square(isa, powers.factor(isa, REGISTERS).power);
        let factor = multiply(isa, power, Factor::new(isa, isa.load128(&x120)));
        let mut bytes = [0; BLOCK];
        isa.store128(factor, &mut bytes);
        let mut next = u128::from_le_bytes(bytes);
        let low = Self::multiples(isa, &mut next);
        let high = Self::multiples(isa, &mut next);
        Self { low, high }
    }

    /// All sums of four successive multiples by x.
    #[inline(always)]
    fn multiples<I: Isa<V = V>>(isa: I, next: &mut u128) -> Square<V> {
        let mut products = [isa.zero(); LANES];
        for bit in 0..4 {
            let x = isa.load128(&next.to_le_bytes());
            for n in 0..1 << bit {
                products[(1 << bit) + n] = isa.xor(products[n], x);
            }
            *next = times_x(*next);
        }
        transpose::bytes(isa, products)
    }
}

/// Sixteen elements times the factor.
#[inline(always)]
fn times<I: Isa, const REVERSED: bool>(
    isa: I,
    tables: &Tables<I::V>,
    sums: &Square<I::V>,
) -> Square<I::V> {
    let sums = &ordered::<I, REVERSED>(sums);
    let mut product = [isa.zero(); 2 * BLOCK - 1];
    for k in 0..BLOCK {
        let [low, high] = nibbles(isa, sums[k]);
        for j in 0..BLOCK {
            let sum = isa.xor(product[k + j], isa.shuffle8(tables.low[j], low));
            product[k + j] = isa.xor(sum, isa.shuffle8(tables.high[j], high));
        }
    }
    // The modulus has a constant term, so adding it times a byte clears that byte; what
    // is added lies above all that have to be cleared.
    for k in 0..BLOCK - 1 {
        let nibbles = nibbles(isa, product[k]);
        for part in 0..2 {
            let mut sum = product[k + BLOCK - 1 + part];
            for half in 0..2 {
                let table = isa.splat128(&FOLDED[half][part]);
                sum = isa.xor(sum, isa.shuffle8(table, nibbles[half]));
            }
            product[k + BLOCK - 1 + part] = sum;
        }
    }
    let mut result = [isa.zero(); BLOCK];
    for k in 0..BLOCK {
        result[k] = product[k + BLOCK - 1];
    }
    ordered::<I, REVERSED>(&result)
}

/// Bytes of blocks as bytes of field elements, and back.
#[inline(always)]
fn ordered<I: Isa, const REVERSED: bool>(square: &Square<I::V>) -> Square<I::V> {
    let mut ordered = *square;
    if REVERSED {
        for k in 0..BLOCK {
            ordered[k] = square[BLOCK - 1 - k];
        }
    }
    ordered
}

/// The low and the high nibbles of bytes.
#[inline(always)]
fn nibbles<I: Isa>(isa: I, bytes: I::V) -> [I::V; 2] {
    [isa.and(bytes, isa.splat8(15)), isa.shr8::<4>(bytes)]
}

#[cfg(test)]
mod tests {
    use lanes::{Level, dispatch_aes};

    use super::{LEAST, ROUND, shrink};
    use crate::ghash::{BLOCK, Key, State};
    use crate::secret::Secret;

    fn ghash(key: &Key<true>, state: &State, data: &[u8]) -> [u8; ROUND] {
        let (powers, mut left) = (key.powers.0.early(), [0; ROUND]);
        dispatch_aes!(key.level, isa => shrink::<_, true>(
            lanes::Registers::narrow(isa), powers, &state.0, data, &mut left
        ));
        left
    }

    fn polyval(key: &Key<false>, state: &State, data: &[u8]) -> [u8; ROUND] {
        let (powers, mut left) = (key.powers.0.early(), [0; ROUND]);
        dispatch_aes!(key.level, isa => shrink::<_, false>(
            lanes::Registers::narrow(isa), powers, &state.0, data, &mut left
        ));
        left
    }

    fn compare<const REVERSED: bool>(
        level: Level,
        shrunk: fn(&Key<REVERSED>, &State, &[u8]) -> [u8; ROUND],
    ) {
        let byte = |i: usize| (i.wrapping_mul(0x9e37_79b9) >> 13) as u8;
        for rounds in 1..6 {
            let h = core::array::from_fn(|i| byte(i + 1000 * rounds));
            let key = Key::new(&h, level);
            let data: std::vec::Vec<u8> = (0..rounds * ROUND).map(byte).collect();
            let before: State = Secret(core::array::from_fn(|i| byte(i + 77)));
            let (mut plain, mut short) = (before.clone(), Secret([0; BLOCK]));
            for block in data.chunks(BLOCK) {
                key.absorb(&mut plain, &[block]);
            }
            key.absorb(&mut short, &[&shrunk(&key, &before, &data)]);
            assert_eq!(plain.0, short.0, "{rounds} rounds at {level}");
        }
    }

    #[test]
    fn what_is_left_has_the_same_hash() {
        assert_eq!(LEAST % ROUND, 0);
        for level in Level::available() {
            compare(level, ghash);
            compare(level, polyval);
        }
    }
}
