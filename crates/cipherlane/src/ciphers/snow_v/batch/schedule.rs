//! Which message has which lane when.
//!
//! ```text
//! order = messages, longest first                             (at most 256 at once)
//! loop:
//!     if no lane has a message: start the next `lanes` messages of the order, one in each
//!     for each lane without a message:
//!         if the stock is empty: start the next `lanes` messages of the order in it
//!         take one started stream from the stock into the lane
//!     if no lane has a message: end
//!     if one lane has a message: end it by the kernel for one stream
//!     if all rests end in the same block: end them all
//!     blocks = whole blocks that the shortest rest has, or 1 where that is less than one
//!     add so many blocks of keystream to the message of each lane
//! ```
//!
//! A block that a message has only a part of is added in a buffer beside it.

use core::cmp::Reverse;
use core::fmt;

use lanes::{Level, Streams};

use super::super::clock::{STREAMS, Seed, State};
use super::super::member::Variant;
use super::super::stream::Besides;
use super::super::{NO_NAMES, apply_many, apply_one, seed, start_many, start_one, streams};
use crate::air256::hash::Head;
use crate::secret::Secret;
use crate::traits::batch::Packet;

/// How many messages are put in order at once.
const WINDOW: usize = 256;
/// Up to so many are put in order in less room.
const FEW: usize = 16;

/// Messages of SNOW 5G or SNOW-Vi that are all shorter go alone where rounds of AES are made in parts:
/// their clock has little besides those, and a start has as many as 256 bytes.
const SHORT: usize = 256;

/// The length of a block in bytes.
const BLOCK: usize = 16;

/// What is done with the keystreams of messages.
pub(super) trait Work {
    /// Whether the first three blocks of each keystream serve a tag.
    fn heads(&self) -> bool;

    /// A message whose keystream has begun: whether its data is to be encrypted or decrypted.
    fn begin(&mut self, packet: &mut Packet<'_>, head: &Head) -> bool;

    /// A message whose data has been encrypted or decrypted.
    fn end(&mut self, packet: &mut Packet<'_>, head: &Head);
}

/// Encryption alone.
pub(super) struct Encrypt;

impl Work for Encrypt {
    fn heads(&self) -> bool {
        false
    }

    fn begin(&mut self, _: &mut Packet<'_>, _: &Head) -> bool {
        true
    }

    fn end(&mut self, _: &mut Packet<'_>, _: &Head) {}
}

/// Streams side by side. Nothing is allocated after construction.
pub(super) struct Lanes {
    level: Level,
    lanes: usize,
    /// The level with half the lanes, and how many those are.
    half: Option<(Level, usize)>,
    /// The streams at work, and those that have been started and wait for a lane.
    states: Secret<[[State; STREAMS]; 2]>,
    /// Their first blocks.
    heads: Secret<[[Head; STREAMS]; 2]>,
    seeds: Secret<[Seed; STREAMS]>,
    /// Blocks of which messages have a part.
    tails: Secret<[[u8; BLOCK]; STREAMS]>,
}

/// A lane with its message.
struct Seat<'p, 'a> {
    packet: &'p mut Packet<'a>,
    done: usize,
}

impl<'p, 'a> Seat<'p, 'a> {
    /// For a message whose keystream has begun; `None` if nothing is left to do.
    fn of(packet: &'p mut Packet<'a>, work: &mut dyn Work, head: &Head) -> Option<Self> {
        if !work.begin(packet, head) {
            return None;
        }
        if packet.io.is_empty() {
            work.end(packet, head);
            return None;
        }
        Some(Self { packet, done: 0 })
    }

    fn left(&self) -> usize {
        self.packet.io.len() - self.done
    }
}

/// Messages that wait.
struct Queue<'w, 'p, 'a> {
    /// Those that have not been started.
    waiting: core::slice::IterMut<'w, Option<&'p mut Packet<'a>>>,
    /// Those of the stock, from the first that waits on.
    stock: [Option<&'p mut Packet<'a>>; STREAMS],
    next: usize,
    /// How many are started at once.
    lanes: usize,
}

impl Queue<'_, '_, '_> {
    /// Whether the stock is.
    fn is_empty(&self) -> bool {
        self.stock.get(self.next).is_none_or(Option::is_none)
    }
}

impl Lanes {
    pub(super) fn new(level: Level) -> Self {
        Self {
            level,
            lanes: streams(level),
            half: level.halved().map(|half| (half, streams(half))).filter(|it| it.1 > 1),
            states: Secret([[[[0; 16]; 7]; STREAMS]; 2]),
            heads: Secret([[[[0; 16]; 3]; STREAMS]; 2]),
            seeds: Secret([[[0; 16]; 4]; STREAMS]),
            tails: Secret([[0; BLOCK]; STREAMS]),
        }
    }

