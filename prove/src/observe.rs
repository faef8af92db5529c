//! What one instruction shows to somebody who sees addresses: its own, and those it accesses.
//!
//! Addresses are computed from the registers before the instruction runs. Where a mask or a
//! vector of indices decides what is accessed, its contents count as an address: in moves,
//! gathers and scatters always, in arithmetic where the operand lies across two cache lines.
//! (Within one line, CPUs read the operand of masked arithmetic as a whole and mask the result;
//! compilers make such instructions of `x & -bit`.) The operands of a division count too, as its
//! time depends on them.

use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, OpKind, Register};

/// The registers before an instruction.
pub(crate) struct State<'a> {
    /// In the order of their numbers: RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 to R15.
    pub(crate) general: [u64; 16],
    /// The address of the instruction.
    pub(crate) instruction: u64,
    /// Vector and mask registers as XSAVE writes them; empty if the system gives none.
    pub(crate) extended: &'a [u8],
    /// Where XSAVE writes what.
    pub(crate) layout: &'a Layout,
}

/// Offsets of the components of XSAVE in its uncompacted form.
pub(crate) struct Layout {
    /// Upper halves of YMM0 to YMM15.
    pub(crate) ymm: usize,
    /// K0 to K7.
    pub(crate) masks: usize,
    /// Upper halves of ZMM0 to ZMM15.
    pub(crate) zmm: usize,
    /// ZMM16 to ZMM31, whole.
    pub(crate) high: usize,
}

/// Where the header of XSAVE tells which components are not in their initial state.
const PRESENT: usize = 512;
const XMM: usize = 160;

impl State<'_> {
    fn word(&self, offset: usize) -> u64 {
        let bytes = self.extended.get(offset..).and_then(|bytes| bytes.first_chunk());
        bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
    }

    /// A word of a component, which is 0 where the component is in its initial state.
    fn component(&self, number: u32, offset: usize) -> u64 {
        if self.word(PRESENT) >> number & 1 == 0 { 0 } else { self.word(offset) }
    }

    fn mask(&self, register: Register) -> u64 {
        self.component(5, self.layout.masks + 8 * register.number())
    }

    /// The 64 bytes of a vector register.
    fn vector(&self, register: Register) -> [u64; 8] {
        let n = register.number();
        let mut words = [0; 8];
        for (i, word) in words.iter_mut().enumerate() {
            *word = match i {
                _ if n >= 16 => self.component(7, self.layout.high + 64 * (n - 16) + 8 * i),
                0..2 => self.word(XMM + 16 * n + 8 * i),
                2..4 => self.component(2, self.layout.ymm + 16 * n + 8 * (i - 2)),
                _ => self.component(6, self.layout.zmm + 32 * n + 8 * (i - 4)),
            };
        }
        words
    }

    fn general(&self, register: Register) -> u64 {
        let full = register.full_register();
        if !full.is_gpr64() {
            return 0;
        }
        let value = self.general[full.number()];
        match register.size() {
            8 => value,
            size => value & ((1 << (8 * size)) - 1),
        }
    }
}

fn is_memory(kind: OpKind) -> bool {
    use OpKind as O;
    matches!(
        kind,
        O::Memory
            | O::MemorySegSI
            | O::MemorySegESI
            | O::MemorySegRSI
            | O::MemorySegDI
            | O::MemorySegEDI
            | O::MemorySegRDI
            | O::MemoryESDI
            | O::MemoryESEDI
            | O::MemoryESRDI
    )
}

/// These have an operand that looks like memory and access none.
fn only_computes(mnemonic: Mnemonic) -> bool {
    matches!(mnemonic, Mnemonic::Lea | Mnemonic::Nop)
}

/// Bytes of a cache line.
const LINE: usize = 64;

/// These have a vector for a mask: their second operand.
fn moves_by_vector(mnemonic: Mnemonic) -> bool {
    use Mnemonic as M;
    matches!(mnemonic, M::Vmaskmovps | M::Vmaskmovpd | M::Vpmaskmovd | M::Vpmaskmovq)
}

