//! The program of `encrypted_env.c` over the library, with the same words:
//!
//!     encrypted_env write FILE CIPHER KEY <data
//!     encrypted_env read FILE KEY OFFSET LENGTH
//!     encrypted_env figures FILE CIPHER
//!
//! A store has `encrypted_env.rs` and nothing of this.

mod encrypted_env;

use std::fs::{self, File};
use std::io::{self, Error, Read as _, Write as _};
use std::path::Path;
use std::time::Instant;

use encrypted_env::{EncryptedFile, IV, invalid};

/// What is written and read at a time.
const PIECE: usize = 1 << 16;

/// Bytes of the file that is measured.
const TOTAL: u64 = 64 << 20;

/// An IV for a file, drawn by the system.
fn drawn() -> io::Result<[u8; IV]> {
    let mut iv = [0; IV];
    File::open("/dev/urandom")?.read_exact(&mut iv)?;
    Ok(iv)
}

/// A key in hexadecimal digits.
fn key(digits: &str) -> io::Result<Vec<u8>> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair));
    let byte = |pair: Result<&str, _>| {
        u8::from_str_radix(pair.map_err(invalid)?, 16).map_err(invalid)
    };
    pairs.map(byte).collect()
}

fn write(path: &Path, cipher: &str, key: &[u8]) -> io::Result<()> {
    let file = EncryptedFile::create(path, cipher, key, drawn()?)?;
    let (mut data, mut offset) = ([0; 1000], 0);
    loop {
        let length = io::stdin().read(&mut data)?;
        if length == 0 {
            return Ok(());
        }
        file.write_at(offset, &mut data[..length])?;
        offset += length as u64;
    }
}

fn read(path: &Path, key: &[u8], mut offset: u64, mut left: u64) -> io::Result<()> {
    let file = EncryptedFile::open(path, key)?;
    let mut data = vec![0; PIECE];
    loop {
        let asked = left.min(PIECE as u64) as usize;
        let length = file.read_at(offset, &mut data[..asked])?;
        if length == 0 {
            return Ok(());
        }
        io::stdout().write_all(&data[..length])?;
        offset += length as u64;
        left -= length as u64;
    }
}

/// In the shape of `db_bench`, in the page cache; medians of five. The bytes and the places are those of
/// `encrypted_env.c`, and so is what is printed of them in the end.
fn figures(path: &Path, cipher: &str) -> io::Result<()> {
    let key = vec![0; if cipher == "AES-256-CTR" { 32 } else { 16 }];
    let _ = fs::remove_file(path);
    let file = EncryptedFile::create(path, cipher, &key, drawn()?)?;
    let mut data = vec![0; PIECE];
    let mut digest: u64 = 14_695_981_039_346_656_037;
    for (task, (name, size, count)) in [
        ("write, 64 KiB", PIECE, TOTAL / PIECE as u64),
        ("read on, 64 KiB", PIECE, TOTAL / PIECE as u64),
        ("read anywhere, 16 KiB", 16384, 4000),
        ("read anywhere, 4 KiB", 4096, 16000),
        ("read anywhere, 256 B", 256, 64000),
    ]
    .into_iter()
    .enumerate()
    {
        let mut rates = [0.0; 5];
        for rate in &mut rates {
            let (mut random, mut offset) = (1_u64, 0);
            let began = Instant::now();
            for turn in 0..count {
                if task == 0 {
                    data[..size].fill(turn as u8);
                    file.write_at(offset, &mut data[..size])?;
                } else {
                    file.read_at(offset, &mut data[..size])?;
                    let byte = data[turn as usize % size];
                    digest = (digest ^ u64::from(byte)).wrapping_mul(1_099_511_628_211);
                }
                random = random
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let anywhere = (random >> 20) % (TOTAL - PIECE as u64);
                offset = if task < 2 { offset + PIECE as u64 } else { anywhere };
            }
            *rate = 1e-6 * (size as u64 * count) as f64 / began.elapsed().as_secs_f64();
        }
        rates.sort_by(f64::total_cmp);
        println!("{cipher} {name}: {:.0} MB/s", rates[2]);
    }
    println!("{cipher} by the library read {digest:016x}");
    Ok(())
}

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse().map_err(invalid);
    match words[..] {
        ["write", path, cipher, digits] => write(Path::new(path), cipher, &key(digits)?),
        ["read", path, digits, offset, length] => {
            read(Path::new(path), &key(digits)?, number(offset)?, number(length)?)
        }
        ["figures", path, cipher] => figures(Path::new(path), cipher),
        _ => Err(Error::other(
            "write FILE CIPHER KEY | read FILE KEY OFFSET LENGTH | figures FILE CIPHER",
        )),
    }
}
