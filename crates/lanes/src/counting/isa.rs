//! Every operation of a level, counted.

use super::trace::{self, START};
use super::{Counting, Operation, Traced};
use crate::Isa;
use crate::isa::{ByteMaps, CarrylessProducts, Numbers, Numbers16, Registers, Rounds, Sealed};

impl<I: Isa, W: Isa> Sealed for Counting<I, W> {}

impl<I: Isa, W: Isa> Registers for Counting<I, W> {
    type V = Traced<I::V>;
    const BYTES: usize = I::BYTES;
    const REGISTERS: usize = I::REGISTERS;
    const LANES_NATIVE: bool = I::LANES_NATIVE;
    const SHORT_CHAINS: bool = I::SHORT_CHAINS;
    const XOR3_NATIVE: bool = I::XOR3_NATIVE;
    const LOAD_AT_NATIVE: bool = I::LOAD_AT_NATIVE;
    const SHUFFLE8_NATIVE: bool = I::SHUFFLE8_NATIVE;
    type Narrow = Counting<I::Narrow, W>;

    #[inline(always)]
    fn narrow(self) -> Self::Narrow {
        Counting::of(self.0.narrow())
    }
    #[inline(always)]
    fn load(self, bytes: &[u8]) -> Self::V {
        Self::loaded(Operation::load, self.0.load(bytes), bytes)
    }
    #[inline(always)]
    fn load_part(self, bytes: &[u8]) -> Self::V {
        Self::loaded(Operation::load_part, self.0.load_part(bytes), bytes)
    }
    #[inline(always)]
    fn load_at(self, bytes: &[u8], from: isize) -> Self::V {
        let first = bytes.get(from.max(0).unsigned_abs()..).unwrap_or(&[]);
        Self::loaded(Operation::load_part, self.0.load_at(bytes, from), first)
    }
    #[inline(always)]
    fn load128(self, bytes: &[u8; 16]) -> Self::V {
        Self::loaded(Operation::load, self.0.load128(bytes), bytes)
    }
    #[inline(always)]
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> Self::V {
        Self::loaded(Operation::load_blocks, self.0.load_blocks(blocks), blocks[0])
    }
    #[inline(always)]
    fn store(self, v: Self::V, bytes: &mut [u8]) {
        self.0.store(v.v, bytes);
        trace::store(Self::count(Operation::store, &[v.after]), &bytes[..I::BYTES]);
    }
    #[inline(always)]
    fn store_part(self, v: Self::V, bytes: &mut [u8]) {
        self.0.store_part(v.v, bytes);
        let written = bytes.len().min(I::BYTES);
        trace::store(Self::count(Operation::store_part, &[v.after]), &bytes[..written]);
    }
    #[inline(always)]
    fn store128(self, v: Self::V, bytes: &mut [u8; 16]) {
        self.0.store128(v.v, bytes);
        trace::store(Self::count(Operation::store, &[v.after]), bytes);
    }
    #[inline(always)]
    fn store_blocks(self, v: Self::V, blocks: [Option<&mut [u8; 16]>; 4]) {
        Self::count(Operation::store_blocks, &[v.after]);
        self.0.store_blocks(v.v, blocks);
    }
    #[inline(always)]
    fn low64(self, a: Self::V) -> u64 {
        Self::count(Operation::low64, &[a.after]);
        self.0.low64(a.v)
    }
    #[inline(always)]
    fn low32(self, a: Self::V) -> u32 {
        Self::count(Operation::low64, &[a.after]);
        self.0.low32(a.v)
    }
    #[inline(always)]
    fn transpose_groups(self, a: [Self::V; 4]) -> [Self::V; 4] {
        let takes = [a[0].after, a[1].after, a[2].after, a[3].after];
        let after = Self::count(Operation::transpose_groups, &takes);
        let [a, b, c, d] = self.0.transpose_groups([a[0].v, a[1].v, a[2].v, a[3].v]);
        [
            Traced { v: a, after },
            Traced { v: b, after },
            Traced { v: c, after },
            Traced { v: d, after },
        ]
    }
    #[inline(always)]
    fn zero(self) -> Self::V {
        Traced { v: self.0.zero(), after: START }
    }
    #[inline(always)]
    fn pin(self, a: Self::V) -> Self::V {
        Traced { v: self.0.pin(a.v), after: a.after }
    }

    splats! { splat8: u8 splat16: u16 splat32: u32 splat64: u64 splat128: &[u8; 16] }

