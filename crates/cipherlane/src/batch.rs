//! Many independent messages in one call; object-safe.

use core::fmt;

use lanes::InOut;

use crate::error::check_length;
use crate::{Error, Sizes, StreamCipher};

/// One message of a batch: its own key, IV and data.
#[derive(Debug)]
pub struct Packet<'a> {
    /// The key, in bytes as the algorithm takes it.
    pub key: &'a [u8],
    /// The IV, in bytes as the algorithm takes it.
    pub iv: &'a [u8],
    /// The data, in place or buffer to buffer.
    pub io: InOut<'a>,
}

/// Encrypts many messages at once, in lanes where the cipher has a kernel for it.
pub trait BatchCipher: Send {
    /// How many messages share one pass of the kernel; 1 where it runs one after another.
    fn lanes(&self) -> usize;

    /// Encrypts every packet under its own key and IV. All key and IV lengths are
    /// checked before the first byte is written.
    ///
    /// # Errors
    /// [`Error::Length`] for the first packet whose key or IV has a wrong length;
    /// what the cipher itself refuses, for the first packet it refuses.
    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error>;
}

/// A batch of a stream cipher that has no lanes: one message after another.
///
/// ```
/// use cipherlane::batch::{BatchCipher, OneByOne, Packet};
/// use cipherlane::modes::ctr::Ctr;
/// use cipherlane::{Sizes, Sm4};
///
/// let sixteen = Sizes::exactly(16);
/// let mut batch = OneByOne::new(sixteen, sixteen, |key, iv| Ctr::new(Sm4::new(key)?, iv));
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// batch.apply(&mut [
///     Packet { key: &[1; 16], iv: &[2; 16], io: a.as_mut_slice().into() },
///     Packet { key: &[3; 16], iv: &[4; 16], io: b.as_mut_slice().into() },
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct OneByOne<F> {
    key: Sizes,
    iv: Sizes,
    start: F,
}

impl<F> fmt::Debug for OneByOne<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OneByOne").field("key", &self.key).field("iv", &self.iv).finish()
    }
}

impl<S: StreamCipher, F: Fn(&[u8], &[u8]) -> Result<S, Error>> OneByOne<F> {
    /// From the key and IV lengths and the constructor of a stream.
    pub const fn new(key: Sizes, iv: Sizes, start: F) -> Self {
        Self { key, iv, start }
    }
}

impl<S: StreamCipher, F: Fn(&[u8], &[u8]) -> Result<S, Error> + Send> BatchCipher for OneByOne<F> {
    fn lanes(&self) -> usize {
        1
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        for packet in packets.iter() {
            check_length("key", packet.key.len(), self.key)?;
            check_length("iv", packet.iv.len(), self.iv)?;
        }
        for packet in packets {
            (self.start)(packet.key, packet.iv)?.apply_inout(packet.io.reborrow())?;
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "sm4"))]
mod tests {
    use super::*;
    use crate::Sm4;
    use crate::modes::ctr::Ctr;

    #[test]
    fn packets_keep_their_own_keys_and_a_wrong_length_writes_nothing() {
        let sixteen = Sizes::exactly(16);
        let mut batch = OneByOne::new(sixteen, sixteen, |key, iv| Ctr::new(Sm4::new(key)?, iv));
        let keys = [[1; 16], [2; 16], [3; 16]];
        let iv = [9; 16];
        let mut data = [[5; 33]; 3];
        let mut packets = data.each_mut().map(|data| data.as_mut_slice());
        let mut packets: std::vec::Vec<_> = packets
            .iter_mut()
            .zip(&keys)
            .map(|(data, key)| Packet { key, iv: &iv, io: (&mut **data).into() })
            .collect();
        batch.apply(&mut packets).unwrap();
        packets[2].key = &[3; 15];
        let refused = Error::Length { field: "key", got: 15, allowed: sixteen };
        assert_eq!(batch.apply(&mut packets), Err(refused));
        for (data, key) in data.iter_mut().zip(&keys) {
            Ctr::new(Sm4::new(key).unwrap(), &iv).unwrap().apply(data).unwrap();
            assert_eq!(*data, [5; 33]);
        }
    }
}
