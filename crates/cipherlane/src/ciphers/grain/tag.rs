//! What Grain-128AEADv2 does with the output of its generator: it encrypts with the even bits and
//! authenticates with the odd ones ("Grain-128AEADv2", NIST LWC, 2021, §2.3 and §2.4).
//!
//! The tag is the sum of the register's states r, each taken where a bit m of the message is 1:
//! bit j of it is the sum of m\[i\]·r\[i + j\], a product without carries of the bits of r and those of m
//! in reverse. For 64 bits of the message these are two products, of which bits 63 to 126 count.

use lanes::{InOut, Isa, Level, Registers as _, dispatch_plain};

use crate::secret::{Secret, Wipe};
use crate::traits::mode::Direction;

/// Bytes that a block encrypts, of 32 bytes of output.
const BLOCK: usize = 16;

/// Accumulator and register.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    /// Products so far, and those that stand 64 bits higher.
    products: [[u8; 16]; 2],
    /// The register: the first bit is the lowest.
    register: [u8; 8],
    /// What the accumulator was at first.
    first: [u8; 8],
}

impl Sum {
    pub(super) const ZERO: Self = Self { products: [[0; 16]; 2], register: [0; 8], first: [0; 8] };

    /// From the first 16 bytes of output.
    pub(super) fn new(output: &[u8; 16]) -> Self {
        let [first, register] = *output.as_chunks().0 else { unreachable!("16 bytes") };
        Self { first, register, ..Self::ZERO }
    }

    /// A part that is authenticated only; two bytes of output for each of its bytes.
    pub(super) fn absorb(&mut self, level: Level, output: &[u8], data: &[u8]) {
        let sum = self;
        dispatch_plain!(level, isa => absorb(isa.narrow(), sum, output, data));
    }

    /// A part that is encrypted or decrypted, too.
    pub(super) fn crypt(
        &mut self,
        level: Level,
        output: &[u8],
        mut io: InOut<'_>,
        direction: Direction,
    ) {
        let (sum, io) = (self, &mut io);
        match direction {
            Direction::Encrypt => dispatch_plain!(
                level,
                isa => crypt::<_, false>(isa.narrow(), sum, output, io)
            ),
            Direction::Decrypt => dispatch_plain!(
                level,
                isa => crypt::<_, true>(isa.narrow(), sum, output, io)
            ),
        }
    }

    /// The tag: behind the message stands a bit that is 1, for which the register is added as it is now.
    pub(super) fn tag(&self) -> [u8; 8] {
        let [low, high] = self.products.map(u128::from_le_bytes);
        let sum = ((low ^ high << 64) >> 63) as u64;
        let [first, register] = [self.first, self.register].map(u64::from_le_bytes);
        (sum ^ first ^ register).to_le_bytes()
    }
}

impl Wipe for Sum {
    fn wipe(&mut self) {
        self.products.wipe();
        self.register.wipe();
        self.first.wipe();
    }
}

/// A [`Sum`] in registers.
struct Registers<V> {
    low: V,
    high: V,
    /// The register in the upper half.
    register: V,
}

#[inline(always)]
fn resume<I: Isa>(isa: I, sum: &Sum) -> Registers<I::V> {
    let mut register = Secret([0; 16]);
    register.0[8..].copy_from_slice(&sum.register);
    let [low, high] = &sum.products;
    Registers { low: isa.load128(low), high: isa.load128(high), register: isa.load128(&register.0) }
}

#[inline(always)]
fn keep<I: Isa>(isa: I, registers: &Registers<I::V>, sum: &mut Sum) {
    let mut register = Secret([0; 16]);
    isa.store128(registers.register, &mut register.0);
    sum.register.copy_from_slice(&register.0[8..]);
    let [low, high] = &mut sum.products;
    isa.store128(registers.low, low);
    isa.store128(registers.high, high);
}

#[inline(always)]
fn absorb<I: Isa>(isa: I, sum: &mut Sum, output: &[u8], data: &[u8]) {
    let mut registers = resume(isa, sum);
    let (blocks, rest) = data.as_chunks::<BLOCK>();
    for (block, output) in blocks.iter().zip(output.as_chunks().0) {
        let [_, bits] = split(isa, output);
        add(isa, &mut registers, isa.load128(block), bits);
    }
    keep(isa, &registers, sum);
    if !rest.is_empty() {
        let [_, bits] = split_part(isa, &output[2 * (data.len() - rest.len())..]);
        add_part(isa, registers, isa.load_part(rest), bits, rest.len(), sum);
    }
}

