//! Every operation through the interface, with each of its allocations refused, alone and with all behind it: a
//! status, no half result, nothing left.
#![cfg(feature = "reserve")]
#![expect(
    unsafe_code,
    reason = "the tests stand where C does: pointers of their own, valid for their lengths"
)]
// No contract of a call is in doubt here: what is passed are the scenarios' own objects.
#![expect(clippy::undocumented_unsafe_blocks, reason = "the argument stands above, once")]

use std::ffi::c_int;
use std::ptr::{null, null_mut};

use cipherlane::batch::*;
use cipherlane::cipher::cipherlane_cipher_update;
use cipherlane::listing::cipherlane_algorithm;
use cipherlane::status::Status;
use ciphers::registry::{ALGORITHMS, Kind, operations};
use reserve::drill;

mod case;

use case::Case;

const NO_MEMORY: c_int = Status::NoMemory as c_int;

/// What a scenario did: the status that ended it, and what it wrote.
#[derive(Debug, PartialEq, Eq)]
struct Done {
    status: c_int,
    written: [u8; 512],
}

/// Runs a scenario with all memory, and then without.
fn drilled(name: &str, scenario: impl Fn(&mut [u8; 512]) -> c_int) -> [usize; 3] {
    let run = |succeed: usize, once: bool| {
        let mut written = [0; 512];
        let before = drill::asked();
        drill::begin(succeed, once);
        let status = scenario(&mut written);
        drill::end();
        (Done { status, written }, drill::asked() - before)
    };
    let with_all = || run(usize::MAX, true);
    // What is made once for all is made now.
    with_all();
    let (wanted, count) = with_all();
    // The text of the last failure is kept: the same one every time.
    let blocks = || {
        // SAFETY: null is refused.
        unsafe { cipherlane_cipher_update(null_mut(), null(), 0, null_mut(), 0, null_mut()) };
        drill::blocks()
    };
    let before = blocks();
    let mut ends = [count, 0, 0];
    for at in 0..count {
        for once in [true, false] {
            let (done, _) = run(at, once);
            let left = (reserve::in_use_here(), blocks());
            let which = format!("{name}, allocation {at} of {count}, once: {once}");
            if done.status == NO_MEMORY {
                ends[2] += 1;
                // What calls before it wrote stays; nobody wrote anything else.
                for (is, was) in done.written.iter().zip(wanted.written) {
                    assert!(*is == was || *is == 0, "{which}");
                }
            } else {
                assert_eq!(done, wanted, "{which}");
                ends[1] += 1;
            }
            assert_eq!(left, (0, before), "{which}: in the reserve, blocks");
        }
    }
    ends
}

#[test]
fn every_operation_ends_with_a_status() {
    let mut all = [0; 3];
    let mut add = |ends: [usize; 3]| (0..3).for_each(|at| all[at] += ends[at]);
    for level in ["portable", ciphers::Level::detect().expect("a level").name()] {
        for it in ALGORITHMS.iter().flat_map(operations) {
            let name = format!("{}/{} at {level}", it.algorithm.name, it.name);
            let case = Case::new(it, level);
            add(drilled(&name, |out| case.pieces(out)));
            if matches!(case.it.kind, Kind::Seal | Kind::Open) {
                add(drilled(&format!("{name}, whole"), |out| case.whole(out)));
            }
            for ready in [false, true] {
                let name = format!("{name}, batch, ready: {ready}");
                add(drilled(&name, |out| case.batch(ready, out)));
            }
        }
    }
    let [count, whole, told] = all;
    println!("{count} allocations, {} runs, {whole} whole, {told} with a status", whole + told);
    assert!(told > count, "most are of what is handed out");
}

#[test]
fn many_keys_and_long_messages_are_asked_for_before() {
    let (key, data) = ((1..).take(64).collect::<Vec<u8>>(), vec![0; 1 << 20]);
    for it in ALGORITHMS.iter().flat_map(operations) {
        let (case, keys, mut batch) = (Case::new(it, "portable"), [key.as_ptr(); 5000], null_mut());
        let ((algorithm, operation, options), length) = (case.names(), case.key.len());
        for count in [64, 65, 5000] {
            let (place, first) = (&raw mut batch, keys.as_ptr());
            drill::begin(0, false);
            let status = unsafe {
                cipherlane_batch_new_ready(
                    place, algorithm, operation, options, first, length, count,
                )
            };
            drill::end();
            assert!(status == NO_MEMORY && batch.is_null(), "{:?}: {status}", case.it);
        }
        let mut packet: cipherlane_packet = unsafe { std::mem::zeroed() };
        (packet.aad, packet.aad_length) = (data.as_ptr(), data.len());
        unsafe {
            assert_eq!(cipherlane_batch_new(&raw mut batch, algorithm, operation, options), 0);
            drill::begin(0, false);
            let status = cipherlane_batch_apply(batch, &raw mut packet, 1);
            drill::end();
            assert_eq!((status, packet.failed), (NO_MEMORY, 1), "{:?}", case.it);
            cipherlane_batch_free(batch);
        }
        assert_eq!(reserve::in_use_here(), 0);
    }
}

#[test]
fn the_list_is_made_when_there_is_memory() {
    let mut info = std::mem::MaybeUninit::uninit();
    for succeed in (0..4000).step_by(7) {
        let once = succeed % 2 == 0;
        drill::begin(succeed, once);
        let status = unsafe { cipherlane_algorithm(0, info.as_mut_ptr()) };
        drill::end();
        assert_eq!(reserve::in_use_here(), 0);
        if status == 0 {
            // One that is refused alone may be one that is given back.
            assert!(once || succeed > 500, "{succeed}");
            return;
        }
        assert_eq!(status, NO_MEMORY, "{succeed}");
    }
    assert_eq!(unsafe { cipherlane_algorithm(0, info.as_mut_ptr()) }, 0);
}
