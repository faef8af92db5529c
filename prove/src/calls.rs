//! One operation of the registry at one level, called in one way, on packets whose buffers the
//! caller has laid out.

use cipherlane::batch::{Job, Packet};
use cipherlane::mac::DynMac;
use cipherlane::modes::Direction;
use cipherlane::registry::{self, ALGORITHMS, Algorithm, Constructor, Kind, Operation};
use cipherlane::{Error, Level};

/// How an operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// An object of its own for each message.
    Alone,
    /// Many messages in one call, their keys set up before.
    Ready,
    /// Many messages in one call, each with its key.
    Fresh,
}

impl Way {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Alone, Self::Ready, Self::Fresh];

    /// `"alone"`, `"ready"` or `"fresh"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Alone => "alone",
            Self::Ready => "ready",
            Self::Fresh => "fresh",
        }
    }
}

/// One operation.
pub struct Call(pub Operation);

impl core::fmt::Debug for Call {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Call({})", self.name())
    }
}

impl core::ops::Deref for Call {
    type Target = Operation;
    fn deref(&self) -> &Operation {
        &self.0
    }
}

/// Every operation of the algorithms that `wanted` picks.
pub fn calls(wanted: impl Fn(&Algorithm) -> bool) -> Vec<Call> {
    let picked = ALGORITHMS.iter().filter(|algorithm| wanted(algorithm));
    picked.flat_map(registry::operations).map(Call).collect()
}

impl Call {
    /// `ALGORITHM/OPERATION`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.algorithm.name, self.0.name)
    }

    /// Whether it checks a tag.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.kind == Kind::Open
    }

    /// The operation that seals what this one opens.
    #[must_use]
    pub fn sealing(&self) -> Option<Self> {
        let inverse = registry::operation(self.algorithm, self.inverse?)?;
        (inverse.kind == Kind::Seal).then_some(Self(inverse))
    }

    /// Whether a message of `len` bytes is allowed.
    #[must_use]
    pub fn takes(&self, len: usize) -> bool {
        self.kind == Kind::Mac || self.data.allow(len)
    }

    /// Processes the packets.
    ///
    /// # Errors
    /// What the library says.
    pub fn run(&self, way: Way, level: Level, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        if way == Way::Alone {
            return packets.iter_mut().try_for_each(|packet| self.one(level, packet));
        }
        // The length of tags belongs to a batch.
        let of_one_tag = packets.chunk_by_mut(|a, b| a.tag.len() == b.tag.len());
        let mut result = Ok(());
        for packets in of_one_tag {
            result = result.and(self.batch(way, level, packets));
        }
        result
    }

    /// Processes packets whose tags have one length as a batch.
    fn batch(&self, way: Way, level: Level, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        let tag = packets.first().map_or(self.tag_len(), |packet| packet.tag.len());
        let batch = self.0.clone().with_tag_len(tag)?;
        match way {
            Way::Alone | Way::Fresh => batch.fresh(level)?.apply(packets),
            Way::Ready => {
                let keys: Vec<&[u8]> = packets.iter().map(|packet| packet.key).collect();
                let mut batch = batch.ready(&keys, level)?;
                let jobs = packets.iter_mut().enumerate().map(|(key, packet)| {
                    let Packet { iv, aad, io, tag, .. } = packet;
                    Job::aead(key, iv, aad, io.reborrow(), tag)
                });
                batch.apply(&mut jobs.collect::<Vec<_>>())
            }
        }
    }

    fn one(&self, level: Level, packet: &mut Packet<'_>) -> Result<(), Error> {
        let Packet { key, iv, aad, io, tag, .. } = packet;
        let (key, iv, aad, io): (&[u8], &[u8], &[u8], _) = (key, iv, aad, io.reborrow());
        match self.new {
            Constructor::Stream { new, .. } => new(key, iv, level)?.apply_inout(io),
            Constructor::Mode(mode) => (mode.message)(&*self.algorithm.cipher(key, level)?, iv, io),
            Constructor::Message(new) => {
                let mode = new(self.algorithm, key, level)?;
                match self.direction() {
                    Direction::Encrypt => mode.encrypt(iv, io),
                    Direction::Decrypt => mode.decrypt(iv, io),
                }
            }
            Constructor::Aead { new, .. } => {
                let mut aead = new(self.algorithm, key, level)?;
                aead.set_tag_len(tag.len())?;
                if self.opens() { aead.open(iv, aad, io, tag) } else { aead.seal(iv, aad, io, tag) }
            }
            Constructor::Pdu(new) => {
                let both = new(key, level)?;
                if self.opens() {
                    both.open_pdu(iv, aad, io, tag)
                } else {
                    both.seal_pdu(iv, aad, io, tag)
                }
            }
            Constructor::Mac { .. } => self.fed(level, packet)?.finish(packet.tag),
        }
    }

    /// A MAC that has read the packet's message.
    fn fed(&self, level: Level, packet: &Packet<'_>) -> Result<Box<dyn DynMac>, Error> {
        let Packet { key, iv, aad, tag, .. } = packet;
        let Constructor::Mac { new, .. } = self.new else { return Err(Error::State("no MAC")) };
        let mut mac = new(self.algorithm, key, iv, level)?;
        mac.set_tag_len(tag.len())?;
        mac.announce(aad.len() as u64)?;
        mac.update(aad)?;
        Ok(mac)
    }

    /// Compares a packet's tag with that of its message.
    ///
    /// # Errors
    /// [`Error::Authentication`] if they differ, [`Error::State`] for what is no MAC.
    pub fn verify(&self, level: Level, packet: &Packet<'_>) -> Result<(), Error> {
        self.fed(level, packet)?.verify(packet.tag)
    }
}

