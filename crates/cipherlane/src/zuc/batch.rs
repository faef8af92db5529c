//! Many messages at once.

use core::fmt;
use core::marker::PhantomData;

use lanes::Level;

use super::key::{self, Member};
use super::lanes::{Encrypt, Lanes};
use crate::batch::{BatchCipher, Packet};
use crate::Error;

/// Encrypts many messages at once, each with its own key, IV and length, in lanes.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::zuc::{Key128, ZucBatch};
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = ZucBatch::<Key128>::new()?;
/// batch.apply(&mut [
///     Packet { key: &[1; 16], iv: &[2; 16], io: a.as_mut_slice().into() },
///     Packet { key: &[3; 16], iv: &[4; 16], io: b.as_mut_slice().into() },
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct ZucBatch<M: Member> {
    lanes: Lanes,
    limit: Option<u64>,
    member: PhantomData<M>,
}

impl<M: Member> ZucBatch<M> {
    /// A batch at the level [`Level::detect`] gives.
    ///
    /// # Errors
    /// [`Error::Level`] if `CIPHERLANE_LEVEL` names no level.
    pub fn new() -> Result<Self, Error> {
        Ok(Self::with_level(Level::detect()?))
    }

    /// A batch at a given level.
    #[must_use]
    pub fn with_level(level: Level) -> Self {
        Self { lanes: Lanes::new(level), limit: M::LIMIT, member: PhantomData }
    }
}

impl<M: Member> BatchCipher for ZucBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.streams()
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        for packet in packets.iter() {
            key::cells::<M>(packet.key, packet.iv)?;
            if let Some(limit) = self.limit
                && packet.io.len() as u64 > limit
            {
                let what = "keystream bytes under one key and IV";
                return Err(Error::Limit { what, limit });
            }
        }
        self.lanes.run(&mut Encrypt::<M>::new(packets));
        Ok(())
    }
}

impl<M: Member> fmt::Debug for ZucBatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZucBatch").field("lanes", &self.lanes).finish()
    }
}
