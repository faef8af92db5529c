//! Where the system has no memory left: an allocator that goes on from a reserve, and tells who has some
//! of it.
//!
//! Stable Rust has no `Box` that may fail: where an allocator returns null, the process ends. The libraries
//! that C and OpenSSL call must return an error instead. So their allocator, [`Allocator`], passes
//! everything on to the system, and what the system refuses it takes from a [reserve](Reserve) of fixed
//! size, in the library's own zeros. A call that stands between programs and the library
//! [watches](Watch): where something of the reserve is still in use at its end, it drops what it has made
//! and returns its error; where all was given back, it is as good as any other. So no object outlives a call
//! in the reserve, and the reserve is whole again for the next one.
//!
//! # Its bounds
//! [`LARGEST`] bytes for one block, about 1.1 MiB for all threads together. Past that the allocator returns
//! null, and Rust ends the process as it does without a reserve. What grows with what a caller asks for has to
//! be asked of the system with `try_reserve`, where null is an error.
//!
//! # Threads, forks and secrets
//! No locks: a map of bits in atomic words, of which a thread takes a run with one exchange; a child of a
//! fork finds no half of anything. No thread-local storage: a system may allocate it when it is first
//! touched. Blocks are wiped when they are given back, so that all free ones are zeros.
//!
//! # Why it is sound
//! The allocator's contract (`GlobalAlloc`): a block comes from the system or from the reserve, which an
//! address tells, as the reserve's own bytes are no block of the system's; it goes back to where it came
//! from. What the system's allocator asks for is passed on as it came. Of the reserve see `pool.rs`.
#![expect(
    unsafe_code,
    reason = "an allocator; the arguments stand above and at the head of pool.rs"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

#[cfg(feature = "drill")]
pub mod drill;
mod pool;
mod thread;

use pool::Pool;

/// Blocks of at most so many bytes lie among the small ones.
const SMALL: usize = 2048;
/// The largest block of the reserve, in bytes.
pub const LARGEST: usize = 64 * 4096;

/// The memory of last resort. Small blocks have places of their own, so that large ones find runs.
#[repr(C)]
struct Reserve {
    small: Pool<128, 8>,
    large: Pool<4096, 4>,
}

static RESERVE: Reserve = Reserve { small: Pool::new(), large: Pool::new() };
/// How many blocks are in use.
static LIVE: AtomicUsize = AtomicUsize::new(0);

impl Reserve {
    /// Whether a block is of the reserve.
    #[inline]
    fn has(&self, block: *mut u8) -> bool {
        block.addr().wrapping_sub(ptr::from_ref(self).addr()) < size_of::<Self>()
    }

    /// A block of zeros; null if there is no room.
    #[cold]
    fn take(&self, layout: Layout) -> *mut u8 {
        let owner = thread::number();
        let mut block = ptr::null_mut();
        if layout.size() <= SMALL {
            block = self.small.take(layout, owner);
        }
        if block.is_null() {
            block = self.large.take(layout, owner);
        }
        if !block.is_null() {
            LIVE.fetch_add(1, Ordering::Relaxed);
        }
        block
    }

    /// Wipes a block and takes it back.
    ///
    /// # Safety
    /// It is in use, has this layout, and is not used any more.
    #[cold]
    unsafe fn give_back(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise.
        unsafe {
            if self.small.has(block) {
                self.small.give_back(block, layout.size());
            } else {
                self.large.give_back(block, layout.size());
            }
        }
        LIVE.fetch_sub(1, Ordering::Relaxed);
    }

    /// Makes a block shorter, or as much longer as its last piece has room for.
    ///
    /// # Safety
    /// It is in use and has this layout; afterwards it has the new size, if the answer is `true`.
    unsafe fn fit(&self, block: *mut u8, layout: Layout, size: usize) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            if self.small.has(block) {
                self.small.fit(block, layout.size(), size)
            } else {
                self.large.fit(block, layout.size(), size)
            }
        }
    }

    /// How many blocks this thread took that are in use.
    #[cold]
    fn held(&self) -> usize {
        let owner = thread::number();
        self.small.held(owner) + self.large.held(owner)
    }
}

/// The system's allocator, and the reserve behind it.
#[derive(Clone, Copy, Debug)]
pub struct Allocator;

