//! A column of values in one call, as Arrow lays it: the bytes of all one behind the other, and
//! where each ends.
#![expect(unsafe_code, reason = "names that the virtual machine looks for")]

use dialects::{Codec, Outcome};
use jni_sys::{JNIEnv, jboolean, jbyteArray, jclass, jint, jintArray, jlong};
use lanes::wipe::wipe_bytes;

use super::{Array, Open, closed, one};
use crate::handle::read;
use crate::jvm::{Trouble, method};

/// States of a value, as `Values.java` has them.
const VALUE: u8 = 0;
const NULL: u8 = 1;
const BAD: u8 = 2;

/// The bytes that all results and what is between take at most, whichever way: a vector that has
/// so many from the beginning does not move, and leaves nothing secret behind. A stored value has
/// at most 64 bytes around its text and two characters for a byte, and one that is read needs its
/// text again while line breaks are taken out.
pub(super) fn room(lengths: &[usize]) -> usize {
    let all: usize = lengths.iter().sum();
    let longest = lengths.iter().max().copied().unwrap_or(0);
    2 * all + 3 * longest + 256 * lengths.len() + 256
}

struct Column {
    bytes: Vec<u8>,
    ends: Vec<jint>,
    states: Vec<u8>,
}

impl Drop for Column {
    fn drop(&mut self) {
        wipe_bytes(&mut self.bytes);
    }
}

/// The lengths of the values of a column.
///
/// # Errors
/// [`Trouble::Bounds`] where ends go back or beyond the bytes.
fn lengths(bytes: usize, ends: &[jint]) -> Result<Vec<usize>, Trouble> {
    let mut start = 0;
    let mut lengths = Vec::with_capacity(ends.len());
    for end in ends {
        let end = usize::try_from(*end).map_err(|_| Trouble::Bounds)?;
        lengths.push(end.checked_sub(start).ok_or(Trouble::Bounds)?);
        start = end;
    }
    if start <= bytes { Ok(lengths) } else { Err(Trouble::Bounds) }
}

/// All values, each for itself: one that is bad is empty and marked.
fn apply(codec: &Codec, decrypts: bool, column: &Column) -> Result<Column, Trouble> {
    let lengths = lengths(column.bytes.len(), &column.ends)?;
    let mut out = Column {
        bytes: Vec::with_capacity(room(&lengths)),
        ends: Vec::with_capacity(lengths.len()),
        states: Vec::with_capacity(lengths.len()),
    };
    let mut start = 0;
    for (length, state) in lengths.into_iter().zip(&column.states) {
        let value = &column.bytes[start..start + length];
        start += length;
        out.states.push(if *state != VALUE {
            *state
        } else {
            match one(codec, decrypts, value, &mut out.bytes) {
                Ok(Outcome::Value) => VALUE,
                Ok(Outcome::Null) => NULL,
                Err(_) => BAD,
            }
        });
        let end = jint::try_from(out.bytes.len()).map_err(|_| {
            let text = "a column of more than 2147483647 bytes; allowed: fewer values at once";
            Trouble::Named(c"java/lang/IllegalArgumentException", text.to_owned())
        })?;
        out.ends.push(end);
    }
    Ok(out)
}

/// The bytes of the results; their ends and states take the places of those given.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn Java_org_cipherlane_dialects_Engine_many(
    env: *mut JNIEnv,
    _: jclass,
    handle: jlong,
    decrypts: jboolean,
    bytes: jbyteArray,
    ends: jintArray,
    states: jbyteArray,
) -> jbyteArray {
    method(env, |env| {
        let mut column = Column {
            bytes: env.copied(bytes)?,
            ends: env.ints(ends)?,
            states: env.copied(states)?,
        };
        if column.states.len() != column.ends.len() {
            return Err(Trouble::Bounds);
        }
        column = read(handle, |codec: &Open| {
            apply(codec.as_ref().ok_or_else(closed)?, decrypts, &column)
        })?;
        env.write_ints(ends, &column.ends)?;
        env.write(states, 0, &column.states)?;
        Ok(Array(env.array(&column.bytes)?))
    })
    .0
}

#[cfg(test)]
mod tests {
    use super::*;
    use dialects::Settings;

    #[test]
    fn no_result_outgrows_its_room() {
        for dialect in dialects::all() {
            for mode in dialect.modes() {
                let keys: [&[u8]; 3] = [
                    b"0123456789abcdef",
                    b"01234567890123456789abcdef012345",
                    b"MDEyMzQ1Njc4OWFiY2RlZg==",
                ];
                let ivs = [
                    None,
                    Some(&b"0123456789abcdef"[..]),
                    Some(&b"01234567890123456789abcdef012345"[..]),
                ];
                let codecs = keys.iter().flat_map(|key| {
                    ivs.iter().flat_map(move |iv| {
                        dialect.codings().iter().filter_map(move |coding| {
                            let (mode, iv, coding) = (Some(mode.name()), *iv, Some(*coding));
                            dialect
                                .prepare(&Settings { mode, iv, coding, ..Settings::new(key) })
                                .ok()
                        })
                    })
                });
                let mut tried = 0;
                for codec in codecs {
                    for length in [1, 15, 16, 17, 300] {
                        let mut out = Vec::new();
                        if one(&codec, false, &vec![b'a'; length], &mut out).is_err() {
                            continue;
                        }
                        tried += 1;
                        // The text and the bytes it is made of stand there at once.
                        assert!(2 * out.len() <= room(&[length]), "{dialect:?} {mode:?} {length}");
                        let stored = out.len();
                        let mut back = Vec::with_capacity(room(&[stored]));
                        let whole = back.capacity();
                        assert!(one(&codec, true, &out, &mut back).is_ok());
                        assert_eq!(back.capacity(), whole);
                    }
                }
                assert!(tried > 0, "{dialect:?} {mode:?}");
            }
        }
    }

    #[test]
    fn ends_that_go_back_are_refused() {
        assert!(lengths(5, &[2, 1]).is_err());
        assert!(lengths(5, &[2, 6]).is_err());
        assert!(lengths(5, &[-1]).is_err());
        assert!(matches!(lengths(5, &[2, 2, 5]).as_deref(), Ok([2, 0, 3])));
    }
}
