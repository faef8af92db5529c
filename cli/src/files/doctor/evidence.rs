//! How much plaintext looks like plaintext, in bits: random bytes reach `n` bits by chance once
//! in 2ⁿ trials, so that what is left after subtracting log₂ of the trials tells how sure one
//! may be.

use std::f64::consts::LN_2;

/// Bytes of the plaintext that are looked at.
const LOOKED_AT: usize = 4096;

/// What files begin with: a name, an offset, the bytes there.
const SIGNATURES: &[(&str, usize, &[u8])] = &[
    ("PDF", 0, b"%PDF-"),
    ("PNG", 0, b"\x89PNG\r\n\x1a\n"),
    ("JPEG", 0, b"\xff\xd8\xff"),
    ("GIF", 0, b"GIF8"),
    ("ZIP", 0, b"PK\x03\x04"),
    ("gzip", 0, b"\x1f\x8b\x08"),
    ("bzip2", 0, b"BZh"),
    ("xz", 0, b"\xfd7zXZ\0"),
    ("Zstandard", 0, b"\x28\xb5\x2f\xfd"),
    ("7z", 0, b"7z\xbc\xaf\x27\x1c"),
    ("tar", 257, b"ustar"),
    ("ELF", 0, b"\x7fELF"),
    ("Java class", 0, b"\xca\xfe\xba\xbe"),
    ("SQLite", 0, b"SQLite format 3\0"),
    ("Parquet", 0, b"PAR1"),
    ("Microsoft Office, before 2007", 0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
    ("MP4", 4, b"ftyp"),
    ("RIFF", 0, b"RIFF"),
    ("Ogg", 0, b"OggS"),
    ("Cipherlane file", 0, &container::MAGIC),
];

/// A sign that bytes are plaintext.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sign {
    pub(crate) bits: f64,
    pub(crate) says: String,
}

/// The strongest sign in the content, if there is any.
pub(crate) fn content(plain: &[u8]) -> Option<Sign> {
    let head = &plain[..plain.len().min(LOOKED_AT)];
    let signs = [signature(plain), text(head, head.len() < plain.len()), uneven(head)];
    signs.into_iter().flatten().max_by(|a, b| a.bits.total_cmp(&b.bits))
}

/// The file format whose signature stands at the beginning, and what the rest adds to it.
pub(crate) fn signature(plain: &[u8]) -> Option<Sign> {
    let (name, _, bytes) = SIGNATURES
        .iter()
        .find(|(_, at, bytes)| plain.get(*at..).is_some_and(|it| it.starts_with(bytes)))?;
    let head = &plain[..plain.len().min(LOOKED_AT)];
    let rest = uneven(head).map_or(0.0, |sign| sign.bits);
    Some(Sign { bits: 8.0 * bytes.len() as f64 + rest, says: format!("begins as {name} does") })
}

/// Text in UTF-8 without control characters; `cut` if the text goes on.
fn text(head: &[u8], cut: bool) -> Option<Sign> {
    let text = match str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if cut && error.error_len().is_none() => {
            str::from_utf8(&head[..error.valid_up_to()]).ok()?
        }
        Err(_) => return None,
    };
    if text.is_empty() || text.chars().any(|it| it.is_control() && !"\t\r\n".contains(it)) {
        return None;
    }
    // By chance a byte is one of 98 in ASCII, and so many code points have two, three, four
    // bytes.
    let by_chance = |length| match length {
        1 => 98_f64,
        2 => 1920.0,
        3 => 61440.0,
        _ => 1_048_576.0,
    };
    let bits = text.chars().map(|it| 8.0 * it.len_utf8() as f64 - by_chance(it.len_utf8()).log2());
    let says = if text.is_ascii() { "is text (ASCII)" } else { "is text (UTF-8)" };
    Some(Sign { bits: bits.sum(), says: says.to_owned() })
}

