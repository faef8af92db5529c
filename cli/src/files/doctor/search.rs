//! Trying every variant, and ranking those whose plaintext shows signs of being one.

use cipherlane::modes::{Direction, Padding};
use clap::ValueEnum as _;
use zeroize::Zeroizing;

use crate::cmd::raw::Fill;
use crate::files::doctor::evidence::{Mark, Sign, content, padding, signature};
use crate::files::doctor::variant::{Iv, KeyForm, Salt, Variant};
use crate::files::raw::derive::{Hash, Kdf, SALTED, derive};
use crate::files::raw::transform::{Form, Name, Transform};

/// Bytes that every variant is tried on; the promising ones get all of it.
const SAMPLE: usize = 64 << 10;

/// Bits that say so little that they are not worth a line.
const LEAST: f64 = 7.5;

/// Bits above those of chance that need no further trials.
const ENOUGH: f64 = 64.0;

/// A variant that shows signs of being the right one.
pub(crate) struct Hit {
    pub(crate) variant: Variant,
    pub(crate) iv_len: usize,
    /// Whether a tag was right: then it is the right one.
    pub(crate) verified: bool,
    pub(crate) bits: f64,
    pub(crate) says: Vec<String>,
    /// Whether another IV gives a beginning that looks as well.
    pub(crate) iv_unsure: bool,
    /// Other names of what gives the same plaintext.
    pub(crate) also: Vec<String>,
    sample: Zeroizing<Vec<u8>>,
}

/// What is known of the data.
pub(crate) struct Search<'a> {
    pub(crate) names: Vec<(String, Name)>,
    pub(crate) iv: Option<&'a [u8]>,
    pub(crate) aad: &'a [u8],
    pub(crate) tried: usize,
    pub(crate) hits: Vec<Hit>,
}

/// One trial's key, IV and data.
struct Trial<'t> {
    key: &'t [u8],
    iv: &'t [u8],
    body: &'t [u8],
}

