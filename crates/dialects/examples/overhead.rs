//! What the engine adds to the library's own call, for values of 64 bytes: nanoseconds a value, the
//! median of 21 runs.
//!
//! ```text
//! cargo run --release -p cipherlane-dialects --example overhead
//! ```

use std::hint::black_box;
use std::time::Instant;

use cipherlane::registry;
use cipherlane::{InOut, Level};
use dialects::{Coding, Form, Settings, find};

/// Values a run.
const VALUES: usize = 20_000;

/// Nanoseconds a value.
fn time(mut run: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..21)
        .map(|_| {
            let begin = Instant::now();
            run();
            begin.elapsed().as_nanos() as f64 / VALUES as f64
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// The library's call by itself, on as many bytes as the dialect decrypts.
fn library(cipher: &str, operation: &str, len: usize) -> f64 {
    let level = Level::detect().expect("a level");
    let algorithm = registry::algorithm(cipher).expect("a cipher");
    let operation = registry::operation(algorithm, operation).expect("an operation");
    let key = [7; 16];
    let mut data = vec![0x5a; len];
    if let Some(mode) = operation.block_mode() {
        let cipher = algorithm.cipher(&key, level).expect("a key");
        let iv: &[u8] = if operation.name.starts_with("ecb") { &[] } else { &[9; 16] };
        return time(|| {
            for _ in 0..VALUES {
                (mode.message)(&*cipher, iv, InOut::from(black_box(&mut data[..])))
                    .expect("it runs");
            }
        });
    }
    let aead = operation.aead(&key, level).expect("a key");
    let mut tag = [0; 16];
    time(|| {
        for _ in 0..VALUES {
            aead.seal(&[9; 12], &[], InOut::from(black_box(&mut data[..])), &mut tag)
                .expect("it runs");
        }
    })
}

fn main() {
    println!(
        "{:<34} {:>8} {:>8} {:>8} {:>8}",
        "64 bytes, ns a value", "library", "raw", "hex", "base64"
    );
    for (name, mode, operation, cipher, len) in [
        ("mysql-aes", "aes-128-ecb", "ecb-decrypt", "aes-128", 80),
        ("doris-sm4", "SM4_128_ECB", "ecb-decrypt", "sm4", 80),
        ("doris-sm4", "SM4_128_CTR", "ctr", "sm4", 64),
        ("pgcrypto-aes", "aes-cbc", "cbc-decrypt", "aes-128", 80),
        ("spark-aes", "GCM", "gcm-seal", "aes-128", 64),
    ] {
        let dialect = find(name).expect("a dialect");
        let alone = library(cipher, operation, len);
        let mut line = format!("{:<34} {alone:>8.0}", format!("{name} {mode}, decrypting"));
        for coding in [Coding::Raw, Coding::Hex, Coding::Base64] {
            let settings = Settings {
                mode: Some(mode),
                coding: Some(coding),
                key_form: Some(Form::Bytes),
                ..Settings::new(&[7; 16])
            };
            let codec = dialect.prepare(&settings).expect("settings");
            let mut stored = Vec::new();
            codec.encrypt(&[b'x'; 64], &mut stored).expect("it is stored");
            let mut out = Vec::with_capacity(1024);
            let whole = time(|| {
                for _ in 0..VALUES {
                    out.clear();
                    codec.decrypt(black_box(&stored), &mut out).expect("it opens");
                }
            });
            line += &format!(" {:>+8.0}", whole - alone);
        }
        println!("{line}");
    }
}
