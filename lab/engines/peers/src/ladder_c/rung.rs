//! A rung as `lab/engines/ladder-c/rung.h` has it, and the context that its functions work on.
//!
//! A rung comes from a library that has said that its structure is this one, and that stays open
//! until the process ends. The offers tell the laboratory the lengths of its keys, IVs and blocks; it
//! gives no others, and [`Rung::takes`] is asked before any work.
#![expect(unsafe_code, reason = "a rung is functions in C")]

use std::ffi::{CStr, c_char, c_void};

use lab::work::Data;
use rayon::ThreadPool;

use super::Facts;
use crate::shared_library::Opened;

/// One way of writing one operation: the structure `rung`.
#[repr(C)]
pub(super) struct Rung {
    algorithm: *const c_char,
    operation: *const c_char,
    name: *const c_char,
    key_bytes: usize,
    iv_bytes: usize,
    granule: usize,
    context_bytes: usize,
    prepare: Option<unsafe extern "C" fn()>,
    set_key: unsafe extern "C" fn(*mut c_void, *const u8),
    start: Option<unsafe extern "C" fn(*mut c_void, *const u8)>,
    process: Process,
    lacks: Option<unsafe extern "C" fn() -> *const c_char>,
    pub(super) splits: bool,
    pub(super) latency: bool,
    tag_bytes: usize,
    tag: Option<unsafe extern "C" fn(*mut c_void, *mut u8)>,
}

type Process = unsafe extern "C" fn(*mut c_void, *const u8, *mut u8, usize);

/// The compilation that a library tells of itself, and its rungs in order.
pub(super) struct Table {
    pub(super) version: String,
    pub(super) build: String,
    pub(super) rungs: Vec<&'static Rung>,
}

impl Table {
    /// That of a library.
    ///
    /// # Errors
    /// What the library lacks.
    pub(super) fn of(library: &Opened) -> Result<Self, String> {
        let lacking = |name| format!("the library lacks {name}");
        // SAFETY: the types are those of the header rung.h; what is called takes no pointer and
        // returns static texts and rungs, of which the library says that they have the size of ours.
        unsafe {
            let size: extern "C" fn() -> usize =
                library.function("ladder_rung_bytes").map_err(lacking)?;
            if size() != size_of::<Rung>() {
                return Err("the library is of another version".to_owned());
            }
            let version: extern "C" fn() -> *const c_char =
                library.function("ladder_version").map_err(lacking)?;
            let build: extern "C" fn() -> *const c_char =
                library.function("ladder_build").map_err(lacking)?;
            let rung: extern "C" fn(usize) -> Option<&'static Rung> =
                library.function("ladder_rung").map_err(lacking)?;
            let text = |text| CStr::from_ptr(text).to_string_lossy().into_owned();
            let (version, build) = (text(version()), text(build()));
            Ok(Self { version, build, rungs: (0..).map_while(|place| rung(place)).collect() })
        }
    }
}

