//! A batch of a stream cipher that has no lanes.

use core::fmt;

use crate::error::{Error, check_length};
use crate::sizes::Sizes;
use crate::traits::batch::{BatchCipher, Packet, check_all, check_plain};
use crate::traits::stream::StreamCipher;

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
///     Packet::new(&[1; 16], &[2; 16], a.as_mut_slice().into()),
///     Packet::new(&[3; 16], &[4; 16], b.as_mut_slice().into()),
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

impl<F> OneByOne<F> {
    /// From the key and IV lengths and the constructor of a stream.
    pub const fn new<S>(key: Sizes, iv: Sizes, start: F) -> Self
    where
        S: StreamCipher,
        F: Fn(&[u8], &[u8]) -> Result<S, Error>,
    {
        Self { key, iv, start }
    }
}

impl<S: StreamCipher, F: Fn(&[u8], &[u8]) -> Result<S, Error> + Send> BatchCipher for OneByOne<F> {
    fn lanes(&self) -> usize {
        1
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        check_length("key", packet.key.len(), self.key)?;
        check_length("iv", packet.iv.len(), self.iv)?;
        check_plain(packet.aad, packet.tag)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        check_all(packets, |packet| self.check(packet))?;
        for packet in packets {
            let start = (self.start)(packet.key, packet.iv);
            let done = start.and_then(|mut stream| stream.apply_inout(packet.io.reborrow()));
            packet.failed = done.is_err();
            done?;
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "sm4"))]
mod tests {
    use super::*;
    use crate::ciphers::sm4::Sm4;
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
            .map(|(data, key)| Packet::new(key, &iv, (&mut **data).into()))
            .collect();
        batch.apply(&mut packets).unwrap();
        packets[2].key = &[3; 15];
        let refused = Error::Length { field: "key", got: 15, allowed: sixteen };
        assert_eq!(batch.apply(&mut packets), Err(refused));
        assert_eq!([0, 1, 2].map(|i| packets[i].failed), [false, false, true]);
        for (data, key) in data.iter_mut().zip(&keys) {
            Ctr::new(Sm4::new(key).unwrap(), &iv).unwrap().apply(data).unwrap();
            assert_eq!(*data, [5; 33]);
        }
    }
}
