//! How much a plaintext looks like one, in bits: bytes that come of a wrong key reach `n` bits
//! once in 2ⁿ trials, so that what is left after subtracting log₂ of the trials tells how sure one
//! may be.

use crate::files::doctor::fresh::{Fresh, LOOKED_AT, as_it_stands};
use crate::files::doctor::models::{Score, score};
use crate::files::doctor::signature::signature;

/// What a plaintext is said to be that is none of the others.
pub(crate) const UNEVEN: &str = "has uneven bytes";

/// What a plaintext is said to be that stands for other bytes.
pub(crate) const DIGITS: &str = "is hexadecimal digits";

/// A sign that bytes are plaintext.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sign {
    pub(crate) bits: f64,
    pub(crate) says: String,
}

/// What the content says, if it speaks for a plaintext, and whether more of it would be in vain.
pub(crate) struct Content {
    pub(crate) sign: Option<Sign>,
    pub(crate) lost: bool,
}

/// What speaks for a plaintext in its content. Of two ways to look at it each counts half.
pub(crate) fn content(plain: &[u8], fresh: &Fresh) -> Content {
    let head = &plain[..plain.len().min(LOOKED_AT)];
    let Score { bits, lost } = score(head, |at| fresh.at(at));
    if let Some(found) = signature(head, |at| fresh.at(at)) {
        let outside = |at: usize| fresh.at(at) && !(found.from..found.to).contains(&at);
        let rest = score(head, outside).bits;
        let says = format!("begins as {} does", found.name);
        return Content { sign: positive(found.bits + rest - 1.0, || says), lost: false };
    }
    Content { sign: positive(bits - 1.0, || words(head, head.len() < plain.len())), lost }
}

fn positive(bits: f64, says: impl FnOnce() -> String) -> Option<Sign> {
    (bits > 0.0).then(|| Sign { bits, says: says() })
}

/// What data is that seems not to be encrypted at all.
pub(crate) fn plaintext(data: &[u8]) -> Option<Sign> {
    let digits = data.iter().filter(|byte| !byte.is_ascii_whitespace());
    let one_case = |letters: &str| {
        digits.clone().all(|it| it.is_ascii_digit() || letters.contains(char::from(*it)))
    };
    let count = digits.clone().count();
    if count >= 16 && (one_case("abcdef") || one_case("ABCDEF")) {
        let bits = 4.0 * count as f64;
        return Some(Sign { bits, says: DIGITS.to_owned() });
    }
    content(data, &as_it_stands(data)).sign
}

/// What bytes are that are no bytes without a pattern; `cut` if they go on.
fn words(head: &[u8], cut: bool) -> String {
    let valid = match str::from_utf8(head) {
        Ok(text) => Some(text),
        Err(error) if cut && error.error_len().is_none() => {
            str::from_utf8(&head[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    };
    let control = |it: char| it.is_control() && !"\t\r\n".contains(it);
    let says = match valid.filter(|text| !text.chars().any(control)) {
        Some(text) if text.is_ascii() => "is text (ASCII)",
        Some(_) => "is text (UTF-8)",
        None => UNEVEN,
    };
    says.to_owned()
}

/// The paddings that leave a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Pkcs7,
    Iso7816,
}

/// The padding at the end of whole blocks, how many bytes it has, and what it proves: four in
/// ten are taken to be PKCS#7, one in ten the other, every length equally often.
pub(crate) fn padding(plain: &[u8], block: usize) -> Option<(Mark, usize, Sign)> {
    if plain.is_empty() || !plain.len().is_multiple_of(block) {
        return None;
    }
    let last = &plain[plain.len() - block..];
    let sign = |name: &str, len: usize, share: f64| Sign {
        bits: 8.0 * len as f64 + (share / block as f64).log2(),
        says: format!("{name} padding of {len} bytes is valid"),
    };
    let filler = last[block - 1];
    let len = usize::from(filler);
    if (1..=block).contains(&len) && last[block - len..].iter().all(|byte| *byte == filler) {
        return Some((Mark::Pkcs7, len, sign("PKCS#7", len, 0.4)));
    }
    let zeros = last.iter().rev().take_while(|byte| **byte == 0).count();
    let marked = zeros < block && last[block - 1 - zeros] == 0x80;
    marked.then(|| (Mark::Iso7816, zeros + 1, sign("ISO/IEC 7816-4", zeros + 1, 0.1)))
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
        (0..100).for_each(|_| _ = next());
        (0..len).map(|_| next()).collect()
    }

    fn sign(plain: &[u8]) -> Option<Sign> {
        content(plain, &Fresh::All).sign
    }

    #[test]
    fn noise_has_no_more_bits_than_by_chance() {
        for len in [1, 8, 16, 64, 1000, 5000] {
            let found = (0..500).filter_map(|seed| sign(&noise(len, seed)));
            let bits: Vec<f64> = found.map(|sign| sign.bits).collect();
            assert!(bits.iter().all(|bits| *bits < 14.0), "{len} bytes: {bits:?}");
            assert!(bits.iter().filter(|bits| **bits > 4.0).count() < 50, "{len} bytes: {bits:?}");
        }
        assert_eq!(sign(b""), None);
        assert!(content(&noise(5000, 1), &Fresh::All).lost);
    }

    #[test]
    fn plaintext_is() {
        assert!(sign(b"a short text").unwrap().bits > 16.0);
        assert!(sign("国密算法".as_bytes()).unwrap().bits > 16.0);
        let pdf = [b"%PDF-1.7\n", &noise(3000, 1)[..]].concat();
        assert_eq!(sign(&pdf).unwrap().says, "begins as PDF does");
        let late = sign(&[noise(300, 2), vec![0; 700]].concat()).unwrap();
        assert!(late.bits > 1000.0 && late.says == "has uneven bytes");
        let cut = "é".repeat(LOOKED_AT);
        assert!(sign(&cut.as_bytes()[1..]).is_some_and(|sign| sign.says != "is text (UTF-8)"));
        assert_eq!(sign(format!("x{cut}").as_bytes()).unwrap().says, "is text (UTF-8)");
        let numbers: Vec<u8> = (0..1000_u32).flat_map(u32::to_le_bytes).collect();
        assert!(sign(&numbers).unwrap().bits > 1000.0);
    }

    #[test]
    fn what_is_not_encrypted_is_told() {
        let says = |data: &[u8]| plaintext(data).map(|it| it.says).unwrap_or_default();
        assert_eq!(says("INFO 2020 ok\n".repeat(2000).as_bytes()), "is text (ASCII)");
        assert_eq!(says(b"00112233445566778899aabbccddeeff\n"), "is hexadecimal digits");
        assert!(plaintext(&[0; 20_000]).is_some_and(|it| it.bits > 40.0));
        // What ECB makes of zeros.
        assert_eq!(plaintext(&noise(16, 3).repeat(1000)), None);
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
