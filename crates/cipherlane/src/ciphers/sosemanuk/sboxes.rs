//! The S-boxes of Serpent, bit-sliced (Anderson, Biham, Knudsen, "Serpent", 1998, annex A.5):
//! word `i` holds bit `i` of 32 nibbles, which are substituted all at once.
//!
//! Each is about 18 operations, in the order found by Osvik ("Speeding up Serpent", 2000);
//! a test compares them with the tables as printed.

use super::word::Word;

/// The S-box of that number.
#[inline(always)]
pub(super) fn substitute<W: Word, const NUMBER: usize>(w: W, x: [W::V; 4]) -> [W::V; 4] {
    match NUMBER {
        0 => s0(w, x),
        1 => s1(w, x),
        2 => s2(w, x),
        3 => s3(w, x),
        4 => s4(w, x),
        5 => s5(w, x),
        6 => s6(w, x),
        _ => s7(w, x),
    }
}

/// S0.
#[inline(always)]
fn s0<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.xor(d, a);
    let t2 = w.and(b, t1);
    let t3 = w.xor(b, c);
    let t4 = w.xor(t2, a);
    let t5 = w.or(a, t1);
    let t6 = w.xor(t5, t3);
    let t7 = w.xor(t3, t1);
    let t8 = w.xor(t1, c);
    let t9 = w.or(c, t4);
    let t10 = w.xor(t9, t7);
    let t11 = w.not(t7);
    let t12 = w.or(t11, t4);
    let t13 = w.xor(t4, t8);
    let t14 = w.xor(t13, t12);
    let t15 = w.or(t8, t6);
    let t16 = w.xor(t14, t15);
    let t17 = w.xor(t12, t15);
    [t16, t17, t10, t6]
}

/// S1.
#[inline(always)]
fn s1<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.not(a);
    let t2 = w.not(c);
    let t3 = w.and(t1, b);
    let t4 = w.xor(t2, t3);
    let t5 = w.or(t3, d);
    let t6 = w.xor(d, t4);
    let t7 = w.xor(b, t5);
    let t8 = w.xor(t5, t1);
    let t9 = w.or(t1, t7);
    let t10 = w.xor(t7, t6);
    let t11 = w.or(t4, t8);
    let t12 = w.and(t11, t9);
    let t13 = w.xor(t8, t10);
    let t14 = w.and(t10, t12);
    let t15 = w.xor(t14, t13);
    let t16 = w.and(t13, t12);
    let t17 = w.xor(t16, t9);
    [t12, t17, t6, t15]
}

/// S2.
#[inline(always)]
fn s2<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.and(a, c);
    let t2 = w.xor(t1, d);
    let t3 = w.xor(c, b);
    let t4 = w.xor(t3, t2);
    let t5 = w.or(d, a);
    let t6 = w.xor(t5, b);
    let t7 = w.xor(a, t4);
    let t8 = w.or(t6, t7);
    let t9 = w.xor(t8, t2);
    let t10 = w.and(t2, t6);
    let t11 = w.xor(t7, t10);
    let t12 = w.xor(t6, t9);
    let t13 = w.xor(t12, t11);
    let t14 = w.not(t11);
    [t4, t9, t13, t14]
}

/// S3.
#[inline(always)]
fn s3<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.or(a, d);
    let t2 = w.xor(d, b);
    let t3 = w.and(b, a);
    let t4 = w.xor(a, c);
    let t5 = w.xor(c, t2);
    let t6 = w.and(t2, t1);
    let t7 = w.or(t4, t3);
    let t8 = w.xor(t6, t7);
    let t9 = w.xor(t1, t3);
    let t10 = w.and(t7, t9);
    let t11 = w.xor(t3, t8);
    let t12 = w.xor(t10, t5);
    let t13 = w.or(t11, t9);
    let t14 = w.xor(t13, t5);
    let t15 = w.xor(t9, t8);
    let t16 = w.or(t14, t8);
    let t17 = w.xor(t16, t15);
    [t17, t14, t8, t12]
}

/// S4.
#[inline(always)]
fn s4<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.xor(b, d);
    let t2 = w.not(d);
    let t3 = w.xor(c, t2);
    let t4 = w.xor(t2, a);
    let t5 = w.and(t1, t4);
    let t6 = w.xor(t5, t3);
    let t7 = w.xor(t1, t4);
    let t8 = w.xor(a, t7);
    let t9 = w.and(t3, t7);
    let t10 = w.xor(t9, t8);
    let t11 = w.and(t8, t6);
    let t12 = w.xor(t4, t11);
    let t13 = w.or(t7, t6);
    let t14 = w.xor(t13, t11);
    let t15 = w.or(t11, t12);
    let t16 = w.xor(t15, t10);
    let t17 = w.and(t10, t12);
    let t18 = w.not(t16);
    let t19 = w.xor(t14, t17);
    [t6, t19, t18, t12]
}