/// The owned parts of one packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The key.
    pub key: Vec<u8>,
    /// The IV or nonce.
    pub iv: Vec<u8>,
    /// Associated data, or the message of a MAC.
    pub aad: Vec<u8>,
    /// The data, in place.
    pub data: Vec<u8>,
    /// The tag.
    pub tag: Vec<u8>,
}

impl Parts {
    /// Of the lengths that the operation allows nearest to `wanted` bytes of message and `aad`
    /// bytes of associated data, all zeros.
    #[must_use]
    pub fn zeros(operation: &Operation, wanted: usize, aad: usize) -> Self {
        let len = operation.data.nearest(wanted);
        let (aad, data, tag) = match operation.kind {
            Kind::Cipher => (0, len, 0),
            // Some have tags of one length, others of 4 bytes to a block.
            Kind::Mac => (len, 0, operation.tag.nearest(4)),
            Kind::Seal | Kind::Open => (aad, len, operation.tag.max),
        };
        let [key, iv] = [operation.key.nearest(16), operation.usual_iv].map(|len| vec![0; len]);
        Self { key, iv, aad: vec![0; aad], data: vec![0; data], tag: vec![0; tag] }
    }

    /// A packet that works in place.
    #[must_use]
    pub fn packet(&mut self) -> Packet<'_> {
        let Self { key, iv, aad, data, tag } = self;
        Packet::aead(key, iv, aad, data.as_mut_slice().into(), tag)
    }
}

#[cfg(test)]
mod tests {
    use cipherlane::registry::Timing;

    use super::*;

    #[test]
    fn all_ways_of_all_operations_give_the_same() {
        for call in calls(|_| true) {
            let mut answers = Vec::new();
            for way in Way::ALL {
                let mut parts = Parts::zeros(&call, 67, 9);
                for (i, byte) in parts.key.iter_mut().chain(&mut parts.iv).enumerate() {
                    *byte = i as u8;
                }
                if let Some(seal) = call.sealing().filter(|_| call.opens()) {
                    seal.run(way, Level::portable(), &mut [parts.packet()]).unwrap();
                }
                let result = call.run(way, Level::portable(), &mut [parts.packet()]);
                assert_eq!(result, Ok(()), "{} {way:?}", call.name());
                answers.push(parts);
            }
            assert!(answers[0] == answers[1] && answers[1] == answers[2], "{}", call.name());
        }
    }

    #[test]
    fn every_operation_is_there() {
        let all = calls(|_| true).len();
        let operations: usize = ALGORITHMS.iter().map(|it| registry::operations(it).count()).sum();
        assert_eq!(all, operations);
        let table = calls(|it| it.timing == Timing::Table).len();
        assert!(table > 0 && table < all);
    }
}
