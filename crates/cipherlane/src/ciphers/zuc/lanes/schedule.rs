//! Which message has which lane when.
//!
//! Messages are taken longest first, so that few lanes stand idle at the end. Where one
//! ends, the next takes over its lane, with a state from a stock that is started a whole
//! width at a time: every clock, of initialisation or keystream, has all its lanes full
//! as long as messages wait.

use core::fmt;

use lanes::Level;

use super::width::{Width, Widths};
use super::work::{Seat, Turn, Work};
use super::{BLOCK, BLOCKS, Cells, Keystream, Rows, STREAMS, generate, initialise, streams};
use crate::aligned::Aligned;
use crate::secret::Secret;

/// How many messages are put in order at once.
const WINDOW: usize = 256;

/// The lengths by which messages are put in order.
const CLASSES: usize = 64;

/// The lanes of a level and the memory for what goes through them.
pub(in super::super) struct Lanes {
    level: Level,
    widths: Widths,
    /// The streams at work.
    state: Aligned<Secret<Rows>>,
    /// Streams that have been started and wait for a lane.
    stock: Aligned<Secret<Rows>>,
    cells: Aligned<Secret<Cells>>,
    keystream: Aligned<Secret<Keystream>>,
    order: [u16; WINDOW],
    /// Of how many sixteens of keystream bytes each message of the window is.
    quads: [u32; WINDOW],
}

impl fmt::Debug for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lanes").field("level", &self.level).finish_non_exhaustive()
    }
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

impl Queue {
    /// How many messages have no lane yet.
    const fn waiting(&self) -> usize {
        self.end - self.next + self.stock[1] - self.stock[0]
    }
}

impl Lanes {
    pub(in super::super) const fn level(&self) -> Level {
        self.level
    }

    pub(in super::super) fn new(level: Level) -> Self {
        Self {
            level,
            widths: Widths::new(level, streams),
            state: Aligned(Secret([[0; 4 * STREAMS]; 18])),
            stock: Aligned(Secret([[0; 4 * STREAMS]; 18])),
            cells: Aligned(Secret([[0; 64]; STREAMS])),
            keystream: Aligned(Secret([0; BLOCKS * STREAMS * BLOCK])),
            order: [0; WINDOW],
            quads: [0; WINDOW],
        }
    }

    /// The most streams side by side.
    pub(in super::super) const fn streams(&self) -> usize {
        self.widths.most()
    }

    /// Gives every message its keystream.
    pub(in super::super) fn run<W: Work>(&mut self, work: &mut W) {
        let count = work.source().count();
        let mut first = 0;
        while first < count {
            let window = WINDOW.min(count - first);
            self.run_window(work, first, window);
            first += window;
        }
    }

    fn run_window<W: Work>(&mut self, work: &mut W, first: usize, count: usize) {
        let (end, mut width) = self.put_in_order(work, first, count);
        let mut queue = Queue { next: 0, end, stock: [0; 2] };
        let mut seats = [Seat::default(); STREAMS];
        for (room, seat) in seats.iter_mut().enumerate() {
            seat.room = room;
        }
        let mut seats = &mut seats[..width.streams];
        loop {
            let busy = seats.iter().filter(|seat| seat.left > 0).count();
            let left = busy + queue.waiting();
            if left == 0 {
                break;
            }
            // Where fewer lanes are enough for all that is left.
            if let Some(fitting) = self.widths.fitting(left).filter(|it| it.streams < seats.len()) {
                self.move_together(seats, fitting.streams);
                seats = &mut seats[..fitting.streams];
                width = fitting;
            }
            self.seat(work, first, &mut queue, seats, width.level);
            let quads = quads(seats);
            let Width { level, streams } = width;
            let keystream = &mut self.keystream.0.0;
            generate(level, streams, &mut self.state.0.0, quads, &W::ORDER, keystream);
            let turn = Turn { seats, quads, keystream: &self.keystream.0.0, streams };
            // Always at the same level, whose registers are what a use keeps between turns.
            work.take(self.level, &turn);
            for seat in &mut *seats {
                seat.done += 16 * quads;
                seat.left = seat.left.saturating_sub(quads);
            }
        }
    }

