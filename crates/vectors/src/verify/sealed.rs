//! Vectors of AEADs, MACs and modes on whole messages.

use cipherlane::registry::{NewMessage, Operation};
use cipherlane::{Error, InOut, Level};

use super::aead_pieces::Sealed;
use super::check::{OnPath, Outcome, equal, need};
use super::pieces::{Cuts, pieces};
use crate::{Test, Verdict};

/// An AEAD.
#[derive(Clone, Copy, Debug)]
pub(super) struct Aead<'o>(pub(super) &'o Operation);

impl Aead<'_> {
    /// Runs one test at a level along all paths, counting those that pass: under the
    /// keys it names, and under the one they come from.
    pub(super) fn run(&self, test: &Test, level: Level, cuts: Cuts, paths: &mut usize) -> Outcome {
        let parts = [&test.hash_key, &test.key, &test.key2];
        let given: Vec<u8> = parts.into_iter().flatten().flatten().copied().collect();
        for key in [Some(&given), test.master_key.as_ref()].into_iter().flatten() {
            let on = |(path, what)| (format!("{path}, key of {} bytes", key.len()), what);
            self.under(key, test, level, cuts, paths).map_err(on)?;
        }
        Ok(())
    }

    fn under(
        &self,
        key: &[u8],
        test: &Test,
        level: Level,
        cuts: Cuts,
        paths: &mut usize,
    ) -> Outcome {
        aead(self.0.mode(), self.0.aead(key, level), test, paths)?;
        let sealed = Sealed {
            key,
            nonce: need(&test.iv, "iv")?,
            aad: test.aad.as_deref().unwrap_or(&[]),
            ciphertext: need(&test.ciphertext, "ciphertext")?,
            tag: need(&test.tag, "tag")?,
            object_tag: test.object_tag(),
            level,
        };
        if test.verdict() == Verdict::Valid {
            // Tests of the tag alone tell no plaintext.
            match &test.plaintext {
                None if test.object_tag_bytes.is_some() => Ok(()),
                plaintext => {
                    let plaintext = need(plaintext, "plaintext")?;
                    sealed.agrees(self.0, plaintext, cuts, paths)
                }
            }
        } else {
            sealed.is_refused(self.0, cuts, paths)
        }
    }
}

/// Runs one test of an AEAD along all paths, counting those that pass.
fn aead(
    name: &str,
    made: Result<Box<dyn cipherlane::Aead>, Error>,
    test: &Test,
    paths: &mut usize,
) -> Outcome {
    let nonce = need(&test.iv, "iv")?;
    let ciphertext = need(&test.ciphertext, "ciphertext")?;
    let tag = need(&test.tag, "tag")?;
    let aad = test.aad.as_deref().unwrap_or(&[]);
    let valid = test.verdict() == Verdict::Valid;
    let made = made.and_then(|mut aead| aead.set_tag_len(test.object_tag()).map(|()| aead));
    let aead = match made {
        Ok(aead) => aead,
        Err(_) if !valid => {
            *paths += 1;
            return Ok(());
        }
        Err(error) => return Err(("set-up".into(), error.to_string())),
    };
    let open = format!("{name}-open");
    let mut data = ciphertext.clone();
    let opened = aead.open(nonce, aad, data.as_mut_slice().into(), tag);
    if !valid {
        let attached = [ciphertext.as_slice(), tag].concat();
        let mut output = vec![0xa5; ciphertext.len()];
        if aead.open_attached(nonce, aad, &attached, &mut output).is_ok() {
            return Err((format!("{open}, attached"), "accepted; expected: an error".into()));
        }
        let mut kept = ciphertext.clone();
        if aead.try_open(nonce, aad, &mut kept, tag).is_ok() {
            return Err((format!("{open}, tried"), "accepted; expected: an error".into()));
        }
        equal(&format!("{open}, tried"), &kept, ciphertext, None, paths)?;
        return match opened {
            Ok(()) => Err((open, "accepted; expected: an error".into())),
            Err(Error::Authentication) => {
                let zeros = vec![0; data.len()];
                equal(&format!("{open}, refused"), &data, &zeros, None, paths)
            }
            Err(_) => {
                *paths += 1;
                Ok(())
            }
        };
    }
    opened.on(&open)?;
    let opened = data.clone();
    let plaintext = match &test.plaintext {
        // Tests of the tag alone tell no plaintext: what comes out must give the same again.
        None if test.object_tag_bytes.is_some() => &opened,
        plaintext => need(plaintext, "plaintext")?,
    };
    equal(&format!("{open}, in place"), &data, plaintext, None, paths)?;
    data.clone_from(ciphertext);
    aead.try_open(nonce, aad, &mut data, tag).on(&format!("{open}, tried"))?;
    equal(&format!("{open}, tried"), &data, plaintext, None, paths)?;

    // One bit of the tag, the associated data and the ciphertext must each matter.
    let mut spoilt = tag.clone();
    spoilt[0] ^= 1;
    let refused = aead.open(nonce, aad, data.as_mut_slice().into(), &spoilt).is_err();
    let zeros = vec![0; data.len()];
    if !refused {
        return Err((open, "a changed tag is accepted".into()));
    }
    equal(&format!("{open}, changed tag"), &data, &zeros, None, paths)?;

    let seal = format!("{name}-seal");
    let mut computed = vec![0xa5; tag.len()];
    let mut output = vec![0xa5; plaintext.len()];
    let io = InOut::disjoint(plaintext, &mut output).expect("equal lengths");
    aead.seal(nonce, aad, io, &mut computed).on(&seal)?;
    equal(&format!("{seal}, buffer to buffer"), &output, ciphertext, None, paths)?;
    equal(&format!("{seal}, tag"), &computed, tag, None, paths)?;

    let mut attached = vec![0xa5; plaintext.len() + tag.len()];
    aead.seal_attached(nonce, aad, plaintext, &mut attached).on(&seal)?;
    let expected = [ciphertext.as_slice(), tag].concat();
    equal(&format!("{seal}, attached"), &attached, &expected, None, paths)?;
    output.fill(0xa5);
    aead.open_attached(nonce, aad, &attached, &mut output).on(&open)?;
    equal(&format!("{open}, attached"), &output, plaintext, None, paths)
}

