//! CBC with ciphertext stealing: data of any length from one block on, nothing added. The blocks stand
//! as Kerberos and fscrypt have them (RFC 3962 §5; CBC-CS3 of SP 800-38A's addendum): the last two are
//! exchanged, however long the last is; one block alone is CBC.

use cipherlane::modes::Direction;
use cipherlane::{Error, Sizes};
use objects::{Context, Failure, Spec};
use zeroize::Zeroizing;

/// A key in this mode and one direction.
pub(crate) struct Stealing {
    cbc: Context,
    /// Decrypts single blocks; only where messages are decrypted.
    block: Option<Context>,
    size: usize,
}

impl Stealing {
    /// `block` is the cipher's block in bytes.
    ///
    /// # Errors
    /// What the library says of the key.
    pub(crate) fn new(
        algorithm: &str,
        block: usize,
        direction: Direction,
        key: &[u8],
    ) -> Result<Self, Failure> {
        let zeros = vec![0; block];
        let made =
            |operation, iv| Context::new(&Spec { iv, ..Spec::new(algorithm, operation, key) });
        Ok(match direction {
            Direction::Encrypt => {
                Self { cbc: made("cbc-encrypt", &*zeros)?, block: None, size: block }
            }
            Direction::Decrypt => Self {
                cbc: made("cbc-decrypt", &*zeros)?,
                block: Some(made("ecb-decrypt", &[])?),
                size: block,
            },
        })
    }

    /// Encrypts or decrypts a message in place.
    ///
    /// # Errors
    /// [`Error::Length`] for less than a block, and of the IV.
    pub(crate) fn message(
        &mut self,
        iv: &[u8],
        data: &mut Zeroizing<Vec<u8>>,
    ) -> Result<(), Failure> {
        let (length, size) = (data.len(), self.size);
        if length < size {
            let allowed = Sizes::between(size, isize::MAX as usize);
            return Err(Error::Length { field: "data", got: length, allowed }.into());
        }
        if length == size {
            return self.cbc.message(iv, data.as_mut_slice().into());
        }
        // Where the last two blocks begin; the last has 1 to `size` bytes.
        let last = (length - 1) / size * size;
        let before = last - size;
        let cut = length - last;
        if let Some(block) = &mut self.block {
            // The block in front is D(C) ⊕ (P ‖ 0): behind the cut it is the rest of the one before.
            let mut opened = Zeroizing::new(data[before..last].to_vec());
            block.message(&[], opened.as_mut_slice().into())?;
            let mut stolen = Zeroizing::new(data[last..].to_vec());
            stolen.extend_from_slice(&opened[cut..]);
            let whole: Vec<u8> = data[before..last].to_vec();
            data.truncate(before);
            data.extend_from_slice(&stolen);
            data.extend_from_slice(&whole);
            self.cbc.message(iv, data.as_mut_slice().into())?;
            data.truncate(length);
            return Ok(());
        }
        data.resize(last + size, 0);
        self.cbc.message(iv, data.as_mut_slice().into())?;
        let stolen: Vec<u8> = data[before..before + cut].to_vec();
        data.copy_within(last.., before);
        data.truncate(last);
        data.extend_from_slice(&stolen);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn both(algorithm: &str, block: usize, key: &[u8], iv: &[u8], plain: &[u8]) -> Vec<u8> {
        let mut data = Zeroizing::new(plain.to_vec());
        for direction in [Direction::Encrypt, Direction::Decrypt] {
            let mut mode = Stealing::new(algorithm, block, direction, key).expect(algorithm);
            mode.message(iv, &mut data).expect(algorithm);
            if direction == Direction::Decrypt {
                assert_eq!(*data, plain, "{algorithm}, {} bytes", plain.len());
                mode = Stealing::new(algorithm, block, Direction::Encrypt, key).expect(algorithm);
                mode.message(iv, &mut data).expect(algorithm);
            }
        }
        data.to_vec()
    }

    /// RFC 3962, appendix B.
    #[test]
    fn the_values_of_rfc_3962_come_out() {
        let text = b"I would like the General Gau's Chicken, please, and wonton soup.";
        for (length, expected) in [
            (17, "c6353568f2bf8cb4d8a580362da7ff7f97"),
            (31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"),
            (32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"),
            (
                47,
                "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5",
            ),
            (
                64,
                "97687268d6ecccc0c07b25e25ecfe58439312523a78662d5be7fcbcc98ebf5a84807efe836ee89a526730dbc2f7bc8409dad8bbb96c4cdc03bc103e1a194bbd8",
            ),
        ] {
            let made = both("aes-128", 16, b"chicken teriyaki", &[0; 16], &text[..length]);
            assert_eq!(hex::encode(made), expected, "{length}");
        }
    }

    #[test]
    fn every_length_and_block_comes_back_and_less_than_a_block_is_refused() {
        let plain: Vec<u8> = (0..83).collect();
        for (algorithm, block, key) in [("sm4", 16, 16), ("aes-256", 16, 32), ("idea", 8, 16)] {
            let (key, iv) = (&plain[1..=key], &plain[3..3 + block]);
            for length in block..=plain.len() {
                let made = both(algorithm, block, key, iv, &plain[..length]);
                assert_eq!(made.len(), length);
                assert_ne!(made, plain[..length]);
            }
            let mut mode = Stealing::new(algorithm, block, Direction::Encrypt, key).expect("key");
            let mut short = Zeroizing::new(plain[..block - 1].to_vec());
            assert!(mode.message(iv, &mut short).is_err(), "{algorithm}");
            assert_eq!(*short, plain[..block - 1]);
        }
    }
}
