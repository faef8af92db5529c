//! MACs, and the universal hashes of GCM and GCM-SIV.

use cipher::array::Array;
use cipher::common::{InnerInit, InnerUser};
use cipher::consts::{U12, U16, U128};
use cipher::{
    Block, BlockSizeUser, InnerIvInit, Iv, IvSizeUser, Key, KeyInit, KeySizeUser, ParBlocks,
    ParBlocksSizeUser,
};
use digest::{FixedOutput, FixedOutputReset, MacMarker, Output, OutputSizeUser, Reset, Update};
use universal_hash::{UhfBackend, UhfClosure};

use super::{level, ready};
use crate::ghash::UniversalHash;
use crate::mac::cbc_mac::CbcMac;
use crate::mac::cmac::Cmac;
use crate::mac::gmac::Gmac;
use crate::traits::block::BlockCipher;
use crate::traits::mac::Mac;

impl<C> InnerUser for Cmac<C> {
    type Inner = C;
}

impl<C: BlockCipher + BlockSizeUser> InnerInit for Cmac<C> {
    fn inner_init(inner: C) -> Self {
        ready(Self::new(inner))
    }
}

impl<C> InnerUser for Gmac<C> {
    type Inner = C;
}

impl<C> IvSizeUser for Gmac<C> {
    type IvSize = U12;
}

impl<C: BlockCipher + BlockSizeUser<BlockSize = U16>> InnerIvInit for Gmac<C> {
    fn inner_iv_init(inner: C, iv: &Iv<Self>) -> Self {
        ready(Self::new(inner, iv))
    }
}

/// The tag of a whole block's length.
macro_rules! mac {
    ($Mac:ident, $panics:literal) => {
        impl<C> MacMarker for $Mac<C> {}

        impl<C: BlockSizeUser> OutputSizeUser for $Mac<C> {
            type OutputSize = C::BlockSize;
        }

        impl<C: BlockCipher> Update for $Mac<C> {
            /// # Panics
            #[doc = $panics]
            fn update(&mut self, data: &[u8]) {
                ready(Mac::update(self, data));
            }
        }

        impl<C: BlockCipher + BlockSizeUser> FixedOutput for $Mac<C> {
            fn finalize_into(mut self, out: &mut Output<Self>) {
                ready(self.finish(out));
            }
        }
    };
}
mac!(Cmac, "Never.");
mac!(Gmac, "If a message has more than 2⁶¹ - 1 bytes.");
mac!(
    CbcMac,
    "With padding method 3, if the length was not announced or is exceeded, and then at \
     the end, too; and at the end of TrCBC, whose tags are half a block at most."
);

/// Another message under the same key; GMAC, which needs another IV then, has none.
macro_rules! reset {
    ($Mac:ident) => {
        impl<C: BlockCipher> Reset for $Mac<C> {
            fn reset(&mut self) {
                ready(Mac::reset(self, &[]));
            }
        }

        impl<C: BlockCipher + BlockSizeUser> FixedOutputReset for $Mac<C> {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                ready(self.finish(out));
            }
        }
    };
}
reset!(Cmac);
reset!(CbcMac);

impl<const REVERSED: bool> KeySizeUser for UniversalHash<REVERSED> {
    type KeySize = U16;
}

impl<const REVERSED: bool> BlockSizeUser for UniversalHash<REVERSED> {
    type BlockSize = U16;
}

impl<const REVERSED: bool> ParBlocksSizeUser for UniversalHash<REVERSED> {
    type ParBlocksSize = U128;
}

impl<const REVERSED: bool> KeyInit for UniversalHash<REVERSED> {
    fn new(key: &Key<Self>) -> Self {
        ready(Self::with_level(key, level()))
    }
}

impl<const REVERSED: bool> Reset for UniversalHash<REVERSED> {
    fn reset(&mut self) {
        self.finish();
    }
}

impl<const REVERSED: bool> UhfBackend for UniversalHash<REVERSED> {
    fn proc_block(&mut self, block: &Block<Self>) {
        self.update(block);
    }

    fn proc_par_blocks(&mut self, blocks: &ParBlocks<Self>) {
        self.update(Array::slice_as_flattened(blocks));
    }
}

impl<const REVERSED: bool> universal_hash::UniversalHash for UniversalHash<REVERSED> {
    fn update_with_backend(&mut self, f: impl UhfClosure<BlockSize = Self::BlockSize>) {
        f.call(self);
    }

    fn finalize(mut self) -> Block<Self> {
        self.finish().into()
    }
}
