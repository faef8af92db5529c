//! Keystream of blocks that are numbered otherwise than
//! [`BlockCipher::ctr`] counts.

use lanes::{InOut, wipe};

use crate::traits::block::{BlockCipher, MAX_BLOCK};

/// Bytes of keystream made at once.
const PIECE: usize = 2048;

/// Xors the data with `E(block(0))`, `E(block(1))`, …; blocks are 16 bytes.
pub(crate) fn apply(
    cipher: &dyn BlockCipher,
    mut io: InOut<'_>,
    block: impl Fn(u64) -> [u8; MAX_BLOCK],
) {
    let mut keystream = [0; PIECE];
    let (mut offset, mut index) = (0, 0);
    while offset < io.len() {
        let n = PIECE.min(io.len() - offset);
        let used = &mut keystream[..n.next_multiple_of(MAX_BLOCK)];
        for out in used.as_chunks_mut::<MAX_BLOCK>().0 {
            *out = block(index);
            index += 1;
        }
        cipher.encrypt_blocks(used.into(), None, None);
        io.part(offset, n).xor(&keystream[..n]);
        offset += n;
    }
    wipe::wipe(&mut keystream);
}
