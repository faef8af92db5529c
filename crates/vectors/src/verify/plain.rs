//! The vectors with the registry's names, as lines for tests in other languages: they need
//! neither a reader of JSON nor the tables of names.

use core::fmt::Write as _;

use cipherlane::registry::{Constructor, Kind, Parameters};

use super::block::parameters;
use super::of_stream::made_iv;
use super::plan::{Plan, Planned};
use super::stream::{other_bit_order, pack};
use crate::{Test, VectorFile, Verdict};

/// The fields of a line, separated by tabs; byte strings are in hexadecimal.
///
/// `kind` is `cipher` (`input` encrypts to `output`), `keystream` (`output` are its bytes from
/// `offset` on), `aead` or `mac` (`input` is the message). `bits` is the message's length
/// where it is not whole bytes, else empty; `valid` is 1 or 0; `parameters` are the effective
/// key bits of RC2, the word bits and the rounds of RC5, separated by commas.
pub const FIELDS: &str = "kind\tid\talgorithm\toperation\tinverse\tkey\tiv\taad\tinput\toutput\t\
                          tag\toffset\tbits\tvalid\tparameters";

/// One line; what the fields mean is said at [`FIELDS`].
#[derive(Clone, Debug, Default)]
#[expect(missing_docs, reason = "told once, for the text and for this")]
pub struct Line<'t> {
    pub kind: &'static str,
    pub id: String,
    pub algorithm: &'static str,
    pub operation: String,
    pub inverse: String,
    pub key: Vec<u8>,
    pub iv: Vec<u8>,
    pub aad: &'t [u8],
    pub input: &'t [u8],
    pub output: &'t [u8],
    pub tag: &'t [u8],
    pub offset: u64,
    pub bits: Option<u64>,
    pub valid: bool,
    pub parameters: Parameters,
}

/// Every test that can be told in one line; not those that are procedures, and not those
/// beyond a limit that the standard sets and the public interface enforces.
#[must_use]
pub fn lines(files: &[VectorFile]) -> String {
    let mut text = format!("{FIELDS}\n");
    each_line(files, &mut |line| put(line, &mut text));
    text
}

