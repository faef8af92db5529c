//! Powers of H that a key gets while it is used: between any two messages, and while another thread is amid one.

use cipherlane::aead::gcm::Gcm;
use cipherlane::{Aead, BlockCipher, Level};
use model::effort::stride;
use model::random::SplitMix64;

use crate::cipher;

const CIPHERS: [(&str, usize); 4] =
    [("aes-128", 16), ("aes-192", 24), ("aes-256", 32), ("sm4", 16)];

/// A message of few or many blocks, now with more associated data than data.
struct Message {
    nonce: Vec<u8>,
    aad: Vec<u8>,
    data: Vec<u8>,
}

impl Message {
    fn any(random: &mut SplitMix64) -> Self {
        let most = [16, 120, 300, 700, 1100, 5000][random.below(6)];
        let len = random.below(most + 1);
        let aad_len = [0, 0, 13, 16, random.below(most + 1)][random.below(5)];
        let nonce_len = [12, 12, 12, 1 + random.below(80)][random.below(4)];
        let mut bytes = |len| random.bytes(len);
        Self { nonce: bytes(nonce_len), aad: bytes(aad_len), data: bytes(len) }
    }

    /// Ciphertext and tag, which opened give the data again.
    fn sealed(&self, gcm: &Gcm<Box<dyn BlockCipher>>) -> (Vec<u8>, [u8; 16]) {
        let (mut out, mut tag) = (self.data.clone(), [0; 16]);
        gcm.seal(&self.nonce, &self.aad, out.as_mut_slice().into(), &mut tag).unwrap();
        let sealed = out.clone();
        gcm.open(&self.nonce, &self.aad, out.as_mut_slice().into(), &tag).unwrap();
        assert!(out == self.data, "opened");
        (sealed, tag)
    }

    fn place(&self) -> String {
        let [nonce, aad, data] = [&self.nonce, &self.aad, &self.data].map(Vec::len);
        format!("{data} bytes, {aad} associated, nonce {nonce}")
    }
}

fn gcm(name: &str, key: &[u8], level: Level) -> Option<Gcm<Box<dyn BlockCipher>>> {
    Some(Gcm::new(cipher(name, key, level)?).unwrap())
}

/// Calls `check` with a new key at every level, messages, and what `portable` makes of them; `rounds` keys of
/// each cipher.
fn for_new_keys(
    rounds: usize,
    messages: usize,
    check: impl Fn(&Gcm<Box<dyn BlockCipher>>, &[(Message, (Vec<u8>, [u8; 16]))], &str),
) {
    for (name, key_len) in CIPHERS {
        let mut random = SplitMix64::new((messages + key_len) as u64);
        for _ in 0..rounds.div_ceil(stride()) {
            let key = random.bytes(key_len);
            let Some(portable) = gcm(name, &key, Level::portable()) else { break };
            let sealed = |message: Message| {
                let sealed = message.sealed(&portable);
                (message, sealed)
            };
            let all: Vec<_> = (0..messages).map(|_| sealed(Message::any(&mut random))).collect();
            for level in Level::available() {
                check(&gcm(name, &key, level).unwrap(), &all, &format!("{name}, {level}"));
            }
        }
    }
}

#[test]
fn messages_in_any_order_under_a_new_key() {
    for_new_keys(60, 12, |gcm, messages, place| {
        for (number, (message, expected)) in messages.iter().enumerate() {
            assert_eq!(&message.sealed(gcm), expected, "{place}, {number}: {}", message.place());
        }
    });
}

#[test]
#[cfg(not(target_family = "wasm"))]
fn threads_that_share_a_new_key() {
    for_new_keys(25, 8, |gcm, messages, place| {
        std::thread::scope(|scope| {
            for first in 0..3 {
                let own = messages.iter().cycle().skip(first).take(messages.len());
                scope.spawn(move || {
                    for (message, expected) in own {
                        assert_eq!(&message.sealed(gcm), expected, "{place}: {}", message.place());
                    }
                });
            }
        });
    });
}
