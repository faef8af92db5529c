//! What reads bytes from elsewhere: it says what is wrong and never more.

use container::{Header, Kdf, MasterKey, Suite, TAG};
use lab::protocol::Line;
use lab::reply::{Description, Measured, Reply};
use lab::request::Request;
use lab::study::Study;
use lab::{Cell, Model};

use crate::input::Input;

pub(crate) const KEY: [u8; 32] = [0x5a; 32];
/// The least chunk there is.
const BITS: u8 = 12;

/// Reads a file; nothing where it is refused.
pub(crate) fn read(file: &[u8], key: [u8; 32]) -> Option<Vec<u8>> {
    let unverified = Header::read(file).ok()?;
    let (header, chunks) = unverified.open(&MasterKey::from_bytes(key)).ok()?;
    let layout = header.layout(file.len() as u64).ok()?;
    let mut plain = Vec::new();
    for index in 0..layout.chunks() {
        let (start, len) = layout.place(index);
        let mut chunk = file.get(start as usize..(start + len) as usize)?.to_vec();
        chunks.open(index, layout.is_last(index), &mut chunk).ok()?;
        plain.extend(chunk);
    }
    Some(plain)
}

/// A file of the format with this content.
pub(crate) fn written(suite: Suite, plain: &[u8]) -> Vec<u8> {
    let header = Header::new(suite, BITS, Kdf::Key, [3; 32]).expect("a header");
    let (bytes, chunks) = header.seal(&MasterKey::from_bytes(KEY)).expect("a key");
    let mut file = bytes.to_vec();
    let mut pieces: Vec<&[u8]> = plain.chunks(1 << BITS).collect();
    if pieces.is_empty() {
        pieces.push(&[]);
    }
    for (index, piece) in pieces.iter().enumerate() {
        let mut chunk = piece.to_vec();
        chunks.seal(index as u64, index + 1 == pieces.len(), &mut chunk).expect("a chunk");
        assert_eq!(chunk.len(), piece.len() + TAG);
        file.extend(chunk);
    }
    file
}

/// The file with up to three changes: bits, cuts, what is left out, repeated or moved.
pub(crate) fn edited(input: &mut Input<'_>, file: &[u8]) -> Vec<u8> {
    let mut changed = file.to_vec();
    for _ in 0..=input.below(3) {
        let at = input.below(changed.len().max(1));
        match input.below(5) {
            0 => changed.truncate(at),
            1 => changed.extend_from_within(at..),
            2 => drop(changed.drain(at..(at + 1 + input.below(300)).min(changed.len()))),
            3 if at + (1 << BITS) < changed.len() => changed.rotate_left(at),
            _ => {
                if let Some(byte) = changed.get_mut(at) {
                    *byte ^= 1 << input.below(8);
                }
            }
        }
    }
    changed
}

/// Bytes as a file, and a file that was changed: neither opens as what was not written.
pub fn container(data: &[u8]) {
    let _ = read(data, KEY);
    let mut input = Input(data);
    let suite = Suite::ALL[input.below(Suite::ALL.len())];
    let plain = vec![input.byte(); input.below(3 << BITS)];
    let file = written(suite, &plain);
    assert_eq!(read(&file, KEY).as_ref(), Some(&plain), "{suite:?}");
    let changed = edited(&mut input, &file);
    if changed != file {
        assert_eq!(read(&changed, KEY), None, "{suite:?}: a changed file opens");
    }
}

/// Lines of the engine protocol: what is read is written and read again as the same.
pub fn protocol(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(line) = text.parse::<Line>() {
        let again: Line = line.to_string().parse().expect("a line that was written");
        assert_eq!(again, line);
        let cell = Cell::new("sm4", "ctr", Model::Message, 64);
        let _ = Measured::read(&line, &cell, 3);
        if let Ok(description) = Description::read(&line) {
            let again = Description::read(&description.line()).expect("as written");
            assert_eq!(again, description);
        }
    }
    let _ = text.parse::<Reply>();
    if let Ok(request) = text.parse::<Request>() {
        let again: Request = request.to_string().parse().expect("a request that was written");
        assert_eq!(again, request);
    }
}

/// Results and studies.
pub fn results(data: &[u8]) {
    if let Ok(results) = lab::report::parse(data, "fuzz") {
        let text = lab::report::json(&results).expect("results that were read");
        assert!(lab::report::parse(&text, "again").is_ok());
    }
    if let Ok(text) = std::str::from_utf8(data) {
        let _ = Study::from_toml(text);
    }
}
