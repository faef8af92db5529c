//! Many messages at once, each with its own key, IV and length.
//!
//! Messages are taken in the order of their lengths, the longest first, as many as there are
//! lanes: so the streams of a group end close to each other, and those that are still running
//! are the first ones. When few are left, each is carried on by the kernel for one stream.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use lanes::{InOut, Level};

use super::constructors::at_level;
use super::generator::Generator;
use super::order::{Place, longest_first};
use super::passes::Passes;
use crate::aligned::Aligned;
use crate::error::{Error, check_length};
use crate::secret::{Depth, Secret, Trace, Wipe};
use crate::traits::batch::{BatchCipher, Packet, check_all, check_plain};

/// Encrypts many messages at once, each with its own key, IV and length, in lanes; `G` names
/// the generator.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// # #[cfg(feature = "trivium")] {
/// use cipherlane::trivium::TriviumBatch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = TriviumBatch::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 10], &[2; 10], a.as_mut_slice().into()),
///     Packet::new(&[3; 10], &[4; 8], b.as_mut_slice().into()),
/// ])?;
/// # }
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct KeystreamBatch<G: Generator> {
    level: Level,
    _trace: Trace,
    lanes: usize,
    /// The level with half the lanes, and how many those are.
    half: Option<(Level, usize)>,
    passes: Passes,
    /// Up to how many streams go one after another.
    few: usize,
    many: Box<Aligned<Secret<[G::Many; 1]>>>,
    /// Room for a block of every stream.
    room: Vec<u8>,
    /// The messages, the longest first.
    order: Vec<Place>,
}

/// The messages of a batch: what each starts from, and what becomes of the bytes made for it.
pub(crate) trait Streams {
    /// How many there are.
    fn count(&self) -> usize;
    /// Key and IV of one, which have been checked.
    fn key_and_iv(&self, message: usize) -> (&[u8], &[u8]);
    /// How many bytes of keystream it takes.
    fn len(&self, message: usize) -> usize;
    /// Its keystream from a byte on that is a multiple of the generator's block; no more than it takes.
    fn take(&mut self, message: usize, offset: usize, keystream: &[u8]);
    /// All that it takes from a byte on: `make` xors the next bytes into what it is given, a multiple of
    /// 64 bytes each time but the last.
    fn take_rest(&mut self, message: usize, offset: usize, make: &mut dyn FnMut(InOut<'_>));
}

/// Packets that are encrypted.
struct Encrypted<'a, 'p>(&'a mut [Packet<'p>]);

impl Streams for Encrypted<'_, '_> {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn key_and_iv(&self, message: usize) -> (&[u8], &[u8]) {
        (self.0[message].key, self.0[message].iv)
    }

    fn len(&self, message: usize) -> usize {
        self.0[message].io.len()
    }

    fn take(&mut self, message: usize, offset: usize, keystream: &[u8]) {
        self.0[message].io.part(offset, keystream.len()).xor(keystream);
    }

    fn take_rest(&mut self, message: usize, offset: usize, make: &mut dyn FnMut(InOut<'_>)) {
        let io = &mut self.0[message].io;
        make(io.part(offset, io.len() - offset));
    }
}

at_level! {
    KeystreamBatch<G>, [G: Generator], level => {
        let lanes = G::lanes(level);
        let few = if lanes == 1 { 1 } else { G::FEW };
        let many = Box::new(Aligned(Secret([<G::Many as lanes::wipe::Plain>::ZERO])));
        let room = if lanes > 1 { vec![0; lanes * G::BLOCK] } else { Vec::new() };
        let trace = Trace::of(level, Depth::of(G::DEEP));
        let half = level.halved().map(|half| (half, G::lanes(half)));
        let passes = G::PASSES.on(level.split().is_some());
        let order = Vec::with_capacity(2 * lanes);
        Self { level, _trace: trace, lanes, half, passes, few, many, room, order }
    }
}

impl<G: Generator> KeystreamBatch<G> {
    /// One message from its start.
    fn single(&self, messages: &mut impl Streams, message: usize) {
        let (key, iv) = messages.key_and_iv(message);
        if const { G::IN_PLACE } {
            let (mut state, mut rest) =
                (Secret([<G::State as lanes::wipe::Plain>::ZERO]), Secret([0; 16]));
            G::start_in(&mut state.0[0], self.level, key, iv, 8 * iv.len());
            if messages.len(message) > 0 {
                messages.take_rest(message, 0, &mut |io| {
                    G::apply(self.level, &mut state.0[0], io, &mut rest.0);
                });
            }
            return;
        }
        let state = G::start(self.level, key, iv, 8 * iv.len());
        self.carry_on(state, messages, message, 0);
    }

