//! Slow tests on all cores: cargo runs the files of tests one after another, so that a test which
//! goes through its cases alone leaves the other cores idle.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Calls `each` with every item, in as many threads as there are cores, each with a value of its own
/// made by `begin`. On WebAssembly, which has no threads, and under an interpreter all is done here.
///
/// # Panics
/// If `begin` or `each` does, after the other threads have ended.
pub fn share_out<T: Sync, S>(
    items: &[T],
    begin: impl Fn() -> S + Sync,
    each: impl Fn(&mut S, &T) + Sync,
) {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut own = None;
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            each(own.get_or_insert_with(&begin), item);
        }
    };
    let cores = if cfg!(any(target_family = "wasm", miri)) {
        1
    } else {
        thread::available_parallelism().map_or(1, usize::from)
    };
    if cores.min(items.len()) <= 1 {
        return work();
    }
    thread::scope(|scope| {
        let threads: Vec<_> = (0..cores.min(items.len())).map(|_| scope.spawn(work)).collect();
        let panicked = threads.into_iter().filter_map(|thread| thread.join().err()).next();
        if let Some(panicked) = panicked {
            // What it said stands in the test's output already.
            resume_unwind(panicked);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::share_out;
    use std::sync::Mutex;

    #[test]
    fn every_item_has_its_turn_once() {
        for count in [0, 1, 2, 1000] {
            let items: Vec<usize> = (0..count).collect();
            let seen = Mutex::new(Vec::new());
            share_out(&items, || (), |(), &item| seen.lock().unwrap().push(item));
            let mut seen = seen.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, items);
        }
    }

    #[test]
    #[should_panic(expected = "item 7")]
    fn a_failure_is_one_of_the_test() {
        let items: Vec<usize> = (0..10).collect();
        share_out(&items, || (), |(), &item| assert!(item != 7, "item {item}"));
    }
}
