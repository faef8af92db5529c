//! Many messages at once, under keys, IVs and lengths of their own.
//!
//! | type | what | tag |
//! |---|---|---|
//! | [`SnowBatch`] | encryption; of SNOW 5G, 256-NEA4 | none |
//! | [`Nia4Batch`] | 256-NIA4 | 4 to 16 bytes |
//! | [`Nca4Batch`] | 256-NCA4 | 4 to 16 bytes |
//!
//! Nothing is allocated after construction. Time depends on lengths alone.

mod schedule;
mod tags;

use core::fmt;
use core::marker::PhantomData;

use lanes::Level;

use super::member::Member;
use crate::error::Error;
use crate::first_use::admit;
use crate::keystream::constructors::at_level;
use crate::traits::batch::{BatchCipher, Packet, check_all, check_plain};
use schedule::{Encrypt, Lanes};
pub use tags::{Nca4Batch, Nia4Batch};

/// Encrypts many messages at once, each with its own key, IV and length, in lanes.
///
/// ```
/// use cipherlane::batch::{BatchCipher, Packet};
/// use cipherlane::snow_v::{OfSnowV, SnowBatch};
///
/// let (mut a, mut b) = (*b"one message", *b"and a longer one");
/// let mut batch = SnowBatch::<OfSnowV>::new()?;
/// batch.apply(&mut [
///     Packet::new(&[1; 32], &[2; 16], a.as_mut_slice().into()),
///     Packet::new(&[3; 32], &[4; 16], b.as_mut_slice().into()),
/// ])?;
/// # Ok::<(), cipherlane::Error>(())
/// ```
pub struct SnowBatch<M: Member> {
    lanes: Lanes,
    member: PhantomData<M>,
}

at_level! {
    SnowBatch<M>, [M: Member], level => Self { lanes: Lanes::new(level), member: PhantomData }
}

impl<M: Member> BatchCipher for SnowBatch<M> {
    fn lanes(&self) -> usize {
        self.lanes.lanes()
    }

    fn check(&self, packet: &mut Packet<'_>) -> Result<(), Error> {
        super::check(packet.key, packet.iv)?;
        check_plain(packet.aad, packet.tag)
    }

    fn apply(&mut self, packets: &mut [Packet<'_>]) -> Result<(), Error> {
        admit(self.lanes.level(), &super::ANSWER)?;
        check_all(packets, |packet| self.check(packet))?;
        self.lanes.run(M::VARIANT, &mut Encrypt, packets);
        Ok(())
    }
}

impl<M: Member> fmt::Debug for SnowBatch<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SnowBatch").field("lanes", &self.lanes).finish_non_exhaustive()
    }
}
