//! ECB, CBC, CTR, CFB and OFB: a mode borrows the ready cipher and is made anew for every
//! IV, which is how these crates set one. A stream owns a copy of the cipher.

use std::marker::PhantomData;

use ctr::CtrCore;
use ctr::cipher::typenum::{U8, U16};
use ctr::cipher::{
    BlockCipherDecrypt, BlockCipherEncrypt, BlockModeDecrypt, BlockModeEncrypt, BlockSizeUser,
    InnerIvInit, KeyInit, StreamCipher, StreamCipherCoreWrapper,
};
use lab::work::{Data, Fault, Message};
use ofb::OfbCore;

use super::data::{block, blocks, bytes, in_place};
use crate::session::Session;

/// A mode over a cipher.
pub(super) trait Mode<C> {
    /// A stream under one IV.
    type Stream;

    /// Processes one message.
    fn apply(cipher: &C, iv: &[u8], data: Data<'_>) -> Result<(), Fault>;

    /// Begins a stream.
    fn start(cipher: C, iv: &[u8]) -> Result<Self::Stream, Fault>;

    /// Processes the next piece.
    fn next(stream: &mut Self::Stream, data: Data<'_>);
}

/// A cipher under a key, in a mode.
pub(super) struct Keyed<C, M: Mode<C>> {
    cipher: C,
    stream: Option<M::Stream>,
    mode: PhantomData<M>,
}

impl<C: KeyInit, M: Mode<C>> Keyed<C, M> {
    /// The cipher under that key, at the beginning of a stream if `streams`.
    pub(super) fn new(key: &[u8], iv: &[u8], streams: bool) -> Result<Self, Fault>
    where
        C: Clone,
    {
        let cipher: C = cipher(key)?;
        let stream = if streams { Some(M::start(cipher.clone(), iv)?) } else { None };
        Ok(Self { cipher, stream, mode: PhantomData })
    }
}

/// A cipher under a key.
#[inline]
pub(super) fn cipher<C: KeyInit>(key: &[u8]) -> Result<C, Fault> {
    C::new_from_slice(key).map_err(|_| "KeyInit::new_from_slice")
}

impl<C: KeyInit + Clone, M: Mode<C>> Session for Keyed<C, M> {
    #[inline]
    fn start(&mut self, key: &[u8], _: &[u8]) -> Result<(), Fault> {
        if !key.is_empty() {
            self.cipher = cipher(key)?;
        }
        Ok(())
    }

    #[inline]
    fn message(&mut self, message: Message<'_>) -> Result<(), Fault> {
        M::apply(&self.cipher, message.iv, message.data)
    }

    #[inline]
    fn piece(&mut self, data: Data<'_>) -> Result<(), Fault> {
        M::next(self.stream.as_mut().ok_or("a stream that was not begun")?, data);
        Ok(())
    }
}

/// The traits of every cipher that is measured.
pub(super) trait Encrypts: BlockSizeUser + BlockCipherEncrypt + Clone {}
impl<C: BlockSizeUser + BlockCipherEncrypt + Clone> Encrypts for C {}
/// The traits of every cipher that is measured as it decrypts.
pub(super) trait Decrypts: BlockSizeUser + BlockCipherDecrypt + Clone {}
impl<C: BlockSizeUser + BlockCipherDecrypt + Clone> Decrypts for C {}

/// ECB is the cipher's own function over blocks, in either direction.
pub(super) struct EcbEncrypt;
/// The inverse of [`EcbEncrypt`].
pub(super) struct EcbDecrypt;

impl<C: Encrypts> Mode<C> for EcbEncrypt {
    type Stream = C;

    #[inline]
    fn apply(cipher: &C, _: &[u8], data: Data<'_>) -> Result<(), Fault> {
        cipher.encrypt_blocks_inout(blocks::<C>(data));
        Ok(())
    }

    fn start(cipher: C, _: &[u8]) -> Result<C, Fault> {
        Ok(cipher)
    }

    #[inline]
    fn next(stream: &mut C, data: Data<'_>) {
        stream.encrypt_blocks_inout(blocks::<C>(data));
    }
}

impl<C: Decrypts> Mode<C> for EcbDecrypt {
    type Stream = C;

    #[inline]
    fn apply(cipher: &C, _: &[u8], data: Data<'_>) -> Result<(), Fault> {
        cipher.decrypt_blocks_inout(blocks::<C>(data));
        Ok(())
    }

    fn start(cipher: C, _: &[u8]) -> Result<C, Fault> {
        Ok(cipher)
    }

    #[inline]
    fn next(stream: &mut C, data: Data<'_>) {
        stream.decrypt_blocks_inout(blocks::<C>(data));
    }
}

/// A mode of whole blocks whose stream is an object of its crate.
macro_rules! chained {
    ($(#[$doc:meta])* $name:ident, $cipher:ident, $object:ident :: $type:ident, $call:ident) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl<C: $cipher> Mode<C> for $name {
            type Stream = $object::$type<C>;

            #[inline]
            fn apply(cipher: &C, iv: &[u8], data: Data<'_>) -> Result<(), Fault> {
                let mut object = $object::$type::inner_iv_init(cipher, block::<C>(iv)?);
                object.$call(blocks::<C>(data));
                Ok(())
            }

            fn start(cipher: C, iv: &[u8]) -> Result<Self::Stream, Fault> {
                Ok($object::$type::inner_iv_init(cipher, block::<C>(iv)?))
            }

            #[inline]
            fn next(stream: &mut Self::Stream, data: Data<'_>) {
                stream.$call(blocks::<C>(data));
            }
        }
    };
}

chained!(
    /// The crate `cbc`, encrypting.
    CbcEncrypt, Encrypts, cbc::Encryptor, encrypt_blocks_inout
);
chained!(
    /// The crate `cbc`, decrypting.
    CbcDecrypt, Decrypts, cbc::Decryptor, decrypt_blocks_inout
);

/// A mode that makes keystream.
macro_rules! keystream {
    ($(#[$doc:meta])* $name:ident of $size:ty, $core:ident $(< $flavour:ty >)?) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl<C: Encrypts + BlockSizeUser<BlockSize = $size>> Mode<C> for $name {
            type Stream = StreamCipherCoreWrapper<$core<C $(, $flavour)?>>;

            #[inline]
            fn apply(cipher: &C, iv: &[u8], data: Data<'_>) -> Result<(), Fault> {
                let core = $core::<&C $(, $flavour)?>::inner_iv_init(cipher, block::<C>(iv)?);
                StreamCipherCoreWrapper::from_core(core).apply_keystream_inout(bytes(data));
                Ok(())
            }

            fn start(cipher: C, iv: &[u8]) -> Result<Self::Stream, Fault> {
                let core = $core::<C $(, $flavour)?>::inner_iv_init(cipher, block::<C>(iv)?);
                Ok(StreamCipherCoreWrapper::from_core(core))
            }

            #[inline]
            fn next(stream: &mut Self::Stream, data: Data<'_>) {
                stream.apply_keystream_inout(bytes(data));
            }
        }
    };
}

keystream!(
    /// The crate `ctr` with its counter of 128 bits.
    Counter of U16, CtrCore<ctr::flavors::Ctr128BE>
);
keystream!(
    /// The crate `ctr` with its counter of 64 bits.
    Counter64 of U8, CtrCore<ctr::flavors::Ctr64BE>
);
keystream!(
    /// The crate `ofb`.
    OutputFeedback of U16, OfbCore
);
keystream!(
    /// The same for blocks of 64 bits.
    OutputFeedback64 of U8, OfbCore
);

/// Cipher feedback: a message is the last call of an object, which may end in a part of a
/// block; a stream is the crate's buffered object, which works in place.
macro_rules! feedback {
    (
        $(#[$doc:meta])* $name:ident, $type:ident :: $last:ident, $buffered:ident :: $piece:ident
    ) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl<C: Encrypts> Mode<C> for $name {
            type Stream = cfb_mode::$buffered<C>;

            #[inline]
            fn apply(cipher: &C, iv: &[u8], data: Data<'_>) -> Result<(), Fault> {
                let object = cfb_mode::$type::inner_iv_init(cipher, block::<C>(iv)?);
                object.$last(bytes(data));
                Ok(())
            }

            fn start(cipher: C, iv: &[u8]) -> Result<Self::Stream, Fault> {
                Ok(cfb_mode::$buffered::inner_iv_init(cipher, block::<C>(iv)?))
            }

            #[inline]
            fn next(stream: &mut Self::Stream, data: Data<'_>) {
                stream.$piece(in_place(data));
            }
        }
    };
}

feedback!(
    /// The crate `cfb-mode`, encrypting.
    FeedbackEncrypt, Encryptor::encrypt_inout, BufEncryptor::encrypt
);
feedback!(
    /// The crate `cfb-mode`, decrypting.
    FeedbackDecrypt, Decryptor::decrypt_inout, BufDecryptor::decrypt
);

/// Cipher feedback of 8 bits: every byte is a block of its object.
macro_rules! feedback8 {
    ($(#[$doc:meta])* $name:ident, $type:ident :: $call:ident) => {
        $(#[$doc])*
        pub(super) struct $name;

        impl<C: Encrypts> Mode<C> for $name {
            type Stream = cfb8::$type<C>;

            #[inline]
            fn apply(cipher: &C, iv: &[u8], data: Data<'_>) -> Result<(), Fault> {
                cfb8::$type::inner_iv_init(cipher, block::<C>(iv)?).$call(bytes(data));
                Ok(())
            }

            fn start(cipher: C, iv: &[u8]) -> Result<Self::Stream, Fault> {
                Ok(cfb8::$type::inner_iv_init(cipher, block::<C>(iv)?))
            }

            #[inline]
            fn next(stream: &mut Self::Stream, data: Data<'_>) {
                stream.$call(bytes(data));
            }
        }
    };
}

feedback8!(
    /// The crate `cfb8`, encrypting.
    Feedback8Encrypt, Encryptor::encrypt_inout
);
feedback8!(
    /// The crate `cfb8`, decrypting.
    Feedback8Decrypt, Decryptor::decrypt_inout
);
