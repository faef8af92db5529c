//! Two algorithms on many packets: what is the same for all pairs.

use crate::error::Error;
use crate::secret::Secret;
use crate::traits::batch::Packet;

/// How many packets of a batch are processed together.
pub(crate) const PACKETS_PER_PASS: usize = 64;

/// Their tags.
pub(crate) type Tags = [[u8; 4]; PACKETS_PER_PASS];

/// Both algorithms over many packets, of which the ciphertext is authenticated.
pub(crate) trait Pairs {
    /// Keystream into the data of at most [`PACKETS_PER_PASS`] packets.
    fn encrypt(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error>;

    /// The tags of as many packets: of the header and of what stands in the output or else the input.
    fn tags(&mut self, packets: &mut [Packet<'_>], of_output: bool) -> Result<Tags, Error>;

    /// Seals packets that have been checked, or opens them: where a tag is wrong the output is zeros.
    fn run(&mut self, packets: &mut [Packet<'_>], open: bool) -> Result<(), Error> {
        let mut result = Ok(());
        for packets in packets.chunks_mut(PACKETS_PER_PASS) {
            if !open {
                self.encrypt(packets)?;
                let tags = Secret(self.tags(packets, true)?);
                for (packet, tag) in packets.iter_mut().zip(&tags.0) {
                    packet.tag.copy_from_slice(tag);
                }
                continue;
            }
            let tags = Secret(self.tags(packets, false)?);
            self.encrypt(packets)?;
            for (packet, tag) in packets.iter_mut().zip(&tags.0) {
                packet.failed = !crate::ct::equal(tag, packet.tag);
                if packet.failed {
                    packet.io.output().fill(0);
                    result = Err(Error::Authentication);
                }
            }
        }
        result
    }
}

/// At most [`PACKETS_PER_PASS`] packets as those of the cipher alone, under CK and the first 16 bytes of IVs.
pub(crate) fn of_cipher(
    packets: &mut [Packet<'_>],
    apply: impl FnOnce(&mut [Packet<'_>]) -> Result<(), Error>,
) -> Result<(), Error> {
    let count = packets.len();
    let mut packets = packets.iter_mut();
    let mut jobs: [Packet<'_>; PACKETS_PER_PASS] = core::array::from_fn(|_| match packets.next() {
        Some(it) => Packet::new(&it.key[..16], &it.iv[..16], it.io.reborrow()),
        None => Packet::new(&[], &[], <&mut [u8]>::default().into()),
    });
    apply(&mut jobs[..count])
}
