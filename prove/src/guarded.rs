//! No byte beside a buffer: every buffer of a call, key and tag included, lies against a page
//! that can't be read, once with its first byte and once with its last, in place and buffer to
//! buffer. What comes out must be what the portable level makes of ordinary buffers.

use cipherlane::batch::Packet;
use cipherlane::{InOut, Level};
use model::random::SplitMix64;

use crate::calls::{Call, Parts, Way};
use crate::pages::{Guarded, Side};

/// The longest message in bytes.
pub const LONGEST: usize = 300;

/// The buffers of one packet.
#[derive(Debug)]
struct Room {
    key: Guarded,
    iv: Guarded,
    aad: Guarded,
    input: Guarded,
    output: Guarded,
    tag: Guarded,
}

impl Room {
    fn new() -> std::io::Result<Self> {
        let new = Guarded::new;
        let (key, iv, aad, input, output, tag) = (new()?, new()?, new()?, new()?, new()?, new()?);
        Ok(Self { key, iv, aad, input, output, tag })
    }

    /// The packet of `parts`, its buffers against the pages.
    fn packet(&mut self, parts: &Parts, side: Side, apart: bool) -> Packet<'_> {
        let put = |room: &'_ mut Guarded, bytes: &[u8]| {
            room.at(side, bytes.len()).copy_from_slice(bytes);
        };
        put(&mut self.key, &parts.key);
        put(&mut self.iv, &parts.iv);
        put(&mut self.aad, &parts.aad);
        put(&mut self.input, &parts.data);
        put(&mut self.tag, &parts.tag);
        let len = parts.data.len();
        let input = self.input.at(side, len);
        let io = if apart {
            let output = self.output.at(side, len);
            output.fill(0xc3);
            InOut::disjoint(input, output).unwrap_or_else(|| unreachable!("equal lengths"))
        } else {
            InOut::from(input)
        };
        Packet::aead(
            self.key.at(side, parts.key.len()),
            self.iv.at(side, parts.iv.len()),
            self.aad.at(side, parts.aad.len()),
            io,
            self.tag.at(side, parts.tag.len()),
        )
    }

    /// Whether output and tag are as expected.
    fn holds(&mut self, expected: &Parts, side: Side, apart: bool) -> bool {
        let output = if apart { &mut self.output } else { &mut self.input };
        *output.at(side, expected.data.len()) == *expected.data
            && *self.tag.at(side, expected.tag.len()) == *expected.tag
    }
}

/// The buffers of a call of any way.
#[derive(Debug)]
pub struct Rooms([Room; 3]);

impl Rooms {
    /// Maps their pages.
    ///
    /// # Errors
    /// What the system says.
    pub fn new() -> std::io::Result<Self> {
        Ok(Self([Room::new()?, Room::new()?, Room::new()?]))
    }

    /// Calls an operation at these lengths and returns how many calls were right.
    ///
    /// # Errors
    /// For the first that was not, or that the library refuses. A byte touched beside a buffer
    /// ends the process.
    pub fn check(
        &mut self,
        call: &Call,
        way: Way,
        level: Level,
        lengths: &mut dyn Iterator<Item = usize>,
    ) -> Result<usize, String> {
        let mut calls = 0;
        for len in lengths.filter(|&len| call.takes(len)) {
            let wanted: &[usize] =
                if way == Way::Alone { &[len] } else { &[len, LONGEST - len, (len + 17) % 290] };
            let (inputs, outputs) = packets(call, wanted)?;
            for side in Side::ALL {
                for apart in [false, true] {
                    let rooms = self.0.iter_mut().zip(&inputs);
                    let mut packets: Vec<Packet<'_>> =
                        rooms.map(|(room, parts)| room.packet(parts, side, apart)).collect();
                    let result = call.run(way, level, &mut packets);
                    drop(packets);
                    let place = || {
                        let how = if apart { "buffer to buffer" } else { "in place" };
                        format!("{len} bytes, {side:?}, {how}")
                    };
                    result.map_err(|error| format!("{}: {error}", place()))?;
                    let mut rooms = self.0.iter_mut().zip(&outputs);
                    if !rooms.all(|(room, parts)| room.holds(parts, side, apart)) {
                        return Err(format!("{}: wrong output", place()));
                    }
                    calls += 1;
                }
            }
        }
        Ok(calls)
    }
}

/// Packets as they go in, and as the portable level makes them come out.
fn packets(call: &Call, wanted: &[usize]) -> Result<(Vec<Parts>, Vec<Parts>), String> {
    of_random(call, wanted, &mut SplitMix64::new(wanted[0] as u64))
}

/// The same of these random bytes.
pub(crate) fn of_random(
    call: &Call,
    wanted: &[usize],
    random: &mut SplitMix64,
) -> Result<(Vec<Parts>, Vec<Parts>), String> {
    let mut new = |&wanted| {
        let mut parts = Parts::zeros(&call.0, wanted, wanted % 37);
        let Parts { key, iv, aad, data, tag: _ } = &mut parts;
        for field in [key, iv, aad, data] {
            *field = random.bytes(field.len());
        }
        parts
    };
    let mut inputs: Vec<Parts> = wanted.iter().map(&mut new).collect();
    let portable = |call: &Call, parts: &mut [Parts]| {
        let mut packets: Vec<_> = parts.iter_mut().map(Parts::packet).collect();
        call.run(Way::Alone, Level::portable(), &mut packets).map_err(|error| error.to_string())
    };
    if let Some(seal) = call.sealing().filter(|_| call.opens()) {
        portable(&seal, &mut inputs)?;
    }
    let mut outputs = inputs.clone();
    portable(call, &mut outputs)?;
    Ok((inputs, outputs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calls::calls;

    #[test]
    fn right_outputs_pass_and_wrong_ones_do_not() {
        let mut rooms = Rooms::new().unwrap();
        let calls = calls(|it| it.name == "sm4");
        for name in ["ctr", "gcm-open", "cmac"] {
            let call = calls.iter().find(|it| it.0.name == name).unwrap();
            for level in Level::available() {
                for way in Way::ALL {
                    let checked = rooms.check(call, way, level, &mut [0, 17, 300].into_iter());
                    assert_eq!(checked, Ok(12), "{name} {way:?} {level}");
                }
            }
            let (inputs, mut outputs) = packets(call, &[33]).unwrap();
            let room = &mut rooms.0[0];
            let mut packet = [room.packet(&inputs[0], Side::Back, true)];
            call.run(Way::Alone, Level::best(), &mut packet).unwrap();
            assert!(rooms.0[0].holds(&outputs[0], Side::Back, true));
            let Parts { data, tag, .. } = &mut outputs[0];
            *data.last_mut().or(tag.last_mut()).unwrap() ^= 1;
            assert!(!rooms.0[0].holds(&outputs[0], Side::Back, true));
        }
    }
}
