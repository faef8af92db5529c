//! Tables of which one part is made with their owner, and the rest when it is first wanted, by one of
//! the threads that share the owner.
//!
//! # Why it is sound
//! A row's last `EARLY` elements are written through exclusive borrows of the whole alone, so shared
//! borrows of them may be handed out at any time. The elements before them are written besides by
//! [`grow`](Grown::grow), which one call alone enters: it is the one that turns the state from
//! [`EARLIER`] to [`MAKING`], and no call that shares it turns it back. Until it is [`MADE`] nobody else is
//! given a borrow of them; it becomes so through an exclusive borrow of the whole, or by a store that releases what was
//! written, after the last use of the exclusive borrow of a part, and [`all`](Grown::all) acquires it. Pointers to rows are made from the cell's own
//! pointer, never through a borrow of the whole while it may be written to in part.
//! A panic on the way leaves the state at `MAKING`: what is early stays good.
#![expect(unsafe_code, reason = "one writer beside readers of another part; argued above")]

use core::cell::UnsafeCell;
use core::fmt;
use core::sync::atomic::{AtomicU8, Ordering};

use crate::wipe::Plain;

/// The last elements of each row are there.
const EARLIER: u8 = 0;
/// A thread makes the others.
const MAKING: u8 = 1;
/// All are there.
const MADE: u8 = 2;

/// `ROWS` rows of `N` elements, of which the last `EARLY` are there from the start.
pub struct Grown<T, const ROWS: usize, const N: usize, const EARLY: usize> {
    state: AtomicU8,
    rows: UnsafeCell<[[T; N]; ROWS]>,
}

// SAFETY: threads that share it only read what no one writes, as argued above.
unsafe impl<T: Send + Sync, const ROWS: usize, const N: usize, const EARLY: usize> Sync
    for Grown<T, ROWS, N, EARLY>
{
}

impl<T: Plain, const ROWS: usize, const N: usize, const EARLY: usize> Grown<T, ROWS, N, EARLY> {
    /// Nothing but zeros.
    #[must_use]
    pub const fn zero() -> Self {
        Self { state: AtomicU8::new(EARLIER), rows: UnsafeCell::new([[T::ZERO; N]; ROWS]) }
    }

    /// The last elements of a row.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline(always)]
    #[must_use]
    pub fn early(&self, row: usize) -> &[T; EARLY] {
        const { assert!(EARLY <= N, "more elements than a row has") };
        assert!(row < ROWS, "no such row");
        // SAFETY: inside the row, and written through exclusive borrows of the whole alone.
        unsafe { &*self.rows.get().cast::<T>().add(row * N + (N - EARLY)).cast::<[T; EARLY]>() }
    }

    /// All elements, if they are there.
    #[inline(always)]
    #[must_use]
    pub fn all(&self) -> Option<&[[T; N]; ROWS]> {
        // SAFETY: all was written before the state was, and nobody writes again while this is borrowed.
        (self.state.load(Ordering::Acquire) == MADE).then(|| unsafe { &*self.rows.get() })
    }

    /// The last elements of all rows, those that are early.
    #[inline(always)]
    #[must_use]
    pub const fn early_ends(&self) -> Ends<'_, T, ROWS, N, EARLY> {
        Ends { table: self, there: EARLY }
    }

    /// The same of all elements, if they are there.
    #[inline(always)]
    #[must_use]
    pub fn all_ends(&self) -> Option<Ends<'_, T, ROWS, N, EARLY>> {
        self.all().map(|_| Ends { table: self, there: N })
    }

    /// Makes the elements that are not there, given those that are; nothing if another thread does or
    /// has done so.
    pub fn grow(&self, make: impl FnOnce([&[T; EARLY]; ROWS], [&mut [T]; ROWS])) {
        if !self.is_first() {
            return;
        }
        let first = self.rows.get().cast::<T>();
        let early = core::array::from_fn(|row| self.early(row));
        // SAFETY: what is not early, of a row each; this call alone has it, by the state.
        let late = core::array::from_fn(|row| unsafe {
            core::slice::from_raw_parts_mut(first.add(row * N), N - EARLY)
        });
        make(early, late);
        self.state.store(MADE, Ordering::Release);
    }

    /// Whether this call is the one that enters. Where the CPU has no such exchange, none does.
    fn is_first(&self) -> bool {
        #[cfg(target_has_atomic = "8")]
        let first = self
            .state
            .compare_exchange(EARLIER, MAKING, Ordering::Acquire, Ordering::Relaxed)
            .is_ok();
        #[cfg(not(target_has_atomic = "8"))]
        let first = false;
        first
    }

    /// All elements, to be set anew: those that are not early count as not there.
    #[inline(always)]
    pub fn anew(&mut self) -> &mut [[T; N]; ROWS] {
        *self.state.get_mut() = EARLIER;
        self.rows.get_mut()
    }

    /// Says that all elements are there, those that were not set as what they are.
    #[inline(always)]
    pub fn is_whole(&mut self) {
        *self.state.get_mut() = MADE;
    }

    /// Whether there was ever more than what is early.
    #[inline(always)]
    pub fn has_grown(&mut self) -> bool {
        *self.state.get_mut() != EARLIER
    }
}

