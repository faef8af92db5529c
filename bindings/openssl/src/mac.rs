//! MACs: CMAC and GMAC over any block cipher, EIA3, the MAC of ZUC-256, and 256-NIA6.

use std::ffi::{c_int, c_void};

use ciphers::Mac;
use ciphers::Sizes;
use ciphers::mac::cmac::Cmac;
use ciphers::mac::gmac::Gmac;
use ciphers::registry::{New, Parameters};
use ciphers::zuc::mac::{Zuc128Mac, Zuc256Mac};
use ciphers::zuc::nia6::Nia6;

use crate::cipher::Key;
use crate::core::{Algorithm, Dispatch, Param, Params, entry};
use crate::names::{Mode, SPECS, Spec, level};
use crate::wiped::Wiped;
use crate::{Outcome, Refused, guard, memory};

/// Which MAC it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Cmac,
    Gmac,
    Eia3,
    Zuc256,
    Nia6,
}

/// In the order of their numbers.
const KINDS: [Kind; 5] = [Kind::Cmac, Kind::Gmac, Kind::Eia3, Kind::Zuc256, Kind::Nia6];

/// A MAC under a key.
#[derive(Clone)]
enum Running {
    Cmac(Cmac<Key>),
    Gmac(Gmac<Key>),
    Eia3(Zuc128Mac),
    Zuc256(Zuc256Mac),
    Nia6(Nia6),
}

impl Running {
    fn mac(&mut self) -> &mut dyn Mac {
        match self {
            Self::Cmac(mac) => mac,
            Self::Gmac(mac) => mac,
            Self::Eia3(mac) => mac,
            Self::Zuc256(mac) => mac,
            Self::Nia6(mac) => mac,
        }
    }
}

#[derive(Clone)]
struct Context {
    kind: Kind,
    cipher: Option<&'static Spec>,
    key: Option<Wiped>,
    iv: Vec<u8>,
    size: Option<usize>,
    running: Option<Running>,
}

impl Context {
    /// The lengths of tags, and the usual one.
    fn sizes(&self) -> (Sizes, usize) {
        match self.kind {
            Kind::Cmac => {
                let block = self.cipher.map_or(16, block);
                (Sizes::between(1, block), block)
            }
            Kind::Gmac => (Sizes::exactly(16), 16),
            Kind::Eia3 => (Sizes::exactly(4), 4),
            Kind::Zuc256 => (Sizes { min: 4, max: 16, step: 4 }, 16),
            Kind::Nia6 => (Sizes::between(4, 16), 4),
        }
    }

    fn size(&self) -> usize {
        self.size.unwrap_or(self.sizes().1)
    }

    fn start(&mut self) -> Outcome {
        let key = self.key.as_ref().ok_or(Refused)?;
        let (key, iv, level) = (key.bytes(), self.iv.as_slice(), level());
        self.running = None;
        let cipher = || {
            let spec = self.cipher.ok_or(Refused)?;
            let New::Block { .. } = spec.algorithm.new else { return Err(Refused) };
            if key.len() != spec.key && !spec.keys.allow(key.len()) {
                return Err(Refused);
            }
            let parameters =
                Parameters { effective_key_bits: spec.key_bits, ..Parameters::default() };
            crate::cipher::set_up(spec, key, parameters)
        };
        let running = match self.kind {
            Kind::Cmac => Running::Cmac(Cmac::new(cipher()?)?),
            Kind::Gmac if iv.is_empty() => return Err(Refused),
            Kind::Gmac => Running::Gmac(Gmac::new(cipher()?, iv)?),
            Kind::Eia3 => Running::Eia3(Zuc128Mac::with_level(key, iv, self.size(), level)?),
            Kind::Zuc256 => Running::Zuc256(Zuc256Mac::with_level(key, iv, self.size(), level)?),
            Kind::Nia6 => Running::Nia6(Nia6::with_level(key, iv, level)?),
        };
        self.running = Some(running);
        Ok(())
    }

    fn set(&mut self, params: Params) -> Outcome {
        if let Some(found) = params.find(c"cipher") {
            let name = found.text()?;
            let spec = SPECS.iter().find(|spec| spec.is_called(name)).ok_or(Refused)?;
            let fits = match self.kind {
                Kind::Cmac => spec.mode == Mode::Cbc,
                Kind::Gmac => spec.mode == Mode::Gcm,
                _ => false,
            };
            if !fits {
                return Err(Refused);
            }
            self.cipher = Some(spec);
        }
        if let Some(found) = params.find(c"size") {
            let size = found.number()?;
            if !self.sizes().0.allow(size) {
                return Err(Refused);
            }
            self.size = Some(size);
        }
        if let Some(found) = params.find(c"iv") {
            self.iv = found.bytes()?.to_vec();
            if let (Some(running), false) = (&mut self.running, self.kind == Kind::Cmac) {
                running.mac().reset(&self.iv)?;
            }
        }
        if let Some(found) = params.find(c"key") {
            self.key = Some(Wiped::new(found.bytes()?));
            self.running = None;
        }
        Ok(())
    }
}

/// The block length of a cipher in bytes.
fn block(spec: &'static Spec) -> usize {
    match spec.algorithm.new {
        New::Block { block, .. } => block,
        New::Stream { .. } => 1,
    }
}

unsafe extern "C" fn new_context<const N: usize>(_: *mut c_void) -> *mut c_void {
    memory::hand_out(|| {
        let kind = *KINDS.get(N).ok_or(Refused)?;
        Ok(Context { kind, cipher: None, key: None, iv: Vec::new(), size: None, running: None })
    })
}