    pub(super) const fn level(&self) -> Level {
        self.level
    }

    pub(super) const fn lanes(&self) -> usize {
        self.lanes
    }

    /// Does the work for packets that have been checked.
    pub(super) fn run(
        &mut self,
        variant: Variant,
        work: &mut dyn Work,
        packets: &mut [Packet<'_>],
    ) {
        let short = self.level.parted().is_some()
            && !matches!(variant, Variant::V)
            && packets.iter().all(|packet| packet.io.len() < SHORT);
        if self.lanes == 1 || packets.len() == 1 || short {
            for packet in packets {
                self.alone(variant, work, packet);
            }
            return;
        }
        if packets.len() <= FEW {
            // Room for more takes as long as two blocks.
            return self.in_order(variant, work, packets, &mut [const { None }; FEW]);
        }
        for packets in packets.chunks_mut(WINDOW) {
            self.in_order(variant, work, packets, &mut [const { None }; WINDOW]);
        }
    }

    /// As many messages as there is room for, or fewer, the longest first.
    fn in_order<'p, 'a>(
        &mut self,
        variant: Variant,
        work: &mut dyn Work,
        packets: &'p mut [Packet<'a>],
        room: &mut [Option<&'p mut Packet<'a>>],
    ) {
        let order = &mut room[..packets.len()];
        for (place, packet) in order.iter_mut().zip(packets) {
            *place = Some(packet);
        }
        order.sort_unstable_by_key(|it| Reverse(it.as_ref().map_or(0, |it| it.io.len())));
        self.run_window(variant, work, order);
    }

    /// One message.
    fn alone(&mut self, variant: Variant, work: &mut dyn Work, packet: &mut Packet<'_>) {
        let seed = seed(packet.key, packet.iv, &NO_NAMES);
        let (state, head) = (&mut self.states.0[0][0], &mut self.heads.0[0][..1]);
        let besides = Besides { heads: work.heads().then_some(&mut *head), trace: None };
        start_one(self.level, variant, &seed.0, state, besides);
        let head = &head[0];
        if work.begin(packet, head) {
            if !packet.io.is_empty() {
                let rest = &mut self.tails.0[0];
                apply_one(self.level, variant, state, packet.io.reborrow(), rest);
            }
            work.end(packet, head);
        }
    }

    fn run_window<'p, 'a>(
        &mut self,
        variant: Variant,
        work: &mut dyn Work,
        order: &mut [Option<&'p mut Packet<'a>>],
    ) {
        // Idle lanes take as long as others: `docs/notes/lanes-by-number.md`.
        let fits = |half: &(Level, usize)| order.len() <= half.1;
        let (level, lanes) = self.half.filter(fits).unwrap_or((self.level, self.lanes));
        let at = |level| At { level, variant };
        let stock = [const { None }; STREAMS];
        let mut queue = Queue { waiting: order.iter_mut(), stock, next: lanes, lanes };
        let mut seats: [Option<Seat<'p, 'a>>; STREAMS] = [const { None }; STREAMS];
        loop {
            let mut busy = 0;
            if queue.is_empty() && seats.iter().all(Option::is_none) {
                // All at once, in their lanes: then no state has to be moved.
                let count = self.fill(at(level), work.heads(), &mut queue, 0);
                for lane in 0..count {
                    let packet = queue.stock[lane].take();
                    seats[lane] = packet.and_then(|it| Seat::of(it, work, &self.heads.0[0][lane]));
                }
                queue.next = lanes;
            }
            for lane in 0..lanes {
                while seats[lane].is_none() {
                    let Some(packet) = self.next(at(level), work.heads(), &mut queue, lane) else {
                        break;
                    };
                    seats[lane] = Seat::of(packet, work, &self.heads.0[0][lane]);
                }
                // Those with a message stand together.
                if seats[lane].is_some() {
                    if busy < lane {
                        seats.swap(busy, lane);
                        self.states.0[0].swap(busy, lane);
                        self.heads.0[0].swap(busy, lane);
                    }
                    busy += 1;
                }
            }
            if busy == 0 {
                return;
            }
            let level = self.half.filter(|half| busy <= half.1).map_or(self.level, |half| half.0);
            let len = self.apply(at(level), &mut seats[..busy]);
            for lane in 0..busy {
                let Some(mut seat) = seats[lane].take() else { continue };
                seat.done += seat.left().min(len);
                if seat.left() > 0 {
                    seats[lane] = Some(seat);
                } else {
                    work.end(seat.packet, &self.heads.0[0][lane]);
                }
            }
        }
    }

