//! Less than 16 bytes as two words, and back, without a buffer: what is stored in one width and
//! loaded in another is forwarded late, and whole registers may reach beyond a page. The words are a
//! pair and no array, which would be returned in memory.
//!
//! Time tells the length, nothing else.

/// The word of at most eight bytes, with zeros behind.
#[inline(always)]
fn word(bytes: &[u8]) -> u64 {
    if let Some(all) = bytes.first_chunk() {
        return u64::from_le_bytes(*all);
    }
    // Two loads that overlap; what they share is the same bits.
    if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        return u64::from(first) | u64::from(last) << (8 * (bytes.len() - 4));
    }
    // The first, the middle and the last of at most three, which may be the same.
    let len = bytes.len();
    let (Some(first), Some(last)) = (bytes.first(), bytes.last()) else { return 0 };
    let at = |i: usize, byte: u8| u64::from(byte) << (8 * i);
    at(0, *first) | at(len / 2, bytes[len / 2]) | at(len - 1, *last)
}

/// Writes as many bytes of a word as there is room for, at most eight.
#[inline(always)]
fn put(word: u64, bytes: &mut [u8]) {
    let len = bytes.len();
    if let Some(all) = bytes.first_chunk_mut() {
        *all = word.to_le_bytes();
    } else if len >= 4 {
        let last = (word >> (8 * (len - 4))) as u32;
        if let Some(first) = bytes.first_chunk_mut() {
            *first = (word as u32).to_le_bytes();
        }
        if let Some(place) = bytes.last_chunk_mut() {
            *place = last.to_le_bytes();
        }
    } else if len > 0 {
        for i in [0, len / 2, len - 1] {
            bytes[i] = (word >> (8 * i)) as u8;
        }
    }
}

/// At most 15 bytes, with zeros behind: the low word, the high one.
#[inline(never)]
pub(crate) fn load(bytes: &[u8]) -> (u64, u64) {
    if let (Some(first), Some(last)) = (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        // The last eight bytes, moved down by those that the low word has.
        let high = u128::from(u64::from_le_bytes(*last)) >> (8 * (16 - bytes.len()));
        return (u64::from_le_bytes(*first), high as u64);
    }
    (word(bytes), 0)
}

/// Writes as many bytes of the two words as there is room for, at most 15.
#[inline(never)]
pub(crate) fn store((low, high): (u64, u64), bytes: &mut [u8]) {
    let len = bytes.len();
    if len < 8 {
        return put(low, bytes);
    }
    let both = u128::from(high) << 64 | u128::from(low);
    if let Some(first) = bytes.first_chunk_mut() {
        *first = low.to_le_bytes();
    }
    if let Some(last) = bytes.last_chunk_mut() {
        *last = ((both >> (8 * (len - 8))) as u64).to_le_bytes();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_length_is_loaded_and_stored() {
        let all: [u8; 16] = core::array::from_fn(|i| (17 * i + 3) as u8);
        for len in 0..16 {
            let mut whole = [0; 16];
            whole[..len].copy_from_slice(&all[..len]);
            let (low, high) = load(&all[..len]);
            assert_eq!(u128::from(high) << 64 | u128::from(low), u128::from_le_bytes(whole));

            let words = u128::from_le_bytes(all);
            let mut room = [0xee; 16];
            store((words as u64, (words >> 64) as u64), &mut room[..len]);
            assert_eq!(
                (&room[..len], room[len..].iter().all(|it| *it == 0xee)),
                (&all[..len], true)
            );
        }
    }
}
