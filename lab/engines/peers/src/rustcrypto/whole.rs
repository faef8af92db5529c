//! AEADs, MACs and XTS, which take whole messages.

use std::marker::PhantomData;

use aes_gcm::aead::{AeadInOut, Nonce, Tag};
use cmac::Mac;
use cmac::digest::FixedOutputReset;
use ctr::cipher::typenum::U16;
use ctr::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use lab::work::{Data, Fault, Message};
use xts_mode::Xts128;

use super::data::{block, bytes, in_place};
use super::modes::cipher;
use crate::session::Session;

/// What is done with a message.
pub(super) trait Act<T> {
    fn act(object: &mut T, message: Message<'_>) -> Result<(), Fault>;
}

/// An object under a key, and what is done with it.
pub(super) struct Keyed<T, A> {
    object: T,
    act: PhantomData<A>,
}

impl<T: KeyInit, A> Keyed<T, A> {
    /// The object under that key.
    pub(super) fn new(key: &[u8], _: &[u8]) -> Result<Self, Fault> {
        Ok(Self { object: cipher(key)?, act: PhantomData })
    }
}

impl<T: KeyInit, A: Act<T>> Session for Keyed<T, A> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if !key.is_empty() {
            self.object = cipher(key)?;
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        A::act(&mut self.object, message)
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}

/// Seals by an AEAD.
pub(super) struct Seal;
/// Opens what [`Seal`] made.
pub(super) struct Open;
/// Authenticates the data as associated data of an empty message: GMAC by GCM.
pub(super) struct Authenticate;
/// Computes a MAC.
pub(super) struct Compute;

#[inline]
fn nonce<T: AeadInOut>(iv: &[u8]) -> Result<&Nonce<T>, Fault> {
    iv.try_into().map_err(|_| "a nonce of another length")
}

impl<T: AeadInOut> Act<T> for Seal {
    #[inline]
    fn act(object: &mut T, message: Message<'_>) -> Result<(), Fault> {
        let Message { iv, aad, data, tag, .. } = message;
        let made = object.encrypt_inout_detached(nonce::<T>(iv)?, aad, bytes(data));
        put::<T>(made, tag)
    }
}

impl<T: AeadInOut> Act<T> for Authenticate {
    #[inline]
    fn act(object: &mut T, message: Message<'_>) -> Result<(), Fault> {
        let Message { iv, data, tag, .. } = message;
        let empty: &mut [u8] = &mut [];
        let made = object.encrypt_inout_detached(nonce::<T>(iv)?, data.input(), empty.into());
        put::<T>(made, tag)
    }
}

/// Puts a tag that was made where it belongs.
#[inline]
fn put<T: AeadInOut>(
    made: Result<Tag<T>, aes_gcm::aead::Error>,
    tag: &mut [u8],
) -> Result<(), Fault> {
    const FAULT: Fault = "AeadInOut::encrypt_inout_detached";
    let made = made.map_err(|_| FAULT)?;
    if made.len() != tag.len() {
        return Err(FAULT);
    }
    tag.copy_from_slice(&made);
    Ok(())
}

impl<T: AeadInOut> Act<T> for Open {
    #[inline]
    fn act(object: &mut T, message: Message<'_>) -> Result<(), Fault> {
        const FAULT: Fault = "AeadInOut::decrypt_inout_detached";
        let Message { iv, aad, data, tag, .. } = message;
        let tag: &Tag<T> = (&*tag).try_into().map_err(|_| FAULT)?;
        object.decrypt_inout_detached(nonce::<T>(iv)?, aad, bytes(data), tag).map_err(|_| FAULT)
    }
}

impl<M: Mac + FixedOutputReset> Act<M> for Compute {
    #[inline]
    fn act(object: &mut M, message: Message<'_>) -> Result<(), Fault> {
        Mac::update(object, message.data.input());
        let made = Mac::finalize_reset(object).into_bytes();
        if made.len() != message.tag.len() {
            return Err("Mac::finalize_reset");
        }
        message.tag.copy_from_slice(&made);
        Ok(())
    }
}

/// XTS under a pair of keys.
pub(super) struct Xts<C, const DECRYPTS: bool>(Xts128<C>);

impl<C, const DECRYPTS: bool> Xts<C, DECRYPTS>
where
    C: BlockSizeUser<BlockSize = U16> + KeyInit,
{
    /// The two ciphers under the halves of that key.
    pub(super) fn new(key: &[u8], _: &[u8]) -> Result<Self, Fault> {
        Ok(Self(Self::pair(key)?))
    }

    #[inline]
    fn pair(key: &[u8]) -> Result<Xts128<C>, Fault> {
        let (data, tweak) = key.split_at(key.len() / 2);
        Ok(Xts128::new(cipher(data)?, cipher(tweak)?))
    }
}

impl<C, const DECRYPTS: bool> Session for Xts<C, DECRYPTS>
where
    C: BlockSizeUser<BlockSize = U16> + BlockCipherEncrypt + BlockCipherDecrypt + KeyInit,
{
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if !key.is_empty() {
            self.0 = Self::pair(key)?;
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        let (tweak, data) = (*block::<C>(message.iv)?, in_place(message.data));
        match (data.len(), DECRYPTS) {
            (..16, _) => return Err("Xts128 of less than a block"),
            (_, false) => self.0.encrypt_sector(data, tweak),
            (_, true) => self.0.decrypt_sector(data, tweak),
        }
        Ok(())
    }

    fn piece(&mut self, _: Data<'_>) -> Result<(), Fault> {
        Err("a stream of whole messages")
    }
}
