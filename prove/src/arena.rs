//! Memory whose addresses repeat: while a thread steps, its allocations come one after
//! another from an arena that starts anew with every trace, so that two runs of the same code
//! have their objects at the same places.
//!
//! # Why it is sound
//! The arena is one allocation of the system that is never given back. Only one thread at a
//! time has a place in it (the tracer holds a lock), and places only grow between two starts.
//! Places in use are counted: a program in which one outlives its trace is ended at once, so no
//! place is handed out twice. All other memory is the system's.
#![expect(unsafe_code, reason = "a global allocator; argued above")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

/// More than any operation allocates for its few messages.
const SIZE: usize = 64 << 20;

static BASE: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// The next free address; 0 where this thread's memory is the system's.
    static NEXT: Cell<usize> = const { Cell::new(0) };
    /// How many places in the arena are in use.
    static LIVE: Cell<usize> = const { Cell::new(0) };
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

/// While it lives, this thread's allocations come from the arena.
#[derive(Debug)]
pub(crate) struct InArena(());

/// Starts the arena anew for this thread. The caller holds the tracer's lock.
pub(crate) fn start() -> InArena {
    let mut base = BASE.load(Ordering::Acquire);
    if base == 0 {
        // SAFETY: the layout's size is not 0.
        base = unsafe { System.alloc(LAYOUT) }.expose_provenance();
        assert!(base != 0, "no memory for the arena");
        BASE.store(base, Ordering::Release);
    }
    NEXT.set(base);
    InArena(())
}

impl Drop for InArena {
    fn drop(&mut self) {
        NEXT.set(0);
        if LIVE.get() != 0 {
            eprintln!("{} allocations outlive the trace that made them", LIVE.get());
            std::process::abort();
        }
    }
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