/// Bytes that are not equally frequent: what a code made for them saves, less its table.
fn uneven(head: &[u8]) -> Option<Sign> {
    let mut counts = [0_u32; 256];
    for byte in head {
        counts[usize::from(*byte)] += 1;
    }
    let (n, seen) = (head.len() as f64, counts.iter().filter(|count| **count > 0));
    let code: f64 =
        seen.clone().map(|count| -f64::from(*count) * (f64::from(*count) / n).ln()).sum();
    // Which bytes occur, and how often each.
    let kinds = seen.count() as f64;
    let table = 8.0 * kinds + kinds * (n + 1.0).log2();
    let bits = 8.0 * n - code / LN_2 - table;
    (bits > 0.0).then(|| Sign { bits, says: "has uneven bytes".to_owned() })
}

/// The paddings that leave a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Pkcs7,
    Iso7816,
}

/// The padding at the end of whole blocks, how many bytes it has, and what it proves.
pub(crate) fn padding(plain: &[u8], block: usize) -> Option<(Mark, usize, Sign)> {
    if plain.is_empty() || !plain.len().is_multiple_of(block) {
        return None;
    }
    let last = &plain[plain.len() - block..];
    let sign = |name: &str, len: usize| Sign {
        bits: 8.0 * len as f64,
        says: format!("{name} padding of {len} bytes is valid"),
    };
    let filler = last[block - 1];
    let len = usize::from(filler);
    if (1..=block).contains(&len) && last[block - len..].iter().all(|byte| *byte == filler) {
        return Some((Mark::Pkcs7, len, sign("PKCS#7", len)));
    }
    let zeros = last.iter().rev().take_while(|byte| **byte == 0).count();
    let marked = zeros < block && last[block - 1 - zeros] == 0x80;
    marked.then(|| (Mark::Iso7816, zeros + 1, sign("ISO/IEC 7816-4", zeros + 1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes without a pattern, the same each time.
    fn noise(len: usize, mut state: u64) -> Vec<u8> {
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888);
            (state >> 56) as u8
        };
        (0..len).map(|_| next()).collect()
    }

    #[test]
    fn noise_has_no_more_bits_than_by_chance() {
        for len in [8, 64, 1000, 5000] {
            let found = (0..500).filter_map(|seed| content(&noise(len, seed)));
            let bits: Vec<f64> = found.map(|sign| sign.bits).collect();
            assert!(bits.iter().all(|bits| *bits < 20.0), "{len} bytes: {bits:?}");
            assert!(bits.len() < 10, "{len} bytes: {bits:?}");
        }
        assert_eq!(content(b""), None);
    }

    #[test]
    fn plaintext_is() {
        assert!(content(b"a short text").unwrap().bits > 16.0);
        assert!(content("国密".as_bytes()).unwrap().bits > 16.0);
        let pdf = [b"%PDF-1.7\n", &noise(3000, 1)[..]].concat();
        assert_eq!(content(&pdf).unwrap().says, "begins as PDF does");
        assert_eq!(
            content(&[noise(300, 2), vec![0; 700]].concat()).unwrap().says,
            "has uneven bytes"
        );
        let cut = "é".repeat(LOOKED_AT);
        assert!(content(&cut.as_bytes()[1..]).is_some_and(|sign| sign.says != "is text (UTF-8)"));
        assert!(content(format!("x{cut}").as_bytes()).is_some());
    }

    #[test]
    fn paddings_are_told_apart() {
        let of = |bytes: &[u8]| padding(bytes, 8).map(|(mark, len, _)| (mark, len));
        assert_eq!(of(&[1, 2, 3, 4, 5, 3, 3, 3]), Some((Mark::Pkcs7, 3)));
        assert_eq!(of(&[8; 8]), Some((Mark::Pkcs7, 8)));
        assert_eq!(of(&[1, 2, 3, 4, 5, 0x80, 0, 0]), Some((Mark::Iso7816, 3)));
        assert_eq!(of(&[0x80, 0, 0, 0, 0, 0, 0, 0]), Some((Mark::Iso7816, 8)));
        for none in [[0; 8], [9; 8], [1, 2, 3, 4, 5, 2, 3, 3]] {
            assert_eq!(of(&none), None);
        }
        assert_eq!(of(&[1; 7]), None);
        assert_eq!(of(&[]), None);
    }
}
