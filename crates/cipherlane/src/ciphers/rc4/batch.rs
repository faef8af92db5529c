//! Many messages: four streams in turn.

use core::fmt;

use super::KEY;
use super::state::{self, Repeated, State};
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::keystream::order::{Place, longest_first};
use crate::secret::{Secret, Wipe};
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet, check_all, check_plain};

/// Streams in turn.
const STREAMS: usize = 4;

/// How many messages are put in order at once.
const WINDOW: usize = 256;

/// Encrypts many messages at once, each with its own key and length: four streams in turn,
/// by scalar code at every level.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::rc4::Rc4Batch;
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// Rc4Batch::new().apply(&mut [
///     Packet::new(&[1; 16], &[], a.as_mut_slice().into()),
///     Packet::new(&[3; 5], &[], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct Rc4Batch {
    states: Secret<[State; STREAMS]>,
    keys: Secret<[Repeated; STREAMS]>,
    order: [Place; WINDOW],
}

impl Wipe for [State; STREAMS] {
    fn wipe(&mut self) {
        self.iter_mut().for_each(Wipe::wipe);
    }
}

impl Default for Rc4Batch {
    fn default() -> Self {
        Self::new()
    }
}

impl Rc4Batch {
    /// A batch; its code is the same at every [`Level`](lanes::Level).
    #[must_use]
    pub fn new() -> Self {
        Self {
            states: Secret([const { State::EMPTY }; STREAMS]),
            keys: Secret([[0; 256]; STREAMS]),
            order: [Place::EMPTY; WINDOW],
        }
    }

    /// The messages of a window, longest first, four at a time: what the shortest of the
    /// four wants of all together, then of each the rest.
    fn run_window(&mut self, packets: &mut [Packet<'_>]) {
        let order = &mut self.order[..packets.len()];
        for (i, (place, packet)) in order.iter_mut().zip(&*packets).enumerate() {
            *place = Place::new(i, packet.io.len());
        }
        longest_first(order);
        let (fours, rest) = order.as_chunks::<STREAMS>();
        let [a, b, c, d] = &mut self.states.0;
        for four in fours {
            let four = four.map(Place::message);
            for (&i, key) in four.iter().zip(&mut self.keys.0) {
                state::repeat(packets[i].key, key);
            }
            state::set_up([a, b, c, d], &self.keys.0);
            let lens = four.map(|i| packets[i].io.len());
            let Ok([p, q, r, s]) = packets.get_disjoint_mut(four) else { continue };
            let [p, q, r, s] = [&mut p.io, &mut q.io, &mut r.io, &mut s.io];
            // Longest first, so the last, then the next to last, … ends.
            let (all, three, two) = (lens[3], lens[2] - lens[3], lens[1] - lens[2]);
            let pieces = [p.part(0, all), q.part(0, all), r.part(0, all), s.part(0, all)];
            state::apply([a, b, c, d], pieces);
            let pieces = [p.part(all, three), q.part(all, three), r.part(all, three)];
            state::apply([a, b, c], pieces);
            state::apply([a, b], [p.part(lens[2], two), q.part(lens[2], two)]);
            a.apply(p.part(lens[1], lens[0] - lens[1]));
        }
        for place in rest {
            let packet = &mut packets[place.message()];
            state::repeat(packet.key, &mut self.keys.0[0]);
            a.set_up(&self.keys.0[0]);
            a.apply(packet.io.reborrow());
        }
        self.keys.0.wipe();
    }
}

impl BatchCipher for Rc4Batch {
    fn lanes(&self) -> usize {
        STREAMS
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), KEY)
            .and(check_length("iv", packet.iv.len(), Sizes::exactly(0)))
            .and(check_plain(packet.aad, packet.tag))
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(lanes::Level::portable(), &super::ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        for window in packets.chunks_mut(WINDOW) {
            self.run_window(window);
        }
        Ok(())
    }
}

impl fmt::Debug for Rc4Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rc4Batch").finish_non_exhaustive()
    }
}
