//! Every way in which a dialect could have made values of the keys and IVs that are at hand, each once.

use super::{Clues, Variant};
use crate::codec::{Codec, Print};
use crate::coding::Coding;
use crate::dialect::{Dialect, Mode};
use crate::find::all;
use crate::form::Form;
use crate::hash::Hash;
use crate::row::IvRule;
use crate::settings::Settings;

/// A codec, and all the names it has.
pub(super) struct Candidate {
    pub(super) codec: Codec,
    print: Print,
    coding: Coding,
    pub(super) variants: Vec<Variant>,
}

/// All of them; those that read the same bytes are one.
pub(super) fn of(clues: &Clues<'_>) -> Vec<Candidate> {
    let mut found = Vec::new();
    for dialect in all() {
        for mode in dialect.modes() {
            for key in 0..clues.keys.len() {
                of_mode(clues, dialect, mode, key, &mut found);
            }
        }
    }
    found
}

fn of_mode(
    clues: &Clues<'_>,
    dialect: &'static Dialect,
    mode: &'static Mode,
    key: usize,
    found: &mut Vec<Candidate>,
) {
    let given = &clues.keys[key];
    let forms: Vec<Form> = match given.form {
        Some(form) => vec![form],
        None => dialect.key_forms().to_vec(),
    };
    let hashes: Vec<Option<Hash>> = if dialect.hashes().is_empty() {
        vec![None]
    } else {
        dialect.hashes().iter().copied().map(Some).collect()
    };
    // An IV in the value speaks for itself, and one that nobody gave is the dialect's own.
    let takes = match &mode.iv {
        IvRule::Argument { .. } | IvRule::Overlay { .. } | IvRule::Digest { .. } => true,
        IvRule::None { .. } | IvRule::Key | IvRule::Drawn { .. } => false,
    };
    let given_ivs = (0..clues.ivs.len()).filter(|_| takes).map(Some);
    let ivs: Vec<Option<usize>> = core::iter::once(None).chain(given_ivs).collect();
    for (form, hash) in forms.iter().flat_map(|form| hashes.iter().map(move |hash| (*form, *hash)))
    {
        for iv in &ivs {
            for &coding in dialect.codings() {
                let given_iv = iv.map(|index| &clues.ivs[index]);
                let settings = Settings {
                    key_form: Some(form),
                    mode: Some(mode.name()),
                    iv: given_iv.map(|it| it.bytes),
                    iv_form: given_iv.and_then(|it| it.form),
                    hash,
                    aad: if mode.aad { clues.aad } else { &[] },
                    coding: Some(coding),
                    ..Settings::new(given.bytes)
                };
                let Ok((codec, print)) = Codec::with_print(dialect, &settings) else { continue };
                let variant = Variant {
                    dialect: dialect.name(),
                    mode: mode.name(),
                    coding: codec.coding(),
                    key,
                    key_form: form,
                    iv: *iv,
                    hash,
                };
                add(found, codec, print, variant);
            }
        }
    }
}

/// Adds a variant to those that read the same, or as another one.
fn add(found: &mut Vec<Candidate>, codec: Codec, print: Print, variant: Variant) {
    // Reading takes digits of both cases.
    let coding = match codec.coding() {
        Coding::HexUpper => Coding::Hex,
        other => other,
    };
    let same = found.iter_mut().find(|it| it.coding == coding && it.print == print);
    match same {
        Some(same) => {
            let named = |it: &Variant| {
                (it.dialect, it.mode, it.key) == (variant.dialect, variant.mode, variant.key)
            };
            if !same.variants.iter().any(named) {
                same.variants.push(variant);
            }
        }
        None => found.push(Candidate { codec, print, coding, variants: vec![variant] }),
    }
}
