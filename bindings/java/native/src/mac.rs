//! MACs.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use std::sync::Mutex;

use jni_sys::{JNIEnv, jbyteArray, jclass, jint, jlong, jobject};
use objects::Mac;

use crate::handle::{free, give, hold, renew};
use crate::jvm::{FEW, Scratch, Trouble, length, method};

/// A MAC, if possible in the place of the one of `old`: its number, or another one; what fails
/// leaves the old one as it is.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macNew(
    env: *mut JNIEnv,
    _: jclass,
    old: jlong,
    algorithm: jbyteArray,
    operation: jbyteArray,
    key: jbyteArray,
    iv: jbyteArray,
    tag: jint,
) -> jlong {
    method(env, |env| {
        let (algorithm, operation) = (env.name(algorithm)?, env.name(operation)?);
        let (key, iv) = (env.bytes(key)?, env.bytes(iv)?);
        let tag = usize::try_from(tag).ok();
        let (key, iv) = (key.slice(), iv.slice());
        renew(old, Mac::new(&algorithm, &operation, key, iv, tag, None)?)
    })
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macFree(
    _: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) {
    free::<Mutex<Mac>>(handle);
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macLength(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) -> jint {
    method(env, |_| hold(handle, |tagger: &mut Mac| Ok(tagger.tag_len() as jint)))
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macUpdate(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    data: jbyteArray,
    offset: jint,
    count: jint,
) {
    method(env, |env| {
        let count = length(count)?;
        hold(handle, |tagger: &mut Mac| {
            if count <= FEW {
                let mut few = Scratch::<FEW>::new();
                let few = few.first(count);
                env.read(data, offset, few)?;
                Ok(tagger.update(few)?)
            } else {
                env.reading((data, offset, count), |data| Ok(tagger.update(data)?))
            }
        })
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macUpdateDirect(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    data: jobject,
    offset: jint,
    count: jint,
) {
    method(env, |env| {
        let count = length(count)?;
        hold(handle, |tagger: &mut Mac| {
            env.reading_direct((data, offset, count), |data| Ok(tagger.update(data)?))
        })
    });
}

/// Writes the tag; a MAC without an IV starts another message.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macFinish(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    output: jbyteArray,
) {
    method(env, |env| {
        hold(handle, |tagger: &mut Mac| {
            let mut tag = [0; 16];
            let length = tagger.finish(&mut tag)?;
            env.write(output, 0, &tag[..length])
        })
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macReset(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    iv: jbyteArray,
) {
    method(env, |env| {
        let iv = env.bytes(iv)?;
        hold(handle, |tagger: &mut Mac| Ok(tagger.reset(iv.slice())?))
    });
}

/// Another MAC that has read the same; a MAC with an IV has none.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_Native_macFork(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) -> jlong {
    method(env, |_| -> Result<jlong, Trouble> {
        hold(handle, |tagger: &mut Mac| Ok(give(Mutex::new(tagger.fork()?))))
    })
}