/// Whether the instruction does nothing but move.
fn moves(it: &Instruction) -> bool {
    let name = it.mnemonic();
    (Mnemonic::Vmovapd..=Mnemonic::Vmovups).contains(&name)
        || it.op0_kind() == OpKind::Memory
        || moves_by_vector(name)
        || [Mnemonic::Vpexpandb, Mnemonic::Vpexpandw, Mnemonic::Vpexpandd, Mnemonic::Vpexpandq]
            .contains(&name)
}

/// Tells `show` what an observer sees of the instruction in `code`; returns the width in bytes
/// of the widest vector register that it names.
pub(crate) fn observe(code: &[u8], state: &State<'_>, mut show: impl FnMut(u64)) -> usize {
    let mut decoder = Decoder::with_ip(64, code, state.instruction, DecoderOptions::NONE);
    let instruction = decoder.decode();
    let it = &instruction;
    show(state.instruction);
    let mut widest = 0;
    for operand in 0..it.op_count() {
        let kind = it.op_kind(operand);
        if kind == OpKind::Register {
            let register = it.op_register(operand);
            if register.is_vector_register() {
                widest = widest.max(register.size());
            }
        } else if is_memory(kind) && !only_computes(it.mnemonic()) {
            access(it, operand, state, &mut show);
        }
    }
    if it.is_stack_instruction() {
        show(state.general(Register::RSP));
    }
    if matches!(it.mnemonic(), Mnemonic::Div | Mnemonic::Idiv) {
        show(state.general(Register::RAX));
        show(state.general(Register::RDX));
        show(state.general(it.op0_register()));
    }
    widest
}

