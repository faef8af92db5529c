//! The records of TLS: the header that AEADs of TLS 1.2 authenticate; and, of TLS 1.0 to 1.2 in
//! CBC, padding and MAC taken off without telling by the time how much of either there is
//! (RFC 5246 §6.2.3.2).

use crate::core::Params;
use crate::reason::Reason;
use crate::{Outcome, memory};

/// The associated data of a record of TLS 1.2.
pub(super) type Header = [u8; 13];

/// The header of a record, in which the length is the record's, as it is authenticated: with the
/// length of the data, which is less by what is `around` them.
pub(super) fn header(bytes: &[u8], around: usize) -> Outcome<Header> {
    let wrong = |said: String| Reason::InvalidAad.because(said);
    let length = bytes.len();
    let sized: Result<Header, _> = bytes.try_into();
    let mut header = sized.map_err(|_| wrong(format!("{length} bytes; allowed: 13")))?;
    let record = usize::from(u16::from_be_bytes([header[11], header[12]]));
    let data = record.checked_sub(around);
    let data = data.ok_or_else(|| wrong(format!("a record of {record} bytes; least: {around}")))?;
    header[11..].copy_from_slice(&(data as u16).to_be_bytes());
    Ok(header)
}

/// The longest MAC in bytes.
const MAC: usize = 64;
/// The most bytes of padding, with its length.
const PADDING: usize = 256;

/// The numbers of versions.
const SSL_3: usize = 0x300;
const TLS_1_0: usize = 0x301;

/// What TLS wants of a context.
#[derive(Clone)]
pub(super) struct Record {
    version: usize,
    mac_size: usize,
    mac: [u8; MAC],
}

impl Default for Record {
    fn default() -> Self {
        Self { version: 0, mac_size: 0, mac: [0; MAC] }
    }
}

/// All ones if `one` is less than `two`.
const fn less(one: usize, two: usize) -> usize {
    // Both are lengths of buffers, so the difference has a top bit only if it is negative.
    (one.wrapping_sub(two) >> (usize::BITS - 1)).wrapping_neg()
}

impl Record {
    /// Whether updates are records.
    pub(super) const fn is_on(&self) -> bool {
        self.version != 0
    }

    pub(super) fn set(&mut self, params: Params) -> Outcome {
        if let Some(found) = params.find(c"tls-version") {
            let version = found.number()?;
            // The padding of SSL 3.0 is another, and that protocol is broken.
            if version == SSL_3 {
                return Err(Reason::Ssl3.into());
            }
            self.version = version;
        }
        if let Some(found) = params.find(c"tls-mac-size") {
            let size = found.number()?;
            if size > MAC {
                let said = format!("tls-mac-size is {size}; allowed: 0 to {MAC}");
                return Err(Reason::SetParameter.because(said));
            }
            self.mac_size = size;
        }
        Ok(())
    }

    pub(super) fn get(&self, params: Params) -> Outcome {
        params.find(c"tls-mac").map_or(Ok(()), |found| found.put_bytes(&self.mac[..self.mac_size]))
    }

