//! SM3 as the hash of a suite.

use cipherlane::Mac as _;
use cipherlane::sm3::{self, DIGEST};
use rustls::crypto::hash::{Context, Hash, HashAlgorithm, Output};
use rustls::crypto::hmac::{Hmac, Key, Tag};

/// No level of the CPU is missing but one that a variable asks for by a wrong name.
const LEVEL: &str = "CIPHERLANE_LEVEL is a level";

/// The hash of the transcript.
pub(crate) struct Sm3;

/// A transcript.
struct Transcript(sm3::Sm3);

impl Hash for Sm3 {
    fn start(&self) -> Box<dyn Context> {
        Box::new(Transcript(sm3::Sm3::new().expect(LEVEL)))
    }

    fn hash(&self, data: &[u8]) -> Output {
        Output::new(&sm3::Sm3::digest(data).expect(LEVEL))
    }

    fn output_len(&self) -> usize {
        DIGEST
    }

    fn algorithm(&self) -> HashAlgorithm {
        // The first byte of `sm2sig_sm3` (RFC 8998, 3.2.1), where older versions of TLS have the hash.
        HashAlgorithm::Unknown(0x07)
    }
}

impl Context for Transcript {
    fn fork_finish(&self) -> Output {
        Output::new(&self.0.clone().finish())
    }

    fn fork(&self) -> Box<dyn Context> {
        Box::new(Self(self.0.clone()))
    }

    fn finish(mut self: Box<Self>) -> Output {
        Output::new(&self.0.finish())
    }

    fn update(&mut self, data: &[u8]) {
        self.0.update(data);
    }
}

/// The MAC of the key schedule.
pub(crate) struct HmacSm3;

/// It under a key.
struct Keyed(sm3::HmacSm3);

impl Hmac for HmacSm3 {
    fn with_key(&self, key: &[u8]) -> Box<dyn Key> {
        Box::new(Keyed(sm3::HmacSm3::new(key).expect(LEVEL)))
    }

    fn hash_output_len(&self) -> usize {
        DIGEST
    }
}

impl Key for Keyed {
    fn sign_concat(&self, first: &[u8], middle: &[&[u8]], last: &[u8]) -> Tag {
        let mut mac = self.0.clone();
        let mut tag = [0; DIGEST];
        for piece in [first].iter().chain(middle).chain([&last]) {
            mac.update(piece).expect("HMAC takes any message");
        }
        mac.finish(&mut tag).expect("a tag has the length of a digest");
        Tag::new(&tag)
    }

    fn tag_len(&self) -> usize {
        DIGEST
    }
}