impl Search<'_> {
    /// Tries a key under every cipher that takes its length.
    pub(crate) fn raw_key(&mut self, data: &[u8], base64: bool, key: &[u8], form: &KeyForm) {
        for (cipher, name) in self.names.clone() {
            let variant = |iv| {
                let (cipher, key) = (cipher.clone(), form.clone());
                Variant { cipher, key, iv, padding: None, base64 }
            };
            if name.iv == 0 {
                self.attempt(&name, &Trial { key, iv: &[], body: data }, variant(Iv::None));
                continue;
            }
            if let Some(iv) = self.iv {
                self.attempt(&name, &Trial { key, iv, body: data }, variant(Iv::Given));
            }
            if let Some((iv, body)) = data.split_at_checked(name.iv) {
                self.attempt(&name, &Trial { key, iv, body }, variant(Iv::Front));
            }
            let iv = &vec![0; name.iv][..];
            self.attempt(&name, &Trial { key, iv, body: data }, variant(Iv::Zero));
        }
    }

    /// Tries a passphrase with every hash and count of iterations, the usual ones first, until
    /// one is right beyond doubt.
    pub(crate) fn passphrase(
        &mut self,
        data: &[u8],
        base64: bool,
        passphrase: &[u8],
        given: Option<(&str, &[u8])>,
        iterations: &[u32],
    ) {
        let (salt, place, body) = match (data.split_at_checked(16), given) {
            (_, Some((text, salt))) => (salt, Salt::Given(text.to_owned()), data),
            (Some((head, body)), _) if head[..8] == SALTED => (&head[8..], Salt::Header, body),
            _ => (&[][..], Salt::None, data),
        };
        let names = self.names.clone();
        let longest = names.iter().map(|(_, name)| name.key + name.iv).max().unwrap_or(0);
        let hashes = Hash::value_variants();
        let once = hashes.iter().map(|hash| (Kdf::BytesToKey, *hash, 1));
        let counted =
            iterations.iter().flat_map(|n| hashes.iter().map(|hash| (Kdf::Pbkdf2, *hash, *n)));
        for (kdf, hash, iterations) in once.chain(counted) {
            let made = derive(kdf, hash, iterations, passphrase, salt, longest);
            for (cipher, name) in &names {
                let (key, rest) = made.split_at(name.key);
                let salt = place.clone();
                let key_form = KeyForm::Passphrase { kdf, hash, iterations, salt };
                let variant = |iv| {
                    let (cipher, key) = (cipher.clone(), key_form.clone());
                    Variant { cipher, key, iv, padding: None, base64 }
                };
                let own = if name.iv == 0 { Iv::None } else { Iv::Derived };
                self.attempt(name, &Trial { key, iv: &rest[..name.iv], body }, variant(own));
                if let Some(iv) = self.iv.filter(|_| name.iv > 0) {
                    self.attempt(name, &Trial { key, iv, body }, variant(Iv::Given));
                }
            }
            if self.hits.iter().any(|hit| hit.verified || self.above_chance(hit) >= ENOUGH) {
                return;
            }
        }
    }

    /// Bits of a hit beyond those that the best of all trials has by chance.
    pub(crate) fn above_chance(&self, hit: &Hit) -> f64 {
        hit.bits - (self.tried.max(1) as f64).log2()
    }

    fn attempt(&mut self, name: &Name, trial: &Trial<'_>, mut variant: Variant) {
        if let Some(hit) = self.try_one(name, trial, &mut variant) {
            self.hits.push(hit);
        }
    }

    fn try_one(&mut self, name: &Name, trial: &Trial<'_>, variant: &mut Variant) -> Option<Hit> {
        let Trial { body, .. } = *trial;
        let block = name.padded();
        let cut = body.len().saturating_sub(name.tag());
        if block.is_some_and(|block| cut == 0 || !cut.is_multiple_of(block)) {
            return None;
        }
        let hit = |variant: &Variant, sign: Vec<Sign>, verified, sample| Hit {
            variant: variant.clone(),
            iv_len: trial.iv.len(),
            verified,
            bits: sign.iter().map(|sign| sign.bits).sum(),
            says: sign.into_iter().map(|sign| sign.says).collect(),
            iv_unsure: false,
            also: Vec::new(),
            sample,
        };
        if name.tag() > 0 {
            let plain = self.decrypt(name, trial, body, Padding::None, true)?;
            // An HMAC of the ciphertext knows neither the mode nor the IV.
            let all = matches!(name.form, Form::Aead(_));
            let says =
                if all { "the tag is right" } else { "the HMAC is right, which proves the key" };
            let bits = 8.0 * name.tag() as f64;
            let mut signs = vec![Sign { bits, says: says.to_owned() }];
            let (len, sign) = end(&plain, block, variant);
            signs.extend(sign);
            signs.extend(content(&plain[..len]));
            return Some(hit(variant, signs, all, sampled(&plain[..len])));
        }
        let whole = body.len() <= SAMPLE;
        let head = if whole { body } else { &body[..SAMPLE] };
        let head_only = !whole && !matches!(name.form, Form::Message(_));
        let mut plain = self.decrypt(name, trial, head, Padding::None, !head_only)?;
        let mut signs: Vec<Sign> = content(&plain).into_iter().collect();
        if !whole && (block.is_some() && !signs.is_empty()) {
            plain = self.decrypt(name, trial, body, Padding::None, true)?;
        }
        if whole || !signs.is_empty() {
            let (len, sign) = end(&plain, block, variant);
            plain.truncate(len);
            signs = sign.into_iter().chain(content(&plain)).collect();
        } else {
            variant.padding = block.map(|_| Fill::None);
        }
        let bits: f64 = signs.iter().map(|sign| sign.bits).sum();
        (bits >= LEAST).then(|| hit(variant, signs, false, sampled(&plain)))
    }

    /// Decrypts; with `finish`, to the end.
    fn decrypt(
        &mut self,
        name: &Name,
        trial: &Trial<'_>,
        body: &[u8],
        padding: Padding,
        finish: bool,
    ) -> Option<Zeroizing<Vec<u8>>> {
        let length = body.len().checked_sub(name.tag())? as u64;
        let Trial { key, iv, .. } = trial;
        let decrypt = Direction::Decrypt;
        let made = Transform::new(name, decrypt, key, iv, self.aad, padding, Some(length));
        let mut transform = made.ok()?;
        self.tried += 1;
        let mut plain = Zeroizing::new(Vec::with_capacity(body.len()));
        for piece in body.chunks(SAMPLE) {
            plain.extend_from_slice(&transform.piece(piece).ok()?);
        }
        if finish {
            plain.extend_from_slice(&transform.finish().ok()?);
        }
        Some(plain)
    }

    /// The best first; variants with the same plaintext as one, and without those whose
    /// plaintext is another's but for a worse beginning (another IV).
    pub(crate) fn ranked(&mut self) -> Vec<Hit> {
        let mut hits = std::mem::take(&mut self.hits);
        hits.sort_by(|a, b| b.verified.cmp(&a.verified).then(b.bits.total_cmp(&a.bits)));
        let mut ranked: Vec<Hit> = Vec::new();
        for mut hit in hits {
            let alike = ranked.iter_mut().find_map(|better| {
                alike(&better.sample, &hit.sample).map(|skipped| (better, skipped))
            });
            match alike {
                Some((better, _)) if better.sample == hit.sample => {
                    let other = hit.variant.cipher;
                    if other != better.variant.cipher && !better.also.contains(&other) {
                        better.also.push(other);
                    }
                }
                Some((better, _)) if better.verified => {}
                Some((better, (skip, other))) => {
                    let lead = beginning(&better.sample, skip) - beginning(&hit.sample, other);
                    if lead.abs() < DOUBT {
                        better.iv_unsure = true;
                        hit.iv_unsure = true;
                    }
                    let given = |it: &Hit| it.variant.iv == Iv::Given;
                    let doubt = lead.abs() < DOUBT && given(&hit) && !given(better);
                    if lead <= -DOUBT || doubt {
                        *better = hit;
                    }
                }
                None => ranked.push(hit),
            }
        }
        ranked
    }
}

