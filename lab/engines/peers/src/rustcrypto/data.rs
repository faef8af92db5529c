//! The laboratory's data as the traits of RustCrypto take it.

use ctr::cipher::inout::InOutBuf;
use ctr::cipher::{Block, BlockSizeUser};
use lab::work::{Data, Fault};

/// Bytes, in place or from buffer to buffer.
#[inline]
pub(super) fn bytes(data: Data<'_>) -> InOutBuf<'_, '_, u8> {
    match data {
        Data::InPlace(data) => data.into(),
        Data::Disjoint(input, output) => {
            InOutBuf::new(input, output).expect("the ring's buffers have one length")
        }
    }
}

/// Whole blocks.
#[inline]
pub(super) fn blocks<C: BlockSizeUser>(data: Data<'_>) -> InOutBuf<'_, '_, Block<C>> {
    bytes(data).into_chunks::<C::BlockSize>().0
}

/// The output buffer with the input in it, for crates that only work in place.
#[inline]
pub(super) fn in_place(data: Data<'_>) -> &mut [u8] {
    match data {
        Data::InPlace(data) => data,
        Data::Disjoint(input, output) => {
            output.copy_from_slice(input);
            output
        }
    }
}

/// An IV of one block.
#[inline]
pub(super) fn block<C: BlockSizeUser>(iv: &[u8]) -> Result<&Block<C>, Fault> {
    iv.try_into().map_err(|_| "an IV of another length")
}
