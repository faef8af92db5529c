//! What the engine adds to the library's own calls, for values of 64 bytes: nanoseconds a value, the
//! median of 41 runs, one value after another and 256 in one call.
//!
//! ```text
//! cargo run --release -p cipherlane-dialects --example overhead
//! ```

use std::hint::black_box;
use std::time::Instant;

use cipherlane::batch::Job;
use cipherlane::registry::{self, Operation};
use cipherlane::{InOut, Level};
use dialects::{Codec, Coding, Drawn, Form, Settings, find};

/// Values that go together.
const VALUES: usize = 256;
/// The same values again, for a run that a clock can tell.
const TIMES: usize = 40;
/// Bytes of a plaintext.
const LEN: usize = 64;

/// Nanoseconds a value of something done to all values.
fn time(mut all: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..41)
        .map(|_| {
            let begin = Instant::now();
            (0..TIMES).for_each(|_| all());
            begin.elapsed().as_nanos() as f64 / (VALUES * TIMES) as f64
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// The library's calls by themselves, on as many bytes as the dialect's cipher sees: one by one, and
/// its batch.
fn library(operation: &Operation, len: usize) -> [f64; 2] {
    let level = Level::detect().expect("a level");
    let key = [7; 16];
    let iv: &[u8] = match operation.name {
        "ecb-encrypt" | "ecb-decrypt" => &[],
        "gcm-seal" | "gcm-open" => &[9; 12],
        _ => &[9; 16],
    };
    let mut tag = [0; 16];
    let mut input = vec![0x5a; len];
    if operation.name == "gcm-open" {
        // What it opens must be right.
        let seal = operation.inverse.and_then(|it| registry::operation(operation.algorithm, it));
        let seal = seal.and_then(|it| it.aead(&key, level).ok()).expect("it seals");
        seal.seal(iv, &[], InOut::from(&mut input[..]), &mut tag).expect("it runs");
    }
    let mut output = vec![0; len];
    let mut io = InOut::disjoint(&input, &mut output).expect("as many bytes");
    let single = if let Some(mode) = operation.block_mode() {
        let cipher = operation.algorithm.cipher(&key, level).expect("a key");
        time(|| {
            for _ in 0..VALUES {
                (mode.message)(&*cipher, iv, black_box(io.reborrow())).expect("it runs");
            }
        })
    } else {
        let aead = operation.aead(&key, level).expect("a key");
        let open = operation.name == "gcm-open";
        time(|| {
            for _ in 0..VALUES {
                let done = if open {
                    aead.open(iv, &[], black_box(io.reborrow()), &tag)
                } else {
                    aead.seal(iv, &[], black_box(io.reborrow()), &mut tag)
                };
                done.expect("it runs");
            }
        })
    };
    let mut batch = operation.ready(&[&key], level).expect("a key");
    let mut outputs = vec![0; len * VALUES];
    let mut tags = vec![tag; VALUES];
    let mut jobs: Vec<Job<'_>> = outputs
        .chunks_exact_mut(len)
        .zip(&mut tags)
        .map(|(output, tag)| {
            let io = InOut::disjoint(&input, output).expect("as many bytes");
            let tag = if operation.name.starts_with("gcm") { &mut tag[..] } else { &mut [] };
            Job::aead(0, iv, &[], io, tag)
        })
        .collect();
    [single, time(|| batch.apply(black_box(&mut jobs)).expect("it runs"))]
}

/// What a dialect's codec takes for these values: one by one, and its batch.
fn engine(codec: &Codec, write: bool) -> [f64; 2] {
    // What is drawn costs next to nothing here: it is neither the library's nor the engine's.
    let mut count = 0u8;
    let mut draw = |_: Drawn, bytes: &mut [u8]| {
        count = count.wrapping_add(1);
        bytes.fill(count);
        Ok(())
    };
    let plain = [b'x'; LEN];
    let mut stored = Vec::new();
    codec.encrypt_with(&plain, &mut stored, &mut draw).expect("it is stored");
    let value = if write { &plain[..] } else { &stored };
    let mut out = Vec::with_capacity(1024);
    let single = time(|| {
        for _ in 0..VALUES {
            out.clear();
            let done = if write {
                codec.encrypt_with(black_box(value), &mut out, &mut draw)
            } else {
                codec.decrypt(black_box(value), &mut out)
            };
            done.expect("it goes well");
        }
    });
    let values = vec![value; VALUES];
    let mut batch = codec.batch().expect("a batch");
    let mut column: Vec<u8> = Vec::with_capacity(VALUES * 1024);
    let all = time(|| {
        column.clear();
        let mut each = |_, value: Result<Option<&[u8]>, dialects::Error>| {
            column.extend_from_slice(value.expect("it goes well").expect("a value"));
        };
        if write {
            batch.encrypt(black_box(&values), &mut draw, &mut each);
        } else {
            batch.decrypt(black_box(&values), &mut each);
        }
    });
    [single, all]
}

fn main() {
    println!("64 bytes, ns a value: the library's calls, and what the engine adds to them");
    let heads = ["one by one", "256 in one call"];
    println!("{:<34} {:^35} {:^35}", "", heads[0], heads[1]);
    print!("{:<34}", "");
    for _ in heads {
        print!(" {:>8} {:>8} {:>8} {:>8}", "library", "raw", "hex", "base64");
    }
    println!();
    for (name, mode, cipher) in [
        ("doris-sm4", "SM4_128_ECB", "sm4"),
        ("doris-sm4", "SM4_128_CBC", "sm4"),
        ("doris-sm4", "SM4_128_CTR", "sm4"),
        ("cipherlane-sm4", "GCM", "sm4"),
        ("mysql-aes", "aes-128-ecb", "aes-128"),
        ("pgcrypto-aes", "aes-cbc", "aes-128"),
        ("spark-aes", "GCM", "aes-128"),
    ] {
        let dialect = find(name).expect("a dialect");
        let algorithm = registry::algorithm(cipher).expect("a cipher");
        for (write, word) in [(false, "decrypting"), (true, "encrypting")] {
            let with = |coding| {
                let settings = Settings {
                    mode: Some(mode),
                    coding: Some(coding),
                    key_form: Some(Form::Bytes),
                    ..Settings::new(&[7; 16])
                };
                dialect.prepare(&settings).expect("settings")
            };
            let codings = [Coding::Raw, Coding::Hex, Coding::Base64];
            let kind = with(Coding::Raw).mode().operation().to_owned();
            let ends = if write { ["-encrypt", "-seal", ""] } else { ["-decrypt", "-open", ""] };
            let operation =
                ends.iter().find_map(|end| registry::operation(algorithm, &format!("{kind}{end}")));
            let padded = if ["ecb", "cbc"].contains(&&*kind) { LEN + 16 } else { LEN };
            let alone = library(&operation.expect("an operation"), padded);
            let taken = codings.map(|coding| engine(&with(coding), write));
            print!("{:<34}", format!("{name} {mode}, {word}"));
            for (way, alone) in alone.into_iter().enumerate() {
                print!(" {alone:>8.0}");
                taken.iter().for_each(|it| print!(" {:>+8.0}", it[way] - alone));
            }
            println!();
        }
    }
}
