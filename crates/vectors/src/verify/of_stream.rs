//! Vectors of MACs made of a stream cipher.

use cipherlane::air::{Count, Direction, Frame, uia2_iv};
use cipherlane::registry::{NewMac, Operation};
use cipherlane::{Error, Level};

use super::check::{OnPath, Outcome, equal, need};
use super::pieces::{Cuts, pieces};
use crate::{Test, Verdict};

/// COUNT, BEARER and DIRECTION of a test.
pub(super) fn frame(test: &Test) -> Result<Frame, (String, String)> {
    let small = |field: &Option<u64>, name: &str| {
        let value = *need(field, name)?;
        u8::try_from(value).on(&format!("reading, field `{name}` is {value}"))
    };
    let count = need(&test.count, "count")?;
    let count = count.as_slice().try_into().on(&"reading, field `count` has not 4 bytes")?;
    let (bearer, direction) =
        (small(&test.bearer, "bearer")?, small(&test.direction, "direction")?);
    Frame::from_numbers(u32::from_be_bytes(count), bearer, direction).on(&"reading")
}

/// The IV that a test's COUNT makes for an operation, with BEARER or FRESH.
fn counted_iv(operation: &Operation, test: &Test) -> Result<Vec<u8>, (String, String)> {
    let Some(fresh) = &test.fresh else {
        let made = operation.air_iv(frame(test)?).ok_or("it has no IV of COUNT").on(&"reading")?;
        return Ok(made.on(&"reading")?.to_vec());
    };
    let word = |bytes: &[u8]| bytes.try_into().map(u32::from_be_bytes);
    let count = word(need(&test.count, "count")?).on(&"reading, field `count` has not 4 bytes")?;
    let fresh = word(fresh).on(&"reading, field `fresh` has not 4 bytes")?;
    let direction = u8::try_from(*need(&test.direction, "direction")?).on(&"reading")?;
    let direction = Direction::new(direction).on(&"reading")?;
    Ok(uia2_iv(Count(count), fresh, direction).to_vec())
}

/// The IV of an operation that a test gives as COUNT, BEARER or FRESH, and DIRECTION; none where the
/// test has none of these.
#[must_use]
pub fn made_iv(operation: &Operation, test: &Test) -> Option<Vec<u8>> {
    test.count.as_ref().and_then(|_| counted_iv(operation, test).ok())
}

/// A MAC.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mac<'o> {
    pub(super) operation: &'o Operation,
    pub(super) new: NewMac,
    pub(super) unlimited: NewMac,
}

impl Mac<'_> {
    /// Runs one test at a level along all paths, counting those that pass.
    pub(super) fn run(&self, test: &Test, level: Level, cuts: Cuts, paths: &mut usize) -> Outcome {
        let mut ivs: Vec<Vec<u8>> =
            [&test.iv, &test.iv16, &test.iv_unpacked].into_iter().flatten().cloned().collect();
        if test.count.is_some() {
            ivs.push(counted_iv(self.operation, test)?);
        }
        if ivs.is_empty() {
            need(&test.iv, "iv")?;
        }
        for iv in &ivs {
            let on = |(path, what)| (format!("{path}, IV of {} bytes", iv.len()), what);
            self.under(iv, test, level, cuts, paths).map_err(on)?;
        }
        Ok(())
    }

    fn under(
        &self,
        iv: &[u8],
        test: &Test,
        level: Level,
        cuts: Cuts,
        paths: &mut usize,
    ) -> Outcome {
        let name = self.operation.name;
        let key = need(&test.key, "key")?;
        let message = need(&test.message, "message")?;
        let tag = need(&test.tag, "tag")?;
        let bits = test.bits.unwrap_or(8 * message.len() as u64);
        let beyond = self.operation.limit.is_some_and(|limit| bits > 8 * limit);
        let new = if beyond { self.unlimited } else { self.new };
        let made = new(self.operation.algorithm, key, iv, level);
        let made = made.and_then(|mut mac| mac.set_tag_len(test.object_tag()).map(|()| mac));
        if test.verdict() == Verdict::Invalid {
            let right = made
                .and_then(|mut mac| mac.update_bits(message, bits).and_then(|()| mac.verify(tag)));
            *paths += usize::from(right.is_err());
            let accepted = || (name.into(), "accepted; expected: an error".into());
            return right.map_or(Ok(()), |()| Err(accepted()));
        }
        let mut mac = made.on(&"set-up")?;
        mac.update_bits(message, bits).and_then(|()| mac.verify(tag)).on(&name)?;
        *paths += 1;

        if mac.update_bits(message, bits).is_ok() {
            return Err((name.into(), "an IV has served two messages".into()));
        }
        mac.reset(iv).and_then(|()| mac.update_bits(message, bits)).on(&name)?;
        let mut wrong = tag.clone();
        wrong[0] ^= 1;
        if mac.verify(&wrong) != Err(Error::Authentication) {
            return Err((name.into(), "a changed tag is accepted".into()));
        }
        *paths += 1;

        // Pieces of so many bits, and where the message is whole bytes, of bytes.
        for unit in [1, 8] {
            if !bits.is_multiple_of(unit) || unit < 8 && !self.operation.bits {
                continue;
            }
            for pattern in &cuts.patterns((bits / unit) as usize) {
                let path = format!("{name}, in pieces of {pattern:?} times {unit} bits");
                mac.reset(iv).on(&path)?;
                for piece in pieces(bits as usize, unit as usize, pattern) {
                    let part = shifted(message, piece.start, piece.len());
                    if unit == 8 {
                        mac.update(&part).on(&path)?;
                    } else {
                        mac.update_bits(&part, piece.len() as u64).on(&path)?;
                    }
                }
                let mut computed = vec![0xa5; tag.len()];
                mac.finish(&mut computed).on(&path)?;
                equal(&path, &computed, tag, None, paths)?;
            }
        }
        Ok(())
    }
}

/// `bits` bits from bit `start` on; those behind them in the last byte are what follows.
fn shifted(message: &[u8], start: usize, bits: usize) -> Vec<u8> {
    let byte = |i: usize| u16::from(message.get(i).copied().unwrap_or(0));
    (0..bits.div_ceil(8))
        .map(|i| {
            let at = start / 8 + i;
            ((byte(at) << 8 | byte(at + 1)) >> (8 - start % 8)) as u8
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::shifted;

    #[test]
    fn bits_are_moved_to_the_front() {
        let message = [0b1010_0011, 0b0101_1100];
        assert_eq!(shifted(&message, 0, 16), message);
        assert_eq!(shifted(&message, 3, 9), [0b0001_1010, 0b1110_0000]);
        assert!(shifted(&message, 16, 0).is_empty());
    }
}
