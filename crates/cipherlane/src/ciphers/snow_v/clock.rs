//! The clock: eight steps of both shift registers and one of the state machine give 16 bytes
//! (2018/1143 §2; 2021/236; TS 35.240), for as many streams as a register has 128-bit groups.
//!
//! ```text
//! z  = (R1 + T1) ⊕ R2                 T1 = b₁, T2 = a₀ (SNOW-V) or a₁ (the others)
//! R1, R2, R3 = σ(R2 + (R3 ⊕ T2)), AESR(R1), AESR(R2)
//! a₀, a₁ = a₁, αx·a₀ ⊕ (a₀a₁ from cell 1 on) ⊕ x⁻¹·a₁ ⊕ b₀
//! b₀, b₁ = b₁, βx·b₀ ⊕ (b₀b₁ from cell 3 on) ⊕ x⁻¹·b₁ ⊕ a₀        SNOW-V
//! a₀, a₁ = a₁, αx·a₀ ⊕ (a₀a₁ from cell 7 on) ⊕ b₀
//! b₀, b₁ = b₁, βx·b₀ ⊕ b₁ ⊕ a₀                                     SNOW-Vi, SNOW 5G
//! ```
//!
//! `a₀` are cells 0 to 7 of A and `a₁` cells 8 to 15. No step of the eight needs a cell that
//! another of them makes, so all are one. See `docs/notes/snow.md`.

use lanes::Isa;

use super::sliced;
use crate::air256::hash::Head;

/// a₀, a₁, b₀, b₁, R1, R2, R3 of one stream.
pub(super) type State = [[u8; 16]; 7];

/// The most streams side by side: the groups of the widest register.
pub(super) const STREAMS: usize = 4;

/// What the initialisation takes: both halves of the key, the IV, and what b₀ begins with.
pub(super) type Seed = [[u8; 16]; 4];

/// The rounds of the initialisation.
pub(super) const ROUNDS: usize = 16;

/// Byte `i` of R1 is byte `SIGMA[i]` of the sum: rows of four bytes become columns.
const SIGMA: [u8; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];

/// The constants of a member, known when compiled.
pub(super) trait Rules {
    /// What a shift of A and of B to the left reduces by.
    const LEFT: [u16; 2];
    /// What a shift to the right reduces by; SNOW-V alone has one.
    const RIGHT: Option<[u16; 2]>;
    /// Whether sums are of 16-bit lanes; else of 32.
    const SUMS_OF_16: bool;
}

/// SNOW-V.
pub(super) enum V {}
/// SNOW-Vi.
pub(super) enum Vi {}
/// SNOW 5G.
pub(super) enum FiveG {}

impl Rules for V {
    const LEFT: [u16; 2] = [0x990f, 0xc963];
    const RIGHT: Option<[u16; 2]> = Some([0xcc87, 0xe4b1]);
    const SUMS_OF_16: bool = false;
}

impl Rules for Vi {
    const LEFT: [u16; 2] = [0x4a6d, 0xcc87];
    const RIGHT: Option<[u16; 2]> = None;
    const SUMS_OF_16: bool = false;
}

impl Rules for FiveG {
    const LEFT: [u16; 2] = Vi::LEFT;
    const RIGHT: Option<[u16; 2]> = None;
    const SUMS_OF_16: bool = true;
}

/// Runs an expression with the constants of a member that is known at run time.
macro_rules! with_rules {
    ($variant:expr, $R:ident => $body:expr) => {
        match $variant {
            Variant::V => {
                type $R = crate::ciphers::snow_v::clock::V;
                $body
            }
            Variant::Vi => {
                type $R = crate::ciphers::snow_v::clock::Vi;
                $body
            }
            Variant::FiveG => {
                type $R = crate::ciphers::snow_v::clock::FiveG;
                $body
            }
        }
    };
}
pub(super) use with_rules;

/// One stream in each 128-bit group, between two clocks.
#[derive(Clone, Copy)]
pub(super) struct Machine<I: Isa> {
    a: [I::V; 2],
    b: [I::V; 2],
    r: [I::V; 3],
}

/// Part `part` of the states of as many streams as there are groups; those behind stay unused.
#[inline(always)]
fn blocks<I: Isa, const PARTS: usize>(states: &[[[u8; 16]; PARTS]], part: usize) -> [&[u8; 16]; 4] {
    let last = const { I::BYTES / 16 } - 1;
    let mut blocks = [&states[0][part]; 4];
    for i in 1..4 {
        if i <= last {
            blocks[i] = &states[i][part];
        }
    }
    blocks
}

impl<I: Isa> Machine<I> {
    /// Where streams were left: as many as there are groups.
    #[inline(always)]
    pub(super) fn load(isa: I, states: &[State]) -> Self {
        let mut v = [isa.zero(); 7];
        for part in 0..7 {
            v[part] = isa.load_blocks(blocks::<I, 7>(states, part));
        }
        Self { a: [v[0], v[1]], b: [v[2], v[3]], r: [v[4], v[5], v[6]] }
    }

