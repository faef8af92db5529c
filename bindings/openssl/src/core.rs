//! The types of OpenSSL's header `core.h`, and reading and writing parameters.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::ptr;

use crate::reason::Reason;
use crate::{Outcome, Refused};

/// `OSSL_DISPATCH`: a function's number and the function.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Dispatch {
    pub(crate) number: c_int,
    pub(crate) function: Option<unsafe extern "C" fn()>,
}

impl Dispatch {
    /// What ends a table.
    pub(crate) const END: Self = Self { number: 0, function: None };
}

/// An entry of a table of functions, of any function type.
macro_rules! entry {
    ($number:expr, $function:expr, $type:ty) => {
        $crate::core::Dispatch {
            number: $number,
            // SAFETY: OpenSSL calls the function by the type that belongs to its number, which
            // is the one given here; a function's pointer has one size, whatever its type.
            function: Some(unsafe {
                std::mem::transmute::<$type, unsafe extern "C" fn()>($function)
            }),
        }
    };
}
pub(crate) use entry;

/// `OSSL_ALGORITHM`: names, properties, functions, description.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Algorithm {
    pub(crate) names: *const c_char,
    pub(crate) properties: *const c_char,
    pub(crate) functions: *const Dispatch,
    pub(crate) description: *const c_char,
}

// SAFETY: the pointers are to constants and to texts that are never freed nor written to.
unsafe impl Send for Algorithm {}
// SAFETY: as above.
unsafe impl Sync for Algorithm {}

impl Algorithm {
    /// What ends a list.
    pub(crate) const END: Self = Self {
        names: ptr::null(),
        properties: ptr::null(),
        functions: ptr::null(),
        description: ptr::null(),
    };
}

/// `OSSL_PARAM`: a named value, to be read or to be written.
#[repr(C)]
#[derive(Debug)]
pub(crate) struct Param {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

// SAFETY: those that are shared are constants of this provider.
unsafe impl Sync for Param {}

/// The numbers of the types of values.
const UNSIGNED: c_uint = 2;
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;
const UTF8_PTR: c_uint = 6;
const OCTET_PTR: c_uint = 7;
const SIGNED: c_uint = 1;

impl Param {
    const fn described(key: &'static CStr, data_type: c_uint, data_size: usize) -> Self {
        Self { key: key.as_ptr(), data_type, data: ptr::null_mut(), data_size, return_size: 0 }
    }
    /// As a caller fills it in.
    #[cfg(any(test, feature = "fuzzed"))]
    pub(crate) const fn given(
        key: &'static CStr,
        data_type: c_uint,
        data: *mut c_void,
        data_size: usize,
    ) -> Self {
        Self { key: key.as_ptr(), data_type, data, data_size, return_size: 0 }
    }
    /// Describes a number.
    pub(crate) const fn number(key: &'static CStr) -> Self {
        Self::described(key, UNSIGNED, size_of::<usize>())
    }
    /// Describes a flag.
    pub(crate) const fn flag(key: &'static CStr) -> Self {
        Self::described(key, UNSIGNED, size_of::<c_uint>())
    }
    /// Describes bytes.
    pub(crate) const fn bytes(key: &'static CStr) -> Self {
        Self::described(key, OCTET_STRING, 0)
    }
    /// Describes a text.
    pub(crate) const fn text(key: &'static CStr) -> Self {
        Self::described(key, UTF8_STRING, 0)
    }
    /// Describes a pointer to a text.
    pub(crate) const fn text_pointer(key: &'static CStr) -> Self {
        Self::described(key, UTF8_PTR, 0)
    }
    /// Describes a pointer to bytes.
    pub(crate) const fn pointer(key: &'static CStr) -> Self {
        Self::described(key, OCTET_PTR, 0)
    }
    /// A place for a pointer to a text.
    pub(crate) const fn text_place(key: &'static CStr, place: &mut *const c_char) -> Self {
        let data = (&raw mut *place).cast();
        Self { key: key.as_ptr(), data_type: UTF8_PTR, data, data_size: 0, return_size: 0 }
    }
    /// What ends a list.
    pub(crate) const END: Self = Self {
        key: ptr::null(),
        data_type: 0,
        data: ptr::null_mut(),
        data_size: 0,
        return_size: 0,
    };
}

/// Whether a key is that name. Most differ in the first byte, and a context is asked often.
///
/// # Safety
/// The key ends with a zero.
#[inline(always)]
unsafe fn is(name: &CStr, key: *const c_char) -> bool {
    let mut next = key.cast::<u8>();
    for byte in name.to_bytes_with_nul() {
        // SAFETY: the bytes before were equal, so the key has not ended yet.
        unsafe {
            if *next != *byte {
                return false;
            }
            next = next.add(1);
        }
    }
    true
}

/// A list of parameters that OpenSSL passes.
#[derive(Clone, Copy)]
pub(crate) struct Params(*mut Param);

impl Params {
    /// # Safety
    /// The list is null or ends with a null key, and lives throughout the call; keys end with
    /// zeros, and data is null or valid for its size.
    pub(crate) const unsafe fn new(list: *mut Param) -> Self {
        Self(list)
    }

