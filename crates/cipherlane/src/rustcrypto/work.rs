//! The family's pairs of buffers as what we take: the input copied to the output, where it
//! is worked on in place. (Without `unsafe` their two sides can't be had at once.)

use cipher::array::{Array, ArraySize};
use cipher::inout::{InOut, InOutBuf};

/// One block.
pub(super) fn on_block<B: ArraySize>(
    mut block: InOut<'_, '_, Array<u8, B>>,
    work: impl FnOnce(&mut [u8]),
) {
    let input = block.clone_in();
    let output = block.get_out();
    *output = input;
    work(output);
}

/// As many blocks as a backend takes at once.
pub(super) fn on_blocks<B: ArraySize, N: ArraySize>(
    mut blocks: InOut<'_, '_, Array<Array<u8, B>, N>>,
    work: impl FnOnce(&mut [u8]),
) {
    let input = blocks.clone_in();
    let output = blocks.get_out();
    *output = input;
    work(Array::slice_as_flattened_mut(output));
}

/// Fewer blocks.
pub(super) fn on_slice<B: ArraySize>(
    mut blocks: InOutBuf<'_, '_, Array<u8, B>>,
    work: impl FnOnce(&mut [u8]),
) {
    for i in 0..blocks.len() {
        let mut block = blocks.get(i);
        let input = block.clone_in();
        *block.get_out() = input;
    }
    work(Array::slice_as_flattened_mut(blocks.into_out()));
}
