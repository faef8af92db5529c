//! What a message of Grain-128AEADv2 takes of the generator's output, and in which order
//! ("Grain-128AEADv2", NIST LWC, 2021, §2.6.1).

use lanes::{InOut, Level};

use super::OfAead;
use super::tag::Sum;
use crate::error::{Error, check_length};
use crate::keystream::generator::Generator;
use crate::secret::Secret;
use crate::sizes::Sizes;
use crate::traits::mode::Direction;

/// The lengths of nonce and tag in bytes.
pub(super) const NONCE: Sizes = OfAead::IV;
pub(super) const TAG: Sizes = Sizes::exactly(8);

/// Output of the generator at a time: whole blocks of 32 bytes.
const PIECE: usize = 512;

/// A message on its way: the encoded length of the associated data, these, and the text (§2.6.1).
pub(super) struct Message {
    sum: Secret<Sum>,
    encoded: [u8; 9],
    encoded_len: usize,
    /// How many bytes of output were used.
    at: usize,
}

/// Bytes of output that start accumulator and register.
const START: usize = 16;

/// Associated data and text together: a number tells the output of both, two bytes for each.
const MOST: usize = usize::MAX / 2 - 64;

/// Refuses what is too long to be counted, which only addresses of 32 bits let a caller have.
pub(super) fn check_text(aad_len: usize, text_len: usize) -> Result<(), Error> {
    check_length("message", aad_len.saturating_add(text_len), Sizes::between(0, MOST))
}

impl Message {
    pub(super) fn new(aad_len: usize) -> Self {
        let (encoded, encoded_len) = encoded(aad_len);
        Self { sum: Secret(Sum::ZERO), encoded, encoded_len, at: 0 }
    }

    /// How many bytes of output it takes: two for each of its own, encrypted or not.
    pub(super) fn output_len(&self, aad_len: usize, text_len: usize) -> usize {
        START + 2 * (self.encoded_len + aad_len + text_len)
    }

    /// The next bytes of output, as many as are there or as the message takes; at first 16 at least,
    /// later an even number.
    pub(super) fn take(
        &mut self,
        level: Level,
        aad: &[u8],
        io: &mut InOut<'_>,
        direction: Direction,
        mut output: &[u8],
    ) {
        if self.at == 0 {
            let (start, rest) = output.split_first_chunk::<START>().expect("16 bytes");
            self.sum.0 = Sum::new(start);
            (self.at, output) = (START, rest);
        }
        let (mut place, mut before) = ((self.at - START) / 2, 0);
        for data in [&self.encoded[..self.encoded_len], aad] {
            let end = before + data.len();
            let count = end.saturating_sub(place).min(output.len() / 2);
            if count > 0 {
                let (own, rest) = output.split_at(2 * count);
                self.sum.0.absorb(level, own, &data[place - before..][..count]);
                (place, output) = (place + count, rest);
            }
            before = end;
        }
        let count = output.len() / 2;
        if count > 0 {
            self.sum.0.crypt(level, output, io.part(place - before, count), direction);
            place += count;
        }
        self.at = START + 2 * place;
    }

    /// What is left of it; `make` xors the next bytes of output into what it is given.
    pub(super) fn take_rest(
        &mut self,
        level: Level,
        aad: &[u8],
        io: &mut InOut<'_>,
        direction: Direction,
        make: &mut dyn FnMut(InOut<'_>),
    ) {
        let mut room = Secret([0; PIECE]);
        let mut left = self.output_len(aad.len(), io.len()) - self.at;
        while left > 0 {
            let output = &mut room.0[..left.min(PIECE)];
            output.fill(0);
            make((&mut *output).into());
            self.take(level, aad, io, direction, output);
            left -= output.len();
        }
    }

    /// The tag of a message that has gone through.
    pub(super) fn tag(&self) -> [u8; 8] {
        self.sum.0.tag()
    }
}

/// The length of the associated data as DER has it (§2.6.1): one byte below 128, else the number of
/// bytes that follow, with the highest bit set.
fn encoded(length: usize) -> ([u8; 9], usize) {
    let mut bytes = [0; 9];
    if length < 128 {
        bytes[0] = length as u8;
        return (bytes, 1);
    }
    let digits = (length as u64).to_be_bytes();
    let first = digits.iter().take_while(|digit| **digit == 0).count();
    let count = digits.len() - first;
    bytes[0] = 0x80 | count as u8;
    bytes[1..=count].copy_from_slice(&digits[first..]);
    (bytes, 1 + count)
}

#[cfg(test)]
mod tests {
    use super::{MOST, check_text, encoded};

    #[test]
    fn what_cannot_be_counted_is_refused() {
        assert!(check_text(MOST, 0).is_ok() && check_text(0, MOST).is_ok());
        assert!(check_text(MOST, 1).is_err() && check_text(usize::MAX, usize::MAX).is_err());
        // The output of the longest, with what starts it and an encoded length of nine bytes.
        assert!(MOST.checked_add(9).and_then(|it| it.checked_mul(2)?.checked_add(16)).is_some());
    }

    #[test]
    fn lengths_are_those_of_der() {
        let of = |length| {
            let (bytes, len) = encoded(length);
            std::vec::Vec::from(&bytes[..len])
        };
        assert_eq!(of(0), [0]);
        assert_eq!(of(127), [127]);
        assert_eq!(of(128), [0x81, 128]);
        assert_eq!(of(256), [0x82, 1, 0]);
        assert_eq!(of(0x12_3456), [0x83, 0x12, 0x34, 0x56]);
    }
}
