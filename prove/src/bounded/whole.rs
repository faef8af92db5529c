//! `Whole`, at every size of a small domain and five alignments up to a cache line: when it is dropped, the value
//! is dropped once, its whole place holds zeros, gaps included, and nothing beside it is written.
//!
//! # Why it is sound
//! The place lies in a frame of bytes that this test owns. It is made of a value in the usual way and dropped in
//! the usual way; after that it is read as bytes alone, all of which have been written: by the test before the value
//! came, and by what is under test.
#![expect(unsafe_code, reason = "to look at the place of a value that is gone; argued above")]

use std::cell::Cell;
use std::mem::{MaybeUninit, offset_of};
use std::ops::Range;

use lanes::wipe::Whole;

/// What lies in and around a place before a value comes.
const BESIDE: u8 = 0xa5;

thread_local! {
    static DROPPED: Cell<usize> = const { Cell::new(0) };
}

/// `N` bytes with the alignment of `A`, an array of none of its elements. What is dropped leaves something behind.
#[repr(C)]
struct Of<A, const N: usize>([A; 0], [u8; N]);

impl<A, const N: usize> Drop for Of<A, N> {
    fn drop(&mut self) {
        DROPPED.set(DROPPED.get() + 1);
        assert!(
            self.1.iter().all(|byte| *byte == 0x11),
            "the value was gone before it was dropped"
        );
        std::hint::black_box(&mut self.1).fill(0xee);
    }
}

#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Line([u8; 64]);

/// Large variants leave gaps behind small ones.
enum Either<const N: usize> {
    Small(#[expect(dead_code, reason = "its place is looked at")] u8),
    Large([u8; N]),
}

#[repr(C)]
struct Frame<T> {
    before: [u8; 64],
    place: Whole<T>,
    after: [u8; 64],
}

/// Looks at a frame whose place is these bytes of it.
fn judge(what: &str, size: usize, frame: *const u8, len: usize, place: Range<usize>, drops: usize) {
    let before = DROPPED.replace(0);
    assert_eq!(before, drops, "{what}, {size}: dropped so often");
    for i in 0..len {
        // SAFETY: see the head of the file.
        let byte = unsafe { frame.add(i).read_volatile() };
        let wanted = if place.contains(&i) { 0 } else { BESIDE };
        assert_eq!(byte, wanted, "{what}, {size}: byte {i}, of which the place is {place:?}");
    }
}

fn check<T>(what: &str, size: usize, value: T, drops: usize) {
    assert_eq!(size_of::<Whole<T>>(), size_of::<T>(), "{what}, {size}");
    let mut frame = MaybeUninit::<Frame<T>>::uninit();
    let whole = frame.as_mut_ptr();
    // SAFETY: see the head of the file.
    unsafe {
        whole.cast::<u8>().write_bytes(BESIDE, size_of::<Frame<T>>());
        let place = &raw mut (*whole).place;
        place.write(Whole::new(value));
        place.drop_in_place();
    }
    let start = offset_of!(Frame<T>, place);
    let place = start..start + size_of::<T>();
    judge(what, size, whole.cast::<u8>().cast_const(), size_of::<Frame<T>>(), place, drops);
}

fn sized<const N: usize>() {
    let bytes = [0x11; N];
    check("bytes", N, Of::<u8, N>([], bytes), 1);
    check("at 16-bit words", N, Of::<u16, N>([], bytes), 1);
    check("at 64-bit words", N, Of::<u64, N>([], bytes), 1);
    check("at 128-bit words", N, Of::<u128, N>([], bytes), 1);
    check("at lines", N, Of::<Line, N>([], bytes), 1);
    check("one byte, where there is room for more", N, Either::<N>::Small(0x11), 0);
    check("all of what there is room for", N, Either::<N>::Large(bytes), 0);
}

macro_rules! each {
    ($($tens:literal)*) => { $(
        sized::<{ $tens }>();
        sized::<{ $tens + 1 }>();
        sized::<{ $tens + 2 }>();
        sized::<{ $tens + 3 }>();
        sized::<{ $tens + 4 }>();
        sized::<{ $tens + 5 }>();
        sized::<{ $tens + 6 }>();
        sized::<{ $tens + 7 }>();
    )* };
}

/// From four times the sixteen bytes that are written at once on, nothing new comes.
#[test]
fn nothing_is_left_of_a_place_of_any_size() {
    each!(0 8 16 24 32 40 48 56 64 124);
}

/// The test sees what is left where nothing is overwritten.
#[test]
fn what_is_left_is_seen() {
    let mut frame = MaybeUninit::<[u8; 48]>::uninit();
    // SAFETY: see the head of the file.
    let left = unsafe {
        let place = frame.as_mut_ptr().cast::<Of<u8, 48>>();
        place.write(Of([], [0x11; 48]));
        place.drop_in_place();
        place.cast::<u8>().read_volatile()
    };
    assert_eq!((left, DROPPED.replace(0)), (0xee, 1));
}