/// S5.
#[inline(always)]
fn s5<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.xor(a, b);
    let t2 = w.xor(b, d);
    let t3 = w.not(d);
    let t4 = w.and(t2, t1);
    let t5 = w.xor(c, t3);
    let t6 = w.xor(t4, t5);
    let t7 = w.or(t5, t2);
    let t8 = w.xor(t2, t3);
    let t9 = w.and(t3, t6);
    let t10 = w.xor(t9, t1);
    let t11 = w.xor(t8, t6);
    let t12 = w.xor(t11, t7);
    let t13 = w.xor(t7, t1);
    let t14 = w.and(t1, t10);
    let t15 = w.not(t13);
    let t16 = w.xor(t14, t12);
    let t17 = w.or(t12, t10);
    let t18 = w.xor(t15, t17);
    [t6, t10, t16, t18]
}

/// S6.
#[inline(always)]
fn s6<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.not(c);
    let t2 = w.and(d, a);
    let t3 = w.xor(a, d);
    let t4 = w.xor(t2, t1);
    let t5 = w.or(t1, d);
    let t6 = w.xor(b, t4);
    let t7 = w.xor(t5, t3);
    let t8 = w.or(t3, t6);
    let t9 = w.xor(t7, t6);
    let t10 = w.xor(d, t8);
    let t11 = w.or(t8, t4);
    let t12 = w.xor(t11, t9);
    let t13 = w.xor(t10, t4);
    let t14 = w.xor(t13, t12);
    let t15 = w.not(t4);
    let t16 = w.and(t9, t14);
    let t17 = w.xor(t16, t15);
    [t12, t6, t14, t17]
}

/// S7.
#[inline(always)]
fn s7<W: Word>(w: W, [a, b, c, d]: [W::V; 4]) -> [W::V; 4] {
    let t1 = w.and(c, b);
    let t2 = w.xor(t1, d);
    let t3 = w.xor(c, t2);
    let t4 = w.xor(t2, b);
    let t5 = w.and(d, b);
    let t6 = w.xor(b, a);
    let t7 = w.or(a, t3);
    let t8 = w.xor(t7, t4);
    let t9 = w.xor(t5, t6);
    let t10 = w.xor(t4, t9);
    let t11 = w.and(t9, t8);
    let t12 = w.xor(t11, t3);
    let t13 = w.xor(t3, t10);
    let t14 = w.and(t10, t8);
    let t15 = w.not(t13);
    let t16 = w.xor(t14, t15);
    let t17 = w.and(t15, t8);
    let t18 = w.xor(t6, t12);
    let t19 = w.xor(t17, t18);
    [t16, t19, t12, t8]
}

#[cfg(test)]
mod tests {
    use super::super::word::Single;
    use super::*;

    /// Annex A.5.
    const TABLES: [[u8; 16]; 8] = [
        [3, 8, 15, 1, 10, 6, 5, 11, 14, 13, 4, 2, 7, 0, 9, 12],
        [15, 12, 2, 7, 9, 0, 5, 10, 1, 11, 14, 8, 6, 13, 3, 4],
        [8, 6, 7, 9, 3, 12, 10, 15, 13, 1, 14, 4, 0, 11, 5, 2],
        [0, 15, 11, 8, 12, 9, 6, 3, 13, 1, 2, 4, 10, 7, 5, 14],
        [1, 15, 8, 3, 12, 0, 11, 6, 2, 5, 4, 10, 9, 14, 7, 13],
        [15, 5, 2, 11, 4, 10, 9, 12, 0, 3, 14, 8, 13, 6, 7, 1],
        [7, 2, 12, 5, 8, 4, 6, 11, 14, 9, 1, 15, 13, 3, 10, 0],
        [1, 13, 15, 0, 14, 8, 2, 11, 7, 4, 12, 10, 9, 3, 5, 6],
    ];

    fn check<const NUMBER: usize>() {
        // Nibble n in bit n.
        let x = [0xaaaa, 0xcccc, 0xf0f0, 0xff00];
        let y = substitute::<_, NUMBER>(Single, x);
        for nibble in 0..16 {
            let got = (0..4).fold(0, |got, bit| got | (y[bit] >> nibble & 1) << bit);
            assert_eq!(got, u32::from(TABLES[NUMBER][nibble]), "S{NUMBER} of {nibble}");
        }
    }

    #[test]
    fn circuits_are_the_tables() {
        check::<0>();
        check::<1>();
        check::<2>();
        check::<3>();
        check::<4>();
        check::<5>();
        check::<6>();
        check::<7>();
    }
}