    /// One message from a byte on, to which a generator has come.
    fn carry_on(
        &self,
        state: G::State,
        messages: &mut impl Streams,
        message: usize,
        offset: usize,
    ) {
        let (mut state, mut rest) = (Secret([state]), Secret([0; 16]));
        if offset < messages.len(message) {
            messages.take_rest(message, offset, &mut |io| {
                G::apply(self.level, &mut state.0[0], io, &mut rest.0);
            });
        }
    }

    /// As many messages as there are lanes, or fewer, the longest first.
    fn group(&mut self, level: Level, messages: &mut impl Streams, group: &[Place]) {
        if group.len() <= self.few {
            for place in group {
                self.single(messages, place.message());
            }
            return;
        }
        {
            let message = |lane: usize| messages.key_and_iv(group[lane].message());
            G::start_many(level, &mut self.many.0.0[0], group.len(), &message);
        }
        let (mut offset, mut active) = (0, group.len());
        loop {
            while active > 0 && messages.len(group[active - 1].message()) <= offset {
                active -= 1;
            }
            // To carry on one by one costs nothing but the time of the streams themselves.
            if active <= self.few {
                break;
            }
            // The longest is the first.
            let longest = (messages.len(group[0].message()) - offset).min(G::BLOCK);
            G::generate(level, &mut self.many.0.0[0], &mut self.room, longest);
            for (place, keystream) in group[..active].iter().zip(self.room.chunks(G::BLOCK)) {
                let message = place.message();
                let len = (messages.len(message) - offset).min(G::BLOCK);
                messages.take(message, offset, &keystream[..len]);
            }
            offset += G::BLOCK;
        }
        for (lane, place) in group[..active].iter().enumerate() {
            let state = G::take(&self.many.0.0[0], lane);
            self.carry_on(state, messages, place.message(), offset);
        }
    }

    /// All messages, which have been checked.
    pub(crate) fn run(&mut self, messages: &mut impl Streams) {
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend((0..messages.count()).map(|it| Place::new(it, messages.len(it))));
        if self.lanes > 1 {
            longest_first(&mut order);
        }
        let mut left = order.as_slice();
        while !left.is_empty() {
            let pass = self.passes.next(left.len(), self.lanes, self.half.map(|(_, lanes)| lanes));
            let (group, rest) = left.split_at(pass.count);
            let halved = self.half.filter(|_| pass.halved);
            self.group(halved.map_or(self.level, |(level, _)| level), messages, group);
            left = rest;
        }
        self.order = order;
    }
}

impl<G: Generator> BatchCipher for KeystreamBatch<G> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), G::KEY)
            .and(check_length("iv", packet.iv.len(), G::IV))
            .and(check_plain(packet.aad, packet.tag))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        G::admit(self.level)?;
        check_all(packets, |packet| self.check(packet))?;
        self.run(&mut Encrypted(packets));
        Ok(())
    }
}

impl<G: Generator> Drop for KeystreamBatch<G> {
    fn drop(&mut self) {
        self.room.as_mut_slice().wipe();
    }
}

impl<G: Generator> fmt::Debug for KeystreamBatch<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("KeystreamBatch");
        f.field("of", &G::NAME).field("level", &self.level).finish_non_exhaustive()
    }
}
