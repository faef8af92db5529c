//! How many words of keystream a MAC of ZUC takes, found from its tags alone.
//!
//! A tag is a sum of windows of the keystream, each as long as the tag: one that begins at bit `i`
//! for every bit `i` of the message that is 1, and masks. So the tags of messages that differ in one
//! bit give the windows, and what is left of a tag the masks. The windows and masks that then make
//! the tag of any message are those that the MAC takes, and the words that they lie in are counted.

use std::collections::BTreeSet;

use lab::record::Fact;
use lab::reply::Offer;
use lab::work::{Data, Engine as _, Keys, Message};
use lab::{Cell, Model};

use crate::cipherlane::Cipherlane;

/// Bytes of the message whose words are counted, a whole number of words.
const BYTES: usize = 40;

/// The MACs of the first study by their operations, and whether the first bits of the keystream are a
/// mask instead of the first window.
const KINDS: [(&str, bool); 4] =
    [("eia3", false), ("mac32", true), ("mac64", true), ("mac128", true)];

/// A MAC.
struct Kind {
    offer: Offer,
    masked: bool,
}

/// `mac-words/ALGORITHM/OPERATION`, the words that a message of 40 bytes takes, and
/// `mac-words-more/ALGORITHM/OPERATION`, how many more these are than those of ZUC-128's MAC.
#[must_use]
pub fn mac_words() -> Vec<Fact> {
    let counts: Vec<(Kind, Result<usize, String>)> = kinds()
        .into_iter()
        .map(|kind| {
            let words = kind.words(BYTES);
            (kind, words)
        })
        .collect();
    let first = counts.first().and_then(|(_, count)| count.clone().ok());
    let mut facts = Vec::new();
    for (kind, count) in counts {
        let Offer { algorithm, operation, .. } = kind.offer;
        let name = |what: &str| format!("{what}/{algorithm}/{operation}");
        match (count, first) {
            (Ok(count), Some(first)) => {
                facts.push(Fact::figure(name("mac-words"), count as f64));
                let more = count as f64 - first as f64;
                facts.push(Fact::figure(name("mac-words-more"), more));
            }
            (count, _) => {
                let why = count.err().unwrap_or_else(|| "not found out in this run".to_owned());
                facts.push(Fact::unknown(name("mac-words"), &why));
                facts.push(Fact::unknown(name("mac-words-more"), why));
            }
        }
    }
    facts
}

/// Those that the library offers, in the order of the list.
fn kinds() -> Vec<Kind> {
    let offers = Cipherlane.describe().offers;
    let of = |(operation, masked): (&str, bool)| {
        let offer = offers.iter().find(|offer| offer.operation == operation)?.clone();
        Some(Kind { offer, masked })
    };
    KINDS.into_iter().filter_map(of).collect()
}

fn bit(bytes: &[u8], at: usize) -> bool {
    bytes[at / 8] >> (7 - at % 8) & 1 == 1
}

fn flipped(bytes: usize, at: usize) -> Vec<u8> {
    let mut message = vec![0; bytes];
    message[at / 8] |= 0x80 >> (at % 8);
    message
}

impl Kind {
    /// The tag of a message, under a key and an IV that are always the same.
    fn tag(&self, message: &[u8]) -> Result<Vec<u8>, String> {
        let Offer { algorithm, operation, levels, key_bytes, nonce_bytes, tag_bytes, .. } =
            &self.offer;
        let iv_bytes = nonce_bytes.first().copied().unwrap_or(0);
        let cell = Cell {
            nonce_bytes: iv_bytes,
            level: levels.first().cloned().unwrap_or_default(),
            ..Cell::new(algorithm, operation, Model::Packet, message.len() as u64)
        };
        let (key, iv) = (vec![0x5a; *key_bytes as usize], vec![0x25; iv_bytes as usize]);
        let (mut data, mut tag) = (message.to_vec(), vec![0; *tag_bytes as usize]);
        let mut outcome = Err("the MAC");
        let keys = Keys::with_slots(1, 1, key.len(), iv.len());
        let prepared = Cipherlane.prepare(&cell, &keys, &mut |work| {
            let (aad, data, tag) = (&[][..], Data::InPlace(&mut data), &mut tag[..]);
            outcome = work(Message { slot: 0, key: &key, iv: &iv, aad, data, tag });
        });
        match prepared.map(|_notes| outcome) {
            Ok(Ok(())) => Ok(tag),
            Ok(Err(fault)) => Err(format!("{fault} failed")),
            Err(refusal) => Err(refusal.to_string()),
        }
    }

    /// The words of keystream that the tag of a message of so many bytes takes.
    fn words(&self, bytes: usize) -> Result<usize, String> {
        let tag = self.offer.tag_bytes as usize;
        let (bits, width) = (8 * bytes, 8 * tag);
        // Two tags more than the message has windows: all of its masks lie within.
        let long = bytes + 2 * tag + 4;
        let zeros = self.tag(&vec![0; long])?;
        let first = if self.masked { width } else { 0 };
        // The keystream, as far as the windows of the long message tell it.
        let mut stream = vec![false; first + 8 * long + width];
        for at in 0..8 * long {
            let tag = self.tag(&flipped(long, at))?;
            for i in 0..width {
                stream[first + at + i] = bit(&tag, i) ^ bit(&zeros, i);
            }
        }
        let mut taken = BTreeSet::new();
        let mut take = |sum: &mut [bool], from: usize, stream: &[bool]| {
            for (i, it) in sum.iter_mut().enumerate() {
                *it ^= stream[from + i];
                taken.insert((from + i) / 32);
            }
        };
        let message: Vec<u8> = (0..bytes).map(|i| (i * 89 + 37) as u8).collect();
        let found = self.tag(&message)?;
        let mut sum = vec![false; width];
        for at in (0..bits).filter(|at| bit(&message, *at)) {
            take(&mut sum, first + at, &stream);
        }
        // Behind the last bit, one window; before the first one, or in the last word, another.
        take(&mut sum, first + bits, &stream);
        if self.masked {
            // What no window tells: it is the same for every message.
            let short = self.tag(&vec![0; bytes])?;
            for i in 0..width {
                stream[i] = bit(&short, i) ^ stream[first + bits + i];
            }
            take(&mut sum, 0, &stream);
        } else {
            take(&mut sum, 32 * (bits.div_ceil(32) + 1), &stream);
        }
        if (0..width).any(|i| bit(&found, i) != sum[i]) {
            let Offer { algorithm, operation, .. } = &self.offer;
            return Err(format!(
                "the windows found do not make the tag of {algorithm}/{operation}"
            ));
        }
        // Words that only windows of bits 0 lie in are drawn all the same.
        Ok(taken.last().map_or(0, |last| last + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn longer_tags_take_two_and_six_words_more() {
        for bytes in [16, 40] {
            let words: Vec<usize> =
                kinds().iter().map(|kind| kind.words(bytes).expect("found")).collect();
            let base = bytes / 4 + 2;
            assert_eq!(words, [base, base, base + 2, base + 6], "{bytes}");
        }
    }

    #[test]
    fn every_mac_has_both_facts() {
        let facts = mac_words();
        let value = |name: &str| facts.iter().find(|it| it.name == name).and_then(|it| it.value);
        assert_eq!(value("mac-words/zuc-128/eia3"), Some(12.0));
        assert_eq!(value("mac-words-more/zuc-256/mac64"), Some(2.0));
        assert_eq!(value("mac-words-more/zuc-256/mac128"), Some(6.0));
        assert_eq!(facts.len(), 8);
    }
}