/// A MAC over a cipher.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mac<'o>(pub(super) &'o Operation);

impl Mac<'_> {
    /// Runs one test at a level along all paths, counting those that pass.
    pub(super) fn run(&self, test: &Test, level: Level, cuts: Cuts, paths: &mut usize) -> Outcome {
        let name = self.0.name;
        let iv = test.iv.as_deref().unwrap_or(&[]);
        let message = need(&test.message, "message")?;
        let tag = need(&test.tag, "tag")?;
        let valid = test.verdict() == Verdict::Valid;
        let second = test.key2.as_deref().unwrap_or(&[]);
        let key = [need(&test.key, "key")?.as_slice(), second].concat();
        let refused = |error: Error, paths: &mut usize| {
            if valid {
                return Err((format!("{name}, set-up"), error.to_string()));
            }
            *paths += 1;
            Ok(())
        };
        let made = self.0.mac(&key, iv, level);
        let made = made.and_then(|mut mac| mac.set_tag_len(test.object_tag()).map(|()| mac));
        let mut mac = match made {
            Ok(mac) => mac,
            Err(error) => return refused(error, paths),
        };
        let bytes = message.len() as u64;
        let whole =
            mac.announce(bytes).and_then(|()| mac.update(message)).and_then(|()| mac.verify(tag));
        if !valid {
            return match whole {
                Ok(()) => Err((name.into(), "accepted; expected: an error".into())),
                Err(error) => refused(error, paths),
            };
        }
        whole.on(&name)?;
        *paths += 1;
        for pattern in &cuts.patterns(message.len()) {
            let path = format!("{name}, in pieces of {pattern:?}");
            mac.reset(iv).on(&path)?;
            mac.announce(bytes).on(&path)?;
            for piece in pieces(message.len(), 1, pattern) {
                mac.update(&message[piece]).on(&path)?;
            }
            let mut computed = vec![0xa5; tag.len()];
            mac.finish(&mut computed).on(&path)?;
            equal(&path, &computed, tag, None, paths)?;
        }
        Ok(())
    }
}

/// A mode on whole messages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Message<'o> {
    pub(super) operation: &'o Operation,
    pub(super) new: NewMessage,
}

impl Message<'_> {
    /// Runs one test at a level along all paths, counting those that pass.
    pub(super) fn run(&self, test: &Test, level: Level, paths: &mut usize) -> Outcome {
        let name = self.operation.mode();
        let hash = test.hash_key.as_deref().unwrap_or(&[]);
        let key = [need(&test.key, "key")?.as_slice(), hash].concat();
        let iv = need(if test.tweak.is_some() { &test.tweak } else { &test.iv }, "iv or tweak")?;
        // A short tweak is a sector number, little-endian: zeros follow.
        let mut tweak = [0; 16];
        let iv = match tweak.get_mut(..iv.len()) {
            Some(start) if name.starts_with("xts") => {
                start.copy_from_slice(iv);
                &tweak[..]
            }
            _ => iv,
        };
        let ciphertext = need(&test.ciphertext, "ciphertext")?;
        let valid = test.verdict() == Verdict::Valid;
        let mode = match (self.new)(self.operation.algorithm, &key, level) {
            Ok(mode) => mode,
            // IEEE 1619's first example has two equal keys, which SP 800-38E's users must
            // not have: refusing it is right.
            Err(error) if !valid || error == Error::EqualKeys => {
                *paths += 1;
                return Ok(());
            }
            Err(error) => return Err(("set-up".into(), error.to_string())),
        };
        let mut data = ciphertext.clone();
        let decrypted = mode.decrypt(iv, data.as_mut_slice().into());
        if !valid {
            return match decrypted {
                Ok(()) => Err((name.into(), "accepted; expected: an error".into())),
                Err(_) => {
                    *paths += 1;
                    Ok(())
                }
            };
        }
        decrypted.on(&name)?;
        let plaintext = need(&test.plaintext, "plaintext")?;
        equal(&format!("{name}-decrypt, in place"), &data, plaintext, None, paths)?;
        mode.encrypt(iv, data.as_mut_slice().into()).on(&name)?;
        equal(&format!("{name}-encrypt, in place"), &data, ciphertext, None, paths)?;
        let mut output = vec![0xa5; data.len()];
        let io = InOut::disjoint(plaintext, &mut output).expect("equal lengths");
        mode.encrypt(iv, io).on(&name)?;
        equal(&format!("{name}-encrypt, buffer to buffer"), &output, ciphertext, None, paths)?;
        let io = InOut::disjoint(ciphertext, &mut output).expect("equal lengths");
        mode.decrypt(iv, io).on(&name)?;
        equal(&format!("{name}-decrypt, buffer to buffer"), &output, plaintext, None, paths)
    }
}
