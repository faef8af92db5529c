//! How much a reading of a sample speaks against chance.
//!
//! Under a wrong key a cipher makes bytes without a pattern, each time it is called on something new.
//! Each hypothesis on what plaintexts are (a model of texts, and the share of values that are of
//! another origin) is a probability over samples; how much more probable the sample is under it than
//! without a pattern exceeds 2ⁿ once in 2ⁿ samples at most (Markov), and so does the mean over the
//! hypotheses. Only new bytes count: what repeats in the ciphertext repeats in any rubbish.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::text::{ANY, MODELS, Models, log_mean, unshifted};
use crate::codec::{Codec, Trial};
use crate::error::Error;
use crate::padding::Padding;

/// Shares of values in a sample that are of another origin, or damaged.
const FOREIGN: [f64; 4] = [0.002, 0.1, 0.5, 0.9];
/// The bytes of a block.
const BLOCK: usize = 16;
/// Values whose key is derived anew are tried so many times, as each takes milliseconds.
const DERIVED: usize = 32;

/// What came of a sample under a codec.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    /// Whether each value opened: with its tag or padding, and else as UTF-8.
    pub(super) opened: Vec<bool>,
    /// Values that were looked at.
    pub(super) tried: usize,
    /// Values whose padding is right and was new.
    pub(super) paddings: usize,
    /// Values that are UTF-8.
    pub(super) texts: usize,
    /// log₂ of the evidence of paddings alone, and of paddings and text.
    pub(super) by_padding: f64,
    pub(super) bits: f64,
    /// That the first block of values is right too, which hangs on the IV.
    pub(super) first_block: f64,
    /// The share of it that is not of first blocks.
    pub(super) behind: f64,
    /// Of all plaintexts, to see whether another reading gives the same.
    pub(super) digest: u64,
}

/// What a byte of plaintext hangs on, so that it is known when it comes again.
fn cause(operation: &str, trial: &Trial, at: usize) -> u64 {
    let mut hasher = DefaultHasher::new();
    let iv = trial.iv.get();
    let (block, within) = (at / BLOCK, at % BLOCK);
    let of_block = |block: usize| &trial.cipher[block * BLOCK..(block + 1) * BLOCK];
    match operation {
        "ecb" | "cbc" => (of_block(block), within).hash(&mut hasher),
        "cfb" if block > 0 => (of_block(block - 1), within).hash(&mut hasher),
        "cfb8" | "cfb1" => {
            // The shift register, which is what the IV and the ciphertext say before this byte.
            let register = iv.iter().chain(&trial.cipher[..at]).rev().take(BLOCK);
            register.for_each(|byte| byte.hash(&mut hasher));
        }
        _ => (iv, at).hash(&mut hasher),
    }
    hasher.finish()
}

/// The logarithms of one hypothesis each.
type Sums = [[f64; FOREIGN.len()]; MODELS];

/// The mean over hypotheses.
fn mean(sums: &Sums) -> f64 {
    log_mean(&sums.iter().map(|of| log_mean(of)).collect::<Vec<_>>())
}

/// Adds a value: what its ratio is where it is no foreign one, or that it can't be of this codec.
fn add(sums: &mut Sums, ratios: Option<[f64; MODELS]>) {
    for (model, sums) in sums.iter_mut().enumerate() {
        for (foreign, sum) in FOREIGN.iter().zip(sums) {
            let own = ratios.map_or(f64::NEG_INFINITY, |it| it[model] + (1.0 - foreign).log2());
            // log₂(foreign + (1 − foreign) · ratio)
            *sum += log_mean(&[foreign.log2() + 1.0, own + 1.0]);
        }
    }
}

/// Evidence against a place of the first block that no other place makes up for, in bits.
const AGAINST: f64 = -9.0;

/// How much speaks for the first blocks of all values: at each place, that the bytes are more of a text
/// than with another one added to all of them, as they would come out with another IV. An IV may be
/// right in some bytes alone, so one place that speaks against it is the end.
fn first_block(there: &[[bool; 256]]) -> f64 {
    let places: Vec<f64> = there.iter().map(unshifted).collect();
    let against = places.iter().any(|it| *it < AGAINST);
    if against { f64::NEG_INFINITY } else { places.iter().sum() }
}