    /// The list as it came.
    pub(crate) const fn list(self) -> *mut Param {
        self.0
    }

    /// The parameter of that name.
    pub(crate) fn find(self, name: &CStr) -> Option<Found> {
        let mut next = self.0;
        if next.is_null() {
            return None;
        }
        // SAFETY: the promise of `new`.
        unsafe {
            while !(*next).key.is_null() {
                if is(name, (*next).key) {
                    return Some(Found(next));
                }
                next = next.add(1);
            }
        }
        None
    }

    /// The parameter, if it is the only one.
    #[inline(always)]
    pub(crate) fn only(self) -> Option<Found> {
        let first = self.0;
        // SAFETY: the promise of `new`; behind a first parameter there is another place.
        let only =
            !first.is_null() && unsafe { !(*first).key.is_null() && (*first.add(1)).key.is_null() };
        only.then_some(Found(first))
    }

    /// Writes a number where it is asked for.
    pub(crate) fn answer(self, name: &CStr, value: usize) -> Outcome {
        self.find(name).map_or(Ok(()), |it| it.put_number(value))
    }

    /// Writes a text where it is asked for.
    pub(crate) fn answer_text(self, name: &CStr, value: &'static CStr) -> Outcome {
        self.find(name).map_or(Ok(()), |it| it.put_text(value))
    }
}

/// One parameter.
#[derive(Clone, Copy)]
pub(crate) struct Found(*mut Param);

impl Found {
    /// Whether that is its name.
    #[inline(always)]
    pub(crate) fn is(self, name: &CStr) -> bool {
        // SAFETY: the promise of `Params::new`.
        unsafe { is(name, (*self.0).key) }
    }

    /// The name, for an error's text.
    fn name(self) -> String {
        // SAFETY: the promise of `Params::new`.
        unsafe { CStr::from_ptr((*self.0).key) }.to_string_lossy().into_owned()
    }

    /// It has another type or size than its name asks for.
    fn unread(self) -> Refused {
        Reason::GetParameter.because(self.name())
    }

    /// There is no room of the right kind for the answer.
    fn unwritten(self) -> Refused {
        Reason::SetParameter.because(self.name())
    }

    /// A number that is not negative.
    pub(crate) fn number(self) -> Outcome<usize> {
        // SAFETY: the promise of `Params::new`; the size is looked at first.
        let value: i128 = unsafe {
            let Param { data, data_type, data_size, .. } = *self.0;
            if data.is_null() {
                return Err(self.unread());
            }
            match (data_type, data_size) {
                (UNSIGNED, 4) => data.cast::<u32>().read_unaligned().into(),
                (UNSIGNED, 8) => data.cast::<u64>().read_unaligned().into(),
                (SIGNED, 4) => data.cast::<i32>().read_unaligned().into(),
                (SIGNED, 8) => data.cast::<i64>().read_unaligned().into(),
                _ => return Err(self.unread()),
            }
        };
        usize::try_from(value).map_err(|_| self.unread())
    }

    /// Bytes; as long as the call lasts.
    pub(crate) fn bytes<'a>(self) -> Outcome<&'a [u8]> {
        // SAFETY: the promise of `Params::new`.
        unsafe {
            let Param { data, data_type, data_size, .. } = *self.0;
            if data_type != OCTET_STRING || data.is_null() {
                return Err(self.unread());
            }
            crate::memory::input(data.cast(), data_size)
        }
    }