/// Bits by which one beginning must look better than another to be taken for the right one.
const DOUBT: f64 = 6.0;

/// How well the beginning of a plaintext, so many bytes longer than another's, goes with the
/// rest: a broken one does not.
fn beginning(sample: &[u8], skip: usize) -> f64 {
    let (head, rest) = sample.split_at((BROKEN + skip).min(sample.len()));
    let known = signature(sample).map_or(0.0, |sign| sign.bits);
    if content(rest).is_none() {
        // Nothing is known of what goes with it.
        return known;
    }
    let mut counts = [0.5; 256];
    for byte in rest {
        counts[usize::from(*byte)] += 1.0;
    }
    let all: f64 = counts.iter().sum();
    let bits = head.iter().map(|byte| 8.0 + (counts[usize::from(*byte)] / all).log2());
    bits.sum::<f64>() + known
}

/// How long the plaintext is without its padding, which the variant is told, and what that says.
fn end(plain: &[u8], block: Option<usize>, variant: &mut Variant) -> (usize, Option<Sign>) {
    let Some(block) = block else { return (plain.len(), None) };
    let Some((mark, len, sign)) = padding(plain, block) else {
        variant.padding = Some(Fill::None);
        return (plain.len(), None);
    };
    variant.padding = Some(match mark {
        Mark::Pkcs7 => Fill::Pkcs7,
        Mark::Iso7816 => Fill::Iso7816_4,
    });
    (plain.len() - len, Some(sign))
}

fn sampled(plain: &[u8]) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(plain[..plain.len().min(SAMPLE)].to_vec())
}

/// Bytes at the beginning that a wrong IV may break.
const BROKEN: usize = 32;

/// Whether two plaintexts are the same, their beginnings left aside, and how many bytes more
/// each begins with.
fn alike(a: &[u8], b: &[u8]) -> Option<(usize, usize)> {
    if a == b {
        return Some((0, 0));
    }
    let same = |skip: usize, other: usize| {
        let a = a.get(BROKEN + skip..).unwrap_or_default();
        let b = b.get(BROKEN + other..).unwrap_or_default();
        let len = a.len().min(b.len()).saturating_sub(BROKEN);
        len >= BROKEN && a[..len] == b[..len]
    };
    // An IV in front that is taken for data moves all the rest.
    let moves = [0, 8, 12, 16].into_iter().flat_map(|it| [(0, it), (it, 0)]);
    moves.into_iter().find(|(skip, other)| same(*skip, *other))
}
