//! What reads and writes buffers by pointers, at every length, offset and place of a small domain: what is
//! inside is done and nothing else is touched, what is not is refused. Beyond the domain nothing new
//! comes: a register has at most 64 bytes, and every check is one comparison with the length.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use lanes::{InOut, Isa, Level, Streams, dispatch};

/// Longer than the longest register. In an interpreter, than the longest that it knows.
const LONGEST: usize = if cfg!(miri) { 40 } else { 70 };
/// What the output holds where nothing was written.
const BESIDE: u8 = 0xc3;

fn bytes(len: usize) -> Vec<u8> {
    (0..len).map(|i| 1 + i as u8).collect()
}

thread_local! {
    /// Whether a panic of this thread is what is asked for, and nothing to print.
    static ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this ends in a panic.
fn refused<T>(work: impl FnOnce() -> T) -> bool {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |info| {
            if !ASKED.get() {
                usual(info);
            }
        }));
    });
    ASKED.set(true);
    let ended = catch_unwind(AssertUnwindSafe(work));
    ASKED.set(false);
    ended.is_err()
}

/// Runs with pairs of this length: in place, and buffer to buffer between other bytes, which must
/// stay as they were. Returns what the outputs hold then.
fn both(len: usize, work: impl Fn(InOut<'_>)) -> [Vec<u8>; 2] {
    let mut in_place = bytes(len);
    work(in_place.as_mut_slice().into());
    let (input, mut around) = (bytes(len), vec![BESIDE; len + 2]);
    work(InOut::disjoint(&input, &mut around[1..=len]).unwrap());
    assert_eq!(input, bytes(len), "the input was written");
    assert_eq!((around[0], around[len + 1]), (BESIDE, BESIDE), "a byte beside was written");
    [in_place, around[1..=len].to_vec()]
}

/// What both hold if only this range was written, with each byte's complement.
fn expected(len: usize, offset: usize, part: usize) -> [Vec<u8>; 2] {
    let mut all = [bytes(len), vec![BESIDE; len]];
    for output in &mut all {
        for i in offset..offset + part {
            output[i] = !(1 + i as u8);
        }
    }
    all
}

fn complement(mut io: InOut<'_>) {
    let input = io.input().to_vec();
    for (output, input) in io.output().iter_mut().zip(input) {
        *output = !input;
    }
}

#[test]
fn a_pair_is_cut_at_every_place() {
    for len in 0..=LONGEST {
        for at in 0..=len {
            let head = both(len, |io| complement(io.split_at(at).0));
            assert_eq!(head, expected(len, 0, at), "{len} at {at}");
            let rest = both(len, |io| complement(io.split_at(at).1));
            assert_eq!(rest, expected(len, at, len - at), "{len} at {at}");
            both(len, |io| {
                let (head, rest) = io.split_at(at);
                assert_eq!((head.len(), rest.len()), (at, len - at));
                assert_eq!((head.is_empty(), rest.is_empty()), (at == 0, at == len));
                assert_eq!([head.input(), rest.input()].concat(), bytes(len));
            });
        }
        for other in [0, len / 2, len + 1, len + 2] {
            let (input, mut output) = (bytes(len), vec![0; other]);
            let pair = InOut::disjoint(&input, &mut output);
            assert_eq!(pair.is_some(), other == len, "{len} to {other}");
        }
    }
}

#[test]
fn a_part_is_every_range_inside() {
    for len in 0..=LONGEST {
        for offset in 0..=len {
            for part in 0..=len - offset {
                let out = both(len, |mut io| complement(io.part(offset, part)));
                assert_eq!(out, expected(len, offset, part), "{len}: {part} from {offset}");
            }
        }
    }
    let mut data = bytes(9);
    let mut io = InOut::from(data.as_mut_slice());
    io.part(2, 5).xor(&[0xff; 5]);
    assert_eq!(io.into_output(), [1, 2, !3, !4, !5, !6, !7, 8, 9]);
}

/// Sums that overflow among them.
#[cfg(panic = "unwind")]
#[test]
fn a_range_that_is_not_inside_is_refused() {
    let far = [usize::MAX, usize::MAX - 1, usize::MAX / 2 + 1, 1 << 32];
    for len in 0..=LONGEST / 4 {
        for at in (len + 1..len + 70).chain(far) {
            both(len, |io| assert!(refused(|| io.split_at(at)), "{len} at {at}"));
        }
        for offset in (0..len + 3).chain(far) {
            for part in (0..len + 3).chain(far) {
                let inside = offset.checked_add(part).is_some_and(|end| end <= len);
                both(len, |mut io| {
                    let refused = refused(|| io.part(offset, part).len());
                    assert_eq!(refused, !inside, "{len}: {part} from {offset}");
                });
            }
        }
    }
}

/// Whole registers and parts of them, from every place of a pair of buffers.
#[inline(always)]
fn registers<I: Isa>(isa: I, len: usize, offset: usize) {
    let mut wanted = vec![0; I::BYTES];
    for i in offset..len.min(offset.saturating_add(I::BYTES)) {
        wanted[i - offset] = 1 + i as u8;
    }
    let part = len.saturating_sub(offset).min(I::BYTES);
    let out = both(len, |mut io| {
        let v = io.load_part(isa, offset);
        let mut whole = vec![0; I::BYTES];
        isa.store(v, &mut whole);
        assert_eq!(whole, wanted, "{} bytes from {offset}", len);
        if part == I::BYTES {
            isa.store(io.load(isa, offset), &mut whole);
            assert_eq!(whole, wanted, "{} bytes from {offset}", len);
        }
        io.store_part(isa, offset, isa.xor(v, isa.splat8(0xff)));
    });
    assert_eq!(out, expected(len, offset.min(len), part), "{len} from {offset}");
    if part == I::BYTES {
        let out = both(len, |mut io| {
            let v = io.load(isa, offset);
            io.store(isa, offset, isa.xor(v, isa.splat8(0xff)));
        });
        assert_eq!(out, expected(len, offset, part), "{len} from {offset}");
    }
}

/// The bytes around a place, from before the first one to behind the last.
#[inline(always)]
fn around<I: Isa>(isa: I, len: usize, from: isize) {
    let (data, mut got) = (bytes(len), vec![0; I::BYTES]);
    isa.store(isa.load_at(&data, from), &mut got);
    for (i, byte) in got.into_iter().enumerate() {
        let place = from.checked_add_unsigned(i).and_then(|place| usize::try_from(place).ok());
        let wanted = place.and_then(|place| data.get(place)).copied().unwrap_or(0);
        assert_eq!(byte, wanted, "{len} bytes from {from}, byte {i}");
    }
}

#[test]
fn registers_take_and_give_what_is_there() {
    for level in Level::available() {
        for len in 0..=2 * LONGEST {
            for offset in (0..=len + 2).chain([usize::MAX, usize::MAX - 63]) {
                dispatch!(level, isa => registers(isa, len, offset));
            }
        }
        for len in 0..=LONGEST {
            let last = len as isize + 66;
            let far = [isize::MIN, isize::MIN + 1, isize::MIN + 63, isize::MIN / 2, isize::MAX];
            for from in (-66..=last).chain(far) {
                dispatch!(level, isa => around(isa, len, from));
            }
        }
    }
}

/// The pieces of a set: read and written in place, buffer to buffer, or only read.
fn with_pieces(
    len: usize,
    kinds: &[usize],
    work: impl FnOnce(&mut Streams<'_, 4>),
) -> Vec<Vec<u8>> {
    let inputs: Vec<Vec<u8>> = (0..kinds.len()).map(|_| bytes(len)).collect();
    let mut in_place = inputs.clone();
    let mut outputs = vec![vec![BESIDE; len + 2]; kinds.len()];
    let mut streams = Streams::new();
    let places = in_place.iter_mut().zip(&mut outputs);
    for ((kind, input), (in_place, output)) in kinds.iter().zip(&inputs).zip(places) {
        match kind {
            0 => streams.push(in_place.as_mut_slice().into()),
            1 => streams.push(InOut::disjoint(input, &mut output[1..=len]).unwrap()),
            _ => streams.push_input(input),
        }
    }
    assert_eq!((streams.len(), streams.is_empty()), (len, len == 0));
    work(&mut streams);
    for output in &outputs {
        assert_eq!((output[0], output[len + 1]), (BESIDE, BESIDE), "a byte beside was written");
    }
    let written = in_place.into_iter().zip(outputs);
    let of = |(kind, (in_place, output)): (&usize, (Vec<u8>, Vec<u8>))| match kind {
        0 => in_place,
        _ => output[1..=len].to_vec(),
    };
    kinds.iter().zip(written).map(of).collect()
}

/// What pieces hold of which one range was written.
fn pieces(len: usize, kinds: &[usize], range: impl Fn(usize) -> (usize, usize)) -> Vec<Vec<u8>> {
    let of = |(place, kind): (usize, &usize)| {
        let (offset, part) = if *kind < 2 { range(place) } else { (0, 0) };
        let [in_place, apart] = expected(len, offset, part);
        if *kind == 0 { in_place } else { apart }
    };
    kinds.iter().enumerate().map(of).collect()
}

#[inline(always)]
fn one_piece<I: Isa>(isa: I, streams: &mut Streams<'_, 4>, piece: usize, offset: usize) {
    let v = streams.load(isa, piece, offset);
    streams.store(isa, piece, offset, isa.xor(v, isa.splat8(0xff)));
}

#[inline(always)]
fn blocks<I: Isa>(isa: I, streams: &mut Streams<'_, 4>, offset: usize) {
    for first in (0..4).step_by(I::BYTES / 16) {
        let v = streams.load_blocks(isa, first, offset);
        streams.store_blocks(isa, first, offset, isa.xor(v, isa.splat8(0xff)));
    }
}

#[inline(always)]
fn behind<I: Isa>(isa: I, streams: &Streams<'_, 4>, len: usize) {
    let mut got = vec![0; I::BYTES];
    isa.store(streams.load_behind(isa, 0, &[0x77; 16]), &mut got);
    assert_eq!(got[..16], [0x77; 16]);
    // As many blocks as are whole behind the first one and have another behind them; what follows is any.
    let whole = len.saturating_sub(16).min(I::BYTES - 16) / 16 * 16;
    assert_eq!(got[16..16 + whole], bytes(len)[..whole], "{len}");
}

/// All kinds of up to three pieces; four of one kind.
fn kinds() -> Vec<Vec<usize>> {
    let mut all: Vec<Vec<usize>> = (0..3).map(|kind| vec![kind; 4]).collect();
    for count in 1..=3 {
        for code in 0..3_usize.pow(count) {
            all.push((0..count).map(|i| code / 3_usize.pow(i) % 3).collect());
        }
    }
    all
}

#[test]
fn pieces_are_read_and_written_at_every_place() {
    let step = if cfg!(miri) { 13 } else { 1 };
    for level in Level::available() {
        for kinds in kinds().iter().step_by(step) {
            for len in (0..=LONGEST).step_by(if kinds.len() > 2 { 7 } else { step }) {
                for offset in (0..=len).step_by(step) {
                    for piece in 0..kinds.len() {
                        let got = with_pieces(len, kinds, |streams| {
                            dispatch!(level, isa => one_piece(isa, streams, piece, offset));
                        });
                        let bytes = dispatch!(level, isa => width(isa));
                        let part = (len - offset).min(bytes);
                        let wanted =
                            pieces(
                                len,
                                kinds,
                                |it| {
                                    if it == piece { (offset, part) } else { (0, 0) }
                                },
                            );
                        assert_eq!(got, wanted, "{level}: {kinds:?}, {len}, {piece} from {offset}");
                    }
                    if len - offset >= 16 {
                        let got = with_pieces(len, kinds, |streams| {
                            dispatch!(level, isa => blocks(isa, streams, offset));
                        });
                        let wanted = pieces(len, kinds, |_| (offset, 16));
                        assert_eq!(got, wanted, "{level}: {kinds:?}, {len}, from {offset}");
                    }
                }
                with_pieces(len, kinds, |streams| {
                    dispatch!(level, isa => behind(isa, streams, len));
                });
            }
        }
    }
}

#[inline(always)]
fn width<I: Isa>(_: I) -> usize {
    I::BYTES
}

#[cfg(panic = "unwind")]
#[test]
fn a_place_that_is_in_no_piece_is_refused() {
    for level in Level::available() {
        for len in 0..=40 {
            for offset in (0..=len + 2).chain([usize::MAX, usize::MAX - 15]) {
                with_pieces(len, &[0, 2], |streams| {
                    let whole = offset.checked_add(16).is_some_and(|end| end <= len);
                    let blocks = refused(|| dispatch!(level, isa => blocks(isa, streams, offset)));
                    assert_eq!(blocks, !whole, "{level}: {len} from {offset}");
                    for (piece, there) in [(0, offset <= len), (1, offset <= len), (4, false)] {
                        let one =
                            || dispatch!(level, isa => one_piece(isa, streams, piece, offset));
                        assert_eq!(refused(one), !there, "{level}: {len}, {piece} from {offset}");
                    }
                });
            }
        }
        let none = || with_pieces(0, &[], |it| dispatch!(level, isa => one_piece(isa, it, 0, 0)));
        assert!(refused(none), "there are no pieces");
    }
}
