//! What is built on GHASH and POLYVAL, over every block cipher of the registry:
//! published vectors, models, splits, placements, misuse.

mod gcm;
mod gcm_batches;
mod gcm_powers;
mod gcm_siv;
mod gcm_stream;
mod ghash;
mod gmac;
mod hctr;

use cipherlane::registry::{self, New};
use cipherlane::{BlockCipher, Error, Level};
use model::random::SplitMix64;
use vectors::{Group, Test, Verdict};

/// A block cipher by the registry's name; `None` if it is not in this build.
fn cipher(name: &str, key: &[u8], level: Level) -> Option<Box<dyn BlockCipher>> {
    let New::Block { new, .. } = registry::algorithm(name)?.new else { return None };
    Some(new(key, level).unwrap())
}

/// The registry's name of the cipher of a vector file, e.g. `aes_gcm`, and a key.
fn cipher_name(file: &str, key: &[u8]) -> String {
    if file.starts_with("sm4") { "sm4".into() } else { format!("aes-{}", 8 * key.len()) }
}

/// Calls `check` with every test of a mode whose cipher this build has, at every
/// level; returns how many there were under SM4.
fn for_each_vector(mode: &str, check: impl Fn(&Vector<'_>, Level)) -> usize {
    let mut sm4 = 0;
    for file in &vectors::all().unwrap() {
        let groups = file.groups.iter().filter(|group: &&Group| group.mode == mode);
        for test in groups.flat_map(|group| &group.tests) {
            let key = test.key.as_ref().unwrap();
            let name = cipher_name(&file.algorithm, key);
            if registry::algorithm(&name).is_none() {
                continue;
            }
            sm4 += usize::from(name == "sm4");
            for level in Level::available() {
                check(&Vector { name: &name, key, test }, level);
            }
        }
    }
    sm4
}

/// One test with the name of its cipher.
struct Vector<'v> {
    name: &'v str,
    key: &'v [u8],
    test: &'v Test,
}

impl Vector<'_> {
    fn cipher(&self, level: Level) -> Box<dyn BlockCipher> {
        cipher(self.name, self.key, level).unwrap()
    }

    fn valid(&self) -> bool {
        self.test.verdict() == Verdict::Valid
    }
}

/// A field of a test; empty where it is absent.
fn bytes(field: &Option<Vec<u8>>) -> &[u8] {
    field.as_deref().unwrap_or_default()
}

/// The block function of the model of SM4.
fn sm4_model(key: &[u8], block: &[u8]) -> Vec<u8> {
    model::sm4::encrypt(key.try_into().unwrap(), block.try_into().unwrap()).to_vec()
}

/// Cuts a length into random pieces, some of them empty.
fn pieces(random: &mut SplitMix64, len: usize) -> Vec<usize> {
    let mut cuts: Vec<usize> = (0..random.below(7)).map(|_| random.below(len + 1)).collect();
    cuts.extend([0, len]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Lengths around every boundary the code has: registers, reductions, pieces.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [128, 240, 256, 512, 528, 2032, 2048, 2064, 4080, 4096, 6200];
    (0..=70).chain(edges.into_iter().flat_map(|edge| edge - 1..=edge + 1))
}

/// A tag with one bit changed.
fn spoilt(tag: &[u8], bit: usize) -> Vec<u8> {
    let mut tag = tag.to_vec();
    let byte = bit / 8 % tag.len();
    tag[byte] ^= 1 << (bit % 8);
    tag
}

/// Whether a result is the error of a wrong length of this field.
fn refuses_length<T>(result: Result<T, Error>, wanted: &str, len: usize) -> bool {
    matches!(result, Err(Error::Length { field, got, allowed })
        if field == wanted && got == len && !allowed.allow(len))
}
