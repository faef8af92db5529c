//! Memory whose addresses repeat: while a thread steps, its allocations come one after
//! another from an arena that starts anew with every trace, so that two runs of the same code
//! have their objects at the same places.
//!
//! # Why it is sound
//! The arena is one allocation of the system that is never given back. Only one thread at a
//! time has a place in it, which holds a lock, and places only grow between two starts.
//! Places in use are counted: a program in which one outlives its trace is ended at once, so no
//! place is handed out twice. All other memory is the system's.
#![expect(unsafe_code, reason = "a global allocator; argued above")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::backtrace::Backtrace;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// More than any operation allocates for its few messages.
const SIZE: usize = 64 << 20;

static BASE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The next free address; 0 where this thread's memory is the system's.
    static NEXT: Cell<usize> = const { Cell::new(0) };
    /// How many places in the arena are in use.
    static LIVE: Cell<usize> = const { Cell::new(0) };
    /// The address of which `asked_by` wants to know; 0 for none.
    static WATCHED: Cell<usize> = const { Cell::new(0) };
    /// Who asked for it.
    static ASKED: RefCell<Option<Asked>> = const { RefCell::new(None) };
}

/// A place in the arena, and who asked for it.
#[cfg_attr(
    not(all(target_os = "linux", target_arch = "x86_64")),
    expect(dead_code, reason = "remains are compared on Linux on x86-64 alone")
)]
#[derive(Debug)]
pub(crate) struct Asked {
    /// Its length in bytes.
    pub(crate) len: usize,
    /// Where the byte in question lies in it.
    pub(crate) at: usize,
    /// The stack at that time, innermost function first.
    pub(crate) stack: String,
}

/// The allocator of every program that uses this crate.
#[derive(Debug)]
pub struct Allocator;

#[global_allocator]
static GLOBAL: Allocator = Allocator;

const LAYOUT: Layout = match Layout::from_size_align(SIZE, 4096) {
    Ok(layout) => layout,
    Err(_) => panic!("a power of two"),
};

static TAKEN: Mutex<()> = Mutex::new(());
/// How much of the arena was ever used, in bytes.
static USED: AtomicUsize = AtomicUsize::new(0);

/// While it lives, this thread's allocations come from the arena.
#[derive(Debug)]
pub(crate) struct InArena {
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "held until it is dropped"))]
    taken: Option<MutexGuard<'static, ()>>,
}

impl InArena {
    /// The end of it, and the lock: until that is gone nobody else writes into the arena.
    #[cfg(target_os = "linux")]
    fn end(mut self) -> Option<MutexGuard<'static, ()>> {
        self.taken.take()
    }
}

/// Starts the arena anew for this thread.
pub(crate) fn start() -> InArena {
    let taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut base = BASE.load(Ordering::Acquire);
    if base == 0 {
        // SAFETY: the layout's size is not 0.
        base = unsafe { System.alloc(LAYOUT) }.expose_provenance();
        assert!(base != 0, "no memory for the arena");
        BASE.store(base, Ordering::Release);
    }
    NEXT.set(base);
    InArena { taken: Some(taken) }
}

impl Drop for InArena {
    fn drop(&mut self) {
        USED.fetch_max(NEXT.replace(0) - BASE.load(Ordering::Acquire), Ordering::Relaxed);
        if LIVE.get() != 0 {
            eprintln!("{} allocations outlive the trace that made them", LIVE.get());
            std::process::abort();
        }
    }
}

/// What `work` leaves in the memory that it allocated and gave back.
///
/// # Errors
/// If the system does not let us read it.
#[cfg(target_os = "linux")]
pub fn remains(work: &mut dyn FnMut()) -> std::io::Result<Vec<u8>> {
    use std::os::unix::fs::FileExt as _;

    let arena = start();
    let base = BASE.load(Ordering::Acquire);
    let used = USED.load(Ordering::Relaxed);
    // SAFETY: inside the arena, in which nothing lives: this thread has it, and just began.
    unsafe { std::ptr::with_exposed_provenance_mut::<u8>(base).write_bytes(0, used) };
    work();
    let len = NEXT.get() - base;
    let _taken = arena.end();
    let mut bytes = vec![0; len];
    // As the system sees it: of given-back memory nothing may be said in Rust.
    std::fs::File::open("/proc/self/mem")?.read_exact_at(&mut bytes, base as u64)?;
    Ok(bytes)
}

/// Who asks for the byte `at` of the arena while `work` runs; the last, as there is but one.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(crate) fn asked_by(at: usize, work: &mut dyn FnMut()) -> Option<Asked> {
    let arena = start();
    WATCHED.set(BASE.load(Ordering::Acquire) + at);
    work();
    WATCHED.set(0);
    drop(arena);
    ASKED.take()
}

/// Notes who asks for a place that is watched.
#[cold]
fn note(place: usize, len: usize) {
    // What this takes is the system's.
    let next = NEXT.replace(0);
    let at = WATCHED.replace(0) - place;
    let stack = Backtrace::force_capture().to_string();
    ASKED.set(Some(Asked { len, at, stack }));
    NEXT.set(next);
}

// SAFETY: see the head of the file; alignment and size are kept below.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let next = NEXT.get();
        if next == 0 {
            // SAFETY: the caller's contract is ours.
            return unsafe { System.alloc(layout) };
        }
        let place = next.next_multiple_of(layout.align());
        let end = place + layout.size();
        if end > BASE.load(Ordering::Relaxed) + SIZE {
            return std::ptr::null_mut();
        }
        NEXT.set(end);
        if (place..end).contains(&WATCHED.get()) {
            note(place, layout.size());
        }
        LIVE.set(LIVE.get() + 1);
        std::ptr::with_exposed_provenance_mut(place)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        let base = BASE.load(Ordering::Relaxed);
        if base != 0 && (base..base + SIZE).contains(&place.addr()) {
            LIVE.set(LIVE.get().wrapping_sub(1));
        } else {
            // SAFETY: outside of the arena all memory is the system's.
            unsafe { System.dealloc(place, layout) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn what_is_given_back_can_be_read() {
        let left = remains(&mut || drop(std::hint::black_box(vec![0xa5_u8; 40]))).unwrap();
        assert_eq!(left, [0xa5; 40]);
        assert_eq!(remains(&mut || drop(std::hint::black_box(Box::new([0_u64])))).unwrap(), [0; 8]);
    }

    #[test]
    fn addresses_repeat_and_old_memory_stays() {
        let outside = vec![1_u8; 100];
        let places = [0, 1].map(|_| {
            let arena = start();
            let bytes = vec![0_u8; 33];
            let words = vec![0_u64; 9];
            let places = (bytes.as_ptr().addr(), words.as_ptr().addr());
            assert!(bytes.iter().all(|&byte| byte == 0));
            drop((bytes, words));
            drop(arena);
            places
        });
        assert_eq!(places[0], places[1]);
        assert_eq!(places[0].1 % 8, 0);
        let after = Box::new([0_u8; 33]);
        assert_ne!(after.as_ptr().addr(), places[0].0);
        assert_eq!(outside, [1; 100]);
    }
}
