//! One operation of the registry at one level, called in one way, on packets whose buffers the
//! caller has laid out.

use cipherlane::batch::{Job, Packet};
use cipherlane::mac::DynMac;
use cipherlane::registry::{
    self, ALGORITHMS, Algorithm, Batch, BatchKind, KEYSTREAM, MessageEntry, New, NewAead, NewBlock,
    NewMac, NewShared, NewStream, NewStreamMac, Operation, Sealed,
};
use cipherlane::{Error, Level, Sizes};

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

/// The constructor of an operation on one message.
enum Alone {
    Stream(NewStream),
    Operation(NewBlock, &'static Operation),
    Message(NewBlock, &'static MessageEntry),
    Aead(NewBlock, NewAead),
    Mac(NewShared, NewMac),
    Sealed(Sealed),
    StreamMac(NewStreamMac),
}

/// One operation.
pub struct Call {
    /// Of this algorithm.
    pub algorithm: &'static Algorithm,
    /// Its name and lengths, and the way to its batches.
    pub batch: Batch,
    alone: Alone,
}

impl core::fmt::Debug for Call {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Call({})", self.name())
    }
}

/// Every operation of the algorithms that `wanted` picks.
pub fn calls(wanted: impl Fn(&Algorithm) -> bool) -> Vec<Call> {
    let picked = ALGORITHMS.iter().filter(|algorithm| wanted(algorithm));
    let of = |algorithm| {
        registry::batches(algorithm).map(move |batch| {
            let alone = alone(algorithm, &batch);
            let alone = alone.unwrap_or_else(|| panic!("{}/{batch:?}", algorithm.name));
            Call { algorithm, batch, alone }
        })
    };
    picked.flat_map(of).collect()
}

fn alone(algorithm: &'static Algorithm, batch: &Batch) -> Option<Alone> {
    let name = batch.operation.as_str();
    // "gcm-seal" is an operation of "gcm".
    let of = |mode: &str| {
        name.strip_prefix(mode)
            .is_some_and(|rest| ["-encrypt", "-decrypt", "-seal", "-open"].contains(&rest))
    };
    match algorithm.new {
        New::Block { new, shared, .. } => registry::operations(algorithm)
            .find(|it| it.name == name)
            .map(|it| Alone::Operation(new, it))
            .or_else(|| {
                let entry = registry::messages(algorithm).find(|it| of(it.name))?;
                Some(Alone::Message(new, entry))
            })
            .or_else(|| {
                let entry = registry::aeads(algorithm).find(|it| of(it.name))?;
                Some(Alone::Aead(new, entry.new))
            })
            .or_else(|| {
                let entry = registry::macs(algorithm).find(|it| it.name == name)?;
                Some(Alone::Mac(shared, entry.new))
            }),
        New::Stream { new, .. } if name == KEYSTREAM => Some(Alone::Stream(new)),
        New::Stream { .. } => registry::streams(algorithm)
            .find(|it| it.name == name)
            .map(|it| Alone::Stream(it.new))
            .or_else(|| {
                let entry = registry::stream_macs(algorithm).find(|it| it.name == name)?;
                Some(Alone::StreamMac(entry.new))
            })
            .or_else(|| {
                let mut entries = registry::stream_aeads(algorithm);
                let entry = entries.find(|it| it.seal == name || it.open == name)?;
                Some(Alone::Sealed(entry.new))
            }),
    }
}

impl Call {
    /// `ALGORITHM/OPERATION`.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}/{}", self.algorithm.name, self.batch.operation)
    }

