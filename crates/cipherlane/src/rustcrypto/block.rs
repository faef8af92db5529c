//! The block ciphers themselves, with parallel blocks.
//!
//! The backend takes [`PAR_BLOCKS`] blocks at a time, the largest tile of any level; what
//! a mode has left over comes as a slice of fewer blocks, which the cipher takes in one
//! call too.

use cipher::consts::{U16, U128};
#[cfg(feature = "aes")]
use cipher::consts::{U24, U32};
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    Block, BlockCipherDecBackend, BlockCipherDecClosure, BlockCipherDecrypt, BlockCipherEncBackend,
    BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, Key, KeyInit, KeySizeUser, ParBlocks,
    ParBlocksSizeUser,
};

use super::{level, ready, work};
use crate::traits::block::BlockCipher;

/// Blocks that the backend takes at a time.
pub const PAR_BLOCKS: usize = 128;

/// The traits for a cipher with blocks of 16 bytes and one key length.
macro_rules! block_cipher {
    ($Cipher:ty, $KeySize:ty) => {
        impl KeySizeUser for $Cipher {
            type KeySize = $KeySize;
        }

        impl BlockSizeUser for $Cipher {
            type BlockSize = U16;
        }

        impl ParBlocksSizeUser for $Cipher {
            type ParBlocksSize = U128;
        }

        impl KeyInit for $Cipher {
            /// Expands a key at the best level of this CPU.
            fn new(key: &Key<Self>) -> Self {
                ready(Self::with_level(key.as_slice(), level()))
            }
        }

        impl BlockCipherEncrypt for $Cipher {
            fn encrypt_with_backend(
                &self,
                f: impl BlockCipherEncClosure<BlockSize = Self::BlockSize>,
            ) {
                f.call(self);
            }
        }

        impl BlockCipherDecrypt for $Cipher {
            fn decrypt_with_backend(
                &self,
                f: impl BlockCipherDecClosure<BlockSize = Self::BlockSize>,
            ) {
                f.call(self);
            }
        }

        impl BlockCipherEncBackend for $Cipher {
            fn encrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                work::on_block(block, |data| BlockCipher::encrypt_block(self, data));
            }

            fn encrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                work::on_blocks(blocks, |data| {
                    BlockCipher::encrypt_blocks(self, data.into(), None, None);
                });
            }

            fn encrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                work::on_slice(blocks, |data| {
                    BlockCipher::encrypt_blocks(self, data.into(), None, None);
                });
            }
        }

        impl BlockCipherDecBackend for $Cipher {
            fn decrypt_block(&self, block: InOut<'_, '_, Block<Self>>) {
                work::on_block(block, |data| BlockCipher::decrypt_block(self, data));
            }

            fn decrypt_par_blocks(&self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                work::on_blocks(blocks, |data| {
                    BlockCipher::decrypt_blocks(self, data.into(), None, None);
                });
            }

            fn decrypt_tail_blocks(&self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                work::on_slice(blocks, |data| {
                    BlockCipher::decrypt_blocks(self, data.into(), None, None);
                });
            }
        }
    };
}

#[cfg(feature = "sm4")]
block_cipher!(crate::ciphers::sm4::Sm4, U16);
#[cfg(feature = "aes")]
block_cipher!(crate::ciphers::aes::Aes128, U16);
#[cfg(feature = "aes")]
block_cipher!(crate::ciphers::aes::Aes192, U24);
#[cfg(feature = "aes")]
block_cipher!(crate::ciphers::aes::Aes256, U32);