    /// What [`load`](Self::load) takes up.
    #[inline(always)]
    pub(super) fn save(&self, isa: I, states: &mut [State]) {
        let ([a0, a1], [b0, b1], [r1, r2, r3]) = (self.a, self.b, self.r);
        let v = [a0, a1, b0, b1, r1, r2, r3];
        for part in 0..7 {
            let mut bytes = [0; 64];
            isa.store(v[part], &mut bytes);
            for i in 0..const { I::BYTES / 16 } {
                states[i][part] = bytes.as_chunks().0[i];
            }
        }
    }

    /// The next 16 bytes of keystream of every stream.
    #[inline(always)]
    pub(super) fn next<R: Rules>(&mut self, isa: I) -> I::V {
        let (Self { a: [a0, a1], b: [b0, b1], r: [r1, r2, r3] }, zero) = (*self, isa.zero());
        let z = isa.xor(sum::<I, R>(isa, r1, b1), r2);
        let t2 = if const { R::RIGHT.is_some() } { a0 } else { a1 };
        let next = sum::<I, R>(isa, r2, isa.xor(r3, t2));
        self.r = if const { I::AES_BYTES == 0 && !I::SHUFFLE8_NATIVE } {
            let [second, third] = sliced::rounds(isa, [r1, r2]);
            [sliced::transposed(isa, next), second, third]
        } else {
            let first = isa.shuffle8(next, isa.splat128(&SIGMA));
            [first, isa.aes_encrypt_round(r1, zero), isa.aes_encrypt_round(r2, zero)]
        };
        let (twice_a, twice_b) = (
            isa.xor(times_x(isa, a0, const { R::LEFT[0] }), b0),
            isa.xor(times_x(isa, b0, const { R::LEFT[1] }), a0),
        );
        let (new_a, new_b) = match const { R::RIGHT } {
            Some(right) => (
                // The latest cells last: they are what the next clock waits for.
                plus_over_x(isa, isa.xor(twice_a, isa.align8::<2>(a1, a0)), a1, right[0]),
                plus_over_x(isa, isa.xor(twice_b, isa.align8::<6>(b1, b0)), b1, right[1]),
            ),
            None => (isa.xor(twice_a, isa.align8::<14>(a1, a0)), isa.xor(twice_b, b1)),
        };
        (self.a, self.b) = ([a1, new_a], [b1, new_b]);
        z
    }

    /// The initialisation (2018/1143 §2.3), and the first three blocks of keystream where they are
    /// wanted. The blocks that the rounds of the first stream give are written to `trace`.
    #[inline(always)]
    pub(super) fn start<R: Rules>(
        isa: I,
        seeds: &[Seed],
        mut heads: Option<&mut [Head]>,
        mut trace: Option<&mut [[u8; 16]; ROUNDS]>,
    ) -> Self {
        let zero = isa.zero();
        let mut v = [zero; 4];
        for part in 0..4 {
            v[part] = isa.load_blocks(blocks::<I, 4>(seeds, part));
        }
        let [low, high, iv, names] = v;
        let mut machine = Self { a: [iv, low], b: [names, high], r: [zero; 3] };
        // One loop: the clock is compiled once.
        let blocks = if heads.is_some() { 3 } else { 0 };
        for round in 0..ROUNDS + blocks {
            let z = machine.next::<R>(isa);
            if round < ROUNDS {
                machine.a[1] = isa.xor(machine.a[1], z);
                if round >= ROUNDS - 2 {
                    let key = if round == ROUNDS - 1 { high } else { low };
                    machine.r[0] = isa.xor(machine.r[0], key);
                }
                if let Some(trace) = &mut trace {
                    isa.store128(z, &mut trace[round]);
                }
            } else if let Some(heads) = &mut heads {
                let mut bytes = [0; 64];
                isa.store(z, &mut bytes);
                for i in 0..const { I::BYTES / 16 } {
                    heads[i][round - ROUNDS] = bytes.as_chunks().0[i];
                }
            }
        }
        machine
    }
}

/// The sum of lanes modulo 2^32 or 2^16.
#[inline(always)]
fn sum<I: Isa, R: Rules>(isa: I, a: I::V, b: I::V) -> I::V {
    if const { R::SUMS_OF_16 } { isa.add16(a, b) } else { isa.add32(a, b) }
}

/// Every cell times x.
#[inline(always)]
fn times_x<I: Isa>(isa: I, a: I::V, reduction: u16) -> I::V {
    isa.xor(isa.add16(a, a), isa.and(isa.sign16(a), isa.splat16(reduction)))
}

/// `sum` and every cell of `a` divided by x.
#[inline(always)]
fn plus_over_x<I: Isa>(isa: I, sum: I::V, a: I::V, reduction: u16) -> I::V {
    // The lowest bit of each cell in its highest.
    let odd = isa.sign16(isa.shl64::<15>(a));
    isa.xor3(sum, isa.shr16::<1>(a), isa.and(odd, isa.splat16(reduction)))
}
