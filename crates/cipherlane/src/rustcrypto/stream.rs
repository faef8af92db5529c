//! Keystreams: CTR, OFB, ZUC.

use cipher::common::InnerUser;
use cipher::consts::U16;
use cipher::inout::InOutBuf;
use cipher::{
    InnerIvInit, Iv, IvSizeUser, OverflowError, SeekNum, StreamCipher, StreamCipherError,
    StreamCipherSeek,
};

use super::{Cipher, level, ready};
use crate::modes::ctr::{Counter, CtrMode};
use crate::modes::ofb::Ofb;
use crate::traits::block::BlockCipher;
use crate::traits::stream::{StreamCipher as _, StreamSeek};

impl<C, W> InnerUser for CtrMode<C, W> {
    type Inner = C;
}

impl<C: Cipher, W> IvSizeUser for CtrMode<C, W> {
    type IvSize = C::BlockSize;
}

impl<C: Cipher, W: Counter> InnerIvInit for CtrMode<C, W> {
    fn inner_iv_init(inner: C, iv: &Iv<Self>) -> Self {
        ready(Self::new(inner, iv))
    }
}

impl<C> InnerUser for Ofb<C> {
    type Inner = C;
}

impl<C: Cipher> IvSizeUser for Ofb<C> {
    type IvSize = C::BlockSize;
}

impl<C: Cipher> InnerIvInit for Ofb<C> {
    fn inner_iv_init(inner: C, iv: &Iv<Self>) -> Self {
        ready(Self::new(inner, iv))
    }
}

/// What all keystreams do alike; `$self.$remaining(bytes)` says whether so many are left.
macro_rules! stream_cipher {
    ([$($generics:tt)*] $Type:ty, |$this:ident, $len:ident| $remaining:expr) => {
        impl<$($generics)*> StreamCipher for $Type {
            fn check_remaining(&self, $len: usize) -> Result<(), StreamCipherError> {
                let $this = self;
                if $remaining { Ok(()) } else { Err(StreamCipherError) }
            }

            fn unchecked_apply_keystream_inout(&mut self, buf: InOutBuf<'_, '_, u8>) {
                ready(self.apply(buf.into_out_with_copied_in()));
            }

            fn unchecked_write_keystream(&mut self, buf: &mut [u8]) {
                ready(self.keystream(buf));
            }
        }
    };
}

stream_cipher!([C: BlockCipher, W: Counter] CtrMode<C, W>, |mode, len| mode.has(len));
stream_cipher!([C: BlockCipher] Ofb<C>, |_mode, _len| true);

impl<C: BlockCipher, W: Counter> StreamCipherSeek for CtrMode<C, W> {
    fn try_current_pos<T: SeekNum>(&self) -> Result<T, OverflowError> {
        // A place is told as the blocks that are begun and the bytes taken of the last.
        let size = self.cipher().block_size() as u8;
        let (blocks, within) =
            (self.position() / u128::from(size), self.position() % u128::from(size));
        match within as u8 {
            0 => T::from_block_byte(blocks, size, size),
            byte => T::from_block_byte(blocks + 1, byte, size),
        }
    }

    fn try_seek<T: SeekNum>(&mut self, pos: T) -> Result<(), StreamCipherError> {
        let size = self.cipher().block_size() as u8;
        let (block, byte) = pos.into_block_byte::<u128>(size).map_err(|_| StreamCipherError)?;
        let position = block.checked_mul(u128::from(size)).ok_or(StreamCipherError)?;
        StreamSeek::seek(self, position + u128::from(byte)).map_err(|_| StreamCipherError)
    }
}

/// ZUC under its two names.
#[cfg(feature = "zuc")]
mod zuc {
    use cipher::consts::{U25, U32};
    use cipher::{Key, KeyIvInit, KeySizeUser};

    use super::*;
    use crate::ciphers::zuc::{Zuc128, Zuc256};

    macro_rules! zuc {
        ($Zuc:ty, $KeySize:ty, $IvSize:ty) => {
            impl KeySizeUser for $Zuc {
                type KeySize = $KeySize;
            }

            impl IvSizeUser for $Zuc {
                type IvSize = $IvSize;
            }

            impl KeyIvInit for $Zuc {
                /// The keystream of a key and an IV at the best level of this CPU.
                ///
                /// # Panics
                /// If the IV has a value that the cipher doesn't take (ZUC-256: 64 or more in
                /// one of the last eight bytes).
                fn new(key: &Key<Self>, iv: &Iv<Self>) -> Self {
                    ready(Self::with_level(key, iv, level()))
                }
            }

            stream_cipher!([] $Zuc, |zuc, len| {
                zuc.remaining().is_none_or(|left| len as u64 <= left)
            });
        };
    }
    zuc!(Zuc128, U16, U16);
    zuc!(Zuc256, U32, U25);
}
