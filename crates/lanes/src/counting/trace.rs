//! Which operation waits for which: every one is a node that knows the one before it on the longest
//! way.
//!
//! A value that goes through memory is found again by its content: sixteen bytes that a kernel
//! stored and that it, or another one, loads. Equal bytes by chance are as unlikely as a guessed
//! block, but for zeros, which are left out. What leaves the lanes for general registers is lost, so
//! a path is one that is there, not surely the longest.

use std::cell::RefCell;
use std::collections::HashMap;
use std::thread_local;
use std::vec::Vec;

use super::OPERATIONS;

/// The number of an operation that was done.
pub(super) type Node = u32;

/// What waits for nothing.
pub(super) const START: Node = 0;

/// An operation that was done: which, after which, and when it was ready.
#[derive(Clone, Copy)]
struct Done {
    place: usize,
    before: Node,
    ready: u32,
}

/// All since [`trace`].
struct Trace {
    done: Vec<Done>,
    stored: HashMap<[u8; 16], Node>,
}

thread_local! {
    static TRACE: RefCell<Option<Trace>> = const { RefCell::new(None) };
}

/// From now on operations are remembered.
pub fn trace() {
    let done = [Done { place: 0, before: START, ready: 0 }].into();
    TRACE.set(Some(Trace { done, stored: HashMap::new() }));
}

/// How often each of [`OPERATIONS`] is on the longest way since [`trace`], which ends here.
#[must_use]
pub fn path() -> [u64; OPERATIONS.len()] {
    let mut counts = [0; OPERATIONS.len()];
    let Some(trace) = TRACE.take() else { return counts };
    let last = (0..trace.done.len()).max_by_key(|at| trace.done[*at].ready).unwrap_or(0);
    let mut at = last;
    while at != START as usize {
        counts[trace.done[at].place] += 1;
        at = trace.done[at].before as usize;
    }
    counts
}

/// An operation that takes what these give, and as long.
// Not inlined, or kernels would be many times their length.
#[inline(never)]
pub(super) fn add(place: usize, cycles: u32, takes: &[Node]) -> Node {
    TRACE.with_borrow_mut(|trace| {
        let Some(trace) = trace else { return START };
        let ready = |node: &Node| trace.done[*node as usize].ready;
        let before = takes.iter().copied().max_by_key(ready).unwrap_or(START);
        let ready = ready(&before) + cycles;
        trace.done.push(Done { place, before, ready });
        (trace.done.len() - 1) as Node
    })
}

/// These bytes were stored.
#[inline(never)]
pub(super) fn store(node: Node, bytes: &[u8]) {
    TRACE.with_borrow_mut(|trace| {
        let Some(trace) = trace else { return };
        for group in bytes.as_chunks::<16>().0.iter().filter(|group| **group != [0; 16]) {
            trace.stored.insert(*group, node);
        }
    });
}

/// The latest operation that stored any of these bytes.
#[inline(never)]
pub(super) fn stored(bytes: &[u8]) -> Node {
    TRACE.with_borrow_mut(|trace| {
        let Some(trace) = trace else { return START };
        let groups = bytes.as_chunks::<16>().0;
        let found = groups.iter().filter_map(|group| trace.stored.get(group).copied());
        found.max_by_key(|node| trace.done[*node as usize].ready).unwrap_or(START)
    })
}