    counted! {
        xor: xor(a b);
        xor3: xor3(a b c);
        and: and(a b);
        or: or(a b);
        select: select(mask a b);
        shuffle8: shuffle8(a index);
        unpack: unpack_low8(a b);
        unpack: unpack_high8(a b);
        unpack: unpack_low32(a b);
        unpack: unpack_high32(a b);
        unpack: unpack_low64(a b);
        unpack: unpack_high64(a b);
        swap64: swap64(a);
        align8: align8<const N: i32>(high low);
        shuffle8: reverse8(a);
        xor_groups: xor_groups(a);
    }
}

impl<I: Isa, W: Isa> Numbers for Counting<I, W> {
    const FUNNEL_NATIVE: bool = I::FUNNEL_NATIVE;
    const ROTATE_BY_NATIVE: bool = I::ROTATE_BY_NATIVE;
    const PICK_NATIVE: bool = I::PICK_NATIVE;

    // By whole bytes it is a shuffle where the level has no rotation.
    #[inline(always)]
    fn rol32<const N: u32>(self, a: Self::V) -> Self::V {
        let bytes = N.is_multiple_of(8);
        let operation = if bytes { Operation::rol32_by_bytes } else { Operation::rol32 };
        Traced { v: self.0.rol32::<N>(a.v), after: Self::count(operation, &[a.after]) }
    }

    counted! {
        join16: join16(high low);
        add8: add8(a b);
        less8: less8(a b);
        shr8: shr8<const N: u32>(a);
        pick32: pick32([rows: &[[u8; 64]; 256]] row);
        add32: add32(a b);
        sub32: sub32(a b);
        max_i32: max_i32(a b);
        add64: add64(a b);
        mul_low_halves: mul_low_halves(a b);
        sub64: sub64(a b);
        rol32_by: rol32_by(a by);
        rol64_by: rol64_by(a by);
        rol32_lowest: rol32_lowest<const N: u32>(a);
        shl32: shl32<const N: u32>(a);
        shr32: shr32<const N: u32>(a);
        across16: across16(high low);
        shld32: shld32<const N: u32>(high low);
        shl64: shl64<const N: u32>(a);
        shr64: shr64<const N: u32>(a);
        rol64: rol64<const N: u32>(a);
    }
}

impl<I: Isa, W: Isa> Numbers16 for Counting<I, W> {
    const NUMBERS16_NATIVE: bool = I::NUMBERS16_NATIVE;
    const LOOKUP16_NATIVE: bool = I::LOOKUP16_NATIVE;

    counted! {
        add16: add16(a b);
        sub16: sub16(a b);
        mullo16: mullo16(a b);
        mulhi16: mulhi16(a b);
        less16: less16(a b);
        equal16: equal16(a b);
        min_u16: min_u16(a b);
        sub_saturated16: sub_saturated16(a b);
        shr16: shr16<const N: u32>(a);
        sign16: sign16(a);
        rol16: rol16<const N: u32>(a);
        rol16_by: rol16_by(a by);
        lookup16: lookup16([table: &[u16; 64]] a);
    }
}

impl<I: Isa, W: Isa> CarrylessProducts for Counting<I, W> {
    const CLMUL_NATIVE: bool = I::CLMUL_NATIVE;
    const CLMUL_WIDE: bool = I::CLMUL_WIDE;

    counted! {
        clmul: clmul_low(a b);
        clmul: clmul_high(a b);
    }
}

impl<I: Isa, W: Isa> ByteMaps for Counting<I, W> {
    const BYTE_MAPS: bool = I::BYTE_MAPS;
    const BYTE_MAPS_NATIVE: bool = I::BYTE_MAPS_NATIVE;
    const LOOKUP8_NATIVE: bool = I::LOOKUP8_NATIVE;

    counted! {
        lookup8: lookup8([table: &[u8; 256]] a);
        aes_sub_bytes: aes_sub_bytes(a);
        affine8: affine8<const MATRIX: u64, const CONSTANT: i32>(a);
        affine8: affine8_pair<const EVEN: u64, const ODD: u64>(a);
        affine_inverse8: affine_inverse8<const MATRIX: u64, const CONSTANT: i32>(a);
    }
}

impl<I: Isa, W: Isa> Rounds for Counting<I, W> {
    const AES_BYTES: usize = I::AES_BYTES;
    const SM4_BYTES: usize = I::SM4_BYTES;

    counted! {
        aes_round: aes_encrypt_round(a key);
        aes_round: aes_encrypt_last(a key);
        aes_round: aes_decrypt_round(a key);
        aes_round: aes_decrypt_last(a key);
        aes_inverse_mix_columns: aes_inverse_mix_columns(a);
        sm4_rounds: sm4_rounds(a keys);
        sm4_next_keys: sm4_next_keys(a constants);
    }
}
