//! Every piece and every place of it, at every level.

use std::vec;
use std::vec::Vec;

use super::*;
use crate::{Level, dispatch};

#[inline(always)]
fn copy<I: Isa>(isa: I, streams: &mut Streams<'_, 8>) {
    for offset in (0..streams.len()).step_by(BLOCK) {
        for first in (0..8).step_by(I::BYTES / BLOCK) {
            let v = streams.load_blocks(isa, first, offset);
            streams.store_blocks(isa, first, offset, isa.xor(v, isa.splat8(0xff)));
        }
    }
}

#[test]
fn every_block_goes_where_it_belongs() {
    for level in Level::available() {
        for used in 0..=8 {
            let input: Vec<Vec<u8>> = (0..used).map(|i| vec![i; 48]).collect();
            let mut output: Vec<Vec<u8>> = vec![vec![0x55; 48]; usize::from(used)];
            let mut in_place = input.clone();
            let mut streams = Streams::new();
            let places = output.iter_mut().zip(&mut in_place);
            for (i, (input, (output, in_place))) in input.iter().zip(places).enumerate() {
                match i % 3 {
                    0 => streams.push(InOut::disjoint(input, output).unwrap()),
                    1 => streams.push(in_place.as_mut_slice().into()),
                    _ => streams.push_input(input),
                }
            }
            dispatch!(level, isa => copy(isa, &mut streams));
            for i in 0..usize::from(used) {
                let done = vec![!(i as u8); 48];
                let output_expected = if i % 3 == 0 { &done } else { &vec![0x55; 48] };
                let in_place_expected = if i % 3 == 1 { &done } else { &input[i] };
                assert_eq!(&output[i], output_expected, "{level}, {i} of {used}");
                assert_eq!(&in_place[i], in_place_expected, "{level}, {i} of {used}");
            }
        }
    }
}

#[test]
fn texts_tell_lengths_and_no_data() {
    let mut data = [0x5e; 40];
    let other = data;
    let mut streams = Streams::<8>::default();
    streams.push_input(&other);
    assert_eq!(std::format!("{streams:?}"), "Streams(1 of 40 bytes)");
    assert_eq!(std::format!("{:?}", InOut::from(&mut data[..])), "InOut(40 bytes, in place)");
    let pair = InOut::disjoint(&other, &mut data).unwrap();
    assert_eq!(std::format!("{pair:?}"), "InOut(40 bytes, disjoint)");
}

#[inline(always)]
fn copy_registers<I: Isa>(isa: I, streams: &mut Streams<'_, 4>) {
    for offset in (0..streams.len()).step_by(I::BYTES) {
        for piece in 0..4 {
            let v = streams.load(isa, piece, offset);
            streams.store(isa, piece, offset, isa.xor(v, isa.splat8(0xff)));
        }
    }
}

#[test]
fn registers_of_one_piece_end_with_it() {
    for level in Level::available() {
        for len in 1..150 {
            let read: Vec<u8> = (0..len).collect();
            let mut output = vec![0x55; usize::from(len) + 1];
            let mut in_place = read.clone();
            let mut streams = Streams::new();
            let exact = &mut output[..usize::from(len)];
            streams.push(InOut::disjoint(&read, exact).unwrap());
            streams.push_input(&read);
            streams.push(in_place.as_mut_slice().into());
            dispatch!(level, isa => copy_registers(isa, &mut streams));
            let mut done: Vec<u8> = read.iter().map(|byte| !byte).collect();
            assert_eq!(in_place, done, "{level}, {len}");
            done.push(0x55);
            assert_eq!(output, done, "{level}, {len}");
        }
    }
}

#[inline(always)]
fn copy_each<I: Isa>(isa: I, streams: &mut Streams<'_, 4>) {
    for offset in (0..streams.len() / I::BYTES * I::BYTES).step_by(I::BYTES) {
        let mut two = streams.load_each::<I, 2>(isa, 0, offset);
        for v in &mut two {
            *v = isa.xor(*v, isa.splat8(0xff));
        }
        streams.store_each(isa, 0, offset, two);
        let [third, _] = streams.load_each(isa, 2, offset);
        streams.store_each(isa, 2, offset, [isa.xor(third, isa.splat8(0xff)), third]);
    }
}

#[inline(always)]
fn whole_bytes<I: Isa>(_: I, len: usize) -> usize {
    len / I::BYTES * I::BYTES
}

#[test]
fn registers_of_several_pieces_go_where_they_belong() {
    for level in Level::available() {
        for len in (1..200).step_by(3) {
            let read: Vec<u8> = (0..len).collect();
            let mut output = vec![0x55; usize::from(len)];
            let mut in_place = read.clone();
            let mut streams = Streams::new();
            streams.push(InOut::disjoint(&read, &mut output).unwrap());
            streams.push_input(&read);
            streams.push(in_place.as_mut_slice().into());
            dispatch!(level, isa => copy_each(isa, &mut streams));
            let whole = dispatch!(level, isa => whole_bytes(isa, usize::from(len)));
            let done: Vec<u8> = read[..whole].iter().map(|byte| !byte).collect();
            assert_eq!(output[..whole], done, "{level}, {len}");
            assert!(output[whole..].iter().all(|byte| *byte == 0x55), "{level}, {len}");
            assert_eq!(in_place[..whole], done, "{level}, {len}");
            assert_eq!(in_place[whole..], read[whole..], "{level}, {len}");
        }
    }
}

#[cfg(panic = "unwind")]
#[test]
#[should_panic(expected = "a whole register")]
fn a_register_past_the_end_is_refused() {
    let data = [0; 40];
    let mut streams = Streams::<8>::new();
    streams.push_input(&data);
    let _ = streams.load_each::<_, 2>(crate::Portable, 0, 40);
}

#[cfg(panic = "unwind")]
#[test]
#[should_panic(expected = "so many pieces")]
fn pieces_past_the_last_are_refused() {
    let data = [0; 64];
    let mut streams = Streams::<8>::new();
    streams.push_input(&data);
    let _ = streams.load_each::<_, 2>(crate::Portable, 7, 0);
}

#[cfg(panic = "unwind")]
#[test]
#[should_panic(expected = "a whole block")]
fn a_block_past_the_end_is_refused() {
    let data = [0; 40];
    let mut streams = Streams::<8>::new();
    streams.push_input(&data);
    let _ = streams.load_blocks(crate::Portable, 0, 32);
}

#[cfg(panic = "unwind")]
#[test]
#[should_panic(expected = "pieces of one length")]
fn a_piece_of_another_length_is_refused() {
    let mut streams = Streams::<8>::new();
    streams.push_input(&[0; 32]);
    streams.push_input(&[0; 16]);
}
