//! The file format read twice: by the crate, and by a program in Python that was written from
//! docs/FORMAT.md alone. Both refuse a file, or both give the same bytes.

use container::{HEADER, Header, MasterKey, Opening, Suite};

use crate::forged::forged;
use crate::input::Input;
use crate::of_readers::{KEY, edited, read, written};
use crate::second;

/// The crate's reader of what comes in pieces; nothing where it refuses the file.
fn streamed(file: &[u8], key: [u8; 32], piece: usize) -> Option<Vec<u8>> {
    let unverified = Header::read(file).ok()?;
    let mut opening = Opening::new(unverified, &MasterKey::from_bytes(key)).ok()?;
    let mut plain = Vec::new();
    for piece in file[HEADER..].chunks(piece) {
        opening.update(piece, &mut plain).ok()?;
    }
    opening.finish(&mut plain).ok()?;
    Some(plain)
}

/// Hexadecimal digits, those in the middle left out.
fn shortened(bytes: &[u8]) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|it| format!("{it:02x}")).collect::<String>();
    let (start, end) = (bytes.len().min(160), bytes.len().saturating_sub(40));
    if start >= end {
        return hex(bytes);
    }
    format!("{}…{}", hex(&bytes[..start]), hex(&bytes[end..]))
}

fn told(answer: Option<&[u8]>) -> String {
    let given = |it: &[u8]| format!("gives {} bytes {}", it.len(), shortened(it));
    answer.map_or_else(|| "refuses it".to_owned(), given)
}

/// What all readers make of a file.
fn agreed(file: &[u8], key: [u8; 32], piece: usize) -> Option<Vec<u8>> {
    let whole = read(file, key);
    let streamed = streamed(file, key, piece);
    let second = second::read(file, key);
    let second = second.unwrap_or_else(|error| {
        panic!("second_reader.py ended ({error}) at a file of {}: {}", file.len(), shortened(file))
    });
    assert!(
        whole == streamed && whole == second,
        "readers differ at a file of {} bytes {} under the key {}: the crate {}, in pieces of {piece} it {}, \
         second_reader.py {}",
        file.len(),
        shortened(file),
        shortened(&key),
        told(whole.as_deref()),
        told(streamed.as_deref()),
        told(second.as_deref())
    );
    whole
}

/// A file that the input draws, and what must come of it where that is known.
fn drawn(data: &[u8]) -> (Option<Vec<u8>>, Option<Option<Vec<u8>>>) {
    let mut input = Input(data);
    let way = input.below(8);
    let piece = 1 + input.below(5000);
    match way {
        0 => (agreed(input.0, KEY, piece), None),
        1 | 2 => {
            let suite = Suite::ALL[input.below(Suite::ALL.len())];
            let longest = if suite == Suite::ZucGxm { 300 } else { 9000 };
            let plain = vec![input.byte(); input.below(longest)];
            let file = written(suite, &plain);
            let changed = edited(&mut input, &file);
            let wanted = (changed == file).then_some(plain);
            (agreed(&changed, KEY, piece), Some(wanted))
        }
        _ => {
            let key = [input.byte(); 32];
            let forged = forged(&mut input, key);
            match input.below(16) {
                0 => (agreed(&edited(&mut input, &forged.file), key, piece), None),
                // Another key than the file's.
                1 => (agreed(&forged.file, key.map(|it| it ^ 1), piece), Some(None)),
                _ => (agreed(&forged.file, key, piece), Some(forged.plain)),
            }
        }
    }
}

/// Files as the document has them and such as it forbids, read by both.
pub fn second_reader(data: &[u8]) {
    if !second::is_there() {
        return;
    }
    let (read, wanted) = drawn(data);
    if let Some(wanted) = wanted {
        let (read, wanted) = (told(read.as_deref()), told(wanted.as_deref()));
        assert_eq!(read, wanted, "what readers do, and what docs/FORMAT.md says");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is drawn is neither all refused nor all taken.
    #[test]
    fn files_of_both_sorts_are_drawn() {
        if !second::is_there() {
            return;
        }
        let mut random = model::random::SplitMix64::new(2);
        let opened = (0..600).filter(|_| drawn(&random.bytes(80)).0.is_some()).count();
        assert!((50..550).contains(&opened), "{opened} of 600 open");
    }
}