    /// Whether it checks a tag.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.batch.kind == BatchKind::Open
    }

    /// The operation that seals what this one opens.
    #[must_use]
    pub fn sealing(&self) -> Option<Self> {
        let algorithm = self.algorithm;
        // Sealing and opening stand side by side in the registry.
        let all: Vec<Batch> = registry::batches(algorithm).collect();
        let place = all.iter().position(|it| it.operation == self.batch.operation)?;
        let batch = all.into_iter().nth(place.checked_sub(1)?)?;
        let alone = alone(algorithm, &batch)?;
        (batch.kind == BatchKind::Seal).then_some(Self { algorithm, batch, alone })
    }

    /// Whether a message of `len` bytes is allowed.
    #[must_use]
    pub fn takes(&self, len: usize) -> bool {
        self.batch.kind == BatchKind::Mac || self.batch.data.allow(len)
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
        let tag = packets.first().map_or(self.batch.tag_len(), |packet| packet.tag.len());
        let batch = self.batch.clone().with_tag_len(tag)?;
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
        match self.alone {
            Alone::Stream(new) => new(key, iv, level)?.apply_inout(io),
            Alone::Operation(new, entry) => (entry.message)(&*new(key, level)?, iv, io),
            Alone::Message(new, entry) => {
                let mode = (entry.new)(new, key, level)?;
                let decrypts = self.batch.operation.ends_with("-decrypt");
                if decrypts { mode.decrypt(iv, io) } else { mode.encrypt(iv, io) }
            }
            Alone::Aead(new, aead) => {
                let mut aead = aead(new, key, level)?;
                aead.set_tag_len(tag.len())?;
                if self.opens() { aead.open(iv, aad, io, tag) } else { aead.seal(iv, aad, io, tag) }
            }
            Alone::Sealed(Sealed::Aead(new)) => {
                let mut aead = new(key, level)?;
                aead.set_tag_len(tag.len())?;
                if self.opens() { aead.open(iv, aad, io, tag) } else { aead.seal(iv, aad, io, tag) }
            }
            Alone::Sealed(Sealed::Pdu(new)) => {
                let both = new(key, level)?;
                if self.opens() {
                    both.open_pdu(iv, aad, io, tag)
                } else {
                    both.seal_pdu(iv, aad, io, tag)
                }
            }
            Alone::Mac(..) | Alone::StreamMac(_) => self.fed(level, packet)?.finish(packet.tag),
        }
    }
}

impl Call {
    /// A MAC that has read the packet's message.
    fn fed(&self, level: Level, packet: &Packet<'_>) -> Result<Box<dyn DynMac>, Error> {
        let Packet { key, iv, aad, tag, .. } = packet;
        let mut mac = match self.alone {
            Alone::Mac(new, mac) => mac(new, key, iv, level)?,
            Alone::StreamMac(new) => new(key, iv, tag.len(), level)?,
            _ => return Err(Error::State("no MAC")),
        };
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

/// The greatest allowed length up to `wanted`, else the smallest.
#[must_use]
pub fn nearest(allowed: Sizes, wanted: usize) -> usize {
    if allowed.set != 0 {
        let up_to = allowed.lengths().take_while(|&bytes| bytes <= wanted);
        return up_to.last().unwrap_or(allowed.min);
    }
    let above = wanted.min(allowed.max).saturating_sub(allowed.min);
    allowed.min + above.checked_div(allowed.step).unwrap_or(0) * allowed.step
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
    pub fn zeros(batch: &Batch, wanted: usize, aad: usize) -> Self {
        let len = nearest(batch.data, wanted);
        let (aad, data, tag) = match batch.kind {
            BatchKind::Cipher => (0, len, 0),
            // Some have tags of one length, others of 4 bytes to a block.
            BatchKind::Mac => (len, 0, nearest(batch.tag, 4)),
            BatchKind::Seal | BatchKind::Open => (aad, len, batch.tag.max),
        };
        let [key, iv] = [nearest(batch.key, 16), batch.usual_iv].map(|len| vec![0; len]);
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
                let mut parts = Parts::zeros(&call.batch, 67, 9);
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
        let operations: usize = ALGORITHMS.iter().map(|it| registry::batches(it).count()).sum();
        assert_eq!(all, operations);
        let table = calls(|it| it.timing == Timing::Table).len();
        assert!(table > 0 && table < all);
    }
}
