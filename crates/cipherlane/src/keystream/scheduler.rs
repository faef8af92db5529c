//! Many messages of a stream cipher, each in a 32-bit lane: which message has which lane when.
//!
//! Messages are taken longest first, so that few lanes stand idle at the end. Where one ends,
//! the next takes over its lane, with a state from a stock that is started a whole width at
//! a time.
//!
//! ```text
//! order = messages that are not empty, longest first        (at most 256 at once)
//! loop:
//!     for each lane without a message:
//!         if the stock is empty: start the next `lanes` messages of the order in it
//!         copy one started state from the stock to the lane (a column of the state's rows)
//!     if no lane has a message: end
//!     blocks = whole blocks that the shortest rest takes, 1 to 4
//!     make `blocks` blocks of keystream in all lanes, idle ones too
//!     for each lane with a message: add its keystream, at most what is left of the message
//! ```
//!
//! Only the message that ends soonest decides how many blocks are made at once, so a lane that ends
//! wastes less than a block; after the first start, where all lanes are free, nothing is copied.

use core::fmt;

use lanes::{InOut, Level};

use super::lane_rows::{Row, STREAMS};
use super::order::{Place, longest_first};
use crate::aligned::Aligned;
use crate::error::{Error, check_length};
use crate::secret::{Secret, Wipe};
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet, check_all, check_plain};

/// Keystream bytes of one block of a stream.
const BLOCK: usize = 64;

/// The most blocks that are made before they are used.
const BLOCKS: usize = 4;

/// How many messages are put in order at once.
const WINDOW: usize = 256;

/// Room for the keystream of all streams, block by block, the streams of a block one after
/// another.
pub(crate) type Keystream = [u8; BLOCKS * STREAMS * BLOCK];

/// A stream cipher in lanes.
pub(crate) trait LaneCipher: Send {
    /// The state of all streams, a row of 32-bit lanes for each word.
    type State: AsMut<[Row]> + AsRef<[Row]> + Wipe + Send;

    /// The state before anything is in it.
    const EMPTY: Self::State;

    /// The key lengths in bytes.
    const KEY: Sizes;

    /// The IV lengths in bytes.
    const IV: Sizes;

    /// Whether a few messages are no slower at the level with half the lanes, on whatever CPU: if not,
    /// they are where the CPU works on long registers in halves.
    const HALVES: bool;

    /// The fewest messages that are faster in lanes than one after another.
    const FEWEST: usize;

    /// Whether objects may be made at a level.
    fn admit(level: Level) -> Result<(), Error>;

    /// How many streams run side by side at a level, or 1 if lanes are no gain there.
    fn lanes(level: Level) -> usize;

    /// What the initialisation takes of a key and an IV of right lengths.
    fn load(key: &[u8], iv: &[u8]) -> Row;

    /// Starts all streams.
    fn initialise(level: Level, rows: &[Row; STREAMS], state: &mut Self::State);

    /// Makes `blocks` blocks of keystream of every stream, one block after another; of a
    /// single block only the first `quads` times 16 bytes are asked for.
    fn generate(
        level: Level,
        state: &mut Self::State,
        blocks: usize,
        quads: usize,
        out: &mut Keystream,
    );

    /// Processes one message alone; key and IV are of right lengths.
    fn alone(level: Level, key: &[u8], iv: &[u8], io: InOut<'_>) -> Result<(), Error>;
}

/// A batch of a stream cipher in lanes. Nothing is allocated after construction.
pub(crate) struct InLanes<C: LaneCipher> {
    level: Level,
    lanes: usize,
    /// The level with half the lanes, and how many those are.
    half: Option<(Level, usize)>,
    /// The streams at work.
    state: Aligned<Secret<C::State>>,
    /// Streams that have been started and wait for a lane.
    stock: Aligned<Secret<C::State>>,
    rows: Aligned<Secret<[Row; STREAMS]>>,
    keystream: Aligned<Secret<Keystream>>,
    order: [Place; WINDOW],
}

/// A lane with its message.
#[derive(Clone, Copy, Default)]
struct Seat {
    message: usize,
    done: usize,
    /// Bytes that the message still wants; 0 if there is none here.
    left: usize,
}

/// What waits for a lane.
struct Queue {
    /// From where on messages of the order have not been started.
    next: usize,
    /// The end of the order.
    end: usize,
    /// Streams of the stock: the first that waits, and the end.
    stock: [usize; 2],
}

impl<C: LaneCipher> InLanes<C> {
    pub(crate) fn new(level: Level) -> Self {
        let half = if C::HALVES { level.halved() } else { level.split() };
        Self {
            level,
            lanes: C::lanes(level),
            half: half.map(|half| (half, C::lanes(half))),
            state: Aligned(Secret(C::EMPTY)),
            stock: Aligned(Secret(C::EMPTY)),
            rows: Aligned(Secret([[0; 64]; STREAMS])),
            keystream: Aligned(Secret([0; BLOCKS * STREAMS * BLOCK])),
            order: [Place::EMPTY; WINDOW],
        }
    }

