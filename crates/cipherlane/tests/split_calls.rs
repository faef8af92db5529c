//! Any split of a message gives the bytes of one call.

use cipherlane::modes::{BlockMode, Buffered, Direction, Padding};
use cipherlane::registry::{ALGORITHMS, Mode, New, Started, operation, operations};
use cipherlane::{BlockCipher, Error, InOut, Level, StreamCipher};
use model::effort::stride;
use model::random::SplitMix64;
use model::table;

/// Something that takes a message piece by piece.
enum Streaming<'c> {
    Stream(Box<dyn StreamCipher + 'c>),
    Blocks(Box<dyn BlockMode + 'c>),
}

impl Streaming<'_> {
    fn unit(&self) -> usize {
        match self {
            Self::Stream(_) => 1,
            Self::Blocks(mode) => mode.block_size(),
        }
    }

    fn piece(&mut self, io: InOut<'_>) {
        match self {
            Self::Stream(stream) => stream.apply_inout(io).unwrap(),
            Self::Blocks(mode) => mode.blocks(io).unwrap(),
        }
    }

    fn reset(&mut self, iv: &[u8]) {
        match self {
            Self::Stream(stream) => stream.reset(iv).unwrap(),
            Self::Blocks(mode) => mode.reset(iv).unwrap(),
        }
    }
}

