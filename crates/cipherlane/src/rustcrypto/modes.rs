//! Modes on whole blocks: ECB and CBC.

use cipher::common::{InnerInit, InnerUser};
use cipher::consts::U128;
use cipher::inout::{InOut, InOutBuf};
use cipher::{
    Block, BlockModeDecBackend, BlockModeDecClosure, BlockModeDecrypt, BlockModeEncBackend,
    BlockModeEncClosure, BlockModeEncrypt, BlockSizeUser, InnerIvInit, Iv, IvSizeUser, ParBlocks,
    ParBlocksSizeUser,
};

use super::{Cipher, ready, work};
use crate::modes::{cbc, ecb};
use crate::traits::block::BlockCipher;
use crate::traits::mode::BlockMode;

/// One direction of a mode.
macro_rules! block_mode {
    ($Mode:ty: $Trait:ident, $with:ident, $Closure:ident, $Backend:ident, $block:ident, $par:ident, $tail:ident) => {
        impl<C> InnerUser for $Mode {
            type Inner = C;
        }

        impl<C: BlockSizeUser> BlockSizeUser for $Mode {
            type BlockSize = C::BlockSize;
        }

        impl<C: BlockSizeUser> ParBlocksSizeUser for $Mode {
            type ParBlocksSize = U128;
        }

        impl<C: BlockCipher + BlockSizeUser> $Trait for $Mode {
            fn $with(&mut self, f: impl $Closure<BlockSize = Self::BlockSize>) {
                f.call(self);
            }
        }

        impl<C: BlockCipher + BlockSizeUser> $Backend for $Mode {
            fn $block(&mut self, block: InOut<'_, '_, Block<Self>>) {
                work::on_block(block, |data| ready(self.blocks(data.into())));
            }

            fn $par(&mut self, blocks: InOut<'_, '_, ParBlocks<Self>>) {
                work::on_blocks(blocks, |data| ready(self.blocks(data.into())));
            }

            fn $tail(&mut self, blocks: InOutBuf<'_, '_, Block<Self>>) {
                work::on_slice(blocks, |data| ready(self.blocks(data.into())));
            }
        }
    };
}

macro_rules! encrypts {
    ($Mode:ty) => {
        block_mode!(
            $Mode: BlockModeEncrypt,
            encrypt_with_backend,
            BlockModeEncClosure,
            BlockModeEncBackend,
            encrypt_block,
            encrypt_par_blocks,
            encrypt_tail_blocks
        );
    };
}

macro_rules! decrypts {
    ($Mode:ty) => {
        block_mode!(
            $Mode: BlockModeDecrypt,
            decrypt_with_backend,
            BlockModeDecClosure,
            BlockModeDecBackend,
            decrypt_block,
            decrypt_par_blocks,
            decrypt_tail_blocks
        );
    };
}

encrypts!(ecb::Encryptor<C>);
decrypts!(ecb::Decryptor<C>);
encrypts!(cbc::Encryptor<C>);
decrypts!(cbc::Decryptor<C>);

macro_rules! starts {
    ($($Ecb:ty),*; $($Cbc:ty),*) => {
        $(impl<C: Cipher> InnerInit for $Ecb {
            fn inner_init(inner: C) -> Self {
                Self::new(inner)
            }
        })*
        $(impl<C: Cipher> IvSizeUser for $Cbc {
            type IvSize = C::BlockSize;
        }

        impl<C: Cipher> InnerIvInit for $Cbc {
            fn inner_iv_init(inner: C, iv: &Iv<Self>) -> Self {
                ready(Self::new(inner, iv))
            }
        })*
    };
}
starts!(ecb::Encryptor<C>, ecb::Decryptor<C>; cbc::Encryptor<C>, cbc::Decryptor<C>);
