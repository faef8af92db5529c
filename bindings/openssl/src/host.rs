//! What a library context offers to its provider: the queue of errors, the configuration's
//! settings, and the functions of the library that it belongs to.
//!
//! # Why it is sound
//! The functions come from the table that OpenSSL hands to `OSSL_provider_init` and are called
//! by the types that provider-base(7) gives their numbers. They and the handle are good until
//! the provider is torn down, which OpenSSL does after its last context is freed.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use crate::core::{Dispatch, Param};
use crate::library;
use crate::reason::{Reason, Refused};

type NewError = unsafe extern "C" fn(*const c_void);
type SetDebug = unsafe extern "C" fn(*const c_void, *const c_char, c_int, *const c_char);
/// The last parameter is a `va_list`: on every ABI that Rust and OpenSSL share it is passed as
/// one pointer or as a record of one, and nothing is read from it where the format has no
/// conversions.
type SetError = unsafe extern "C" fn(*const c_void, u32, *const c_char, *mut c_void);

type GetParams = unsafe extern "C" fn(*const c_void, *mut Param) -> c_int;
type GetContext = unsafe extern "C" fn(*const c_void) -> *mut c_void;

const GET_PARAMS: c_int = 2;
const GET_CONTEXT: c_int = 4;
const NEW_ERROR: c_int = 5;
const SET_DEBUG: c_int = 6;
const SET_ERROR: c_int = 7;

/// The functions of a library context, as far as they are used; none for a test.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Host {
    handle: *const c_void,
    get_params: Option<GetParams>,
    get_context: Option<GetContext>,
    new_error: Option<NewError>,
    set_debug: Option<SetDebug>,
    set_error: Option<SetError>,
}

// SAFETY: the functions may be called from any thread, and keep a queue for each.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

impl Host {
    /// Where no library context is.
    pub(crate) const NONE: Self = Self {
        handle: std::ptr::null(),
        get_params: None,
        get_context: None,
        new_error: None,
        set_debug: None,
        set_error: None,
    };

    /// The functions of a table.
    ///
    /// # Safety
    /// `table` is null or OpenSSL's, of the library context that `handle` stands for.
    pub(crate) unsafe fn new(handle: *const c_void, table: *const Dispatch) -> Self {
        let mut host = Self { handle, ..Self::NONE };
        let mut next = table;
        // SAFETY: the table ends with number 0; a function has the type of its number.
        unsafe {
            while let Some(&Dispatch { number, function: Some(function) }) = next.as_ref() {
                match number {
                    0 => break,
                    GET_PARAMS => {
                        let of_type = std::mem::transmute::<unsafe extern "C" fn(), GetParams>;
                        host.get_params = Some(of_type(function));
                    }
                    GET_CONTEXT => {
                        let of_type = std::mem::transmute::<unsafe extern "C" fn(), GetContext>;
                        host.get_context = Some(of_type(function));
                    }
                    NEW_ERROR => {
                        let of_type = std::mem::transmute::<unsafe extern "C" fn(), NewError>;
                        host.new_error = Some(of_type(function));
                    }
                    SET_DEBUG => {
                        let of_type = std::mem::transmute::<unsafe extern "C" fn(), SetDebug>;
                        host.set_debug = Some(of_type(function));
                    }
                    SET_ERROR => {
                        let of_type = std::mem::transmute::<unsafe extern "C" fn(), SetError>;
                        host.set_error = Some(of_type(function));
                    }
                    _ => {}
                }
                next = next.add(1);
            }
        }
        host
    }

    /// What the provider's section of the configuration says under a name.
    pub(crate) fn setting(&self, name: &'static CStr) -> Option<String> {
        let get_params = self.get_params?;
        let mut text: *const c_char = std::ptr::null();
        let mut list = [Param::text_place(name, &mut text), Param::END];
        // SAFETY: the list ends; the text is the library's and ends with a zero.
        unsafe {
            get_params(self.handle, list.as_mut_ptr());
            (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
        }
    }

    /// A function that the library of this context exports.
    pub(crate) fn function(&self, name: &CStr) -> Option<*mut c_void> {
        library::function(self.get_context? as *const c_void, name)
    }

    /// The context, for [`function`](Self::function)s. provider-base(7) warns of what it would be
    /// to another library; these are looked up in the library that made it.
    pub(crate) fn library_context(&self) -> Option<*mut c_void> {
        // SAFETY: the handle is that of the function.
        self.get_context.map(|get| unsafe { get(self.handle) })
    }

    /// Puts a failure of a call in the queue.
    #[cold]
    pub(crate) fn raise(&self, refused: &Refused, call: &CStr) {
        let (Some(new_error), Some(set_error)) = (self.new_error, self.set_error) else { return };
        if matches!(refused.reason, Reason::Tag | Reason::Told) {
            return;
        }
        // What looks like a conversion would be one.
        let detail = refused.detail.as_ref().map(|text| text.replace('%', "%%"));
        let detail = detail.and_then(|text| CString::new(text).ok());
        let text = detail.as_ref().map_or(std::ptr::null(), |text| text.as_ptr());
        // Longer than any `va_list` that is read behind a pointer.
        let mut no_arguments = [0_u64; 8];
        // SAFETY: the texts end with zeros and are copied; the list of arguments is not read.
        unsafe {
            new_error(self.handle);
            if let Some(set_debug) = self.set_debug {
                set_debug(self.handle, c"cipherlane".as_ptr(), 0, call.as_ptr());
            }
            let arguments = (&raw mut no_arguments).cast();
            set_error(self.handle, refused.reason as u32, text, arguments);
        }
    }
}