    /// The place of a record, which is processed where it lies.
    ///
    /// # Safety
    /// `to` is null or valid for writing `room` bytes.
    pub(super) unsafe fn room<'a>(
        from: *const u8,
        length: usize,
        to: *mut u8,
        room: usize,
    ) -> Outcome<&'a mut [u8]> {
        if !std::ptr::eq(from, to) || room < length {
            return Err(Reason::Operation.because("a record is processed where it lies"));
        }
        // SAFETY: the caller's promise.
        unsafe { memory::output(to, room) }
    }

    /// Pads a record; the length it has then.
    pub(super) fn pad(data: &mut [u8], length: usize, block: usize) -> Outcome<usize> {
        let fill = block - length % block;
        let padding = data.get_mut(length..length + fill).ok_or(Reason::OutputTooSmall)?;
        padding.fill((fill - 1) as u8);
        Ok(length + fill)
    }

    /// Takes the explicit IV, the padding and the MAC off a decrypted record: the length of
    /// the data, which stay where they are. A record whose padding is wrong gets a MAC of
    /// zeros, which no data has, so that OpenSSL's comparison refuses it like any other.
    pub(super) fn unpad(&mut self, data: &[u8], block: usize) -> Outcome<usize> {
        let too_short = || Reason::Operation.because("a record is shorter than its IV and MAC");
        let start = if self.version == TLS_1_0 { 0 } else { block };
        let data = data.get(start..).ok_or_else(too_short)?;
        let (length, size) = (data.len(), self.mac_size);
        if length < size + 1 {
            return Err(too_short());
        }
        let padding = usize::from(data[length - 1]);
        let mut good = !less(length, size + 1 + padding);
        for (back, byte) in data.iter().rev().take(PADDING).enumerate() {
            // Of the padding are as many bytes as it says, and the one that says it.
            let inside = less(back, padding + 1);
            let differs = usize::from(*byte) ^ padding;
            good &= !(inside & less(0, differs));
        }
        let end = length - (good & (padding + 1));
        if size == 0 {
            // What encrypts before it authenticates has been checked already.
            return if good == 0 { Err(Reason::Operation.into()) } else { Ok(end) };
        }
        self.copy_mac(data, end - size, good);
        Ok(end - size)
    }

    /// Copies the MAC from a secret place: each byte of where it can be is read once.
    fn copy_mac(&mut self, data: &[u8], begin: usize, good: usize) {
        let size = self.mac_size;
        let first = data.len().saturating_sub(PADDING + size);
        let (mut rotated, mut offset, mut place) = ([0; MAC], 0, 0);
        for (at, byte) in data.iter().enumerate().skip(first) {
            let inside = !less(at, begin) & less(at, begin + size);
            rotated[place] |= byte & inside as u8;
            let starts = !less(at, begin) & !less(begin, at);
            offset |= place & starts;
            place = if place + 1 == size { 0 } else { place + 1 };
        }
        self.mac = [0; MAC];
        for (to, byte) in self.mac[..size].iter_mut().enumerate() {
            for (from, rotated) in rotated[..size].iter().enumerate() {
                let wanted = offset + to;
                let wanted = wanted - (size & !less(wanted, size));
                let same = !less(from, wanted) & !less(wanted, from);
                *byte |= rotated & (same & good) as u8;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(size: usize, version: usize) -> Record {
        Record { version, mac_size: size, mac: [0xa5; MAC] }
    }

    /// Data of that length, a MAC and padding of so many bytes beside the one that tells it.
    fn made(data: usize, size: usize, padding: usize) -> Vec<u8> {
        let mac = (0..size).map(|i| 100 + i as u8);
        let body: Vec<u8> = (0..data).map(|i| i as u8).chain(mac).collect();
        [body, vec![padding as u8; padding + 1]].concat()
    }

    #[test]
    fn padding_and_mac_are_taken_off_wherever_they_end() {
        for size in [0, 20, 32, 48] {
            for padding in 0..=255 {
                for data in [0, 1, 17, 300] {
                    let bytes = made(data, size, padding);
                    let mut record = record(size, TLS_1_0);
                    assert_eq!(record.unpad(&bytes, 16).unwrap(), data, "{size} {padding} {data}");
                    let mac: Vec<u8> = (0..size).map(|i| 100 + i as u8).collect();
                    assert_eq!(record.mac[..size], mac, "{size} {padding} {data}");
                }
            }
        }
    }

    #[test]
    fn wrong_padding_leaves_no_mac_and_says_nothing() {
        for padding in 1..=255 {
            for wrong in [0, padding / 2] {
                let mut bytes = made(40, 20, padding);
                let last = bytes.len();
                bytes[last - 2 - wrong.min(padding - 1)] ^= 1;
                let mut record = record(20, TLS_1_0);
                assert!(record.unpad(&bytes, 16).is_ok());
                assert_eq!(record.mac[..20], [0; 20]);
            }
        }
        // More padding than there are bytes.
        let mut bytes = made(4, 20, 3);
        *bytes.last_mut().unwrap() = 200;
        let mut record = record(20, TLS_1_0);
        assert!(record.unpad(&bytes, 16).is_ok());
        assert_eq!(record.mac[..20], [0; 20]);
        assert!(record.unpad(&bytes[..20], 16).is_err());
    }

    #[test]
    fn the_explicit_iv_of_later_versions_is_passed_over() {
        let bytes = [vec![9; 16], made(33, 32, 5)].concat();
        assert_eq!(record(32, 0x303).unpad(&bytes, 16).unwrap(), 33);
    }
}
