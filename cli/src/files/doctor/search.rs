//! Trying every variant.

use cipherlane::modes::{Direction, Padding};
use clap::ValueEnum as _;
use zeroize::Zeroizing;

use crate::files::doctor::evidence::{Mark, Sign, content, padding};
use crate::files::doctor::fresh::{Fresh, Memory, Unit};
use crate::files::doctor::layout::Layout;
use crate::files::doctor::models::STEP;
use crate::files::doctor::rank::{Certainty, DOUBT, Hit, LIKELY, ranked};
use crate::files::doctor::variant::{Iv, KeyForm, Salt, Variant, named};
use crate::files::raw::derive::{Hash, Kdf, SALTED, derive};
use crate::files::raw::padding::PaddingArg;
use crate::files::raw::transform::{Form, Name, Transform};

/// Bytes that promising variants are tried on; the best get all of it.
const SAMPLE: usize = 64 << 10;

/// Bits that say so little that they are not worth keeping.
const LEAST: f64 = 2.0;

/// Bits from which on it is asked whether the key itself makes them.
const DOUBTED: f64 = 12.0;

/// Bits above those of chance that need no further trials.
const ENOUGH: f64 = 64.0;

/// Told how much of the work is done, from 0 to 1, and what is tried now.
pub(crate) type Watch<'a> = &'a mut dyn FnMut(f64, &dyn Fn() -> String);

/// What is known of the data.
pub(crate) struct Search<'a> {
    names: Vec<(String, Name)>,
    iv: Option<&'a [u8]>,
    aad: &'a [u8],
    tried: usize,
    hits: Vec<Hit>,
    memory: Memory,
    /// Bits of what the data is as it stands: they explain as many of what comes out.
    explained: f64,
}

/// One trial's key, IV and data.
struct Trial<'t> {
    key: &'t [u8],
    iv: &'t [u8],
    /// One after another.
    body: [&'t [u8]; 2],
}

