//! Ranking: variants that give the same plaintext are one finding, and how sure each is.

use zeroize::Zeroizing;

use crate::files::doctor::evidence::content;
use crate::files::doctor::fresh::Fresh;
use crate::files::doctor::variant::{Iv, Variant};

/// A variant that shows signs of being the right one.
pub(crate) struct Hit {
    pub(crate) variant: Variant,
    /// The IV, which is nothing secret.
    pub(crate) iv: Vec<u8>,
    /// Whether a tag was right: then it is the right one.
    pub(crate) verified: bool,
    pub(crate) bits: f64,
    pub(crate) says: Vec<String>,
    /// Whether the cipher makes patterns of anything under this key.
    pub(crate) weak: bool,
    /// Whether another IV gives a beginning that looks as well.
    pub(crate) iv_unsure: bool,
    /// Other names of what gives the same plaintext.
    pub(crate) also: Vec<String>,
    pub(super) sample: Zeroizing<Vec<u8>>,
}

impl Hit {
    /// The beginning of the plaintext.
    #[cfg(test)]
    pub(super) fn plain(&self) -> &[u8] {
        &self.sample
    }
}

/// How sure it is that a variant is the right one. See docs/DOCTOR.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Certainty {
    Chance,
    Possible,
    Likely,
    Sure,
    Verified,
}

/// Bits beyond those that the best of all trials has by chance: by chance a file gets them once in
/// 2ⁿ.
const SURE: f64 = 40.0;
pub(crate) const LIKELY: f64 = 20.0;
const POSSIBLE: f64 = 7.0;

impl Certainty {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Chance => "chance",
            Self::Possible => "possible",
            Self::Likely => "likely",
            Self::Sure => "sure",
            Self::Verified => "verified",
        }
    }

    /// That of a hit with so many bits above chance; `rivalled` if another is about as good.
    pub(crate) fn of(hit: &Hit, bits: f64, rivalled: bool) -> Self {
        let most = match () {
            () if hit.verified => return Self::Verified,
            () if rivalled || hit.weak => Self::Possible,
            () if hit.iv_unsure => Self::Likely,
            () => Self::Sure,
        };
        let word = match bits {
            SURE.. => Self::Sure,
            LIKELY.. => Self::Likely,
            POSSIBLE.. => Self::Possible,
            _ => Self::Chance,
        };
        word.min(most)
    }
}

/// The best first; variants with the same plaintext as one, and without those whose plaintext
/// is another's but for a worse beginning (another IV).
pub(super) fn ranked(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_by(|a, b| b.verified.cmp(&a.verified).then(b.bits.total_cmp(&a.bits)));
    let mut ranked: Vec<Hit> = Vec::new();
    for mut hit in hits {
        let alike = ranked
            .iter_mut()
            .find_map(|better| alike(&better.sample, &hit.sample).map(|skipped| (better, skipped)));
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

/// Bits by which one beginning must look better than another to be taken for the right one.
pub(crate) const DOUBT: f64 = 6.0;

/// How well the beginning of a plaintext, so many bytes longer than another's, goes with the
/// rest: a broken one does not.
fn beginning(sample: &[u8], skip: usize) -> f64 {
    let (head, rest) = sample.split_at((BROKEN + skip).min(sample.len()));
    let known = crate::files::doctor::signature::signature(sample, |_| true);
    let known = known.map_or(0.0, |it| it.bits);
    if content(rest, &Fresh::All).sign.is_none() {
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
