//! Ciphers in pieces.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use std::sync::Mutex;

use cipherlane::modes::Padding;
use cipherlane::registry::Parameters;
use jni_sys::{JNIEnv, jbyteArray, jclass, jint, jlong, jobject};
use lanes::wipe::wipe_bytes;
use objects::{Context, Spec};

use crate::handle::{free, hold, renew};
use crate::jvm::{Env, FEW, FEWEST, Pair, Range, Scratch, Trouble, length, method};

/// The most bytes that an update writes beyond what it reads: those held back before.
const HELD: usize = 16;

pub(crate) fn update(context: &mut Context, pair: Pair<'_>) -> Result<usize, Trouble> {
    Ok(match pair {
        Pair::Apart(input, output) => context.update(input, output)?,
        Pair::Same(length, data) if context.update_len(length) > length => {
            // Bytes held back before come out in front of these: more than went in.
            let mut copy = data[..length].to_vec();
            let written = context.update(&copy, data);
            wipe_bytes(&mut copy);
            written?
        }
        Pair::Same(length, data) => context.update_in_place(&mut data[..length])?,
    })
}

/// A context, if possible in the place of the one of `old`: its number, or another one; what fails
/// leaves the old one as it is. `padding` is 0 for none, 1 for PKCS#7, 2 for ISO/IEC 7816-4; parameters below 0
/// are the usual ones.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherNew(
    env: *mut JNIEnv,
    _: jclass,
    old: jlong,
    algorithm: jbyteArray,
    operation: jbyteArray,
    key: jbyteArray,
    iv: jbyteArray,
    padding: jint,
    effective_key_bits: jint,
    word_bits: jint,
    rounds: jint,
) -> jlong {
    method(env, |env| {
        let padding = match padding {
            1 => Padding::Pkcs7,
            2 => Padding::Iso7816,
            _ => Padding::None,
        };
        let [effective_key_bits, word_bits, rounds] =
            [effective_key_bits, word_bits, rounds].map(|value| u32::try_from(value).ok());
        let parameters = Parameters { effective_key_bits, word_bits, rounds };
        let (algorithm, operation) = (env.name(algorithm)?, env.name(operation)?);
        let (key, iv) = (env.bytes(key)?, env.bytes(iv)?);
        let spec = Spec::new(&algorithm, &operation, key.slice());
        renew(old, Context::new(&Spec { iv: iv.slice(), padding, parameters, ..spec })?)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherFree(
    _: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) {
    free::<Mutex<Context>>(handle);
}

/// How many bytes an update writes.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherUpdateLength(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    input: jint,
) -> jint {
    method(env, |_| {
        let input = length(input)?;
        let output = hold(handle, |context: &mut Context| Ok(context.update_len(input)))?;
        jint::try_from(output).map_err(|_| Trouble::Memory)
    })
}

/// Copies the input to the stack and the output back.
fn copied<const N: usize, const M: usize>(
    env: Env,
    context: &mut Context,
    (input, input_offset, given): Range,
    (output, output_offset, room): Range,
) -> Result<usize, Trouble> {
    let (mut from, mut to) = (Scratch::<N>::new(), Scratch::<M>::new());
    let from = from.first(given);
    env.read(input, input_offset, from)?;
    let to = to.first(room.min(given + HELD));
    let written = context.update(from, to)?;
    env.write(output, output_offset, &to[..written])?;
    Ok(written)
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherUpdate(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    input: jbyteArray,
    input_offset: jint,
    input_length: jint,
    output: jbyteArray,
    output_offset: jint,
    output_room: jint,
) -> jint {
    method(env, |env| {
        let (given, room) = (length(input_length)?, length(output_room)?);
        hold(handle, |context: &mut Context| {
            let (from, to) = ((input, input_offset, given), (output, output_offset, room));
            let written = if given <= FEWEST {
                copied::<FEWEST, { FEWEST + HELD }>(env, context, from, to)?
            } else if given <= FEW {
                copied::<FEW, { FEW + HELD }>(env, context, from, to)?
            } else {
                env.pinned(from, to, |pair| update(context, pair))?
            };
            Ok(written as jint)
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherUpdateDirect(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    input: jobject,
    input_offset: jint,
    input_length: jint,
    output: jobject,
    output_offset: jint,
    output_room: jint,
) -> jint {
    method(env, |env| {
        let input = (input, input_offset, length(input_length)?);
        let output = (output, output_offset, length(output_room)?);
        hold(handle, |context: &mut Context| {
            Ok(env.direct(input, output, |pair| update(context, pair))? as jint)
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherFinish(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    output: jbyteArray,
    output_offset: jint,
) -> jint {
    method(env, |env| {
        hold(handle, |context: &mut Context| {
            let mut last = Scratch::<HELD>::new();
            let last = last.first(HELD);
            let length = context.finish(last)?;
            if length > 0 {
                env.write(output, output_offset, &last[..length])?;
            }
            Ok(length as jint)
        })
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherReset(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    iv: jbyteArray,
) {
    method(env, |env| {
        let iv = env.bytes(iv)?;
        hold(handle, |context: &mut Context| Ok(context.reset(iv.slice())?))
    });
}
