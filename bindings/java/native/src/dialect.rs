//! Dialects: the methods of `org.cipherlane.dialects.Engine`.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

mod ahead;
mod column;
mod fault;
mod rows;

use std::cell::RefCell;
use std::sync::RwLock;

use dialects::{Codec, Coding, Form, Hash, Outcome, Settings};
use jni_sys::{JNIEnv, jboolean, jbyteArray, jclass, jint, jlong};
use lanes::wipe::wipe_bytes;

use self::ahead::draw;
use self::fault::{closed, named, setting};
use crate::handle::{free, give, read, renew_shared};
use crate::jvm::{Env, Trouble, length, method};

/// A codec, until it is closed.
type Open = Option<Codec>;

/// A reference to an array that may be nothing.
struct Array(jbyteArray);

impl Default for Array {
    fn default() -> Self {
        Self(std::ptr::null_mut())
    }
}

/// The input and the output of a value, kept for the thread's next one.
#[derive(Default)]
struct Room {
    input: Vec<u8>,
    output: Vec<u8>,
}

impl Room {
    /// Rooms beyond this are given back.
    const MOST: usize = 1 << 20;

    /// Wipes what was there.
    fn clear(&mut self) {
        for bytes in [&mut self.input, &mut self.output] {
            wipe_bytes(bytes);
            bytes.clear();
            if bytes.capacity() > Self::MOST {
                *bytes = Vec::new();
            }
        }
    }
}

thread_local! {
    static ROOM: RefCell<Room> = RefCell::default();
}

/// The forms by the numbers that Java has for them; anything else is none.
const FORMS: [Form; 4] = [Form::Text, Form::Hex, Form::Base64, Form::Bytes];

fn form(number: jint) -> Option<Form> {
    usize::try_from(number).ok().and_then(|place| FORMS.get(place).copied())
}

/// A name; none where the array is not there.
fn name(env: Env, array: jbyteArray) -> Result<Option<String>, Trouble> {
    if array.is_null() { Ok(None) } else { env.name(array).map(Some) }
}

fn one(codec: &Codec, decrypts: bool, value: &[u8], out: &mut Vec<u8>) -> Result<Outcome, Trouble> {
    let done = if decrypts {
        codec.decrypt(value, out)
    } else {
        codec.encrypt_with(value, out, &mut draw)
    };
    done.map_err(|error| named(&error))
}

/// What each dialect is, as lines; see `Dialect.java`.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_listing(
    env: *mut JNIEnv,
    _: jclass,
) -> jbyteArray {
    method(env, |env| Ok(Array(env.array(rows::all().as_bytes())?))).0
}

/// Why a name is none of a dialect; throws.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_unknown(
    env: *mut JNIEnv,
    _: jclass,
    dialect: jbyteArray,
) {
    method(env, |env| {
        let dialect = env.name(dialect)?;
        dialects::find(&dialect).map(|_| ()).map_err(|error| named(&error))
    });
}

/// A codec; arrays that are not there leave the choice to the dialect.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_prepare(
    env: *mut JNIEnv,
    _: jclass,
    dialect: jbyteArray,
    key: jbyteArray,
    key_form: jint,
    mode: jbyteArray,
    iv: jbyteArray,
    iv_form: jint,
    hash: jbyteArray,
    aad: jbyteArray,
    coding: jbyteArray,
) -> jlong {
    method(env, |env| {
        let dialect = dialects::find(&env.name(dialect)?).map_err(|error| named(&error))?;
        let (key, given, aad) = (env.bytes(key)?, env.bytes(iv)?, env.bytes(aad)?);
        let (mode, hash, coding) = (name(env, mode)?, name(env, hash)?, name(env, coding)?);
        let hash = hash.map(|name| {
            let allowed = || dialect.hashes().iter().map(|it| it.name()).collect::<Vec<_>>();
            Hash::named(&name).ok_or_else(|| setting(dialect, "digest", &name, &allowed()))
        });
        let coding = coding.map(|name| {
            let allowed = || dialect.codings().iter().map(|it| it.name()).collect::<Vec<_>>();
            Coding::named(&name).ok_or_else(|| setting(dialect, "coding", &name, &allowed()))
        });
        let codec = dialect.prepare(&Settings {
            key_form: form(key_form),
            mode: mode.as_deref(),
            iv: (!iv.is_null()).then_some(given.slice()),
            iv_form: form(iv_form),
            hash: hash.transpose()?,
            aad: aad.slice(),
            coding: coding.transpose()?,
            ..Settings::new(key.slice())
        });
        let codec: Open = Some(codec.map_err(|error| named(&error))?);
        Ok(give(RwLock::new(codec)))
    })
}

/// What a codec has become, as lines; see `Codec.java`.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_facts(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) -> jbyteArray {
    method(env, |env| {
        let facts =
            read(handle, |codec: &Open| codec.as_ref().map(rows::facts).ok_or_else(closed))?;
        Ok(Array(env.array(facts.as_bytes())?))
    })
    .0
}

/// A value: a new array, or none where the engine has NULL.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_one(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    decrypts: jboolean,
    value: jbyteArray,
    offset: jint,
    count: jint,
) -> jbyteArray {
    method(env, |env| {
        let count = length(count)?;
        ROOM.with_borrow_mut(|room| {
            room.input.resize(count, 0);
            let done = env.read(value, offset, &mut room.input).and_then(|()| {
                read(handle, |codec: &Open| {
                    let codec = codec.as_ref().ok_or_else(closed)?;
                    // What comes out has room from the beginning: a vector that grew would leave
                    // plaintext behind where it was.
                    room.output.reserve(column::room(&[count]));
                    one(codec, decrypts, &room.input, &mut room.output)
                })
            });
            let array = match done {
                Ok(Outcome::Value) => env.array(&room.output).map(Array),
                Ok(Outcome::Null) => Ok(Array::default()),
                Err(trouble) => Err(trouble),
            };
            room.clear();
            array
        })
    })
    .0
}

/// Drops the codec; the number stays until it is freed.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_close(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) {
    method(env, |_| {
        let end = |codec: &mut Open| {
            *codec = None;
            true
        };
        renew_shared(handle, end, || Err(Trouble::Busy)).map(|_| ())
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_free(
    _: *mut JNIEnv,
    _: jclass,
    handle: jlong,
) {
    free::<RwLock<Open>>(handle);
}
