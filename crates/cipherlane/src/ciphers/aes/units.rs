//! Doors of what has counters and tweaks: short units of XTS, long ones, and runs of blocks.

use lanes::{InOut, dispatch_aes};

use super::tweaked::SHORT;
use super::{Aes, BLOCK, formulation};
use crate::secret::Secret;
use crate::traits::block::WholeMode;
use crate::traits::mode::Direction;

impl Aes {
    /// `BlockCipher::whole` of modes with counters or tweaks: out of line, as the others would pay
    /// for what these need.
    #[inline(never)]
    pub(super) fn counted(&self, mode: WholeMode, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
        let Some(value) = value.first_chunk_mut() else { return false };
        self.went(io.len());
        let keys = &self.keys.0;
        match mode {
            WholeMode::XtsEncrypt => self.tweaked(Direction::Encrypt, None, value, io),
            WholeMode::XtsDecrypt => self.tweaked(Direction::Decrypt, None, value, io),
            _ => {
                dispatch_aes!(self.level, isa => formulation::numbered(isa, keys, mode, io, value))
            }
        }
    }

    /// `BlockCipher::xts` of a unit that a few registers hold. A door of its own: what long ones need is
    /// not paid for.
    #[inline(always)]
    pub(super) fn short_unit(
        &self,
        direction: Direction,
        tweaks: &Self,
        tweak: &[u8; BLOCK],
        io: &mut InOut<'_>,
    ) -> bool {
        if io.len() > SHORT {
            return false;
        }
        let (keys, others) = (&self.keys.0, &tweaks.keys.0);
        match direction {
            Direction::Encrypt => dispatch_aes!(self.level, isa => {
                formulation::xts_unit::<_, false>(isa, keys, others, tweak, io)
            }),
            Direction::Decrypt => dispatch_aes!(self.level, isa => {
                formulation::xts_unit::<_, true>(isa, keys, others, tweak, io)
            }),
        }
    }

    /// The same of a longer one.
    #[inline(never)]
    pub(super) fn long_unit(
        &self,
        direction: Direction,
        tweaks: &Self,
        tweak: &[u8; BLOCK],
        io: &mut InOut<'_>,
    ) -> bool {
        let mut next = Secret(*tweak);
        self.tweaked(direction, Some(tweaks), &mut next.0, io)
    }

    /// Blocks of XTS from `tweak` on, which the object for tweaks, if it is given, encrypts first. One
    /// door for both, as their code is long.
    #[inline(never)]
    fn tweaked(
        &self,
        direction: Direction,
        tweaks: Option<&Self>,
        tweak: &mut [u8; BLOCK],
        io: &mut InOut<'_>,
    ) -> bool {
        let (keys, others) = (&self.keys.0, tweaks.map(|it| &it.keys.0));
        match direction {
            Direction::Encrypt => dispatch_aes!(self.level, isa => {
                formulation::xts::<_, false>(isa, keys, others, io, tweak)
            }),
            Direction::Decrypt => dispatch_aes!(self.level, isa => {
                formulation::xts::<_, true>(isa, keys, others, io, tweak)
            }),
        }
    }
}
