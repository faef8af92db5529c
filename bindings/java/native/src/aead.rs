//! AEADs on whole messages.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use std::sync::RwLock;

use cipherlane::{Error, InOut};
use jni_sys::{JNIEnv, jbyteArray, jclass, jint, jlong, jobject};
use objects::AeadOneShot;

use crate::handle::{free, read, renew_shared};
use crate::jvm::{Env, FEW, FEWEST, Pair, Range, Scratch, Trouble, length, method};

/// The longest tag.
const TAG: usize = 16;

/// An AEAD for nonces and tags of these lengths, if possible in the place of the one of `old`:
/// its number, or another one. `same` says that algorithm and length of the key are the old one's.
/// What fails leaves the old one as it is.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_aeadNew(
    env: *mut JNIEnv,
    _: jclass,
    old: jlong,
    same: u8,
    algorithm: jbyteArray,
    mode: jbyteArray,
    key: jbyteArray,
    nonce: jint,
    tag: jint,
) -> jlong {
    method(env, |env| {
        let (nonce, tag, key) = (length(nonce)?, length(tag)?, env.bytes(key)?);
        let change = |sealer: &mut AeadOneShot| {
            let kept = same != 0 && sealer.tag_len() == tag;
            kept && sealer.check(nonce, tag).is_ok() && sealer.take_key(key.slice())
        };
        let make = || {
            let (algorithm, mode) = (env.name(algorithm)?, env.name(mode)?);
            // The provider's class remembers nonces, as the key may change there.
            let sealer = AeadOneShot::new(&algorithm, &mode, key.slice(), false, None)?;
            let sealer = sealer.with_tag_len(tag)?;
            sealer.check(nonce, tag)?;
            Ok(sealer)
        };
        renew_shared(old, change, make)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_aeadFree(
    _: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) {
    free::<RwLock<AeadOneShot>>(handle);
}

/// Whether nonces and tags of these lengths are allowed.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_aeadCheck(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    nonce: jint,
    tag: jint,
) {
    method(env, |_| {
        let (nonce, tag) = (length(nonce)?, length(tag)?);
        read(handle, |sealer: &AeadOneShot| Ok(sealer.check(nonce, tag)?))
    });
}

/// A message, and what goes with it.
pub(crate) struct Message<'m> {
    pub(crate) nonce: &'m [u8],
    pub(crate) aad: &'m [u8],
    pub(crate) tag: usize,
    pub(crate) open: bool,
}

impl Message<'_> {
    /// Seals or opens; the tag stands behind the ciphertext.
    pub(crate) fn apply(&self, sealer: &AeadOneShot, pair: Pair<'_>) -> Result<usize, Trouble> {
        let (nonce, aad) = (self.nonce, self.aad);
        let (given, got) = match &pair {
            Pair::Apart(input, output) => (input.len(), output.len()),
            Pair::Same(given, data) => (*given, data.len()),
        };
        let needed = self.output(given)?;
        if got < needed {
            return Err(Error::OutputLength { got, needed }.into());
        }
        match (pair, self.open) {
            (Pair::Apart(input, output), false) => {
                let (body, tag) = output[..needed].split_at_mut(given);
                let io = InOut::disjoint(input, body).ok_or(Trouble::Bounds)?;
                sealer.seal(nonce, aad, io, tag)?;
            }
            (Pair::Same(given, data), false) => {
                let (body, tag) = data[..needed].split_at_mut(given);
                sealer.seal(nonce, aad, body.into(), tag)?;
            }
            (Pair::Apart(input, output), true) => {
                let (body, tag) = input.split_at(needed);
                let io = InOut::disjoint(body, &mut output[..needed]).ok_or(Trouble::Bounds)?;
                sealer.open(nonce, aad, io, tag)?;
            }
            (Pair::Same(given, data), true) => {
                let (body, tag) = data[..given].split_at_mut(needed);
                sealer.open(nonce, aad, body.into(), tag)?;
            }
        }
        Ok(needed)
    }

    /// The length of the output. A message shorter than a tag is not authentic.
    fn output(&self, input: usize) -> Result<usize, Trouble> {
        if self.open {
            Ok(input.checked_sub(self.tag).ok_or(Error::Authentication)?)
        } else {
            Ok(input + self.tag)
        }
    }
}

impl Message<'_> {
    /// Copies the input to the stack, of which `N` bytes are taken, and the output back.
    fn copied<const N: usize>(
        &self,
        env: Env,
        sealer: &AeadOneShot,
        (input, input_offset, given): Range,
        (output, output_offset, room): Range,
    ) -> Result<usize, Trouble> {
        let mut scratch = Scratch::<N>::new();
        let room = room.min(given + TAG);
        let data = scratch.first(room.max(given));
        env.read_checked(input, input_offset, &mut data[..given]);
        let written = self.apply(sealer, Pair::Same(given, data))?;
        if written > room {
            return Err(Error::OutputLength { got: room, needed: written }.into());
        }
        env.write_checked(output, output_offset, &data[..written]);
        Ok(written)
    }
}

/// The class `Native` has checked all ranges. `open` is a `jboolean`, a byte: as a `bool` of Rust
/// any value but 0 and 1 would be undefined behaviour.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_aeadMessage(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    open: u8,
    nonce: jbyteArray,
    nonce_length: jint,
    aad: jbyteArray,
    aad_length: jint,
    tag: jint,
    input: jbyteArray,
    input_offset: jint,
    input_length: jint,
    output: jbyteArray,
    output_offset: jint,
    output_room: jint,
) -> jint {
    method(env, |env| {
        let from = (input, input_offset, length(input_length)?);
        let to = (output, output_offset, length(output_room)?);
        let nonce = env.head_checked(nonce, length(nonce_length)?);
        let aad = env.head_checked(aad, length(aad_length)?);
        let (nonce, aad) = (nonce.slice(), aad.slice());
        let message = Message { nonce, aad, tag: length(tag)?, open: open != 0 };
        read(handle, |sealer: &AeadOneShot| {
            let written = match from.2 {
                few if few <= FEWEST => {
                    message.copied::<{ FEWEST + TAG }>(env, sealer, from, to)?
                }
                few if few <= FEW => message.copied::<{ FEW + TAG }>(env, sealer, from, to)?,
                _ => env.pinned(from, to, |pair| message.apply(sealer, pair))?,
            };
            Ok(written as jint)
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_aeadMessageDirect(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    open: u8,
    nonce: jbyteArray,
    nonce_length: jint,
    aad: jbyteArray,
    aad_length: jint,
    tag: jint,
    input: jobject,
    input_offset: jint,
    input_length: jint,
    output: jobject,
    output_offset: jint,
    output_room: jint,
) -> jint {
    method(env, |env| {
        let nonce = env.head_checked(nonce, length(nonce_length)?);
        let aad = env.head_checked(aad, length(aad_length)?);
        let (nonce, aad) = (nonce.slice(), aad.slice());
        let message = Message { nonce, aad, tag: length(tag)?, open: open != 0 };
        let input = (input, input_offset, length(input_length)?);
        let output = (output, output_offset, length(output_room)?);
        read(handle, |sealer: &AeadOneShot| {
            Ok(env.direct(input, output, |pair| message.apply(sealer, pair))? as jint)
        })
    })
}