unsafe extern "C" fn free_context(context: *mut c_void) {
    // SAFETY: OpenSSL's promise.
    unsafe { memory::free::<Context>(context) }
}

unsafe extern "C" fn duplicate(context: *mut c_void) -> *mut c_void {
    // SAFETY: OpenSSL's promise.
    memory::hand_out(|| Ok(unsafe { memory::context::<Context>(context) }?.clone()))
}

unsafe extern "C" fn init(
    context: *mut c_void,
    key: *const u8,
    key_length: usize,
    list: *const Param,
) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    guard(|| unsafe {
        let context = memory::context::<Context>(context)?;
        // What they set is for the message that begins.
        context.running = None;
        context.set(Params::new(list.cast_mut()))?;
        if !key.is_null() {
            context.key = Some(Wiped::new(memory::input(key, key_length)?));
        }
        context.start()
    })
}

unsafe extern "C" fn update(context: *mut c_void, data: *const u8, length: usize) -> c_int {
    // SAFETY: OpenSSL's promises.
    guard(|| unsafe {
        let context = memory::context::<Context>(context)?;
        if context.running.is_none() {
            context.start()?;
        }
        let running = context.running.as_mut().ok_or(Refused)?;
        Ok(running.mac().update(memory::input(data, length)?)?)
    })
}

unsafe extern "C" fn finish(
    context: *mut c_void,
    output: *mut u8,
    written: *mut usize,
    room: usize,
) -> c_int {
    // SAFETY: OpenSSL's promises.
    guard(|| unsafe {
        let context = memory::context::<Context>(context)?;
        let size = context.size();
        memory::put(written, size)?;
        // Without an output only the size is asked for.
        if output.is_null() {
            return Ok(());
        }
        if room < size {
            return Err(Refused);
        }
        let running = context.running.as_mut().ok_or(Refused)?;
        Ok(running.mac().finish(memory::output(output, size)?)?)
    })
}

unsafe extern "C" fn get_context_params(context: *mut c_void, list: *mut Param) -> c_int {
    // SAFETY: OpenSSL's promises.
    guard(|| unsafe {
        let (context, params) = (memory::context::<Context>(context)?, Params::new(list));
        params.answer(c"size", context.size())?;
        params.answer(c"block-size", context.cipher.map_or(16, block))
    })
}

unsafe extern "C" fn set_context_params(context: *mut c_void, list: *const Param) -> c_int {
    // SAFETY: OpenSSL's promises; settings are only read.
    guard(|| unsafe { memory::context::<Context>(context)?.set(Params::new(list.cast_mut())) })
}

static GETTABLE: [Param; 3] = [Param::number(c"size"), Param::number(c"block-size"), Param::END];

static SETTABLE: [Param; 6] = [
    Param::text(c"cipher"),
    Param::text(c"properties"),
    Param::bytes(c"key"),
    Param::bytes(c"iv"),
    Param::number(c"size"),
    Param::END,
];

unsafe extern "C" fn gettable(_: *mut c_void, _: *mut c_void) -> *const Param {
    GETTABLE.as_ptr()
}

unsafe extern "C" fn settable(_: *mut c_void, _: *mut c_void) -> *const Param {
    SETTABLE.as_ptr()
}

type OfContext = unsafe extern "C" fn(*mut c_void, *mut c_void) -> *const Param;
type NewContext = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

const fn functions<const N: usize>() -> [Dispatch; 11] {
    [
        entry!(1, new_context::<N>, NewContext),
        entry!(2, duplicate, NewContext),
        entry!(3, free_context, unsafe extern "C" fn(*mut c_void)),
        entry!(4, init, unsafe extern "C" fn(*mut c_void, *const u8, usize, *const Param) -> c_int),
        entry!(5, update, unsafe extern "C" fn(*mut c_void, *const u8, usize) -> c_int),
        entry!(6, finish, unsafe extern "C" fn(*mut c_void, *mut u8, *mut usize, usize) -> c_int),
        entry!(8, get_context_params, unsafe extern "C" fn(*mut c_void, *mut Param) -> c_int),
        entry!(9, set_context_params, unsafe extern "C" fn(*mut c_void, *const Param) -> c_int),
        entry!(11, gettable, OfContext),
        entry!(12, settable, OfContext),
        Dispatch::END,
    ]
}

static FUNCTIONS: [[Dispatch; 11]; KINDS.len()] =
    [functions::<0>(), functions::<1>(), functions::<2>(), functions::<3>(), functions::<4>()];

static ALGORITHMS: [Algorithm; KINDS.len() + 1] = {
    const NAMES: [(&std::ffi::CStr, &std::ffi::CStr); KINDS.len()] = [
        (c"CMAC", c"CMAC over a block cipher"),
        (c"GMAC:1.0.9797.3.4", c"GMAC over a block cipher"),
        (c"EIA3:128-EIA3:ZUC-128-EIA3", c"128-EIA3 of 3GPP"),
        (c"ZUC-256-MAC", c"The MAC of ZUC-256 (2018)"),
        (c"NIA6:256-NIA6", c"256-NIA6 of 3GPP"),
    ];
    let mut list = [Algorithm::END; KINDS.len() + 1];
    let mut number = 0;
    while number < KINDS.len() {
        list[number] = Algorithm {
            names: NAMES[number].0.as_ptr(),
            properties: c"provider=cipherlane".as_ptr(),
            functions: FUNCTIONS[number].as_ptr(),
            description: NAMES[number].1.as_ptr(),
        };
        number += 1;
    }
    list
};

/// The list of MACs.
pub(crate) const fn algorithms() -> *const Algorithm {
    ALGORITHMS.as_ptr()
}
