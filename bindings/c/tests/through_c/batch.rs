//! Batches.

use std::ffi::c_int;
use std::ptr;

use cipherlane::batch::*;

use super::{Call, Operation, checked};

impl Call<'_> {
    /// Data and tag of the last of a few equal messages in a batch, with ready keys and with keys
    /// of their own. `tag` is what is opened with, or what a tag is written over.
    pub fn batch(
        &self,
        operation: &Operation,
        key: &[u8],
        iv: &[u8],
        aad: &[u8],
        input: &[u8],
        tag: &[u8],
    ) -> Result<(Vec<u8>, Vec<u8>), c_int> {
        const COUNT: usize = 5;
        let usual = [self.options.effective_key_bits, self.options.word_bits];
        if usual != [0; 2] || self.options.rounds_plus_one != 0 {
            // A batch is of the usual member of a family.
            let whole = self.message(operation, key, iv, input)?;
            return Ok((whole, Vec::new()));
        }
        let mut last = None;
        for ready in [false, true] {
            let mut batch = ptr::null_mut();
            let keys = [key.as_ptr(); COUNT];
            let (algorithm, name) = (self.algorithm.as_ptr(), operation.c_name.as_ptr());
            let options = &raw const self.options;
            let status = unsafe {
                let place = &raw mut batch;
                if ready {
                    let keys = keys.as_ptr();
                    cipherlane_batch_new_ready(
                        place,
                        algorithm,
                        name,
                        options,
                        keys,
                        key.len(),
                        COUNT,
                    )
                } else {
                    cipherlane_batch_new(place, algorithm, name, options)
                }
            };
            checked(status, ())?;
            let mut data = [const { Vec::new() }; COUNT].map(|_: Vec<u8>| input.to_vec());
            let mut tags = [const { Vec::new() }; COUNT].map(|_: Vec<u8>| tag.to_vec());
            let mut packets: Vec<_> = (0..COUNT)
                .map(|index| cipherlane_packet {
                    key: key.as_ptr(),
                    key_length: key.len(),
                    key_index: index,
                    iv: iv.as_ptr(),
                    iv_length: iv.len(),
                    aad: aad.as_ptr(),
                    aad_length: aad.len(),
                    input: data[index].as_ptr(),
                    output: data[index].as_mut_ptr(),
                    length: input.len(),
                    tag: tags[index].as_mut_ptr(),
                    tag_length: tag.len(),
                    failed: -1,
                    reserved: [0; 3],
                })
                .collect();
            let status = unsafe {
                assert!(cipherlane_batch_lanes(batch) > 0);
                let status = cipherlane_batch_apply(batch, packets.as_mut_ptr(), COUNT);
                cipherlane_batch_free(batch);
                status
            };
            checked(status, ())?;
            assert!(packets.iter().all(|packet| packet.failed == 0));
            assert!(data.iter().all(|it| *it == data[0]) && tags.iter().all(|it| *it == tags[0]));
            let [.., data] = data;
            let [.., tag] = tags;
            assert!(last.is_none_or(|last| last == (data.clone(), tag.clone())));
            last = Some((data, tag));
        }
        last.ok_or(-1)
    }
}