/// The ends of rows: as many elements as were there when it was made. Where they lie does not depend on
/// how many.
#[derive(Clone, Copy, Debug)]
pub struct Ends<'g, T, const ROWS: usize, const N: usize, const EARLY: usize> {
    table: &'g Grown<T, ROWS, N, EARLY>,
    /// `EARLY`, or `N` if the state was `MADE`.
    there: usize,
}

impl<'g, T: Plain, const ROWS: usize, const N: usize, const EARLY: usize>
    Ends<'g, T, ROWS, N, EARLY>
{
    /// The last `count` elements of a row.
    ///
    /// # Panics
    /// If there are not so many, or no such row.
    #[inline(always)]
    #[must_use]
    pub fn last(self, row: usize, count: usize) -> &'g [T] {
        const { assert!(EARLY <= N, "more elements than a row has") };
        assert!(row < ROWS && count <= self.there, "elements that are there");
        // SAFETY: inside the row by `there`; what is early is written through exclusive borrows of the whole
        // alone, and the others by nobody since the state was `MADE`.
        unsafe {
            let first = self.table.rows.get().cast::<T>().add(row * N + (N - count));
            core::slice::from_raw_parts(first, count)
        }
    }
}

impl<T: Plain, const ROWS: usize, const N: usize, const EARLY: usize> Clone
    for Grown<T, ROWS, N, EARLY>
{
    fn clone(&self) -> Self {
        let mut clone = Self::zero();
        if let Some(all) = self.all() {
            *clone.rows.get_mut() = *all;
            *clone.state.get_mut() = MADE;
            return clone;
        }
        for (row, place) in clone.rows.get_mut().iter_mut().enumerate() {
            place[N - EARLY..].copy_from_slice(self.early(row));
        }
        clone
    }
}

impl<T, const ROWS: usize, const N: usize, const EARLY: usize> fmt::Debug
    for Grown<T, ROWS, N, EARLY>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Grown").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(not(target_family = "wasm"))]
    use std::{sync::Barrier, thread};

    type Table = Grown<u32, 2, 8, 3>;

    fn begun() -> Table {
        let mut table = Table::zero();
        *table.anew() = [[0, 0, 0, 0, 0, 1, 2, 3], [0, 0, 0, 0, 0, 10, 20, 30]];
        table
    }

    fn grow(table: &Table) {
        table.grow(|early, late| {
            for (late, early) in late.into_iter().zip(early) {
                late.fill(early.iter().sum());
            }
        });
    }

    const ALL: [[u32; 8]; 2] = [[6, 6, 6, 6, 6, 1, 2, 3], [60, 60, 60, 60, 60, 10, 20, 30]];

    #[test]
    fn what_is_early_is_there_before_and_after() {
        let mut table = begun();
        assert_eq!((table.all(), table.early(1)), (None, &[10, 20, 30]));
        assert!(table.clone().all().is_none() && !table.has_grown());
        grow(&table);
        assert_eq!((table.all(), table.early(0)), (Some(&ALL), &[1, 2, 3]));
        assert_eq!(table.clone().all(), Some(&ALL));
        assert!(table.has_grown());
        // A second time it is not made.
        table.grow(|_, _| unreachable!("all is there"));
        table.anew();
        assert!(table.all().is_none());
        assert_eq!(std::format!("{table:?}"), "Grown { .. }");
    }

    #[test]
    fn what_was_set_at_once_is_not_made_again() {
        let mut table = begun();
        *table.anew() = ALL;
        table.is_whole();
        assert!(table.has_grown() && table.all() == Some(&ALL));
        table.grow(|_, _| unreachable!("all is there"));
        table.anew();
        assert!(table.all().is_none() && !table.has_grown());
    }

    #[test]
    fn ends_are_those_of_rows() {
        let table = begun();
        let early = table.early_ends();
        assert!(table.all_ends().is_none());
        assert_eq!((early.last(0, 3), early.last(1, 1)), (&[1, 2, 3][..], &[30][..]));
        grow(&table);
        let all = table.all_ends().expect("all are there");
        for count in 0..=8 {
            assert_eq!(all.last(1, count), &ALL[1][8 - count..]);
        }
        assert_eq!(early.last(0, 2), [2, 3]);
    }

    #[test]
    #[should_panic(expected = "elements that are there")]
    fn more_than_is_early_is_not_there_though_it_was_made() {
        let table = begun();
        let early = table.early_ends();
        grow(&table);
        let _ = early.last(0, 4);
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn who_panics_leaves_what_is_early() {
        let table = begun();
        let result = thread::scope(|s| s.spawn(|| table.grow(|_, _| panic!("on purpose"))).join());
        assert!(result.is_err());
        grow(&table);
        assert_eq!((table.all(), table.early(1)), (None, &[10, 20, 30]));
    }

    #[cfg(not(target_family = "wasm"))]
    #[test]
    fn one_of_many_threads_makes_the_rest() {
        let rounds = if cfg!(miri) { 3 } else { 300 };
        for _ in 0..rounds {
            let (table, start) = (begun(), Barrier::new(4));
            thread::scope(|s| {
                for _ in 0..4 {
                    s.spawn(|| {
                        start.wait();
                        grow(&table);
                        assert_eq!(table.early(0), &[1, 2, 3]);
                        assert!(table.all().is_none_or(|all| *all == ALL));
                    });
                }
            });
            assert_eq!(table.all(), Some(&ALL));
        }
    }
}
