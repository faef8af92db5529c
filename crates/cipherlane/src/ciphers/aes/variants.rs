//! AES-128, AES-192 and AES-256: types that take keys of one length, and their entries in the registry.

use core::any::Any;
use core::fmt;

#[cfg(feature = "alloc")]
use lanes::dispatch_aes;
use lanes::{InOut, Level};

use super::{ANSWER, Aes, BLOCK, SHALLOW};
#[cfg(feature = "alloc")]
use super::{AesKeys, answers, formulation, oids};
use crate::error::{Error, check_length};
use crate::first_use::admit;
use crate::secret::Trace;
use crate::sizes::Sizes;
use crate::traits::block::{BlockCipher, Chain, WholeMode};
use crate::traits::mode::Direction;
use crate::traits::whole::{CcmMessage, GcmMessage};

/// A variant with one key length, and its entry in the registry.
macro_rules! variant {
    ($Name:ident, $KEY:ident, $bytes:literal, $ENTRY:ident, $name:literal, $title:literal) => {
        #[doc = concat!("The length of a key of ", $title, " in bytes.")]
        pub const $KEY: usize = $bytes;

        #[doc = concat!($title, " under one key, for both directions.")]
        #[derive(Clone)]
        pub struct $Name(Aes);

        impl fmt::Debug for $Name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let level = self.level().name();
                f.debug_struct(stringify!($Name)).field("level", &level).finish_non_exhaustive()
            }
        }

        impl $Name {
            #[doc = concat!("Expands a key of ", $bytes, " bytes, at the best level of this CPU.")]
            ///
            /// # Errors
            /// [`Error::Length`] if the key has another length; [`Error::Level`] if
            /// `CIPHERLANE_LEVEL` names no level.
            pub fn new(key: &[u8]) -> Result<Self, Error> {
                Self::with_level(key, Level::detect()?)
            }

            #[doc = concat!("Expands a key of ", $bytes, " bytes, at a given level.")]
            ///
            /// # Errors
            /// [`Error::Length`] if the key has another length.
            pub fn with_level(key: &[u8], level: Level) -> Result<Self, Error> {
                admit(level, &ANSWER)?;
                check_length("key", key.len(), Sizes::exactly($KEY))?;
                let mut made = Ok(Self(Aes::unset(level, Trace::of(level, SHALLOW))));
                if let Ok(aes) = &mut made {
                    aes.0.set(key);
                }
                made
            }

            /// The same where it stays, as the registry has it.
            #[cfg(feature = "alloc")]
            fn boxed(
                key: &[u8],
                level: Level,
            ) -> Result<alloc::boxed::Box<dyn BlockCipher>, Error> {
                admit(level, &ANSWER)?;
                check_length("key", key.len(), Sizes::exactly($KEY))?;
                // The place first: made before it, what is moved in would be made twice.
                let place = alloc::boxed::Box::new_uninit();
                let unset = Aes::unset(level, Trace::of(level, SHALLOW));
                let mut aes = alloc::boxed::Box::write(place, Self(unset));
                aes.0.set(key);
                Ok(aes)
            }
        }

        /// The same for several owners.
        #[cfg(feature = "alloc")]
        impl $Name {
            fn shared(
                key: &[u8],
                level: Level,
            ) -> Result<alloc::sync::Arc<dyn BlockCipher>, Error> {
                admit(level, &ANSWER)?;
                check_length("key", key.len(), Sizes::exactly($KEY))?;
                let unset = Aes::unset(level, Trace::of(level, SHALLOW));
                let mut aes = alloc::sync::Arc::new(Self(unset));
                alloc::sync::Arc::get_mut(&mut aes).expect("one owner").0.set(key);
                Ok(aes)
            }
        }

        impl From<$Name> for Aes {
            fn from(aes: $Name) -> Self {
                aes.0
            }
        }

        impl BlockCipher for $Name {
            fn block_size(&self) -> usize {
                BLOCK
            }
            fn level(&self) -> Level {
                self.0.level
            }
            fn rekey(&mut self, key: &[u8]) -> bool {
                self.0.rekey(key)
            }
            fn leave_trace(&mut self) {
                self.0.leave_trace();
            }
            fn went_deep(&self) {
                self.0.went_deep();
            }
            #[inline(always)]
            fn encrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                self.0.encrypt_blocks(io, pre, post);
            }
            #[inline(always)]
            fn decrypt_blocks(&self, io: InOut<'_>, pre: Option<&[u8]>, post: Option<&[u8]>) {
                self.0.decrypt_blocks(io, pre, post);
            }
            #[inline(always)]
            fn ctr(&self, io: InOut<'_>, counter: &mut [u8]) {
                self.0.ctr(io, counter);
            }
            #[inline(always)]
            fn gcm(&self, direction: Direction, message: &mut GcmMessage<'_, '_>) -> bool {
                self.0.gcm(direction, message)
            }
            #[inline(always)]
            fn ccm(&self, direction: Direction, message: &mut CcmMessage<'_, '_>) -> bool {
                self.0.ccm(direction, message)
            }
            #[inline(always)]
            fn itself(&self) -> Option<&dyn Any> {
                self.0.itself()
            }
            #[inline(always)]
            fn xts(
                &self,
                direction: Direction,
                tweaks: &dyn Any,
                tweak: &[u8; BLOCK],
                io: &mut InOut<'_>,
            ) -> bool {
                self.0.xts(direction, tweaks, tweak, io)
            }
            #[inline(always)]
            fn single_is_cheap(&self) -> bool {
                self.0.single_is_cheap()
            }
            #[inline(always)]
            fn whole(&self, mode: WholeMode, io: &mut InOut<'_>, value: &mut [u8]) -> bool {
                self.0.whole(mode, io, value)
            }
            #[inline(always)]
            fn encrypt_chains(&self, chains: &mut [Chain<'_>]) {
                self.0.encrypt_chains(chains);
            }
        }

        #[doc = concat!("The registry's entry of ", $title, ".")]
        #[cfg(feature = "alloc")]
        pub const $ENTRY: crate::entry::Algorithm = crate::entry::Algorithm {
            name: $name,
            title: $title,
            standard: "FIPS 197",
            key: Sizes::exactly($KEY),
            new: crate::entry::New::Block {
                block: BLOCK,
                new: $Name::boxed,
                shared: $Name::shared,
                keys: AesKeys::boxed,
            },
            timing: crate::entry::timing::Timing::ConstantTime,
            warning: None,
    kernel: |level| dispatch_aes!(level, isa => formulation::describe(isa)),
            answer: answers::$ENTRY,
            oids: oids::$ENTRY,
        };
    };
}

variant!(Aes128, KEY_128, 16, AES_128, "aes-128", "AES-128");
variant!(Aes192, KEY_192, 24, AES_192, "aes-192", "AES-192");
variant!(Aes256, KEY_256, 32, AES_256, "aes-256", "AES-256");

/// For objects that have a cipher inside of them and get its key where they stay.
impl Aes128 {
    /// Without a key, which [`set`](Self::set) brings.
    pub(crate) fn unset(level: Level) -> Result<Self, Error> {
        admit(level, &ANSWER)?;
        Ok(Self(Aes::unset(level, Trace::of(level, SHALLOW))))
    }

    /// Expands a key into its place.
    pub(crate) fn set(&mut self, key: &[u8; 16]) {
        self.0.set(key);
    }
}
