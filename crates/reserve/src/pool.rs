//! Blocks of one size of piece.
//!
//! # Why it is sound
//! A word has a bit for each of 64 pieces that lie side by side. Who sets bits that were all clear, in one
//! exchange, has these pieces alone, until it clears them; the exchange acquires what the one before
//! released, so that its zeros are seen. Pointers to pieces are made from the one to all of them, which
//! lie in a cell; no reference to a piece is ever made here.

use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Bits of a word.
const BITS: usize = 64;
/// What the first piece of a word is aligned to, and the most that a block can be.
const PAGE: usize = 4096;

#[repr(C, align(4096))]
struct Room<const PIECE: usize, const WORDS: usize>(UnsafeCell<[[[u8; PIECE]; BITS]; WORDS]>);

/// Pieces of so many bytes, 64 a word. A block is a run of pieces of one word.
#[repr(C)]
pub(crate) struct Pool<const PIECE: usize, const WORDS: usize> {
    room: Room<PIECE, WORDS>,
    used: [AtomicU64; WORDS],
    /// Who took the block that begins there; 0 for nobody.
    owners: [[AtomicUsize; BITS]; WORDS],
}

// SAFETY: the bytes are touched only by who has their bits; the rest is atomic.
unsafe impl<const PIECE: usize, const WORDS: usize> Sync for Pool<PIECE, WORDS> {}

/// So many bits, from that one on.
const fn run(at: usize, count: usize) -> u64 {
    (if count == BITS { u64::MAX } else { (1 << count) - 1 }) << at
}

impl<const PIECE: usize, const WORDS: usize> Pool<PIECE, WORDS> {
    /// All free.
    pub(crate) const fn new() -> Self {
        assert!(PIECE.is_power_of_two() && (PIECE * BITS).is_multiple_of(PAGE));
        Self {
            room: Room(UnsafeCell::new([[[0; PIECE]; BITS]; WORDS])),
            used: [const { AtomicU64::new(0) }; WORDS],
            owners: [const { [const { AtomicUsize::new(0) }; BITS] }; WORDS],
        }
    }

    fn first(&self) -> *mut u8 {
        self.room.0.get().cast()
    }

    /// Whether a block is one of these.
    pub(crate) fn has(&self, block: *mut u8) -> bool {
        block.addr().wrapping_sub(self.first().addr()) < PIECE * BITS * WORDS
    }

    /// How many pieces so many bytes take.
    const fn pieces(size: usize) -> usize {
        if size == 0 { 1 } else { size.div_ceil(PIECE) }
    }

    /// The word and the bit of a block.
    fn place(&self, block: *mut u8) -> (usize, usize) {
        let piece = (block.addr() - self.first().addr()) / PIECE;
        (piece / BITS, piece % BITS)
    }

    /// A block of zeros; null if there is no such run.
    pub(crate) fn take(&self, layout: Layout, owner: usize) -> *mut u8 {
        let count = Self::pieces(layout.size());
        if count > BITS || layout.align() > PAGE {
            return ptr::null_mut();
        }
        let step = (layout.align() / PIECE).max(1);
        for (number, word) in self.used.iter().enumerate() {
            let mut now = word.load(Ordering::Relaxed);
            while let Some(at) =
                (0..=BITS - count).step_by(step).find(|at| now & run(*at, count) == 0)
            {
                let then = now | run(at, count);
                match word.compare_exchange_weak(now, then, Ordering::Acquire, Ordering::Relaxed) {
                    Ok(_) => {
                        self.owners[number][at].store(owner, Ordering::Relaxed);
                        // SAFETY: inside of the room.
                        return unsafe { self.first().add((number * BITS + at) * PIECE) };
                    }
                    Err(other) => now = other,
                }
            }
        }
        ptr::null_mut()
    }

    /// Writes zeros to pieces and makes them free.
    ///
    /// # Safety
    /// They are this call's alone.
    unsafe fn free(&self, word: usize, at: usize, count: usize) {
        // SAFETY: inside of the room; pieces are aligned and the caller's alone. Volatile, as nobody
        // reads the zeros before another block is taken.
        unsafe {
            let first = self.first().add((word * BITS + at) * PIECE).cast::<u64>();
            for place in 0..count * PIECE / size_of::<u64>() {
                first.add(place).write_volatile(0);
            }
        }
        self.used[word].fetch_and(!run(at, count), Ordering::Release);
    }

    /// Wipes a block and takes it back.
    ///
    /// # Safety
    /// It is one of these, was taken with this size, and is not used any more.
    pub(crate) unsafe fn give_back(&self, block: *mut u8, size: usize) {
        let (word, at) = self.place(block);
        self.owners[word][at].store(0, Ordering::Relaxed);
        // SAFETY: the caller's promise: the pieces of a block that was taken.
        unsafe { self.free(word, at, Self::pieces(size)) }
    }

    /// Gives a block another size in its place: that of no more pieces. What is left over is wiped.
    ///
    /// # Safety
    /// It is one of these and was taken with this size.
    pub(crate) unsafe fn fit(&self, block: *mut u8, size: usize, other: usize) -> bool {
        let (had, wanted) = (Self::pieces(size), Self::pieces(other));
        if wanted > had {
            return false;
        }
        if wanted < had {
            let (word, at) = self.place(block);
            // SAFETY: the last pieces of the block, which its owner gives up.
            unsafe { self.free(word, at + wanted, had - wanted) }
        }
        true
    }

    /// How many blocks are somebody's.
    pub(crate) fn held(&self, owner: usize) -> usize {
        let all = self.owners.iter().flatten();
        all.filter(|it| it.load(Ordering::Relaxed) == owner).count()
    }
}