    /// Gives messages to the seats that have none.
    fn seat<W: Work>(
        &mut self,
        work: &W,
        first: usize,
        queue: &mut Queue,
        seats: &mut [Seat],
        level: Level,
    ) {
        // All at once, where all are free: then nothing has to be moved.
        if queue.stock[0] == queue.stock[1] && seats.iter().all(|seat| seat.left == 0) {
            let started = seats.len().min(queue.end - queue.next);
            if started == 0 {
                return;
            }
            self.load(work, first, queue, started);
            let rounds = work.source().rounds();
            initialise(level, started, &self.cells.0.0, rounds, &mut self.state.0.0);
            for i in 0..started {
                self.take_place(first, queue.next - started + i, &mut seats[i], i);
            }
            return;
        }
        for (i, seat) in seats.iter_mut().enumerate() {
            if seat.left > 0 {
                continue;
            }
            if queue.stock[0] == queue.stock[1] {
                let started = self.widths.most().min(queue.end - queue.next);
                if started == 0 {
                    return;
                }
                self.load(work, first, queue, started);
                initialise(
                    self.level,
                    started,
                    &self.cells.0.0,
                    work.source().rounds(),
                    &mut self.stock.0.0,
                );
                queue.stock = [0, started];
            }
            let [from, end] = queue.stock;
            copy_stream(&self.stock.0.0, from, &mut self.state.0.0, i);
            self.take_place(first, queue.next - (end - from), seat, i);
            queue.stock[0] += 1;
        }
    }

    /// Seats message `place` of the order at the stream of that number.
    fn take_place(&self, first: usize, place: usize, seat: &mut Seat, stream: usize) {
        let message = usize::from(self.order[place]);
        let left = self.quads[message] as usize;
        *seat = Seat { message: first + message, stream, done: 0, left, room: seat.room };
    }

    /// Loads the cells of the next messages of the order.
    fn load<W: Work>(&mut self, work: &W, first: usize, queue: &mut Queue, count: usize) {
        let messages = &self.order[queue.next..queue.next + count];
        for (cells, &message) in self.cells.0.0.iter_mut().zip(messages) {
            work.source().cells(first + usize::from(message), cells);
        }
        queue.next += count;
    }

    /// Moves the messages in lanes from `lanes` on to free lower ones.
    fn move_together(&mut self, seats: &mut [Seat], lanes: usize) {
        let (lower, upper) = seats.split_at_mut(lanes);
        let mut free = lower.iter_mut().enumerate().filter(|(_, seat)| seat.left == 0);
        for seat in upper.iter_mut().filter(|seat| seat.left > 0) {
            let Some((lane, place)) = free.next() else { return };
            let state = &mut self.state.0.0;
            for row in state.iter_mut() {
                row.copy_within(4 * seat.stream..4 * seat.stream + 4, 4 * lane);
            }
            let room = core::mem::replace(&mut seat.room, place.room);
            *place = Seat { stream: lane, room, ..*seat };
            seat.left = 0;
        }
    }

    /// Puts the messages of a window that want keystream in order, longest first, and
    /// chooses the width. Returns how many they are and the width.
    fn put_in_order<W: Work>(&mut self, work: &W, first: usize, count: usize) -> (usize, Width) {
        let mut places = [0u16; CLASSES + 1];
        let (mut total, mut longest) = (0, 0);
        for i in 0..count {
            let quads = work.bytes(first + i).div_ceil(16);
            // More than 2^36 bytes of one message fit no memory of today.
            self.quads[i] = quads as u32;
            places[class(quads)] += 1;
            total += quads;
            longest = longest.max(quads);
        }
        // Class 0 wants nothing, and comes last.
        let wanted = count - usize::from(places[0]);
        let mut before = 0;
        for class in (0..=CLASSES).rev() {
            before += core::mem::replace(&mut places[class], before);
        }
        for i in 0..count {
            let place = &mut places[class(self.quads[i] as usize)];
            self.order[usize::from(*place)] = i as u16;
            *place += 1;
        }
        (wanted, self.widths.of(wanted, total, longest))
    }
}

/// Of how many sixteens the next pass is: as many as all messages want, but in whole
/// blocks unless all of them end in the last one.
fn quads(seats: &[Seat]) -> usize {
    let (mut least, mut most) = (usize::MAX, 0);
    for seat in seats.iter().filter(|seat| seat.left > 0) {
        least = least.min(seat.left);
        most = most.max(seat.left);
    }
    if most <= 4 * BLOCKS && least.div_ceil(4) == most.div_ceil(4) {
        return most;
    }
    // A last pass of less than a block would cost more than it makes.
    let most = if least / 4 == BLOCKS { BLOCKS - 1 } else { BLOCKS };
    (least / 4).clamp(1, most) * 4
}

/// The class of a length in sixteens: every one up to 32, then eight for each doubling.
fn class(quads: usize) -> usize {
    if quads <= 32 {
        return quads;
    }
    let doublings = quads.ilog2() - 5;
    let eighth = (quads >> (doublings + 2)) & 7;
    (33 + 8 * doublings as usize + eighth).min(CLASSES)
}

/// Copies the state of one stream.
fn copy_stream(from: &Rows, source: usize, to: &mut Rows, target: usize) {
    for (from, to) in from.iter().zip(to) {
        to.as_chunks_mut::<4>().0[target] = from.as_chunks::<4>().0[source];
    }
}