    fn run_window(&mut self, packets: &mut [Packet<'_>]) {
        let mut count = 0;
        for (i, packet) in packets.iter().enumerate() {
            if !packet.io.is_empty() {
                self.order[count] = Place::new(i, packet.io.len());
                count += 1;
            }
        }
        longest_first(&mut self.order[..count]);
        let mut queue = Queue { next: 0, end: count, stock: [0; 2] };
        // Idle lanes take as long as others: `docs/notes/lanes-by-number.md`.
        let (level, lanes) = match self.half {
            Some(half) if count <= half.1 => half,
            _ => (self.level, self.lanes),
        };
        let mut seats = [Seat::default(); STREAMS];
        let seats = &mut seats[..lanes];
        loop {
            self.seat(level, packets, &mut queue, seats);
            let busy = seats.iter().filter(|seat| seat.left > 0);
            let (least, most) = busy
                .map(|seat| seat.left)
                .fold((usize::MAX, 0), |(least, most), left| (least.min(left), most.max(left)));
            if most == 0 {
                return;
            }
            let blocks = (least / BLOCK).clamp(1, BLOCKS);
            let quads = if most >= BLOCK { 4 } else { most.div_ceil(16) };
            let (state, keystream) = (&mut self.state.0.0, &mut self.keystream.0.0);
            C::generate(level, state, blocks, quads, keystream);
            for (lane, seat) in seats.iter_mut().enumerate().filter(|(_, seat)| seat.left > 0) {
                let len = seat.left.min(blocks * BLOCK);
                let mut io = packets[seat.message].io.part(seat.done, len);
                for offset in (0..len).step_by(BLOCK) {
                    let at = (offset / BLOCK * STREAMS + lane) * BLOCK;
                    let len = BLOCK.min(len - offset);
                    io.part(offset, len).xor(&self.keystream.0.0[at..at + len]);
                }
                seat.done += len;
                seat.left -= len;
            }
        }
    }

    /// Gives messages to the seats that have none.
    fn seat(
        &mut self,
        level: Level,
        packets: &[Packet<'_>],
        queue: &mut Queue,
        seats: &mut [Seat],
    ) {
        // All at once, where all are free: then nothing has to be moved.
        if queue.stock[0] == queue.stock[1] && seats.iter().all(|seat| seat.left == 0) {
            let started = self.load(packets, queue);
            if started == 0 {
                return;
            }
            C::initialise(level, &self.rows.0.0, &mut self.state.0.0);
            for (i, seat) in seats.iter_mut().enumerate().take(started) {
                *seat = self.seated(packets, queue.next - started + i);
            }
            return;
        }
        for (lane, seat) in seats.iter_mut().enumerate().filter(|(_, seat)| seat.left == 0) {
            if queue.stock[0] == queue.stock[1] {
                let started = self.load(packets, queue);
                if started == 0 {
                    return;
                }
                C::initialise(level, &self.rows.0.0, &mut self.stock.0.0);
                queue.stock = [0, started];
            }
            let [from, end] = queue.stock;
            for (from_row, to_row) in self.stock.0.0.as_ref().iter().zip(self.state.0.0.as_mut()) {
                to_row.as_chunks_mut::<4>().0[lane] = from_row.as_chunks::<4>().0[from];
            }
            *seat = self.seated(packets, queue.next - (end - from));
            queue.stock[0] += 1;
        }
    }

    /// A seat with message `place` of the order.
    fn seated(&self, packets: &[Packet<'_>], place: usize) -> Seat {
        let message = self.order[place].message();
        Seat { message, done: 0, left: packets[message].io.len() }
    }

    /// Loads keys and IVs of the next messages of the order; returns how many.
    fn load(&mut self, packets: &[Packet<'_>], queue: &mut Queue) -> usize {
        let count = self.lanes.min(queue.end - queue.next);
        let messages = &self.order[queue.next..queue.next + count];
        for (row, place) in self.rows.0.0.iter_mut().zip(messages) {
            let packet = &packets[place.message()];
            *row = C::load(packet.key, packet.iv);
        }
        queue.next += count;
        count
    }
}

impl<C: LaneCipher> BatchCipher for InLanes<C> {
    fn lanes(&self) -> usize {
        self.lanes
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), C::KEY)
            .and(check_length("iv", packet.iv.len(), C::IV))
            .and(check_plain(packet.aad, packet.tag))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        C::admit(self.level)?;
        check_all(packets, |packet| self.check(packet))?;
        for window in packets.chunks_mut(WINDOW) {
            if self.lanes == 1 || window.len() < C::FEWEST {
                for packet in window {
                    C::alone(self.level, packet.key, packet.iv, packet.io.reborrow())?;
                }
            } else {
                self.run_window(window);
            }
        }
        Ok(())
    }
}

/// The constructors of a type that is [`InLanes`] and nothing else, and what it does.
macro_rules! batch_in_lanes {
    ($batch:ident) => {
        $crate::keystream::constructors::at_level! { $batch, level => Self(InLanes::new(level)) }

        impl BatchCipher for $batch {
            fn lanes(&self) -> usize {
                self.0.lanes()
            }

            fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
                self.0.check(packet)
            }

            fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
                self.0.apply(packets)
            }
        }
    };
}
pub(crate) use batch_in_lanes;

impl<C: LaneCipher> fmt::Debug for InLanes<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InLanes").field("level", &self.level).finish_non_exhaustive()
    }
}
