//! The compression function (GB/T 32905-2016, 5.3), written once for the words of one message and for
//! those of many, one in each lane.

use lanes::{Isa, transpose};

/// The constants T of a round (4.2), turned left by its number, as 5.3.3 takes them.
const T: [u32; 64] = {
    let mut t = [0; 64];
    let mut j = 0;
    while j < 64 {
        let constant: u32 = if j < 16 { 0x79cc_4519 } else { 0x7a87_9d8a };
        t[j] = constant.rotate_left(j as u32 % 32);
        j += 1;
    }
    t
};

/// What the compression does with words.
trait Words: Copy {
    /// A word, or a word of each message.
    type W: Copy;

    fn constant(self, x: u32) -> Self::W;
    fn add(self, a: Self::W, b: Self::W) -> Self::W;
    fn xor(self, a: Self::W, b: Self::W) -> Self::W;
    fn rol<const N: u32>(self, a: Self::W) -> Self::W;
    /// The bits of `a` where the mask has ones, else those of `b`.
    fn select(self, mask: Self::W, a: Self::W, b: Self::W) -> Self::W;
}

/// The words of one message, as integers.
#[derive(Clone, Copy)]
struct One;

impl Words for One {
    type W = u32;

    #[inline(always)]
    fn constant(self, x: u32) -> u32 {
        x
    }
    #[inline(always)]
    fn add(self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn xor(self, a: u32, b: u32) -> u32 {
        a ^ b
    }
    #[inline(always)]
    fn rol<const N: u32>(self, a: u32) -> u32 {
        a.rotate_left(N)
    }
    #[inline(always)]
    fn select(self, mask: u32, a: u32, b: u32) -> u32 {
        b ^ (mask & (a ^ b))
    }
}

/// Those of a register of messages.
#[derive(Clone, Copy)]
struct Many<I: Isa>(I);

impl<I: Isa> Words for Many<I> {
    type W = I::V;

