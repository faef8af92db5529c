//! Ciphers in pieces.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use std::sync::Mutex;

use cipherlane::modes::Padding;
use cipherlane::registry::Parameters;
use jni_sys::{JNIEnv, jbyteArray, jclass, jint, jlong, jobject};
use objects::{Context, Spec};

use crate::handle::{free, give, hold};
use crate::jvm::{Pair, Trouble, length, method};

/// Up to so many bytes are copied to the stack: pinning an array costs more.
const FEW: usize = 1024;

pub(crate) fn update(context: &mut Context, pair: Pair<'_>) -> Result<usize, Trouble> {
    Ok(match pair {
        Pair::Apart(input, output) => context.update(input, output)?,
        Pair::Same(length, data) => context.update_in_place(&mut data[..length])?,
    })
}

/// A context; `padding` is 0 for none, 1 for PKCS#7, 2 for ISO/IEC 7816-4; parameters below 0
/// are the usual ones.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_cipherNew(
    env: *mut JNIEnv,
    _: jclass,
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
        Ok(give(Mutex::new(Context::new(&Spec { iv: iv.slice(), padding, parameters, ..spec })?)))
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
            let written = if given <= FEW {
                let (mut from, mut to) = ([0; FEW], [0; FEW + 16]);
                env.read(input, input_offset, &mut from[..given])?;
                let room = room.min(to.len());
                let written = context.update(&from[..given], &mut to[..room])?;
                env.write(output, output_offset, &to[..written])?;
                written
            } else {
                let (from, to) = ((input, input_offset, given), (output, output_offset, room));
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
            let mut last = [0; 16];
            let length = context.finish(&mut last)?;
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
