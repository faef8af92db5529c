//! Bytes on their way in and out of the module's memory, which are wiped there.

use js_sys::Uint8Array;
use zeroize::Zeroizing;

/// Memory that is used again and again, and wiped when it is given up.
#[derive(Default)]
pub(crate) struct Buffer(Zeroizing<Vec<u8>>);

impl Buffer {
    /// At least so many bytes, of which the first so many are lent.
    pub(crate) fn room(&mut self, len: usize) -> &mut [u8] {
        if self.0.len() < len {
            // A vector that grows leaves its old memory as it is.
            self.0 = Zeroizing::new(vec![0; len]);
        }
        &mut self.0[..len]
    }

    /// A copy of the data.
    pub(crate) fn fill(&mut self, data: &Uint8Array) -> &mut [u8] {
        let room = self.room(data.length() as usize);
        data.copy_to(room);
        room
    }
}

/// A key: what JavaScript gave is a copy that is ours to wipe.
pub(crate) fn secret(key: Vec<u8>) -> Zeroizing<Vec<u8>> {
    Zeroizing::new(key)
}

/// A copy for JavaScript.
pub(crate) fn array(bytes: &[u8]) -> Uint8Array {
    Uint8Array::from(bytes)
}
