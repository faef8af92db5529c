//! Vectors of a stream cipher: keystream segments, or plaintext and ciphertext.

use cipherlane::registry::NewStream;
use cipherlane::{Level, Sizes, StreamCipher};

use super::check::{OnPath, Outcome, equal, need};
use super::of_stream::frame;
use super::pieces::{Cuts, pieces};
use crate::{Segment, Test, Verdict};

/// What the registry says about a stream cipher.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stream {
    pub(super) iv: Sizes,
    pub(super) new: NewStream,
    pub(super) unlimited: NewStream,
    pub(super) limit: Option<u64>,
}

/// One IV of one test: how to begin, what goes in and what has to come out.
struct Run<'t> {
    start: &'t dyn Fn() -> Result<Box<dyn StreamCipher>, cipherlane::Error>,
    form: &'t str,
    iv: &'t [u8],
    /// The plaintext, zeros where only keystream is published.
    input: &'t [u8],
    /// What is known of the output.
    expected: &'t [Segment],
    bits: Option<u64>,
}

impl Stream {
    /// Runs one test at a level along all paths, counting those that pass.
    pub(super) fn run(&self, test: &Test, level: Level, cuts: Cuts, paths: &mut usize) -> Outcome {
        let key = need(&test.key, "key")?;
        if test.procedure.is_some() {
            return self.rekeyed(test, level, paths);
        }
        let ivs = self.ivs(test)?;
        if test.verdict() == Verdict::Invalid {
            let (form, iv) = &ivs[0];
            let accepted = (self.new)(key, iv, level).is_ok();
            *paths += usize::from(!accepted);
            let what = "accepted; expected: an error".into();
            return if accepted { Err((form.clone(), what)) } else { Ok(()) };
        }
        let directions = directions(test)?;
        for (form, iv) in &ivs {
            for (direction, input, expected) in &directions {
                let beyond = self.limit.is_some_and(|limit| input.len() as u64 > limit);
                let new = if beyond { self.unlimited } else { self.new };
                let start = || new(key, iv, level);
                let form = &format!("{direction}, {form}");
                Run { start: &start, form, iv, input, expected, bits: test.bits }
                    .all(cuts, paths)?;
                if let Some(digest) = &test.xor_digest {
                    let len = *need(&test.xor_digest_length, "xor_digest_length")?;
                    let mut stream = (self.unlimited)(key, iv, level).on(form)?;
                    let folded = xor_digest(&mut *stream, len).on(&"xor-digest")?;
                    equal(&format_args!("{form}, xor-digest"), &folded, digest, None, paths)?;
                }
            }
        }
        Ok(())
    }

    /// The procedure of the designers of MICKEY: from an empty IV on, the keystream gives
    /// key and IV of 4 bytes again and again; at the end it is compared.
    fn rekeyed(&self, test: &Test, level: Level, paths: &mut usize) -> Outcome {
        let path = "keys from the keystream";
        let procedure = need(&test.procedure, "procedure")?;
        if !(procedure.starts_with("load key with empty IV") && procedure.contains("4 bytes")) {
            return Err(("reading".into(), format!("unknown procedure `{procedure}`")));
        }
        let key = need(&test.key, "key")?;
        let mut next = vec![0; key.len() + 4];
        let mut stream = (self.new)(key, &[], level).on(&path)?;
        for _ in 0..*need(&test.iterations, "iterations")? {
            stream.keystream(&mut next).on(&path)?;
            let (key, iv) = next.split_at(key.len());
            stream = (self.new)(key, iv, level).on(&path)?;
        }
        for segment in need(&test.keystream, "keystream")? {
            let mut got = vec![0; segment.end() as usize];
            stream.keystream(&mut got).on(&path)?;
            equal(&path, &got[segment.offset as usize..], &segment.bytes, None, paths)?;
        }
        Ok(())
    }

