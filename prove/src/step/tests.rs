//! Traces of code whose steps are known.

use super::*;

#[inline(never)]
fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum ^ std::hint::black_box(byte))
}

#[test]
fn one_way_twice_is_one_trace_and_another_length_is_another() {
    if skipped() {
        return;
    }
    let mut traces = [0; 3].map(|_| Trace::first(10_000));
    for (trace_of, len) in traces.iter_mut().zip([40, 40, 41]) {
        let bytes = [1; 64];
        trace(trace_of, &mut || drop(vec![sum(&bytes[..len]); 3])).unwrap();
    }
    let [a, b, c] = &traces;
    assert!(a.steps() > 40 && !a.is_full());
    assert_eq!(a.parting(b), None);
    let (step, address) = a.parting(c).unwrap();
    assert!(step < a.steps() && program().contains(&address));
    // After it nothing is stepped through any more.
    let steps = a.steps();
    assert_eq!(sum(&[1, 2]), 3);
    assert_eq!(traces[0].steps(), steps);
}

/// A string instruction over `count` bytes.
macro_rules! string {
    ($name:ident, $instruction:literal) => {
        #[inline(never)]
        fn $name(from: &[u8], to: &mut [u8], count: usize) -> [usize; 3] {
            assert!(count.div_ceil(8) * 8 <= from.len().min(to.len()));
            let [left, end, source]: [usize; 3];
            // SAFETY: both are long enough, which the line above makes sure of.
            unsafe {
                asm!(
                    $instruction, inout("rcx") count => left,
                    inout("rdi") to.as_mut_ptr() => end,
                    inout("rsi") from.as_ptr() => source, in("rax") 0x0807_0605_0403_0201_u64,
                    options(nostack, preserves_flags),
                );
            }
            let base = [0, to.as_ptr().addr(), from.as_ptr().addr()];
            [left - base[0], end - base[1], source - base[2]]
        }
    };
}
string!(stosb, "rep stosb");
string!(movsb, "rep movsb");
string!(stosq, "shr rcx, 3\nrep stosq");
string!(movsq, "shr rcx, 3\nrep movsq");

#[test]
fn a_string_is_one_step_that_shows_its_length_and_does_what_it_does() {
    if skipped() {
        return;
    }
    let from: Vec<u8> = (1..=255).chain(0..=0).collect();
    for string in [stosb, movsb, stosq, movsq] {
        let mut traces = [0; 3].map(|_| Trace::first(10_000));
        let mut to = [0; 256];
        for (trace_of, count) in traces.iter_mut().zip([192, 192, 200]) {
            let (mut stepped, mut alone) = ([0; 3], [0; 256]);
            to.fill(0);
            trace(trace_of, &mut || stepped = string(&from, &mut to, count)).unwrap();
            assert_eq!(stepped, string(&from, &mut alone, count));
            assert!(to == alone && to[count - 1] != 0 && to[count] == 0);
        }
        let [a, b, c] = &traces;
        assert!(a.steps() < 150, "{}", a.steps());
        assert_eq!(a.parting(b), None);
        assert!(a.parting(c).is_some());
        let shows = |trace: &Trace, count| {
            (0..trace.steps()).any(|n| trace.step(n).unwrap().ends_with(&[count]))
        };
        assert!(shows(a, 192) || shows(a, 24));
    }
}

/// The instruction behind a string is seen, though the CPU does not stop before it.
#[test]
fn a_load_right_behind_a_string_is_seen() {
    if skipped() {
        return;
    }
    #[inline(never)]
    fn load(to: &mut [u8; 64], at: usize) {
        // SAFETY: all of it lies in the array, as `at` does.
        unsafe {
            asm!(
                "rep stosb", "mov al, [rsi]",
                inout("rcx") 64_usize => _, inout("rdi") to.as_mut_ptr() => _,
                in("rsi") &raw const to[at], inout("al") 0_u8 => _,
                options(nostack, preserves_flags),
            );
        }
    }
    let mut traces = [0; 2].map(|_| Trace::first(10_000));
    let mut to = [0; 64];
    for (trace_of, at) in traces.iter_mut().zip([3, 4]) {
        // The places are taken alike, so that the load alone differs.
        let at = std::hint::black_box(at);
        trace(trace_of, &mut || load(&mut to, at)).unwrap();
    }
    let [a, b] = &traces;
    let (step, _) = a.parting(b).unwrap();
    let load = a.step(step).unwrap();
    assert_eq!((load.len(), load[1] + 1), (2, b.step(step).unwrap()[1]));
    assert_eq!(load[1], to.as_ptr().addr() as u64 + 3);
}

#[test]
fn a_trace_that_has_no_room_says_so() {
    if skipped() {
        return;
    }
    let mut short = Trace::first(50);
    trace(&mut short, &mut || assert_eq!(sum(&[0; 1000]), 0)).unwrap();
    assert!(short.is_full() && short.steps() <= 50);
}
