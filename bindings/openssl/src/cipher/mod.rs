//! The functions of ciphers that OpenSSL calls, over one trait for all kinds.

use std::ffi::{c_int, c_void};

use crate::core::{Param, Params};
use crate::names::{Mode, SPECS, Spec};
use crate::{Outcome, Refused, guard, memory};

mod blocks;
mod ccm;
mod feedback;
mod gcm;
mod key;
mod pipeline;
mod pipeline_calls;
mod stream;
pub(crate) mod table;
mod tls;
mod xts;

pub(crate) use key::{Key, set_up};

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

    /// Ends the message; returns how many bytes are written.
    fn finish(&mut self, output: &mut [u8]) -> Outcome<usize>;

    /// Answers what is asked of the context.
    fn get(&mut self, params: Params) -> Outcome;

    /// Takes settings; what it does not know it lets be.
    fn set(&mut self, params: Params) -> Outcome;

    /// The same, once more.
    fn duplicate(&self) -> Box<dyn Work>;

    /// Whether several messages can go through [`pipeline`].
    fn pipe(&self) -> Option<pipeline::Pipe>;
}

/// What OpenSSL holds.
struct Context {
    spec: &'static Spec,
    work: Box<dyn Work>,
    pipes: Option<pipeline::Pipes>,
}

impl Context {
    fn new(spec: &'static Spec) -> Self {
        let work: Box<dyn Work> = match spec.mode {
            Mode::Stream => Box::new(stream::Stream::new(spec)),
            Mode::Ecb | Mode::Cbc => Box::new(blocks::Blocks::new(spec)),
            Mode::Cfb | Mode::Cfb8 | Mode::Ofb | Mode::Ctr => {
                Box::new(feedback::Feedback::new(spec))
            }
            Mode::Gcm => Box::new(gcm::GcmWork::new(spec)),
            Mode::Ccm => Box::new(ccm::CcmWork::new(spec)),
            Mode::Xts => Box::new(xts::Xts::new(spec)),
        };
        Self { spec, work, pipes: None }
    }
}

unsafe extern "C" fn new_context<const N: usize>(_: *mut c_void) -> *mut c_void {
    memory::hand_out(|| Ok(Context::new(SPECS.get(N).ok_or(Refused)?)))
}

unsafe extern "C" fn free_context(context: *mut c_void) {
    // SAFETY: OpenSSL's promise.
    unsafe { memory::free::<Context>(context) }
}

unsafe extern "C" fn duplicate(context: *mut c_void) -> *mut c_void {
    memory::hand_out(|| {
        // SAFETY: OpenSSL's promise.
        let context = unsafe { memory::context::<Context>(context) }?;
        // OpenSSL does not copy a context with pipes either.
        if context.pipes.is_some() {
            return Err(Refused);
        }
        Ok(Context { spec: context.spec, work: context.work.duplicate(), pipes: None })
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
    guard(|| unsafe {
        let context = memory::context::<Context>(context)?;
        let key = if key.is_null() { None } else { Some(memory::input(key, key_length)?) };
        let iv =
            if iv.is_null() || iv_length == 0 { None } else { Some(memory::input(iv, iv_length)?) };
        context.pipes = None;
        context.work.init(encrypt, key, iv)?;
        context.work.set(Params::new(list.cast_mut()))
    })
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
    guard(|| unsafe {
        memory::put(written, 0)?;
        let context = memory::context::<Context>(context)?;
        let count = context.work.update(input, length, output, room)?;
        memory::put(written, count)
    })
}

unsafe extern "C" fn finish(
    context: *mut c_void,
    output: *mut u8,
    written: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: OpenSSL's promises. Some programs pass no room where nothing can come.
    guard(|| unsafe {
        memory::put(written, 0)?;
        let room = if output.is_null() { 0 } else { room };
        let context = memory::context::<Context>(context)?;
        let count = context.work.finish(memory::output(output, room)?)?;
        memory::put(written, count)
    })
}

/// `EVP_Cipher`: what `update` does, where no input ends the message.
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
        if input.is_null() {
            return finish(context, output, written, room);
        }
        update(context, output, written, room, input, length)
    }
}

unsafe extern "C" fn get_params<const N: usize>(list: *mut Param) -> c_int {
    guard(|| {
        let spec = SPECS.get(N).ok_or(Refused)?;
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
    guard(|| unsafe {
        let (context, params) = (memory::context::<Context>(context)?, Params::new(list));
        if let Some(pipes) = &mut context.pipes {
            pipes.get(params)?;
        }
        context.work.get(params)
    })
}

unsafe extern "C" fn set_context_params(context: *mut c_void, list: *const Param) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    guard(|| unsafe {
        let params = Params::new(list.cast_mut());
        let context = memory::context::<Context>(context)?;
        if let Some(pipes) = &mut context.pipes {
            pipes.set(params)?;
        }
        context.work.set(params)
    })
}