    /// Bytes, of which the size -1 says that they are as many as a field has, `whole`.
    pub(crate) fn bytes_or_whole<'a>(self, whole: usize) -> Outcome<&'a [u8]> {
        // SAFETY: the promise of `Params::new`; that size is no size, and EVP has its caller
        // promise the field's.
        unsafe {
            let Param { data, data_type, data_size, .. } = *self.0;
            if data_type == OCTET_STRING && data_size == usize::MAX {
                return crate::memory::input(data.cast(), whole);
            }
        }
        self.bytes()
    }

    /// The size of the bytes and whether there are any: some set only a size.
    pub(crate) fn size(self) -> (usize, bool) {
        // SAFETY: the promise of `Params::new`.
        unsafe { ((*self.0).data_size, !(*self.0).data.is_null()) }
    }

    /// A text; as long as the call lasts.
    pub(crate) fn text<'a>(self) -> Outcome<&'a str> {
        // SAFETY: the promise of `Params::new`.
        let bytes = unsafe {
            let Param { data, data_type, data_size, .. } = *self.0;
            if data_type != UTF8_STRING || data.is_null() {
                return Err(self.unread());
            }
            crate::memory::input(data.cast(), data_size)?
        };
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        std::str::from_utf8(&bytes[..end]).map_err(|_| self.unread())
    }

    /// The pointers that a parameter holds, of which there are `count`, and the length of what
    /// each points to.
    ///
    /// # Safety
    /// The parameter holds so many.
    pub(crate) unsafe fn pointers<'a>(self, count: usize) -> Outcome<(&'a [*mut u8], usize)> {
        // SAFETY: the promises of `Params::new` and of the caller.
        unsafe {
            let Param { data, data_type, data_size, .. } = *self.0;
            let list = data.cast::<*const *mut u8>();
            if data_type != OCTET_PTR || list.is_null() || (*list).is_null() {
                return Err(self.unread());
            }
            Ok((std::slice::from_raw_parts(*list, count), data_size))
        }
    }

    #[inline(always)]
    pub(crate) fn put_number(self, value: usize) -> Outcome {
        // SAFETY: as above.
        unsafe {
            let param = &mut *self.0;
            param.return_size = param.data_size;
            match (param.data_type, param.data_size) {
                _ if param.data.is_null() => param.return_size = size_of::<usize>(),
                (UNSIGNED | SIGNED, 4) => {
                    let value = u32::try_from(value).map_err(|_| self.unwritten())?;
                    param.data.cast::<u32>().write_unaligned(value);
                }
                (UNSIGNED | SIGNED, 8) => param.data.cast::<u64>().write_unaligned(value as u64),
                _ => return Err(self.unwritten()),
            }
        }
        Ok(())
    }

    /// Bytes, into the room that is given or as a pointer to them.
    pub(crate) fn put_bytes(self, value: &[u8]) -> Outcome {
        // SAFETY: as above.
        unsafe {
            let param = &mut *self.0;
            param.return_size = value.len();
            match param.data_type {
                _ if param.data.is_null() => Ok(()),
                OCTET_PTR => {
                    param.data.cast::<*const u8>().write_unaligned(value.as_ptr());
                    Ok(())
                }
                OCTET_STRING if param.data_size >= value.len() => {
                    let room = crate::memory::output(param.data.cast(), value.len())?;
                    room.copy_from_slice(value);
                    Ok(())
                }
                _ => Err(self.unwritten()),
            }
        }
    }

    /// A text, as a pointer to it or, with its zero, into the room that is given.
    fn put_text(self, value: &'static CStr) -> Outcome {
        // SAFETY: as above: a pointer to a constant.
        unsafe {
            let param = &mut *self.0;
            param.return_size = value.to_bytes().len();
            let text = value.to_bytes_with_nul();
            match param.data_type {
                _ if param.data.is_null() => Ok(()),
                UTF8_PTR => {
                    param.data.cast::<*const c_char>().write_unaligned(value.as_ptr());
                    Ok(())
                }
                UTF8_STRING if param.data_size >= text.len() => {
                    crate::memory::output(param.data.cast(), text.len())?.copy_from_slice(text);
                    Ok(())
                }
                _ => Err(self.unwritten()),
            }
        }
    }
}
