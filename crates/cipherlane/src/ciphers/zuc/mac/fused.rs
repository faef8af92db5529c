//! 128-EEA3 and 128-EIA3 over one packet in one pass: two generators in turn, and the
//! products between them.

use core::marker::PhantomData;

use lanes::{InOut, Isa, Level, dispatch};

use super::kernel::{BLOCK, Running, Start, Window, sums_wide};
use super::multiply::Sums;
use super::{Key128, MOST, Purpose, TagLength, Zuc128Mac};
use crate::ciphers::zuc::clock::{State, four_of_both, start_both};
use crate::secret::{Secret, Trace, Wipe};

/// Both generators behind the blocks of a packet that one pass has processed.
pub(in crate::ciphers::zuc) struct Fused {
    /// The one that encrypts.
    pub(in crate::ciphers::zuc) cipher: State,
    start: Start,
    running: Running,
}

impl Wipe for Fused {
    fn wipe(&mut self) {
        lanes::wipe::wipe(&mut self.cipher);
        self.start.wipe();
        self.running.wipe();
    }
}

impl Fused {
    /// The MAC of the rest of the packet.
    pub(in crate::ciphers::zuc) fn mac(&self, level: Level, processed: usize) -> Zuc128Mac {
        Zuc128Mac {
            level,
            trace: Trace::none(),
            key: Secret([0; 32]),
            tag: TagLength { bytes: 4, purpose: Purpose::Keystream },
            start: Secret(self.start.clone()),
            running: Secret(self.running.clone()),
            held: Secret([0; BLOCK]),
            held_bits: 0,
            length: 8 * processed as u64,
            limit: MOST,
            spent: false,
            member: PhantomData::<Key128>,
        }
    }
}

/// How many bytes of a packet the pass takes: the MAC wants something left.
pub(in crate::ciphers::zuc) const fn share(len: usize) -> usize {
    len.saturating_sub(1) / BLOCK * BLOCK
}

/// Encrypts or decrypts whole blocks under the first cells, and absorbs the output, or
/// else the input, under the second.
pub(in crate::ciphers::zuc) fn process(
    level: Level,
    cells: &[[u32; 16]; 2],
    rounds: usize,
    mut io: InOut<'_>,
    of_output: bool,
) -> Secret<Fused> {
    let io = &mut io;
    Secret(dispatch!(level, isa => pass(isa, cells, rounds, io, of_output)))
}

#[inline(always)]
fn pass<I: Isa>(
    isa: I,
    cells: &[[u32; 16]; 2],
    rounds: usize,
    io: &mut InOut<'_>,
    of_output: bool,
) -> Fused {
    if const { sums_wide::<I>() } {
        pass_on(isa.narrow(), isa, cells, rounds, io, of_output)
    } else {
        pass_on(isa.narrow(), isa.narrow(), cells, rounds, io, of_output)
    }
}

/// The generators on narrow registers, the sums on others.
#[inline(always)]
fn pass_on<N: Isa, I: Isa>(
    narrow: N,
    isa: I,
    cells: &[[u32; 16]; 2],
    rounds: usize,
    io: &mut InOut<'_>,
    of_output: bool,
) -> Fused {
    let [mut cipher, mut mac] = start_both(narrow, cells, rounds);
    let start = Start { state: mac.state(narrow), mask: [0; 4] };
    let mut sums = Sums::zero(isa);
    let mut z = Window::new();
    z.put(0, mac.four(narrow));
    for offset in (0..io.len()).step_by(64) {
        let len = (io.len() - offset).min(64);
        let mut mask = [0; 64];
        // As many blocks as there are: one kernel also for the last ones.
        for (block, mask) in mask[..len].as_chunks_mut::<BLOCK>().0.iter_mut().enumerate() {
            let [keystream, words] = four_of_both::<N, false>(narrow, &mut cipher, &mut mac);
            for (bytes, word) in mask.as_chunks_mut().0.iter_mut().zip(keystream) {
                *bytes = word.to_be_bytes();
            }
            z.put(4 + 4 * block, words);
        }
        let mut io = io.part(offset, len);
        // In place the input is gone once it is encrypted.
        let mut message = [0; 64];
        if !of_output {
            message[..len].copy_from_slice(io.input());
        }
        io.xor(&mask[..len]);
        if of_output {
            message[..len].copy_from_slice(io.output());
        }
        if len == 64 {
            for at in (0..64).step_by(I::BYTES) {
                sums.add(isa, isa.load(&message[at..]), z.at(isa, at), false);
            }
            z.0.copy_within(64..80, 0);
        } else {
            for block in message[..len].as_chunks().0 {
                sums.add(isa, isa.load128(block), z.at(isa, 0), false);
                z.0.copy_within(16..80, 0);
            }
        }
    }
    let mut running = Running::NEW;
    running.state = mac.state(narrow);
    sums.store(isa, &mut running.sums);
    running.ahead.copy_from_slice(&z.0[..16]);
    running.begun = 1;
    Fused { cipher: cipher.state(narrow), start, running }
}