impl Allocator {
    /// Whether the system is to be taken for one without memory.
    #[inline]
    #[cfg_attr(not(feature = "drill"), expect(unused_variables, reason = "what tests count"))]
    fn refused(bytes: usize) -> bool {
        #[cfg(feature = "drill")]
        return drill::refuses(bytes);
        #[cfg(not(feature = "drill"))]
        false
    }

    /// Another block with what the old one has in it.
    ///
    /// # Safety
    /// As of `GlobalAlloc::realloc`.
    #[cold]
    unsafe fn moved(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises: the new size is not zero and can be rounded up to the alignment.
        unsafe {
            let fresh = Layout::from_size_align_unchecked(size, layout.align());
            let ours = RESERVE.has(block);
            let other = if ours { self.alloc(fresh) } else { RESERVE.take(fresh) };
            if !other.is_null() {
                // Two blocks in use have nothing in common.
                ptr::copy_nonoverlapping(block, other, layout.size().min(size));
                if ours {
                    RESERVE.give_back(block, layout);
                } else {
                    System.dealloc(block, layout);
                }
            }
            other
        }
    }
}

// SAFETY: the argument at the head of this file. Nothing here panics or allocates.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if !Self::refused(layout.size()) {
            // SAFETY: the caller's promise: the size is not zero.
            let block = unsafe { System.alloc(layout) };
            if !block.is_null() {
                return block;
            }
        }
        RESERVE.take(layout)
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if !Self::refused(layout.size()) {
            // SAFETY: as above.
            let block = unsafe { System.alloc_zeroed(layout) };
            if !block.is_null() {
                return block;
            }
        }
        // Its free blocks are zeros.
        RESERVE.take(layout)
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        #[cfg(feature = "drill")]
        drill::freed();
        // SAFETY: the caller's promises; it goes back to where it came from.
        unsafe {
            if RESERVE.has(block) {
                RESERVE.give_back(block, layout);
            } else {
                System.dealloc(block, layout);
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller's promises. Where the system refuses, the block is as it was.
        unsafe {
            if RESERVE.has(block) {
                if RESERVE.fit(block, layout, size) {
                    return block;
                }
                #[cfg(feature = "drill")]
                drill::freed();
                return self.moved(block, layout, size);
            }
            let refused = Self::refused(size);
            #[cfg(feature = "drill")]
            drill::freed();
            let other = if refused { ptr::null_mut() } else { System.realloc(block, layout, size) };
            if other.is_null() { self.moved(block, layout, size) } else { other }
        }
    }
}

/// A look at the reserve from the beginning of a call to its end, by the thread that makes it. It costs a
/// read of one word while nobody has anything of the reserve.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// How much the thread had before: the call of a call.
    before: usize,
}

impl Watch {
    /// From now on.
    #[inline]
    #[must_use]
    pub fn begin() -> Self {
        Self { before: if LIVE.load(Ordering::Relaxed) == 0 { 0 } else { RESERVE.held() } }
    }

    /// Whether the thread has something of the reserve that it had not at the beginning: memory ran out, and
    /// what was made must go.
    #[inline]
    #[must_use]
    pub fn holds(self) -> bool {
        // What the thread itself has counted it sees.
        LIVE.load(Ordering::Relaxed) != 0 && RESERVE.held() > self.before
    }
}

/// Whether there is memory for so many bytes: before what grows with what a caller asks for, and is made where
/// nothing can fail. A quarter of the reserve needs no asking; of the system, more is asked for once and given
/// back. Another thread may take it in between.
#[must_use]
pub fn there_is(bytes: usize) -> bool {
    let Ok(layout) = Layout::from_size_align(bytes, 16) else { return false };
    if bytes <= LARGEST {
        return true;
    }
    let refused = Allocator::refused(bytes);
    #[cfg(feature = "drill")]
    drill::freed();
    if refused {
        return false;
    }
    // SAFETY: the size is not zero; the block goes back as it came. Seen by nobody, it might never be taken.
    unsafe {
        let block = std::hint::black_box(System.alloc(layout));
        if !block.is_null() {
            System.dealloc(block, layout);
        }
        !block.is_null()
    }
}

/// How many blocks of the reserve the calling thread has.
#[must_use]
pub fn in_use_here() -> usize {
    RESERVE.held()
}

#[cfg(test)]
mod tests;