#[inline(always)]
fn crypt<I: Isa, const OPEN: bool>(isa: I, sum: &mut Sum, output: &[u8], io: &mut InOut<'_>) {
    let mut registers = resume(isa, sum);
    let (whole, rest) = (io.len() / BLOCK * BLOCK, io.len() % BLOCK);
    for (offset, output) in (0..whole).step_by(BLOCK).zip(output.as_chunks().0) {
        let [keystream, bits] = split(isa, output);
        let input = io.load(isa, offset);
        let result = isa.xor(input, keystream);
        io.store(isa, offset, result);
        add(isa, &mut registers, if OPEN { result } else { input }, bits);
    }
    keep(isa, &registers, sum);
    if rest > 0 {
        // Behind the end there are zeros in the keystream, so in either text, too.
        let [keystream, bits] = split_part(isa, &output[2 * whole..]);
        let input = io.load_part(isa, whole);
        let result = isa.xor(input, keystream);
        io.store_part(isa, whole, result);
        add_part(isa, registers, if OPEN { result } else { input }, bits, rest, sum);
    }
}

/// The even bits of output, then the odd ones.
#[inline(always)]
fn split<I: Isa>(isa: I, output: &[u8; 2 * BLOCK]) -> [I::V; 2] {
    let [low, high] = output.as_chunks::<BLOCK>().0 else { unreachable!("two halves") };
    halves(isa, isa.load128(low), isa.load128(high))
}

/// The same of fewer bytes, with zeros behind.
#[inline(always)]
fn split_part<I: Isa>(isa: I, output: &[u8]) -> [I::V; 2] {
    let (low, high) = output.split_at(output.len().min(BLOCK));
    halves(isa, isa.load_part(low), isa.load_part(high))
}

#[inline(always)]
fn halves<I: Isa>(isa: I, low: I::V, high: I::V) -> [I::V; 2] {
    let (low, high) = (evens_first(isa, low), evens_first(isa, high));
    [isa.unpack_low64(low, high), isa.unpack_high64(low, high)]
}

/// The 64 even bits in the lower half, the odd ones in the upper.
#[inline(always)]
fn evens_first<I: Isa>(isa: I, x: I::V) -> I::V {
    let x = exchange::<I, 1>(isa, x, 0x2222_2222_2222_2222);
    let x = exchange::<I, 2>(isa, x, 0x0c0c_0c0c_0c0c_0c0c);
    let x = exchange::<I, 4>(isa, x, 0x00f0_00f0_00f0_00f0);
    if const { I::SHUFFLE8_NATIVE } {
        return isa
            .shuffle8(x, isa.splat128(&[0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15]));
    }
    let x = exchange::<I, 8>(isa, x, 0x0000_ff00_0000_ff00);
    let x = exchange::<I, 16>(isa, x, 0x0000_0000_ffff_0000);
    isa.unpack_low32(x, isa.swap64(x))
}

/// Bits under the mask change places with those `N` higher.
#[inline(always)]
fn exchange<I: Isa, const N: u32>(isa: I, x: I::V, mask: u64) -> I::V {
    let differ = isa.and(isa.xor(x, isa.shr64::<N>(x)), isa.splat64(mask));
    isa.xor(x, isa.xor(differ, isa.shl64::<N>(differ)))
}

/// Sixteen bytes of the message with as many of the odd bits.
#[inline(always)]
fn add<I: Isa>(isa: I, registers: &mut Registers<I::V>, message: I::V, bits: I::V) {
    let message = reversed(isa, message);
    // What each half of the message meets first.
    let near = isa.align8::<8>(bits, registers.register);
    registers.low =
        isa.xor3(registers.low, isa.clmul_low(message, near), isa.clmul_high(message, near));
    registers.high =
        isa.xor3(registers.high, isa.clmul_low(message, bits), isa.clmul_high(message, bits));
    registers.register = bits;
}

/// The last `len` bytes, fewer than sixteen, with zeros behind.
#[inline(always)]
fn add_part<I: Isa>(
    isa: I,
    mut registers: Registers<I::V>,
    message: I::V,
    bits: I::V,
    len: usize,
    sum: &mut Sum,
) {
    let mut window = Secret([[0; 16]; 2]);
    isa.store128(registers.register, &mut window.0[0]);
    isa.store128(bits, &mut window.0[1]);
    add(isa, &mut registers, message, bits);
    keep(isa, &registers, sum);
    sum.register.copy_from_slice(&window.0.as_flattened()[8 + len..16 + len]);
}

/// The bits of each half in reverse order.
#[inline(always)]
fn reversed<I: Isa>(isa: I, x: I::V) -> I::V {
    if const { I::SHUFFLE8_NATIVE } {
        let bytes = isa.affine8::<0x8040_2010_0804_0201, 0>(x);
        let places = isa.splat128(&[7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
        return isa.shuffle8(bytes, places);
    }
    let mut bytes = Secret([0; 16]);
    isa.store128(x, &mut bytes.0);
    for half in bytes.0.as_chunks_mut::<8>().0 {
        *half = u64::from_le_bytes(*half).reverse_bits().to_le_bytes();
    }
    isa.load128(&bytes.0)
}
