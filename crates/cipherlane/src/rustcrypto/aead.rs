//! AEADs with nonces of 12 and tags of 16 bytes, the tag behind the ciphertext.

use aead::inout::InOutBuf;
use aead::{AeadCore, AeadInOut, Nonce, Tag, TagPosition};
use cipher::common::{InnerInit, InnerUser};
use cipher::consts::{U12, U16, U32};
use cipher::{BlockSizeUser, Key, KeyInit, KeySizeUser};

use super::ready;
use crate::aead::ccm::Ccm;
use crate::aead::gcm::Gcm;
use crate::aead::gcm_siv::GcmSiv;
use crate::error::Error;
use crate::traits::aead::Aead;
use crate::traits::block::BlockCipher;

impl<C> InnerUser for Gcm<C> {
    type Inner = C;
}

impl<C: BlockCipher + BlockSizeUser<BlockSize = U16>> InnerInit for Gcm<C> {
    fn inner_init(inner: C) -> Self {
        ready(Self::new(inner))
    }
}

impl<C> InnerUser for Ccm<C> {
    type Inner = C;
}

impl<C: BlockCipher + BlockSizeUser<BlockSize = U16>> InnerInit for Ccm<C> {
    fn inner_init(inner: C) -> Self {
        ready(Self::new(inner))
    }
}

/// GCM-SIV whose ciphers are made by [`KeyInit`].
type SivOf<C> = GcmSiv<C, fn(&[u8]) -> Result<C, Error>>;

impl<C: KeySizeUser> KeySizeUser for SivOf<C> {
    type KeySize = C::KeySize;
}

/// A key length that RFC 8452 knows: 16 or 32 bytes.
pub trait SivKeySize: sealed::Sealed {}
impl SivKeySize for U16 {}
impl SivKeySize for U32 {}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::U16 {}
    impl Sealed for super::U32 {}
}

impl<C> KeyInit for SivOf<C>
where
    C: BlockCipher + KeyInit + BlockSizeUser<BlockSize = U16>,
    C::KeySize: SivKeySize,
{
    fn new(key: &Key<Self>) -> Self {
        ready(Self::new(key, |key| {
            Ok(C::new_from_slice(key).expect("derived keys have the first one's length"))
        }))
    }
}

macro_rules! aead {
    ([$($generics:tt)*] $Type:ty) => {
        impl<$($generics)*> AeadCore for $Type {
            type NonceSize = U12;
            type TagSize = U16;
            const TAG_POSITION: TagPosition = TagPosition::Postfix;
        }

        impl<$($generics)*> AeadInOut for $Type {
            fn encrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
            ) -> aead::Result<Tag<Self>> {
                let mut tag = Tag::<Self>::default();
                let data = buffer.into_out_with_copied_in();
                self.seal(nonce, associated_data, data.into(), &mut tag)
                    .map_err(|_| aead::Error)?;
                Ok(tag)
            }

            fn decrypt_inout_detached(
                &self,
                nonce: &Nonce<Self>,
                associated_data: &[u8],
                buffer: InOutBuf<'_, '_, u8>,
                tag: &Tag<Self>,
            ) -> aead::Result<()> {
                let data = buffer.into_out_with_copied_in();
                self.try_open(nonce, associated_data, data, tag).map_err(|_| aead::Error)
            }
        }
    };
}
aead!([C: BlockCipher] Gcm<C>);
aead!([C: BlockCipher] Ccm<C>);
aead!([C: BlockCipher] SivOf<C>);