    #[inline(always)]
    fn constant(self, x: u32) -> I::V {
        self.0.splat32(x)
    }
    #[inline(always)]
    fn add(self, a: I::V, b: I::V) -> I::V {
        self.0.add32(a, b)
    }
    #[inline(always)]
    fn xor(self, a: I::V, b: I::V) -> I::V {
        self.0.xor(a, b)
    }
    #[inline(always)]
    fn rol<const N: u32>(self, a: I::V) -> I::V {
        self.0.rol32::<N>(a)
    }
    #[inline(always)]
    fn select(self, mask: I::V, a: I::V, b: I::V) -> I::V {
        self.0.select(mask, a, b)
    }
}

/// The permutation P0 (4.4).
#[inline(always)]
fn p0<S: Words>(s: S, x: S::W) -> S::W {
    s.xor(s.xor(x, s.rol::<9>(x)), s.rol::<17>(x))
}

/// The permutation P1 (4.4).
#[inline(always)]
fn p1<S: Words>(s: S, x: S::W) -> S::W {
    s.xor(s.xor(x, s.rol::<15>(x)), s.rol::<23>(x))
}

/// A round (5.3.3) whose number has the remainder `J` modulo 16. The window of message words holds
/// W[j − 12] to W[j + 3], each at its number modulo 16; where it must, a round puts W[j + 4] in the
/// place of W[j − 12] (5.3.2). `LATE` are rounds from 16 on.
#[inline(always)]
fn round<S: Words, const J: usize, const LATE: bool>(
    s: S,
    [a, b, c, d, e, f, g, h]: [S::W; 8],
    w: &mut [S::W; 16],
    t: &[u32; 16],
) -> [S::W; 8] {
    if const { LATE || J >= 12 } {
        let old = s.xor(w[(J + 4) % 16], w[(J + 11) % 16]);
        let mixed = p1(s, s.xor(old, s.rol::<15>(w[(J + 1) % 16])));
        w[(J + 4) % 16] = s.xor(s.xor(mixed, s.rol::<7>(w[(J + 7) % 16])), w[(J + 14) % 16]);
    }
    let a12 = s.rol::<12>(a);
    let ss1 = s.rol::<7>(s.add(s.add(a12, e), s.constant(t[J])));
    let ss2 = s.xor(ss1, a12);
    let (ff, gg) = if LATE {
        // The majority: where `a` and `b` differ, `c` decides.
        (s.select(s.xor(a, b), c, a), s.select(e, f, g))
    } else {
        (s.xor(s.xor(a, b), c), s.xor(s.xor(e, f), g))
    };
    let difference = s.xor(w[J], w[(J + 4) % 16]);
    let tt1 = s.add(s.add(ff, d), s.add(ss2, difference));
    let tt2 = s.add(s.add(gg, h), s.add(ss1, w[J]));
    [tt1, a, s.rol::<9>(b), c, p0(s, tt2), e, s.rol::<19>(f), g]
}

/// Sixteen rounds, each with its place in the window as a constant.
#[inline(always)]
fn sixteen<S: Words, const LATE: bool>(
    s: S,
    v: [S::W; 8],
    w: &mut [S::W; 16],
    t: &[u32; 16],
) -> [S::W; 8] {
    let v = round::<S, 0, LATE>(s, v, w, t);
    let v = round::<S, 1, LATE>(s, v, w, t);
    let v = round::<S, 2, LATE>(s, v, w, t);
    let v = round::<S, 3, LATE>(s, v, w, t);
    let v = round::<S, 4, LATE>(s, v, w, t);
    let v = round::<S, 5, LATE>(s, v, w, t);
    let v = round::<S, 6, LATE>(s, v, w, t);
    let v = round::<S, 7, LATE>(s, v, w, t);
    let v = round::<S, 8, LATE>(s, v, w, t);
    let v = round::<S, 9, LATE>(s, v, w, t);
    let v = round::<S, 10, LATE>(s, v, w, t);
    let v = round::<S, 11, LATE>(s, v, w, t);
    let v = round::<S, 12, LATE>(s, v, w, t);
    let v = round::<S, 13, LATE>(s, v, w, t);
    let v = round::<S, 14, LATE>(s, v, w, t);
    round::<S, 15, LATE>(s, v, w, t)
}

/// The 64 rounds over a block, and its value xored into the one before.
#[inline(always)]
fn compress<S: Words>(s: S, value: [S::W; 8], mut w: [S::W; 16]) -> [S::W; 8] {
    let [first, late @ ..] = T.as_chunks::<16>().0 else { return value };
    let mut v = sixteen::<S, false>(s, value, &mut w, first);
    for t in late {
        v = sixteen::<S, true>(s, v, &mut w, t);
    }
    for i in 0..8 {
        v[i] = s.xor(v[i], value[i]);
    }
    v
}

/// Whole blocks of one message.
#[inline(always)]
pub(super) fn one(value: &mut [u32; 8], blocks: &[[u8; 64]]) {
    for block in blocks {
        let mut w = [0; 16];
        for (word, bytes) in w.iter_mut().zip(block.as_chunks::<4>().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        *value = compress(One, *value, w);
    }
}

/// The words of as many blocks as there are lanes, a register a word: big-endian (5.2).
#[inline(always)]
fn words_of<I: Isa>(isa: I, blocks: &[[u8; 64]; 16]) -> [I::V; 16] {
    let order = isa.splat128(&[3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12]);
    let mut words = [isa.zero(); 16];
    for j in 0..4 {
        let mut quad = [isa.zero(); 4];
        for k in 0..4 {
            // Four messages that stand side by side come from one group of each register.
            let mut quarters = [&[0; 16]; 4];
            for g in 0..I::BYTES / 16 {
                quarters[g] = &blocks[4 * g + k].as_chunks().0[j];
            }
            quad[k] = isa.shuffle8(isa.load_blocks(quarters), order);
        }
        let quad = transpose::words(isa, quad);
        for k in 0..4 {
            words[4 * j + k] = quad[k];
        }
    }
    words
}

/// A block of each message: the values are rows of lanes, a row a word.
#[inline(always)]
pub(super) fn many<I: Isa>(isa: I, value: &mut [[u8; 64]; 8], blocks: &[[u8; 64]; 16]) {
    let mut v = [isa.zero(); 8];
    for i in 0..8 {
        v[i] = isa.load(&value[i]);
    }
    let w = words_of(isa, blocks);
    let v = compress(Many(isa), v, w);
    for i in 0..8 {
        isa.store(v[i], &mut value[i]);
    }
}