fn access(it: &Instruction, operand: u32, state: &State<'_>, show: &mut impl FnMut(u64)) {
    let index = it.memory_index();
    if index.is_vector_register() {
        let base = state.general(it.memory_base());
        show(base.wrapping_add(it.memory_displacement64()));
        state.vector(index).into_iter().for_each(&mut *show);
        // Before AVX-512 the third operand is the mask.
        if it.op_mask() == Register::None && it.op_count() == 3 && it.op2_kind() == OpKind::Register
        {
            state.vector(it.op2_register()).into_iter().for_each(&mut *show);
        }
    } else {
        // Segments have no part: this thread's own storage is at one place in all runs.
        let address = it.virtual_address(operand, 0, |register, _, _| {
            Some(if register.is_segment_register() { 0 } else { state.general(register) })
        });
        show(address.unwrap_or(0));
        let offset = address.unwrap_or(0) as usize % LINE;
        if !moves(it) && offset + it.memory_size().size() <= LINE {
            return;
        }
    }
    if it.op_mask() != Register::None {
        show(state.mask(it.op_mask()));
    }
    if moves_by_vector(it.mnemonic()) {
        state.vector(it.op1_register()).into_iter().for_each(show);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: Layout = Layout { ymm: 576, masks: 1088, zmm: 1152, high: 1664 };

    fn shown(code: &[u8], general: [u64; 16], extended: &[u8]) -> Vec<u64> {
        let state = State { general, instruction: 0x1000, extended, layout: &LAYOUT };
        let mut shown = Vec::new();
        observe(code, &state, |word| shown.push(word));
        shown
    }

    fn registers() -> [u64; 16] {
        core::array::from_fn(|i| 0x100 * (i as u64 + 1))
    }

    #[test]
    fn a_load_shows_its_address_and_lea_does_not() {
        // mov eax, [rcx + 4*rdx + 8]; lea eax, [rcx + 4*rdx + 8]; nop [rax]
        assert_eq!(
            shown(&[0x8b, 0x44, 0x91, 0x08], registers(), &[]),
            [0x1000, 0x200 + 4 * 0x300 + 8]
        );
        assert_eq!(shown(&[0x8d, 0x44, 0x91, 0x08], registers(), &[]), [0x1000]);
        assert_eq!(shown(&[0x0f, 0x1f, 0x00], registers(), &[]), [0x1000]);
    }

    #[test]
    fn addresses_relative_to_the_instruction_strings_the_stack_and_divisions() {
        // mov eax, [rip + 2]
        assert_eq!(shown(&[0x8b, 0x05, 2, 0, 0, 0], registers(), &[]), [0x1000, 0x1000 + 6 + 2]);
        // movsb: from RSI to RDI
        let mut both = shown(&[0xa4], registers(), &[]);
        both.sort_unstable();
        assert_eq!(both, [0x700, 0x800, 0x1000]);
        // push rax: also the stack's address
        assert_eq!(shown(&[0x50], registers(), &[]), [0x1000, 0x500]);
        // div rcx
        assert_eq!(shown(&[0x48, 0xf7, 0xf1], registers(), &[]), [0x1000, 0x100, 0x300, 0x200]);
    }

    #[test]
    fn masks_and_indices_count() {
        let mut image = vec![0_u8; 2688];
        image[PRESENT] = 0xff;
        image[LAYOUT.masks + 8] = 0x55; // K1
        image[XMM + 16] = 0x11; // XMM1
        image[LAYOUT.ymm + 16] = 0x22;
        image[LAYOUT.zmm + 32] = 0x33;
        image[LAYOUT.high + 64 + 8] = 0x44; // ZMM17
        // vmovdqu8 zmm0{k1}{z}, [rax]
        let load = [0x62, 0xf1, 0x7f, 0xc9, 0x6f, 0x00];
        assert_eq!(shown(&load, registers(), &image), [0x1000, 0x100, 0x55]);
        // vpgatherdd zmm0{k1}, [rax + 4*zmm1]
        let gather = [0x62, 0xf2, 0x7d, 0x49, 0x90, 0x04, 0x88];
        let words = [0x1000, 0x100, 0x11, 0, 0x22, 0, 0x33, 0, 0, 0, 0x55];
        assert_eq!(shown(&gather, registers(), &image), words);
        // vpgatherdd zmm0{k1}, [rax + 4*zmm17]
        let high = [0x62, 0xf2, 0x7d, 0x41, 0x90, 0x04, 0x88];
        assert_eq!(shown(&high, registers(), &image)[1..4], [0x100, 0, 0x44]);
        // vpmaskmovd ymm0, ymm1, [rax]
        let masked = [0xc4, 0xe2, 0x75, 0x8c, 0x00];
        assert_eq!(shown(&masked, registers(), &image)[1..5], [0x100, 0x11, 0, 0x22]);
        // vpblendmq ymm0{k1}, ymm1, [rax]: within a line, then across two
        let blend = [0x62, 0xf2, 0xf5, 0x29, 0x64, 0x00];
        assert_eq!(shown(&blend, registers(), &image), [0x1000, 0x100]);
        let mut across = registers();
        across[0] = 0x130;
        assert_eq!(shown(&blend, across, &image), [0x1000, 0x130, 0x55]);
        // vmovdqu8 [rax]{k1}, zmm0
        let store = [0x62, 0xf1, 0x7f, 0x49, 0x7f, 0x00];
        assert_eq!(shown(&store, registers(), &image), [0x1000, 0x100, 0x55]);
        // A component in its initial state is 0, whatever its bytes are.
        image[PRESENT] = 0;
        assert_eq!(shown(&load, registers(), &image), [0x1000, 0x100, 0]);
    }

    #[test]
    fn the_widest_register_is_told() {
        let state = State { general: [0; 16], instruction: 0, extended: &[], layout: &LAYOUT };
        assert_eq!(observe(&[0x62, 0xf1, 0x7f, 0xc9, 0x6f, 0x00], &state, |_| ()), 64);
        assert_eq!(observe(&[0x90], &state, |_| ()), 0);
    }
}