/// The same, one after another.
pub fn each_line(files: &[VectorFile], on_line: &mut dyn FnMut(&Line<'_>)) {
    let plan = Plan::new(&[], files);
    for planned in &plan.tests {
        let reversed;
        let test = match planned.group.bit_order {
            Some(_) => {
                reversed = other_bit_order(planned.test);
                &reversed
            }
            None => planned.test,
        };
        // Bindings read tests of the tag's length themselves, as these are about their objects.
        let plain = test.object_tag_bytes.is_none();
        if plain && test.procedure.is_none() && test.iterations.is_none() {
            line(planned, test, on_line);
        }
    }
}

fn line(planned: &Planned<'_>, test: &Test, on_line: &mut dyn FnMut(&Line<'_>)) {
    let operation = &planned.operation;
    let id = format!("{}:{}:{}", planned.file.name, planned.group.mode, test.id);
    let none = &[][..];
    let bytes = |field: &'_ Option<Vec<u8>>| field.clone().unwrap_or_default();
    let mut key = bytes(&test.key);
    let mode = planned.mode;
    let common = Line {
        id,
        algorithm: operation.algorithm.name,
        aad: test.aad.as_deref().unwrap_or_default(),
        tag: test.tag.as_deref().unwrap_or_default(),
        valid: test.verdict() == Verdict::Valid,
        parameters: parameters(test),
        ..Line::default()
    };
    if operation.kind == Kind::Mac {
        key.extend(test.key2.iter().flatten());
        let ivs = [&test.iv, &test.iv16].into_iter().flatten().cloned();
        let framed = made_iv(operation, test);
        let unpacked = test.iv_unpacked.clone();
        let iv = ivs.chain(framed).chain(unpacked).find(|iv| operation.iv.allow(iv.len()));
        let message = test.message.as_deref().unwrap_or(none);
        let bits = test.bits.filter(|&bits| bits != 8 * message.len() as u64);
        if operation.limit.is_some_and(|limit| message.len() as u64 > limit) {
            return;
        }
        let operation = mode.to_owned();
        let (kind, iv, input) = ("mac", iv.unwrap_or_default(), message);
        on_line(&Line { kind, operation, key, iv, input, bits, ..common });
    } else if operation.kind == Kind::Seal {
        let parts = [&test.hash_key, &test.key, &test.key2];
        let key = parts.into_iter().flatten().flatten().copied().collect();
        let input = test.plaintext.as_deref().unwrap_or(none);
        let output = test.ciphertext.as_deref().unwrap_or(none);
        let (kind, iv, operation) = ("aead", bytes(&test.iv), mode.to_owned());
        on_line(&Line { kind, operation, key, iv, input, output, ..common });
    } else {
        let (name, inverse) = (operation.name, operation.inverse.unwrap_or_default());
        let (name, inverse) = (name.to_owned(), inverse.to_owned());
        key.extend(test.hash_key.iter().flatten());
        let mut iv = bytes(if test.tweak.is_some() { &test.tweak } else { &test.iv });
        if let Some(made) = made_iv(operation, test) {
            iv = made;
        }
        if let (true, Some(unpacked)) = (test.iv.is_none(), &test.iv_unpacked) {
            iv = pack(unpacked).unwrap_or_default();
        }
        if mode.starts_with("xts") {
            iv.resize(16, 0);
        }
        if mode.starts_with("xts") && matches!(operation.new, Constructor::Message(_)) {
            // Equal halves of a key are refused, as SP 800-38E asks.
            let (one, two) = key.split_at(key.len() / 2);
            if one == two {
                return;
            }
        }
        let limit = operation.limit.unwrap_or(u64::MAX);
        for segment in test.keystream.iter().flatten().filter(|it| it.end() <= limit) {
            let (key, iv, operation) = (key.clone(), iv.clone(), name.clone());
            let inverse = inverse.clone();
            let (offset, output) = (segment.offset, segment.bytes.as_slice());
            let kind = "keystream";
            let line = Line { kind, operation, inverse, key, iv, ..common.clone() };
            on_line(&Line { offset, output, ..line });
        }
        let (Some(input), Some(output)) = (&test.plaintext, &test.ciphertext) else { return };
        let whole = test.bits.map_or(input.len(), |bits| bits as usize / 8);
        let (input, output) = (&input[..whole], &output[..whole]);
        if input.len() as u64 <= limit {
            let (kind, operation) = ("cipher", name);
            on_line(&Line { kind, operation, inverse, key, iv, input, output, ..common });
        }
    }
}

fn put(line: &Line<'_>, text: &mut String) {
    let Line { kind, id, algorithm, operation, inverse, offset, .. } = line;
    let hex = crate::hex::encode;
    let [key, iv, aad, input, output, tag] =
        [&line.key[..], &line.iv, line.aad, line.input, line.output, line.tag].map(hex);
    let bits = line.bits.map(|bits| bits.to_string()).unwrap_or_default();
    let valid = u8::from(line.valid);
    let number = |value: Option<u32>| value.map(|it| it.to_string()).unwrap_or_default();
    let family = line.parameters;
    let family = [family.effective_key_bits, family.word_bits, family.rounds].map(number);
    let family = family.join(",");
    // Writing to a string can't fail.
    let _ = writeln!(
        text,
        "{kind}\t{id}\t{algorithm}\t{operation}\t{inverse}\t{key}\t{iv}\t{aad}\t{input}\t\
         {output}\t{tag}\t{offset}\t{bits}\t{valid}\t{family}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_every_field_and_nearly_every_test_a_line() {
        let files = crate::embedded().unwrap();
        let lines = lines(&files);
        let width = FIELDS.split('\t').count();
        for line in lines.lines() {
            assert_eq!(line.split('\t').count(), width, "{line}");
        }
        for kind in ["cipher", "keystream", "aead", "mac"] {
            let count = lines.lines().filter(|line| line.starts_with(&format!("{kind}\t"))).count();
            assert!(count > 100, "{count} of {kind}");
        }
        let plan = Plan::new(&[], &files);
        assert!(lines.lines().count() > plan.tests.len(), "{}", lines.lines().count());
    }
}
