//! What files begin with.

use std::sync::LazyLock;

/// A format, where its bytes stand, and the bytes: two digits, some with alternatives, or `?`
/// for any.
const FORMATS: &[(&str, usize, &str)] = &[
    ("PDF", 0, "25 50 44 46 2d 31|32 2e"),
    ("PNG", 0, "89 50 4e 47 0d 0a 1a 0a 00 00 00 0d 49 48 44 52"),
    ("JPEG", 0, "ff d8 ff e0 00 10 4a 46 49 46 00"),
    ("JPEG", 0, "ff d8 ff e1 ? ? 45 78 69 66 00 00"),
    ("JPEG", 0, "ff d8 ff db|e0|e1|e2|ee|fe"),
    ("GIF", 0, "47 49 46 38 37|39 61"),
    ("ZIP", 0, "50 4b 03 04 0a|14|2d 00 00|02|06|08 00|08 00|08 00"),
    ("ZIP", 0, "50 4b 03 04"),
    ("gzip", 0, "1f 8b 08 00|08 ? ? ? ? 00|02|04 00|03|07|0a|0b|ff"),
    ("bzip2", 0, "42 5a 68 31|32|33|34|35|36|37|38|39 31 41 59 26 53 59"),
    ("xz", 0, "fd 37 7a 58 5a 00 00 00|01|04|0a"),
    ("Zstandard", 0, "28 b5 2f fd"),
    ("7z", 0, "37 7a bc af 27 1c 00 03|04"),
    ("tar", 257, "75 73 74 61 72 00|20 30|20 00|30"),
    ("ELF", 0, "7f 45 4c 46 01|02 01|02 01"),
    ("Java class", 0, "ca fe ba be 00 00 00"),
    ("SQLite", 0, "53 51 4c 69 74 65 20 66 6f 72 6d 61 74 20 33 00"),
    ("Parquet", 0, "50 41 52 31"),
    ("Microsoft Office, before 2007", 0, "d0 cf 11 e0 a1 b1 1a e1"),
    ("MP4", 0, "00 00 00 ? 66 74 79 70"),
    ("RIFF", 0, "52 49 46 46 ? ? ? ? 41|57 41|45 42|56 20|45|50"),
    ("Ogg", 0, "4f 67 67 53 00 02"),
    ("Windows program", 0, "4d 5a 90 00 03 00 00 00"),
    ("Cipherlane file", 0, "43 4c 41 4e 45"),
];

/// A format, ready to be compared.
struct Format {
    name: &'static str,
    at: usize,
    /// Which bytes are allowed; none: all.
    bytes: Vec<Vec<u8>>,
    bits: f64,
}

static READY: LazyLock<Vec<Format>> = LazyLock::new(|| {
    let ready = FORMATS.iter().map(|(name, at, pattern)| {
        let digits = |it: &str| u8::from_str_radix(it, 16).ok();
        let bytes: Vec<Vec<u8>> = match *name {
            "Cipherlane file" => container::MAGIC.iter().map(|byte| vec![*byte]).collect(),
            _ => pattern.split(' ').map(|it| it.split('|').filter_map(digits).collect()).collect(),
        };
        let one = |it: &Vec<u8>| if it.is_empty() { 0.0 } else { 8.0 - (it.len() as f64).log2() };
        let bits = bytes.iter().map(one).sum();
        Format { name, at: *at, bytes, bits }
    });
    ready.collect()
});

/// A signature that was found.
pub(crate) struct Found {
    pub(crate) name: &'static str,
    /// What it proves, the number of formats paid for.
    pub(crate) bits: f64,
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// The strongest signature whose bytes are all `fresh`.
pub(crate) fn signature(plain: &[u8], fresh: impl Fn(usize) -> bool) -> Option<Found> {
    let there = READY.iter().filter(|format| {
        let end = format.at + format.bytes.len();
        plain.get(format.at..end).is_some_and(|bytes| {
            bytes.iter().zip(&format.bytes).all(|(byte, set)| set.is_empty() || set.contains(byte))
        }) && (format.at..end).all(&fresh)
    });
    let best = there.max_by(|a, b| a.bits.total_cmp(&b.bits))?;
    let (from, to) = (best.at, best.at + best.bytes.len());
    let bits = best.bits - (READY.len() as f64).log2();
    Some(Found { name: best.name, bits, from, to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_as_written() {
        for format in READY.iter() {
            assert!(format.bits >= 24.0 && !format.bytes.is_empty(), "{}", format.name);
            let mut file = vec![0x77; format.at + format.bytes.len()];
            for (at, set) in format.bytes.iter().enumerate() {
                file[format.at + at] = *set.last().unwrap_or(&0x77);
            }
            let found = signature(&file, |_| true).unwrap();
            assert_eq!(found.name, format.name);
            assert!(signature(&file, |at| at != format.at).is_none());
            file[format.at] ^= 0xff;
            assert!(signature(&file, |_| true).is_none());
        }
    }
}
