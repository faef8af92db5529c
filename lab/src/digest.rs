//! SHA-256 over all outputs of a cell, in order: what must agree before a timing counts.

use sha2::{Digest as _, Sha256};

/// A running digest.
#[derive(Debug, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Takes the next output.
    pub(crate) fn absorb(&mut self, output: &[u8]) {
        self.0.update(output);
    }

    /// The digest in lower-case hexadecimal.
    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_digest_like_the_whole() {
        let mut digest = Digest::default();
        digest.absorb(b"a");
        digest.absorb(b"bc");
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.finish(), abc);
    }
}