    /// The IV in every form that the test gives and the cipher takes.
    fn ivs(&self, test: &Test) -> Result<Vec<Iv>, (String, String)> {
        let mut ivs = Vec::new();
        if test.count.is_some() {
            ivs.push(("IV of COUNT, BEARER, DIRECTION".into(), frame(test)?.eea3_iv().to_vec()));
        }
        if let Some(iv) = &test.iv {
            ivs.push((format!("IV of {} bytes", iv.len()), iv.clone()));
        }
        if let Some(unpacked) = &test.iv_unpacked {
            if self.iv.allow(unpacked.len()) {
                ivs.push((format!("IV of {} bytes", unpacked.len()), unpacked.clone()));
            } else {
                let packed = pack(unpacked).on(&"reading")?;
                if test.iv.as_ref().is_some_and(|iv| *iv != packed) {
                    let what = "fields `iv` and `iv_unpacked` are not the same IV";
                    return Err(("reading".into(), what.into()));
                }
                if test.iv.is_none() {
                    ivs.push(("IV packed".into(), packed));
                }
            }
        }
        if !ivs.is_empty() {
            Ok(ivs)
        } else if self.iv.allow(0) {
            Ok(vec![("no IV".into(), Vec::new())])
        } else {
            need(&test.iv, "iv").map(|_| ivs)
        }
    }
}

/// The name of a form of the IV, and the bytes.
type Iv = (String, Vec<u8>);

/// A test whose key, IV and keystream are printed with bit 0 as the most significant bit of a
/// byte, for a cipher that has it as the least significant one.
pub(super) fn other_bit_order(test: &Test) -> Test {
    let convert = |bytes: &mut Vec<u8>| {
        for byte in bytes {
            *byte = byte.reverse_bits();
        }
    };
    let mut test = test.clone();
    test.key.iter_mut().chain(&mut test.iv).for_each(convert);
    test.keystream.iter_mut().flatten().for_each(|segment| convert(&mut segment.bytes));
    test
}

/// The end of the furthest keystream segment that is run, in bytes: well past
/// the published ones, and short of what a slip in a file could ask for.
const LONGEST: u64 = 1 << 28;

/// Name, input and known output of what a test can be run as.
type Direction = (&'static str, Vec<u8>, Vec<Segment>);

fn directions(test: &Test) -> Result<Vec<Direction>, (String, String)> {
    let mut out = Vec::new();
    if let Some(segments) = &test.keystream {
        let len = segments.iter().map(Segment::end).max().unwrap_or(0);
        if len > LONGEST {
            let what = format!("field `keystream` ends at byte {len}; allowed: up to {LONGEST}");
            return Err(("reading".into(), what));
        }
        out.push(("keystream", vec![0; len as usize], segments.clone()));
    }
    if let (Some(plaintext), Some(ciphertext)) = (&test.plaintext, &test.ciphertext) {
        let whole = |bytes: &Vec<u8>| vec![Segment { offset: 0, bytes: bytes.clone() }];
        out.push(("encryption", plaintext.clone(), whole(ciphertext)));
        out.push(("decryption", ciphertext.clone(), whole(plaintext)));
    }
    if out.is_empty() {
        return need(&test.keystream, "keystream").map(|_| out);
    }
    Ok(out)
}

impl Run<'_> {
    fn all(&self, cuts: Cuts, paths: &mut usize) -> Outcome {
        let on = |path: &str| format!("{}, {path}", self.form);
        let mut check = |path: &str, got: &[u8]| self.check(&on(path), got, paths);

        let mut data = self.input.to_vec();
        (self.start)().on(&on("set-up"))?.apply(&mut data).on(&on("in place"))?;
        check("in place", &data)?;

        let mut output = vec![0xa5; self.input.len()];
        let path = "buffer to buffer";
        (self.start)().on(&on(path))?.apply_to(self.input, &mut output).on(&on(path))?;
        check(path, &output)?;

        let path = "keystream added by hand";
        (self.start)().on(&on(path))?.keystream(&mut output).on(&on(path))?;
        output.iter_mut().zip(self.input).for_each(|(byte, input)| *byte ^= input);
        check(path, &output)?;

        for pattern in &cuts.patterns(self.input.len()) {
            let path = format!("streamed in pieces of {pattern:?}");
            let mut stream = (self.start)().on(&on(&path))?;
            output.fill(0xa5);
            self.stream(&mut *stream, pattern, &mut output).on(&on(&path))?;
            check(&path, &output)?;
            let path = format!("{path}, again after a reset");
            output.fill(0xa5);
            stream.reset(self.iv).on(&on(&path))?;
            self.stream(&mut *stream, pattern, &mut output).on(&on(&path))?;
            check(&path, &output)?;
        }
        Ok(())
    }

    /// Streams the input to the output, every other piece in place.
    fn stream(
        &self,
        stream: &mut dyn StreamCipher,
        pattern: &[usize],
        output: &mut [u8],
    ) -> Result<(), cipherlane::Error> {
        for (i, piece) in pieces(self.input.len(), 1, pattern).into_iter().enumerate() {
            let (input, output) = (&self.input[piece.clone()], &mut output[piece]);
            if i % 2 == 0 {
                output.copy_from_slice(input);
                stream.apply(output)?;
            } else {
                stream.apply_to(input, output)?;
            }
        }
        Ok(())
    }

    /// Compares every known segment; together they count as one path.
    fn check(&self, path: &str, got: &[u8], paths: &mut usize) -> Outcome {
        for Segment { offset, bytes } in self.expected {
            let start = *offset as usize;
            let path = format!("{path}, from byte {offset} on");
            equal(&path, &got[start..start + bytes.len()], bytes, self.bits, &mut 0)?;
        }
        *paths += 1;
        Ok(())
    }
}