impl Rung {
    /// What is known of it.
    pub(super) fn facts(&self) -> Facts {
        let names = [self.algorithm, self.operation, self.name].map(|text| {
            // SAFETY: static texts of the library.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        });
        let [key_bytes, iv_bytes, granule, tag_bytes] =
            [self.key_bytes, self.iv_bytes, self.granule, self.tag_bytes].map(|it| it as u32);
        Facts { names, key_bytes, iv_bytes, granule, latency: self.latency, tag_bytes }
    }

    /// Why this CPU can't run it, if it can't.
    pub(super) fn lacks(&self) -> Option<String> {
        // SAFETY: no arguments; null or a static text.
        unsafe {
            let reason = self.lacks?();
            (!reason.is_null()).then(|| CStr::from_ptr(reason).to_string_lossy().into_owned())
        }
    }

    /// Whether it is a MAC.
    pub(super) const fn is_mac(&self) -> bool {
        self.tag.is_some()
    }

    /// Whether its keys, IVs and messages have these lengths.
    pub(super) fn takes(&self, key: &[u8], iv: &[u8], size: u64) -> bool {
        let lengths = key.len() == self.key_bytes && iv.len() == self.iv_bytes;
        lengths && size.is_multiple_of(self.granule as u64)
    }

    /// Fills its tables.
    pub(super) fn prepare(&self) {
        if let Some(prepare) = self.prepare {
            // SAFETY: no arguments; called before any work and from one thread.
            unsafe { prepare() }
        }
    }
}

/// A line of the cache, where contexts begin.
#[repr(C, align(64))]
#[derive(Clone)]
struct Line([u8; 64]);

/// What a rung works on.
#[derive(Clone)]
pub(super) struct Context {
    rung: &'static Rung,
    lines: Vec<Line>,
}

impl Context {
    /// One without a key.
    pub(super) fn new(rung: &'static Rung) -> Self {
        let lines = rung.context_bytes.div_ceil(size_of::<Line>());
        Self { rung, lines: vec![Line([0; 64]); lines] }
    }

    #[inline]
    fn pointer(&mut self) -> *mut c_void {
        self.lines.as_mut_ptr().cast()
    }

    #[inline]
    pub(super) fn set_key(&mut self, key: &[u8]) {
        let context = self.pointer();
        // SAFETY: the context and the key have the rung's lengths.
        unsafe { (self.rung.set_key)(context, key.as_ptr()) }
    }

    /// Begins a message under the key that was set.
    #[inline]
    pub(super) fn start(&mut self, iv: &[u8]) {
        let context = self.pointer();
        if let Some(start) = self.rung.start {
            let iv = if iv.is_empty() { std::ptr::null() } else { iv.as_ptr() };
            // SAFETY: the context has the rung's length, and so has the IV, or there is none.
            unsafe { start(context, iv) }
        }
    }

    /// Takes the whole message and ends it: the tag of a MAC.
    ///
    /// # Panics
    /// If the tag has another length than the rung's.
    #[inline]
    pub(super) fn authenticate(&mut self, data: &[u8], tag: &mut [u8]) {
        assert_eq!(tag.len(), self.rung.tag_bytes, "the offers tell the length of a tag");
        let context = self.pointer();
        let Some(end) = self.rung.tag else { return };
        // SAFETY: the context is the rung's, under a key; a MAC writes no output; the tag has the
        // rung's length.
        unsafe {
            (self.rung.process)(context, data.as_ptr(), std::ptr::null_mut(), data.len());
            end(context, tag.as_mut_ptr());
        }
    }

    /// Goes on with the message; on all threads of a pool, if there is one, each of which takes a
    /// piece of whole blocks.
    #[inline]
    pub(super) fn process(&mut self, mut data: Data<'_>, pool: Option<&ThreadPool>) {
        let context = self.pointer();
        let (input, output, bytes) = data.pointers();
        let Rung { process, granule, .. } = *self.rung;
        match pool {
            // SAFETY: the context is the rung's, under a key; both pointers are valid for `bytes`.
            None => unsafe { process(context, input, output, bytes) },
            Some(pool) => {
                let shared = Shared { context, input, output };
                pool.broadcast(|it| {
                    // No two pieces differ by more than a block.
                    let blocks = bytes / granule;
                    let place = |number| blocks * number / it.num_threads() * granule;
                    shared.piece(process, place(it.index()), place(it.index() + 1));
                });
            }
        }
    }
}

/// A message that threads share.
struct Shared {
    context: *mut c_void,
    input: *const u8,
    output: *mut u8,
}

// SAFETY: rungs are shared only if they leave the context alone (`splits`), and each thread reads
// and writes a piece of its own.
unsafe impl Sync for Shared {}

impl Shared {
    fn piece(&self, process: Process, from: usize, to: usize) {
        if from < to {
            // SAFETY: the piece lies within the message; the rung allows this on several threads.
            unsafe { process(self.context, self.input.add(from), self.output.add(from), to - from) }
        }
    }
}
