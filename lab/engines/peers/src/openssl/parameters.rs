//! `OSSL_PARAM`: named values for OpenSSL 3 and later.

use std::ffi::{CStr, c_char, c_uint, c_void};
use std::ptr;

/// The numbers of the types of values, from the header core.h.
const UTF8_STRING: c_uint = 4;
const OCTET_STRING: c_uint = 5;

/// The C structure of that name.
#[repr(C)]
pub(super) struct Parameter {
    key: *const c_char,
    data_type: c_uint,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

/// One parameter and the end of the list. It borrows what it names.
pub(super) struct Parameters<'a> {
    list: [Parameter; 2],
    _value: std::marker::PhantomData<&'a [u8]>,
}

impl<'a> Parameters<'a> {
    /// A string of that name.
    pub(super) fn string(key: &'static CStr, value: &'a CStr) -> Self {
        Self::new(key, UTF8_STRING, value.to_bytes())
    }

    /// Bytes of that name.
    pub(super) fn bytes(key: &'static CStr, value: &'a [u8]) -> Self {
        Self::new(key, OCTET_STRING, value)
    }

    fn new(key: &'static CStr, data_type: c_uint, value: &'a [u8]) -> Self {
        let unmodified = usize::MAX;
        let one = |key: *const c_char, data_type, value: &[u8]| Parameter {
            key,
            data_type,
            // The library reads what it is given; the structure is one for both ways.
            data: value.as_ptr().cast_mut().cast(),
            data_size: value.len(),
            return_size: unmodified,
        };
        let list = [one(key.as_ptr(), data_type, value), one(ptr::null(), 0, &[])];
        Self { list, _value: std::marker::PhantomData }
    }

    /// The list as the library takes it.
    pub(super) const fn as_ptr(&self) -> *const Parameter {
        self.list.as_ptr()
    }
}
