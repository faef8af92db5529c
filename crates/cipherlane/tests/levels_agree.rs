//! Every level gives the bytes of `portable`: at every length up to four of the
//! widest tiles and one byte more, at every alignment, in place and buffer to
//! buffer, and without a write beside the buffer.

use cipherlane::registry::{ALGORITHMS, Algorithm, New, Operation, operations};
use cipherlane::{Error, InOut, Level};
use model::all_cores::share_out;
use model::effort::stride;
use model::random::SplitMix64;
use model::table;

/// The widest tile in bytes: two groups of 16 registers of 64 bytes.
const TILE: usize = 2048;
const LONGEST: usize = 4 * TILE + 1;

/// Lengths at which every alignment is tried: around blocks, registers and tiles.
const EDGES: [usize; 20] =
    [0, 1, 7, 15, 16, 17, 31, 33, 47, 63, 64, 65, 127, 129, 255, 257, 512, 1023, 1025, LONGEST];

/// What stands around a buffer and must still stand there afterwards.
const GUARD: u8 = 0xc3;

/// Room for a buffer at any offset from a 64-byte boundary, with guards around it.
struct Room {
    bytes: Vec<u8>,
    boundary: usize,
}

impl Room {
    fn new() -> Self {
        let bytes = vec![GUARD; LONGEST + 4 * 64];
        let boundary = 64 + bytes[64..].as_ptr().align_offset(64);
        Self { bytes, boundary }
    }

    /// The buffer of `len` bytes that starts `offset` bytes behind the boundary.
    fn at(&mut self, offset: usize, len: usize) -> &mut [u8] {
        let start = self.boundary + offset;
        let buffer = &mut self.bytes[start..start + len];
        assert_eq!(buffer.as_ptr().addr() % 64, offset);
        buffer
    }

    /// Checks the buffer and what is around it, and wipes it for the next use.
    fn check(&mut self, offset: usize, expected: &[u8], place: &dyn Fn() -> String) {
        let start = self.boundary + offset;
        let end = start + expected.len();
        assert!(self.bytes[start..end] == *expected, "{}", place());
        self.bytes[start..end].fill(GUARD);
        let intact = self.bytes.iter().all(|&byte| byte == GUARD);
        assert!(intact, "{}: wrote beside the buffer", place());
    }
}

/// A whole message, at a level.
type Process<'a> = &'a dyn Fn(Level, InOut<'_>) -> Result<(), Error>;

/// The lengths at which a message of whole units is compared: all, or for modes that
/// call the cipher block by block, where all would take minutes, those of the first
/// tile's quarter, the edges, and some beyond.
fn lengths(unit: usize, all: bool) -> impl Iterator<Item = usize> {
    (0..=LONGEST).step_by(unit).filter(move |&len| {
        let edge = EDGES.iter().any(|&edge| edge.next_multiple_of(unit) == len);
        all || edge || len <= TILE / 4 || (len / unit).is_multiple_of(61)
    })
}

/// Compares all levels with `portable`, at the given lengths, which are whole units.
fn compare(
    name: &str,
    unit: usize,
    lengths: impl Iterator<Item = usize>,
    data: &[u8],
    process: Process<'_>,
) {
    let (mut input, mut room) = (Room::new(), Room::new());
    let mut expected = Vec::new();
    for (case, len) in lengths.enumerate() {
        let edge = EDGES.iter().any(|&edge| edge.next_multiple_of(unit) == len);
        if !edge && case % stride() != 0 {
            continue;
        }
        let data = &data[..len];
        expected.clear();
        expected.extend(data);
        process(Level::portable(), expected.as_mut_slice().into()).unwrap();

        // All alignments where it matters most, else one that changes with the length.
        let alignments =
            if edge { (0..64).step_by(stride()).collect() } else { vec![(len / unit * 13) % 64] };
        for level in Level::available() {
            for &offset in &alignments {
                let place =
                    |how: &str| format!("{name}, {level}, {len} bytes, offset {offset}, {how}");

                let buffer = room.at(offset, len);
                buffer.copy_from_slice(data);
                process(level, buffer.into()).unwrap();
                room.check(offset, &expected, &|| place("in place"));

                let from = (offset * 29 + 5) % 64;
                input.at(from, len).copy_from_slice(data);
                let (source, output) = (&*input.at(from, len), room.at(offset, len));
                process(level, InOut::disjoint(source, output).unwrap()).unwrap();
                room.check(offset, &expected, &|| place("buffer to buffer"));
                input.check(from, data, &|| place("the input"));
            }
        }
    }
}

#[test]
fn modes_of_block_ciphers() {
    let all: Vec<(&Algorithm, Operation)> = ALGORITHMS
        .iter()
        .flat_map(|it| operations(it).map(move |operation| (it, operation)))
        .collect();
    share_out(
        &all,
        || (),
        |(), (algorithm, operation)| {
            let New::Block { block, new, .. } = algorithm.new else { return };
            let Some(mode) = operation.block_mode() else { return };
            let mut random = SplitMix64::new(7);
            let key = random.bytes(algorithm.key.max);
            let iv = random.bytes(operation.iv.max);
            let data = random.bytes(LONGEST);
            let ciphers: Vec<_> =
                Level::available().map(|level| (level, new(&key, level).unwrap())).collect();
            let process = |level, io: InOut<'_>| {
                let (_, cipher) = ciphers.iter().find(|(at, _)| *at == level).unwrap();
                (mode.message)(&**cipher, &iv, io)
            };
            let unit = if operation.whole_blocks() { block } else { 1 };
            let name = format!("{}/{}", algorithm.name, operation.name);
            let feedback = !operation.whole_blocks() && operation.name != "ctr";
            // A block for every bit: no length tells more than a short one.
            let most = if operation.name.starts_with("cfb1-") { 200 } else { LONGEST };
            let lengths = lengths(unit, !feedback).filter(|len| *len <= most);
            compare(&name, unit, lengths, &data, &process);
        },
    );
}

#[test]
fn stream_ciphers() {
    share_out(
        ALGORITHMS,
        || (),
        |(), algorithm| {
            let New::Stream { iv, unlimited, .. } = algorithm.new else { return };
            let mut random = SplitMix64::new(8);
            let key = random.bytes(algorithm.key.max);
            let iv = table::random_iv(algorithm.name, &mut random, iv.max);
            let data = random.bytes(LONGEST);
            let process = |level, io: InOut<'_>| {
                unlimited(&key, &iv, level).and_then(|mut s| s.apply_inout(io))
            };
            // Serial, therefore slow: past one tile in steps that meet every remainder.
            let lengths = (0..TILE).chain((TILE..LONGEST).step_by(7)).chain([LONGEST]);
            compare(algorithm.name, 1, lengths, &data, &process);
        },
    );
}