/// Reads a sample, in the order in which it is given.
pub(super) fn of(codec: &Codec, cells: &[&[u8]]) -> Evidence {
    let (operation, padding) = (codec.mode().operation(), codec.mode().padding);
    let mut evidence = Evidence::default();
    let mut sums: Sums = [[0.0; FOREIGN.len()]; MODELS];
    let mut behind = sums;
    let (mut models, mut known) = (Models::new(), HashSet::new());
    let mut first: Vec<[bool; 256]> = Vec::new();
    let mut trial = Trial::new();
    let mut digest = DefaultHasher::new();
    for cell in cells {
        if evidence.tried == DERIVED && codec.derives() {
            break;
        }
        match codec.trial(cell, &mut trial) {
            Ok(()) => {}
            Err(error) => {
                evidence.tried += usize::from(matches!(error, Error::Authentication { .. }));
                evidence.opened.push(false);
                add(&mut sums, None);
                add(&mut behind, None);
                continue;
            }
        }
        evidence.tried += 1;
        models.begin();
        let causes: Vec<u64> =
            (0..trial.plain.len()).map(|at| cause(operation, &trial, at)).collect();
        let new: Vec<bool> = causes.iter().map(|cause| !known.contains(cause)).collect();
        let padded = codec.whole() && padding != Padding::None;
        let len = if padded { trial.len } else { Some(trial.plain.len()) };
        let last = trial.plain.len().saturating_sub(BLOCK);
        let repeats = |cause: &u64| causes[..last].contains(cause);
        let fresh = padded
            && !trial.plain.is_empty()
            && new[last..].iter().all(|it| *it)
            && !causes[last..].iter().any(repeats);
        let is_text = len.is_some_and(|len| core::str::from_utf8(&trial.plain[..len]).is_ok());
        len.map(|len| &trial.plain[..len]).hash(&mut digest);
        evidence.texts += usize::from(is_text);
        let opened =
            len.is_some() && (codec.authenticates() || padded && padding.always() || is_text);
        evidence.opened.push(opened);
        // A block ends rightly with n bytes of padding once in 256ⁿ; each of 16 lengths is as good.
        let of_padding = len.filter(|_| fresh).map(|len| trial.plain.len() - len);
        let of_padding = of_padding.map_or(0.0, |added| {
            // Nobody adds a block of zeros: those are the plaintext's.
            let added = if added == BLOCK && !padding.always() { 0 } else { added };
            8.0 * added as f64 - 4.0
        });
        evidence.paddings += usize::from(fresh && len.is_some() && padding.always());
        // Where no padding speaks, a text must: what is not one is of another origin.
        let Some(len) = len.filter(|_| opened) else {
            add(&mut sums, None);
            if last > 0 {
                add(&mut behind, None);
            }
            known.extend(causes);
            continue;
        };
        let (mut ratios, mut ratios_behind) = ([of_padding; MODELS], [0.0; MODELS]);
        if last > 0 {
            ratios_behind = ratios;
        }
        for (piece, bytes) in trial.plain[..len].chunks(BLOCK).enumerate() {
            // Products of sixteen stay within what a number holds, and logarithms take their time.
            let mut product = [1.0; MODELS];
            for (within, byte) in bytes.iter().enumerate() {
                let at = piece * BLOCK + within;
                if new[at] && known.insert(causes[at]) {
                    let of = models.ratios(*byte);
                    product.iter_mut().zip(of).for_each(|(product, ratio)| *product *= ratio);
                }
                models.see(*byte);
                // Rubbish of another origin whose padding happens to be right is seldom a text.
                if piece == 0 && is_text {
                    first.resize((at + 1).max(first.len()), [false; 256]);
                    first[at][usize::from(*byte)] = true;
                }
            }
            for model in 0..MODELS {
                ratios[model] += product[model].log2();
                ratios_behind[model] += if piece > 0 { product[model].log2() } else { 0.0 };
            }
        }
        known.extend(causes);
        add(&mut sums, Some(ratios));
        add(&mut behind, Some(ratios_behind));
    }
    evidence.digest = digest.finish();
    evidence.by_padding = log_mean(&sums[ANY]);
    evidence.bits = mean(&sums);
    evidence.behind = mean(&behind);
    evidence.first_block = first_block(&first);
    evidence
}
