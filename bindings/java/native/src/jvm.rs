//! The few calls of JNI that are used, and what they promise.
//!
//! # Why this is sound
//! An [`Env`] is made from the pointer that the virtual machine hands to a native method; it
//! is valid in that thread until the method returns, and an `Env` is neither `Send` nor kept.
//! Arrays are copied by calls of JNI that check their bounds, or pinned by a [`Pin`], whose
//! length is that of the array; while pins exist no other call of JNI is made but taking and
//! releasing pins, as its specification asks. Pins of one array, where an array is input and
//! output, are compared before slices are made of them: there is one exclusive slice for both,
//! or the input is copied. A panic ends in a Java error, it does not cross.
#![expect(unsafe_code, reason = "JNI; argued above")]

use std::ffi::{CStr, CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use jni_sys::{JNIEnv, jarray, jbyteArray, jint, jobject};
use lanes::wipe::wipe_bytes;
use objects::{Failure, Kind};

/// Calls a function of JNI's table.
macro_rules! jni {
    ($env:expr, $version:ident, $name:ident $(, $argument:expr)*) => {{
        let env = $env.0;
        // SAFETY: `env` is the virtual machine's, valid in this thread until the native method
        // returns; the arguments are references it gave us and memory of ours, as documented.
        unsafe { ((**env).$version.$name)(env $(, $argument)*) }
    }};
}

mod ints;

/// What a native method may ask of the virtual machine.
#[derive(Clone, Copy)]
pub(crate) struct Env(*mut JNIEnv);

/// Why a native method ends without a result.
pub(crate) enum Trouble {
    /// To be thrown.
    Failure(Failure),
    /// Another thread uses the object.
    Busy,
    /// To be thrown as a class that is named, with that text.
    Named(&'static CStr, String),
    /// A length or an offset is out of range.
    Bounds,
    /// There is no memory.
    Memory,
    /// The virtual machine has already thrown something.
    Thrown,
}

impl<F: Into<Failure>> From<F> for Trouble {
    fn from(failure: F) -> Self {
        Self::Failure(failure.into())
    }
}

/// Runs a native method: what fails is thrown, and then `T`'s default is returned.
pub(crate) fn method<T: Default>(
    env: *mut JNIEnv,
    body: impl FnOnce(Env) -> Result<T, Trouble>,
) -> T {
    let env = Env(env);
    match catch_unwind(AssertUnwindSafe(|| body(env))) {
        Ok(Ok(value)) => value,
        Ok(Err(trouble)) => {
            env.throw(&trouble);
            T::default()
        }
        Err(_) => {
            env.throw_new(c"java/lang/InternalError", "a fault of cipherlane");
            T::default()
        }
    }
}

impl Env {
    pub(crate) fn throw(self, trouble: &Trouble) {
        let (class, text) = match trouble {
            Trouble::Failure(failure) => (class(failure.kind()), failure.to_string()),
            Trouble::Busy => {
                let text = "the object is in use by another thread";
                (c"java/util/ConcurrentModificationException", text.to_owned())
            }
            Trouble::Named(class, text) => (*class, text.clone()),
            Trouble::Bounds => {
                let text = "a range outside of its array";
                (c"java/lang/IndexOutOfBoundsException", text.to_owned())
            }
            Trouble::Memory => (c"java/lang/OutOfMemoryError", "no memory".to_owned()),
            Trouble::Thrown => return,
        };
        self.throw_new(class, &text);
    }

    fn throw_new(self, class: &CStr, text: &str) {
        let text = CString::new(text).unwrap_or_default();
        let class = jni!(self, v1_1, FindClass, class.as_ptr());
        // Without the class the virtual machine has thrown that there is none.
        if !class.is_null() {
            jni!(self, v1_1, ThrowNew, class, text.as_ptr());
        }
    }

    /// The length of an array; none has more than 2³¹ - 1 bytes.
    fn length(self, array: jarray) -> usize {
        let length = jni!(self, v1_1, GetArrayLength, array);
        usize::try_from(length).unwrap_or_default()
    }

    /// Copies a range of an array; its bounds are checked there.
    pub(crate) fn read(
        self,
        array: jbyteArray,
        offset: jint,
        into: &mut [u8],
    ) -> Result<(), Trouble> {
        check(self.length(array), offset, into.len())?;
        self.read_checked(array, offset, into);
        Ok(())
    }

    /// Copies bytes to a range of an array.
    pub(crate) fn write(self, array: jbyteArray, offset: jint, from: &[u8]) -> Result<(), Trouble> {
        check(self.length(array), offset, from.len())?;
        self.write_checked(array, offset, from);
        Ok(())
    }

    /// The same of a range that Java has checked: a length asked for here costs a call more.
    pub(crate) fn read_checked(self, array: jbyteArray, offset: jint, into: &mut [u8]) {
        let length = into.len() as jint;
        // It checks the range once more, and throws.
        jni!(self, v1_1, GetByteArrayRegion, array, offset, length, into.as_mut_ptr().cast());
    }

    /// The same of what is written.
    pub(crate) fn write_checked(self, array: jbyteArray, offset: jint, from: &[u8]) {
        let length = from.len() as jint;
        jni!(self, v1_1, SetByteArrayRegion, array, offset, length, from.as_ptr().cast());
    }

    /// The first bytes of an array that has as many, which Java has checked; copied.
    pub(crate) fn head_checked(self, array: jbyteArray, length: usize) -> Bytes {
        let mut bytes = Bytes::zeros(length);
        if length > 0 {
            self.read_checked(array, 0, bytes.slice_mut());
        }
        bytes
    }

    /// All of an array, copied; of none, no bytes.
    pub(crate) fn bytes(self, array: jbyteArray) -> Result<Bytes, Trouble> {
        let length = if array.is_null() { 0 } else { self.length(array) };
        Ok(self.head_checked(array, length))
    }

    /// A name, as the bytes of an array.
    pub(crate) fn name(self, array: jbyteArray) -> Result<String, Trouble> {
        Ok(String::from_utf8_lossy(self.bytes(array)?.slice()).into_owned())
    }

    /// A new array with these bytes.
    pub(crate) fn array(self, bytes: &[u8]) -> Result<jbyteArray, Trouble> {
        let length = jint::try_from(bytes.len()).map_err(|_| Trouble::Memory)?;
        let array = jni!(self, v1_1, NewByteArray, length);
        if array.is_null() {
            return Err(Trouble::Thrown);
        }
        self.write(array, 0, bytes)?;
        Ok(array)
    }

    /// Input and output of a call, pinned where they lie: `length` bytes of one, `room` of the
    /// other. `act` makes no call of JNI.
    pub(crate) fn pinned<T>(
        self,
        input: (jbyteArray, jint, usize),
        output: (jbyteArray, jint, usize),
        act: impl FnOnce(Pair<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let (input_from, output_from) = (input.1, output.1);
        check(self.length(input.0), input_from, input.2)?;
        check(self.length(output.0), output_from, output.2)?;
        let input_pin = Pin::new(self, input.0, READ)?;
        let output_pin = Pin::new(self, output.0, WRITTEN)?;
        // SAFETY: the ranges were checked against the arrays' lengths; checked offsets are not
        // negative.
        let (from, to) = unsafe {
            (input_pin.start.add(input_from as usize), output_pin.start.add(output_from as usize))
        };
        // SAFETY: pinned until the end of this function, and of these lengths.
        unsafe { pair((from, input.2), (to, output.2), act) }
    }

    /// The same for direct buffers, by their positions.
    pub(crate) fn direct<T>(
        self,
        input: (jobject, jint, usize),
        output: (jobject, jint, usize),
        act: impl FnOnce(Pair<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let from = self.address(input.0, input.1, input.2)?;
        let to = self.address(output.0, output.1, output.2)?;
        // SAFETY: inside the capacities of buffers that the caller of the native method holds.
        unsafe { pair((from, input.2), (to, output.2), act) }
    }

    /// Reads a range of a pinned array.
    pub(crate) fn reading<T>(
        self,
        (array, offset, length): (jbyteArray, jint, usize),
        act: impl FnOnce(&[u8]) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        check(self.length(array), offset, length)?;
        let pin = Pin::new(self, array, READ)?;
        // SAFETY: the range was checked, and the array is pinned until the end.
        act(unsafe { slice::from_raw_parts(pin.start.add(offset as usize), length) })
    }

    /// Reads a range of a direct buffer.
    pub(crate) fn reading_direct<T>(
        self,
        (buffer, offset, length): (jobject, jint, usize),
        act: impl FnOnce(&[u8]) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let from = self.address(buffer, offset, length)?;
        // SAFETY: inside the capacity of a buffer that the caller holds.
        act(unsafe { slice::from_raw_parts(from, length) })
    }

    fn address(self, buffer: jobject, offset: jint, length: usize) -> Result<*mut u8, Trouble> {
        let start = jni!(self, v1_4, GetDirectBufferAddress, buffer).cast::<u8>();
        let capacity = jni!(self, v1_4, GetDirectBufferCapacity, buffer);
        if start.is_null() {
            return Err(Trouble::Bounds);
        }
        check(usize::try_from(capacity).unwrap_or_default(), offset, length)?;
        // SAFETY: just checked to lie inside.
        Ok(unsafe { start.add(offset as usize) })
    }
}

/// An array that stays where it is.
struct Pin {
    start: *mut u8,
    array: jarray,
    env: Env,
    /// What becomes of a copy, where the virtual machine made one.
    mode: jint,
}

/// A copy that was only read is thrown away: it must not undo what was written elsewhere.
const READ: jint = jni_sys::JNI_ABORT;
const WRITTEN: jint = 0;

impl Pin {
    fn new(env: Env, array: jarray, mode: jint) -> Result<Self, Trouble> {
        let start = jni!(env, v1_2, GetPrimitiveArrayCritical, array, ptr::null_mut());
        if start.is_null() {
            return Err(Trouble::Memory);
        }
        Ok(Self { start: start.cast(), array, env, mode })
    }
}

impl Drop for Pin {
    fn drop(&mut self) {
        let Self { start, array, env, mode } = *self;
        let start: *mut c_void = start.cast();
        jni!(env, v1_2, ReleasePrimitiveArrayCritical, array, start, mode);
    }
}

/// Up to so many bytes are copied to the stack: pinning an array costs more.
pub(crate) const FEW: usize = 1024;
/// Up to so many need only a small part of it, which is sooner cleared.
pub(crate) const FEWEST: usize = 112;

/// An array, the place in it and how many bytes.
pub(crate) type Range = (jbyteArray, jint, usize);

/// Bytes on the stack that data is copied to. What was used of them is wiped at the end.
pub(crate) struct Scratch<const N: usize> {
    bytes: [u8; N],
    used: usize,
}

impl<const N: usize> Scratch<N> {
    pub(crate) fn new() -> Self {
        Self { bytes: [0; N], used: 0 }
    }

    /// The first bytes, to be used.
    pub(crate) fn first(&mut self, count: usize) -> &mut [u8] {
        self.used = self.used.max(count);
        &mut self.bytes[..count]
    }
}

impl<const N: usize> Drop for Scratch<N> {
    fn drop(&mut self) {
        wipe_bytes(&mut self.bytes[..self.used]);
    }
}

/// Input and output of one call.
pub(crate) enum Pair<'a> {
    /// Two buffers that share no byte.
    Apart(&'a [u8], &'a mut [u8]),
    /// One buffer, whose first bytes, so many, are the input.
    Same(usize, &'a mut [u8]),
}

/// # Safety
/// Both are valid for their lengths while `act` runs, the second for writing.
pub(crate) unsafe fn pair<T>(
    input: (*mut u8, usize),
    output: (*mut u8, usize),
    act: impl FnOnce(Pair<'_>) -> Result<T, Trouble>,
) -> Result<T, Trouble> {
    let ((from, length), (to, room)) = (input, output);
    let apart = from.addr() + length <= to.addr() || to.addr() + room <= from.addr();
    if apart || length == 0 || room == 0 {
        // SAFETY: valid as the caller promises, and they share no byte.
        let (input, output) =
            unsafe { (slice::from_raw_parts(from, length), slice::from_raw_parts_mut(to, room)) };
        return act(Pair::Apart(input, output));
    }
    if from == to && length <= room {
        // SAFETY: valid for writing as the caller promises; the only slice of it.
        return act(Pair::Same(length, unsafe { slice::from_raw_parts_mut(to, room) }));
    }
    // SAFETY: valid as the caller promises; gone before the output's slice is made.
    let mut copy = unsafe { slice::from_raw_parts(from, length) }.to_vec();
    // SAFETY: as above.
    let result = act(Pair::Apart(&copy, unsafe { slice::from_raw_parts_mut(to, room) }));
    wipe_bytes(&mut copy);
    result
}

/// A few bytes on the stack, or many on the heap; wiped at the end, as a key may be among them.
pub(crate) struct Bytes {
    few: [u8; Self::FEW],
    many: Vec<u8>,
    length: usize,
}

impl Bytes {
    const FEW: usize = 64;

    fn zeros(length: usize) -> Self {
        let many = if length > Self::FEW { vec![0; length] } else { Vec::new() };
        Self { few: [0; Self::FEW], many, length }
    }

    pub(crate) fn slice(&self) -> &[u8] {
        if self.length > Self::FEW { &self.many } else { &self.few[..self.length] }
    }

    fn slice_mut(&mut self) -> &mut [u8] {
        if self.length > Self::FEW { &mut self.many } else { &mut self.few[..self.length] }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        wipe_bytes(self.slice_mut());
    }
}

/// Whether a range lies inside.
fn check(whole: usize, offset: jint, length: usize) -> Result<(), Trouble> {
    let offset = usize::try_from(offset).map_err(|_| Trouble::Bounds)?;
    if offset <= whole && length <= whole - offset { Ok(()) } else { Err(Trouble::Bounds) }
}

/// A length that Java gives.
pub(crate) fn length(value: jint) -> Result<usize, Trouble> {
    usize::try_from(value).map_err(|_| Trouble::Bounds)
}

fn class(kind: Kind) -> &'static CStr {
    match kind {
        Kind::Unknown => c"java/security/NoSuchAlgorithmException",
        Kind::Value => c"java/security/InvalidAlgorithmParameterException",
        Kind::Key => c"java/security/InvalidKeyException",
        Kind::Block => c"javax/crypto/IllegalBlockSizeException",
        Kind::Output => c"javax/crypto/ShortBufferException",
        Kind::Tag => c"javax/crypto/AEADBadTagException",
        Kind::Padding => c"javax/crypto/BadPaddingException",
        Kind::State => c"java/lang/IllegalStateException",
    }
}