/// The sum of all 64-byte blocks of the first `len` keystream bytes (eSTREAM).
fn xor_digest(stream: &mut dyn StreamCipher, len: u64) -> Result<Vec<u8>, cipherlane::Error> {
    let mut sum = vec![0; 64];
    let mut block = [0; 64];
    for start in (0..len).step_by(64) {
        let block = &mut block[..(len - start).min(64) as usize];
        stream.keystream(block)?;
        sum.iter_mut().zip(block).for_each(|(sum, byte)| *sum ^= *byte);
    }
    Ok(sum)
}

/// The 23-byte form of a ZUC-256 IV whose last eight bytes hold 6 bits each.
pub(super) fn pack(unpacked: &[u8]) -> Result<Vec<u8>, String> {
    let Some((bytes, sixes)) = unpacked.split_at_checked(17).filter(|(_, s)| s.len() == 8) else {
        return Err(format!("field `iv_unpacked` has {} bytes; allowed: 25", unpacked.len()));
    };
    if let Some(place) = sixes.iter().position(|&six| six > 63) {
        let (place, value) = (17 + place, sixes[place]);
        return Err(format!("field `iv_unpacked`: byte {place} is {value}; allowed: 0 to 63"));
    }
    let bits = sixes.iter().fold(0_u64, |bits, &six| bits << 6 | u64::from(six));
    Ok([bytes, &bits.to_be_bytes()[2..]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_times_six_bits_make_six_bytes() {
        let mut unpacked = vec![7; 17];
        unpacked.extend([1, 2, 3, 4, 0, 0, 0, 1]);
        let packed = pack(&unpacked).unwrap();
        assert_eq!(packed[..17], [7; 17]);
        assert_eq!(packed[17..], [0b0000_0100, 0b0010_0000, 0b1100_0100, 0, 0, 1]);
    }

    #[test]
    fn what_is_no_unpacked_iv_is_refused() {
        assert!(pack(&[0; 24]).unwrap_err().contains("24 bytes"));
        let mut unpacked = [0; 25];
        unpacked[20] = 64;
        assert!(pack(&unpacked).unwrap_err().contains("byte 20 is 64"));
    }
}
