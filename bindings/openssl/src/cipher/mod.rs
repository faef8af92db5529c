//! The functions of ciphers that OpenSSL calls, over one trait for all kinds.

use std::cell::Cell;
use std::ffi::{CStr, c_int, c_void};
use std::ops::{Deref, DerefMut};

use crate::core::{Param, Params};
use crate::host::Host;
use crate::names::{Mode, SPECS, Spec};
use crate::reason::Reason;
use crate::{Outcome, answer_or, guard, instance, memory};

mod blocks;
mod ccm;
mod feedback;
mod gcm;
mod gcm_siv;
mod key;
mod pipe;
mod pipeline;
mod pipeline_calls;
mod stream;
pub(crate) mod table;
mod tls;
mod xts;

pub(crate) use key::{Key, set_up};
use pipe::Pipe;

/// What a cipher does between `init` and `final`.
trait Work: Send {
    /// Takes what there is of a direction, a key and an IV.
    fn init(&mut self, encrypt: bool, key: Option<&[u8]>, iv: Option<&[u8]>) -> Outcome;

    /// Processes data; associated data where `to` is null. Returns how many bytes are written.
    ///
    /// # Safety
    /// `from` is null or valid for reading `length` bytes, `to` null or valid for writing
    /// `room`.
    unsafe fn update(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize>;

    /// What `EVP_Cipher` asks for: what `update` does, where no input ends the message.
    ///
    /// # Safety
    /// As [`update`](Self::update).
    unsafe fn once(
        &mut self,
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<usize> {
        // SAFETY: the caller's promises.
        unsafe {
            if from.is_null() {
                return self.finish(memory::output(to, if to.is_null() { 0 } else { room })?);
            }
            self.update(from, length, to, room)
        }
    }

    /// Ends the message; returns how many bytes are written.
    fn finish(&mut self, output: &mut [u8]) -> Outcome<usize>;

    /// The lengths of the key and of the IV, in bytes.
    fn lengths(&self) -> [usize; 2];

    /// Answers what is asked of the context but for these lengths.
    fn get(&mut self, params: Params) -> Outcome;

    /// Takes settings; what it does not know it lets be.
    fn set(&mut self, params: Params) -> Outcome;

    /// The same, once more.
    fn duplicate(&self) -> AnyWork;

    /// One of several messages in [`pipeline`]; none of what can't go through it.
    fn pipe(&self) -> Option<Box<dyn Pipe>> {
        None
    }
}

/// The works, in the context's own place: a context costs one allocation but for its key.
enum AnyWork {
    Stream(stream::Stream),
    Blocks(blocks::Blocks),
    Feedback(feedback::Feedback),
    Gcm(gcm::GcmWork),
    GcmSiv(gcm_siv::GcmSivWork),
    Ccm(ccm::CcmWork),
    Xts(xts::Xts),
}

impl AnyWork {
    fn new(spec: &'static Spec) -> Self {
        match spec.mode {
            Mode::Stream => Self::Stream(stream::Stream::new(spec)),
            Mode::Ecb | Mode::Cbc => Self::Blocks(blocks::Blocks::new(spec)),
            Mode::Cfb | Mode::Cfb8 | Mode::Ofb | Mode::Ctr => {
                Self::Feedback(feedback::Feedback::new(spec))
            }
            Mode::Gcm => Self::Gcm(gcm::GcmWork::new(spec)),
            Mode::GcmSiv => Self::GcmSiv(gcm_siv::GcmSivWork::new(spec)),
            Mode::Ccm => Self::Ccm(ccm::CcmWork::new(spec)),
            Mode::Xts => Self::Xts(xts::Xts::new(spec)),
        }
    }
}

impl Deref for AnyWork {
    type Target = dyn Work;

    fn deref(&self) -> &Self::Target {
        match self {
            Self::Stream(work) => work,
            Self::Blocks(work) => work,
            Self::Feedback(work) => work,
            Self::Gcm(work) => work,
            Self::GcmSiv(work) => work,
            Self::Ccm(work) => work,
            Self::Xts(work) => work,
        }
    }
}

impl DerefMut for AnyWork {
    fn deref_mut(&mut self) -> &mut Self::Target {
        match self {
            Self::Stream(work) => work,
            Self::Blocks(work) => work,
            Self::Feedback(work) => work,
            Self::Gcm(work) => work,
            Self::GcmSiv(work) => work,
            Self::Ccm(work) => work,
            Self::Xts(work) => work,
        }
    }
}

/// What OpenSSL holds.
struct Context {
    spec: &'static Spec,
    host: Host,
    work: AnyWork,
    pipes: Option<Box<pipeline::Pipes>>,
}

/// Does what a call asks of a context, and puts a failure in the queue of its library context.
///
/// # Safety
/// The context is OpenSSL's, which nothing else uses throughout the call.
unsafe fn with(
    context: *mut c_void,
    call: &CStr,
    work: impl FnOnce(&mut Context) -> Outcome,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        let context = context.cast::<Context>();
        let Some(host) = context.as_ref().map(|it| it.host) else { return 0 };
        // The borrows follow each other.
        answer_or(host, call, || (*context).begin_anew(), || work(&mut *context))
    }
}

impl Context {
    /// Becomes what a new one is.
    fn begin_anew(&mut self) {
        (self.pipes, self.work) = (None, AnyWork::new(self.spec));
    }
}

/// The same of a call that writes.
///
/// # Safety
/// As [`with`]; `written` is null or valid, `output` null or valid for writing what `work` says that it wrote.
unsafe fn writing(
    context: *mut c_void,
    call: &CStr,
    (output, written): (*mut u8, *mut usize),
    work: impl FnOnce(&mut Context) -> Outcome<usize>,
) -> c_int {
    let count = Cell::new(None);
    // SAFETY: the caller's promises.
    unsafe {
        let done = with(context, call, |context| {
            memory::put(written, 0)?;
            let wrote = work(context)?;
            count.set(Some(wrote));
            memory::put(written, wrote)
        });
        if let Some(count) = count.get().filter(|_| done == 0) {
            memory::take_back(output, count, written);
        }
        done
    }
}

unsafe extern "C" fn new_context<const N: usize>(provider: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL's promise: what this provider gave out.
    let host = unsafe { instance::host(provider) };
    memory::hand_out(host, c"newctx", || {
        let spec = SPECS.get(N).ok_or(Reason::Internal)?;
        Ok(Box::new(Context { spec, host, work: AnyWork::new(spec), pipes: None }))
    })
}

unsafe extern "C" fn free_context(context: *mut c_void) {
    // SAFETY: OpenSSL's promise.
    unsafe { memory::free::<Context>(context) }
}

unsafe extern "C" fn duplicate(context: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL's promise.
    let Some(context) = (unsafe { context.cast::<Context>().as_ref() }) else {
        return std::ptr::null_mut();
    };
    let Context { spec, host, work, pipes } = context;
    memory::hand_out(*host, c"dupctx", || {
        // OpenSSL does not copy a context with pipes either.
        if pipes.is_some() {
            return Err(Reason::NotSupported.because("a context with pipes is not copied"));
        }
        Ok(Box::new(Context { spec, host: *host, work: work.duplicate(), pipes: None }))
    })
}

/// # Safety
/// As OpenSSL promises of the arguments of `encrypt_init`.
unsafe fn init(
    context: *mut c_void,
    encrypt: bool,
    (key, key_length): (*const u8, usize),
    (iv, iv_length): (*const u8, usize),
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    unsafe {
        with(context, c"init", |context| {
            let key = if key.is_null() { None } else { Some(memory::input(key, key_length)?) };
            let iv = if iv.is_null() || iv_length == 0 {
                None
            } else {
                Some(memory::input(iv, iv_length)?)
            };
            context.pipes = None;
            context.work.init(encrypt, key, iv)?;
            if list.is_null() {
                return Ok(());
            }
            context.work.set(Params::new(list.cast_mut()))
        })
    }
}

unsafe extern "C" fn encrypt_init(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe { init(context, true, (key, key_length), (iv, iv_length), list) }
}

unsafe extern "C" fn decrypt_init(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    iv: *const u8,
    iv_length: usize,
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe { init(context, false, (key, key_length), (iv, iv_length), list) }
}

unsafe extern "C" fn update(
    context: *mut c_void,
    output: *mut u8,
    written: *mut usize,
    room: usize,
    input: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe {
        writing(context, c"update", (output, written), |context| {
            context.work.update(input, length, output, room)
        })
    }
}

unsafe extern "C" fn finish(
    context: *mut c_void,
    output: *mut u8,
    written: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: OpenSSL's promises. Some programs pass no room where nothing can come.
    unsafe {
        writing(context, c"final", (output, written), |context| {
            let room = if output.is_null() { 0 } else { room };
            context.work.finish(memory::output(output, room)?)
        })
    }
}

/// `EVP_Cipher`.
unsafe extern "C" fn once(
    context: *mut c_void,
    output: *mut u8,
    written: *mut usize,
    room: usize,
    input: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe {
        writing(context, c"cipher", (output, written), |context| {
            context.work.once(input, length, output, room)
        })
    }
}

unsafe extern "C" fn get_params<const N: usize>(list: *mut Param) -> c_int {
    guard(|| {
        let spec = SPECS.get(N).ok_or(Reason::Internal)?;
        // SAFETY: OpenSSL's promise.
        let params = unsafe { Params::new(list) };
        let custom = spec.mode.is_aead() || spec.mode == Mode::Xts;
        params.answer(c"mode", spec.mode.number())?;
        params.answer(c"keylen", spec.key)?;
        params.answer(c"ivlen", spec.iv)?;
        params.answer(c"blocksize", spec.block)?;
        params.answer(c"aead", usize::from(spec.mode.is_aead()))?;
        params.answer(c"custom-iv", usize::from(custom))?;
        for no in [c"cts", c"tls-multi", c"has-randkey", c"encrypt-then-mac", c"decrypt-only"] {
            params.answer(no, 0)?;
        }
        Ok(())
    })
}

unsafe extern "C" fn get_context_params(context: *mut c_void, list: *mut Param) -> c_int {
    // SAFETY: OpenSSL's promises.
    unsafe {
        with(context, c"get_ctx_params", |context| {
            let params = Params::new(list);
            let [key, iv] = context.work.lengths();
            // EVP asks for these, one at a time and several times a message.
            if let Some(only) = params.only() {
                if only.is(c"ivlen") {
                    return only.put_number(iv);
                }
                if only.is(c"keylen") {
                    return only.put_number(key);
                }
            }
            params.answer(c"ivlen", iv)?;
            params.answer(c"keylen", key)?;
            if let Some(pipes) = &mut context.pipes {
                pipes.get(params)?;
            }
            context.work.get(params)
        })
    }
}

unsafe extern "C" fn set_context_params(context: *mut c_void, list: *const Param) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    unsafe {
        with(context, c"set_ctx_params", |context| {
            let params = Params::new(list.cast_mut());
            if let Some(pipes) = &mut context.pipes {
                pipes.set(params)?;
            }
            context.work.set(params)
        })
    }
}