/// Calls `check` for every streaming object of the registry at every level,
/// with its name, its IV and a function that processes a message in one call.
fn for_each(mut check: impl FnMut(&str, &[u8], Streaming<'_>, &dyn Fn(&mut [u8]))) {
    for algorithm in ALGORITHMS {
        let mut random = SplitMix64::new(9);
        let key = random.bytes(algorithm.key.max);
        for level in Level::available() {
            match algorithm.new {
                New::Stream { iv, unlimited, .. } => {
                    let iv = table::random_iv(algorithm.name, &mut random, iv.max);
                    let start = || unlimited(&key, &iv, level).unwrap();
                    let whole = |data: &mut [u8]| start().apply(data).unwrap();
                    let name = format!("{}, {level}", algorithm.name);
                    check(&name, &iv, Streaming::Stream(start()), &whole);
                }
                New::Block { new, .. } => {
                    let cipher = &*new(&key, level).unwrap();
                    for operation in operations(algorithm) {
                        let Some(mode) = operation.block_mode() else { continue };
                        let iv = random.bytes(operation.iv.max);
                        let whole = |data: &mut [u8]| message(mode, cipher, &iv, data);
                        let streaming = match (mode.start)(cipher, &iv).unwrap() {
                            Started::Stream(stream) => Streaming::Stream(stream),
                            Started::Blocks(mode) => Streaming::Blocks(mode),
                        };
                        let name = format!("{}/{}, {level}", algorithm.name, operation.name);
                        check(&name, &iv, streaming, &whole);
                    }
                }
            }
        }
    }
}

fn message(mode: Mode, cipher: &dyn BlockCipher, iv: &[u8], data: &mut [u8]) {
    (mode.message)(cipher, iv, data.into()).unwrap();
}

#[test]
fn every_cut_in_two() {
    for_each(|name, iv, mut streaming, whole| {
        let unit = streaming.unit();
        let data = SplitMix64::new(1).bytes(match unit {
            // A bit of CFB-1 costs a block.
            1 if name.contains("cfb1") => 40,
            1 => 333,
            _ => 140 * unit,
        });
        let mut expected = data.clone();
        whole(&mut expected);
        for cut in (0..=data.len()).step_by(unit * stride()) {
            streaming.reset(iv);
            let mut out = data.clone();
            let (head, tail) = out.split_at_mut(cut);
            streaming.piece(head.into());
            streaming.piece(tail.into());
            assert!(out == expected, "{name}, cut at {cut}");
        }
    });
}

/// Every length to past some blocks, those around every tile, and more up to 3000; one in some where
/// the effort is to be less.
#[test]
fn every_length_in_random_pieces() {
    let edges = [128, 256, 512, 1024, 2048];
    let around =
        edges.into_iter().flat_map(|edge| [edge - 16, edge - 1, edge, edge + 1, edge + 16]);
    let lengths: Vec<usize> =
        (0..=66).chain(around).chain((111..3000).step_by(321)).chain([2992, 3000]).collect();
    for_each(|name, iv, mut streaming, whole| {
        let unit = streaming.unit();
        // A byte of CFB-8 costs a block, a bit of CFB-1 does.
        let most = if name.contains("cfb1") {
            130
        } else if name.contains("cfb8") {
            700
        } else {
            usize::MAX
        };
        let lengths = lengths.iter().filter(|&len| len % unit == 0 && *len <= most);
        for &len in lengths.step_by(stride().min(5)) {
            let mut random = SplitMix64::new(len as u64);
            let data = random.bytes(len);
            let mut expected = data.clone();
            whole(&mut expected);
            streaming.reset(iv);
            let mut out = vec![0xa5; len];
            let (mut start, longest) = (0, [3, 40, 600, 3000][random.below(4)].max(unit));
            while start < len {
                let end = len.min(start + (1 + random.below(longest)).next_multiple_of(unit));
                let (input, output) = (&data[start..end], &mut out[start..end]);
                if random.below(2) == 0 {
                    output.copy_from_slice(input);
                    streaming.piece(output.into());
                } else {
                    streaming.piece(InOut::disjoint(input, output).unwrap());
                }
                start = end;
            }
            assert!(out == expected, "{name}, {len} bytes, pieces of {longest} at most");
        }
    });
}

#[test]
fn random_cuts_into_many() {
    for_each(|name, iv, mut streaming, whole| {
        let unit = streaming.unit();
        for seed in (0..24).step_by(stride()) {
            let mut random = SplitMix64::new(seed);
            let len = 9000 / unit * unit;
            let data = random.bytes(len);
            let mut expected = data.clone();
            whole(&mut expected);
            // Mostly short pieces, or mostly long ones, some of them empty.
            let longest = [20, 100, 2200, 5000][random.below(4)].max(2 * unit);
            streaming.reset(iv);
            let mut out = vec![0; len];
            let mut start = 0;
            let mut cuts = vec![];
            while start < len {
                let end = len.min(start + random.below(longest) / unit * unit);
                cuts.push(end);
                let (input, output) = (&data[start..end], &mut out[start..end]);
                if random.below(2) == 0 {
                    output.copy_from_slice(input);
                    streaming.piece(output.into());
                } else {
                    streaming.piece(InOut::disjoint(input, output).unwrap());
                }
                start = end;
            }
            assert!(out == expected, "{name}, seed {seed}, cut at {cuts:?}");
        }
    });
}

/// Gives `data` to a buffered mode in pieces that end at `cuts` and at its own
/// end, in place those that have room; returns what came out.
fn buffered<M: BlockMode>(
    mode: &mut Buffered<M>,
    data: &[u8],
    cuts: &[usize],
    in_place: bool,
) -> Vec<u8> {
    let mut out = Vec::new();
    let mut start = 0;
    for &end in cuts.iter().chain([&data.len()]) {
        let piece = &data[start..end];
        let ready = mode.update_len(piece.len());
        let old = out.len();
        start = end;
        if in_place {
            let mut piece = piece.to_vec();
            let (got, needed) = (piece.len(), ready);
            let done = mode.update_in_place(&mut piece);
            if got >= needed {
                assert_eq!(done, Ok(ready));
                out.extend_from_slice(&piece[..ready]);
                continue;
            }
            assert_eq!(done, Err(Error::OutputLength { got, needed }));
        }
        out.resize(old + ready, 0);
        assert_eq!(mode.update(piece, &mut out[old..]), Ok(ready));
    }
    let old = out.len();
    out.resize(old + 16, 0);
    let last = mode.finish(&mut out[old..]).unwrap();
    out.truncate(old + last);
    out
}

/// Padding as the standards say it: RFC 5652 §6.3, and a mark and zeros.
fn padded(padding: Padding, data: &[u8], block: usize) -> Vec<u8> {
    let len = data.len() + block - data.len() % block;
    let mut out = data.to_vec();
    match padding {
        Padding::Pkcs7 => out.resize(len, (len - data.len()) as u8),
        Padding::Iso7816 => {
            out.push(0x80);
            out.resize(len, 0);
        }
        Padding::None => {}
    }
    out
}

#[test]
fn every_cut_of_a_padded_message() {
    for padding in [Padding::Pkcs7, Padding::Iso7816] {
        for_each(|name, iv, streaming, whole| {
            let Streaming::Blocks(mode) = streaming else { return };
            let unit = mode.block_size();
            let encrypts = mode.direction() == Direction::Encrypt;
            let mut mode = Buffered::new(mode, padding);
            for len in 0..=3 * unit + 1 {
                let text = SplitMix64::new(len as u64).bytes(len);
                let padded = padded(padding, &text, unit);
                // What the operation in one call makes of whole blocks ties the other side.
                let (data, expected) = if encrypts {
                    let mut expected = padded;
                    whole(&mut expected);
                    (text, expected)
                } else {
                    let data = ciphertext_of(name, iv, &padded);
                    let mut check = data.clone();
                    whole(&mut check);
                    assert_eq!(check, padded, "{name}, {len} bytes");
                    (data, text)
                };
                for cut in 0..=data.len() {
                    for in_place in [false, true] {
                        mode.reset(iv).unwrap();
                        let out = buffered(&mut mode, &data, &[cut], in_place);
                        assert_eq!(out, expected, "{name}, {padding:?}, {len} bytes, cut at {cut}");
                    }
                }
            }
        });
    }
}

/// What the inverse of a registered decryption, named `ALGORITHM/OPERATION, LEVEL`,
/// makes of `data`, under the key that [`for_each`] uses.
fn ciphertext_of(name: &str, iv: &[u8], data: &[u8]) -> Vec<u8> {
    let (path, level) = name.split_once(", ").unwrap();
    let path = path.split_once('/').unwrap();
    let algorithm = cipherlane::registry::algorithm(path.0).unwrap();
    let inverse = operation(algorithm, path.1).unwrap().inverse.unwrap();
    let inverse = operation(algorithm, inverse).and_then(|it| it.block_mode()).unwrap();
    let New::Block { new, .. } = algorithm.new else { panic!("{name} is no block cipher") };
    let key = SplitMix64::new(9).bytes(algorithm.key.max);
    let cipher = new(&key, Level::by_name(level).unwrap()).unwrap();
    let mut out = data.to_vec();
    message(inverse, &*cipher, iv, &mut out);
    out
}

#[test]
fn random_cuts_of_whole_blocks_without_padding() {
    for_each(|name, iv, streaming, whole| {
        let unit = streaming.unit();
        let Streaming::Blocks(mode) = streaming else { return };
        let mut mode = Buffered::new(mode, Padding::None);
        for seed in 0..60 {
            let mut random = SplitMix64::new(seed);
            let len = random.below(40) * unit;
            let data = random.bytes(len);
            let mut expected = data.clone();
            whole(&mut expected);
            let mut cuts: Vec<usize> =
                (0..random.below(6)).map(|_| random.below(len + 1)).collect();
            cuts.sort_unstable();
            mode.reset(iv).unwrap();
            let out = buffered(&mut mode, &data, &cuts, seed % 2 == 0);
            assert_eq!(out, expected, "{name}, seed {seed}");
        }
    });
}