impl Trial<'_> {
    const fn len(&self) -> usize {
        self.body[0].len() + self.body[1].len()
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(names: Vec<(String, Name)>, iv: Option<&'a [u8]>, aad: &'a [u8]) -> Self {
        let (hits, memory) = (Vec::new(), Memory::default());
        Self { names, iv, aad, tried: 0, hits, memory, explained: 0.0 }
    }

    /// How many variants were tried.
    pub(crate) const fn tried(&self) -> usize {
        self.tried
    }

    /// Says how much the data that is tried next looks like a plaintext as it stands.
    pub(crate) fn explain(&mut self, bits: f64) {
        self.explained = bits;
    }

    /// Tries a key under every cipher that takes its length.
    pub(crate) fn raw_key(
        &mut self,
        data: &[u8],
        base64: bool,
        key: &[u8],
        form: &KeyForm,
        watch: Watch<'_>,
    ) {
        let (names, given) = (self.names.clone(), self.iv);
        for (number, (cipher, name)) in names.iter().enumerate() {
            watch(number as f64 / names.len() as f64, &|| cipher.clone());
            let variant = |iv| {
                let (cipher, key) = (cipher.clone(), form.clone());
                Variant { cipher, key, iv, padding: None, base64 }
            };
            let mut one = |iv: &[u8], body, place| {
                self.attempt(name, &Trial { key, iv, body }, variant(place));
            };
            let whole = [data, &[]];
            if name.iv == 0 {
                one(&[], whole, Iv::None);
                continue;
            }
            if let Some(iv) = given {
                one(iv, whole, Iv::Given);
            }
            let front = data.split_at_checked(name.iv);
            if let Some((iv, body)) = front.filter(|_| !matches!(name.form, Form::Sm3Hmac(_))) {
                one(iv, [body, &[]], Iv::Front);
            }
            for layout in Layout::of(name) {
                if let Some(parts) = layout.split(data, name.tag()) {
                    one(&parts.iv, parts.body, Iv::Within(layout));
                }
            }
            one(&vec![0; name.iv], whole, Iv::Zero);
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
        watch: Watch<'_>,
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
        let all: Vec<(Kdf, Hash, u32)> = once.chain(counted).collect();
        // Trying the ciphers takes about as long as some thousand iterations.
        let work = |n: u32| f64::from(n) + 2000.0;
        let total: f64 = all.iter().map(|(.., n)| work(*n)).sum();
        let mut done = 0.0;
        for (kdf, hash, iterations) in all {
            watch(done / total, &|| match kdf {
                Kdf::Pbkdf2 => format!("PBKDF2 with {}, {iterations} iterations", named(hash)),
                Kdf::BytesToKey => format!("EVP_BytesToKey with {}", named(hash)),
            });
            done += work(iterations);
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
                let body = [body, &[]];
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

    /// What was found, the best first, and how sure each is.
    pub(crate) fn judged(&mut self) -> Vec<(Hit, Certainty)> {
        let hits = ranked(std::mem::take(&mut self.hits));
        let second = hits.get(1).map_or(f64::NEG_INFINITY, |hit| hit.bits);
        let verified = hits.first().is_some_and(|hit| hit.verified);
        let judged = hits.into_iter().enumerate().map(|(place, hit)| {
            // Two that are about as good: neither is more than possible.
            let rivalled = place > 0 || hit.bits < second + DOUBT;
            let certainty = Certainty::of(&hit, self.above_chance(&hit), rivalled);
            (hit, certainty)
        });
        judged.filter(|(_, it)| !verified || *it == Certainty::Verified).collect()
    }

    fn attempt(&mut self, name: &Name, trial: &Trial<'_>, mut variant: Variant) {
        if let Some(hit) = self.try_one(name, trial, &mut variant) {
            self.hits.push(hit);
        }
    }

    fn try_one(&mut self, name: &Name, trial: &Trial<'_>, variant: &mut Variant) -> Option<Hit> {
        let block = name.padded();
        let cut = trial.len().checked_sub(name.tag())?;
        if block.is_some_and(|block| cut == 0 || !cut.is_multiple_of(block)) {
            return None;
        }
        if name.tag() > 0 {
            return self.try_tag(name, trial, variant, cut);
        }
        let body = trial.body[0];
        let whole = cut <= SAMPLE;
        let fresh = |it: &mut Self| it.memory.fresh(Unit::of(name), trial.iv, body);
        let at_once = block.is_some() || matches!(name.form, Form::Message(_));
        self.tried += 1;
        if cut > STEP && !at_once {
            let plain = decrypt(name, trial, self.aad, STEP, false)?;
            let fresh = fresh(self);
            if content(&plain, &fresh).lost {
                return None;
            }
        }
        // HCTR is one block as long as the message.
        let all = whole || name.form == Form::Message("hctr-encrypt");
        let some = if all { cut } else { SAMPLE };
        let finish = all || matches!(name.form, Form::Message(_));
        let mut plain = decrypt(name, trial, self.aad, some, finish)?;
        let fresh = fresh(self);
        let mut sign = content(&plain, &fresh).sign;
        if !all && block.is_some() && sign.is_some() {
            plain = decrypt(name, trial, self.aad, cut, true)?;
        }
        variant.padding = block.map(|_| PaddingArg::None);
        let mut signs = Vec::new();
        if plain.len() == cut {
            let (len, end) = end(&plain, &body[..cut], block, variant);
            plain.truncate(len);
            signs.extend(end);
            sign = content(&plain, &fresh).sign;
        }
        signs.extend(sign);
        let promising = signs.iter().map(|sign| sign.bits).sum::<f64>() >= DOUBTED;
        let weak = if promising { self.weakness(name, trial) } else { 0.0 };
        let hit = hit(trial, variant, signs, &plain, self.explained + weak);
        hit.map(|it| Hit { weak: weak >= LIKELY, ..it })
    }

    /// Bits that a plaintext seems to have which is none: under a weak key, such as one of zeros
    /// for IDEA, a cipher makes patterns of its own, of numbers that count up.
    fn weakness(&self, name: &Name, trial: &Trial<'_>) -> f64 {
        let numbers: Vec<u8> = (1..=128_u64).flat_map(u64::to_be_bytes).collect();
        let zeros = vec![0; numbers.len()];
        let iv = &vec![0; trial.iv.len()][..];
        let controls = [(trial.iv, &numbers), (iv, &numbers), (trial.iv, &zeros)];
        let bits = controls.into_iter().filter_map(|(iv, body)| {
            let control = Trial { key: trial.key, iv, body: [body, &[]] };
            let plain = decrypt(name, &control, self.aad, body.len(), true)?;
            let fresh = Memory::default().fresh(Unit::of(name), iv, body);
            Some(content(&plain, &fresh).sign?.bits)
        });
        bits.fold(0.0, f64::max)
    }

    /// Of those with a tag, which proves key, IV and data, or but the key.
    fn try_tag(
        &mut self,
        name: &Name,
        trial: &Trial<'_>,
        variant: &mut Variant,
        cut: usize,
    ) -> Option<Hit> {
        self.tried += 1;
        let plain = decrypt(name, trial, self.aad, trial.len(), true)?;
        let verified = matches!(name.form, Form::Aead(_));
        // An HMAC of the ciphertext knows neither the mode nor the IV.
        let says =
            if verified { "the tag is right" } else { "the HMAC is right, which proves the key" };
        let fresh = match &name.form {
            Form::Aead(_) => Fresh::All,
            _ => self.memory.fresh(Unit::of(name), trial.iv, &trial.body[0][..cut]),
        };
        let mut signs = vec![Sign { bits: 8.0 * name.tag() as f64, says: says.to_owned() }];
        let len = if verified {
            plain.len()
        } else {
            let (len, sign) = end(&plain, &trial.body[0][..cut], name.padded(), variant);
            signs.extend(sign);
            len
        };
        signs.extend(content(&plain[..len], &fresh).sign);
        let explained = if verified { 0.0 } else { self.explained };
        let hit = hit(trial, variant, signs, &plain[..len], explained);
        hit.map(|it| Hit { verified, ..it })
    }
}

/// A hit, if the signs say anything beyond what the data itself explains.
fn hit(
    trial: &Trial<'_>,
    variant: &Variant,
    signs: Vec<Sign>,
    plain: &[u8],
    explained: f64,
) -> Option<Hit> {
    let bits = signs.iter().map(|sign| sign.bits).sum::<f64>() - explained;
    (bits >= LEAST).then(|| Hit {
        variant: variant.clone(),
        iv: trial.iv.to_vec(),
        verified: false,
        weak: false,
        bits,
        says: signs.into_iter().map(|sign| sign.says).collect(),
        iv_unsure: false,
        also: Vec::new(),
        sample: Zeroizing::new(plain[..plain.len().min(SAMPLE)].to_vec()),
    })
}

/// Decrypts the first `some` bytes; with `finish`, to the end.
fn decrypt(
    name: &Name,
    trial: &Trial<'_>,
    aad: &[u8],
    some: usize,
    finish: bool,
) -> Option<Zeroizing<Vec<u8>>> {
    let length = trial.len().checked_sub(name.tag())? as u64;
    let (none, back) = (Padding::None, Direction::Decrypt);
    let mut transform =
        Transform::new(name, back, trial.key, trial.iv, aad, none, Some(length)).ok()?;
    let mut plain = Zeroizing::new(Vec::with_capacity(some + 16));
    let mut left = some;
    for part in trial.body {
        let part = &part[..part.len().min(left)];
        left -= part.len();
        for piece in part.chunks(SAMPLE) {
            plain.extend_from_slice(&transform.piece(piece).ok()?);
        }
    }
    if finish {
        plain.extend_from_slice(&transform.finish().ok()?);
    }
    Some(plain)
}

/// How long the plaintext is without its padding, which the variant is told, and what that says.
fn end(
    plain: &[u8],
    body: &[u8],
    block: Option<usize>,
    variant: &mut Variant,
) -> (usize, Option<Sign>) {
    let Some(block) = block else { return (plain.len(), None) };
    let Some((mark, len, mut sign)) = padding(plain, block) else {
        variant.padding = Some(PaddingArg::None);
        return (plain.len(), None);
    };
    variant.padding = Some(match mark {
        Mark::Pkcs7 => PaddingArg::Pkcs7,
        Mark::Iso7816 => PaddingArg::Iso7816_4,
    });
    // A block that was there before says nothing new, whatever it becomes.
    let (before, last) = body.split_at(body.len() - block);
    if before.chunks(block).any(|it| it == last) {
        sign.bits = 0.0;
    }
    (plain.len() - len, Some(sign))
}