    /// The next message, whose stream is put into a lane.
    fn next<'p, 'a>(
        &mut self,
        at: At,
        heads: bool,
        queue: &mut Queue<'_, 'p, 'a>,
        lane: usize,
    ) -> Option<&'p mut Packet<'a>> {
        if queue.is_empty() && self.fill(at, heads, queue, 1) == 0 {
            return None;
        }
        let from = queue.next;
        let packet = queue.stock[from].take()?;
        let (states, all) = (&mut self.states.0, &mut self.heads.0);
        states[0][lane] = states[1][from];
        if heads {
            all[0][lane] = all[1][from];
        }
        queue.next += 1;
        Some(packet)
    }

    /// Starts the next messages in the lanes (0) or in the stock (1); returns how many there are.
    fn fill(&mut self, at: At, heads: bool, queue: &mut Queue<'_, '_, '_>, to: usize) -> usize {
        let mut count = 0;
        while count < queue.lanes {
            let Some(packet) = queue.waiting.next().and_then(Option::take) else { break };
            self.seeds.0[count] = seed(packet.key, packet.iv, &NO_NAMES).0;
            queue.stock[count] = Some(packet);
            count += 1;
        }
        if count > 0 {
            queue.next = 0;
            let heads = heads.then_some(&mut self.heads.0[to][..]);
            let (seeds, states) = (&self.seeds.0, &mut self.states.0[to]);
            if count == 1 {
                let heads = heads.map(|heads| &mut heads[..1]);
                let besides = Besides { heads, trace: None };
                start_one(at.level, at.variant, &seeds[0], &mut states[0], besides);
            } else {
                start_many(at.level, at.variant, seeds, states, heads);
            }
        }
        count
    }

    /// Adds keystream to the message of each lane, as much as the shortest one wants or as all want,
    /// if they end in the same block; returns how many bytes those are.
    fn apply(&mut self, at: At, seats: &mut [Option<Seat<'_, '_>>]) -> usize {
        let At { level, variant } = at;
        if let [Some(seat)] = seats {
            let (state, rest) = (&mut self.states.0[0][0], &mut self.tails.0[0]);
            let len = seat.left();
            apply_one(level, variant, state, seat.packet.io.part(seat.done, len), rest);
            return len;
        }
        let (mut least, mut most) = (usize::MAX, 0);
        for seat in seats.iter().flatten() {
            (least, most) = (least.min(seat.left()), most.max(seat.left()));
        }
        let (states, tails) = (&mut self.states.0[0], &mut self.tails.0);
        let mut data = Streams::<STREAMS>::new();
        if least / BLOCK == most / BLOCK {
            let len = least / BLOCK * BLOCK;
            for seat in seats.iter_mut().flatten() {
                data.push(seat.packet.io.part(seat.done, len));
            }
            apply_many(level, variant, states, &mut data, Some(&mut *tails));
            for (seat, tail) in seats.iter_mut().flatten().zip(tails) {
                let rest = seat.left() - len;
                seat.packet.io.part(seat.done + len, rest).xor(&tail[..rest]);
            }
            return most;
        }
        let len = (least / BLOCK).max(1) * BLOCK;
        for (seat, tail) in seats.iter_mut().flatten().zip(&mut *tails) {
            if seat.left() < len {
                let part = &seat.packet.io.input()[seat.done..];
                tail[..part.len()].copy_from_slice(part);
                data.push(tail.as_mut_slice().into());
            } else {
                data.push(seat.packet.io.part(seat.done, len));
            }
        }
        apply_many(level, variant, states, &mut data, None);
        for (seat, tail) in seats.iter_mut().flatten().zip(tails) {
            if seat.left() < len {
                let part = &mut seat.packet.io.output()[seat.done..];
                part.copy_from_slice(&tail[..part.len()]);
            }
        }
        len
    }
}

/// The level and the member of a call.
#[derive(Clone, Copy)]
struct At {
    level: Level,
    variant: Variant,
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("level", &self.level).finish_non_exhaustive()
    }
}
